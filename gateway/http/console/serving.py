"""Serves the console's files under a policy that lets nothing but them run, and signs people in.

A session is a cookie that holds the person's token, which scripts cannot read. A request that has it acts for the
person only where it bears the console's own header too: a foreign page can send neither.
"""

from http import HTTPStatus
from importlib import resources
from time import time
from typing import Any, Final

import jwt
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from gateway.http.calling import SESSION_COOKIE
from gateway.http.reading import body_of, object_in
from gateway.http.telling import json_response
from services.runtime.errors import InvalidRequest, Unauthenticated
from services.runtime.identity import Caller
from services.runtime.ids import NAME_PATTERN
from services.runtime.interceptors import Identify
from services.runtime.settings import Settings, dev_key

PATH: Final = "/console"
"""Where the console is."""
SESSION_PATH: Final = f"{PATH}/session"
"""Where a person signs in and out."""
SESSION_SECONDS: Final = 8 * 3_600
"""How long a person of dev mode stays signed in; elsewhere the token says it."""
USER_TYPES: Final = ("", "consumer", "seller")
"""What a person of dev mode may say to be."""
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
"""What a page of the console may do: run its own scripts, call its own edge, and turn no text into markup."""
_FILES: Final = str(resources.files("gateway.http.console") / "static")


class _Policed:
    """Serves files with the console's policy; a browser asks each time whether they have changed."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                policy = [(b"content-security-policy", POLICY.encode()), (b"cache-control", b"no-cache")]
                message["headers"] = [*message["headers"], *policy]
            await send(message)

        await self._app(scope, receive, sent)  # type: ignore[arg-type]


class Sessions:
    """Signs people in and out.

    Args:
        settings: The process's settings.
        identify: Says who a token is, as the gateway does for every call.
    """

    def __init__(self, settings: Settings, identify: Identify) -> None:
        self._settings = settings
        self._identify = identify

    async def show(self, request: Request) -> Response:
        """Return how people sign in here, and who has."""
        token = request.cookies.get(SESSION_COOKIE, "")
        caller = self._caller(token) if token else Caller()
        user = caller.user_id
        mode = "oidc" if self._settings.oidc_issuer else self._settings.auth_mode
        trace_url = self._settings.console_trace_url
        response = json_response({"mode": mode, "user": user, "roles": sorted(caller.roles), "trace_url": trace_url})
        if token and not user:
            _forget(response)
        return response

    async def begin(self, request: Request) -> Response:
        """Sign a person in: by name in dev mode, otherwise by the token of the deployment's issuer."""
        settings = self._settings
        given = object_in(await body_of(request, settings.http_body_bytes_max, settings.http_stalled_seconds_max))
        token = self._dev_token(given) if settings.auth_mode == "dev" else str(given.get("token", ""))
        response = json_response({"user": self._identify((("authorization", f"Bearer {token}"),)).user_id})
        response.set_cookie(
            SESSION_COOKIE,
            token,
            max_age=SESSION_SECONDS,
            path="/",
            secure=(settings.console_url or str(request.url)).startswith("https:"),
            httponly=True,
            samesite="strict",
        )
        return response

    async def end(self, _: Request) -> Response:
        """Sign the person out."""
        response = Response(status_code=HTTPStatus.NO_CONTENT)
        _forget(response)
        return response

    def _caller(self, token: str) -> Caller:
        try:
            return self._identify((("authorization", f"Bearer {token}"),))
        except Unauthenticated:
            return Caller()

    def _dev_token(self, given: dict[str, object]) -> str:
        user, user_type = str(given.get("user", "")), str(given.get("user_type", ""))
        if not NAME_PATTERN.fullmatch(user):
            raise InvalidRequest.of("user", "must be 1 to 64 characters of A-Z a-z 0-9 _ . -")
        if user_type not in USER_TYPES:
            raise InvalidRequest.of("user_type", "must be consumer, seller or nothing")
        now = int(time())
        claims = {"sub": user, "user_type": user_type, "aud": self._settings.jwt_audience, "exp": now + SESSION_SECONDS}
        return jwt.encode({**claims, "iat": now}, dev_key(self._settings.data_dir), "HS256")


def console_routes(settings: Settings, identify: Identify) -> list[Route | Mount]:
    """Return the paths of the console; `identify` says who a token is."""
    sessions = Sessions(settings, identify)
    provider: list[Route | Mount] = []
    if settings.oidc_issuer:
        # Imported only where people sign in at a provider.
        from gateway.http.console.oidc import CALLBACK_PATH, LOGIN_PATH, SignIn  # noqa: PLC0415

        sign_in = SignIn(settings, identify)
        provider = [Route(LOGIN_PATH, sign_in.begin), Route(CALLBACK_PATH, sign_in.complete)]
    return [
        *provider,
        Route(SESSION_PATH, sessions.show, methods=["GET"]),
        Route(SESSION_PATH, sessions.begin, methods=["POST"]),
        Route(SESSION_PATH, sessions.end, methods=["DELETE"]),
        Route("/", _to_console, methods=["GET"]),
        Mount(PATH, _Policed(StaticFiles(directory=_FILES, html=True))),
    ]


def _forget(response: Response) -> None:
    response.delete_cookie(SESSION_COOKIE, path="/", httponly=True, samesite="strict")


async def _to_console(_: Request) -> Response:
    return RedirectResponse(f"{PATH}/")
