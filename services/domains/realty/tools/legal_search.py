"""legal_search: articles of law on homes that answer a question, best first."""

from dataclasses import replace
from typing import Annotated, Final

from pydantic import Field, StringConstraints

from services.contract.tool import ToolCost
from services.domains.realty.agreements.statutes import citation
from services.plugin.tools.found import FoundRow, SearchedRows, found_reading
from services.plugin.tools.reads import ReadResult, Reads, UtcTime
from services.plugin.tools.tool import Arguments, Tool, UnknownIdentifier
from services.plugin.wording import Text

_ARTICLES_MAX: Final = 300
_TOPICS_MAX: Final = 50


class LegalSearchArguments(Arguments):
    """What is asked, within which topic."""

    query: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=400)] = Field(
        description="The question or its words, Korean or English, for example 전세금을 얼마까지 올릴 수 있나."
    )
    topic: Annotated[str, StringConstraints(pattern=r"^[a-z_]{1,24}$")] | None = Field(
        default=None, description="Only articles on this topic, for example rent, deposit, renewal, repair or tax."
    )
    limit: int = Field(default=5, ge=1, le=20, description="Articles to return, best first.")


class LegalSearchRow(FoundRow):
    """One article of law. The summary is ours; statute, article and title are the law's."""

    article_id: str
    """Id of the article; never shown to a user."""
    statute_ko: str
    """Statute for Korean readers."""
    statute_en: str
    """Statute for English readers."""
    article: str
    """Number of the article: 7, or 7-2 for 제7조의2."""
    title_ko: str
    """Title of the article."""
    title_en: str
    """Title in English."""
    summary_ko: str
    """What it says, in our own words."""
    summary_en: str
    """The same in English."""
    topic: str
    """What it is about."""
    is_tenant_protection: bool
    """Whether it protects tenants."""
    is_tax: bool
    """Whether it is about a tax."""
    as_of: UtcTime
    """When the summary was loaded."""

    def subject(self, locale: str) -> str:
        """Return the citation."""
        return self.cited(locale)

    def cited(self, locale: str) -> str:
        """Return the citation: "주택임대차보호법 제7조의2", "Housing Lease Protection Act, Article 7-2"."""
        return citation(self.statute_ko if locale == "ko" else self.statute_en, self.article, locale)

    @property
    def is_of_shops(self) -> bool:
        """Whether it speaks of shops and not of homes."""
        return self.statute_ko.startswith("상가")

    def said(self, locale: str) -> str:
        """Return what it says, without its last full stop."""
        return (self.summary_ko if locale == "ko" else self.summary_en).rstrip(" .")


async def _read(arguments: LegalSearchArguments, reads: Reads, timeout_seconds: float) -> ReadResult:
    allowed = await _on_topic(arguments.topic, reads, timeout_seconds)
    hits = await reads.finder.find("law", arguments.query, timeout_seconds=timeout_seconds, allowed=allowed)
    found = SearchedRows("law_articles.v1", "article_id", {"query": arguments.query, "topic": arguments.topic or ""})
    reading = await found_reading(reads, found, LegalSearchRow, hits[: arguments.limit], timeout_seconds)
    return reading if reading.rows else replace(reading, note="no article of the collection fits the question")


async def _on_topic(topic: str | None, reads: Reads, timeout_seconds: float) -> frozenset[str] | None:
    if topic is None:
        return None
    listed = await reads.records(
        "law_ids.v1", {"topic": topic}, rows_max=_ARTICLES_MAX, timeout_seconds=timeout_seconds
    )
    if not listed:
        topics = await reads.records("law_topics.v1", {}, rows_max=_TOPICS_MAX, timeout_seconds=timeout_seconds)
        names = ", ".join(record["topic"] for record in topics)
        raise UnknownIdentifier("topic", f"{topic} is no topic; known: {names}")
    return frozenset(record["article_id"] for record in listed)


TITLE: Final = Text("법 조문", "Articles of law")
"""What a user calls its rows."""
TOOL = Tool(
    name="legal_search",
    description_ko="주택과 상가 임대차, 매매, 중개, 신고, 세금에 관한 법 조문을 질문에 맞는 순서로 찾아 줍니다.",
    description_en="Finds articles of Korean law on leases, sales, agents, reports and taxes that answer a question.",
    arguments=LegalSearchArguments,
    title=TITLE,
    row=LegalSearchRow,
    read=_read,
    domain="realty",
    data_type="legal",
    cost=ToolCost.MEDIUM,
    typical_seconds=2.5,
    quality_prior=0.9,
    timeout_seconds=10,
    concurrency_max=8,
)
