"""Text as it comes while the reader keeps up, and as it has piled up when the reader is behind.

A message costs what it costs whatever it holds: a reader that is behind gets all that has come since in one.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Final, Self

PILED_CHARS_MAX: Final = 4_096
"""With so much text waiting no more is written, so that a reader who has stopped costs no memory."""
UNBROKEN_MAX: Final = 256
"""After the first piece, and after so many more, others get their turn, whatever the writer holds already."""


class Pile:
    """Holds what its writer puts until somebody takes it; an async context manager, in which the writer runs.

    Args:
        writer: Puts the pieces; gives way whenever `put` says so. It is cancelled when the pile is left.
    """

    def __init__(self, writer: Callable[["Pile"], Awaitable[None]]) -> None:
        self._writer = writer
        self._pieces: list[str] = []
        self._length = 0
        self._count = 0
        self._changed = asyncio.Event()
        self._taken = asyncio.Event()
        self._ended = False
        self._writing: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        """Begin to write."""
        self._writing = asyncio.create_task(self._written(), name="pieces")
        return self

    async def __aexit__(self, *_error: object) -> None:
        """Stop the writer, and wait until it has let go."""
        if self._writing is not None:
            self._writing.cancel()
            await asyncio.gather(self._writing, return_exceptions=True)

    def put(self, piece: str) -> bool:
        """Add a piece; returns whether the writer has to give way before its next."""
        if not self._pieces:
            self._changed.set()
        self._pieces.append(piece)
        self._length += len(piece)
        self._count += 1
        return self._count % UNBROKEN_MAX == 1 or self._length >= PILED_CHARS_MAX

    async def give_way(self) -> None:
        """Let others run, and while too much is piled up, wait until it has been taken."""
        if self._length < PILED_CHARS_MAX:
            await asyncio.sleep(0)
            return
        self._taken.clear()
        await self._taken.wait()

    async def text(self) -> AsyncGenerator[str, None]:
        """Yield all that has come since the last time, as soon as there is any.

        Raises:
            RuntimeError: The pile has not been entered.
            Exception: What the writer raises, behind the text that came before it.
        """
        if self._writing is None:
            raise RuntimeError("a pile is read inside `async with`")
        while True:
            await self._changed.wait()
            self._changed.clear()
            if self._pieces:
                yield self._take()
            elif self._ended:
                break
        await self._writing

    def _take(self) -> str:
        text = "".join(self._pieces)
        self._pieces.clear()
        self._length = 0
        self._taken.set()
        if self._ended:
            self._changed.set()
        return text

    async def _written(self) -> None:
        try:
            await self._writer(self)
        finally:
            self._ended = True
            self._changed.set()
