"""web_search: pages of the web, where a provider is set; called by the synthesizer alone, once a flow."""

import hashlib
import json
from typing import Annotated, Final, Literal

from pydantic import Field, StringConstraints

from services.contract.flow import Provenance
from services.contract.tool import ToolCost
from services.plugin.tools.reads import ReadResult, Reads, Row, UtcTime
from services.plugin.tools.tool import Arguments, Tool
from services.tool_gateway.reads import GatewayReads
from services.tool_gateway.web.provider import WebUnavailable

PAGES_MAX: Final = 5
"""How many pages one search returns at most."""
_TEMPLATE_ID: Final = "web_search.v1"


class WebSearchArguments(Arguments):
    """What is searched for."""

    query: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=300)] = Field(
        description="What is searched for, in the user's words."
    )
    language: Literal["ko", "en"] = Field(default="ko", description="Language of the pages.")
    limit: int = Field(default=PAGES_MAX, ge=1, le=PAGES_MAX, description="Pages to return.")


class WebSearchRow(Row):
    """One page."""

    title: str
    """Its title in plain text."""
    host: str
    """The host that serves it."""
    excerpt: str
    """What is quoted of it, in plain text; may be empty."""
    published_at: UtcTime | None
    """When it was published; null where that is not known."""


async def _read(arguments: WebSearchArguments, reads: Reads, timeout_seconds: float) -> ReadResult:
    if not isinstance(reads, GatewayReads) or reads.web is None:
        raise WebUnavailable("the web is not searched here; HAPJU_WEB_SEARCH_URL would name a search")
    pages = await reads.web.search(
        arguments.query, language=arguments.language, pages_max=arguments.limit, timeout_seconds=timeout_seconds
    )
    rows = tuple(
        WebSearchRow(title=page.title, host=page.host, excerpt=page.excerpt, published_at=page.published_at)
        for page in pages
    )
    rows_json = b"[" + b",".join(row.model_dump_json().encode() for row in rows) + b"]"
    return ReadResult(
        rows, rows_json, truncated=False, provenance=_provenance(arguments, reads.web.name, rows, rows_json)
    )


def _provenance(
    arguments: WebSearchArguments, provider: str, rows: tuple[WebSearchRow, ...], rows_json: bytes
) -> Provenance:
    filters = json.dumps(arguments.model_dump(), ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    return Provenance(
        source=provider,
        dataset="",
        table="",
        filters_json=filters,
        as_of_time=max((row.published_at for row in rows if row.published_at is not None), default=None),
        row_count=len(rows),
        template_id=_TEMPLATE_ID,
        fingerprint=hashlib.sha256(b"\x00".join((_TEMPLATE_ID.encode(), filters, rows_json))).hexdigest(),
        sample=False,
    )


TOOL = Tool(
    name="web_search",
    description_ko="웹에서 문서를 찾아 제목, 사이트, 발행일과 발췌를 줍니다. 기본으로는 꺼져 있습니다.",
    description_en="Finds pages of the web with title, site, day of publication and an excerpt. Off by default.",
    arguments=WebSearchArguments,
    row=WebSearchRow,
    read=_read,
    domain="",
    data_type="web",
    cost=ToolCost.MEDIUM,
    typical_seconds=1.5,
    quality_prior=0.5,
    timeout_seconds=4,
    concurrency_max=8,
)
