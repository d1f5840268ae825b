"""Spread, standing and the risk score, held against numpy and against the table of the method."""

from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from services.domains.realty.agents.home_risk import SCALES, ratio_percent, score
from services.domains.realty.agents.standing import Priced, mean_of, spread, standing

HOMES = [
    Priced(900_000_000, Decimal("59.9"), 10),
    Priced(1_500_000_000, Decimal("84.9"), 30),
    Priced(1_260_000_000, Decimal("84.0"), 5),
    Priced(2_400_000_000, Decimal(120), 5),
]


def test_the_spread_is_by_the_square_metre() -> None:
    """Lowest, median, highest and spread are numpy's of the prices per square metre."""
    each = np.array([home.mean_krw / float(home.area_m2) for home in HOMES])
    found = spread(HOMES)
    assert found is not None
    assert [float(value) for value in (found.low, found.median, found.high)] == pytest.approx(
        [each.min(), np.median(each), each.max()], abs=5_000
    )
    assert float(found.percent) == pytest.approx((each.max() - each.min()) / np.median(each) * 100, abs=0.05)
    assert spread(HOMES[:1]) is None


@pytest.mark.parametrize(
    ("price", "area", "below"), [(1_300_000_000, None, 30.0), (800_000_000, None, 0.0), (2_500_000_000, None, 100.0)]
)
def test_a_price_stands_among_deals(price: int, area: Decimal | None, below: float) -> None:
    """The share below counts deals, and the difference is from the mean weighted by them."""
    found = standing(price, area, HOMES)
    mean = np.average([home.mean_krw for home in HOMES], weights=[home.deals for home in HOMES])
    assert found is not None
    assert float(found.share_below_percent) == below
    assert float(found.from_mean_percent) == pytest.approx((price / mean - 1) * 100, abs=0.05)


def test_an_area_compares_like_with_like() -> None:
    """With an area the price of a square metre is compared, and the level is of a home of that area."""
    found, level = standing(1_000_000_000, Decimal(60), HOMES), mean_of(HOMES, Decimal(60))
    each = [home.mean_krw / float(home.area_m2) for home in HOMES]
    mean = np.average(each, weights=[home.deals for home in HOMES])
    assert found is not None
    assert level is not None
    assert float(found.from_mean_percent) == pytest.approx((1e9 / 60 / mean - 1) * 100, abs=0.05)
    assert float(level) == pytest.approx(mean * 60, rel=1e-9)
    assert found.by_area
    assert standing(1, None, []) is None


def test_every_term_has_its_ends() -> None:
    """At one end a term has no points, at the other all, between them a share, and never more or less."""
    for scale in SCALES.values():
        middle = (scale.none_at + scale.all_at) / 2
        step = (scale.all_at - scale.none_at) * 3
        points = [
            scale.points(value)
            for value in (scale.none_at - step, scale.none_at, middle, scale.all_at, scale.all_at + step)
        ]
        assert points == [0, 0, Decimal(scale.most) / 2, scale.most, scale.most]
    assert sum(scale.most for scale in SCALES.values()) == 100


@pytest.mark.parametrize(
    ("values", "expected", "level"),
    [
        ({"jeonse_ratio": 90, "deposit_ratio": 95, "dangers": 2, "sale_spread": 100, "thin_market": 3}, 100, "high"),
        ({"jeonse_ratio": 40, "deposit_ratio": 30, "dangers": 0, "sale_spread": 10, "thin_market": 80}, 0, "low"),
        ({"jeonse_ratio": 75}, 50, "medium"),
        ({"dangers": 1}, 50, "medium"),
        ({"jeonse_ratio": 40, "deposit_ratio": 30, "dangers": 1, "sale_spread": 10, "thin_market": 80}, 10, "medium"),
    ],
)
def test_the_score_is_of_the_terms_that_are_known(values: dict[Any, Any], expected: int, level: str) -> None:
    """Points over what the known terms can have at most; the others are named as missing."""
    found = score({name: Decimal(value) for name, value in values.items()})
    assert found is not None
    assert (found.value, found.level) == (expected, level)
    assert {term.name for term in found.terms} | set(found.missing) == set(SCALES)


def test_no_score_without_a_word_on_the_home() -> None:
    """Spread and deals alone, without a danger, say nothing of a home's deposit."""
    assert score({"sale_spread": Decimal(90), "thin_market": Decimal(1), "dangers": Decimal(0)}) is None
    assert score({}) is None


def test_the_jeonse_ratio_is_weighted_by_deals() -> None:
    """The ratio is numpy's average of each home's own ratio."""
    pairs = [(600, 1000, 10), (900, 1000, 30), (500, 1000, 0), (1, 0, 5)]
    expected = np.average([0.6, 0.9, 0.5], weights=[10, 30, 0]) * 100
    assert float(ratio_percent(pairs) or 0) == pytest.approx(expected, abs=0.05)
    assert ratio_percent([]) is None
