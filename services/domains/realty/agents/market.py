"""One market: the homes of one kind and one kind of deal in a region, what they cost, and the words for it. Pure."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Final

from services.contract.flow import Evidence, Metric
from services.domains.realty.agents.home_prices import HomePrices, Level, level
from services.domains.realty.tools.market_data import FIGURES, MarketDataRow
from services.plugin.findings import Asking, Reading, evidence, held_rows
from services.plugin.wording import Text
from services.text.ko.written import josa, number
from services.text.saying import day, figure

_FIGURE_NAMES: Final = {
    "price": Text("매매가", "price"),
    "deposit": Text("보증금", "deposit"),
    "monthly_rent": Text("월세", "monthly rent"),
}
_PLACES: Final = ("low", "mean", "median", "high")


def prices_of(row: MarketDataRow, name: str) -> HomePrices:
    """Return one kind of figure of a row's deal: price, deposit or monthly_rent."""
    low, mean, high = row.three(name)
    return HomePrices(low or 0, mean or 0, high or 0, row.deal_count)


class Market:
    """One market.

    Args:
        reading: Where the rows were read.
        rows: Rows of one kind of home and of deal, most traded first.
        asking: What is asked.
    """

    def __init__(self, reading: Reading, rows: Sequence[MarketDataRow], asking: Asking) -> None:
        self._asking = asking
        self._locale = asking.locale
        self._rows = rows
        self.deal = rows[0].deal_type
        self.name = rows[0].market(asking.locale, whole_province=len({row.region_code for row in rows}) > 1)
        self.levels: dict[str, Level] = {
            name: level([prices_of(row, name) for row in rows]) for name in FIGURES[self.deal]
        }
        self.as_of: datetime = asking.day_of(max(row.as_of for row in rows))
        self.evidence: Evidence = evidence(reading, rows, title=self._title(), excerpt=self._excerpt())
        self._cut = held_rows(self.evidence) < len(rows)

    @property
    def count(self) -> int:
        """How many rows it has: complexes, each at one area."""
        return len(self._rows)

    @property
    def deals(self) -> int:
        """The deals that it rests on."""
        return sum(row.deal_count for row in self._rows)

    def metrics(self) -> tuple[Metric, ...]:
        """Return lowest, mean, median and highest of each figure, and what they rest on."""
        subject = self._asking.subject(self.name, self.evidence.evidence_id)
        levels = [
            subject.figure(f"{name}_{place}", getattr(found, place), self.as_of)
            for name, found in self.levels.items()
            for place in _PLACES
        ]
        return (
            *levels,
            subject.figure("deal_count", Decimal(self.deals), self.as_of),
            subject.figure("price_count", Decimal(self.count), self.as_of),
        )

    def summary(self) -> str:
        """Return what the market costs."""
        parts = [self._sentence_part(name) for name in self.levels]
        when = day(self.as_of.date(), self._locale)
        if self._locale == "ko":
            return f"{self.name}의 {', '.join(parts)}입니다(거래 {self.deals:,}건, {when} 기준)."
        return f"{self.name}: {'; '.join(parts)} ({self.deals:,} deals, as of {when})."

    def driver(self) -> str:
        """Return the most traded complex of the market."""
        row = self._rows[0]
        area, deals = number(row.area_m2), f"{row.deal_count:,}"
        sums = ", ".join(
            f"{_FIGURE_NAMES[name].said(self._locale)} {figure(mean, 'krw', self._locale)}"
            for name in self.levels
            for mean in (Decimal(prices_of(row, name).mean),)
        )
        return self._asking.say(
            f"{self.name}에서 거래가 가장 많은 곳: {row.complex_name} 전용 {area}㎡, 평균 {sums}(거래 {deals}건)",
            f"{self.name}, most traded: {row.complex_name}, {area} m², mean {sums} ({deals} deals)",
        )

    def cautions(self) -> tuple[str, ...]:
        """Return that areas are mixed, and what the evidence leaves out."""
        say, found = self._asking.say, []
        if len({row.area_m2 for row in self._rows}) > 1:
            found.append(
                say(
                    "면적이 다른 집이 섞여 있어 평균과 중간값은 같은 면적끼리 비교한 값이 아닙니다.",
                    "Homes of different areas are put together; means and medians do not compare like with like.",
                )
            )
        if self._cut:
            found.append(
                say(
                    f"{self.name}: 지표는 조회한 시세 전체로 계산했고, 근거에는 거래가 많은 것만 담았습니다.",
                    f"{self.name}: the figures rest on all prices that were read; the evidence holds the most traded.",
                )
            )
        return tuple(found)

    def _sentence_part(self, name: str) -> str:
        found = self.levels[name]
        mean, median = (figure(value, "krw", self._locale) for value in (found.mean, found.median))
        low, high = (figure(value, "krw", self._locale) for value in (found.low, found.high))
        what = _FIGURE_NAMES[name].said(self._locale)
        if self._locale == "ko":
            return f"{josa(what, '은/는')} 평균 {mean}, 중간값 {median}, 최저 {low}에서 최고 {high}"
        return f"mean {what} {mean}, median {median}, from {low} to {high}"

    def _title(self) -> str:
        return self._asking.say(f"{self.name} 시세", f"{self.name} prices")

    def _excerpt(self) -> str:
        areas = sorted(row.area_m2 for row in self._rows)
        low, high = (number(area) for area in (areas[0], areas[-1]))
        span = f"{low}㎡" if low == high else f"{low}㎡ ~ {high}㎡"
        return f"{self.summary()} {self._asking.say(f'전용면적 {span}', f'Exclusive area {span}')}"
