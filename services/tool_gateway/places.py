"""How many calls of a tool run at once: each holds one of its places, and waiting for one is bounded."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from services.plugin.tools.tool import Tool

PLACE_SECONDS_MAX: Final = 1.0
"""How long a call waits for a free place of its tool."""


class NoPlace(Exception):
    """Every place of the tool stayed taken."""


class Places:
    """The places of every tool of one process."""

    def __init__(self) -> None:
        self._by_tool: dict[str, asyncio.Semaphore] = {}

    @asynccontextmanager
    async def of(self, tool: Tool) -> AsyncIterator[None]:
        """Hold one of the tool's places.

        Raises:
            NoPlace: None became free in time.
        """
        places = self._by_tool.setdefault(tool.name, asyncio.Semaphore(tool.concurrency_max))
        try:
            async with asyncio.timeout(PLACE_SECONDS_MAX):
                await places.acquire()
        except TimeoutError:
            raise NoPlace from None
        try:
            yield
        finally:
            places.release()
