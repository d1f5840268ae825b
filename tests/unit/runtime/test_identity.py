"""Callers and their assertions."""

import time

import jwt
import pytest

from services.runtime.errors import Unauthenticated
from services.runtime.identity import Assertions, Caller, acting_for, current_caller

KEY = "k" * 32
CALLER = Caller("u-1", "t-1", "seller", frozenset({"a", "b"}))


def test_an_assertion_names_the_caller_and_the_service() -> None:
    """What one service signs, another reads: the user as it was, and who makes the call."""
    got = Assertions(KEY).verify(Assertions(KEY).sign(CALLER, "orchestrator"))
    assert Caller("u-1", "t-1", "seller", frozenset({"a", "b"}), "orchestrator") == got


@pytest.mark.parametrize("token", ["", "x.y.z"])
def test_a_missing_or_broken_assertion_is_refused(token: str) -> None:
    """Nobody is let in on nothing."""
    with pytest.raises(Unauthenticated):
        Assertions(KEY).verify(token)


def test_another_keys_assertion_is_refused() -> None:
    """Only the deployment's own key counts, and no algorithm but ours."""
    with pytest.raises(Unauthenticated):
        Assertions(KEY).verify(Assertions("x" * 32).sign(CALLER, "router"))
    unsigned = jwt.encode({"sub": "u-1", "iss": "router", "aud": "hapju", "iat": 0, "exp": 1e12}, "", "none")
    with pytest.raises(Unauthenticated):
        Assertions(KEY).verify(unsigned)


def test_an_assertion_that_is_over_is_refused() -> None:
    """An assertion holds for its minute only, remembered or not."""
    now = int(time.time())
    over = jwt.encode({"sub": "u", "iss": "r", "aud": "hapju", "iat": now - 120, "exp": now - 60}, KEY, "HS256")
    with pytest.raises(Unauthenticated):
        Assertions(KEY).verify(over)


def test_nobody_is_never_anybody() -> None:
    """Outside a call there is no caller, and asking for one fails closed."""
    with pytest.raises(Unauthenticated):
        current_caller()
    with acting_for(CALLER):
        assert current_caller() == CALLER


@pytest.mark.parametrize("back_seconds", [1, 1_800])
def test_a_clock_that_is_put_back_signs_anew(monkeypatch: pytest.MonkeyPatch, back_seconds: int) -> None:
    """What was signed ahead of the time is not used again until the time has come: every call would be refused."""
    assertions, caller = Assertions("k" * 32), Caller("u-1")
    ahead = time.time() + back_seconds
    monkeypatch.setattr("services.runtime.identity.time", lambda: ahead)
    assertions.sign(caller, "gateway")
    monkeypatch.undo()
    assert Assertions("k" * 32).verify(assertions.sign(caller, "gateway")).user_id == "u-1"


def test_clocks_may_be_a_little_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """A service whose clock is seconds ahead is understood; one that is minutes ahead is not."""
    caller = Caller("u-1")
    for ahead_seconds, holds in ((5, True), (300, False)):
        monkeypatch.setattr("services.runtime.identity.time", lambda ahead=ahead_seconds: time.time() + ahead)
        token = Assertions("k" * 32).sign(caller, "gateway")
        monkeypatch.undo()
        if holds:
            assert Assertions("k" * 32).verify(token).user_id == "u-1"
        else:
            with pytest.raises(Unauthenticated):
                Assertions("k" * 32).verify(token)
