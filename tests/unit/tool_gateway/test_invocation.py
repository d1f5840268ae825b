"""Calls: who may make them, how often they read, how long they take, how large they get."""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from services.contract.flow import Provenance
from services.contract.tool import ToolFailure, ToolResult
from services.plugin.tools.reads import ROWS_BYTES_MAX, ReadResult
from services.runtime import deadlines
from services.runtime.identity import Caller
from services.tool_gateway import places
from services.tool_gateway.data.reader import Reader
from services.tool_gateway.invocation import Invocations
from services.tool_gateway.reads import GatewayReads
from services.tool_gateway.registry import load_registry
from services.tool_gateway.replay import CallKey, EarlierResults
from tests.unit.tool_gateway.seeded_data import AGENT, Invoke, make_call, reading, rows_of
from tests.unit.tool_gateway.sized_tool import SCHEMA, SizedArguments, sized_invocations, sized_read, sized_tool

APPLE = {"ticker": "US:AAPL", "bars": 5}


async def _fail(_arguments: SizedArguments, _reads: GatewayReads, _timeout_seconds: float) -> ReadResult:
    raise ZeroDivisionError("an inner detail")


@pytest.mark.asyncio
async def test_an_unknown_tool_is_named_with_the_known_ones(invoke: Invoke) -> None:
    """A tool that does not exist is an outcome that lists those that do."""
    outcome = await invoke("serch", {})
    assert isinstance(outcome, ToolFailure)
    assert (outcome.reason, outcome.field) == ("UNKNOWN_TOOL", "tool")
    assert "product_search" in outcome.message


@pytest.mark.parametrize("service", ["finance.other", "", "gateway"])
@pytest.mark.asyncio
async def test_only_an_agent_that_was_granted_a_tool_may_call_it(invoke: Invoke, service) -> None:
    """Another agent, and a caller that is no agent, get UNAUTHORIZED_ACTION and read nothing."""
    outcome = await invoke("equity_prices", APPLE, caller=Caller(user_id="user-1", service=service))
    assert isinstance(outcome, ToolFailure)
    assert (outcome.reason, outcome.field, outcome.retryable) == ("UNAUTHORIZED_ACTION", "tool", False)


@pytest.mark.asyncio
async def test_an_agent_sees_the_tools_it_was_granted(reads) -> None:
    """The list of an agent holds its own tools and no other."""
    grants = {"finance.macro": frozenset({"macro_series"})}
    calls = Invocations(load_registry(), reads, grants)
    assert [tool.name for tool in calls.allowed("finance.macro")] == ["macro_series"]
    assert calls.allowed("finance.equity") == ()


@pytest.mark.parametrize(
    ("caller", "allowed"),
    [
        (Caller(user_id="u", service=AGENT), False),
        (Caller(user_id="u", service=AGENT, user_type="consumer"), False),
        (Caller(user_id="u", service=AGENT, user_type="seller"), True),
        (Caller(user_id="u", service=AGENT, roles=frozenset({"seller"})), True),
    ],
)
@pytest.mark.asyncio
async def test_a_role_is_required_of_the_user(reader, caller, allowed) -> None:
    """A tool for sellers is refused to everybody else, whatever agent calls."""
    calls = sized_invocations(reader, sized_tool(required_role="seller"))
    outcome = await calls.invoke(make_call("sized", {"statement": "large.v1", "size": 1}, **SCHEMA, caller=caller))
    assert isinstance(outcome, ToolResult) is allowed
    if isinstance(outcome, ToolFailure):
        assert outcome.reason == "UNAUTHORIZED_ACTION"


@pytest.mark.asyncio
async def test_an_equal_call_of_a_flow_is_replayed(invoke: Invoke) -> None:
    """The same arguments, however they are written, read once in a flow; another flow or user reads anew."""
    first = await invoke("equity_prices", APPLE)
    again = await invoke("equity_prices", {"bars": 5, "ticker": " us:aapl "}, step_id="step-2")
    assert isinstance(first, ToolResult)
    assert (first.replayed, again) == (False, replace(first, replayed=True))
    for changed in (
        {"flow_run_id": "flow-2"},
        {"caller": Caller(user_id="user-2", service=AGENT)},
        {"caller": Caller(user_id="user-1", tenant="other", service=AGENT)},
    ):
        other = await invoke("equity_prices", APPLE, **changed)
        assert isinstance(other, ToolResult)
        assert other.replayed is False


@pytest.mark.asyncio
async def test_a_tool_waits_for_what_it_depends_on(reader) -> None:
    """Without a result of what it needs in the same flow a call is refused and names an alternative; then it reads."""
    registry = load_registry()
    market, trend = registry.get("market_data"), registry.get("real_estate_trend")
    assert market is not None
    assert trend is not None
    needy = sized_tool(depends_on=("market_data",), alternatives=("real_estate_trend",))
    calls = sized_invocations(reader, needy, market, trend)

    async def invoke(tool: str, arguments: Mapping[str, object], **changed: str) -> ToolResult | ToolFailure:
        schema = f"hapju.tool.{tool}.arguments.v1"
        return await calls.invoke(make_call(tool, arguments, arguments_schema_id=schema, **changed))

    asked, gangnam = {"statement": "large.v1", "size": 1}, {"region_code": "11680"}
    early = await invoke("sized", asked)
    assert isinstance(early, ToolFailure)
    assert (early.reason, early.field, early.retryable) == ("DEPENDENCY_NOT_MET", "tool", True)
    assert "market_data" in early.message
    assert "real_estate_trend" in early.message
    await invoke("market_data", gangnam, flow_run_id="flow-2")
    assert isinstance(await invoke("sized", asked), ToolFailure)
    assert isinstance(await invoke("market_data", {"region_code": "99999"}), ToolFailure)
    assert isinstance(await invoke("sized", asked), ToolFailure)
    await invoke("market_data", gangnam)
    assert isinstance(await invoke("sized", asked), ToolResult)


@pytest.mark.asyncio
async def test_equal_calls_at_once_read_once(invoke: Invoke) -> None:
    """Of ten equal calls at once one reads and nine are replayed."""
    outcomes = await asyncio.gather(*(invoke("equity_prices", APPLE) for _ in range(10)))
    assert sorted(outcome.replayed for outcome in outcomes if isinstance(outcome, ToolResult)) == [False] + [True] * 9


@pytest.mark.asyncio
async def test_a_failed_call_may_be_repeated(reader) -> None:
    """A call that failed is not remembered: the next equal one is made anew."""
    calls = sized_invocations(reader, sized_tool(read=_fail))
    call = make_call("sized", {"statement": "large.v1"}, **SCHEMA)
    for _ in range(2):
        outcome = await calls.invoke(call)
        assert isinstance(outcome, ToolFailure)
        assert (outcome.reason, outcome.retryable) == ("TOOL_FAILED", True)
        assert "inner detail" not in outcome.message


@pytest.mark.asyncio
async def test_a_call_ends_with_its_time(reader) -> None:
    """A read that takes too long is tried once more with twice the time; then it is TIMED_OUT and has stopped."""
    calls = sized_invocations(reader, sized_tool(timeout_seconds=0.2))
    began = time.monotonic()
    outcome = await calls.invoke(make_call("sized", {"statement": "slow.v1"}, **SCHEMA))
    assert isinstance(outcome, ToolFailure)
    assert (outcome.reason, outcome.retryable) == ("TIMED_OUT", True)
    assert 0.5 <= time.monotonic() - began < 2.5
    assert reader.connections_in_use == 0


@pytest.mark.asyncio
@pytest.mark.parametrize(("seconds_left", "waits"), [(10.0, [0.09, 0.18]), (0.15, [0.09])])
async def test_a_read_whose_time_was_not_enough_is_tried_once_more(reader, seconds_left, waits) -> None:
    """The second try has twice the time, and is made only where the call's own time is enough for it."""
    given: list[float] = []

    async def late(arguments: SizedArguments, reads: GatewayReads, timeout_seconds: float) -> ReadResult:
        given.append(timeout_seconds)
        await asyncio.sleep(0.15)
        return await sized_read(arguments, reads, timeout_seconds)

    calls = sized_invocations(reader, sized_tool(timeout_seconds=0.1, read=late))
    with deadlines.within(seconds_left):
        outcome = await calls.invoke(make_call("sized", {"statement": "large.v1", "size": 1}, **SCHEMA))
    assert given == pytest.approx(waits)
    assert isinstance(outcome, ToolResult) is (len(waits) == 2)


@pytest.mark.asyncio
async def test_a_cancelled_call_stops_reading(reader) -> None:
    """Cancelling a call stops its statement, and an equal call that waited makes its own read."""
    calls = sized_invocations(reader, sized_tool(timeout_seconds=30))
    call = make_call("sized", {"statement": "slow.v1"}, **SCHEMA)
    first = asyncio.create_task(calls.invoke(call))
    second = asyncio.create_task(calls.invoke(call))
    await reading(reader)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    await reading(reader)
    assert not second.done()
    second.cancel()
    with pytest.raises(asyncio.CancelledError):
        await second
    assert reader.connections_in_use == 0
    assert calls._earlier._turns == {}


@pytest.mark.asyncio
async def test_waiting_for_a_place_is_bounded(reader, monkeypatch) -> None:
    """A call beyond the tool's concurrency waits a bounded time and is then refused as OVERLOADED."""
    monkeypatch.setattr(places, "PLACE_SECONDS_MAX", 0.05)
    calls = sized_invocations(reader, sized_tool(timeout_seconds=30, concurrency_max=1))
    running = asyncio.create_task(calls.invoke(make_call("sized", {"statement": "slow.v1"}, **SCHEMA)))
    await reading(reader)
    other = make_call("sized", {"statement": "large.v1", "size": 1}, **SCHEMA)
    outcome = await calls.invoke(other)
    assert isinstance(outcome, ToolFailure)
    assert (outcome.reason, outcome.retryable) == ("OVERLOADED", True)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert isinstance(await calls.invoke(other), ToolResult)


@pytest.mark.asyncio
async def test_rows_over_the_limit_are_cut_and_said_to_be(reader) -> None:
    """Rows that together are too long are cut to those that fit; count, provenance and note speak of what is left."""
    calls = sized_invocations(reader, sized_tool())
    outcome = await calls.invoke(make_call("sized", {"statement": "large.v1", "size": 10_000}, **SCHEMA))
    rows = rows_of(outcome)
    assert isinstance(outcome, ToolResult)
    assert 0 < len(rows) < 100
    assert ROWS_BYTES_MAX - 11_000 < len(outcome.rows_json) <= ROWS_BYTES_MAX
    assert (outcome.truncated, outcome.note) == (True, f"more rows matched; the first {len(rows)} are returned")


@pytest.mark.asyncio
async def test_a_row_over_the_limit_is_refused_with_the_limit(reader) -> None:
    """A single row that is too long is an outcome that names the limit."""
    calls = sized_invocations(reader, sized_tool())
    outcome = await calls.invoke(make_call("sized", {"statement": "large.v1", "size": 300_000}, **SCHEMA))
    assert isinstance(outcome, ToolFailure)
    assert (outcome.reason, outcome.retryable) == ("PAYLOAD_TOO_LARGE", False)
    assert str(ROWS_BYTES_MAX) in outcome.message


@pytest.mark.asyncio
async def test_missing_data_is_an_outcome(tmp_path) -> None:
    """Without a database a call fails as data, and says how the data is loaded."""
    reader = Reader.open(f"sqlite+aiosqlite:///{tmp_path}/none.db")
    registry = load_registry()
    calls = Invocations(registry, GatewayReads(reader), {AGENT: frozenset(registry.names)})
    outcome = await calls.invoke(make_call("equity_prices", APPLE))
    assert isinstance(outcome, ToolFailure)
    assert (outcome.reason, outcome.retryable) == ("TOOL_FAILED", True)
    assert "hapju seed" in outcome.message
    await reader.close()


@pytest.mark.asyncio
async def test_figures_move_with_use(reader) -> None:
    """Before a call the registry's figures stand; after it the measured time, the quality and the moment do."""
    when = datetime(2026, 6, 12, tzinfo=UTC)
    tool = sized_tool()
    calls = sized_invocations(reader, tool, now=lambda: when)
    before = calls.figures.of(tool)
    assert (before.typical_seconds, before.quality, before.last_use_time) == (1.5, 0.85, None)
    await calls.invoke(make_call("sized", {"statement": "large.v1", "size": 1}, **SCHEMA))
    after = calls.figures.of(tool)
    assert after.last_use_time == when
    assert 0 < after.typical_seconds < 1.5
    assert after.quality == pytest.approx(0.85 * 0.9 + 0.1)


def _result(size: int) -> ToolResult:
    provenance = Provenance("s", "d", "t", b"{}", None, 1, "t.v1", "f", sample=True)
    return ToolResult(b"x" * size, "s", 1, False, provenance, False, timedelta(0), "")


def _key(number: int) -> CallKey:
    return CallKey("t", "u", f"flow-{number}", "tool", b"{}")


def test_earlier_results_are_bounded() -> None:
    """Results go when their time is over, and the oldest when number or bytes are over their bound."""
    now = 0.0
    earlier = EarlierResults(keep_seconds=10, results_max=3, bytes_max=100, monotonic=lambda: now)
    for number in range(4):
        earlier.put(_key(number), _result(10))
    assert [earlier.get(_key(number)) is not None for number in range(4)] == [False, True, True, True]
    earlier.put(_key(5), _result(85))
    assert [earlier.get(_key(number)) is not None for number in (1, 2, 3, 5)] == [False, False, True, True]
    now = 10.0
    assert earlier.get(_key(5)) is None
    assert len(earlier) == 0
