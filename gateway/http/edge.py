"""Opens the HTTP edge beside the gateway and closes it when the gateway has drained."""

import asyncio
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

import uvicorn
from starlette.applications import Starlette

from gateway.http import lines
from gateway.http.app import application
from gateway.http.calling import Calling
from services.runtime.server import Service
from services.runtime.settings import Settings, SettingsError

DEFAULT: Final = ("127.0.0.1", 8080)
"""Where the edge listens under `auto`, unless something else does."""
DOOR: Final = "http"
"""The edge's name among the doors of the gateway."""
CONSOLE_DOOR: Final = "console"
"""The console's."""
BACKLOG: Final = 1_024
"""Connections that wait to be taken."""
CLOSE_SECONDS_MAX: Final = 2
"""How long requests that are being answered may still take once the gateway has drained."""


class _Server(uvicorn.Server):
    """A server whose process takes its signals itself, and which says when it serves."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.serving = asyncio.Event()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.serving.set()


def stand_beside(service: Service) -> None:
    """Have the edge opened once the gateway listens.

    Raises:
        SettingsError: The address that is set cannot be taken.
    """
    settings = service.settings
    listening = _socket(settings)
    service.stack.callback(listening.close)

    async def opened(_: str) -> None:
        calling = Calling(service.local)
        server = _Server(_config(application(calling, settings, service.identify, service.stack), settings))
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        service.stack.push_async_callback(_closed, server, serving)
        await server.serving.wait()
        host, port = listening.getsockname()[:2]
        scheme = "https" if settings.tls_cert else "http"
        service.doors[DOOR] = f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"
        service.doors[CONSOLE_DOOR] = f"{service.doors[DOOR]}/console"

    service.once_listening.append(opened)


def _config(app: Starlette, settings: Settings) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=lines.made(settings.http_connections_max, settings.http_stalled_seconds_max),
        log_config=None,
        log_level="critical",  # what goes wrong is told by a problem and logged there
        access_log=False,
        lifespan="off",
        ws="none",
        server_header=False,
        backlog=BACKLOG,
        timeout_graceful_shutdown=CLOSE_SECONDS_MAX,
        # The certificate is read once: a door that is to show a renewed one stands behind a proxy.
        ssl_certfile=settings.tls_cert or None,
        ssl_keyfile=settings.tls_key or None,
        ssl_ca_certs=settings.tls_ca or None,
        ssl_cert_reqs=ssl.CERT_REQUIRED if settings.tls_clients == "all" else ssl.CERT_NONE,
    )


async def _closed(server: uvicorn.Server, serving: asyncio.Task[None]) -> None:
    server.should_exit = True
    with suppress(asyncio.CancelledError):
        await serving


def _socket(settings: Settings) -> socket.socket:
    if settings.http_listen == "auto":
        try:
            return _bound(*DEFAULT, settings)
        except OSError:
            return _bound(DEFAULT[0], 0, settings)
    host, _, port = settings.http_listen.rpartition(":")
    try:
        return _bound(host.strip("[]"), int(port), settings)
    except (OSError, OverflowError) as taken:
        raise SettingsError(
            f"HAPJU_HTTP_LISTEN={settings.http_listen} cannot be listened at: is something else running there?"
        ) from taken


def _bound(host: str, port: int, settings: Settings) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    bound = socket.socket(family, kind, protocol)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            # The kernel lets go of a client that reads nothing any more; connections inherit it.
            bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(settings.http_stalled_seconds_max * 1000))
        bound.bind(address)
        bound.listen(BACKLOG)
        bound.setblocking(False)
    except OSError:
        bound.close()
        raise
    return bound
