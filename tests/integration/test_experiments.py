"""The experiment on reuse over whole conversations: what is avoided, what it saves, and that nothing is reused wrongly.

The same conversations run under every variant with a model behind all decisions; each later turn is labelled with what
is right: to use what the conversation holds, or to search.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import pytest
import pytest_asyncio

from hapju.flow.v1 import experiment_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb
from services.orchestrator.experiments import DATA_REUSE, HYBRID, NO_REUSE, SUPERVISOR_ONLY, assigned
from services.runtime.settings import dev_key
from tests.support.cluster import Cluster, embedded
from tests.support.model_server import ModelServer
from tests.support.models import SENSIBLE, Answer, Asked
from tests.support.tokens import token
from tests.unit.cli.conftest import Outcome
from tests.unit.cli.conftest import hapju as hapju  # noqa: PLC0414 - a fixture

pytestmark = pytest.mark.xdist_group("experiments")

VARIANTS = (HYBRID, SUPERVISOR_ONLY, NO_REUSE)
MARKET, SHARES, GOODS, LAW = "MARKET_INQUIRY", "us_single_stock", "search_product", "LEGAL_CONSULT"


@dataclass(frozen=True)
class Turn:
    """One later turn of a conversation."""

    text: str
    """What is said."""
    intent: str
    """How it is understood: the model double knows no Korean."""
    right: str
    """use or search."""


CONVERSATIONS: tuple[tuple[tuple[str, str], tuple[Turn, ...]], ...] = (
    (
        ("노원구 아파트 전세 시세 알려줘", MARKET),
        (
            Turn("방금 찾은 노원구 아파트 전세 시세만 다시 정리해줘", MARKET, "use"),
            Turn("도봉구 아파트 전세 시세는?", MARKET, "search"),
        ),
    ),
    (
        ("용산구 아파트 매매 시세 보여줘", MARKET),
        (
            Turn("아까 그 용산구 아파트 매매 시세에서 높은 쪽만 짚어줘", MARKET, "use"),
            Turn("용산구 아파트 매매 시세 한 번 더 요약해줘", MARKET, "use"),
        ),
    ),
    (
        ("엔비디아 주가 추세 알려줘", SHARES),
        (
            Turn("방금 그 엔비디아 주가 추세 한 줄로 줄여줘", SHARES, "use"),
            Turn("테슬라 주가 추세도 알려줘", SHARES, "search"),
        ),
    ),
    (
        ("10만원 이하 무선 이어폰 찾아줘", GOODS),
        (Turn("방금 찾은 10만원 이하 무선 이어폰 다시 보여줘", GOODS, "use"),),
    ),
    (
        ("전세금 인상 한도를 정한 법 조항 알려줘", LAW),
        (Turn("방금 그 전세금 인상 한도 조항 다시 말해줘", LAW, "use"),),
    ),
)


def _judging(asked: Asked) -> str:
    """Answers the first judgement as a model would that trusts what it is shown."""
    held = bool(asked.data("held").strip())
    judgement = {"is_sufficient": held, "confidence": 0.97 if held else 0.9, "missing_types": []}
    source = "chat_history" if held else "none"
    return json.dumps({**judgement, "data_source": source, "reasoning": "what is held speaks of it"})


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def ran(tmp_path_factory: pytest.TempPathFactory, data: Path) -> AsyncIterator[tuple[Cluster, Path]]:
    """Has every conversation under every variant, each turn labelled."""
    tmp_path = tmp_path_factory.mktemp("experiment")
    answers: dict[str, Answer] = {**SENSIBLE, "data_sufficiency_check": _judging}
    async with ModelServer(answers) as server:
        model: dict[str, Any] = {"openai_base_url": server.base_url, "openai_api_key": "test"}
        async with embedded(tmp_path, data, **model, reuse_variants=VARIANTS) as cluster:
            bearer = token(dev_key(tmp_path), "kim", seconds=900)
            for number, conversation in enumerate(CONVERSATIONS):
                for variant in VARIANTS:
                    await _had(cluster, conversation, _session(number, variant), bearer)
            yield cluster, tmp_path


def _session(number: int, variant: str) -> str:
    """Returns the name of a conversation that runs under a variant."""
    names = (f"talk-{number}-{trial}" for trial in range(10_000))
    return next(name for name in names if assigned(name, VARIANTS)[0].variant == variant)


async def _had(cluster: Cluster, conversation: Any, session: str, bearer: str) -> None:
    (first, intent), later = conversation
    await cluster.ask(first, session_id=session, intent_hint=intent, token=bearer)
    for turn in later:
        told = await cluster.ask(turn.text, session_id=session, intent_hint=turn.intent, token=bearer)
        request = pb.LabelFlowRequest(flow_run_id=told.answer.flow_run_id, experiment=DATA_REUSE, label=turn.right)
        await cluster.stub.LabelFlow(request, timeout=10, metadata=_as(bearer))


def _as(bearer: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {bearer}"),)


async def _report(cluster: Cluster, bearer: str) -> dict[str, experiment_pb2.VariantReport]:
    request = pb.ReportExperimentRequest(experiment=DATA_REUSE)
    response = await cluster.stub.ReportExperiment(request, timeout=10, metadata=_as(bearer))
    return {one.variant: one for one in response.variants}


@pytest.mark.asyncio(loop_scope="module")
async def test_reuse_avoids_searches_and_calls_and_is_never_wrong(ran: tuple[Cluster, Path]) -> None:
    """At least 60 % of what could be reused is, with 40 % fewer model calls, and nothing that has to be searched is."""
    cluster, tmp_path = ran
    report = await _report(cluster, token(dev_key(tmp_path), "kim"))
    assert set(report) == set(VARIANTS)
    turns = [turn for _, later in CONVERSATIONS for turn in later]
    reusable = sum(turn.right == "use" for turn in turns)
    without = report[NO_REUSE]
    assert (without.labelled, without.searches_avoided, without.judged) == (len(turns), 0, 0)
    for variant in (HYBRID, SUPERVISOR_ONLY):
        one = report[variant]
        assert one.flows == one.answered == len(CONVERSATIONS) + len(turns)
        assert one.labelled == len(turns)
        assert one.incorrect_skips == 0
        assert one.correct_skips >= 0.6 * reusable
        saved = 1 - one.usage_where_use_was_right.model_calls / without.usage_where_use_was_right.model_calls
        assert saved >= 0.4, f"{variant}: {saved:.0%} fewer model calls"
        assert one.latency_p50.ToTimedelta() <= one.latency_p99.ToTimedelta()


@pytest.mark.asyncio(loop_scope="module")
async def test_the_command_shows_every_variant(
    ran: tuple[Cluster, Path], monkeypatch: pytest.MonkeyPatch, hapju: Callable[..., Outcome]
) -> None:
    """In dev mode the report is over every user's flows, as a table and as JSON; a named user sees their own."""
    cluster, tmp_path = ran
    monkeypatch.setenv("HAPJU_GATEWAY", cluster.gateway)
    monkeypatch.setenv("HAPJU_DATA_DIR", str(tmp_path))
    code, table, _ = await _in_thread(hapju, "experiment", "report")
    assert code == 0
    assert all(variant in table for variant in VARIANTS)
    _, printed, _ = await _in_thread(hapju, "experiment", "report", "--json")
    shown = json.loads(printed)
    assert [one["variant"] for one in shown["variants"]] == sorted(VARIANTS)
    assert all(int(one["usage"]["model_calls"]) > 0 for one in shown["variants"])
    _, printed, _ = await _in_thread(hapju, "experiment", "report", "--user", "lee", "--json")
    assert json.loads(printed)["variants"] == []
    code, printed, _ = await _in_thread(hapju, "experiment", "label", "0" * 8, "use", "--json")
    assert (code, json.loads(printed)["error"]["code"]) == (2, "INVALID_ARGUMENT")


@pytest.mark.asyncio(loop_scope="module")
async def test_another_user_may_not_label(ran: tuple[Cluster, Path]) -> None:
    """A flow of somebody else is not there."""
    cluster, tmp_path = ran
    kim, lee = (token(dev_key(tmp_path), name) for name in ("kim", "lee"))
    listed = await cluster.stub.ListFlows(pb.ListFlowsRequest(), timeout=10, metadata=_as(kim))
    request = pb.LabelFlowRequest(flow_run_id=listed.flows[0].flow_run_id, experiment=DATA_REUSE, label="use")
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await cluster.stub.LabelFlow(request, timeout=10, metadata=_as(lee))
    assert refused.value.code() is grpc.StatusCode.NOT_FOUND


async def _in_thread(hapju: Callable[..., Outcome], *arguments: str) -> Outcome:
    return await asyncio.to_thread(hapju, *arguments)
