"""Reading the figures of a statement, and holding them against known values."""

from datetime import date
from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.text.ko.written import money_en, money_ko, number, percent
from services.text.stated.dates import When
from services.text.stated.figures import Known, figures, supports
from services.text.stated.units import FigureUnit


def _read(text: str) -> list[tuple[str, str, str]]:
    return [(f"{figure.value.normalize():f}", figure.unit.value, figure.surface) for figure in figures(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("매매가는 7억 2,500만원입니다.", [("725000000", "krw", "7억 2,500만원")]),
        ("전월보다 3.2 %p 올랐습니다.", [("3.2", "percentage_point", "3.2 %p")]),
        ("It closed at $1,234.5.", [("1234.5", "usd", "$1,234.5")]),
        ("등락률은 -0.4%입니다.", [("-0.4", "percent", "-0.4%")]),
        ("마이너스 0.4%", [("-0.4", "percent", "마이너스 0.4%")]),
        ("−0.4 percent", [("-0.4", "percent", "-0.4 percent")]),
        ("KRW 1,234,000", [("1234000", "krw", "KRW 1,234,000")]),
        ("₩-500", [("-500", "krw", "₩-500")]),
        ("a $3.9T balance", [("3900000000000", "usd", "$3.9T")]),
        ("1.25 billion won", [("1250000000", "krw", "1.25 billion won")]),
        ("취업자 1억 5,900만 명", [("159000000", "persons", "1억 5,900만 명")]),
        ("25 basis points", [("25", "basis_point", "25 basis points")]),
        ("십이억 원", [("1200000000", "krw", "십이억 원")]),
        ("four percent", [("4", "percent", "four percent")]),
        ("２０만원", [("200000", "krw", "20만원")]),
        ("3억 5층", [("300000000", "", "3억"), ("5", "", "5")]),
        ("2.5~3.75%", [("2.5", "percent", "2.5"), ("3.75", "percent", "3.75%")]),
        ("2~3억원", [("200000000", "krw", "2"), ("300000000", "krw", "3억원")]),
        ("20/60/120일", [("20", "", "20"), ("60", "", "60"), ("120", "days", "120일")]),
        ("제6조의3에 따라", [("6.003", "article", "제6조의3")]),
        ("article 7-2", [("7.002", "article", "article 7-2")]),
        ("5,0000원", [("0", "unreadable", "5,0000")]),
    ],
)
def test_a_figure_is_read_with_unit_sign_and_magnitude(text: str, expected: list[tuple[str, str, str]]) -> None:
    """The value is in the unit's base, with the sign that stands before it."""
    assert expected == _read(text)


@pytest.mark.parametrize(
    "text",
    [
        "1. 먼저 확인합니다\n2) 다음에 비교합니다",
        "이 원칙을 지킵니다",
        "The 3rd is an M2 chart [12].",
        "one of them",
        "오늘은 쉽니다",
    ],
)
def test_what_counts_nothing_is_no_figure(text: str) -> None:
    """List numbers, marks, ordinals, names and words are no figures."""
    assert _read(text) == []


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("2026-11-26", When(2026, 11, 11, 26)),
        ("2026.11.26.", When(2026, 11, 11, 26)),
        ("2026년 11월 26일", When(2026, 11, 11, 26)),
        ("2026년 10월", When(2026, 10, 10, None)),
        ("11월 26일", When(None, 11, 11, 26)),
        ("2026년 3분기", When(2026, 7, 9, None)),
        ("2026년 하반기", When(2026, 7, 12, None)),
        ("November 26, 2026", When(2026, 11, 11, 26)),
        ("26 Nov 2026", When(2026, 11, 11, 26)),
        ("October 2026", When(2026, 10, 10, None)),
        ("Q3 2026", When(2026, 7, 9, None)),
        ("since 2024", When(2024, 1, 12, None)),
    ],
)
def test_a_date_is_a_date_and_no_number(text: str, when: When) -> None:
    """A date is one figure of its own kind."""
    (found,) = figures(text)
    assert (FigureUnit.DATE, when) == (found.unit, found.when)


@pytest.mark.parametrize(
    ("text", "known", "held"),
    [
        ("실업률은 4.1%입니다.", Known(Decimal("4.12"), FigureUnit.PERCENT), True),
        ("실업률은 4.1%입니다.", Known(Decimal("4.16"), FigureUnit.PERCENT), False),
        ("실업률은 4.10%입니다.", Known(Decimal("4.12"), FigureUnit.PERCENT), False),
        ("비율은 4.1%입니다.", Known(Decimal("0.041"), FigureUnit.RATIO), True),
        ("4.1%p 올랐습니다.", Known(Decimal("4.1"), FigureUnit.PERCENT), False),
        ("It rose 25 bp.", Known(Decimal("0.25"), FigureUnit.PERCENTAGE_POINT), True),
        ("약 12억 3,400만원", Known(Decimal(1_234_004_999), FigureUnit.KRW), True),
        ("약 12억 3,400만원", Known(Decimal(1_234_006_000), FigureUnit.KRW), False),
        ("1,234,000,000원", Known(Decimal(1_234_000_001), FigureUnit.KRW), False),
        ("가격은 300달러입니다.", Known(Decimal(300), FigureUnit.KRW), False),
        ("0.4% 내렸습니다.", Known(Decimal("-0.4"), FigureUnit.PERCENT), True),
        ("It fell by 0.4%.", Known(Decimal("-0.4"), FigureUnit.PERCENT), True),
        ("0.4% 올랐습니다.", Known(Decimal("-0.4"), FigureUnit.PERCENT), False),
        ("+0.4%", Known(Decimal("-0.4"), FigureUnit.PERCENT), False),
        ("-0.4%", Known(Decimal("0.4"), FigureUnit.PERCENT), False),
        ("제7조", Known(Decimal("7.002"), FigureUnit.ARTICLE), False),
        ("1.2.3", Known(Decimal(0)), False),
    ],
)
def test_a_value_supports_what_it_rounds_to_in_its_own_unit(text: str, known: Known, *, held: bool) -> None:
    """Unit, sign and the rounding that is shown decide; the same digits in another unit do not."""
    falling = "내렸" in text or "fell" in text
    assert held == all(supports(known, figure, falling=falling) for figure in figures(text))


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("2026년 10월 값입니다.", True),
        ("10월 1일", True),
        ("2026년 4분기", True),
        ("2026-10-02", False),
        ("2025년 10월", False),
        ("Oct 1, 2026", True),
    ],
)
def test_a_date_is_supported_by_a_known_day_inside_it(text: str, *, held: bool) -> None:
    """A named month holds its days; a named day is held by that day alone."""
    (found,) = figures(text)
    assert found.when is not None
    assert held == found.when.holds(date(2026, 10, 1))


@given(st.integers(min_value=-(10**15), max_value=10**15))
def test_money_is_read_back_as_it_was_written(amount_krw: int) -> None:
    """What `money_ko` and `money_en` write is read as the same amount, in won."""
    for text in (money_ko(amount_krw), money_en(amount_krw)):
        (found,) = figures(f"그 값은 {text}입니다")
        assert (Decimal(amount_krw), FigureUnit.KRW) == (found.value, found.unit)


@given(
    value=st.decimals(min_value=-10_000, max_value=10_000, places=3),
    decimals=st.integers(min_value=0, max_value=3),
    signed=st.booleans(),
)
def test_a_rounded_number_is_supported_by_the_value_it_was_rounded_from(
    value: Decimal, decimals: int, *, signed: bool
) -> None:
    """Whatever places a template shows, the exact value supports what it wrote."""
    for text in (
        f"변화는 {percent(value, decimals=decimals, signed=signed)}였습니다.",
        f"It is {number(value, decimals=decimals)}.",
    ):
        assert all(supports(Known(value), figure) for figure in figures(text))


@given(st.dates(min_value=date(1900, 1, 1), max_value=date(2100, 12, 31)))
def test_a_written_day_is_supported_by_that_day_alone(day: date) -> None:
    """ISO, Korean and English forms all name the day."""
    other = day.replace(year=day.year - 1 if day.year > 1900 else 1901, day=1)
    for text in (day.isoformat(), f"{day.year}년 {day.month}월 {day.day}일", f"{day:%B} {day.day}, {day.year}"):
        (found,) = figures(text)
        assert found.when is not None
        assert (found.when.holds(day), found.when.holds(other)) == (True, False)


@given(st.text(max_size=60))
def test_any_text_can_be_read(text: str) -> None:
    """Nothing that a model writes breaks the reader, and no two figures overlap."""
    found = figures(text)
    assert all(left.end <= right.start for left, right in pairwise(found))
