"""A source that is opened is read in a person's words: no raw column name, no code, in either language."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from services.catalog.columns import described, untitled
from services.contract.flow import Evidence, Provenance
from services.plugin.installed import packaged_domains
from services.tool_gateway.registry import load_registry


def evidence(*rows: dict[str, Any]) -> Evidence:
    """Returns a piece of evidence that holds some rows."""
    now = datetime(2026, 11, 29, tzinfo=UTC)
    origin = Provenance("a source", "d", "t", b"{}", now, len(rows), "query.x.v1", "f", sample=True)
    return Evidence("ev-1", "market", "title", "", json.dumps(rows).encode(), "hapju.tool.query_data.rows.v1", origin)


ROW = {"region_code": "11680", "region_ko": "강남구", "region_en": "Gangnam-gu", "deal_type": "jeonse", "price_krw": 5}


@pytest.mark.parametrize(
    ("locale", "told"),
    [
        ("ko", [("region_ko", "지역", ""), ("deal_type", "거래", ""), ("price_krw", "거래 금액", "krw")]),
        ("en-US", [("region_en", "District", ""), ("deal_type", "Deal", ""), ("price_krw", "Price", "krw")]),
    ],
)
def test_columns_are_called_as_a_reader_calls_them(locale: str, told: list[tuple[str, str, str]]) -> None:
    """In the reader's language, in the order of the row, without what only tells rows apart; flat rows and groups."""
    for rows in ([ROW], [{"fields": ROW, "row_count": 3, "total": 1, "as_of": "2026-11-27T06:30:00Z"}]):
        columns = described(evidence(*rows), "finance", locale).columns
        assert [(one.name, one.title, one.unit) for one in columns] == told


def test_codes_are_words() -> None:
    """Only those that the rows hold are told; truth values are codes too."""
    (deal,) = described(evidence({"deal_type": "sale"}, {"deal_type": "jeonse"}), "realty", "ko").columns
    assert deal.words == {"sale": "매매", "jeonse": "전세"}
    (flag,) = described(evidence({"homeless_only": True}), "realty", "en").columns
    assert flag.words == {"true": "yes"}


def test_what_two_domains_hold_has_the_word_of_the_one_that_reads_it() -> None:
    """An agent's own domain comes before what it builds on; a stranger's rows have their names without lines."""
    assert described(evidence({"price_krw": 5}), "realty", "en").columns[0].title == "Price or deposit"
    assert described(evidence({"price_krw": 5}), "commerce", "ko").columns[0].title == "판매가"
    assert described(evidence({"room_rate": 5}), "elsewhere", "ko").columns[0].title == "room rate"


def named() -> Iterator[tuple[str, str]]:
    """Yields each column that a shipped domain's tools and data sets tell, with the domain."""
    own = {one.name: one for one in packaged_domains()}
    for tool in load_registry():
        if tool.domain in own:
            yield from ((tool.domain, name) for name in tool.row.model_fields)
    for domain in own.values():
        for data in getattr(domain.module("datasets"), "DATASETS", ()):
            yield from ((domain.name, name) for name in (*data.dimensions, *data.measures, *data.fields))


def test_every_column_that_ships_has_a_title_or_is_hidden() -> None:
    """A new column of a tool or a data set is told in words from its first day."""
    found = set(named())
    assert len(found) > 200
    assert [(domain, name) for domain, name in sorted(found) if untitled((name,), domain)] == []
    assert untitled(("nothing_like_it",), "finance") == ("nothing_like_it",)
