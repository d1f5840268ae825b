"""Years beside bonds are maturities, and no time; what no data holds is told by the words that name it."""

import pytest

from services.domains.finance.asks.absent import absent_names
from services.domains.finance.asks.maturities import with_maturities
from services.domains.finance.asks.named import shares_named
from services.domains.finance.asks.reading import read
from services.domains.finance.asks.spans import span_of
from services.domains.finance.asks.typed.stories import type_missing
from tests.unit.catalog.test_leaning_messages import sheet_of


@pytest.mark.parametrize(
    ("text", "series"),
    [
        ("국채 10년이 2년보다 높은가", ["DGS10", "DGS2"]),
        ("미국 국채 2년 이자율", ["DGS2"]),
        ("what is the ten-year at?", ["DGS10"]),
        ("what is the 2 year yielding", ["DGS2"]),
        ("yield on the 2-year versus the ten-year", ["DGS2", "DGS10"]),
    ],
)
def test_years_beside_bonds_are_their_maturities(text: str, series: list[str]) -> None:
    """They are named by their years alone, and no span of time is read in them."""
    sheet = with_maturities(sheet_of(text), ())
    assert [one.value for one in sheet.of_kind("series")] == series
    assert span_of(sheet) is None


@pytest.mark.parametrize(
    "text",
    [
        "국채 금리 2년 전보다 올랐어?",
        "국채 금리 10년 동안 추이",
        "how far have yields moved over two years",
        "yields 2 years ago",
    ],
)
def test_a_time_beside_bonds_stays_a_time(text: str) -> None:
    """Years that something lasts, or lies back, are of no bond."""
    sheet = sheet_of(text)
    assert with_maturities(sheet, ()).text == sheet.text


def test_two_maturities_are_held_against_each_other() -> None:
    """Which is higher is asked of both."""
    (claim,) = read(sheet_of("미국채는 2년이랑 10년 가운데 어느 쪽 금리가 높아"), ())
    assert claim.ask.answerer == "compare"
    assert {one.value for one in claim.ask.subjects} == {"DGS2", "DGS10"}


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("캐나다 달러 환율", "캐나다 달러 환율"),
        ("구리 선물 얼마야", "구리 선물"),
        ("리플 시세", "가상자산(리플)"),
        ("ECB policy rate", "ECB 금리"),
        ("조선주 뭐 있어", "조선주"),
    ],
)
def test_what_is_missing_is_told_by_its_own_name(text: str, named: str) -> None:
    """A name of a whole kind holds the words that were said."""
    sheet = sheet_of(text)
    (claim,) = type_missing(sheet, shares_named(sheet))
    assert named in [one.ko for one in absent_names(claim.ask)]
