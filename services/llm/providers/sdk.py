"""The vendor's SDK as it is used here: it asks, authenticates, parts the events of a stream and types what fails.

What a response says is handed on as the JSON that came: the SDK's own objects cost ten times what their JSON does, once
for each token. However long a response is, no more of it is read than an answer can need.
"""

import json
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import openai

    Client = openai.AsyncOpenAI

COMPLETION_BYTES_MAX: Final = 2 * 1024 * 1024
"""The bytes of an answer in one piece: more than the longest that is read, every character of it escaped."""
STREAM_BYTES_MAX: Final = 16 * 1024 * 1024
"""The bytes of a stream, in which a word comes with a frame of some hundred bytes."""


class TooLongError(Exception):
    """A response goes on beyond every answer; it is not read to its end."""


class Chunks:
    """The JSON of each event of a stream, in order.

    An event without data says nothing, as the standard of event streams has it: comments, `retry:`, `id:` and `event:`
    lines alone and empty data are passed over.

    Args:
        stream: The SDK's, which parts the bytes into events.
    """

    def __init__(self, stream: "openai.AsyncStream[object]") -> None:
        self._stream = stream
        self.is_done = False
        """Whether the endpoint has said that nothing follows."""

    async def __aiter__(self) -> AsyncIterator[object]:
        """Yield what comes, until the endpoint says that it is done or the bytes end.

        Raises:
            TooLongError: It goes on beyond every answer.
            Exception: Of the SDK or its transport, or of JSON: the stream is broken.
        """
        response = self._stream.response
        # The SDK's own iteration reads every event as JSON, also those that have none.
        events = self._stream._decoder.aiter_bytes(_bounded(response.aiter_bytes(), STREAM_BYTES_MAX))  # noqa: SLF001
        async for event in events:
            if event.data.startswith("[DONE]"):
                self.is_done = True
                return
            if event.data.strip():
                yield _told(event.json(), response)

    async def close(self) -> None:
        """Close the connection at once."""
        await self._stream.close()


def _told(data: object, response: Any) -> object:
    """Return an event's JSON.

    Raises:
        APIError: It is an error that the endpoint tells in the stream.
    """
    if isinstance(data, dict) and (error := data.get("error")):
        import openai  # noqa: PLC0415 - imported already by whoever made the client

        message = error.get("message") if isinstance(error, dict) else None
        raise openai.APIError(str(message or "an error inside the stream"), request=response.request, body=error)
    return data


async def _bounded(pieces: AsyncIterator[bytes], bytes_max: int) -> AsyncIterator[bytes]:
    read = 0
    async for piece in pieces:
        read += len(piece)
        if read > bytes_max:
            raise TooLongError(f"a response of more than {bytes_max} bytes")
        yield piece


def client(base_url: str, api_key: str, *, connect_seconds: float) -> "Client":
    """Return a client without retries; the first one imports the SDK, which takes half a second.

    Args:
        base_url: The endpoint; empty for the vendor's own.
        api_key: May be empty for endpoints that take none.
        connect_seconds: How long a connection may take; whatever comes then has no limit but the caller's.
    """
    import openai  # noqa: PLC0415 - only processes that call a model pay for the import

    return openai.AsyncOpenAI(
        base_url=base_url or None,
        api_key=api_key or "none",
        max_retries=0,
        timeout=openai.Timeout(None, connect=connect_seconds),
    )


async def completed(opened: "Client", arguments: dict[str, Any]) -> object:
    """Return the JSON of a completion.

    Raises:
        ValueError: It is none.
        TooLongError: It goes on beyond every answer.
        Exception: Of the SDK or its transport; there is no response.
    """
    async with opened.chat.completions.with_streaming_response.create(**arguments) as response:
        pieces = [piece async for piece in _bounded(response.iter_bytes(), COMPLETION_BYTES_MAX)]
    return json.loads(b"".join(pieces))


async def streamed(opened: "Client", arguments: dict[str, Any]) -> Chunks:
    """Open a stream, which the caller closes.

    Raises:
        Exception: Of the SDK or its transport; there is no response.
    """
    import openai  # noqa: PLC0415 - imported already by whoever made the client

    response = await opened.chat.completions.with_raw_response.create(**arguments, stream=True)
    return Chunks(response.parse(to=openai.AsyncStream[object]))
