"""People sign in to the console at a provider: code flow with PKCE, over sockets and in a browser."""

import json
import sqlite3
from collections.abc import AsyncIterator
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import aiohttp
import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from gateway import keys
from gateway.http.console import oidc
from tests.support.browser import browser_of_the_system, faults_of, page_of
from tests.support.cluster import Cluster, embedded
from tests.support.oidc import CLIENT, SECRET, Provider, provider_at_loopback

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.xdist_group("http_edge")]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def provider() -> AsyncIterator[Provider]:
    """The identity provider of the deployment."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AUTHLIB_INSECURE_TRANSPORT", "1")
        patch.setattr(keys, "WANTED_SECONDS_MIN", 0.2)
        async with provider_at_loopback() as found:
            yield found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of the ensemble."""
    return tmp_path_factory.mktemp("oidc")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def cluster(folder: Path, data: Path, provider: Provider) -> AsyncIterator[Cluster]:
    """An ensemble under jwt whose people sign in there."""
    async with embedded(
        folder,
        data,
        http_listen="127.0.0.1:0",
        auth_mode="jwt",
        jwt_keys=f"{provider.issuer}/keys",
        caller_key="k" * 40,
        oidc_issuer=provider.issuer,
        oidc_client_id=CLIENT,
        oidc_client_secret=SECRET,
        console_trace_url="https://traces.example/search?id={flow_run_id}",
        typed_asks=True,
    ) as found:
        yield found


class Visitor:
    """A browser without scripts: it keeps cookies and follows nothing by itself."""

    def __init__(self, session: aiohttp.ClientSession, url: str) -> None:
        self._session, self._url = session, url
        self.cookies: dict[str, str] = {}
        self.set: SimpleCookie = SimpleCookie()

    async def get(self, url: str, **headers: str) -> tuple[int, str, bytes]:
        """Returns status, the way on and the body."""
        sent = {"cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()), **headers}
        async with self._session.get(
            url if url.startswith("http") else self._url + url, headers=sent, allow_redirects=False
        ) as got:
            self.set = got.cookies
            for name, cookie in got.cookies.items():
                self.cookies[name] = cookie.value
            return got.status, got.headers.get("location", ""), await got.read()

    async def signed_in(self, path: str = "/console/login") -> str:
        """Goes through a login and returns where it ends."""
        _, at_provider, _ = await self.get(path)
        _, back, _ = await self.get(at_provider)
        _, end, _ = await self.get(back)
        return end

    async def me(self) -> str:
        """Returns who is signed in."""
        return str(json.loads((await self.get("/console/session"))[2])["user"])


@pytest_asyncio.fixture(loop_scope="module")
async def visitor(cluster: Cluster, provider: Provider) -> AsyncIterator[Visitor]:
    """A person who has not signed in."""
    provider.user, provider.claims, provider.id_claims = "mina", {}, {}
    provider.asked.clear()
    provider.codes.clear()
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session:
        yield Visitor(session, cluster.doors["http"])


async def test_a_login_is_a_code_with_pkce_and_a_session_that_scripts_cannot_read(
    visitor: Visitor, provider: Provider
) -> None:
    """State, nonce and challenge go out; what comes back is a cookie for this site alone, and the way on."""
    assert await visitor.signed_in("/console/login?next=%23%2Fflows") == "/console/#/flows"
    (asked,) = provider.asked
    assert (asked["response_type"], asked["code_challenge_method"], asked["scope"]) == ("code", "S256", "openid")
    assert min(len(asked[name]) for name in ("state", "nonce", "code_challenge")) >= 32
    session = visitor.set["hapju_session"]
    assert (session["httponly"], session["samesite"], session["path"]) == (True, "strict", "/")
    assert await visitor.me() == "mina"


async def test_a_key_that_the_provider_has_just_begun_to_sign_with_is_fetched(
    visitor: Visitor, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person signs in right after a rotation; strangers' keys have the provider asked no more often than that."""
    monkeypatch.setattr(oidc, "KNOWN_SECONDS", 0.0)
    await visitor.signed_in()
    monkeypatch.setattr(oidc, "KNOWN_SECONDS", 300.0)
    provider.rotate()
    visitor.cookies.clear()
    assert "fault=failed" in await visitor.signed_in()
    monkeypatch.setattr(oidc, "RENEWED_SECONDS_MIN", 0.0)
    assert await visitor.signed_in() == "/console/#/"
    assert await visitor.me() == "mina"


async def test_a_session_acts_only_with_the_consoles_own_header(visitor: Visitor) -> None:
    """A page of another origin, whose requests cannot bear it, acts for nobody, though the browser sends the cookie."""
    await visitor.signed_in()
    assert (await visitor.get("/v1/flows"))[0] == 401
    assert (await visitor.get("/v1/flows", **{"hapju-console": "1"}))[0] == 200
    foreign = {"hapju-console": "1", "origin": "https://evil.example"}
    assert (await visitor.get("/v1/flows", **foreign))[0] == 403


async def test_a_login_that_another_browser_began_signs_nobody_in(visitor: Visitor) -> None:
    """A code that is handed to a person who began no login, or another one, is not taken for theirs."""
    _, at_provider, _ = await visitor.get("/console/login")
    _, back, _ = await visitor.get(at_provider)
    mine = visitor.cookies.pop("hapju_login")
    assert (await visitor.get(back))[1] == "/console/?fault=failed"
    visitor.cookies["hapju_login"] = mine
    other = back.replace(parse_qs(urlsplit(back).query)["state"][0], "x" * 32)
    assert (await visitor.get(other))[1] == "/console/?fault=failed"
    assert await visitor.me() == ""


async def test_a_code_is_good_once_and_with_its_verifier_only(visitor: Visitor, provider: Provider) -> None:
    """Used again, or by whoever saw it on its way without the verifier, it is nothing."""
    _, at_provider, _ = await visitor.get("/console/login")
    _, back, _ = await visitor.get(at_provider)
    kept = dict(visitor.cookies)
    assert (await visitor.get(back))[1] == "/console/#/"
    visitor.cookies = kept
    assert (await visitor.get(back))[1] == "/console/?fault=failed"
    _, at_provider, _ = await visitor.get("/console/login")
    _, back, _ = await visitor.get(at_provider)
    next(iter(provider.codes.values())).code_challenge = "another"
    assert (await visitor.get(back))[1] == "/console/?fault=failed"


@pytest.mark.parametrize(
    ("claims", "id_claims", "fault"),
    [
        ({}, {"nonce": "another"}, "failed"),
        ({}, {"audience": "another client"}, "failed"),
        ({}, {"iss": "https://another.example"}, "failed"),
        ({}, {"exp": 1}, "failed"),
        ({}, {"user": "jun"}, "forbidden"),
        ({"audience": "another api"}, {}, "forbidden"),
        ({"tenant": "no tenant!"}, {}, "forbidden"),
    ],
)
async def test_tokens_that_are_not_meant_for_this_login_are_not_taken(
    visitor: Visitor, provider: Provider, claims: dict[str, str], id_claims: dict[str, str], fault: str
) -> None:
    """Of another login, client, issuer or person, or over: nobody is signed in, and what was said is not repeated."""
    provider.claims, provider.id_claims = claims, id_claims
    assert await visitor.signed_in() == f"/console/?fault={fault}"
    assert await visitor.me() == ""


async def test_the_way_on_stays_in_the_console(visitor: Visitor) -> None:
    """A login leads to a screen of the console and nowhere else."""
    for wanted in ("https://evil.example", "//evil.example", "%23%2F%0d%0aset-cookie: x", "javascript:alert(1)"):
        assert await visitor.signed_in(f"/console/login?next={wanted}") == "/console/#/"


@pytest.mark.long
async def test_a_person_signs_in_looks_and_signs_out(cluster: Cluster, provider: Provider, browser: Browser) -> None:
    """In a browser: refused once, signed in, asked as oneself, signed out, with no fault of accessibility."""
    provider.user, provider.claims, provider.id_claims = "", {}, {}
    async with page_of(browser, cluster.doors["console"]) as page:
        await page.get_by_role("button", name="로그인").click()
        await expect(page.get_by_role("alert").first).to_contain_text("로그인하지 않았습니다")
        provider.user = "mina"
        await page.get_by_role("button", name="로그인").click()
        await expect(page.locator("#tools")).to_contain_text("mina")
        assert await page.evaluate("document.cookie") == ""
        await page.locator("#question").fill("강남구 아파트 전세 시세 알려줘")
        await page.keyboard.press("Enter")
        await expect(page.locator("article[aria-busy=false]")).to_have_count(1)
        await expect(page.locator(".answer")).to_contain_text("강남구")
        assert await faults_of(page) == []
        await page.locator("#tools").get_by_role("button", name="로그아웃").click()
        await expect(page.locator("#tools")).to_contain_text("로그인")
        await expect(page.locator("#tools")).not_to_contain_text("mina")
        # What was said is not asked for again by somebody who is nobody.
        await page.wait_for_load_state("networkidle")
        assert await page.evaluate("location.hash") in {"", "#/"}


async def test_an_operator_sees_what_ran_and_content_only_on_record(
    cluster: Cluster, provider: Provider, visitor: Visitor, browser: Browser, folder: Path
) -> None:
    """A person has own flows; an operator the tenant's without words; with operator:content all, written down."""
    words = "서초구 아파트 전세 시세 알려줘"
    mine = provider.signed("jun", "hapju")
    asked = (await cluster.ask(words, token=mine)).answer.flow_run_id
    other = provider.signed("zoe", "hapju", tenant="other")
    foreign = (await cluster.ask(words, token=other)).answer.flow_run_id

    async def refusals(user: str, *roles: str) -> list[int]:
        provider.user, provider.claims = user, {"roles": list(roles)}
        await visitor.signed_in()
        paths = ["/v1/flows?of_tenant=true", f"/v1/flows/{asked}?of_tenant=true"]
        paths += [f"/v1/flows/{asked}?of_tenant=true&with_content=true", f"/v1/flows/{foreign}?of_tenant=true"]
        return [(await visitor.get(path, **{"hapju-console": "1"}))[0] for path in paths]

    def views() -> list[tuple[str, str, str]]:
        with sqlite3.connect(folder / "flows.db") as kept:
            rows = kept.execute("SELECT viewer_id, user_id, flow_run_id FROM content_views").fetchall()
        kept.close()
        return rows

    assert await refusals("mina") == [403, 403, 403, 403]
    assert await refusals("ops", "operator") == [200, 200, 403, 404]
    listed = (await visitor.get("/v1/flows?of_tenant=true", **{"hapju-console": "1"}))[2].decode()
    record = (await visitor.get(f"/v1/flows/{asked}?of_tenant=true", **{"hapju-console": "1"}))[2].decode()
    assert asked in listed
    assert foreign not in listed
    assert "서초구" not in listed + record
    assert json.loads(record)["chain"]
    assert views() == []
    assert await refusals("boss", "operator", "operator:content") == [200, 200, 200, 404]
    assert views() == [("boss", "jun", asked)]

    async with page_of(browser, cluster.doors["console"]) as page:
        await page.get_by_role("button", name="로그인").click()
        await expect(page.locator("#tools")).to_contain_text("boss")
        await page.goto(f"{cluster.doors['console']}/#/flows")
        await page.locator("#everybody").check()
        await page.locator("main a", has_text=asked).click()
        await expect(page.locator("main")).to_contain_text("jun")
        await expect(page.locator("main")).not_to_contain_text("서초구")
        await page.get_by_role("button", name="내용 보기").click()
        await expect(page.locator("h1")).to_have_text(words)
        await expect(page.get_by_role("link", name="추적 보기")).to_have_attribute(
            "href", f"https://traces.example/search?id={asked}"
        )
        assert await faults_of(page) == []
    assert views() == [("boss", "jun", asked)] * 2


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    """The system's browser."""
    async with browser_of_the_system() as started:
        yield started
