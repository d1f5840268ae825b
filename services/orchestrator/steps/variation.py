"""Another way to look: a call that found too little is widened, never repeated with the same arguments."""

import json

from services.catalog.loader import catalog
from services.contract.flow import ToolCall


def widened(calls: tuple[ToolCall, ...]) -> tuple[ToolCall, ...] | None:
    """Return the calls with one narrowing argument less each, or None where none can be widened."""
    wider = tuple(_wider(call) for call in calls)
    return wider if wider != calls else None


def same_calls(one: tuple[ToolCall, ...], other: tuple[ToolCall, ...]) -> bool:
    """Return whether two sets of calls ask for the same: tools and arguments, in any order and spelling."""
    return {_key(call) for call in one} == {_key(call) for call in other}


def _wider(call: ToolCall) -> ToolCall:
    arguments = json.loads(call.arguments_json)
    tool = catalog().tools.get(call.tool)
    for name in tool.narrowing if tool is not None else ():
        if name in arguments:
            rest = {key: value for key, value in arguments.items() if key != name}
            return ToolCall(call.tool, json.dumps(rest, ensure_ascii=False).encode(), call.arguments_schema_id)
    return call


def _key(call: ToolCall) -> tuple[str, str]:
    return call.tool, json.dumps(json.loads(call.arguments_json), sort_keys=True)
