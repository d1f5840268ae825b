"""An OpenID provider over a socket, made of Authlib's server: code flow, PKCE required, tokens signed by itself."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from time import time
from typing import Any
from urllib.parse import parse_qsl

import jwt
import uvicorn
from authlib.oauth2 import AuthorizationServer
from authlib.oauth2.rfc6749 import ClientMixin, OAuth2Request
from authlib.oauth2.rfc6749.grants import AuthorizationCodeGrant
from authlib.oauth2.rfc6749.requests import BasicOAuth2Payload
from authlib.oauth2.rfc7636 import CodeChallenge
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

CLIENT = "hapju-console"
SECRET = "s3cret"
SECONDS = 600


@dataclass
class _Code:
    """A code that has been handed out."""

    code: str
    redirect_uri: str
    scope: str
    nonce: str
    user: str
    code_challenge: str
    code_challenge_method: str

    def get_redirect_uri(self) -> str:
        return self.redirect_uri

    def get_scope(self) -> str:
        return self.scope


class _Client(ClientMixin):  # type: ignore[misc]
    """The console as the provider knows it."""

    def get_client_id(self) -> str:
        return CLIENT

    def get_default_redirect_uri(self) -> str:
        return ""

    def get_allowed_scope(self, scope: str) -> str:
        return scope

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        return redirect_uri.endswith("/console/callback")

    def check_client_secret(self, client_secret: str) -> bool:
        return client_secret == SECRET

    def check_endpoint_auth_method(self, method: str, endpoint: str) -> bool:
        return method == "client_secret_basic"

    def check_response_type(self, response_type: str) -> bool:
        return response_type == "code"

    def check_grant_type(self, grant_type: str) -> bool:
        return grant_type == "authorization_code"


@dataclass
class Provider:
    """A provider that signs in whoever it is told to."""

    issuer: str = ""
    """Its address."""
    user: str = "mina"
    """Who is at the browser."""
    claims: dict[str, Any] = field(default_factory=dict)
    """What its tokens say beside."""
    id_claims: dict[str, Any] = field(default_factory=dict)
    """What its id token says in another way than it should."""
    codes: dict[str, _Code] = field(default_factory=dict)
    """The codes that it has handed out and nobody has used."""
    asked: list[dict[str, str]] = field(default_factory=list)
    """What it was asked for at its door."""

    def __post_init__(self) -> None:
        self._rotated = 0
        self.rotate()
        self._server = _server(self)

    def rotate(self) -> None:
        """Signs with a new key from here on; the old one is withdrawn."""
        self._rotated += 1
        self._kid = f"k{self._rotated}"
        self._key = rsa.generate_private_key(public_exponent=65537, key_size=2048)

    @property
    def keys(self) -> dict[str, Any]:
        """Its public keys."""
        public = json.loads(RSAAlgorithm.to_jwk(self._key.public_key()))
        return {"keys": [{**public, "kid": self._kid, "alg": "RS256", "use": "sig"}]}

    def signed(self, user: str, audience: str, **claims: Any) -> str:
        """Returns a token of its own."""
        now = int(time())
        base = {"iss": self.issuer, "sub": user, "aud": audience, "iat": now, "exp": now + SECONDS}
        return jwt.encode({**base, **claims}, self._key, "RS256", headers={"kid": self._kid})

    def app(self) -> Starlette:
        """Returns its endpoints."""
        return Starlette(
            routes=[
                Route("/.well-known/openid-configuration", self._published),
                Route("/keys", lambda _: JSONResponse(self.keys)),
                Route("/authorize", self._authorize),
                Route("/token", self._token, methods=["POST"]),
            ]
        )

    async def _published(self, _: Request) -> Response:
        names = {"authorization_endpoint": "/authorize", "token_endpoint": "/token", "jwks_uri": "/keys"}
        return JSONResponse({"issuer": self.issuer, **{name: self.issuer + path for name, path in names.items()}})

    async def _authorize(self, request: Request) -> Response:
        self.asked.append(dict(request.query_params))
        wanted = _oauth(request, dict(request.query_params))
        if not self.user:
            return Response(
                status_code=302,
                headers={"location": f"{wanted.payload.redirect_uri}?error=access_denied&state={wanted.payload.state}"},
            )
        grant = self._server.get_consent_grant(wanted, end_user=self.user)
        answer: Response = self._server.create_authorization_response(wanted, grant_user=self.user, grant=grant)
        return answer

    async def _token(self, request: Request) -> Response:
        given = dict(parse_qsl((await request.body()).decode()))
        answer: Response = self._server.create_token_response(_oauth(request, given))
        return answer


def _oauth(request: Request, given: dict[str, str]) -> OAuth2Request:
    made = OAuth2Request(request.method, str(request.url), headers=dict(request.headers))
    made.headers = {name.title(): value for name, value in request.headers.items()}
    made.payload = BasicOAuth2Payload(given)
    type(made).args = property(lambda one: one.payload.data)
    type(made).form = property(lambda one: one.payload.data)
    return made


class _Server(AuthorizationServer):  # type: ignore[misc]
    """Authlib's server over this application's requests and responses."""

    def query_client(self, client_id: str) -> _Client | None:
        return _Client() if client_id == CLIENT else None

    def save_token(self, token: dict[str, Any], request: Any) -> None:
        """Nothing is kept: the tokens say all themselves."""

    def create_oauth2_request(self, request: Any) -> Any:
        return request

    def handle_response(self, status: int, body: Any, headers: Any) -> Response:
        return Response(json.dumps(body) if isinstance(body, dict) else body, status, dict(headers))

    def send_signal(self, name: str, *args: Any, **kwargs: Any) -> None:
        """Nobody listens."""


class _Grant(AuthorizationCodeGrant):  # type: ignore[misc]
    """The code flow; its server knows the provider."""

    TOKEN_ENDPOINT_AUTH_METHODS = ("client_secret_basic",)

    def save_authorization_code(self, code: str, request: Any) -> None:
        payload = request.payload
        named = {name: payload.data.get(name, "") for name in ("nonce", "code_challenge", "code_challenge_method")}
        self.server.codes[code] = _Code(code, payload.redirect_uri, payload.scope, user=request.user, **named)

    def query_authorization_code(self, code: str, client: Any) -> _Code | None:
        found: _Code | None = self.server.codes.get(code)
        return found

    def delete_authorization_code(self, code: _Code) -> None:
        self.server.codes.pop(code.code, None)

    def authenticate_user(self, code: _Code) -> str:
        self.request.nonce = code.nonce
        return code.user


def _server(provider: Provider) -> AuthorizationServer:
    def tokens(user: str, scope: str, **_: Any) -> dict[str, Any]:
        access = provider.signed(user, **{"audience": "hapju", **provider.claims})
        return {"token_type": "Bearer", "access_token": access, "expires_in": SECONDS, "scope": scope}

    def with_id(grant: Any, response: Any) -> None:
        said = {"nonce": grant.request.nonce, "user": grant.request.user, "audience": CLIENT, **provider.id_claims}
        response[1]["id_token"] = provider.signed(**said)

    def says_who(grant: Any) -> None:
        grant.register_hook("after_create_token_response", with_id)

    server = _Server()
    server.codes = provider.codes
    server.register_token_generator("default", tokens)
    server.register_grant(_Grant, [CodeChallenge(required=True), says_who])
    return server


@asynccontextmanager
async def provider_at_loopback(**given: Any) -> AsyncIterator[Provider]:
    """Runs a provider for the body."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    provider = Provider(f"http://127.0.0.1:{listening.getsockname()[1]}", **given)
    server = uvicorn.Server(uvicorn.Config(provider.app(), log_level="critical", lifespan="off", ws="none"))
    server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        yield provider
    finally:
        server.should_exit = True
        await serving
        listening.close()
