"""Keys that change: an identity provider that publishes, withdraws and is away, and a file that is written anew."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from time import time
from typing import Any

import jwt
import pytest
from aiohttp import web
from cryptography.hazmat.primitives.asymmetric import ec
from starlette.requests import Request

from gateway import keys as module
from gateway.authentication import Authentication
from gateway.http.console.serving import Sessions
from gateway.http.problems import on_error
from gateway.keys import KeySet
from services.runtime.errors import Unauthenticated, Unavailable
from services.runtime.settings import Settings

OLD, NEW = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
pytestmark = pytest.mark.asyncio


def published(**named: ec.EllipticCurvePrivateKey) -> str:
    """Return a JWK set of these keys."""
    sets = [
        {**json.loads(jwt.algorithms.ECAlgorithm.to_jwk(key.public_key())), "kid": kid, "alg": "ES256"}
        for kid, key in named.items()
    ]
    return json.dumps({"keys": sets})


def bearer(key: ec.EllipticCurvePrivateKey, kid: str) -> tuple[tuple[str, str], ...]:
    """Return the metadata of a call with a token."""
    token = jwt.encode({"sub": "u-1", "aud": "hapju", "exp": int(time()) + 60}, key, "ES256", headers={"kid": kid})
    return (("authorization", f"Bearer {token}"),)


class Provider:
    """What the provider publishes."""

    def __init__(self) -> None:
        self.body, self.status, self.asked = published(old=OLD), 200, 0

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[str]:
        """Serve it and yield its address."""

        async def answer(_: web.Request) -> web.Response:
            self.asked += 1
            return web.Response(text=self.body, status=self.status)

        app = web.Application()
        app.router.add_get("/jwks", answer)
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        server: Any = site._server
        try:
            yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/jwks"
        finally:
            await runner.cleanup()


def authentication(tmp_path: Path, given: str) -> Authentication:
    """Return the authentication of a gateway that is given these keys."""
    return Authentication.from_settings(
        Settings(auth_mode="jwt", jwt_keys=given, caller_key="k" * 32, data_dir=tmp_path)
    )


async def test_before_the_provider_has_answered_nobody_is_refused_for_good(tmp_path: Path) -> None:
    """A call that comes too early is told to come again, not that its token is wrong."""
    async with Provider().serving() as address:
        known = authentication(tmp_path, address)
        with pytest.raises(Unavailable):
            known.identify(bearer(OLD, "old"))
        assert known.keys is not None
        await known.keys.refresh()
        assert known.identify(bearer(OLD, "old")).user_id == "u-1"


async def test_a_key_that_is_published_later_is_found_soon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first token of a new key has the set fetched again; a key that is withdrawn no longer holds."""
    monkeypatch.setattr(module, "WANTED_SECONDS_MIN", 0.01)
    provider = Provider()
    async with provider.serving() as address:
        known = authentication(tmp_path, address)
        assert known.keys is not None
        await known.keys.refresh()
        fresh = asyncio.create_task(known.keys.keep_fresh())
        provider.body = published(new=NEW)
        with pytest.raises(Unauthenticated):
            known.identify(bearer(NEW, "new"))
        async with asyncio.timeout(5):
            while known.keys.get("new") is None:
                await asyncio.sleep(0.01)
        fresh.cancel()
        assert known.identify(bearer(NEW, "new")).user_id == "u-1"
        with pytest.raises(Unauthenticated):
            known.identify(bearer(OLD, "old"))


async def test_strangers_cannot_have_the_provider_asked_at_will(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand unknown keys cost one look, and the next comes no sooner than its time."""
    monkeypatch.setattr(module, "WANTED_SECONDS_MIN", 0.2)
    provider = Provider()
    async with provider.serving() as address:
        keys = KeySet(address)
        fresh = asyncio.create_task(keys.keep_fresh())
        for number in range(1000):
            assert keys.get(f"k{number}") is None
            if number % 100 == 0:
                await asyncio.sleep(0.01)
        fresh.cancel()
    assert provider.asked <= 1


@pytest.mark.parametrize(("status", "body"), [(500, ""), (200, "<html>"), (200, "[]"), (200, "x" * 1_000_001)])
async def test_while_the_provider_is_away_the_known_keys_hold(tmp_path: Path, status: int, body: str) -> None:
    """Errors, pages and endless answers change nothing."""
    provider = Provider()
    async with provider.serving() as address:
        known = authentication(tmp_path, address)
        assert known.keys is not None
        await known.keys.refresh()
        provider.status, provider.body = status, body
        await known.keys.refresh()
    await known.keys.refresh()
    assert known.identify(bearer(OLD, "old")).user_id == "u-1"


async def test_a_file_that_is_written_anew_is_read_again(tmp_path: Path) -> None:
    """A mounted secret that changes needs no restart."""
    path = tmp_path / "keys.json"
    path.write_text(published(old=OLD))
    known = authentication(tmp_path, str(path))
    path.write_text(published(new=NEW))
    assert known.keys is not None
    await known.keys.refresh()
    assert known.identify(bearer(NEW, "new")).user_id == "u-1"


async def test_the_console_signs_people_in_by_the_keys_that_the_gateway_has_now(tmp_path: Path) -> None:
    """Keys that were fetched after the start count there too; before, a person is told to come again."""
    async with Provider().serving() as address:
        known = authentication(tmp_path, address)
        given = Settings(auth_mode="jwt", jwt_keys=address, caller_key="k" * 32, data_dir=tmp_path)
        sessions = Sessions(given, known.identify)
        token = bearer(OLD, "old")[0][1].removeprefix("Bearer ")
        with pytest.raises(Unavailable):
            await sessions.begin(posted({"token": token}))
        assert known.keys is not None
        await known.keys.refresh()
        response = await sessions.begin(posted({"token": token}))
    assert json.loads(bytes(response.body)) == {"user": "u-1"}
    assert "HttpOnly" in response.headers["set-cookie"]


def posted(document: dict[str, str]) -> Request:
    """Return a request with a JSON body."""

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": json.dumps(document).encode(), "more_body": False}

    headers = [(b"content-type", b"application/json"), (b"host", b"127.0.0.1")]
    scope = {"type": "http", "method": "POST", "path": "/console/session", "headers": headers, "query_string": b""}
    return Request({**scope, "scheme": "http", "server": ("127.0.0.1", 80)}, receive)


async def test_who_is_to_come_again_is_told_when() -> None:
    """A refusal that is worth repeating bears Retry-After; one that is not bears none."""
    later = await on_error(posted({}), Unavailable("away"))
    never = await on_error(posted({}), Unauthenticated("no"))
    assert (int(later.headers["retry-after"]) >= 1, "retry-after" in never.headers) == (True, False)
