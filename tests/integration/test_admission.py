"""What a client may send wrong, and what it is told: the field, and what is right."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest
import pytest_asyncio
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo
from google.rpc.status_pb2 import Status

from hapju.flow.v1 import question_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb
from services.runtime.settings import dev_key
from tests.support.cluster import Cluster, embedded
from tests.support.tokens import token

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of the ensemble."""
    return tmp_path_factory.mktemp("admission")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def cluster(folder: Path, data: Path) -> AsyncIterator[Cluster]:
    """The ensemble in this process."""
    async with embedded(folder, data, domains=("finance", "general")) as running:
        yield running


def details(error: grpc.aio.AioRpcError) -> tuple[ErrorInfo, list[str]]:
    """Returns an error's reason and the fields that it names."""
    packed = next(value for key, value in error.trailing_metadata() or () if key == "grpc-status-details-bin")
    info, bad = ErrorInfo(), BadRequest()
    for detail in Status.FromString(packed).details:
        for target in (info, bad):
            if detail.Is(target.DESCRIPTOR):
                detail.Unpack(target)
    return info, [violation.field for violation in bad.field_violations]


async def refused(cluster: Cluster, text: str = "애플 주가", **fields: Any) -> grpc.aio.AioRpcError:
    """Asks, expecting a refusal, and returns it."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await cluster.ask(text, **fields)
    return caught.value


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\u200b\u3164", "\ufeff"])
async def test_an_empty_question_is_answered_with_guidance(cluster: Cluster, text: str) -> None:
    """Nothing to read is no error: the user is asked for a question, and no service is bothered."""
    told = await cluster.ask(text)
    assert (told.answer.final_response, told.answer.context_meta.status) == ("질문을 입력해주세요.", "guided")
    assert list(told.answer.decisions) == []
    assert (await cluster.ask(text, locale="en")).answer.final_response == "Please enter a question."


async def test_a_question_over_the_limit_names_it(cluster: Cluster) -> None:
    """5,000 characters are refused, 4,000 are not; the limit is named, and counted in characters, not bytes."""
    error = await refused(cluster, "가" * 5_000)
    assert (error.code(), details(error)[1]) == (grpc.StatusCode.INVALID_ARGUMENT, ["question.text"])
    assert "5000" in (error.details() or "")
    assert "4000" in (error.details() or "")
    assert (await cluster.ask("가" * 4_000)).terminal == ["finished"]


@pytest.mark.parametrize(
    ("fields", "field", "said"),
    [
        ({"domains": ["weather"]}, "question.domains", "finance, general"),
        ({"domains": ["realty"]}, "question.domains", "not enabled"),
        ({"locale": "fr"}, "question.locale", "ko, en"),
        ({"time_zone": "Mars/Olympus"}, "question.time_zone", "Asia/Seoul"),
        ({"session_id": "no spaces"}, "question.session_id", "1 to 64"),
        ({"request_id": "x" * 65}, "question.request_id", "1 to 64"),
        ({"intent_hint": "fly"}, "question.intent_hint", "no known intent"),
        ({"flow_timeout": {"seconds": 601}}, "question.flow_timeout", "600"),
        ({"now": {"seconds": 1}}, "question.now", "evaluator"),
        ({"router_output": {"primary_intent": "fx_driver", "confidence": 1}}, "question.router_output", "router"),
        ({"history": [{"speaker": 1, "text": "x"}] * 101}, "question.history", "100"),
        ({"history": [{"text": "x"}]}, "history.speaker", "must be one of"),
    ],
)
async def test_a_wrong_field_is_named_with_what_is_right(
    cluster: Cluster, fields: dict[str, Any], field: str, said: str
) -> None:
    """Each wrong field is INVALID_ARGUMENT by its name, before anything runs."""
    error = await refused(cluster, **fields)
    assert error.code() == grpc.StatusCode.INVALID_ARGUMENT
    info, named = details(error)
    assert ("hapju", "INVALID_REQUEST", [field]) == (info.domain, info.reason, named)
    assert said in (error.details() or "")


async def test_every_wrong_field_is_named_at_once(cluster: Cluster) -> None:
    """A client learns of all its mistakes in one answer."""
    error = await refused(cluster, locale="fr", time_zone="x/y", domains=["weather"])
    assert sorted(details(error)[1]) == ["question.domains", "question.locale", "question.time_zone"]


async def test_invalid_utf8_is_the_clients_fault(cluster: Cluster) -> None:
    """Bytes that are no UTF-8 get INVALID_ARGUMENT with a sentence, not an INTERNAL of grpc."""
    raw: Any = cluster.channel.unary_stream("/hapju.gateway.v1.GatewayService/Ask")
    broken = b"\x0a\x04\x0a\x02\xff\xfe"
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await raw(broken, timeout=5).read()
    assert (caught.value.code(), "UTF-8" in (caught.value.details() or "")) == (grpc.StatusCode.INVALID_ARGUMENT, True)


async def test_a_call_without_a_deadline_is_refused(cluster: Cluster) -> None:
    """Ask needs a deadline; WatchFlow, which lives as long as its flow, does not."""
    request = pb.AskRequest(question=question_pb2.Question(text="애플 주가"))
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await cluster.stub.Ask(request).read()
    assert details(caught.value)[0].reason == "DEADLINE_REQUIRED"


async def test_tokens_that_do_not_hold_are_refused(cluster: Cluster, folder: Path) -> None:
    """A token that is over, forged or no token at all is UNAUTHENTICATED, and the error does not repeat it."""
    key = dev_key(folder)
    for bad in (token(key, "u-1", seconds=-60), token("x" * 64, "u-1"), "nonsense", token(key, "no name")):
        error = await refused(cluster, token=bad)
        assert error.code() == grpc.StatusCode.UNAUTHENTICATED
        assert bad not in (error.details() or "")


async def test_an_evaluator_sets_the_clock(cluster: Cluster, folder: Path) -> None:
    """A caller with the evaluator role decides what now is; relative dates follow it."""
    evaluator = token(dev_key(folder), "eval-1", roles=("evaluator",))
    told = await cluster.ask("애플 주가 추세 분석해줘", token=evaluator, now={"seconds": 1_790_000_000})
    assert told.terminal == ["finished"]


async def test_decisions_alone_run_nothing(cluster: Cluster, folder: Path) -> None:
    """Route and Plan answer without a flow: no record remains."""
    mine = (("authorization", f"Bearer {token(dev_key(folder), 'u-decides')}"),)
    question = question_pb2.Question(text="애플 주가 추세 분석해줘")
    routed = await cluster.stub.Route(pb.RouteRequest(question=question), timeout=10, metadata=mine)
    assert (routed.route.domain, routed.route.intent) == ("finance", "us_single_stock")
    planned = await cluster.stub.Plan(pb.PlanRequest(question=question), timeout=10, metadata=mine)
    assert {step.agent for step in planned.plan.steps} == {"finance.equity"}
    assert list((await cluster.stub.ListFlows(pb.ListFlowsRequest(), timeout=5, metadata=mine)).flows) == []
