"""Where work is done that computes and waits for nothing: at once where it is short, else in a thread.

A thread that computes and the event loop take the interpreter from each other only once in `sys.getswitchinterval()`,
5 ms. Under load the way into a thread and back takes that long, whatever is done there, and the loop stands still as
often; so a thread is for work that takes about as long itself.
"""

import asyncio
from collections.abc import Callable
from typing import Final, TypeVar

T = TypeVar("T")

CHARACTERS_AT_ONCE_MAX: Final = 200
"""How much text is read at once, in code points: about 1.5 ms."""
ROWS_AT_ONCE_MAX: Final = 100
"""How many rows are gone through at once: about 1.5 ms."""


def is_short(*texts: str) -> bool:
    """Returns whether texts are read so fast that no thread is worth it."""
    return sum(map(len, texts)) <= CHARACTERS_AT_ONCE_MAX


async def computed(work: Callable[[], T], *, at_once: bool) -> T:
    """Returns what `work` returns: done at once, or in a thread while the event loop goes on."""
    return work() if at_once else await asyncio.to_thread(work)
