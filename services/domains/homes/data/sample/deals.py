"""Generated deals of homes: every district, every kind of home and deal, over the newest complete months.

A deal is of one of the complexes that have a market price. Prices follow a path for each district and kind that ends at
the present level; the deals of a month are drawn around that path's value and moved so that their mean lies on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

import numpy as np

from services.domains.homes.data.tables import REALTY_MARKET_PRICES, REALTY_TRANSACTIONS
from services.plugin.data.sample import Block, Row, generated, stream, utc

MONTHS = 24
# A month's deals are complete when the time to report them (30 days) has passed.
_REPORT_DAYS = 30
# Deals a month in a district of Seoul; elsewhere a part of it, so that a seed does not take long. At least one.
_DEALS = {"apartment": 16.0, "officetel": 3.0, "villa": 5.0, "house": 1.5}
_DEAL_SHARE = {"sale": 0.8, "jeonse": 1.0, "monthly_rent": 0.9}
_SEOUL = "11"
_ELSEWHERE_SHARE = 0.15
_STEP_KRW = 10_000


@dataclass(frozen=True)
class _Market:
    """One kind of home and deal in one district, at its present level."""

    region_code: str
    property_type: str
    deal_type: str
    homes: tuple[Row, ...]
    """Rows of the market prices, a cheap and a dear one in turn."""

    @property
    def name(self) -> str:
        """Name of its random stream."""
        return f"{self.region_code}/{self.property_type}/{self.deal_type}"

    def figures(self, column: str) -> np.ndarray:
        """Return one figure of each home."""
        return np.array([row[column] for row in self.homes], dtype=float)

    def level(self, column: str) -> float:
        """Return the present mean of a figure, each home by its deals."""
        return float(np.average(self.figures(column), weights=self.figures("deal_count")))


def deals_block(realty: Block, as_of: datetime) -> Block:
    """Return the deals of the months that were complete at `as_of`, for every district that has prices."""
    calendar = _calendar(utc(as_of).date())
    by_region: dict[str, list[Row]] = {}
    for market in _markets(realty.rows[REALTY_MARKET_PRICES]):
        by_region.setdefault(market.region_code, []).extend(_deals(market, calendar))
    rows = [row for deals in by_region.values() for row in _numbered(deals)]
    dataset = generated(
        "sample_realty_transactions", "주택 실거래 내역(예시 데이터)", "Home deals, one by one (sample)", as_of
    )
    return Block(dataset, {REALTY_TRANSACTIONS: rows})


def _months(today: date) -> list[date]:
    """Return the first days of the newest complete months, oldest first."""
    found: list[date] = []
    first = today.replace(day=1)
    while len(found) < MONTHS:
        end, first = first, (first - timedelta(days=1)).replace(day=1)
        if end + timedelta(days=_REPORT_DAYS) <= today:
            found.append(first)
    return found[::-1]


def _markets(prices: Sequence[Row]) -> Iterator[_Market]:
    groups: dict[tuple[str, str, str], list[Row]] = {}
    for row in prices:
        groups.setdefault((row["region_code"], row["property_type"], row["deal_type"]), []).append(row)
    for key, rows in groups.items():
        ranked = sorted(rows, key=lambda row: _price(row, key[2]))
        half = len(ranked) // 2
        pairs = zip(ranked[:half], reversed(ranked[half:]), strict=False)
        yield _Market(*key, (*(home for pair in pairs for home in pair), *ranked[half : half + len(ranked) % 2]))


def _figure(deal_type: str) -> str:
    return "price_mean_krw" if deal_type == "sale" else "deposit_mean_krw"


def _price(row: Row, deal_type: str) -> int:
    return int(row[_figure(deal_type)])


@dataclass(frozen=True)
class _Calendar:
    """The months of the deals, as arrays over the months and a table of their days."""

    months: tuple[date, ...]
    """First days, oldest first."""
    starts: np.ndarray
    """Days from the first month's first day to each month's."""
    lengths: np.ndarray
    """Days of each month."""
    days: tuple[date, ...]
    """Every day from the first month to the last."""
    reported: tuple[datetime, ...]
    """When the deals of each month were complete: UTC without a zone, as it is stored."""


def _calendar(today: date) -> _Calendar:
    months = _months(today)
    after = [(month + timedelta(days=31)).replace(day=1) for month in months]
    return _Calendar(
        months=tuple(months),
        starts=np.array([(month - months[0]).days for month in months]),
        lengths=np.array([(end - month).days for month, end in zip(months, after, strict=True)]),
        days=tuple(months[0] + timedelta(days=number) for number in range((after[-1] - months[0]).days)),
        reported=tuple(datetime(*end.timetuple()[:3]) + timedelta(days=_REPORT_DAYS) for end in after),  # noqa: DTZ001
    )


def _deals(market: _Market, calendar: _Calendar) -> Iterator[Row]:
    random = stream(f"realty_monthly/{market.name}")
    count = len(calendar.months)
    yearly = float(stream(f"realty_growth/{market.region_code}").normal(0.025, 0.03))
    growth = (1 + yearly) ** (np.arange(1 - count, 1) / 12) * np.exp(random.normal(0, 0.006, count))
    seasons = np.exp(random.normal(0, 0.18, count))
    usual = _DEALS[market.property_type] * _DEAL_SHARE[market.deal_type] * float(np.exp(random.normal(0, 0.25)))
    usual *= 1 if market.region_code.startswith(_SEOUL) else _ELSEWHERE_SHARE
    counts = np.maximum(1, np.rint(usual * seasons)).astype(int)
    month = np.repeat(np.arange(count), counts)
    home = np.arange(len(month)) % len(market.homes)
    price = _Amounts(market.figures(_figure(market.deal_type))[home], month, counts)
    prices = price.around(market.level(_figure(market.deal_type)) * growth, random)
    rents: Sequence[int | None] = [None] * len(month)
    if market.deal_type == "monthly_rent":
        rent = _Amounts(market.figures("monthly_rent_mean_krw")[home], month, counts)
        rents = rent.around(market.level("monthly_rent_mean_krw") * growth, random)
    day = calendar.starts[month] + (random.random(len(month)) * calendar.lengths[month]).astype(int)
    floors = random.integers(1, 3 if market.property_type == "house" else 20, len(month)).tolist()
    columns = (home.tolist(), month.tolist(), day.tolist(), floors, prices, rents)
    for of_home, of_month, of_day, floor, price_krw, rent_krw in zip(*columns, strict=True):
        row = market.homes[of_home]
        yield {
            "region_code": market.region_code,
            "contract_date": calendar.days[of_day],
            "dong": row["dong"],
            "complex_name": row["complex_name"],
            "property_type": market.property_type,
            "deal_type": market.deal_type,
            "area_m2": row["area_m2"],
            "floor": floor,
            "price_krw": price_krw,
            "monthly_rent_krw": rent_krw,
            "as_of": calendar.reported[of_month],
        }


@dataclass(frozen=True)
class _Amounts:
    """What the homes of each deal usually cost, by the months of the deals."""

    usual: np.ndarray
    """Usual amount of each deal."""
    month: np.ndarray
    """Month of each deal."""
    counts: np.ndarray
    """Deals of each month."""

    def around(self, means: np.ndarray, random: np.random.Generator) -> list[int]:
        """Return amounts around the usual ones, in steps, whose mean in each month is `means` within a step."""
        drawn = self.usual * np.exp(random.normal(0, 0.03, len(self.usual)))
        factors = means * self.counts / np.bincount(self.month, drawn)
        steps = np.maximum(1, np.rint(drawn * factors[self.month] / _STEP_KRW)).astype(np.int64)
        amounts: list[int] = (steps * _STEP_KRW).tolist()
        return amounts


def _numbered(deals: list[Row]) -> Iterator[Row]:
    """Give each deal of a district its number among those of its day."""
    number, day = 0, None
    for deal in sorted(deals, key=lambda deal: deal["contract_date"]):
        number = number + 1 if deal["contract_date"] == day else 1
        day = deal["contract_date"]
        deal["number"] = number
        yield deal
