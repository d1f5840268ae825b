"""A call that got no answer in its time has not run out of its flow's time."""

from types import SimpleNamespace
from typing import Any

import pytest

from services.orchestrator.supervision import OWN_DEADLINE_SECONDS, _one_of, _own
from services.runtime.deadlines import Deadline
from services.runtime.errors import DeadlineExceeded, HapjuError, NotFound, Unavailable


def state(seconds_left: float) -> Any:
    """Returns a flow with so much time left."""
    return SimpleNamespace(deadline=Deadline.after(seconds_left))


@pytest.mark.parametrize(
    ("error", "left", "kind", "reason"),
    [
        (DeadlineExceeded("a peer answered"), 60.0, Unavailable, "NO_ANSWER"),
        (DeadlineExceeded("a peer answered"), OWN_DEADLINE_SECONDS / 2, DeadlineExceeded, "DEADLINE_EXCEEDED"),
        (DeadlineExceeded("a peer answered"), -1.0, DeadlineExceeded, "DEADLINE_EXCEEDED"),
        (NotFound("nothing"), 60.0, NotFound, "NOT_FOUND"),
    ],
)
def test_whose_deadline_it_was(error: HapjuError, left: float, kind: type[HapjuError], reason: str) -> None:
    """With time left a part of the service is lost; without, the flow's time is up; nothing else is changed."""
    own = _own(state(left), error)
    assert (type(own), own.reason) == (kind, reason)


def test_what_ran_side_by_side_fails_by_an_error_of_ours() -> None:
    """However deep it lies; what we do not know stays all that it is."""
    away, bug = Unavailable("the store"), ValueError("a bug")
    assert _one_of(ExceptionGroup("steps", [ExceptionGroup("agents", [away]), NotFound("nothing")])) is away
    assert _one_of(ExceptionGroup("steps", [bug])) is bug
    mixed = ExceptionGroup("steps", [away, bug])
    assert (_one_of(mixed), _one_of(None)) == (mixed, None)
