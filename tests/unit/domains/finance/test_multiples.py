"""A multiple at a price that is supposed."""

import pytest

from services.catalog.asks import read_asks
from tests.unit.catalog.test_leaning_messages import said, sheet_of


@pytest.mark.parametrize(
    ("text", "measure", "price"),
    [
        ("현대차가 30만원이면 PBR 몇 배야", "pbr", ("krw", "300000")),
        ("네이버 주가가 20만원까지 내리면 PER이 얼마나 돼?", "per", ("krw", "200000")),
        ("What would Apple's P/E be at $300?", "per", ("usd", "300")),
    ],
)
def test_a_multiple_is_asked_at_the_price_that_is_named(text: str, measure: str, price: tuple[str, str]) -> None:
    """The price that a question supposes is taken, and today's multiple is no answer to it."""
    (claim,) = read_asks(sheet_of(text), ())
    assert (claim.ask.answerer, claim.ask.measures) == ("finance.multiple_at", (measure,))
    assert [(one.unit, one.value) for one in claim.ask.quantities] == [price]


def test_a_multiple_at_a_price_is_of_the_share_that_was_spoken_of() -> None:
    """A message that names no share goes on from the last one."""
    (claim,) = read_asks(sheet_of("주가가 300달러면 PER 몇 배야"), said("애플 PER 알려줘"))
    assert (claim.ask.answerer, claim.ask.subjects[0].value) == ("finance.multiple_at", "US:AAPL")


@pytest.mark.parametrize(
    ("text", "measure", "multiple"),
    [
        ("기아 주가가 얼마까지 내리면 PER 4배가 돼?", "per", "4"),
        ("at what share price would Apple have a P/E of 30?", "per", "30"),
        ("네이버 PBR이 2배면 주가가 얼마야", "pbr", "2"),
    ],
)
def test_a_price_is_asked_at_the_multiple_that_is_named(text: str, measure: str, multiple: str) -> None:
    """The other way about: the multiple is given, and the price is the unknown."""
    (claim,) = read_asks(sheet_of(text), ())
    assert (claim.ask.answerer, claim.ask.measures) == ("finance.price_at", (measure,))
    assert [(one.role, one.value) for one in claim.ask.quantities] == [("multiple", multiple)]
