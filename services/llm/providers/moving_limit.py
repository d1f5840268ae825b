"""A time limit that moves with every token, at no cost for the token.

`asyncio.Timeout.reschedule` cancels a timer and sets another, which costs more than all else that is done for a token.
Here a move is an assignment: the timer that is set already looks where the limit stands once it comes due.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from math import inf
from typing import Final

NEVER: Final = inf
"""Where the limit stands while the body is kept waiting by others."""


class MovingLimit:
    """The moment at which a body is given up, on the event loop's clock; get it from `moving_limit`."""

    def __init__(self, timeout: asyncio.Timeout, at: float) -> None:
        self._loop = asyncio.get_running_loop()
        self._timeout = timeout
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at = NEVER
        self._at = NEVER
        self.move(at)

    def move(self, at: float) -> None:
        """Let the limit stand at `at` from now on."""
        self._at = at
        if at < self._timer_at:
            self._set(at)

    def close(self) -> None:
        """Take the timer away."""
        if self._timer is not None:
            self._timer.cancel()

    def _set(self, at: float) -> None:
        self.close()
        self._timer, self._timer_at = self._loop.call_at(at, self._due), at

    def _due(self) -> None:
        self._timer, self._timer_at = None, NEVER
        if self._at <= self._loop.time():
            # It has come: a body that moves it while it cleans up calls nothing back.
            self._timer_at = -inf
            self._timeout.reschedule(self._at)
        elif self._at < NEVER:
            self._set(self._at)


@asynccontextmanager
async def moving_limit(at: float) -> AsyncIterator[MovingLimit]:
    """Cancel the body once its limit has come, which stands at `at` until it is moved.

    Raises:
        TimeoutError: The limit came.
    """
    async with asyncio.timeout(None) as timeout:
        limit = MovingLimit(timeout, at)
        try:
            yield limit
        finally:
            limit.close()
