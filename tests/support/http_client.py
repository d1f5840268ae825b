"""A client of the HTTP edge that knows nothing of hapju but the document: requests, and server-sent events."""

import io
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp

ENDS = {"finished", "failed", "cancelled"}


@dataclass(frozen=True)
class Sent:
    """One server-sent event."""

    name: str
    """Its name."""
    identity: str
    """Its id; empty where it has none."""
    data: dict[str, Any]
    """Its data."""


@dataclass
class Listener:
    """What one client has heard of one flow, over all its streams."""

    events: list[Sent] = field(default_factory=list)
    """Every event, in order of arrival."""
    last_id: str = ""
    """The last id."""

    def take(self, sent: Sent) -> None:
        """Takes an event in as a browser does: one without an id leaves the last."""
        self.events.append(sent)
        self.last_id = sent.identity or self.last_id

    @property
    def sequences(self) -> list[int]:
        """The sequences of the durable events, in order of arrival."""
        return [int(sent.data["sequence"]) for sent in self.events if "sequence" in sent.data]

    @property
    def answer(self) -> dict[str, Any]:
        """The final answer; fails where the flow did not finish."""
        last = self.events[-1]
        assert last.name == "finished", last
        return dict(last.data["finished"]["answer"])

    @property
    def text(self) -> str:
        """The text that the pieces of the last attempt make."""
        attempt, text = 0, ""
        for sent in self.events:
            if sent.name == "delta":
                delta = sent.data["delta"]
                if delta["answer_attempt"] > attempt:
                    attempt, text = delta["answer_attempt"], ""
                text = text[: int(delta["text_offset"])] + delta["text"]
        return text

    def of(self, name: str) -> list[Any]:
        """The events of one kind."""
        return [sent.data[name] for sent in self.events if sent.name == name]


class HttpClient:
    """Requests to one edge.

    Args:
        session: What they are sent with.
        url: The edge's URL.
        token: The caller's token; empty for an anonymous one.
    """

    def __init__(self, session: aiohttp.ClientSession, url: str, token: str = "") -> None:
        self._session = session
        self.url = url
        self._headers = {"authorization": f"Bearer {token}"} if token else {}

    def acting(self, token: str) -> "HttpClient":
        """Returns a client of the same edge with another token."""
        return HttpClient(self._session, self.url, token)

    async def call(
        self, method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, Any]:
        """Returns the status and the JSON of a response, None where it has no body; bytes are sent as they are."""
        given = {**self._headers, **(headers or {})}
        sent = {"data": io.BytesIO(body)} if isinstance(body, bytes) else {"json": body}
        async with self._session.request(method, self.url + path, headers=given, **sent) as response:
            text = await response.text()
            return response.status, json.loads(text) if text else None

    async def file(self, path: str) -> tuple[int, str, str, bytes]:
        """Returns the status, the media type, the disposition and the content of what a path holds."""
        async with self._session.get(self.url + path, headers=self._headers) as response:
            headers = response.headers
            return response.status, headers["content-type"], headers["content-disposition"], await response.read()

    @asynccontextmanager
    async def stream(
        self, method: str, path: str, body: object = None, last_id: str = ""
    ) -> AsyncIterator[AsyncIterator[Sent]]:
        """Opens a stream of events for the body."""
        headers = {**self._headers, "accept": "text/event-stream", **({"last-event-id": last_id} if last_id else {})}
        async with self._session.request(method, self.url + path, json=body, headers=headers) as response:
            assert response.status in {200, 204}, (response.status, await response.text())
            yield _events(response)

    async def listen(self, heard: Listener, method: str, path: str, body: object = None) -> Listener:
        """Hears a flow to its end on one stream."""
        async with self.stream(method, path, body, heard.last_id) as events:
            async for sent in events:
                heard.take(sent)
        return heard


async def _events(response: aiohttp.ClientResponse) -> AsyncIterator[Sent]:
    fields: dict[str, str] = {}
    async for line in response.content:
        name, _, value = line.decode().rstrip("\n").partition(": ")
        if name:
            fields[name] = value
            continue
        if not name and "data" in fields:
            yield Sent(fields.get("event", "message"), fields.get("id", ""), json.loads(fields["data"]))
        fields = {}


@asynccontextmanager
async def http_client(url: str, token: str = "") -> AsyncIterator[HttpClient]:
    """Opens a client of an edge for the body."""
    # Lines hold whole answers.
    jar = aiohttp.CookieJar(unsafe=True)  # the edge of a test has an address and no name
    async with aiohttp.ClientSession(read_bufsize=4 * 1024 * 1024, cookie_jar=jar) as session:
        yield HttpClient(session, url, token)
