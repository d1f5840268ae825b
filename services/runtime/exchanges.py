"""Calls of tools as they are recorded, and the way back: what one came to stands in the ledger of whoever made it."""

from google.protobuf.message import Message

from services.contract.flow import ToolExchange
from services.contract.tool import InvokeToolRequest
from services.runtime import ledger
from services.runtime.errors import HapjuError, Internal, tree


def record(request: InvokeToolRequest, outcome: Message | HapjuError) -> None:
    """Write a call of a tool down with its response, or with the status that it ended with.

    Raises:
        LookupError: Outside any call.
    """
    step_id, tool, arguments = request.step_id, request.tool, request.arguments_json
    if isinstance(outcome, HapjuError):
        exchange = ToolExchange(step_id, tool, arguments, code=outcome.code.name, reason=outcome.reason)
    else:
        exchange = ToolExchange(step_id, tool, arguments, outcome.SerializeToString())
    ledger.record_exchange(exchange)


def error_of(code: str, reason: str) -> HapjuError:
    """Return the error that a recorded status stands for."""
    kind = next((one for one in tree()[1:] if one.code.name == code), Internal)
    return kind("the call ended so when it was recorded", reason=reason)
