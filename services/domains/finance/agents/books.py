"""One company's quarters, what they say beside its price, and the words for it. Pure."""

from collections.abc import Sequence
from decimal import Decimal
from itertools import groupby
from typing import Final

from services.contract.flow import Evidence, Metric
from services.domains.finance.agents.company_rows import quarter_name
from services.domains.finance.agents.earnings import (
    Multiple,
    Quarter,
    growth,
    margin,
    price_to_book,
    price_to_earnings,
    year_eps,
)
from services.domains.finance.agents.price_trend import Bar
from services.domains.finance.tools.equity_financials import EquityFinancialsRow
from services.plugin.figures.declared import declared_kind
from services.plugin.findings import Asking, Reading, Subject, evidence, instant
from services.text.ko.written import josa
from services.text.saying import figure

_AMOUNTS: Final = ("revenue", "operating_income", "net_income", "eps", "bps")


class Books:
    """The quarters of one company.

    Args:
        reading: Where the rows were read.
        rows: Rows of one company.
        bars: Its bars, oldest first; none where there is no price.
        asking: What is asked.
    """

    def __init__(
        self, reading: Reading, rows: Sequence[EquityFinancialsRow], bars: Sequence[Bar], asking: Asking
    ) -> None:
        self._asking = asking
        self._locale = asking.locale
        self._unit = next((row.unit.lower() for row in rows if row.unit in {"USD", "KRW"}), "usd")
        self.name = rows[0].subject(asking.locale)
        self.quarters = _quarters(rows)
        self.newest = self.quarters[-1]
        self.per = price_to_earnings(self.quarters, bars)
        self.pbr = price_to_book(self.quarters, bars)
        self._has_price = bool(bars)
        self._priced = bars[-1].day if bars else self.newest.end
        newest_first = sorted(rows, key=lambda row: (row.period_end, row.item), reverse=True)
        self.evidence: Evidence = evidence(reading, newest_first, title=self._title(), excerpt=self.earned())

    def metrics(self, price_evidence: tuple[str, ...]) -> tuple[Metric, ...]:
        """Return the newest quarter, its growth and margins, and the multiples.

        Args:
            price_evidence: What the price rests on, for the multiples.
        """
        newest, asking = self.newest, self._asking
        subject = asking.subject(self.name, self.evidence.evidence_id)
        as_of = instant(newest.end)
        found = [
            subject.figure(item, newest.items[item], as_of, unit=self._unit)
            for item in _AMOUNTS
            if item in newest.items
        ]
        shares = {
            "revenue_growth": growth(self.quarters, "revenue"),
            "operating_income_growth": growth(self.quarters, "operating_income"),
            "operating_margin": margin(newest, "operating_income"),
            "net_margin": margin(newest, "net_income"),
        }
        found += [subject.figure(kind, value, as_of) for kind, value in shares.items() if value is not None]
        both = asking.subject(self.name, self.evidence.evidence_id, *price_evidence)
        for name, multiple in (("per", self.per), ("pbr", self.pbr)):
            if multiple is not None:
                found += self._multiple(both, name, multiple)
        return tuple(found)

    def valued(self) -> str:
        """Return the multiples against their own history; empty without a price or a base."""
        parts = [self._valued(name, multiple) for name, multiple in (("PER", self.per), ("PBR", self.pbr)) if multiple]
        return " ".join(parts)

    def cautions(self) -> tuple[str, ...]:
        """Return why a multiple is missing."""
        if self.per is not None or not self._has_price:
            return ()
        earned = year_eps(self.quarters)
        if earned is not None and earned <= 0:
            return (
                self._asking.say(
                    f"{josa(self.name, '은/는')} 최근 네 분기 합계가 적자라 PER은 의미가 없어 계산하지 않았습니다.",
                    f"{self.name} lost money over four quarters, so that a price-earnings multiple has no meaning.",
                ),
            )
        return (
            self._asking.say(
                f"{self.name}: 이어진 네 분기의 실적이 없어 PER은 계산하지 않았습니다.",
                f"{self.name}: without four quarters in a row no price-earnings multiple is computed.",
            ),
        )

    def _multiple(self, subject: Subject, name: str, multiple: Multiple) -> list[Metric]:
        as_of = instant(self._priced)
        found = [subject.figure(name, multiple.value, as_of)]
        if multiple.median is not None and multiple.gap is not None:
            found.append(subject.figure(f"{name}_median", multiple.median, as_of))
            found.append(subject.figure(f"{name}_gap_change", multiple.gap, as_of))
        return found

    def _valued(self, name: str, multiple: Multiple) -> str:
        value = figure(multiple.value, "ratio", self._locale)
        if multiple.median is None or multiple.gap is None:
            return self._asking.say(
                f"{josa(name, '은/는')} {value}이며, 비교할 과거 값이 적습니다.",
                f"The {name} is {value}; there is too little history to compare it with.",
            )
        middle, gap = figure(multiple.median, "ratio", self._locale), figure(abs(multiple.gap), "percent", self._locale)
        if multiple.gap == 0:
            return self._asking.say(
                f"{josa(name, '은/는')} {value}로 과거 발표일 중앙값과 같습니다.",
                f"The {name} is {value}, its median on past announcement days.",
            )
        above = multiple.gap > 0
        return self._asking.say(
            f"{josa(name, '은/는')} {value}로, 과거 발표일 {multiple.count}회의 중앙값 {middle}보다 "
            f"{gap} {'높습니다' if above else '낮습니다'}.",
            f"The {name} is {value}, {gap} {'above' if above else 'below'} its median of {middle} on "
            f"{multiple.count} announcement days.",
        )

    def earned(self) -> str:
        """Return what the newest quarter earned and how it compares with the year before."""
        newest = self.newest
        when = quarter_name(newest.label, self._locale)
        told = [
            (
                declared_kind(item).label.of(self._locale),
                figure(newest.items[item], self._unit, self._locale),
                growth(self.quarters, item),
            )
            for item in ("revenue", "operating_income", "net_income")
            if item in newest.items
        ]
        if self._locale == "ko":
            parts = (f"{josa(what, '은/는')} {amount}{_grown_ko(change)}" for what, amount, change in told)
            return f"{self.name}의 {when} {', '.join(parts)}입니다."
        parts = (f"{what.lower()} {amount}{_grown_en(change)}" for what, amount, change in told)
        return f"In {when} {self.name} had {'; '.join(parts)}."

    def _title(self) -> str:
        return self._asking.say(f"{self.name} 분기 실적", f"{self.name} quarterly figures")


def _quarters(rows: Sequence[EquityFinancialsRow]) -> tuple[Quarter, ...]:
    """Return the quarters, oldest first."""
    ordered = sorted(rows, key=lambda row: row.period_end)
    found = []
    for end, group in groupby(ordered, key=lambda row: row.period_end):
        held = list(group)
        announced = min(row.as_of for row in held)
        items: dict[str, Decimal] = {row.item: row.value for row in held}
        found.append(Quarter(end, held[0].fiscal_period, announced.date(), items))
    return tuple(found)


def _grown_ko(change: Decimal | None) -> str:
    if change is None:
        return ""
    return f"(전년 동기 대비 {figure(change, 'percent', 'ko', signed=True)})"


def _grown_en(change: Decimal | None) -> str:
    return "" if change is None else f" ({figure(change, 'percent', 'en', signed=True)} year on year)"
