"""Who may reach the edge from a browser.

Where anonymous callers are let in, at loopback alone, any page that a person opens could call it too: by a form, by
fetch, or by a name that its own server resolves to 127.0.0.1. So a request that names a foreign origin is refused, and
in dev mode one that names a foreign host. Who does not read what they asked for is let go.
"""

import asyncio
from typing import Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from gateway.http.problems import problem_of, response_to
from services.runtime.errors import Forbidden
from services.runtime.settings import is_loopback

_ORIGIN: Final = "origin: pages of this origin may not call hapju; HAPJU_HTTP_ORIGINS names those that may"
_HOST: Final = "host: in dev mode hapju answers to names of this machine only"
SECURITY_HEADERS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
)
"""What every response bears."""


class Borders:
    """Refuses requests from foreign pages.

    Args:
        app: What is served behind.
        origins: The origins that may call beside the edge's own.
        stalled_seconds_max: How long a piece of a response may wait to be read.
        loopback_only: Whether the host has to be this machine.
    """

    def __init__(
        self, app: ASGIApp, origins: tuple[str, ...], stalled_seconds_max: float, *, loopback_only: bool
    ) -> None:
        self._app = app
        self._origins = frozenset(origins)
        self._stalled_seconds_max = stalled_seconds_max
        self._loopback_only = loopback_only

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, or refuse it."""
        if scope["type"] != "http":
            return
        refusal = self._refusal(Headers(scope=scope))

        async def sent(message: dict[str, object]) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *SECURITY_HEADERS]  # type: ignore[misc]
            async with asyncio.timeout(self._stalled_seconds_max):
                await send(message)

        if refusal is None:
            await self._app(scope, receive, sent)  # type: ignore[arg-type]
        else:
            await response_to(problem_of(refusal))(scope, receive, sent)  # type: ignore[arg-type]

    def _refusal(self, headers: Headers) -> Forbidden | None:
        host, origin = headers.get("host", ""), headers.get("origin", "")
        if self._loopback_only and not is_loopback(host if host.rpartition(":")[1] else f"{host}:80"):
            return Forbidden(_HOST, reason="HOST_NOT_ALLOWED")
        own = origin.partition("://")[2] == host
        if origin and not own and origin not in self._origins and "*" not in self._origins:
            return Forbidden(_ORIGIN, reason="ORIGIN_NOT_ALLOWED")
        return None
