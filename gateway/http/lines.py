"""The connections of the edge: how many there are, and how long a client may take to say what it wants.

connected ──► head ──► request served ──► idle ──► head ...
              within the stalled time, and no longer than HEAD_BYTES_MAX     within uvicorn's keep-alive

A body and the reading of a response have their own bounds (`reading`, `borders`).
"""

import asyncio
import json
from http import HTTPStatus
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from gateway.http.problems import MEDIA_TYPE, problem_of
from services.runtime.errors import HapjuError, Overloaded, PayloadTooLarge

HEAD_BYTES_MAX: Final = 65_536
"""The size of one request's line and headers."""
LINGER_SECONDS: Final = 1.0
"""How long a client that was turned away may take to read why."""
RETRY_SECONDS: Final = 1
"""When to come again where all connections are taken."""


class HttpLine(HttpToolsProtocol):
    """One connection; `made` returns the class of those of one edge."""

    connections_max: int
    stalled_seconds_max: float
    _waiting: asyncio.TimerHandle | None = None
    _head_bytes: int = 0
    _in_head: bool = False
    _refused: bool = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's own does
        """Take a connection in, or turn it away where there are too many."""
        super().connection_made(transport)
        if len(self.connections) > self.connections_max:
            metadata = {"limit": "HAPJU_HTTP_CONNECTIONS_MAX", "value": str(self.connections_max)}
            self._turn_away(HTTPStatus.SERVICE_UNAVAILABLE, Overloaded("all connections are taken", metadata=metadata))
            return
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a connection."""
        self._no_longer_waits()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what a client sends; a request that begins has to end its head in time."""
        if self._refused or self.transport.is_closing():
            return
        if self._waiting is None and (self.cycle is None or self.cycle.response_complete):
            self._expect_head()
        super().data_received(data)
        if self._in_head or self._waiting is not None:
            self._head_bytes += len(data)
            if self._head_bytes > HEAD_BYTES_MAX:
                metadata = {"limit": "HEAD_BYTES_MAX", "value": str(HEAD_BYTES_MAX)}
                self._turn_away(
                    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
                    PayloadTooLarge(f"the headers are longer than {HEAD_BYTES_MAX:,} bytes", metadata=metadata),
                )

    def on_message_begin(self) -> None:
        """Begin a request."""
        self._in_head = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Begin to serve a request whose head is whole."""
        self._in_head, self._head_bytes = False, 0
        self._no_longer_waits()
        super().on_headers_complete()

    def _expect_head(self) -> None:
        self._no_longer_waits()
        self._head_bytes = 0
        self._waiting = self.loop.call_later(self.stalled_seconds_max, self._let_go)

    def _no_longer_waits(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _let_go(self) -> None:
        self._waiting = None
        self.transport.abort()

    def _turn_away(self, status: HTTPStatus, error: HapjuError) -> None:
        self._no_longer_waits()
        body = json.dumps({**problem_of(error), "status": status, "title": status.phrase}).encode()
        head = (
            f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-type: {MEDIA_TYPE}\r\ncontent-length: {len(body)}\r\n"
            f"retry-after: {RETRY_SECONDS}\r\nconnection: close\r\n\r\n"
        )
        self._refused = True
        self.transport.write(head.encode() + body)
        if not self.transport.can_write_eof():
            self.transport.close()
            return
        # What the client still sends is thrown away: closing upon unread bytes would take the refusal from it.
        self.transport.write_eof()
        self._waiting = self.loop.call_later(LINGER_SECONDS, self._let_go)


def made(connections_max: int, stalled_seconds_max: float) -> type[Any]:
    """Return the class of an edge's connections.

    Args:
        connections_max: How many there may be.
        stalled_seconds_max: How long a client may take to send a request's head.
    """
    return type("Line", (HttpLine,), {"connections_max": connections_max, "stalled_seconds_max": stalled_seconds_max})
