"""Deadlines that shrink."""

import pytest

from services.runtime import deadlines
from services.runtime.errors import DeadlineExceeded


def test_a_call_gets_the_least_of_policy_wish_and_what_is_left() -> None:
    """No bound lengthens another, and a hop keeps its margin."""
    assert deadlines.timeout_for_call(5.0, 3.0) == pytest.approx(3.0)
    assert deadlines.timeout_for_call(None, None) is None
    with deadlines.within(2.0):
        left = deadlines.timeout_for_call(5.0, 3.0)
        assert left is not None
        assert 1.9 < left <= 2.0 - deadlines.HOP_MARGIN_SECONDS
        with deadlines.within(10.0):
            assert (deadlines.remaining_seconds() or 0) <= 2.0


def test_no_call_is_made_in_no_time() -> None:
    """Where nothing is left, the call is not made."""
    with deadlines.within(0.0), pytest.raises(DeadlineExceeded):
        deadlines.timeout_for_call(5.0, None)


def test_work_that_outlives_its_call_has_a_time_of_its_own() -> None:
    """A flow does not inherit the deadline of the call that started it."""
    flow = deadlines.Deadline.after(60.0)
    with deadlines.within(1.0), deadlines.governed_by(flow):
        assert (deadlines.remaining_seconds() or 0) > 59
        flow.extend(100.0)
        assert (deadlines.remaining_seconds() or 0) > 159
