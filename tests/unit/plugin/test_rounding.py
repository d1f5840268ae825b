"""Figures however long they are: whoever asks may write fifty digits."""

from decimal import Decimal

import pytest

from services.plugin.asks.telling import decimal, exact_won, won
from services.plugin.wording import rounded


@pytest.mark.parametrize("digits", [1, 28, 29, 50, 400])
def test_a_long_figure_is_rounded_as_a_short_one(digits: int) -> None:
    """No digit is lost before the point, and none is added behind it."""
    value = Decimal("9" * digits + ".26")
    assert rounded(value, 1) == Decimal("9" * digits + ".3")
    assert int(rounded(value, 0)) == int("9" * digits)
    for said in (exact_won, won, decimal):
        assert said(value)
