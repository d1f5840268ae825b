"""Decisions over the real client: who decides, what is recorded, and what each failure leads to."""

import asyncio
import json
from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from prompts.fields import Trusted
from prompts.router.intent_analysis import PROMPT, DomainBrief, Inputs, IntentBrief, Output
from services.contract.flow import Decision, DecisionSource, Usage
from services.llm.decider import Decided, Decider
from services.llm.model import FailureReason
from services.llm.providers.openai_compatible import CallTimeouts, OpenAiCompatible
from services.llm.records import input_digest
from services.runtime import ledger
from tests.support.model_server import ModelServer, Reply

Flow = Callable[..., AbstractContextManager[ledger.Ledger]]
MakeDecider = Callable[..., Decider]

KIND = "intent_analysis"
INPUTS = Inputs(
    question="노트북 값 알려 줘",
    domains=(
        DomainBrief(
            name=Trusted("commerce"),
            description=Trusted("쇼핑"),
            intents=(IntentBrief(name=Trusted("search_product"), description=Trusted("상품 찾기")),),
        ),
    ),
)
GOOD = {
    "domain": "commerce",
    "intent": "search_product",
    "confidence": 0.91,
    "alternatives": [],
    "sql_need": True,
    "graph_need": False,
    "reasoning": "상품을 묻습니다.",
}
RULED = Output(
    domain="commerce",
    intent="search_product",
    confidence=0.6,
    alternatives=(),
    sql_need=True,
    graph_need=False,
    reasoning="by rule",
)


def rule(_inputs: Inputs) -> Output:
    """Decide without a model."""
    return RULED


def good(**changed: object) -> str:
    """Return a valid answer's text."""
    return json.dumps(GOOD | changed, ensure_ascii=False)


async def decide(decider: Decider) -> Decided[Output]:
    """Decide on the one question of this file."""
    return await decider.decide(PROMPT, INPUTS, rule)


@pytest.mark.asyncio
async def test_a_models_answer_is_recorded_whole(server: ModelServer, decider: Decider, flow: Flow) -> None:
    """An answer inside the schema decides with source LLM; the record holds model, version, tokens, cost and digest."""
    server.script(KIND, Reply(text=good()))
    with flow() as opened:
        decided = await decide(decider)
    decision = opened.decisions[0]
    assert (decided.output, decided.source) == (Output.model_validate(GOOD), DecisionSource.LLM)
    expected = Decision(
        service="router",
        kind=KIND,
        source=DecisionSource.LLM,
        prompt_version=PROMPT.version,
        model="test-router",
        input_digest=input_digest(INPUTS),
        output_json=decided.output.model_dump_json().encode(),
        confidence=0.91,
        reasoning="상품을 묻습니다.",
        fallback_reason="",
        latency=decision.latency,
        usage=Usage(model_calls=1, input_tokens=100, output_tokens=len(good())),
        decide_time=decision.decide_time,
    )
    assert decision == expected
    assert opened.usage == expected.usage


@pytest.mark.asyncio
async def test_the_request_says_its_kind_limits_and_strict_schema(
    server: ModelServer, decider: Decider, flow: Flow
) -> None:
    """The request bears the prompt's temperature and limit, and a strict schema named after the kind."""
    with flow():
        await decide(decider)
    body = server.calls[0].body
    asked = body["response_format"]["json_schema"]
    assert (body["temperature"], body["max_tokens"], body["model"]) == (0.0, 500, "test-router")
    assert (asked["name"], asked["strict"]) == (KIND, True)
    assert body["messages"][0]["content"].startswith(f"Task: {KIND}\n")


FAILURES = [
    (Reply(status=429), FailureReason.RATE_LIMITED),
    (Reply(status=500), FailureReason.SERVER_ERROR),
    (Reply(status=503), FailureReason.SERVER_ERROR),
    (Reply(status=401), FailureReason.UNAUTHORIZED),
    (Reply(status=404), FailureReason.REQUEST_REFUSED),
    (Reply(status=400, error="context too long"), FailureReason.REQUEST_REFUSED),
    (Reply(body="<html>gateway</html>", content_type="text/html"), FailureReason.MALFORMED),
    (Reply(body='{"choices": [{"mess'), FailureReason.MALFORMED),
    (Reply(body='{"choices": []}'), FailureReason.MALFORMED),
    (Reply(body="[]"), FailureReason.MALFORMED),
    (Reply(body='{"choices": "none"}'), FailureReason.MALFORMED),
    (Reply(text=good(), finish_reason="content_filter"), FailureReason.CONTENT_FILTERED),
]


@pytest.mark.asyncio
@pytest.mark.parametrize(("reply", "reason"), FAILURES, ids=lambda value: str(value)[:40])
async def test_a_failing_endpoint_leaves_it_to_the_rule(
    server: ModelServer, decider: Decider, flow: Flow, reply: Reply, reason: FailureReason
) -> None:
    """Each failure leads to FALLBACK by the same rule with its reason.

    A limit and a fault of the server after two requests, every other after one.
    """
    server.always(reply)
    with flow() as opened:
        decided = await decide(decider)
    assert (decided.output, decided.source, decided.fallback_reason) == (RULED, DecisionSource.FALLBACK, reason)
    assert (opened.decisions[0].fallback_reason, opened.decisions[0].model) == (reason, "test-router")
    requests = 2 if reply.status == 429 or reply.status >= 500 else 1
    assert (server.count(KIND), opened.usage.model_calls) == (requests, 1)


@pytest.mark.asyncio
async def test_an_endpoint_that_does_not_answer_in_time_leaves_it_to_the_rule(
    server: ModelServer, hasty: Decider, flow: Flow
) -> None:
    """A decision that nobody answers falls back to its rule after one request, and says why."""
    server.always(Reply(hang=True))
    with flow():
        decided = await decide(hasty)
    assert (decided.output, decided.source) == (RULED, DecisionSource.FALLBACK)
    assert decided.fallback_reason == FailureReason.TIMED_OUT
    assert server.count(KIND) <= 1


@pytest.mark.asyncio
async def test_an_endpoint_that_is_not_there_is_a_connection_failure(flow: Flow, decider_over: MakeDecider) -> None:
    """A refused connection leads to FALLBACK with CONNECTION."""
    model = OpenAiCompatible("http://127.0.0.1:9/v1", "", CallTimeouts(1.0, 1.0, 1.0, 1.0))
    with flow():
        decided = await decide(decider_over(model))
    await model.aclose()
    assert (decided.source, decided.fallback_reason) == (DecisionSource.FALLBACK, FailureReason.CONNECTION)


@pytest.mark.asyncio
async def test_an_endpoint_that_hangs_up_is_a_connection_failure(flow: Flow, decider_over: MakeDecider) -> None:
    """A connection that is closed before any answer leads to FALLBACK with CONNECTION, not to a timeout."""
    hang_up = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0)
    host, port = hang_up.sockets[0].getsockname()
    model = OpenAiCompatible(f"http://{host}:{port}/v1", "", CallTimeouts(1.0, 1.0, 1.0, 1.0))
    async with hang_up:
        with flow():
            decided = await decide(decider_over(model))
        await model.aclose()
    assert (decided.source, decided.fallback_reason) == (DecisionSource.FALLBACK, FailureReason.CONNECTION)


@pytest.mark.asyncio
async def test_one_repair_mends_an_answer_outside_the_schema(server: ModelServer, decider: Decider, flow: Flow) -> None:
    """An intent that was not offered is asked again once, with the problem named; both calls are in the usage."""
    server.script(KIND, Reply(text=good(intent="serach_product")), Reply(text=good()))
    with flow() as opened:
        decided = await decide(decider)
    second = server.calls[1].body["messages"]
    assert (decided.source, decided.output.intent, opened.usage.model_calls) == (
        DecisionSource.LLM,
        "search_product",
        2,
    )
    assert [message["role"] for message in second] == ["system", "user", "assistant", "user"]
    assert "serach_product" in second[3]["content"]


@pytest.mark.asyncio
async def test_there_is_no_second_repair(server: ModelServer, decider: Decider, flow: Flow) -> None:
    """An answer that stays outside the schema leads to FALLBACK after two requests, whatever it says."""
    server.always(Reply(text=good(intent="serach_product")))
    with flow():
        decided = await decide(decider)
    assert (decided.output, decided.fallback_reason, server.count(KIND)) == (RULED, FailureReason.OUTPUT_INVALID, 2)


@pytest.mark.asyncio
@pytest.mark.parametrize("finish_reason", ["length", "stop", "tool_calls"])
async def test_a_cut_answer_is_never_closed_by_us(
    server: ModelServer, decider: Decider, flow: Flow, finish_reason: str
) -> None:
    """Half an object is OUTPUT_TRUNCATED, also where the endpoint hides that it cut it; asked again at most once."""
    server.always(Reply(text=good()[:-20], finish_reason=finish_reason))
    with flow():
        decided = await decide(decider)
    assert (decided.output, decided.fallback_reason, server.count(KIND)) == (RULED, FailureReason.OUTPUT_TRUNCATED, 2)


@pytest.mark.asyncio
async def test_a_whole_object_with_finish_reason_length_is_truncated(
    server: ModelServer, decider: Decider, flow: Flow
) -> None:
    """An answer that reached its limit is not used even if it happens to be closed; the second question has more."""
    server.script(KIND, Reply(text=good(confidence=0.2), finish_reason="length"), Reply(text=good()))
    with flow():
        decided = await decide(decider)
    assert (decided.output.confidence, server.count(KIND)) == (0.91, 2)
    assert [call.body["max_tokens"] for call in server.calls] == [500, 1_000]


@pytest.mark.asyncio
async def test_a_repair_that_fails_leads_to_the_rule_with_the_later_reason(
    server: ModelServer, decider: Decider, flow: Flow
) -> None:
    """When the endpoint breaks during the repair, the fallback names that."""
    server.script(KIND, Reply(text="no idea"), Reply(status=429), Reply(status=429))
    with flow() as opened:
        decided = await decide(decider)
    assert (decided.fallback_reason, opened.usage.model_calls) == (FailureReason.RATE_LIMITED, 2)


@pytest.mark.asyncio
async def test_fenced_output_is_read_at_the_first_try(server: ModelServer, decider: Decider, flow: Flow) -> None:
    """A Markdown fence with a language tag costs no second call."""
    server.script(KIND, Reply(text=f"```json\n{good()}\n```"))
    with flow():
        decided = await decide(decider)
    assert (decided.source, server.count(KIND)) == (DecisionSource.LLM, 1)


@pytest.mark.asyncio
async def test_refused_formats_step_down_once_and_are_remembered(
    server: ModelServer, decider: Decider, flow: Flow
) -> None:
    """json_schema -> json_object -> text on the first decision; the second one asks in text at once."""
    server.always(Reply(text=good(), refuses=("json_schema", "json_object")))
    with flow() as opened:
        first = await decide(decider)
        second = await decide(decider)
    formats = [(call.body.get("response_format") or {}).get("type") for call in server.calls]
    assert formats == ["json_schema", "json_object", None, None]
    assert (first.source, second.source, opened.usage.model_calls) == (DecisionSource.LLM, DecisionSource.LLM, 4)
    assert '"sql_need"' in server.calls[3].body["messages"][0]["content"]


@pytest.mark.asyncio
async def test_a_refused_parameter_is_learnt_per_model(server: ModelServer, decider: Decider, flow: Flow) -> None:
    """A 400 about max_tokens is answered with max_completion_tokens, and the next call begins with it."""
    refusal = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    server.script(KIND, Reply(status=400, error=refusal))
    server.always(Reply(text=good()))
    with flow():
        first = await decide(decider)
        await decide(decider)
    limits = [call.body.get("max_completion_tokens") for call in server.calls]
    assert (first.source, limits) == (DecisionSource.LLM, [None, 500, 500])


@pytest.mark.asyncio
async def test_without_a_model_the_rule_decides_and_nothing_is_degraded(flow: Flow, decider_over: MakeDecider) -> None:
    """No model configured: RULE, no reason, no usage, still recorded."""
    with flow() as opened:
        decided = await decide(decider_over(None))
    assert (decided.output, decided.source, decided.degraded) == (RULED, DecisionSource.RULE, False)
    assert [(item.source, item.model, item.usage) for item in opened.decisions] == [(DecisionSource.RULE, "", Usage())]


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("budget", "reason"),
    [
        ({"model_calls": 0}, FailureReason.MODEL_CALLS_SPENT),
        ({"tokens": 0}, FailureReason.TOKENS_SPENT),
        ({"model_failures": 0}, FailureReason.MODEL_FAILURES_SPENT),
        ({"deadline_seconds": 0.12}, FailureReason.DEADLINE_SPENT),
    ],
)
async def test_a_spent_budget_goes_by_rule_and_says_so(
    server: ModelServer, decider: Decider, flow: Flow, budget: dict[str, float], reason: FailureReason
) -> None:
    """At a ceiling the decision is a RULE with the ceiling as its reason, and the endpoint is not asked."""
    with flow(**budget):
        decided = await decide(decider)
    assert (decided.source, decided.fallback_reason, decided.degraded) == (DecisionSource.RULE, reason, True)
    assert server.calls == []


@pytest.mark.asyncio
async def test_after_three_failures_the_endpoint_is_left_alone(
    server: ModelServer, decider: Decider, flow: Flow
) -> None:
    """Ten decisions over an endpoint that is down ask three times, each once more; the rest go by rule."""
    server.always(Reply(status=429))
    with flow():
        sources = [(await decide(decider)).source for _ in range(10)]
    assert (server.count(KIND), sources.count(DecisionSource.FALLBACK)) == (6, 3)


@pytest.mark.asyncio
async def test_decisions_side_by_side_share_the_ceiling(server: ModelServer, decider: Decider, flow: Flow) -> None:
    """Eight decisions at once with five calls left make five calls."""
    server.always(Reply(text=good(), latency_seconds=0.05))
    with flow(model_calls=5) as opened:
        decided = await asyncio.gather(*(decide(decider) for _ in range(8)))
    assert (server.count(KIND), opened.usage.model_calls) == (5, 5)
    assert sum(one.fallback_reason == FailureReason.MODEL_CALLS_SPENT for one in decided) == 3


@pytest.mark.asyncio
async def test_a_repair_needs_a_call_of_its_own(server: ModelServer, decider: Decider, flow: Flow) -> None:
    """With one call left an answer outside the schema is not asked again."""
    server.always(Reply(text="{}"))
    with flow(model_calls=1):
        decided = await decide(decider)
    assert (decided.fallback_reason, server.count(KIND)) == (FailureReason.OUTPUT_INVALID, 1)


async def _first_call(decider: Decider, flow: Flow) -> None:
    """Decide once: the first call of a process loads what it needs, which takes its time on a busy machine."""
    with flow():
        await decide(decider)


@pytest.mark.timed
@pytest.mark.asyncio
async def test_a_slow_model_takes_at_most_half_of_the_deadline(
    server: ModelServer, decider: Decider, flow: Flow
) -> None:
    """With 0.7 s left the call ends after 0.3 s (half of what is left after the margin), and the rule decides."""
    await _first_call(decider, flow)
    server.always(Reply(hang=True))
    with flow(deadline_seconds=0.7):
        decided = await decide(decider)
    assert decided.fallback_reason == FailureReason.TIMED_OUT
    assert 0.25 <= decided.latency.total_seconds() < 0.7


@pytest.mark.timed
@pytest.mark.asyncio
async def test_a_cancelled_decision_closes_its_request_and_stays_counted(
    server: ModelServer, decider: Decider, flow: Flow
) -> None:
    """Cancelling closes the HTTP request within half a second; the call that was made stays in the usage."""
    await _first_call(decider, flow)
    server.always(Reply(hang=True))
    with flow() as opened:
        task = asyncio.create_task(decide(decider))
        await server.until(lambda it: it.open_requests == 1)
        task.cancel()
        await server.until(lambda it: it.closed_by_peer == 1, timeout_seconds=0.5)
        with pytest.raises(asyncio.CancelledError):
            await task
    assert (opened.usage, opened.decisions) == (Usage(model_calls=1), [])


@pytest.mark.asyncio
async def test_outside_a_call_a_decision_is_an_error(decider_over: MakeDecider) -> None:
    """A decision that nobody would record is refused, not made."""
    with pytest.raises(LookupError):
        await decide(decider_over(None))
    assert ledger.spent().decisions == ()


@pytest.mark.asyncio
async def test_what_the_flow_has_settled_is_not_asked(server: ModelServer, decider: Decider, flow: Flow) -> None:
    """A kind that leaves nothing to decide goes by its rule with nothing to warn of; another kind is asked as ever."""
    server.script(KIND, Reply(text=good()))
    with flow(settled_kinds=(KIND,)) as opened:
        settled = await decide(decider)
    assert (settled.source, settled.fallback_reason, settled.output, server.calls) == (
        DecisionSource.RULE,
        "",
        RULED,
        [],
    )
    assert opened.usage == Usage()
    with flow(settled_kinds=("agent_summary",)):
        assert (await decide(decider)).source is DecisionSource.LLM
