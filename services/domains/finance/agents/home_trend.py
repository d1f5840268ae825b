"""One housing market over months: its rows, what they say, and the words for it. Pure."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Final

from services.contract.flow import Evidence, Metric, Trend
from services.domains.finance.agents.monthly_trend import (
    MONTHS_MAX,
    Month,
    MonthDeals,
    MonthlyTrend,
    monthly_trend,
    told_sum,
)
from services.domains.finance.tools.real_estate_trend import RealEstateTrendRow
from services.domains.homes.kinds import PROPERTIES
from services.plugin.findings import Asking, Reading, Subject, evidence, instant
from services.plugin.wording import WORDS, Text
from services.text.ko.written import josa
from services.text.saying import figure, period

_ALL_HOMES: Final = Text("주택", "home")
_PRICES: Final = {
    "sale": Text("평균 매매가", "mean price"),
    "jeonse": Text("평균 전세 보증금", "mean jeonse deposit"),
    "monthly_rent": Text("평균 월세 보증금", "mean deposit"),
}


def deals_of(row: RealEstateTrendRow) -> MonthDeals:
    """Return a row as the series takes it."""
    rent = None if row.mean_monthly_rent_krw is None else Decimal(row.mean_monthly_rent_krw)
    return MonthDeals(row.month, Decimal(row.mean_price_krw), rent, row.deal_count)


class HomeTrend:
    """One kind of deal in one region.

    Args:
        reading: Where the rows were read.
        rows: Rows of one region and kind of deal, of one or more kinds of homes.
        asking: What is asked.
    """

    def __init__(self, reading: Reading, rows: Sequence[RealEstateTrendRow], asking: Asking) -> None:
        self._asking = asking
        self._locale = asking.locale
        kinds = {row.property_type for row in rows}
        self.is_mixed = len(kinds) > 1
        self.deal = rows[0].deal_type
        kind = _ALL_HOMES if self.is_mixed else PROPERTIES[rows[0].property_type]
        self.name = rows[0].market(kind, asking.locale)
        self.found: MonthlyTrend = monthly_trend([deals_of(row) for row in rows])
        held = [row for row in rows if row.month >= self.found.first.month]
        newest_first = sorted(held, key=lambda row: (row.month, row.property_type), reverse=True)
        self.evidence: Evidence = evidence(reading, newest_first, title=self._title(), excerpt=self._excerpt())

    @property
    def trend(self) -> Trend:
        """Up or down where the newest months lie clearly above or below the first ones."""
        return {"up": Trend.BULL, "down": Trend.BEAR}.get(self.found.direction, Trend.NEUTRAL)

    def metrics(self) -> tuple[Metric, ...]:
        """Return the last and the first month, the changes, the range and the direction."""
        found = self.found
        subject = self._asking.subject(self.name, self.evidence.evidence_id)
        price, what = self._measure, _PRICES[self.deal].said(self._locale)
        last, first = instant(found.last.month), instant(found.first.month)
        metrics = [
            subject.figure(f"latest_{price}", told_sum(found.last.price), last, what=what),
            subject.figure(f"{price}_first", told_sum(found.first.price), first, what=what),
            subject.figure("latest_deals", _d(found.last.deals), last),
            subject.figure("first_deals", _d(found.first.deals), first),
            subject.figure("month_count", _d(len(found.months)), last),
        ]
        changes = {
            f"{price}_change": found.price_change,
            "monthly_rent_change": found.rent_change,
            "volume_change": found.deals_change,
        }
        metrics += [
            subject.figure(kind, change, last, what=what) for kind, change in changes.items() if change is not None
        ]
        metrics.extend(self._range(subject, what))
        if found.direction:
            metrics.append(subject.word("price_trend", found.direction, last))
        return tuple(metrics)

    @property
    def _measure(self) -> str:
        """What the prices of the deal are: a lease has its deposit."""
        return "price" if self.deal == "sale" else "deposit"

    def summary(self) -> str:
        """Return the last month, the changes of price and volume against the first, and the direction."""
        found = self.found
        when, price = self._when(found.last), self._money(found.last.price)
        deals = figure(_d(found.last.deals), "count", self._locale)
        what = _PRICES[self.deal].said(self._locale)
        if self._locale == "ko":
            return (
                f"{self.name}의 {when} {josa(what, '은/는')} {price}, 거래량은 {deals}입니다."
                f"{self._changed()}{self._heading()}"
            )
        return f"{self.name}: the {what} was {price} over {deals} deals in {when}.{self._changed()}{self._heading()}"

    def drivers(self) -> tuple[str, ...]:
        """Return the highest and the lowest month, and the rent where there is one."""
        found = self.found
        span = self._asking.say(
            f"{self.name} 가격 범위: {self._when(found.low)} {self._money(found.low.price)} ~ "
            f"{self._when(found.high)} {self._money(found.high.price)}",
            f"{self.name}, range: {self._money(found.low.price)} in {self._when(found.low)} to "
            f"{self._money(found.high.price)} in {self._when(found.high)}",
        )
        rent = found.last.rent
        if rent is None:
            return (span,)
        when, money = self._when(found.last), self._money(rent)
        return (
            span,
            self._asking.say(
                f"{self.name} {when} 평균 월세: {money}", f"{self.name}, mean monthly rent in {when}: {money}"
            ),
        )

    def cautions(self) -> tuple[str, ...]:
        """Return what the series mixes and where it was cut."""
        say, found = self._asking.say, []
        if self.is_mixed:
            found.append(
                say(
                    "여러 주택 유형을 거래량으로 가중해 합친 값이라 구성 변화의 영향이 섞여 있습니다.",
                    "Kinds of homes are put together, weighted by deals; a change of their mix moves the mean as well.",
                )
            )
        if len(self.found.months) == MONTHS_MAX:
            found.append(
                say(f"최근 {MONTHS_MAX}개월까지만 집계했습니다.", f"Only the newest {MONTHS_MAX} months are counted.")
            )
        return tuple(found)

    def _range(self, subject: Subject, what: str) -> list[Metric]:
        high, low, last = self.found.high, self.found.low, self.found.last
        metrics = [
            subject.figure(f"month_{self._measure}_high", told_sum(high.price), _at(high), what=what),
            subject.figure(f"month_{self._measure}_low", told_sum(low.price), _at(low), what=what),
        ]
        if last.rent is not None:
            metrics.append(subject.figure("monthly_rent_latest", told_sum(last.rent), _at(last)))
        return metrics

    def _changed(self) -> str:
        price, deals = self.found.price_change, self.found.deals_change
        if price is None or deals is None:
            return ""
        first, count = self._when(self.found.first), len(self.found.months)
        if self._locale == "ko":
            prices, counts = _moved_ko(price, "올랐", "내렸"), _moved_ko(deals, "늘었", "줄었")
            what = "가격은" if self.deal == "sale" else "보증금은"
            return f" {josa(first, '과/와')} 비교하면 {what} {prices}고 거래량은 {counts}습니다(최근 {count}개월)."
        what = "price" if self.deal == "sale" else "deposit"
        return f" Against {first} the {what} is {_moved_en(price)} and deals are {_moved_en(deals)} ({count} months)."

    def _heading(self) -> str:
        if not self.found.direction:
            return ""
        word = WORDS[self.found.direction].said(self._locale)
        return self._asking.say(f" 가격 추세는 {word}입니다.", f" The price trend is {word}.")

    def _when(self, month: Month) -> str:
        return period(month.month, "monthly", self._locale)

    def _money(self, value: Decimal) -> str:
        return figure(told_sum(value), "krw", self._locale)

    def _title(self) -> str:
        return self._asking.say(f"{self.name} 월별 실거래 추이", f"{self.name}: deals by month")

    def _excerpt(self) -> str:
        shown = (f"{self._when(one)} {self._money(one.price)}" for one in reversed(self.found.months[-3:]))
        return f"{self.name}: {'; '.join(shown)}"


def _d(count: int) -> Decimal:
    return Decimal(count)


def _at(month: Month) -> datetime:
    return instant(month.month)


def _moved_ko(change: Decimal, rose: str, fell: str) -> str:
    if change == 0:
        return "같았"
    return f"{figure(abs(change), 'percent', 'ko')} {rose if change > 0 else fell}"


def _moved_en(change: Decimal) -> str:
    if change == 0:
        return "unchanged"
    return f"{'up' if change > 0 else 'down'} {figure(abs(change), 'percent', 'en')}"
