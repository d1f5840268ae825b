"""One call of a tool, from the request to its outcome.

    known tool -> arguments (schema, types, ranges) -> rights of agent and user -> earlier equal call of the flow
    -> results that it depends on -> a free place -> the read, within its time, once more within twice that -> result

Whatever goes wrong with the call itself is its outcome, never an exception: an agent deals with a failed tool as data.
Only cancellation passes through, and it stops the statement.
"""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final

import structlog

from services.contract.tool import ToolFailure, ToolResult
from services.plugin.tools.mounted import ServerFailed
from services.plugin.tools.reads import ROWS_BYTES_MAX, ReadResult, RowTooLarge
from services.plugin.tools.tool import Arguments, Tool, UnknownIdentifier, canonical
from services.runtime import deadlines
from services.runtime.identity import Caller
from services.text.visible import seen_document
from services.tool_gateway.arguments import ArgumentsRefused, parse_arguments, refusal
from services.tool_gateway.data.reader import DatabaseUnavailable, ReadTimeout
from services.tool_gateway.figures import LiveFigures
from services.tool_gateway.places import NoPlace, Places
from services.tool_gateway.reads import GatewayReads
from services.tool_gateway.registry import Registry
from services.tool_gateway.replay import CallKey, EarlierResults
from services.tool_gateway.web.provider import WebUnavailable

# The statement is stopped a little before the call's own time is up, so that its outcome says what happened.
_STATEMENT_SHARE: Final = 0.9
LONGER_TIMES: Final = 2
"""How many times as long a read may take that is tried again because its time was not enough."""
TIMED_OUT: Final = "TIMED_OUT"
"""The reason of a read whose time was not enough."""
NOT_SET_UP: Final = "NOT_SET_UP"
"""The reason of a tool that needs what this deployment has not set up."""
_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class ToolInvocation:
    """One call of a tool."""

    flow_run_id: str
    """The flow that it belongs to."""
    step_id: str
    """The step that makes it."""
    tool: str
    """Name of the tool."""
    arguments_json: bytes
    """Its arguments."""
    arguments_schema_id: str
    """Schema that they follow."""
    caller: Caller
    """The user, and the agent (`caller.service`) that calls for them."""


class Invocations:
    """Makes calls.

    Args:
        registry: The tools.
        reads: How they read.
        grants: The tools that each agent may call, by the agent's catalog name; an agent that is not named has none.
        now: The clock of `last_use_time`.
    """

    def __init__(
        self,
        registry: Registry,
        reads: GatewayReads,
        grants: Mapping[str, frozenset[str]],
        *,
        earlier: EarlierResults | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.registry = registry
        self.figures = LiveFigures()
        self._reads = reads
        self._grants = grants
        self._earlier = EarlierResults() if earlier is None else earlier
        self._now = now
        self._places = Places()

    def allowed(self, agent: str) -> tuple[Tool, ...]:
        """Return the tools that an agent may call."""
        granted = self._grants.get(agent, frozenset())
        return tuple(tool for tool in self.registry if tool.name in granted)

    def forget(self, caller: Caller, flow_run_id: str) -> None:
        """Drop what a flow has read for a user, because an action of theirs has changed the rows."""
        self._earlier.forget(caller.tenant, caller.user_id, flow_run_id)

    async def invoke(self, call: ToolInvocation) -> ToolResult | ToolFailure:
        """Make a call and return its outcome."""
        tool = self.registry.get(call.tool)
        if tool is None:
            return self._missing(call.tool)
        try:
            arguments = parse_arguments(tool, call.arguments_schema_id, call.arguments_json)
        except ArgumentsRefused as refused:
            return refused.failure
        denied = self._denied(tool, call.caller)
        if denied is not None:
            return denied
        key = CallKey(
            call.caller.tenant,
            call.caller.user_id,
            call.flow_run_id,
            f"{tool.name}/{tool.digest}",
            canonical(arguments),
        )
        async with self._earlier.turn(key):
            earlier = self._earlier.get(key)
            if earlier is not None:
                return replace(earlier, replayed=True)
            unmet = self._unmet(tool, key)
            if unmet is not None:
                return unmet
            outcome = await self._timed(tool, arguments, call.caller)
            if isinstance(outcome, ToolResult):
                self._earlier.put(key, outcome)
            return outcome

    def _missing(self, name: str) -> ToolFailure:
        if why := self.registry.why_off(name):
            return refusal(NOT_SET_UP, "tool", f"{name} is not offered here: {why}")
        known = ", ".join(self.registry.names)
        return refusal("UNKNOWN_TOOL", "tool", f"{name[:100]!r} is no tool; known: {known}")

    def _denied(self, tool: Tool, caller: Caller) -> ToolFailure | None:
        if tool.name not in self._grants.get(caller.service, frozenset()):
            who = caller.service or "a caller that is no agent"
            return refusal("UNAUTHORIZED_ACTION", "tool", f"{who} may not call {tool.name}")
        if tool.effect is not None:
            how = "has an effect; it is previewed and executed as an action, never invoked"
            return refusal("UNAUTHORIZED_ACTION", "tool", f"{tool.name} {how}")
        if tool.read_own is not None and not caller.is_logged_in:
            return refusal("UNAUTHORIZED_ACTION", "", "the user has to log in first")
        if tool.required_role and tool.required_role not in {*caller.roles, caller.user_type}:
            return refusal("UNAUTHORIZED_ACTION", "tool", f"{tool.name} needs the role {tool.required_role}")
        return None

    def _unmet(self, tool: Tool, key: CallKey) -> ToolFailure | None:
        """Refuse a tool whose flow has no result yet of one that it depends on: the caller waits, or skips it."""
        needed = [name for name in tool.depends_on if not self._earlier.has_result_of(key, name)]
        if not needed:
            return None
        instead = f"; instead of it: {', '.join(tool.alternatives)}" if tool.alternatives else ""
        why = f"{tool.name} needs a result of {', '.join(needed)} in this flow first{instead}"
        return refusal("DEPENDENCY_NOT_MET", "tool", why, retryable=True)

    async def _timed(self, tool: Tool, arguments: Arguments, caller: Caller) -> ToolResult | ToolFailure:
        """Read, and once more with a longer timeout where the first was not enough and there is time."""
        outcome = await self._tried(tool, arguments, caller, tool.timeout_seconds)
        longer = tool.timeout_seconds * LONGER_TIMES
        if isinstance(outcome, ToolFailure) and outcome.reason == TIMED_OUT and _has_time_for(longer):
            _log.info("tool_timed_out_once", tool=tool.name, seconds=tool.timeout_seconds)
            outcome = await self._tried(tool, arguments, caller, longer)
        return outcome

    async def _tried(
        self, tool: Tool, arguments: Arguments, caller: Caller, seconds: float
    ) -> ToolResult | ToolFailure:
        began = time.perf_counter()
        outcome: ToolResult | ToolFailure
        try:
            async with self._places.of(tool), asyncio.timeout(seconds):
                outcome = await self._result(tool, arguments, caller, seconds, began)
        except NoPlace:
            return refusal("OVERLOADED", "", f"{tool.name} runs {tool.concurrency_max} calls already", retryable=True)
        except Exception as error:  # noqa: BLE001 - every failure of a tool is an outcome; _failure logs the unforeseen
            outcome = _failure(tool, error, seconds)
        # An identifier that the data does not cover is an answer: the tool has worked.
        succeeded = isinstance(outcome, ToolResult) or outcome.reason in {"VALUE_OUT_OF_RANGE", "NOT_FOUND"}
        self.figures.called(tool, time.perf_counter() - began, self._now(), succeeded=succeeded)
        return outcome

    async def _result(
        self, tool: Tool, arguments: Arguments, caller: Caller, seconds: float, began: float
    ) -> ToolResult:
        reading = await _reading(tool, arguments, self._reads, caller, seconds * _STATEMENT_SHARE)
        return ToolResult(
            rows_json=seen_document(reading.rows_json),
            rows_schema_id=tool.rows_schema_id,
            row_count=len(reading.rows),
            truncated=reading.truncated,
            provenance=reading.provenance,
            replayed=False,
            latency=timedelta(seconds=time.perf_counter() - began),
            note=reading.note,
        )


def _has_time_for(seconds: float) -> bool:
    left = deadlines.remaining_seconds()
    return left is None or left > seconds


def _reading(
    tool: Tool, arguments: Arguments, reads: GatewayReads, caller: Caller, seconds: float
) -> Awaitable[ReadResult]:
    if tool.read_own is not None:
        return tool.read_own(arguments, reads, seconds, caller)
    if tool.read is None:
        raise TypeError(f"{tool.name} does not read")
    return tool.read(arguments, reads, seconds)


def _failure(tool: Tool, error: Exception, seconds: float) -> ToolFailure:
    """Return the outcome of a read that ended with `error`; detail that no agent needs goes to the log."""
    match error:
        case UnknownIdentifier():
            return refusal(error.reason, error.field, error.message)
        case ReadTimeout() | TimeoutError():
            return refusal(TIMED_OUT, "", f"{tool.name} took over {seconds:g} s", retryable=True)
        case RowTooLarge():
            return refusal("PAYLOAD_TOO_LARGE", "", f"one row alone is over the limit of {ROWS_BYTES_MAX} bytes")
        case DatabaseUnavailable():
            _log.warning("data_unavailable", tool=tool.name, error=str(error))
            return refusal("TOOL_FAILED", "", "the data is not available; `hapju seed` loads it", retryable=True)
        case WebUnavailable() | ServerFailed():
            _log.warning("not_reached", tool=tool.name, error=str(error))
            may_help = isinstance(error, WebUnavailable) or error.retryable
            return refusal("TOOL_FAILED", "", str(error), retryable=may_help)
        case _:
            error_id = secrets.token_hex(8)
            _log.error("tool_failed", tool=tool.name, error_id=error_id, exc_info=error)
            return refusal("TOOL_FAILED", "", f"{tool.name} failed; error id {error_id}", retryable=True)
