"""A2A at /a2a, by JSON-RPC with server-sent events, and its card where agents look for it.

It is served where the SDK is installed (`pip install hapju[a2a]`), which is loaded when the first request comes.
"""

import asyncio
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message

from gateway.http.calling import Calling, metadata_of
from gateway.http.door import CallingDoor
from gateway.http.reading import body_of, object_in
from gateway.http.telling import json_response
from services.catalog.loader import catalog
from services.runtime.errors import InvalidRequest
from services.runtime.interceptors import Identify
from services.runtime.settings import Settings

if TYPE_CHECKING:
    from a2a.server.context import ServerCallContext
    from a2a.server.routes.jsonrpc_dispatcher import JsonRpcDispatcher

PATH: Final = "/a2a"
"""Where the protocol is spoken."""
CARD_PATH: Final = "/.well-known/agent-card.json"
"""Where agents look for the card."""


DEPTH_MAX: Final = 64
"""No message of the protocol is nested so deep."""
_NO_JSON: Final = -32700
_NO_CALL: Final = -32600
_SAID: Final = {_NO_JSON: "Parse error: the body must be a JSON object in UTF-8", _NO_CALL: "Invalid Request"}


class A2aEndpoint:
    """Serves the protocol.

    Args:
        calling: The gateway.
        settings: The process's settings.
        identify: Says who a token is.
    """

    def __init__(self, calling: Calling, settings: Settings, identify: Identify) -> None:
        self._calling = calling
        self._settings = settings
        self._identify = identify
        self._lock = asyncio.Lock()
        self._dispatcher: JsonRpcDispatcher | None = None

    async def serve(self, request: Request) -> Response:
        """Serve a call, or refuse one whose token does not hold or whose body is too long."""
        self._identify(metadata_of(request))
        body = await body_of(request, self._settings.http_asked_bytes_max, self._settings.http_stalled_seconds_max)
        if (code := fault_of(body)) is not None:
            error = {"code": code, "message": _SAID[code]}
            return json_response({"jsonrpc": "2.0", "id": None, "error": error})
        dispatcher = await self._begun()
        response: Response = await dispatcher.handle_requests(_read_already(request, body))
        return response

    async def card(self, request: Request) -> Response:
        """Return the card, which names this edge as its client has reached it."""
        await self._begun()
        from gateway.a2a.card import card_of  # noqa: PLC0415 - the SDK is loaded by the first request

        url = f"{request.base_url}{PATH.removeprefix('/')}"
        return json_response(card_of(catalog(), url, needs_token=self._settings.auth_mode != "dev"))

    async def _begun(self) -> "JsonRpcDispatcher":
        async with self._lock:
            if self._dispatcher is None:
                self._dispatcher = await asyncio.to_thread(self._made)
            return self._dispatcher

    def _made(self) -> "JsonRpcDispatcher":
        from a2a.server.context import ServerCallContext  # noqa: PLC0415 - as said above
        from a2a.server.routes.common import ServerCallContextBuilder  # noqa: PLC0415 - as said above
        from a2a.server.routes.jsonrpc_dispatcher import JsonRpcDispatcher  # noqa: PLC0415 - as said above

        from gateway.a2a.handler import DOOR, Handler  # noqa: PLC0415 - as said above

        calling = self._calling

        class Contexts(ServerCallContextBuilder):
            def build(self, request: Request) -> "ServerCallContext":
                door = CallingDoor(calling, metadata_of(request))
                return ServerCallContext(state={"headers": dict(request.headers), DOOR: door})

        return JsonRpcDispatcher(Handler(), Contexts())


def fault_of(body: bytes) -> int | None:
    """Return the code of what is wrong with a call's form; None where nothing is.

    The SDK answers what is too deep as its own fault, and writes what it was sent into its log.
    """
    try:
        call = object_in(body)
    except InvalidRequest:
        return _NO_JSON
    has_form = call.get("jsonrpc") == "2.0" and isinstance(call.get("method"), str)
    is_named = type(call.get("id")) in {str, int, type(None)}
    fits = isinstance(call.get("params", {}), dict) and _depth_within(call, DEPTH_MAX)
    return None if has_form and is_named and fits else _NO_CALL


def _depth_within(value: object, most: int) -> bool:
    level = [value]
    for _ in range(most):
        level = [
            one for it in level for one in (it.values() if isinstance(it, dict) else it if isinstance(it, list) else ())
        ]
        if not level:
            return True
    return False


def routes(calling: Calling, settings: Settings, identify: Identify) -> list[tuple[str, str, Any]]:
    """Return method, path and what serves it; none where the SDK is not installed."""
    if find_spec("a2a") is None:
        return []
    endpoint = A2aEndpoint(calling, settings, identify)
    return [("POST", PATH, endpoint.serve), ("GET", CARD_PATH, endpoint.card)]


def _read_already(request: Request, body: bytes) -> Request:
    """Return a request whose body is given once more; then it is the client's to say that it has gone."""
    given = False

    async def receive() -> Message:
        nonlocal given
        if given:
            return await request.receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return Request(request.scope, receive)
