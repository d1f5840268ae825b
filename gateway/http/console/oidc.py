"""Signs people in at the deployment's own identity provider: OpenID Connect's code flow with PKCE.

    /console/login     a signed cookie keeps state, nonce and verifier for ten minutes ──► the provider
    /console/callback  state and cookie have to be of one login; the code, with the verifier, becomes tokens; the id
                       token has to be the provider's, for this client and this login; the session's token has to be
                       one that the gateway takes ──► the session's cookie ──► the console

Nothing is kept here between the two, so that any replica completes what another one began. What goes wrong leads back
to the console with a word of ours; what a provider or a stranger says is never shown.
"""

import asyncio
import hmac
import json
import re
from hashlib import sha256
from time import monotonic, time
from typing import TYPE_CHECKING, Any, Final

import jwt
import structlog
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gateway.authentication import ALGORITHMS
from gateway.http.calling import SESSION_COOKIE
from services.runtime.errors import HapjuError, Unauthenticated, Unavailable
from services.runtime.identity import Caller
from services.runtime.interceptors import Identify
from services.runtime.settings import Settings, SettingsError

if TYPE_CHECKING:
    from authlib.integrations.httpx_client import AsyncOAuth2Client

LOGIN_PATH: Final = "/console/login"
"""Where a person is sent to the provider from."""
CALLBACK_PATH: Final = "/console/callback"
"""Where the provider sends them back to; it has to be registered there."""
LOGIN_COOKIE: Final = "hapju_login"
"""The cookie that a login is remembered by."""
LOGIN_SECONDS: Final = 600
"""How long a person may take at the provider."""
PROVIDER_SECONDS_MAX: Final = 5.0
"""How long the provider may take to answer."""
KNOWN_SECONDS: Final = 300.0
"""How long what the provider publishes of itself is taken as known, unless a token names a key that is not among it."""
RENEWED_SECONDS_MIN: Final = 10.0
"""How long after a look the next one may come that an unknown key asks for."""
KEYS_SECONDS_MAX: Final = 2.0
"""How long a login waits for the gateway to have the key that its token was just signed with."""
COOKIE_BYTES_MAX: Final = 3_900
"""The longest token that a browser keeps in a cookie."""
FAULTS: Final = ("denied", "failed", "forbidden")
"""What the console says of a login that came to nothing."""
_AUDIENCE: Final = "hapju-console-login"
_IS_GUARDED: Final = re.compile(r"https://|http://(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$)")
"""An issuer whose keys nobody on the way can replace."""
_SCREEN: Final = re.compile(r"#/[\w./-]{0,200}")
_TOKENS: Final = {"access": "access_token", "id": "id_token"}

_log = structlog.get_logger(__name__)


class _Failed(Exception):
    """A login that came to nothing; its text is one of FAULTS."""


class SignIn:
    """Takes people to the provider and back.

    Args:
        settings: The process's settings.
        identify: Says who a token is, as the gateway does for every call.

    Raises:
        SettingsError: The provider is named and what it needs is not there.
    """

    def __init__(self, settings: Settings, identify: Identify) -> None:
        if settings.auth_mode != "jwt" or not settings.oidc_client_id:
            raise SettingsError("HAPJU_OIDC_ISSUER needs HAPJU_AUTH_MODE=jwt and HAPJU_OIDC_CLIENT_ID")
        if not _IS_GUARDED.match(settings.oidc_issuer):
            raise SettingsError("HAPJU_OIDC_ISSUER: must begin with https:// unless it is on this machine")
        try:
            import authlib.integrations.httpx_client  # noqa: PLC0415 - an extra, loaded where it is wanted
        except ImportError as missing:
            raise SettingsError("HAPJU_OIDC_ISSUER needs the extra: pip install 'hapju[oidc]'") from missing
        self._client_class = authlib.integrations.httpx_client.AsyncOAuth2Client
        self._settings = settings
        self._identify = identify
        self._key = hmac.new(settings.caller_key.get_secret_value().encode(), _AUDIENCE.encode(), sha256).hexdigest()
        self._known: tuple[float, dict[str, Any]] = (0.0, {})
        self._looking = asyncio.Lock()

    async def begin(self, request: Request) -> Response:
        """Send a person to the provider."""
        from authlib.common.security import generate_token  # noqa: PLC0415 - as above

        wanted = request.query_params.get("next", "")
        login = {
            "state": generate_token(32),
            "nonce": generate_token(32),
            "verifier": generate_token(64),
            "next": wanted if _SCREEN.fullmatch(wanted) else "#/",
        }
        try:
            published = await self._published()
            async with self._client(request) as client:
                url, _ = client.create_authorization_url(
                    published["authorization_endpoint"],
                    state=login["state"],
                    nonce=login["nonce"],
                    code_verifier=login["verifier"],
                )
        except (HapjuError, KeyError):
            return _back("failed")
        claims = {**login, "aud": _AUDIENCE, "exp": int(time()) + LOGIN_SECONDS}
        response = RedirectResponse(url, headers={"cache-control": "no-store"})
        response.set_cookie(
            LOGIN_COOKIE,
            jwt.encode(claims, self._key, "HS256"),
            max_age=LOGIN_SECONDS,
            path=CALLBACK_PATH,
            secure=self.is_secure(request),
            httponly=True,
            samesite="lax",  # the provider's own page leads back here
        )
        return response

    async def complete(self, request: Request) -> Response:
        """Take a person back who comes from the provider."""
        try:
            login = self._login(request)
            token, seconds = await self._session(request, login)
        except _Failed as failed:
            response = _back(str(failed))
        else:
            response = RedirectResponse(f"/console/{login['next']}", headers={"cache-control": "no-store"})
            response.set_cookie(
                SESSION_COOKIE,
                token,
                max_age=seconds,
                path="/",
                secure=self.is_secure(request),
                httponly=True,
                samesite="strict",
            )
        response.delete_cookie(LOGIN_COOKIE, path=CALLBACK_PATH, httponly=True, samesite="lax")
        return response

    def is_secure(self, request: Request) -> bool:
        """Return whether browsers reach the console over TLS, which a proxy may end."""
        return (self._settings.console_url or str(request.url)).startswith("https:")

    def _login(self, request: Request) -> dict[str, Any]:
        """Return the login that a person comes back from; a code that belongs to none is nobody's here."""
        if "error" in request.query_params:
            raise _Failed("denied")
        try:
            login: dict[str, Any] = jwt.decode(
                request.cookies.get(LOGIN_COOKIE, ""), self._key, ["HS256"], audience=_AUDIENCE
            )
        except jwt.PyJWTError:
            raise _Failed("failed") from None
        if not hmac.compare_digest(request.query_params.get("state", "").encode(), str(login["state"]).encode()):
            raise _Failed("failed")
        return login

    async def _session(self, request: Request, login: dict[str, Any]) -> tuple[str, int]:
        """Return the token of the person's session and how long it holds."""
        try:
            published = await self._published()
            async with self._client(request) as client:
                told = await client.fetch_token(
                    published["token_endpoint"],
                    code=request.query_params.get("code", ""),
                    code_verifier=login["verifier"],
                    grant_type="authorization_code",
                )
            claims = await self._claims(str(told["id_token"]))
            token = str(told[_TOKENS[self._settings.oidc_session]])
        except Exception as error:  # noqa: BLE001 - whatever a provider answers, nobody is signed in by it
            _log.warning("a login came to nothing", why=type(error).__name__)
            raise _Failed("failed") from None
        if not hmac.compare_digest(str(claims.get("nonce", "")).encode(), str(login["nonce"]).encode()):
            raise _Failed("failed")
        try:
            caller = await self._caller(token)
        except HapjuError as refused:
            _log.warning("the provider's token is none of this deployment's", why=refused.reason)
            raise _Failed("forbidden") from None
        if caller.user_id != claims["sub"] or len(token) > COOKIE_BYTES_MAX:
            raise _Failed("forbidden")
        ends = jwt.decode(token, options={"verify_signature": False})["exp"]
        return token, max(1, int(ends - time()))

    async def _caller(self, token: str) -> Caller:
        """Return who a token is; a key that the provider has just begun to sign with is waited for."""
        until = monotonic() + KEYS_SECONDS_MAX
        while True:
            try:
                return self._identify((("authorization", f"Bearer {token}"),))
            except Unauthenticated:
                if monotonic() > until:
                    raise
                await asyncio.sleep(KEYS_SECONDS_MAX / 10)

    async def _claims(self, id_token: str) -> dict[str, Any]:
        """Return what an id token says once it is the provider's, for this client, and not over."""
        key_id = str(jwt.get_unverified_header(id_token).get("kid", ""))
        keys = _keys_of(await self._published(key_id), key_id)
        if not keys or keys[0].algorithm_name not in ALGORITHMS or keys[0].algorithm_name == "HS256":
            raise _Failed("failed")
        return jwt.decode(
            id_token,
            keys[0].key,
            [keys[0].algorithm_name],
            audience=self._settings.oidc_client_id,
            issuer=self._settings.oidc_issuer,
            options={"require": ["exp", "iat", "sub", "iss", "aud"]},
        )

    async def _published(self, key_id: str = "") -> dict[str, Any]:
        """Return what the provider says of itself, with its keys; look anew for one that is not known.

        Raises:
            Unavailable: It does not answer, or speaks for another issuer.
        """
        async with self._looking:
            read, published = self._known
            is_there = not key_id or bool(published and _keys_of(published, key_id))
            if published and monotonic() - read < (KNOWN_SECONDS if is_there else RENEWED_SECONDS_MIN):
                return published
            issuer = self._settings.oidc_issuer
            try:
                async with self._client(None) as client:
                    published = await _document(client, f"{issuer.rstrip('/')}/.well-known/openid-configuration")
                    published["keys"] = await _document(client, str(published["jwks_uri"]))
            except Exception as away:  # noqa: BLE001 - whatever goes wrong there, nobody signs in now
                _log.warning("the identity provider does not answer", why=type(away).__name__)
                raise Unavailable("the identity provider does not answer") from None
            if published.get("issuer") != issuer:
                raise Unavailable("the identity provider speaks for another issuer")
            self._known = (monotonic(), published)
            return published

    def _client(self, request: Request | None) -> "AsyncOAuth2Client":
        settings = self._settings
        base = settings.console_url.rstrip("/") if settings.console_url or request is None else ""
        secret = settings.oidc_client_secret.get_secret_value()
        return self._client_class(
            settings.oidc_client_id,
            secret or None,
            token_endpoint_auth_method="client_secret_basic" if secret else "none",
            scope=settings.oidc_scope,
            redirect_uri=f"{base or str(request.base_url).rstrip('/') if request is not None else base}{CALLBACK_PATH}",
            code_challenge_method="S256",
            timeout=PROVIDER_SECONDS_MAX,
        )


def _keys_of(published: dict[str, Any], key_id: str) -> list[jwt.PyJWK]:
    return [key for key in jwt.PyJWKSet.from_dict(published["keys"]).keys if key.key_id == key_id]


async def _document(client: "AsyncOAuth2Client", url: str) -> dict[str, Any]:
    response = await client.request("GET", url, withhold_token=True)
    response.raise_for_status()
    found: dict[str, Any] = json.loads(response.content)
    return found


def _back(fault: str) -> RedirectResponse:
    """Return the way back to the console, which says in its own words what came of the login."""
    return RedirectResponse(f"/console/?fault={fault}", headers={"cache-control": "no-store"})
