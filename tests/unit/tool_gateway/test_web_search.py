"""web_search over a real HTTP server: what of a page comes through, and what a provider that misbehaves leads to."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from services.catalog.loader import catalog
from services.contract.tool import ToolFailure, ToolResult
from services.runtime.environment import load
from services.runtime.identity import Caller
from services.runtime.settings import Settings, SettingsError
from services.tool_gateway.grants import grants_of
from services.tool_gateway.invocation import Invocations
from services.tool_gateway.reads import GatewayReads
from services.tool_gateway.registry import load_registry
from services.tool_gateway.web.searxng import ANSWER_BYTES_MAX, SearxngSearch
from tests.support.web_server import PAGE, WebServer
from tests.unit.tool_gateway.seeded_data import make_call, rows_of

CALLER = "synthesizer"


@pytest_asyncio.fixture
async def server() -> AsyncIterator[WebServer]:
    """A running search."""
    async with WebServer() as running:
        yield running


@pytest_asyncio.fixture
async def searching(server: WebServer, reader: Any) -> AsyncIterator[Invocations]:
    """Calls of the tools where the web is searched at that server."""
    search = SearxngSearch(server.url)
    registry = load_registry()
    yield Invocations(registry, GatewayReads(reader, web=search), grants_of(catalog(), registry, web=True))
    await search.close()


async def invoke(calls: Invocations, arguments: Any, caller: str = CALLER, flow: str = "flow-1") -> Any:
    """Calls web_search."""
    return await calls.invoke(
        make_call("web_search", arguments, caller=Caller("user-1", service=caller), flow_run_id=flow)
    )


@pytest.mark.asyncio
async def test_a_page_comes_as_plain_text_with_host_and_day(server: WebServer, searching: Invocations) -> None:
    """Markup is gone, of an address the host is left, a day without a zone is UTC, and the query is what was asked."""
    found = await invoke(searching, {"query": "기준금리", "language": "ko"})
    assert rows_of(found) == [
        {
            "title": PAGE["title"],
            "host": "news.example.org",
            "excerpt": "금융통화위원회가 동결을 결정했다.",
            "published_at": "2026-11-27T02:00:00Z",
        }
    ]
    assert (found.provenance.source, found.provenance.sample, found.provenance.row_count) == ("web search", False, 1)
    (asked,) = server.queries
    assert (asked["q"], asked["format"], asked["language"]) == ("기준금리", "json", "ko")


@pytest.mark.asyncio
async def test_what_is_no_page_is_left_out_and_pages_are_bounded(server: WebServer, searching: Invocations) -> None:
    """No title, no web address, a broken day: the first two are left out; long texts and long lists are cut."""
    server.results = [
        {**PAGE, "title": "<script></script> "},
        {**PAGE, "url": "javascript:alert(1)"},
        {**PAGE, "url": "http://[::1"},
        "no object",
        {**PAGE, "title": "가" * 900, "content": "나" * 900, "publishedDate": "yesterday"},
        *[{**PAGE, "title": f"page {number}"} for number in range(300)],
    ]
    rows = rows_of(await invoke(searching, {"query": "x"}))
    assert [len(row["title"]) for row in rows] == [200, 6, 6, 6, 6]
    assert (len(rows[0]["excerpt"]), rows[0]["published_at"]) == (500, None)


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "broken",
    [
        {"status": 500},
        {"status": 302},
        {"body": b"<html>"},
        {"body": b'{"results": 3}'},
        {"body": b"[]"},
        {"body": b" " * (ANSWER_BYTES_MAX + 1)},
    ],
    ids=["500", "redirect", "html", "no list", "no object", "endless"],
)
async def test_a_provider_that_misbehaves_is_a_failed_call(
    server: WebServer, searching: Invocations, broken: dict[str, Any]
) -> None:
    """Each is the outcome TOOL_FAILED, none is followed or believed."""
    for name, value in broken.items():
        setattr(server, name, value)
    outcome = await invoke(searching, {"query": "x"})
    assert isinstance(outcome, ToolFailure)
    assert outcome.reason == "TOOL_FAILED"
    assert len(server.queries) == 1


@pytest.mark.asyncio
async def test_the_web_is_asked_once_a_flow(server: WebServer, searching: Invocations) -> None:
    """The same search in the same flow is answered from the first one; another flow asks anew."""
    first, again = await invoke(searching, {"query": "x"}), await invoke(searching, {"query": "x"})
    assert isinstance(first, ToolResult)
    assert (first.replayed, again.replayed, len(server.queries)) == (False, True, 1)
    await invoke(searching, {"query": "x"}, flow="flow-2")
    assert len(server.queries) == 2


@pytest.mark.asyncio
async def test_only_the_synthesizer_may_and_only_where_it_is_switched_on(
    server: WebServer, searching: Invocations, reads: GatewayReads
) -> None:
    """An agent is refused; by default so is the synthesizer, and a gateway without a provider searches nothing."""
    registry = load_registry()
    off = Invocations(registry, reads, grants_of(catalog(), registry))
    for calls, caller in ((searching, "finance.macro"), (off, CALLER)):
        outcome = await invoke(calls, {"query": "x"}, caller)
        assert isinstance(outcome, ToolFailure)
        assert outcome.reason == "UNAUTHORIZED_ACTION"
    granted = Invocations(registry, reads, grants_of(catalog(), registry, web=True))
    assert (await invoke(granted, {"query": "x"})).reason == "TOOL_FAILED"
    assert server.queries == []


def test_the_setting_is_an_address_of_the_web() -> None:
    """Off by default; what is no http address is refused by name."""

    class NoPlaces:
        names: tuple[str, ...] = ()
        variables_idle: tuple[str, ...] = ()

        def port(self, name: str) -> int:
            raise KeyError(name)

        def address_variable(self, name: str) -> str:
            raise KeyError(name)

    assert Settings().web_search_url == ""
    given = "https://search.internal/search"
    assert load(NoPlaces(), {"HAPJU_WEB_SEARCH_URL": given}).web_search_url == given
    with pytest.raises(SettingsError, match="HAPJU_WEB_SEARCH_URL"):
        load(NoPlaces(), {"HAPJU_WEB_SEARCH_URL": "file:///etc/passwd"})
