"""The chain of a flow's calls as `hapju flows show` lists it, and the switches of the utilities in it."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import pytest
import pytest_asyncio

from hapju.flow.v1 import record_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb
from services.cli.flows.chain import print_record
from tests.support.cluster import Cluster, Told, embedded
from tests.support.model_server import ModelServer
from tests.telemetry.test_branches import BOTH, ONE

MONITORED: Final = (
    *("intent_analysis", "query_rewrite", "query_normalization"),
    *("agent_summary", "response_synthesis", "citation_postprocess"),
)
"""The links of the monitoring screen, in its order; the agents' stand once for each agent."""
UTILITIES: Final = ("query_rewrite", "query_normalization", "citation_postprocess")


@pytest_asyncio.fixture
async def model() -> AsyncIterator[ModelServer]:
    """A model that answers every kind sensibly."""
    async with ModelServer() as server:
        yield server


def asked_of(model: ModelServer, **settings: Any) -> dict[str, Any]:
    """Returns the settings of an ensemble that asks that model."""
    return {"openai_base_url": model.base_url, "openai_api_key": "test", **settings}


async def record_of(cluster: Cluster, told: Told) -> record_pb2.FlowRecord:
    """Returns what is kept of a flow."""
    request = pb.GetFlowRequest(flow_run_id=told.answer.flow_run_id)
    return (await cluster.stub.GetFlow(request, timeout=5)).record


@pytest.mark.asyncio
@pytest.mark.parametrize("question", [ONE, BOTH])
async def test_the_chain_stands_in_the_order_of_the_monitoring_screen(
    data: Path, tmp_path: Path, model: ModelServer, capsys: pytest.CaptureFixture[str], question: str
) -> None:
    """Understanding, rewriting, normalising, each agent, the answer and its citations, in the record and as printed."""
    async with embedded(tmp_path, data, **asked_of(model)) as cluster:
        told = await cluster.ask(question)
        record = await record_of(cluster, told)
    agents = len(told.answer.selected_agents)
    expected = [name for name in MONITORED for _ in range(agents if name == "agent_summary" else 1)]
    assert [link.name for link in record.chain if link.name in MONITORED] == expected
    print_record(record)
    table = capsys.readouterr().out.split("\n\n")[1].splitlines()
    assert [name for line in table for name in line.split() if name in MONITORED] == expected
    assert {link.service for link in record.chain if link.name == "agent_summary"} == {
        one.agent_name for one in told.answer.selected_agents
    }


@pytest.mark.asyncio
async def test_general_knowledge_has_no_context_in_its_chain(data: Path, tmp_path: Path, model: ModelServer) -> None:
    """A question of general knowledge is answered directly: no tool is called and no agent sums anything up."""
    async with embedded(tmp_path, data, **asked_of(model)) as cluster:
        record = await record_of(cluster, await cluster.ask("인플레이션이 뭐야"))
    names = [link.name for link in record.chain]
    assert [link for link in record.chain if link.kind == "TOOL"] == []
    assert ("agent_summary" in names, "general_knowledge" in names) == (False, True)


@pytest.mark.asyncio
@pytest.mark.parametrize("off", UTILITIES)
async def test_each_utility_has_a_switch_of_its_own(data: Path, tmp_path: Path, model: ModelServer, off: str) -> None:
    """Switched off it is no decision and no call of a model; the others stay, and the answer comes all the same."""
    async with embedded(tmp_path, data, **asked_of(model, **{off: False})) as cluster:
        first = await cluster.ask(ONE)
        told = await cluster.ask("그럼 애플은?", session_id=first.of("accepted")[0].session_id)
    decided = [decision.kind for decision in told.answer.decisions]
    assert [name for name in UTILITIES if name in decided] == [name for name in UTILITIES if name != off]
    assert model.count(off) == 0
    assert told.answer.citations
    assert told.text == told.answer.final_response


@pytest.mark.asyncio
async def test_each_utility_is_a_decision_with_its_own_prompt(data: Path, tmp_path: Path, model: ModelServer) -> None:
    """Switched on, each is recorded with its prompt's version, its model and its cost where it leaves a choice."""
    async with embedded(tmp_path, data, **asked_of(model)) as cluster:
        first = await cluster.ask("지난달 미국 실업률 알려줘")
        told = await cluster.ask(
            "그럼 지난달 미국 실업률이랑 기준금리는?", session_id=first.of("accepted")[0].session_id
        )
    made = {decision.kind: decision for decision in told.answer.decisions if decision.kind in UTILITIES}
    assert set(made) == set(UTILITIES)
    assert len({decision.prompt_version for decision in made.values()}) == len(UTILITIES)
    for name, decision in made.items():
        assert decision.prompt_version
        assert (bool(decision.model), decision.usage.input_tokens > 0) == (True, True), name
        assert model.count(name) >= 1
