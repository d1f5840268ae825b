"""A small SearXNG-shaped search for tests: real HTTP on port 0, scriptable, and it counts."""

import json
from dataclasses import dataclass, field
from typing import Any, Self

from aiohttp import web

PAGE = {
    "title": "한국은행, 금리 동결 배경 설명",
    "url": "https://news.example.org/a/1?token=secret",
    "content": "금융통화위원회가 <b>동결</b>을 결정했다.",
    "publishedDate": "2026-11-27T02:00:00",
}
"""A page with all that a result can hold."""


@dataclass
class WebServer:
    """The search; an async context manager."""

    results: list[Any] = field(default_factory=lambda: [PAGE])
    """What every search returns."""
    status: int = 200
    """HTTP status of every answer."""
    body: bytes | None = None
    """Raw body in place of the results."""
    queries: list[dict[str, str]] = field(default_factory=list)
    """The parameters of every search, in order of arrival."""
    url: str = ""
    """Its address once it runs."""

    async def __aenter__(self) -> Self:
        """Start."""
        app = web.Application()
        app.router.add_get("/search", self._search)
        self._runner = web.AppRunner(app)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}/search"
        return self

    async def __aexit__(self, *_error: object) -> None:
        """Stop."""
        await self._runner.cleanup()

    async def _search(self, request: web.Request) -> web.Response:
        self.queries.append(dict(request.query))
        body = json.dumps({"results": self.results}).encode() if self.body is None else self.body
        headers = {"Location": "http://127.0.0.1:9/elsewhere"} if self.status in {301, 302} else None
        return web.Response(status=self.status, body=body, content_type="application/json", headers=headers)
