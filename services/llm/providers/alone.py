"""The vendor's SDK by itself: what a stream through it costs before anything of ours, for the benchmarks."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import openai

    Client = openai.AsyncOpenAI


@asynccontextmanager
async def client(base_url: str) -> AsyncIterator["Client"]:
    """Yields the SDK's client for an endpoint."""
    import openai  # noqa: PLC0415 - half a second, for the benchmarks alone

    async with openai.AsyncOpenAI(base_url=base_url, api_key="none", max_retries=0) as opened:
        yield opened


async def texts(opened: "Client", question: str) -> AsyncGenerator[str, None]:
    """Yields the pieces of one streamed answer as the SDK hands them out."""
    stream = await opened.chat.completions.create(
        model="bench",
        messages=[{"role": "user", "content": question}],
        stream=True,
        stream_options={"include_usage": True},
    )
    async with stream:
        async for chunk in stream:
            if chunk.choices and (text := chunk.choices[0].delta.content):
                yield text
