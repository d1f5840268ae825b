"""The vendor's SDK as it is used here: it asks, authenticates, parts the events of a stream and types what fails.

What a response says is handed on as the JSON that came: the SDK's own objects cost ten times what their JSON does, once
for each token.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import openai

    Client = openai.AsyncOpenAI
    Chunks = openai.AsyncStream[object]
    """The JSON of each event; `close()` closes the connection at once."""


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
        Exception: Of the SDK or its transport; there is no response.
    """
    response = await opened.chat.completions.with_raw_response.create(**arguments)
    return response.http_response.json()


async def streamed(opened: "Client", arguments: dict[str, Any]) -> "Chunks":
    """Open a stream, which the caller closes.

    Raises:
        Exception: Of the SDK or its transport; there is no response.
    """
    import openai  # noqa: PLC0415 - imported already by whoever made the client

    response = await opened.chat.completions.with_raw_response.create(**arguments, stream=True)
    chunks: Chunks = response.parse(to=openai.AsyncStream[object])
    return chunks
