"""Figures of the accounts of companies: of a quarter, of several together, held against a price."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from services.contract.asks import Said
from services.domains.finance.asks.figures.rows import Figure, HeldRows
from services.domains.finance.asks.vocabulary import BY_ID
from services.domains.finance.asks.wording import decimals_of, quarter_said, times, year_said
from services.plugin.asks.telling import QueryRow, day_said, filled, percent

_QUARTERS: Final = 4
LAST_QUARTER: Final = "last"
"""The quarter that was reported last."""
GROWTH: Final = "growth"
"""What the growth of an item of accounts is a figure of."""
PER_SHARE: Final = frozenset({"eps", "bps", "dividend", "price"})
_FLOWS: Final = frozenset({"revenue", "operating_income", "net_income"})
_TOTALS: Final = frozenset({"year", "four", "through"})
"""Notes of several quarters that are meant together."""


class Accounts(HeldRows):
    """The rows of an ask, and what the accounts among them come to."""

    def growth(self, measure: str, subject: str) -> Figure | None:
        """Return how an item of accounts grew: against the same quarter a year before, or the quarter before."""
        rows = self.book(subject, BY_ID[measure].items[0])
        at = quarter_place(rows, self.ask.notes.get("quarter", ""))
        back = 1 if self.ask.notes.get("span") == "qoq" else 4
        if at is None or at + back >= len(rows):
            return None
        now, then = rows[at].number("value") or Decimal(0), rows[at + back].number("value") or Decimal(0)
        if not then:
            return None
        value = (now - then) / abs(then) * 100
        periods = quarter_said(rows[at].text("fiscal_period")), quarter_said(rows[at + back].text("fiscal_period"))
        when = filled("{now}, {then} 대비", "{now} against {then}", now=periods[0], then=periods[1])
        return self._made(GROWTH, subject, value, percent(value, 2, signed=True), when)

    def _surprise(self, subject: str) -> Figure | None:
        row = self._of_quarter(self.earned(subject))
        value = row.number("surprise_percent") if row else None
        if row is None or value is None:
            return None
        actual, estimate = row.number("eps_actual") or Decimal(0), row.number("eps_estimate") or Decimal(0)
        parts = filled(
            "주당순이익 {actual}, 예상 {estimate}",
            "EPS {actual} against {estimate} expected",
            actual=self.money(subject, actual, per_share=True),
            estimate=self.money(subject, estimate, per_share=True),
        )
        return self._made(
            "surprise", subject, value, percent(value, 2, signed=True), quarter_said(row.text("fiscal_period")), parts
        )

    def _of_quarter(self, rows: Sequence[QueryRow]) -> QueryRow | None:
        at = quarter_place(rows, self.ask.notes.get("quarter", ""))
        return None if at is None else rows[at]

    def _last_four(self, subject: str, item: str) -> Decimal | None:
        rows = self._known(subject, item)[:_QUARTERS]
        values = [value for row in rows if (value := row.number("value")) is not None]
        return sum(values, Decimal(0)) if len(values) == _QUARTERS else None

    def _known(self, subject: str, item: str) -> Sequence[QueryRow]:
        """Return the quarters of an item that were published by the day that is asked of, the newest first."""
        day = self.ask.end_date
        return [row for row in self.book(subject, item) if not day or row.as_of.date().isoformat() <= day]

    def _valued(self, measure: str, subject: str) -> Figure | None:
        row = self.price(subject, self.ask.end_date)
        price = row.number("close") if row else None
        found: tuple[Decimal, Said, Said] | None = None
        if measure in {"dividend", "dividend_yield"}:
            found = self._dividends(measure, subject, price)
        elif measure == "roe":
            found = self._roe(subject)
        elif price is not None:
            found = self._priced(measure, subject, price)
        if found is None:
            return None
        value, said, parts = found
        return self._made(
            measure,
            subject,
            value,
            said,
            day_said(row.text("date")) if row else self._newest(subject, BY_ID[measure].items[0]),
            parts,
        )

    def _newest(self, subject: str, item: str) -> Said:
        rows = self.book(subject, item)
        return quarter_said(rows[0].text("fiscal_period")) if rows else Said("", "")

    def _dividends(self, measure: str, subject: str, price: Decimal | None) -> tuple[Decimal, Said, Said] | None:
        paid = self._last_four(subject, "dividend_per_share")
        if paid is None:
            return None
        said = self.money(subject, paid, per_share=True)
        if measure == "dividend":
            return paid, said, Said("최근 네 분기 배당의 합", "the sum of the last four dividends")
        if not price:
            return None
        value = paid / price * 100
        parts = filled(
            "최근 4분기 배당 {paid} ÷ 종가 {price}",
            "last four dividends {paid} over the close {price}",
            paid=said,
            price=self.money(subject, price, per_share=True),
        )
        return value, percent(value, 2), parts

    def _roe(self, subject: str) -> tuple[Decimal, Said, Said] | None:
        earned, books = self._last_four(subject, "eps"), self._known(subject, "bps")
        base = books[0].number("value") if books else None
        if earned is None or not base:
            return None
        value = earned / base * 100
        return (
            value,
            percent(value, decimals_of("roe")),
            Said("최근 4분기 주당순이익 ÷ 주당순자산", "last four EPS over book value a share"),
        )

    def _priced(self, measure: str, subject: str, price: Decimal) -> tuple[Decimal, Said, Said] | None:
        shown = self.money(subject, price, per_share=True)
        if measure == "per":
            earned = self._last_four(subject, "eps")
            if not earned:
                return None
            value = price / earned
            parts = filled(
                "종가 {price} ÷ 최근 4분기 EPS 합 {eps}",
                "close {price} over the last four EPS, {eps}",
                price=shown,
                eps=self.money(subject, earned, per_share=True),
            )
            return value, times(value, decimals_of(measure)), parts
        rows = self._known(subject, BY_ID[measure].items[0])
        base = rows[0].number("value") if rows else None
        if not base:
            return None
        if measure == "pbr":
            value = price / base
            parts = filled(
                "종가 {price} ÷ 주당순자산 {bps}",
                "close {price} over book value {bps}",
                price=shown,
                bps=self.money(subject, base, per_share=True),
            )
            return value, times(value, decimals_of(measure)), parts
        value = price * base
        parts = filled(
            "종가 {price} × 발행 주식 {count}주",
            "close {price} times {count} shares",
            price=shown,
            count=f"{int(base):,}",
        )
        return value, self.money(subject, value, per_share=False), parts

    def _account(self, measure: str, subject: str) -> Figure | None:
        items = BY_ID[measure].items
        if len(items) == 2:
            return self._margin(measure, subject, *items)
        if measure in _FLOWS and self.ask.notes.keys() & _TOTALS:
            total = self._total(subject, items[0])
            if total is None:
                return None
            return self._made(measure, subject, total[0], self.money(subject, total[0], per_share=False), total[1])
        row = self._of_quarter(self.book(subject, items[0]))
        value = row.number("value") if row else None
        if row is None or value is None:
            return None
        said = self.money(subject, value, per_share=measure in PER_SHARE)
        return self._made(measure, subject, value, said, quarter_said(row.text("fiscal_period")))

    def _total(self, subject: str, item: str) -> tuple[Decimal, Said] | None:
        """Return what the quarters that are meant add up to, and which they are; None where one of them is not there."""
        rows, notes = self._meant(subject, item), self.ask.notes
        values = [value for row in rows if (value := row.number("value")) is not None]
        total = sum(values, Decimal(0))
        if year := notes.get("year"):
            return (total, year_said(year, len(values))) if values else None
        if "four" in notes:
            newest = self._newest(subject, item)
            when = Said(f"최근 4분기 합({newest.ko}까지)", f"the last four quarters (to {newest.en})")
            return (total, when) if len(values) == _QUARTERS else None
        first, last = notes["quarter"], notes["through"]
        when = filled(
            "{first}부터 {last}까지({count}개 분기 합)", "{first} to {last} ({count} quarters together)",
            first=quarter_said(first), last=quarter_said(last), count=str(len(values)),
        )  # fmt: skip
        return (total, when) if len(values) == _quarter_number(last) - _quarter_number(first) + 1 else None

    def _meant(self, subject: str, item: str) -> Sequence[QueryRow]:
        """Return the accounts of the quarters that are meant, the newest first: named ones, else the last four."""
        rows, notes = self.book(subject, item), self.ask.notes
        if year := notes.get("year"):
            return [row for row in rows if row.text("fiscal_period").startswith(year)]
        if "through" in notes:
            return [row for row in rows if notes["quarter"] <= row.text("fiscal_period") <= notes["through"]]
        return rows[:_QUARTERS]

    def quarters(self, measure: str, subject: str) -> list[Figure]:
        """Return an item of accounts of each of the quarters that are meant, the newest first."""
        if measure not in _FLOWS:
            return []
        return [
            self._made(
                measure,
                subject,
                value,
                self.money(subject, value, per_share=measure in PER_SHARE),
                quarter_said(row.text("fiscal_period")),
            )
            for row in self._meant(subject, BY_ID[measure].items[0])
            if (value := row.number("value")) is not None
        ]

    def _margin(self, measure: str, subject: str, above: str, below: str) -> Figure | None:
        if self.ask.notes.keys() & _TOTALS:
            earned, whole = self._total(subject, above), self._total(subject, below)
            if earned is None or whole is None or not whole[0] or earned[1] != whole[1]:
                return None
            share = earned[0] / whole[0] * 100
            return self._made(measure, subject, share, percent(share, decimals_of(measure)), earned[1])
        top, bottom = self._of_quarter(self.book(subject, above)), self._of_quarter(self.book(subject, below))
        if top is None or bottom is None or not bottom.number("value"):
            return None
        value = (top.number("value") or Decimal(0)) / (bottom.number("value") or Decimal(1)) * 100
        said = percent(value, decimals_of(measure))
        return self._made(measure, subject, value, said, quarter_said(top.text("fiscal_period")))


def quarter_place(rows: Sequence[QueryRow], wanted: str) -> int | None:
    """Return where a quarter stands in rows whose newest is first: named, "last", or so many before it ("last-1")."""
    if not wanted or wanted.startswith(LAST_QUARTER):
        at = int(wanted.removeprefix(LAST_QUARTER).removeprefix("-") or 0)
        return at if at < len(rows) else None
    return next((place for place, row in enumerate(rows) if row.text("fiscal_period") == wanted), None)


def _quarter_number(period: str) -> int:
    return int(period[:4]) * _QUARTERS + int(period[-1])
