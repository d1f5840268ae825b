"""glossary_search: terms of homes, finance and selling, explained."""

from dataclasses import replace
from typing import Annotated, Final, Literal

from pydantic import Field, StringConstraints

from services.contract.tool import ToolCost
from services.plugin.tools.found import FoundRow, SearchedRows, found_reading
from services.plugin.tools.reads import ReadResult, Reads, UtcTime
from services.plugin.tools.tool import Arguments, Tool
from services.plugin.wording import Text

_TERMS_MAX: Final = 1_000
Domain = Literal["realty", "finance", "commerce"]


class GlossarySearchArguments(Arguments):
    """Which term, of which domain."""

    query: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)] = Field(
        description="The term or what it means, Korean or English, for example 확정일자."
    )
    domain: Domain | None = Field(default=None, description="Only terms of this domain.")
    limit: int = Field(default=3, ge=1, le=20, description="Terms to return, best first.")


class GlossarySearchRow(FoundRow):
    """One term."""

    term_id: str
    """Id of the term; never shown to a user."""
    domain: Domain
    """Domain that it belongs to."""
    term_ko: str
    """Term for Korean readers."""
    term_en: str
    """Term for English readers."""
    definition_ko: str
    """What it means."""
    definition_en: str
    """The same in English."""
    as_of: UtcTime
    """When it was loaded."""

    def subject(self, locale: str) -> str:
        """Return the term."""
        return self.term_ko if locale == "ko" else self.term_en


async def _read(arguments: GlossarySearchArguments, reads: Reads, timeout_seconds: float) -> ReadResult:
    allowed = None
    if arguments.domain is not None:
        values = {"domain": arguments.domain}
        listed = await reads.records("glossary_ids.v1", values, rows_max=_TERMS_MAX, timeout_seconds=timeout_seconds)
        allowed = frozenset(record["term_id"] for record in listed)
    hits = await reads.finder.find("glossary", arguments.query, timeout_seconds=timeout_seconds, allowed=allowed)
    found = SearchedRows("glossary_terms.v1", "term_id", {"query": arguments.query, "domain": arguments.domain or ""})
    reading = await found_reading(reads, found, GlossarySearchRow, hits[: arguments.limit], timeout_seconds)
    return reading if reading.rows else replace(reading, note="no term of the glossary fits")


TOOL = Tool(
    name="glossary_search",
    description_ko="부동산, 금융, 판매 용어의 뜻을 찾아 줍니다.",
    description_en="Finds what terms of real estate, finance and selling mean.",
    arguments=GlossarySearchArguments,
    row=GlossarySearchRow,
    read=_read,
    domain="general",
    data_type="glossary",
    title=Text("용어집", "Glossary"),
    cost=ToolCost.LOW,
    typical_seconds=0.5,
    quality_prior=0.85,
    timeout_seconds=10,
    concurrency_max=8,
)
