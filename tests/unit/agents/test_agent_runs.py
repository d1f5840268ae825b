"""The run of a step over real sockets: order of what is told, failures as data, bounds, cancel and deadline."""

import asyncio
import json
from contextlib import aclosing
from datetime import date, timedelta

import pytest

from services.agents.outcome import PARTIAL, SAMPLE, TRUNCATED
from services.contract.events import Progress, ToolOutcomeKind, ToolSettled
from services.contract.flow import AgentStatus
from services.contract.tool import ToolFailure
from services.plugin.findings import EVIDENCE_BYTES_MAX
from services.runtime.errors import (
    Forbidden,
    Internal,
    InvalidRequest,
    Overloaded,
    PayloadTooLarge,
)
from tests.unit.agents.loopback import (
    AS_OF,
    Outcome,
    ScriptedGateway,
    Told,
    asked,
    call,
    ensemble,
    registering,
    tool_result,
)

MACRO = "finance.macro"


def observation(month: int, value: object, **changed: object) -> dict[str, object]:
    """Returns a row of the unemployment rate."""
    row = {
        "series_id": "UNRATE",
        "country": "US",
        "title_ko": "미국 실업률",
        "title_en": "US Unemployment Rate",
        "unit": "%",
        "frequency": "monthly",
        "date": f"2026-{month:02d}-01",
        "value": value,
        "as_of": AS_OF,
        "next_release_date": None,
    }
    return {**row, **changed}


ROWS = [observation(10, 4.3), observation(9, 4.4), observation(8, 4.2)]
CALL = call("macro_series", series_ids=["UNRATE"])


async def run_with(
    tmp_path, *outcomes: Outcome, calls=(CALL,), locale="ko", agent=MACRO
) -> tuple[Told, ScriptedGateway]:
    """Runs a step whose calls end as `outcomes` say."""
    gateway = ScriptedGateway({"macro_series": list(outcomes)})
    async with ensemble(agent, tmp_path, registering(gateway)) as running:
        return await running.run(asked(agent, *calls, locale=locale)), gateway


@pytest.mark.asyncio
async def test_a_run_tells_what_it_does_and_ends_with_its_result(tmp_path) -> None:
    """Reading is told first, then each settled call, then computing; the result comes last and once, with its cost."""
    told, gateway = await run_with(tmp_path, tool_result("macro_series", ROWS))
    assert [type(event).__name__ for event in told.events] == ["Progress", "ToolSettled", "Progress", "RunResult"]
    assert [event.service for event in told.events if isinstance(event, Progress)] == [MACRO, MACRO]
    (settled,) = told.settled
    assert (settled.tool, settled.outcome, settled.row_count, settled.replayed, settled.reason) == (
        "macro_series",
        ToolOutcomeKind.RETURNED,
        3,
        False,
        "",
    )
    assert told.result.status is AgentStatus.ANSWERED
    assert told.metrics() == {"latest_value": "4.3", "previous_value": "4.4", "change": "-0.1"}
    assert (told.end.spent.usage.tool_calls, told.end.spent.usage.model_calls) == (1, 0)
    assert [(request.step_id, request.tool) for request in gateway.calls] == [("s1", "macro_series")]


@pytest.mark.asyncio
async def test_evidence_holds_the_rows_under_an_opaque_id(tmp_path) -> None:
    """Each metric rests on evidence with the tool's rows; its id is a hash, the same for the same rows alone."""
    first, _ = await run_with(tmp_path, tool_result("macro_series", ROWS))
    second, _ = await run_with(tmp_path, tool_result("macro_series", ROWS))
    (piece,) = first.result.evidence
    assert json.loads(piece.rows_json) == ROWS
    assert (piece.rows_schema_id, piece.data_type) == ("hapju.tool.macro_series.rows.v1", "macro")
    assert {metric.evidence_ids for metric in first.result.metrics} == {(piece.evidence_id,)}
    assert piece.evidence_id == second.result.evidence[0].evidence_id
    changed, _ = await run_with(tmp_path, tool_result("macro_series", [observation(10, 4.5), *ROWS[1:]]))
    assert piece.evidence_id != changed.result.evidence[0].evidence_id


@pytest.mark.asyncio
async def test_evidence_is_bounded_and_says_what_it_leaves_out(tmp_path) -> None:
    """Rows beyond 64 KiB are left out from the old end, the figures still rest on all, and a caution says so."""
    first = date(2026, 11, 26)
    rows = [
        observation(1, 4 + number / 1000, date=(first - timedelta(days=number)).isoformat(), frequency="daily")
        for number in range(600)
    ]
    told, _ = await run_with(tmp_path, tool_result("macro_series", rows))
    (piece,) = told.result.evidence
    kept = json.loads(piece.rows_json)
    assert len(piece.rows_json) <= EVIDENCE_BYTES_MAX
    assert kept == rows[: len(kept)]
    assert 0 < len(kept) < len(rows)
    one_more = json.dumps(rows[: len(kept) + 1], ensure_ascii=False, separators=(",", ":")).encode()
    assert len(one_more) > EVIDENCE_BYTES_MAX
    assert any("근거에는 최근 값만" in caution for caution in told.result.cautions)


FAILURES = [
    (ToolFailure("TIMED_OUT", "took too long", "", retryable=True), "FAILED", "TIMED_OUT"),
    (ToolFailure("OVERLOADED", "busy", "", retryable=True), "FAILED", "OVERLOADED"),
    (ToolFailure("TOOL_FAILED", "broke", "", retryable=True), "FAILED", "TOOL_FAILED"),
    (ToolFailure("UNKNOWN_TOOL", "no tool", "tool", retryable=False), "FAILED", "TOOL_GATEWAY_REJECTED"),
    (ToolFailure("UNAUTHORIZED_ACTION", "may not", "tool", retryable=False), "FAILED", "TOOL_GATEWAY_REJECTED"),
    (ToolFailure("MISSING_REQUIRED_FIELD", "missing", "x", retryable=False), "FAILED", "TOOL_GATEWAY_REJECTED"),
    (ToolFailure("VALUE_OUT_OF_RANGE", "limit", "limit", retryable=False), "FAILED", "TOOL_GATEWAY_REJECTED"),
    (ToolFailure("VALUE_OUT_OF_RANGE", "none", "series_ids", retryable=False), "INSUFFICIENT_DATA", "NOT_COVERED"),
    (ToolFailure("NOT_SET_UP", "no graph", "tool", retryable=False), "INSUFFICIENT_DATA", "NOT_SET_UP"),
    (tool_result("macro_series", []), "INSUFFICIENT_DATA", "NO_ROWS"),
    (Overloaded("full"), "FAILED", "OVERLOADED"),
    (Internal.with_id("e1"), "FAILED", "INTERNAL"),
    (Forbidden("no"), "FAILED", "TOOL_GATEWAY_REJECTED"),
    (PayloadTooLarge("big"), "FAILED", "TOOL_GATEWAY_REJECTED"),
    (tool_result("macro_series", ROWS, rows_schema_id="hapju.tool.macro_series.rows.v2"), "FAILED", "ROWS_MALFORMED"),
    (tool_result("macro_series", ROWS, rows_json=b"{}"), "FAILED", "ROWS_MALFORMED"),
    (tool_result("macro_series", ROWS, rows_json=b"[1]"), "FAILED", "ROWS_MALFORMED"),
    (tool_result("macro_series", ROWS, rows_json=b"\xff"), "FAILED", "ROWS_MALFORMED"),
    (tool_result("macro_series", ROWS, rows_json=b"[" * 100_000), "FAILED", "ROWS_MALFORMED"),
    (tool_result("macro_series", [observation(1, "x")]), "FAILED", "ROWS_MALFORMED"),
    (tool_result("macro_series", [{"series_id": "UNRATE"}]), "FAILED", "ROWS_MALFORMED"),
    (tool_result("macro_series", [observation(1, float("nan"))]), "FAILED", "ROWS_MALFORMED"),
    (tool_result("macro_series", [observation(13, 1.0)]), "FAILED", "ROWS_MALFORMED"),
]


@pytest.mark.asyncio
@pytest.mark.parametrize("locale", ["ko", "en"])
@pytest.mark.parametrize(("outcome", "status", "reason"), FAILURES)
async def test_a_failed_call_is_data(tmp_path, outcome, status, reason, locale) -> None:
    """A call that gives no rows ends in a result that says why, without a number, a metric or a status of the RPC."""
    told, _ = await run_with(tmp_path, outcome, locale=locale)
    result = told.result
    assert (result.status.name, result.reason, result.confidence) == (status, reason, 0.0)
    assert (result.metrics, result.evidence, result.primary_trend) == ((), (), None)
    assert result.summary.strip()
    assert [mark for mark in "".join((result.summary, *result.cautions)) if mark.isdigit()] == []
    (settled,) = told.settled
    returned = reason == "NO_ROWS"
    assert settled.outcome is (ToolOutcomeKind.RETURNED if returned else ToolOutcomeKind.FAILED)
    assert bool(settled.reason) is not returned


@pytest.mark.asyncio
async def test_what_is_covered_is_named_where_nothing_was_found(tmp_path) -> None:
    """A result without rows must say what the data covers."""
    told, _ = await run_with(tmp_path, tool_result("macro_series", []))
    assert "실업률" in told.result.summary


@pytest.mark.asyncio
async def test_a_lost_tool_gateway_is_told_in_the_result(tmp_path) -> None:
    """An unreachable tool gateway must end the run with a failed result, not with an error of the agent."""
    gateway = ScriptedGateway({})
    async with ensemble(MACRO, tmp_path, registering(gateway)) as running:
        await running.gateway.stop(0)
        told = await running.run(asked(MACRO, CALL))
    assert (told.result.status, told.result.reason) == (AgentStatus.FAILED, "UNAVAILABLE")


@pytest.mark.asyncio
async def test_a_partly_failed_run_says_what_it_left_out(tmp_path) -> None:
    """Where one call fails and another returns rows, the rows are told of, with a caution and less confidence."""
    failure = ToolFailure("TOOL_FAILED", "broke", "", retryable=True)
    told, _ = await run_with(tmp_path, tool_result("macro_series", ROWS), failure, calls=(CALL, CALL))
    assert told.result.status is AgentStatus.ANSWERED
    assert "거시 지표: 조회하지 못해 뺐습니다." in told.result.cautions
    assert told.result.confidence == round(0.95 / 2 - 0.10, 2)


@pytest.mark.asyncio
async def test_sample_cut_and_partial_rows_are_said(tmp_path) -> None:
    """Sample data, a cut result and a part that was left out each have a caution in the flow's language."""
    whole, _ = await run_with(tmp_path, tool_result("macro_series", ROWS), locale="en")
    assert SAMPLE.en in whole.result.cautions
    assert not {TRUNCATED.en, PARTIAL.en} & set(whole.result.cautions)
    cut = tool_result("macro_series", ROWS, truncated=True, note="more rows matched; the first 3 are returned")
    told, _ = await run_with(tmp_path, cut)
    assert TRUNCATED.ko in told.result.cautions
    assert PARTIAL.ko not in told.result.cautions
    part = tool_result("macro_series", ROWS, note="XYZ not covered; covered: UNRATE")
    told, _ = await run_with(tmp_path, part)
    assert PARTIAL.ko in told.result.cautions
    assert not [caution for caution in told.result.cautions if "UNRATE" in caution]


@pytest.mark.asyncio
async def test_few_rows_are_limited(tmp_path) -> None:
    """Fewer rows than the method asks for make the result LIMITED, with its caution and less confidence."""
    told, _ = await run_with(tmp_path, tool_result("macro_series", ROWS[:1]))
    assert told.result.status is AgentStatus.LIMITED
    assert told.result.confidence == round(0.95 / 2 - 0.10, 2)
    assert told.metrics() == {"latest_value": "4.3"}


@pytest.mark.asyncio
async def test_a_replayed_result_is_no_further_tool_call(tmp_path) -> None:
    """A result that an equal call had returned before, and a refused call, are not counted as reaching the data."""
    replayed, _ = await run_with(tmp_path, tool_result("macro_series", ROWS, replayed=True))
    assert (replayed.settled[0].replayed, replayed.end.spent.usage.tool_calls) == (True, 0)
    refused, _ = await run_with(tmp_path, ToolFailure("UNKNOWN_TOOL", "no", "tool", retryable=False))
    assert refused.end.spent.usage.tool_calls == 0


@pytest.mark.timed
@pytest.mark.asyncio
async def test_calls_run_side_by_side_within_the_bound(tmp_path) -> None:
    """Independent calls run at once, never more than four; the findings keep the order of the calls."""
    names = [f"미국 지표 {letter}" for letter in "가나다라마바사아"]
    results = [
        tool_result("macro_series", [{**row, "series_id": name, "title_ko": name} for row in ROWS]) for name in names
    ]
    told, gateway = await run_with(tmp_path, *results, calls=(CALL,) * 8)
    assert gateway.at_once_most == 4
    assert len(told.settled) == 8
    assert {metric.subject for metric in told.result.metrics} == set(names)


@pytest.mark.asyncio
async def test_without_calls_nothing_is_read(tmp_path) -> None:
    """A step without calls ends at once and says that nothing was settled to look up."""
    told, gateway = await run_with(tmp_path, calls=())
    assert (told.result.status, told.result.reason) == (AgentStatus.INSUFFICIENT_DATA, "NO_CALLS")
    assert gateway.calls == []


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("request_for", "field"),
    [
        (lambda: asked("finance.equity", CALL), "step.agent"),
        (lambda: asked(MACRO, CALL, call("equity_prices", ticker="US:AAPL")), "calls[1].tool"),
        (lambda: asked(MACRO, *([CALL] * 17)), "calls"),
    ],
)
async def test_a_step_that_is_not_the_agents_is_refused(tmp_path, request_for, field) -> None:
    """Another agent's step, a tool that is not the agent's, or too many calls must be refused with the field's name."""
    gateway = ScriptedGateway({})
    async with ensemble(MACRO, tmp_path, registering(gateway)) as running:
        with pytest.raises(InvalidRequest) as refused:
            await running.run(request_for())
    assert [violation.field for violation in refused.value.violations] == [field]
    assert gateway.calls == []


@pytest.mark.timed
@pytest.mark.asyncio
async def test_a_cancelled_run_cancels_its_calls(tmp_path) -> None:
    """When the caller leaves, the tool calls that still run must be cancelled and no handler may be left."""
    gateway = ScriptedGateway({"macro_series": [None]})
    async with ensemble(MACRO, tmp_path, registering(gateway)) as running:
        task = asyncio.create_task(running.run(asked(MACRO, CALL)))
        await asyncio.wait_for(gateway.waiting.wait(), 5)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.wait_for(gateway.cancelled.wait(), 2)
        async with asyncio.timeout(2):
            while running.agent.running or running.gateway.running:
                await asyncio.sleep(0.01)


@pytest.mark.timed
@pytest.mark.asyncio
async def test_a_call_that_is_not_answered_leaves_time_for_the_result(tmp_path) -> None:
    """A call that hangs is ended before the run's time is over: it is a caution where others returned rows."""
    gateway = ScriptedGateway({"macro_series": [tool_result("macro_series", ROWS), None]})
    async with ensemble(MACRO, tmp_path, registering(gateway)) as running:
        result = (await running.run(asked(MACRO, CALL, CALL), seconds=2.0)).result
        await asyncio.wait_for(gateway.cancelled.wait(), 2)
    assert (result.status, sorted(probe.reason for probe in result.tool_probes)) == (
        AgentStatus.ANSWERED,
        ["", "DEADLINE_EXCEEDED"],
    )
    assert any("조회하지 못해" in caution for caution in result.cautions)


@pytest.mark.timed
@pytest.mark.asyncio
async def test_a_run_whose_only_call_is_not_answered_says_so_in_time(tmp_path) -> None:
    """With nothing read the result is FAILED, and it comes before the caller's own time is up."""
    gateway = ScriptedGateway({"macro_series": [None]})
    async with ensemble(MACRO, tmp_path, registering(gateway)) as running:
        result = (await running.run(asked(MACRO, CALL), seconds=3.0)).result
    assert (result.status, result.reason) == (AgentStatus.FAILED, "DEADLINE_EXCEEDED")


@pytest.mark.asyncio
async def test_settled_calls_are_told_before_the_slow_one_ends(tmp_path) -> None:
    """A call that has ended is told at once, while another still runs."""
    gateway = ScriptedGateway({"macro_series": [tool_result("macro_series", ROWS), None]})
    async with ensemble(MACRO, tmp_path, registering(gateway)) as running:
        events = running.events(asked(MACRO, CALL, CALL))
        async with aclosing(events), asyncio.timeout(5):
            told = [await anext(events), await anext(events)]
            assert gateway.cancelled.is_set() is False
    assert [type(event).__name__ for event in told] == ["Progress", "ToolSettled"]


@pytest.mark.asyncio
async def test_describe_tells_the_definition(tmp_path) -> None:
    """Describe returns the id, the tools and the digest of the definition."""
    async with ensemble(MACRO, tmp_path, registering(ScriptedGateway({}))) as running:
        described = await running.describe()
    assert (described.agent, described.tools) == (MACRO, ("macro_series", "macro_brief", "graph_paths", "query_data"))
    assert len(described.definition_digest) == 12


@pytest.mark.asyncio
async def test_general_knowledge_reads_nothing_and_says_so(tmp_path) -> None:
    """The agent without sources answers without a call, without a figure, and says that no data was consulted."""
    async with ensemble("general.general_knowledge", tmp_path, registering(ScriptedGateway({}))) as running:
        told = await running.run(asked("general.general_knowledge", locale="en"))
    assert told.result.status is AgentStatus.ANSWERED
    assert "no internal data was consulted" in told.result.cautions[0]
    assert (told.result.metrics, told.result.evidence, told.settled) == ((), (), [])
    assert told.end.spent.usage.tool_calls == 0
    assert not any(isinstance(event, ToolSettled) for event in told.events)
