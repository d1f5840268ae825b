"""An agent's calls of the tool gateway. Whatever happens to a call is data for the agent's result.

    rows                                   -> Reading
    an identifier that is not covered      -> NOT_COVERED
    a tool that is not set up here         -> NOT_SET_UP
    refused: unknown, malformed, forbidden -> REFUSED
    timed out, overloaded, failed          -> FAILED
    the gateway itself cannot be reached   -> UNREACHABLE
    rows that are not what the agent reads -> FAILED, ROWS_MALFORMED

Nothing is repeated here: the channel repeats a call that did not arrive, and what else to try the orchestrator says.
"""

import asyncio
import json
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import StrEnum
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

import structlog
from pydantic import ValidationError

from hapju.tool.v1 import tool_gateway_service_pb2 as pb
from services.agents.statement_checks import record_check
from services.contract.events import ToolOutcomeKind, ToolSettled
from services.contract.flow import ToolCall, Usage
from services.contract.mapping import ContractViolation, from_proto, to_proto
from services.contract.tool import InvokeToolRequest, InvokeToolResponse, ToolFailure, ToolResult
from services.plugin.agent import AgentSpec, Source
from services.plugin.findings import Reading
from services.plugin.tools.reads import Row
from services.runtime import deadlines, exchanges, ledger
from services.runtime.errors import Forbidden, HapjuError, InvalidRequest, PayloadTooLarge
from services.runtime.threads import ROWS_AT_ONCE_MAX, computed

if TYPE_CHECKING:
    from hapju.tool.v1.tool_gateway_service_pb2_grpc import ToolGatewayServiceAsyncStub
    from services.contract.agent import RunRequest

CALLS_AT_ONCE_MAX: Final = 4
"""How many calls of one step run side by side."""
CALL_SHARE: Final = 0.7
"""Of the time that a run has left, what one call may take: a call that is not answered leaves time for the others."""
CALLS_MAX: Final = 16
"""How many calls one step may make."""
REFUSALS: Final = frozenset(
    {
        "UNKNOWN_TOOL",
        "SCHEMA_NOT_FOUND",
        "MISSING_REQUIRED_FIELD",
        "TYPE_MISMATCH",
        "VALUE_OUT_OF_RANGE",
        "INVALID_FORMAT",
        "UNAUTHORIZED_ACTION",
    }
)
"""The tags with which the gateway refuses a call before it reads anything."""

_log = structlog.get_logger(__name__)


class FailureKind(StrEnum):
    """What a failed call means for the result."""

    NOT_COVERED = "NOT_COVERED"
    """The data does not cover what was named."""
    NOT_SET_UP = "NOT_SET_UP"
    """This deployment does not offer the tool."""
    REFUSED = "REFUSED"
    """The gateway did not let the call through."""
    FAILED = "FAILED"
    """The tool failed."""
    UNREACHABLE = "UNREACHABLE"
    """The gateway could not be reached or broke."""


@dataclass(frozen=True, slots=True)
class CallFailure:
    """Why a call returned no rows that can be read."""

    kind: FailureKind
    """What that means."""
    reason: str
    """The tag or reason, UPPER_SNAKE."""
    error: HapjuError | None = None
    """The status in which the gateway failed, where it did."""


@dataclass(frozen=True, slots=True)
class Settled:
    """One call that has ended."""

    order: int
    """Its place among the step's calls."""
    source: Source
    """What it read through."""
    found: Reading | CallFailure
    """What came of it."""
    event: ToolSettled
    """What the flow is told."""


class ToolCalls:
    """The calls of one agent.

    Args:
        stub: The tool gateway.
        spec: The agent, whose sources say how rows are read.
        recorded: Whether each call stands in the ledger with its response, so that the flow can be replayed.
    """

    def __init__(self, stub: "ToolGatewayServiceAsyncStub", spec: AgentSpec, *, recorded: bool = False) -> None:
        self._stub = stub
        self._spec = spec
        self._recorded = recorded

    def check(self, calls: tuple[ToolCall, ...]) -> None:
        """Refuse calls that are not this agent's.

        Raises:
            InvalidRequest: A call names a tool that the agent does not call, or there are too many; names the field.
        """
        if len(calls) > CALLS_MAX:
            raise InvalidRequest.of("calls", f"{len(calls)} calls, at most {CALLS_MAX} are made in one step")
        for order, call in enumerate(calls):
            if self._spec.source(call.tool) is None:
                known = ", ".join(self._spec.tools) or "no tool"
                raise InvalidRequest.of(
                    f"calls[{order}].tool", f"{self._spec.id} calls {known}, not {call.tool[:80]!r}"
                )

    async def settle(self, asked: "RunRequest", order: int, places: asyncio.Semaphore) -> Settled:
        """Make the step's call number `order` when a place is free. Only cancellation passes through."""
        call = asked.calls[order]
        source = self._spec.source(call.tool)
        if source is None:
            raise LookupError(f"{call.tool} was not checked")
        request = InvokeToolRequest(
            asked.run, asked.step.step_id, call.tool, call.arguments_json, call.arguments_schema_id
        )
        async with places:
            began = perf_counter()
            with deadlines.within_share(CALL_SHARE):
                outcome = await self._invoke(request)
            latency = timedelta(seconds=perf_counter() - began)
        # Hundreds of rows take milliseconds to read, which other runs on this loop need not wait for.
        few = not isinstance(outcome, ToolResult) or outcome.provenance.row_count <= ROWS_AT_ONCE_MAX
        found = await computed(lambda: _found(call, source, outcome), at_once=few)
        _count(outcome, found)
        if source.statement:
            record_check(self._spec.id, source, call, outcome, latency)
        return Settled(order, source, found, _event(asked.step.step_id, call.tool, outcome, found, latency))

    async def _invoke(self, request: InvokeToolRequest) -> ToolResult | ToolFailure | HapjuError:
        try:
            response = await self._stub.InvokeTool(to_proto(request, pb.InvokeToolRequest))
            if self._recorded:
                exchanges.record(request, response)
            return from_proto(response, InvokeToolResponse).outcome
        except HapjuError as error:
            if self._recorded:
                exchanges.record(request, error)
            _log.warning("tool_gateway_failed", tool=request.tool, reason=error.reason, error_id=error.error_id)
            return error
        except ContractViolation as violation:
            _log.warning("tool_gateway_answer_malformed", tool=request.tool, field=violation.field)
            return ToolFailure("ROWS_MALFORMED", "the answer breaks the contract", violation.field, retryable=False)


def _found(call: ToolCall, source: Source, outcome: ToolResult | ToolFailure | HapjuError) -> Reading | CallFailure:
    match outcome:
        case ToolResult():
            return _reading(call, source, outcome)
        case ToolFailure(reason="VALUE_OUT_OF_RANGE") if outcome.field in source.identifiers:
            return CallFailure(FailureKind.NOT_COVERED, "NOT_COVERED")
        case ToolFailure(reason="NOT_SET_UP"):
            return CallFailure(FailureKind.NOT_SET_UP, outcome.reason)
        case ToolFailure():
            kind = FailureKind.REFUSED if outcome.reason in REFUSALS else FailureKind.FAILED
            return CallFailure(kind, outcome.reason or "TOOL_FAILED")
        case InvalidRequest() | Forbidden() | PayloadTooLarge():
            return CallFailure(FailureKind.REFUSED, outcome.reason, outcome)
        case _:
            return CallFailure(FailureKind.UNREACHABLE, outcome.reason, outcome)


def _reading(call: ToolCall, source: Source, result: ToolResult) -> Reading | CallFailure:
    malformed = CallFailure(FailureKind.FAILED, "ROWS_MALFORMED")
    if result.rows_schema_id != source.rows_schema_id:
        _log.warning("rows_of_another_schema", tool=call.tool, got=result.rows_schema_id, reads=source.rows_schema_id)
        return malformed
    try:
        rows = _rows(result.rows_json, source.row)
        arguments = json.loads(call.arguments_json)
    except (ValueError, RecursionError) as error:
        fields = (
            [".".join(map(str, item["loc"])) for item in error.errors()] if isinstance(error, ValidationError) else []
        )
        _log.warning("rows_malformed", tool=call.tool, fields=fields[:5])
        return malformed
    return Reading(
        tool=call.tool,
        data_type=source.data_type,
        arguments=arguments,
        rows=rows,
        rows_schema_id=result.rows_schema_id,
        provenance=result.provenance,
        truncated=result.truncated and not source.is_newest,
        partial=bool(rows) and not source.statement and _says_left_out(result),
    )


def _says_left_out(result: ToolResult) -> bool:
    """Tell whether the note of a result that holds rows says more than that it was cut, which takes two clauses."""
    clauses = len(result.note.split(";")) if result.note else 0
    return clauses > (2 if result.truncated else 0)


def _rows(rows_json: bytes, model: type[Row]) -> tuple[Row, ...]:
    """Return typed rows; a JSON number becomes the shortest decimal that stands for it.

    Raises:
        ValueError: It is no JSON array of objects, or a row lacks a field or has one of another type.
    """
    documents: Any = json.loads(rows_json)
    if not isinstance(documents, list) or not all(isinstance(document, dict) for document in documents):
        raise ValueError("rows are an array of objects")
    return tuple(model.returned(document) for document in documents)


def _count(outcome: ToolResult | ToolFailure | HapjuError, found: Reading | CallFailure) -> None:
    """Count a call that reached the data: not one that was refused, nor one that was answered from an earlier one."""
    replayed = isinstance(outcome, ToolResult) and outcome.replayed
    refused = isinstance(found, CallFailure) and found.kind in {FailureKind.REFUSED, FailureKind.NOT_SET_UP}
    spent = outcome.spent.usage if isinstance(outcome, HapjuError) else Usage()
    ledger.add_usage(replace(spent, tool_calls=0) + Usage(tool_calls=0 if replayed or refused else 1))


def _event(
    step_id: str,
    tool: str,
    outcome: ToolResult | ToolFailure | HapjuError,
    found: Reading | CallFailure,
    latency: timedelta,
) -> ToolSettled:
    if isinstance(found, CallFailure):
        return ToolSettled(step_id, tool, ToolOutcomeKind.FAILED, 0, False, found.reason, latency)
    replayed = isinstance(outcome, ToolResult) and outcome.replayed
    return ToolSettled(step_id, tool, ToolOutcomeKind.RETURNED, len(found.rows), replayed, "", latency)
