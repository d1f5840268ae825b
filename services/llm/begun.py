"""A stream whose first piece is asked for before anybody is ready for it."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from typing import Final

_END: Final = None


@asynccontextmanager
async def begun(source: AsyncGenerator[str, None]) -> AsyncIterator[AsyncGenerator[str, None]]:
    """Begin a stream while its reader prepares; yields its pieces, the first one as soon as it is there.

    One piece is asked for ahead and no more: what comes behind it waits where the source keeps it. Leaving closes the
    source, whether or not it has been read.
    """
    first = asyncio.create_task(anext(source, _END), name="first piece")
    try:
        async with aclosing(_pieces(first, source)) as pieces:
            yield pieces
    finally:
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        await source.aclose()


async def _pieces(first: "asyncio.Task[str | None]", source: AsyncGenerator[str, None]) -> AsyncGenerator[str, None]:
    piece = await first
    while piece is not _END:
        yield piece
        piece = await anext(source, _END)
