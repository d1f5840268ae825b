"""Calls of tools in the ledger: with their response or status, within a bound, and never in an error."""

from datetime import UTC, datetime

import pytest

from hapju.tool.v1 import tool_gateway_service_pb2 as pb
from services.contract.flow import Budget, RunContext
from services.contract.tool import InvokeToolRequest
from services.runtime import exchanges, ledger
from services.runtime.errors import FailedPrecondition, Overloaded, Unavailable, status_of
from services.runtime.exchanges import error_of

RUN = RunContext("f", "s", "ko", datetime(2026, 1, 1, tzinfo=UTC), "Asia/Seoul", Budget(1, 1, 1, 1), ("realty",))
REQUEST = InvokeToolRequest(RUN, "s1", "market_data", b"{}", "a.v1")


def _response(size: int) -> pb.InvokeToolResponse:
    return pb.InvokeToolResponse(failure=pb.ToolFailure(message="x" * size))


def test_a_response_and_a_status_are_kept() -> None:
    """What the call came to can be told again, byte for byte, or as an error of the same class."""
    with ledger.opened() as book:
        exchanges.record(REQUEST, _response(3))
        exchanges.record(REQUEST, Unavailable("gone", reason="AWAY"))
    answered, failed = book.spent().tool_exchanges
    assert pb.InvokeToolResponse.FromString(answered.response) == _response(3)
    assert (answered.step_id, answered.tool, answered.arguments_json, answered.code) == ("s1", "market_data", b"{}", "")
    again = error_of(failed.code, failed.reason)
    assert (type(again), again.reason) == (Unavailable, "AWAY")


def test_what_is_too_large_is_left_out_and_said_to_be() -> None:
    """All responses of one call share a bound; the call itself stays in the record."""
    half = ledger.EXCHANGE_BYTES_MAX // 2
    with ledger.opened() as book:
        for _ in range(3):
            exchanges.record(REQUEST, _response(half - 100))
    assert [one.left_out for one in book.exchanges] == [False, False, True]
    assert sum(len(one.response) for one in book.exchanges) <= ledger.EXCHANGE_BYTES_MAX


def test_a_status_does_not_carry_them() -> None:
    """Trailing metadata holds a few kilobytes: an error tells what was spent, and no rows."""
    with ledger.opened() as book:
        exchanges.record(REQUEST, _response(50_000))
        error = FailedPrecondition("no")
    assert status_of(error, book.spent()).ByteSize() < 1_000


@pytest.mark.parametrize("kind", [Unavailable, FailedPrecondition, Overloaded])
def test_a_class_of_the_same_status_stands_in(kind: type[Unavailable]) -> None:
    """The name of the status decides; a foreign one is a fault of ours."""
    assert error_of(kind.code.name, "R").code == kind.code
    assert error_of("NO_SUCH_STATUS", "R").code.name == "INTERNAL"
