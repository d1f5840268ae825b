"""Web searches by a SearXNG instance, through its JSON API: GET <url>?q=...&format=json."""

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from services.runtime.tenants import Tenants
from services.tool_gateway.web.provider import (
    EXCERPT_CHARS_MAX,
    TITLE_CHARS_MAX,
    WebPage,
    WebUnavailable,
    host_of,
    plain_text,
)

if TYPE_CHECKING:
    from aiohttp import ClientResponse, ClientSession

ANSWER_BYTES_MAX: Final = 1_000_000
"""How long an answer may be; a longer one is no answer."""
_OK: Final = 200


class SearxngSearch:
    """Searches with one instance; see `WebSearch`.

    Args:
        url: The address of its search, for example http://searxng:8080/search.
        tenants: Whose questions may go there; everybody's by default.
    """

    name = "web search"

    def __init__(self, url: str, tenants: Tenants | None = None) -> None:
        self._url = url
        self._tenants = tenants or Tenants()
        self._session: ClientSession | None = None

    async def search(self, query: str, *, language: str, pages_max: int, timeout_seconds: float) -> tuple[WebPage, ...]:
        """Return pages, best first; see `WebSearch.search`."""
        if not self._tenants.granted().may_reach(self._url):
            raise WebUnavailable("questions of this tenant may not go to the search")
        # Imported here: a gateway that never searches the web does not load an HTTP client.
        from aiohttp import ClientError, ClientSession, ClientTimeout  # noqa: PLC0415

        if self._session is None:
            self._session = ClientSession()
        asked = {"q": query, "format": "json", "language": language, "safesearch": "1"}
        limit = ClientTimeout(total=timeout_seconds)
        try:
            async with self._session.get(self._url, params=asked, timeout=limit, allow_redirects=False) as response:
                found = _results(await _body(response))
        except ClientError as error:
            raise WebUnavailable(f"the search does not answer: {type(error).__name__}") from error
        pages = (page for one in found if (page := _page(one)) is not None)
        # Bounded before it is looked at: an instance may return hundreds of pages.
        return tuple(page for page, _ in zip(pages, range(pages_max), strict=False))

    async def close(self) -> None:
        """Hang up."""
        if self._session is not None:
            await self._session.close()


async def _body(response: "ClientResponse") -> bytes:
    if response.status != _OK:
        raise WebUnavailable(f"the search answers with HTTP {response.status}")
    body = bytearray()
    async for chunk in response.content.iter_any():
        body += chunk
        if len(body) > ANSWER_BYTES_MAX:
            raise WebUnavailable(f"the search's answer is over {ANSWER_BYTES_MAX} bytes")
    return bytes(body)


def _results(body: bytes) -> list[dict[str, Any]]:
    try:
        results = json.loads(body)["results"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise WebUnavailable("the search answers with something else than results") from error
    if not isinstance(results, list):
        raise WebUnavailable("the search answers with something else than results")
    return [one for one in results if isinstance(one, dict)]


def _page(result: dict[str, Any]) -> WebPage | None:
    """Return a page; None for a result without a title or an address of the web."""
    title = plain_text(str(result.get("title") or ""), TITLE_CHARS_MAX)
    host = host_of(str(result.get("url") or ""))
    if not title or not host:
        return None
    excerpt = plain_text(str(result.get("content") or ""), EXCERPT_CHARS_MAX)
    return WebPage(title, host, excerpt, _moment(str(result.get("publishedDate") or "")))


def _moment(text: str) -> datetime | None:
    """Return when a page was published; SearXNG writes ISO 8601, in UTC where it writes no zone."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
