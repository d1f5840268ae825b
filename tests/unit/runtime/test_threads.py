"""Short work is done at once, long work in a thread, and nobody sees the difference."""

import threading
from contextvars import ContextVar

import pytest

from services.runtime.threads import CHARACTERS_AT_ONCE_MAX, computed, is_short

_HERE: ContextVar[str] = ContextVar("here")


@pytest.mark.asyncio
@pytest.mark.parametrize("at_once", [True, False])
async def test_where_work_is_done_is_as_said(at_once: bool) -> None:
    """Work is done on the caller's thread or on another, in the caller's context, and its result comes back."""
    _HERE.set("flow")
    thread, context = await computed(lambda: (threading.get_ident(), _HERE.get()), at_once=at_once)
    assert (thread == threading.get_ident(), context) == (at_once, "flow")


@pytest.mark.asyncio
@pytest.mark.parametrize("at_once", [True, False])
async def test_an_error_of_the_work_is_the_callers(at_once: bool) -> None:
    """What the work raises is raised where it is awaited."""

    def work() -> None:
        raise ValueError("no such day")

    with pytest.raises(ValueError, match="no such day"):
        await computed(work, at_once=at_once)


def test_texts_are_short_together() -> None:
    """It is the sum of the texts that is read, so the sum decides."""
    half = "가" * (CHARACTERS_AT_ONCE_MAX // 2)
    assert is_short(half, half)
    assert not is_short(half, half, "나")
    assert is_short()
