"""Text as it comes while the reader keeps up, and as it has piled up when the reader is behind.

A message costs what it costs whatever it holds: a reader that is behind gets all that has come since in one.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final, Self

PILED_CHARS_MAX: Final = 4_096
"""With so much text waiting no more is read, so that a reader who has stopped costs no memory."""
UNBROKEN_MAX: Final = 64
"""After the first piece, and after so many more, others get their turn, whatever the source holds already."""


class Pile:
    """Reads pieces ahead of whoever takes them; an async context manager.

    Args:
        source: The pieces; closed with the pile.
    """

    def __init__(self, source: AsyncGenerator[str, None]) -> None:
        self._source = source
        self._pieces: list[str] = []
        self._length = 0
        self._changed = asyncio.Event()
        self._taken = asyncio.Event()
        self._ended = False
        self._reading: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        """Begin to read."""
        self._reading = asyncio.create_task(self._read(), name="pieces")
        return self

    async def __aexit__(self, *_error: object) -> None:
        """Stop reading, and close the source."""
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)

    async def text(self) -> AsyncGenerator[str, None]:
        """Yield all that has come since the last time, as soon as there is any.

        Raises:
            RuntimeError: The pile has not been entered.
            Exception: What the source raises, behind the text that came before it.
        """
        if self._reading is None:
            raise RuntimeError("a pile is read inside `async with`")
        while True:
            await self._changed.wait()
            self._changed.clear()
            if self._pieces:
                yield self._take()
            elif self._ended:
                break
        await self._reading

    def _take(self) -> str:
        text = "".join(self._pieces)
        self._pieces.clear()
        self._length = 0
        self._taken.set()
        if self._ended:
            self._changed.set()
        return text

    async def _read(self) -> None:
        read = 0
        try:
            async with aclosing(self._source) as pieces:
                async for piece in pieces:
                    self._pieces.append(piece)
                    self._length += len(piece)
                    self._changed.set()
                    if read % UNBROKEN_MAX == 0:
                        # A source that holds more already does not give way by itself.
                        await asyncio.sleep(0)
                    read += 1
                    if self._length >= PILED_CHARS_MAX:
                        self._taken.clear()
                        await self._taken.wait()
        finally:
            self._ended = True
            self._changed.set()
