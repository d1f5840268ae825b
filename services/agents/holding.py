"""What earlier flows have found and a run need not read again: the third judgement. Pure.

The orchestrator hands reused results over with the step; here they are checked once more, against what the agent is and
what its calls would read.
"""

from services.contract.agent import RunRequest
from services.contract.flow import AgentResult, ToolCall
from services.plugin.agent import AgentSpec


def held_result(spec: AgentSpec, asked: RunRequest) -> AgentResult | None:
    """Returns the agent's own earlier result where a step has nothing left to read, or None.

    An agent that reads nothing itself computes anew: over the same rows another question asks for something else.
    """
    if asked.calls or not spec.sources:
        return None
    return next((one for one in asked.prior_results if one.reused_flow_run_id and one.agent == spec.id), None)


def not_held(spec: AgentSpec, asked: RunRequest, calls: tuple[ToolCall, ...]) -> tuple[ToolCall, ...]:
    """Returns the calls that read what no reused result holds; all of them where none would be left."""
    held = {piece.data_type for one in asked.prior_results if one.reused_flow_run_id for piece in one.evidence}
    left = tuple(call for call in calls if _data_type(spec, call) not in held)
    return left or calls


def _data_type(spec: AgentSpec, call: ToolCall) -> str:
    source = spec.source(call.tool)
    return source.data_type if source is not None else ""
