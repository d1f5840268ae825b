"""Work that computes holds the event loop up for no more than a moment, and nobody sees where it was done."""

import asyncio
import threading
from collections.abc import Callable
from contextvars import ContextVar
from functools import partial
from time import thread_time

import pytest

from services.runtime.threads import AT_ONCE_SECONDS_MAX, CHARACTERS_AT_ONCE_MAX, computed, is_short

_HERE: ContextVar[str] = ContextVar("here")


def _busy(seconds: float) -> str:
    """Computes for so long and returns the name of its thread."""
    until = thread_time() + seconds
    while thread_time() < until:
        pass
    return threading.current_thread().name


async def _done(work: Callable[[], str], times: int, *, at_once: bool = True) -> list[bool]:
    """Does some work again and again, and returns when it was done on the loop."""
    own = threading.current_thread().name
    return [await computed(work, at_once=at_once) == own for _ in range(times)]


@pytest.mark.asyncio
async def test_work_that_was_never_done_is_not_done_on_the_loop() -> None:
    """What a first time loads, nobody knows; what proves short is done at once from then on."""
    on_loop = await _done(lambda: _busy(0.0), 6)
    assert (on_loop[0], on_loop[-1]) == (False, True)


@pytest.mark.asyncio
async def test_a_long_first_time_is_held_against_nobody() -> None:
    """Work that loads much once, and is short afterwards, comes back to the loop."""
    seconds = iter([0.1])
    on_loop = await _done(lambda: _busy(next(seconds, 0.0)), 6)
    assert (on_loop[0], on_loop[-1]) == (False, True)


@pytest.mark.asyncio
async def test_work_that_takes_long_leaves_the_loop() -> None:
    """Whatever its size says: what took more than a moment is done in a thread."""
    took = [0.0]

    def work() -> str:
        return _busy(took[0])

    assert (await _done(work, 6))[-1]
    took[0] = 10 * AT_ONCE_SECONDS_MAX
    on_loop = await _done(work, 8)
    assert not any(on_loop[2:])


@pytest.mark.asyncio
async def test_much_is_never_gone_through_on_the_loop() -> None:
    """Neither does it tell anything of little."""
    work = partial(_busy, 0.0)
    await _done(work, 6)
    assert not any(await _done(work, 3, at_once=False))
    assert all(await _done(work, 3))


@pytest.mark.asyncio
@pytest.mark.parametrize("at_once", [True, False])
async def test_an_error_of_the_work_is_the_callers(at_once: bool) -> None:
    """What the work raises is raised where it is awaited, wherever it was done."""

    def work() -> None:
        raise ValueError("no such day")

    for _ in range(4):
        with pytest.raises(ValueError, match="no such day"):
            await computed(work, at_once=at_once)


@pytest.mark.asyncio
async def test_work_is_done_in_the_callers_context() -> None:
    """On the loop and in a thread alike."""
    _HERE.set("flow")
    assert [await computed(_HERE.get, at_once=False), await computed(_HERE.get, at_once=True)] == ["flow"] * 2


@pytest.mark.asyncio
async def test_the_loop_goes_on_meanwhile() -> None:
    """While a first reading computes, the loop turns."""
    turns = 0
    work = asyncio.ensure_future(computed(lambda: _busy(0.05), at_once=True))
    while not work.done():
        turns += 1
        await asyncio.sleep(0)
    assert turns > 1


def test_texts_are_short_together() -> None:
    """It is the sum of the texts that is read, so the sum decides."""
    half = "가" * (CHARACTERS_AT_ONCE_MAX // 2)
    assert is_short(half, half)
    assert not is_short(half, half, "나")
    assert is_short()


@pytest.mark.asyncio
async def test_work_that_was_only_refused_has_not_been_done() -> None:
    """What a request was turned away with at once says nothing of what the work loads where it is done."""
    refused = iter([True, True, False])

    def work() -> str:
        if next(refused, False):
            raise ValueError("no such language")
        return threading.current_thread().name

    for _ in range(2):
        with pytest.raises(ValueError, match="no such language"):
            await computed(work, at_once=True)
    own = threading.current_thread().name
    on_loop = [await computed(work, at_once=True) == own for _ in range(3)]
    assert (on_loop[0], on_loop[-1]) == (False, True)
