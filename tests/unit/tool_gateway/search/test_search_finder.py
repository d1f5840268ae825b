"""The finder: fused ranks, the floor, filters, a new index noticed; and products that no word finds."""

from collections.abc import Mapping
from typing import Any

import pytest

from services.plugin.tools.reads import Floor, Hit
from services.tool_gateway.data.reader import Reader
from services.tool_gateway.reads import GatewayReads
from services.tool_gateway.search.finder import Finder
from tests.unit.tool_gateway.seeded_data import rows_of


@pytest.mark.asyncio
async def test_scores_fall_and_lie_between_nought_and_one(reads: GatewayReads) -> None:
    """Hits come best first; each score and share lies in 0..1, and the first fits best by words or by meaning."""
    hits = await reads.finder.find("law", "묵시적 갱신 뒤에 해지하려면", timeout_seconds=30)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert all(0 <= hit.score <= 1 and 0 <= hit.word_share <= 1 and -1 <= hit.likeness <= 1 for hit in hits)
    assert all(Floor().lets_through(hit) for hit in hits)
    assert hits[0].document_id == "HLPA-6-2"


@pytest.mark.parametrize(
    ("hit", "passes"),
    [
        (Hit("a", 1.0, 0.4, 0.0), True),
        (Hit("a", 1.0, 0.0, 0.5), True),
        (Hit("a", 1.0, 0.3, 0.35), True),
        (Hit("a", 1.0, 0.3, 0.3), False),
        (Hit("a", 1.0, 0.0, 0.0), False),
    ],
)
def test_the_floor_takes_words_or_meaning_or_both(hit, passes) -> None:
    """A high rank alone lets nothing through."""
    assert Floor().lets_through(hit) is passes


@pytest.mark.asyncio
async def test_only_allowed_documents_come_back(reads: GatewayReads) -> None:
    """Documents outside the filter are neither returned nor counted in a rank."""
    allowed = frozenset({"CLPA-10", "CLPA-11"})
    hits = await reads.finder.find("law", "계약 갱신 요구", timeout_seconds=30, allowed=allowed)
    assert hits[0].document_id == "CLPA-10"
    assert {hit.document_id for hit in hits} <= allowed
    assert hits[0].score == 1.0


@pytest.mark.parametrize("question", ["", "   ", "\u3164", "???"])
@pytest.mark.asyncio
async def test_nothing_asked_finds_nothing(reads: GatewayReads, question) -> None:
    """A question without anything to look for finds nothing."""
    assert await reads.finder.find("law", question, timeout_seconds=30) == []


@pytest.mark.asyncio
async def test_an_unknown_collection_finds_nothing(reads: GatewayReads) -> None:
    """A collection without an index has no hits."""
    assert await reads.finder.find("nothing", "전세", timeout_seconds=30) == []


@pytest.mark.asyncio
async def test_the_vectors_are_read_once(url) -> None:
    """A second search of a collection reads no vectors again."""
    reader = Reader.open(url)
    asked: list[str] = []

    class Counting:
        """Counts which statements run."""

        def __init__(self) -> None:
            self._reads = GatewayReads(reader)

        async def records(
            self, template_id: str, values: Mapping[str, Any], *, rows_max: int, timeout_seconds: float
        ) -> list[dict[str, Any]]:
            """Run a statement and remember it."""
            asked.append(template_id)
            return await self._reads.records(template_id, values, rows_max=rows_max, timeout_seconds=timeout_seconds)

    finder = Finder(Counting())
    for question in ("전세금 인상", "수리비 부담"):
        await finder.find("law", question, timeout_seconds=30)
    await reader.close()
    assert asked.count("search_vectors.v1") == 1
    assert asked.count("search_words.v1") == 2


@pytest.mark.parametrize(
    ("query", "category"),
    [("귀에 꽂고 음악 듣는 기기", "earphones"), ("컴퓨터 화면 출력 장치", "monitor")],
)
@pytest.mark.asyncio
async def test_a_described_product_is_found_by_meaning(invoke, query, category) -> None:
    """Words that no product bears find the kind of product that they describe, and the note says how."""
    outcome = await invoke("product_search", {"query": query, "price_max": 10_000_000})
    rows = rows_of(outcome)
    assert rows
    assert {row["category"] for row in rows} == {category}
    assert "close in meaning" in outcome.note


@pytest.mark.parametrize("query", ["우주 정거장", "전세금 인상", "zzzzzz", "zzzz qqqq"])
@pytest.mark.asyncio
async def test_what_is_no_product_finds_none(invoke, query) -> None:
    """Nothing is returned below the floor."""
    outcome = await invoke("product_search", {"query": query})
    assert rows_of(outcome) == []
    assert outcome.note.startswith("no product bears any of these words")
