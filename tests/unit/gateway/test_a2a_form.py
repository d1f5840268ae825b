"""A call of the agents' protocol has its form, or it is answered before anything takes it for a fault of ours."""

import json

import pytest

from gateway.http.a2a import DEPTH_MAX, fault_of


def _call(**fields: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "message/send", "params": {}} | fields).encode()


def _nested(depth: int) -> object:
    value: object = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("body", [_call(), _call(id="a"), _call(id=None), _call(params={"a": _nested(DEPTH_MAX - 4)})])
def test_a_call_of_its_form_goes_on(body: bytes) -> None:
    """Whatever it asks for is the protocol's matter."""
    assert fault_of(body) is None


_NO_JSON = (b"", b"[", b"[]", b"null", b"1", b"\xff", b"[" * 5_000, b'{"a":1,"a":2}')
_NO_CALLS = (
    *(_call(id={}), _call(id=True), _call(method=7), _call(params=[]), _call(jsonrpc="1")),
    _call(params={"a": _nested(DEPTH_MAX)}),
)


@pytest.mark.parametrize(
    ("body", "code"), [*((body, -32700) for body in _NO_JSON), *((body, -32600) for body in _NO_CALLS)]
)
def test_what_has_no_form_is_the_callers_fault(body: bytes, code: int) -> None:
    """It is no JSON, or no call; none of it is an internal error."""
    assert fault_of(body) == code
