"""Which of a seller's goods a question on sales is of: a kind, a model, several kinds against each other, or all."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from services.catalog.reading import read_question
from services.contract.asks import Ask, AskedBefore
from services.domains.commerce.asks import ANSWERERS, READ
from services.domains.commerce.asks.seller.scope import filters_of, of_kinds
from services.plugin.asks.sheet import Sheet

_NOW = datetime(2026, 5, 20, 3, 0, tzinfo=UTC)
_BY_ID = {one.id: one for one in ANSWERERS}


def _ask(text: str, *before: AskedBefore) -> Ask:
    reading = read_question(text, now=_NOW)
    sheet = Sheet(reading.text, reading.language, reading.today, reading.entities, "seller")
    (claim,) = READ(sheet, before)
    return replace(claim.ask, domain="commerce")


@pytest.mark.parametrize(
    ("text", "answerer", "filters"),
    [
        ("이번 달 모니터 매출 얼마예요", "sales_level", 1),
        ("이번 달 M77 몇 개 팔렸어", "sales_level", 1),
        ("are my monitors doing better than in March?", "sales_change", 1),
        ("지난달 매출", "sales_level", 0),
    ],
)
def test_sales_are_of_the_goods_that_are_named(text: str, answerer: str, filters: int) -> None:
    """Every query of such a question reads the goods that it names, and these alone."""
    ask = _ask(text)
    assert ask.answerer == answerer
    assert len(filters_of(ask)) == filters
    calls = [call for call in _BY_ID[answerer].calls(ask) if call.arguments.get("dataset") == "own_sales"]
    assert calls
    assert all(len(call.arguments.get("filters", ())) == len(filters_of(ask)) for call in calls)


def test_several_kinds_are_held_against_each_other() -> None:
    """Two kinds of goods are ranked by the figure that is asked for, each as a whole."""
    ask = _ask("compare my monitors and keyboards by revenue this month")
    assert (ask.answerer, of_kinds(ask)) == ("sales_rank", True)
    assert _BY_ID["sales_rank"].calls(ask)[0].arguments["by"] == ["category"]


def test_other_goods_are_asked_the_same() -> None:
    """A kind alone, right after an answer on sales, asks the same of it over the same days."""
    first = _ask("지난달 모니터 매출")
    other = _ask("키보드는?", AskedBefore((replace(first, ask_id="q1", answerer="commerce.sales_level"),)))
    assert [one.value for one in other.subjects] == ["keyboard"]
    assert (other.start_date, other.measures) == (first.start_date, first.measures)
