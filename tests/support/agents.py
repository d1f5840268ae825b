"""The official clients of MCP and A2A, as agents of other houses use them at an edge."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

import httpx
import httpx2
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.client import Client as A2aClient
from a2a.types import a2a_pb2 as a2a
from mcp import Client as McpClient
from mcp.client.streamable_http import streamable_http_client


def _headers(bearer: str) -> dict[str, str]:
    return {"authorization": f"Bearer {bearer}"} if bearer else {}


@asynccontextmanager
async def mcp_agent(url: str, bearer: str = "", **options: Any) -> AsyncIterator[McpClient]:
    """Opens MCP's own client at an edge for the body, with a token."""
    async with (
        httpx2.AsyncClient(headers=_headers(bearer), timeout=60) as http,
        McpClient(streamable_http_client(f"{url}/mcp", http_client=http), **options) as client,
    ):
        yield client


@asynccontextmanager
async def a2a_agent(url: str, bearer: str = "", **config: Any) -> AsyncIterator[A2aClient]:
    """Opens A2A's own client for the body, by the card that an edge serves."""
    async with httpx.AsyncClient(headers=_headers(bearer), timeout=60) as http:
        card = await A2ACardResolver(http, url).get_agent_card()
        yield ClientFactory(ClientConfig(httpx_client=http, **config)).create(card)


def message(text: str, *files: a2a.Part, **fields: Any) -> a2a.SendMessageRequest:
    """Returns a message of a user, with files or without."""
    parts = [*([a2a.Part(text=text)] if text else []), *files]
    given = {"message_id": str(uuid4()), **fields}
    return a2a.SendMessageRequest(message=a2a.Message(role=a2a.ROLE_USER, parts=parts, **given))


def artifact_text(responses: list[a2a.StreamResponse]) -> str:
    """Returns the answer that the updates of the artifact make, as a client puts them together."""
    parts: list[a2a.Part] = []
    for response in responses:
        if response.HasField("artifact_update"):
            update = response.artifact_update
            parts = [*(parts if update.append else []), *update.artifact.parts]
    return "".join(part.text for part in parts if part.HasField("text"))
