"""The vendor's SDK by itself: what a stream through it costs before anything of ours, for the benchmarks."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

from services.llm.providers import sdk
from services.llm.providers.reading import StreamProgress

if TYPE_CHECKING:
    Client = sdk.Client

_SECONDS_MAX: Final = 60.0


@asynccontextmanager
async def client(base_url: str) -> AsyncIterator["Client"]:
    """Yields the SDK's client for an endpoint, as services open it."""
    async with sdk.client(base_url, "", connect_seconds=_SECONDS_MAX) as opened:
        yield opened


async def texts(opened: "Client", question: str) -> AsyncGenerator[str, None]:
    """Yields the pieces of one streamed answer as the SDK hands them out."""
    arguments = {
        "model": "bench",
        "messages": [{"role": "user", "content": question}],
        "stream_options": {"include_usage": True},
    }
    progress = StreamProgress()
    chunks = await sdk.streamed(opened, arguments)
    try:
        async for chunk in chunks:
            if text := progress.read(chunk):
                yield text
    finally:
        await chunks.close()
