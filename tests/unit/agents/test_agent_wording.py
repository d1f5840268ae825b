"""How agents write figures, dates and numbers."""

from datetime import date
from decimal import Decimal

import pytest

from services.plugin.wording import plain, rounded
from services.text.saying import figure, period


@pytest.mark.parametrize(
    ("value", "unit", "ko", "en"),
    [
        ("1234000000", "krw", "12억 3,400만원", "KRW 1.234 billion"),
        ("1472.4", "krw", "1,472.4원", "KRW 1,472.4"),
        ("262.1", "usd", "262.1달러", "$262.1"),
        ("-5", "usd", "-5달러", "-$5"),
        ("6581597000000", "usd", "6조 5,815억 9,700만달러", "$6,581.597 billion"),
        ("160195000", "persons", "1억 6,019만 5,000명", "160,195,000 people"),
        ("4.3", "percent", "4.3%", "4.3%"),
        ("-0.1", "percentage_point", "-0.1%p", "-0.1 percentage points"),
        ("331.462", "index", "331.462", "331.462"),
        ("0", "krw", "0원", "KRW 0"),
    ],
)
def test_figures_keep_every_digit(value, unit, ko, en) -> None:
    """A figure is written as people write it in each language, with every digit of its value."""
    assert (figure(Decimal(value), unit, "ko"), figure(Decimal(value), unit, "en")) == (ko, en)


def test_a_signed_figure_shows_a_plus() -> None:
    """A change that is asked for with its sign bears a plus, also before a currency."""
    assert figure(Decimal("1.5"), "percent", "ko", signed=True) == "+1.5%"
    assert figure(Decimal(3), "usd", "en", signed=True) == "+$3"
    assert figure(Decimal(0), "percent", "en", signed=True) == "0%"


@pytest.mark.parametrize(
    ("frequency", "ko", "en"),
    [
        ("monthly", "2026년 10월", "October 2026"),
        ("quarterly", "2026년 4분기", "Q4 2026"),
        ("daily", "2026년 10월 1일", "October 1, 2026"),
        ("weekly", "2026년 10월 1일", "October 1, 2026"),
    ],
)
def test_a_period_is_called_by_its_frequency(frequency, ko, en) -> None:
    """A month is no day: a monthly figure names its month, a quarterly one its quarter."""
    assert (period(date(2026, 10, 1), frequency, "ko"), period(date(2026, 10, 1), frequency, "en")) == (ko, en)


@pytest.mark.parametrize(
    ("value", "text"),
    [("1E+3", "1000"), ("262.10", "262.1"), ("-0.00", "0"), ("0.1", "0.1"), ("-0.50", "-0.5"), ("100", "100")],
)
def test_plain_notation_of_a_metric(value, text) -> None:
    """A metric's value stands in plain notation, without exponent, trailing zeros or a negative zero."""
    assert plain(Decimal(value)) == text


def test_halves_round_away_from_zero() -> None:
    """Rounding is half away from zero, as people do it, not half to even."""
    assert [rounded(Decimal(text), 2) for text in ("0.125", "-0.125", "0.135")] == [
        Decimal("0.13"),
        Decimal("-0.13"),
        Decimal("0.14"),
    ]
