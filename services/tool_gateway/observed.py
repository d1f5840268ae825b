"""A call as a span and in the metrics: which tool, how it ended, which rows; never the arguments."""

from time import perf_counter
from typing import Final

from opentelemetry.util.types import AttributeValue

from observability import attributes as names
from observability import telemetry
from observability.spans import set_attributes, span
from services.contract.tool import ActionReceipt, EffectStatus, ToolFailure, ToolResult
from services.tool_gateway.effects.actions import Actions
from services.tool_gateway.effects.admission import ActionCall
from services.tool_gateway.invocation import Invocations, ToolInvocation

_UNKNOWN_TOOL: Final = "unknown"
_OUTCOMES: Final = {
    "TIMED_OUT": "timeout",
    "TOOL_FAILED": "failed",
    "OVERLOADED": "failed",
    "PAYLOAD_TOO_LARGE": "failed",
    "UNKNOWN_TOOL": "unknown",
}


async def invoke(invocations: Invocations, call: ToolInvocation) -> ToolResult | ToolFailure:
    """Make a call in a span and count it."""
    # A name that is no tool's comes from outside: it must neither name a span nor make a new metric series.
    tool = call.tool if call.tool in invocations.registry.names else _UNKNOWN_TOOL
    attributes = {
        names.GEN_AI_OPERATION_NAME: names.OPERATION_EXECUTE_TOOL,
        names.GEN_AI_TOOL_NAME: tool,
        names.TOOL_NAME: tool,
        names.STEP_ID: call.step_id,
    }
    begun = perf_counter()
    with span(f"{names.OPERATION_EXECUTE_TOOL} {tool}", attributes=attributes):
        outcome = await invocations.invoke(call)
        set_attributes(_ended(outcome))
    telemetry.current().instruments.tool_called(tool, outcome_word(outcome), perf_counter() - begun)
    return outcome


_RECEIPTS: Final = {EffectStatus.SUCCEEDED: "ok", EffectStatus.FAILED: "failed"}


async def execute(actions: Actions, call: ActionCall, approval_id: str) -> ActionReceipt | ToolFailure:
    """Do an action in a span and count it."""
    found = actions.admission.tool_of(call.action_type)
    tool = _UNKNOWN_TOOL if found is None else found.name
    attributes = {
        names.GEN_AI_OPERATION_NAME: names.OPERATION_EXECUTE_TOOL,
        names.GEN_AI_TOOL_NAME: tool,
        names.TOOL_NAME: tool,
        names.STEP_ID: call.key.step_id,
    }
    begun = perf_counter()
    with span(f"{names.OPERATION_EXECUTE_TOOL} {tool}", attributes=attributes):
        outcome = await actions.execute(call, approval_id)
        if isinstance(outcome, ToolFailure):
            word, reason = outcome_word(outcome), outcome.reason
        else:
            word, reason = _RECEIPTS.get(outcome.status, "in_doubt"), outcome.failure_reason
        set_attributes({names.TOOL_OUTCOME: word, **({names.ERROR_REASON: reason} if reason else {})})
    telemetry.current().instruments.tool_called(tool, word, perf_counter() - begun)
    return outcome


def outcome_word(outcome: ToolResult | ToolFailure) -> str:
    """Return the registry's word for how a call ended: ok, empty, refused, failed, timeout or unknown."""
    if isinstance(outcome, ToolResult):
        return "ok" if outcome.row_count else "empty"
    return _OUTCOMES.get(outcome.reason, "refused")


def _ended(outcome: ToolResult | ToolFailure) -> dict[str, AttributeValue]:
    ended: dict[str, AttributeValue] = {names.TOOL_OUTCOME: outcome_word(outcome)}
    if isinstance(outcome, ToolFailure):
        return {**ended, names.ERROR_REASON: outcome.reason}
    return {
        **ended,
        names.TOOL_ROWS: outcome.row_count,
        names.TOOL_REPLAYED: outcome.replayed,
        names.TEMPLATE_ID: outcome.provenance.template_id,
        names.DATA_SET: outcome.provenance.dataset,
        names.DATA_IS_SAMPLE: outcome.provenance.sample,
    }
