"""The error tree and its way over the wire."""

import grpc
import pytest
from grpc.aio import AioRpcError, Metadata

from services.contract.flow import Spent, Usage
from services.runtime.errors import (
    DETAILS_KEY,
    INTERNAL_MESSAGE,
    FieldViolation,
    HapjuError,
    Internal,
    InvalidRequest,
    rebuilt,
    status_of,
    tree,
)


def over_the_wire(error: HapjuError) -> HapjuError:
    """Returns what the caller gets of an error."""
    trailing = Metadata((DETAILS_KEY, status_of(error).SerializeToString()))
    return rebuilt(AioRpcError(error.code, Metadata(), trailing, details=error.message))


@pytest.mark.parametrize("kind", tree(), ids=lambda kind: kind.__name__)
def test_every_class_survives_the_wire(kind: type[HapjuError]) -> None:
    """An error is caught there as the class that was raised here, with reason, metadata, fields and spending."""
    error = kind(
        INTERNAL_MESSAGE,
        metadata={"limit": "HAPJU_X"},
        violations=(FieldViolation("question.text", "is too long"),),
        spent=Spent((), Usage(model_calls=2)),
    )
    got = over_the_wire(error)
    expected = Internal if kind is HapjuError else kind
    assert (expected, error.reason, error.metadata, error.violations, error.spent) == (
        type(got),
        got.reason,
        got.metadata,
        got.violations,
        got.spent,
    )


def test_every_class_has_its_own_reason() -> None:
    """A reason names one class, so that a client can tell them apart without our code."""
    reasons = [kind.default_reason for kind in tree()[1:]]
    assert sorted(set(reasons)) == sorted(reasons)


@pytest.mark.parametrize("code", [code for code in grpc.StatusCode if code is not grpc.StatusCode.OK])
def test_foreign_status_becomes_a_class_of_its_code(code: grpc.StatusCode) -> None:
    """A status without our details becomes the class of its code; one that we do not have becomes Internal."""
    got = rebuilt(AioRpcError(code, Metadata(), Metadata(), details="connection to 10.1.2.3 refused"))
    known = {kind.code for kind in tree()[1:]}
    assert (code if code in known else grpc.StatusCode.INTERNAL) == got.code


def test_internal_text_of_a_foreign_server_is_not_passed_on() -> None:
    """What a foreign INTERNAL or UNKNOWN says may hold anything, and goes no further."""
    got = rebuilt(AioRpcError(grpc.StatusCode.UNKNOWN, Metadata(), Metadata(), details="password=s3cr3t"))
    assert got.message == INTERNAL_MESSAGE


def test_a_forged_class_name_does_not_change_the_code() -> None:
    """A class that does not belong to the status's code is not believed."""
    status = status_of(InvalidRequest("x"))
    trailing = Metadata((DETAILS_KEY, status.SerializeToString()))
    got = rebuilt(AioRpcError(grpc.StatusCode.UNAVAILABLE, Metadata(), trailing, details="x"))
    assert got.code == grpc.StatusCode.UNAVAILABLE
