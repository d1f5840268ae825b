"""A domain of another team, from its wheel: what hapju does for its own domains it does for this one, and no line more.

The core's wheel and that of tests/examples/travel are installed in a fresh environment.
"""

import json
import re
from pathlib import Path

import grpc
import pytest

from hapju.flow.v1 import action_pb2, flow_event_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb
from observability import attributes as names
from tests.support.cluster import Cluster, Told
from tests.support.foreign import ROOT, TRAVEL, Place, built, place
from tests.support.otlp_receiver import OtlpReceiver, SpanTree

pytestmark = [pytest.mark.timeout(600), pytest.mark.xdist_group("travel"), pytest.mark.long]
MARKS = ("travel_", "hotel_search", "BOOK_TRIP", "find_train")


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The wheels of hapju and of the travel domain."""
    folder = tmp_path_factory.mktemp("wheels")
    return {"hapju": built(ROOT, folder), "travel": built(TRAVEL, folder)}


@pytest.fixture(scope="module")
def travelling(wheels: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Place:
    """An environment with both wheels, whose deployment knows travel and what is everywhere."""
    made = place(tmp_path_factory.mktemp("travel") / "env")
    made.install(*wheels.values())
    return made


async def told_and_approved(cluster: Cluster, token: str, text: str) -> tuple[Told, list[int]]:
    """Asks, and approves each action twice; returns what was told and how each approval was taken."""
    metadata = (("authorization", f"Bearer {token}"),)
    request = pb.AskRequest()
    request.question.text, request.question.interactive = text, True
    events, taken = [], list[int]()
    async for message in cluster.stub.Ask(request, timeout=60, metadata=metadata):
        events.append(message.event)
        if message.event.WhichOneof("event") == "question_asked":
            asked = message.event.question_asked
            assert asked.kind == flow_event_pb2.QUESTION_KIND_APPROVAL
            answer = pb.AnswerQuestionRequest(
                flow_run_id=events[0].accepted.flow_run_id,
                question_id=asked.question_id,
                answer="네",
                action_digest=asked.action.action_digest,
            )
            for _ in range(2):
                taken.append(await _taken(cluster, answer, metadata))
    return Told(tuple(events)), taken


async def _taken(cluster: Cluster, answer: pb.AnswerQuestionRequest, metadata: tuple[tuple[str, str], ...]) -> int:
    try:
        await cluster.stub.AnswerQuestion(answer, metadata=metadata, timeout=20)
    except grpc.aio.AioRpcError as refused:
        if refused.code() is grpc.StatusCode.FAILED_PRECONDITION:
            return 0
        raise
    return 1


@pytest.mark.asyncio
async def test_it_is_routed_planned_answered_acted_and_traced(travelling: Place) -> None:
    """Through the wheel's own services: an answer with citations, one action after one word, one trace."""
    alone = {"HAPJU_DOMAINS": "travel"}
    assert travelling.hapju("seed", **alone).returncode == 0
    with OtlpReceiver() as receiver:
        async with travelling.up(OTEL_EXPORTER_OTLP_ENDPOINT=receiver.endpoint, **alone) as cluster:
            hotels = (await cluster.ask("부산에 묵을 만한 호텔 알려줘", locale="ko")).answer
            trains = (await cluster.ask("When do trains leave from Seoul to Busan?", locale="en")).answer
            booked, taken = await told_and_approved(cluster, travelling.token("mina"), "강릉 호텔 하나 예약해줘")
            mine = await cluster.ask("내가 예약한 호텔 보여줘", token=travelling.token("mina"))
            stored = cluster.rows("SELECT user_id, kind, title, quantity FROM travel_bookings")
            left = cluster.rows("SELECT rooms_left FROM travel_hotels WHERE name_ko = '솔바람 호텔'")
    for answer, agent in ((hotels, "travel.hotels"), (trains, "travel.trains")):
        assert [selected.agent_name for selected in answer.selected_agents] == [agent]
        assert answer.citations
    assert "파도마루 호텔은 1박 14만 2,000원" in hotels.final_response
    assert re.search(r"06:00 Seoul→Busan.*59,800", trains.final_response)
    assert [one.outcome for one in booked.answer.actions] == [action_pb2.ACTION_OUTCOME_DONE]
    assert taken[0] == 1
    assert stored == [("mina", "hotel", "솔바람 호텔", 1)], "approved twice is done once"
    assert left == [(5,)]
    assert "솔바람 호텔" in mine.answer.final_response
    spans = [span for span in receiver.spans if hotels.flow_run_id in span.attributes.values()]
    flow = next(span for span in spans if span.name == names.SPAN_FLOW)
    tree = SpanTree([span for span in receiver.spans if span.trace_id == flow.trace_id])
    assert {("orchestrator", "travel.hotels"), ("travel.hotels", "tool_gateway")} <= set(tree.edges()), tree.render()
    assert (len(tree.roots), tree.orphans) == (1, ())


def test_it_is_whole_and_evaluated(travelling: Place) -> None:
    """The check finds no fault in it, and nine in ten of its own rows are right at least."""
    ended = travelling.hapju("domains", "check", "travel")
    assert (ended.returncode, ended.stdout) == (0, "")
    rows = TRAVEL / "hapju_travel" / "evals" / "routing.jsonl"
    assert len(rows.read_text(encoding="utf-8").splitlines()) == 30
    scored = travelling.hapju("eval", "routing", rows, "--min", "0.9")
    assert scored.returncode == 0, scored.stdout


def test_it_stands_beside_the_others(travelling: Place, tmp_path: Path) -> None:
    """It is listed and bound like any domain; what others are asked is theirs still."""
    listed = json.loads(travelling.hapju("domains", "list", "--json").stdout)["domains"]
    assert {"travel", "finance", "realty", "commerce", "general"} <= {one["domain"] for one in listed}
    rows = tmp_path / "rows.jsonl"
    expected = {"domain": "realty", "intent": "MARKET_INQUIRY"}
    row = {"id": "1", "query": "서울 강남구 아파트 시세 알려줘", "locale": "ko", "expect": expected}
    rows.write_text(json.dumps(row, ensure_ascii=False), encoding="utf-8")
    assert travelling.hapju("eval", "routing", rows, "--min", "1").returncode == 0
    assert "travel.trains" in travelling.hapju("agents", HAPJU_DOMAINS="travel").stdout
    seen = travelling.hapju("tools", "--user", "mina", "--user-type", "consumer", HAPJU_DOMAINS="travel")
    assert "trip_book" in seen.stdout


def test_without_its_wheel_nothing_of_it_is_anywhere(
    wheels: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """No catalog, help, tool, table or file of an environment without the wheel bears one of its names."""
    bare = place(tmp_path_factory.mktemp("bare") / "env")
    bare.install(wheels["hapju"])
    said = [bare.hapju("domains", "list").stdout]
    said += [bare.hapju(command, HAPJU_DOMAINS="general").stdout for command in ("seed", "agents", "tools")]
    said += [(bare.data / "data.db").read_bytes().decode("latin-1")]
    said += [path.read_text(encoding="utf-8") for path in ROOT.glob("services/**/*.yaml")]
    assert all(said[:4])
    assert [mark for mark in MARKS for text in said if mark in text] == []


def test_it_imports_the_plugin_alone_and_is_small() -> None:
    """Of hapju it imports the plugin, and all of its lines are under 700."""
    files = [path for path in TRAVEL.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    imported = {
        line
        for path in files
        if path.suffix == ".py"
        for line in re.findall(r"^(?:from|import) (\S+)", path.read_text(), re.MULTILINE)
    }
    ours = {
        name for name in imported if name.split(".")[0] in {"hapju", "services", "gateway", "prompts", "observability"}
    }
    assert ours == {"hapju", "hapju.plugin", "hapju.plugin.tables"}
    whole = "".join(path.read_text(encoding="utf-8") for path in files if path.suffix == ".py")
    assert re.findall(r"from hapju import (.*)", whole) == ["plugin"]
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files) < 700
