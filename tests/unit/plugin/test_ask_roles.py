"""Numbers of a question and the roles that the words around them give."""

from datetime import date
from decimal import Decimal

import pytest

from services.plugin.asks.numbers import numbers_in
from services.plugin.asks.roles import Role, bound_to
from services.plugin.asks.sheet import Sheet
from services.plugin.entities import Entity

PRICE = Role("price", ("krw",), before=r"값", behind=r"집|짜리", bare=True)
INCOME = Role("income", ("krw",), before=r"소득|income of", bare=True)
RATE = Role("rate", ("percent",), before=r"금리|rate", bare=True)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("3억 2천 30년", [320_000_000, 30]),
        ("2억 5년", [200_000_000, 5]),
        ("10억 1주택", [1_000_000_000, 1]),
        ("3억 7억5천짜리", [300_000_000, 750_000_000]),
        ("1.5 million a month", [1_500_000]),
        ("two million", [2_000_000]),
    ],
)
def test_a_sum_ends_where_another_unit_begins(text: str, values: list[int]) -> None:
    """A sum in several words is one number, and does not swallow the number of another unit behind it."""
    assert [int(one.value) for one in numbers_in(text)] == values


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("매매 3억대 매물 보여줘", (300_000_000, "krw", "band")),
        ("전세 2억 5천대 있어?", (250_000_000, "krw", "band")),
        ("노트북 3대 주문할게", (3, "count", "")),
    ],
)
def test_so_many_and_more_is_no_count_of_machines(text: str, said: tuple[int, str, str]) -> None:
    """Behind a sum of money 대 says a band; behind a small number it counts."""
    (one,) = numbers_in(text)
    assert (int(one.value), one.unit, one.bound) == said


def test_bare_numbers_count_in_ten_thousand_only_while_they_are_small() -> None:
    """A rent of 80 is 80만, "800,000" is itself; millions in English are money."""
    (small,), (large,) = numbers_in("80"), numbers_in("800,000")
    assert (small.as_won, large.as_won) == (Decimal(800_000), Decimal(800_000))
    assert numbers_in("3 million")[0].unit == "krw"


def test_a_word_before_the_next_number_is_that_numbers_own() -> None:
    """In "소득 6천에 집값 5억" the home is that of the 5억, though it stands behind the 6천."""
    text = "소득 6천에 집값 5억"
    found = bound_to(numbers_in(text), text, (PRICE, INCOME))
    assert [(one.role, one.value) for one in found] == [("income", "60000000"), ("price", "500000000")]


def test_a_bare_number_takes_the_unit_of_its_role() -> None:
    """A rate of 4 is 4 percent; a sum of millions is no percentage."""
    (rate,) = bound_to(numbers_in("금리 4"), "금리 4", (RATE,))
    assert (rate.value, rate.unit) == ("4", "percent")
    (sum_,) = bound_to(numbers_in("금리 40000"), "금리 40000", (RATE,))
    assert not sum_.role


def test_free_words_hide_no_numbers_but_codes_do() -> None:
    """A phrase that stands for itself leaves its number to be read; an order's code does not."""
    text = "금리 3.9% 주문 AB-1234"
    entities = (Entity("thing", "금리 3", "", "금리 3", 0, 4), Entity("code", "AB-1234", "", "AB-1234", 11, 18))
    sheet = Sheet(text, "ko", date(2026, 11, 28), entities)
    assert [str(one.value) for one in sheet.numbers] == ["3.9"]
