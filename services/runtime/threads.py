"""Where work is done that computes and waits for nothing: at once where it is short, else in a thread.

A thread that computes and the event loop take the interpreter from each other only once in `sys.getswitchinterval()`,
5 ms. Under load the way into a thread and back takes that long, whatever is done there, and the loop stands still as
often; so a thread is for work that takes about as long itself.

Which work that is, its own past tells: what has to be gone through says that it may be short, and what the same work on
as little took lately says that it was. Work done for the first time loads what it needs, and is never done at once.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from time import thread_time
from typing import Final, TypeVar

T = TypeVar("T")

CHARACTERS_AT_ONCE_MAX: Final = 200
"""How much text may be short enough to be read at once, in code points."""
ROWS_AT_ONCE_MAX: Final = 100
"""How many rows may be few enough to be gone through at once."""
AT_ONCE_SECONDS_MAX: Final = 0.005
"""What is usually done in so much of a core's time is done at once."""
_WEIGHT: Final = 0.125

_usual_seconds: dict[object, float] = {}
"""How long each kind of work on a little takes; kinds are as many as places in the code."""


def is_short(*texts: str) -> bool:
    """Return whether texts are so short that reading them may be worth no thread."""
    return sum(map(len, texts)) <= CHARACTERS_AT_ONCE_MAX


async def computed(work: Callable[[], T], *, at_once: bool) -> T:
    """Return what `work` returns: done at once, or in a thread while the event loop goes on.

    Args:
        work: Computes and waits for nothing.
        at_once: Whether there is so little to go through that it may be done at once.
    """
    if not at_once:
        return await asyncio.to_thread(work)
    kind = _kind_of(work)
    if _usual_seconds.get(kind, AT_ONCE_SECONDS_MAX) < AT_ONCE_SECONDS_MAX:
        return _timed(kind, work)
    return await asyncio.to_thread(_timed, kind, work)


def _timed(kind: object, work: Callable[[], T]) -> T:
    """Do the work and remember what it took of a core."""
    begin, is_done = thread_time(), False
    try:
        done = work()
        is_done = True
    finally:
        took = thread_time() - begin
        usual = _usual_seconds.get(kind)
        # The first time says little of the next ones; work that is refused at once, nothing at all.
        if usual is not None and (is_done or took > usual):
            _usual_seconds[kind] = usual + _WEIGHT * (took - usual)
        elif is_done:
            _usual_seconds[kind] = min(took, AT_ONCE_SECONDS_MAX)
    return done


def _kind_of(work: Callable[[], object]) -> object:
    """Return what stays the same of a piece of work from call to call: its code."""
    inner = work.func if isinstance(work, partial) else work
    return getattr(inner, "__code__", type(inner))
