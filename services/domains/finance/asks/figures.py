"""The figures of shares and series, each computed from the rows of typed queries: its calls, its value, how it is said."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, Said
from services.contract.flow import Evidence
from services.domains.finance.asks.spans import earlier_ends, months_before, span_said
from services.domains.finance.asks.vocabulary import BY_ID, SERIES
from services.domains.finance.asks.wording import (
    decimals_of,
    dollars,
    is_rate,
    quarter_said,
    series_said,
    share_won,
    times,
    year_said,
)
from services.plugin.asks.answering import Found
from services.plugin.asks.telling import (
    QueryRow,
    day_said,
    decimal,
    filled,
    month_said,
    percent,
    proof,
    rows_of,
    won,
)
from services.plugin.findings import Reading

_QUARTERS: Final = 4
LAST_QUARTER: Final = "last"
"""The quarter that was reported last."""
GROWTH: Final = "growth"
"""What the growth of an item of accounts is a figure of."""
PER_SHARE: Final = frozenset({"eps", "bps", "dividend", "price"})
_FLOWS: Final = frozenset({"revenue", "operating_income", "net_income"})
_TOTALS: Final = frozenset({"year", "four", "through"})
"""Notes of several quarters that are meant together."""
_TITLES: Final = {
    "share_prices": Said("주가", "Share prices"),
    "financials": Said("분기 재무", "Quarterly accounts"),
    "earnings": Said("실적 발표", "Earnings announcements"),
    "series": Said("거시 지표", "Macro series"),
    "news": Said("뉴스", "News"),
    "company_events": Said("기업 소식", "Company events"),
}
_TYPES: Final = {"share_prices": "price", "financials": "financials", "earnings": "financials", "series": "macro"}


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of one subject."""

    subject: str
    """Security or series id."""
    name: Said
    """What the subject is called."""
    measure: str
    """The measure; "level" and "change" of a series."""
    value: Decimal
    """Its value."""
    said: Said
    """The value as it is told."""
    when: Said
    """The day, month or quarter that it stands for."""
    parts: Said | None = None
    """What it was computed from, in a few words."""


class Held:
    """What the rows of an ask hold, by subject."""

    def __init__(self, ask: Ask, found: Found) -> None:
        self.ask = ask
        self.locale = found.asking.locale
        self._readings = found.readings
        self._last: dict[str, dict[str, QueryRow]] = {}
        self._days: defaultdict[str, list[QueryRow]] = defaultdict(list)
        self._books: defaultdict[tuple[str, str], list[QueryRow]] = defaultdict(list)
        self._earned: defaultdict[str, list[QueryRow]] = defaultdict(list)
        for reading in found.readings:
            self._take(reading)
        if (earlier := earlier_ends(ask)) and self._has_not_begun():
            # On the first days of a month it has no trading day yet: the month before it is told, and named.
            notes = {**ask.notes, "span": f"{ask.notes['span']}_before"}
            self.ask = replace(ask, against_date=earlier[0], notes=notes)

    def _take(self, reading: Reading) -> None:
        mode, data = reading.arguments.get("mode"), reading.arguments.get("dataset")
        for row in rows_of([reading]):
            key = row.text("security_id") or row.text("series_id")
            if mode == "last":
                self._last.setdefault(str(reading.arguments.get("at") or ""), {})[key] = row
            elif data in {"share_prices", "series"} and mode == "rows":
                self._days[key].append(row)
            elif data == "financials":
                self._books[key, row.text("item")].append(row)
            elif data == "earnings":
                self._earned[key].append(row)

    def _has_not_begun(self) -> bool:
        days = [row.text("date")[:10] for row in self._last.get("", {}).values()]
        return bool(days) and max(days) <= self.ask.against_date

    def evidence(self) -> tuple[Evidence, ...]:
        """Return what the figures rest on, a piece for each call that returned rows."""
        return tuple(self._piece(one) for one in self._readings if one.rows)

    def _piece(self, reading: Reading) -> Evidence:
        data = str(reading.arguments.get("dataset", ""))
        return proof(reading, _TITLES.get(data, Said(data, data)), self.locale, _TYPES.get(data, "news"))

    def span_of_data(self, subject: str = "") -> tuple[str, str] | None:
        """Return the first and the last day that the data has of a subject; None where it was not asked."""
        for row in rows_of(self._readings):
            if row.text("first_day") and (not subject or row.text("series_id") in {"", subject}):
                return row.text("first_day")[:10], row.text("last_day")[:10]
        return None

    def ids(self) -> tuple[str, ...]:
        """Return the shares that the rows are of, in the order of the rows."""
        named = [one.value for one in self.ask.subjects if one.kind == "security"]
        rows = (row.text("security_id") for row in rows_of(self._readings) if row.text("security_id"))
        return tuple(dict.fromkeys((*named, *rows)))

    def name(self, subject: str) -> Said:
        """Return what a share or series is called."""
        if subject in SERIES:
            return SERIES[subject].name
        row = next((row for row in rows_of(self._readings) if row.text("security_id") == subject), None)
        if row is not None:
            # AMD is known by its ticker, whatever the register calls it.
            ticker = subject.partition(":")[2]
            return Said(ticker, ticker) if row.text("name_ko") == ticker else row.named("name")
        label = next((one.label for one in self.ask.subjects if one.value == subject), subject)
        return Said(label, label)

    def is_won(self, subject: str) -> bool:
        """Tell whether a share is priced in won."""
        return subject.startswith("KR:")

    # Shares

    def price(self, subject: str, at: str = "") -> QueryRow | None:
        """Return the last price row at or before a day."""
        return self._last.get(at, {}).get(subject)

    def days(self, subject: str) -> list[QueryRow]:
        """Return the rows of single days, the newest first."""
        return sorted(self._days[subject], key=lambda row: row.text("date"), reverse=True)

    def between(self, subject: str) -> list[QueryRow]:
        """Return the rows of a subject from the first to the last day of its change; all there are without one."""
        ends, rows = self.ends(subject), self.days(subject)
        if ends is None:
            return rows
        first, last = (row.text("date") for row in ends)
        return [row for row in rows if first <= row.text("date") <= last]

    def proofs_of(self, subject: str) -> tuple[str, ...]:
        """Return the ids of the evidence that holds the days of a subject."""
        return tuple(
            self._piece(one).evidence_id
            for one in self._readings
            if one.arguments.get("mode") == "rows"
            and any(subject in {row.text("security_id"), row.text("series_id")} for row in rows_of([one]))
        )

    def book(self, subject: str, item: str) -> list[QueryRow]:
        """Return the quarters of an item, the newest first."""
        return sorted(self._books[subject, item], key=lambda row: row.text("period_end"), reverse=True)

    def earned(self, subject: str) -> list[QueryRow]:
        """Return the announcements, the newest first."""
        return sorted(self._earned[subject], key=lambda row: row.text("event_date"), reverse=True)

    def share(self, measure: str, subject: str) -> Figure | None:
        """Return a figure of a share; None where the rows lack what it needs."""
        if measure == "price":
            return self._price_figure(subject)
        if measure == "volume":
            row = self.price(subject, self.ask.end_date)
            count = row.number("day_volume") if row else None
            return (
                self._made(
                    measure,
                    subject,
                    count,
                    Said(f"{int(count):,}주", f"{int(count):,} shares"),
                    day_said(row.text("date")),
                )
                if row and count
                else None
            )
        if measure == "return":
            return self.change(subject)
        if measure == "surprise":
            return self._surprise(subject)
        return (
            self._valued(measure, subject)
            if BY_ID[measure].priced or measure in {"dividend", "roe"}
            else self._account(measure, subject)
        )

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

    def _made(  # noqa: PLR0913, PLR0917 - the parts of a figure
        self, measure: str, subject: str, value: Decimal, said: Said, when: Said, parts: Said | None = None
    ) -> Figure:
        return Figure(subject, self.name(subject), measure, value, said, when, parts)

    def money(self, subject: str, value: Decimal, *, per_share: bool) -> Said:
        """Return a sum in the currency of a share, or in the unit of a series."""
        if self.is_won(subject):
            return share_won(value) if per_share else won(value)
        return dollars(value)

    def _price_figure(self, subject: str) -> Figure | None:
        row = self.price(subject, self.ask.end_date)
        close = row.number("close") if row else None
        if row is None or close is None or row.text("date") < self.ask.start_date[:10]:
            return None
        return self._made(
            "price", subject, close, self.money(subject, close, per_share=True), day_said(row.text("date"))
        )

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

    def ends(self, subject: str) -> tuple[QueryRow, QueryRow] | None:
        """Return the rows at both ends of an ask's change, first and last; None where one is not in the data."""
        ask = self.ask
        if ask.notes.get("span") == "day":
            days = self.days(subject)
            return (days[1], days[0]) if len(days) > 1 else None
        if subject in SERIES and not SERIES[subject].daily:
            return self._months(subject)
        then, now = self.price(subject, ask.against_date), self.price(subject, ask.end_date)
        if then is None or now is None or then.text("date") >= now.text("date"):
            return None
        # A first value long before the day asked is none of it: the data begin or end elsewhere.
        return (then, now) if then.text("date") >= _earlier(ask.against_date) else None

    def _months(self, series_id: str) -> tuple[QueryRow, QueryRow] | None:
        ask, rows = self.ask, self.days(series_id)
        rows = [row for row in rows if not ask.end_date or row.text("date") <= ask.end_date]
        if len(rows) < 2:
            return None
        months = int(ask.notes.get("months", "0") or 0)
        if months:
            newest = date.fromisoformat(rows[0].text("date")[:10])
            index = newest.year * 12 + newest.month - 1 - months
            wanted = f"{index // 12:04d}-{index % 12 + 1:02d}"
        else:
            wanted = ask.against_date[:7]
        then = next((row for row in rows[1:] if row.text("date")[:7] <= wanted), None)
        return (then, rows[0]) if then is not None else None

    def change(self, subject: str) -> Figure | None:
        """Return the change of a price or a series between the ends of the ask, in percent or in points."""
        ends = self.ends(subject)
        field = "value" if subject in SERIES else "close"
        before, after = (row.number(field) for row in ends) if ends else (None, None)
        if ends is None or before is None or after is None:
            return None
        if is_rate(subject):
            value = after - before
            said = Said(f"{decimal(value, 2)}%p", f"{decimal(value, 2)} percentage points")
        elif not before:
            return None
        else:
            value = (after / before - 1) * 100
            said = percent(value, 2, signed=True)
        parts = filled(
            "{then} {before} → {now} {after}",
            "{before} ({then}) to {after} ({now})",
            then=self.day(subject, ends[0]),
            now=self.day(subject, ends[1]),
            before=self.level_said(subject, before),
            after=self.level_said(subject, after),
        )
        return self._made("return", subject, value, said, span_said(self.ask), parts)

    # Series

    def day(self, subject: str, row: QueryRow) -> Said:
        """Return the day or month of a row."""
        return (
            month_said(row.text("date"))
            if subject in SERIES and not SERIES[subject].daily and SERIES[subject].unit != "musd"
            else day_said(row.text("date"))
        )

    def level_said(self, subject: str, value: Decimal) -> Said:
        """Return a level in the unit of its subject."""
        if subject not in SERIES:
            return self.money(subject, value, per_share=True)
        return series_said(subject, value)

    def newest(self, series_id: str) -> QueryRow | None:
        """Return the newest row of a series within the ask's days."""
        if SERIES[series_id].daily:
            row = self._last.get(self.ask.end_date, {}).get(series_id)
        else:
            row = self._month(series_id)
        return None if row is None or row.text("date")[:7] < self.ask.start_date[:7] else row

    def _month(self, series_id: str) -> QueryRow | None:
        """Return the newest month of a series at the ask's last day; so many months before it where the ask says so."""
        rows = [one for one in self.days(series_id) if not self.ask.end_date or one.text("date") <= self.ask.end_date]
        ago = int(self.ask.notes.get("ago", "0"))
        if not ago or not rows:
            return next(iter(rows), None)
        last = months_before(date.fromisoformat(rows[0].text("date")[:10]), ago).isoformat()
        return next((one for one in rows if one.text("date")[:10] <= last), None)

    def level(self, series_id: str) -> Figure | None:
        """Return the level of a series; of prices their change over the year, as people mean it."""
        if SERIES[series_id].yearly and self.ask.notes.get("plain") != "true":
            return self.yearly(series_id)
        row = self.newest(series_id)
        value = row.number("value") if row else None
        if row is None or value is None:
            return None
        return self._made("level", series_id, value, series_said(series_id, value), self.day(series_id, row))

    def yearly(self, series_id: str) -> Figure | None:
        """Return the change of a monthly series over a year."""
        newest = self.newest(series_id)
        rows = [row for row in self.days(series_id) if newest is not None and row.text("date") <= newest.text("date")]
        if newest is None or len(rows) <= 12:
            return None
        wanted = f"{int(newest.text('date')[:4]) - 1}{newest.text('date')[4:7]}"
        then = next((row for row in rows if row.text("date")[:7] == wanted), None)
        if then is None:
            return None
        before, after = then.number("value") or Decimal(1), newest.number("value") or Decimal(0)
        value = (after / before - 1) * 100
        parts = filled(
            "지수 {then} {before} → {now} {after}", "index {before} ({then}) to {after} ({now})",
            then=month_said(then.text("date")), now=month_said(newest.text("date")), before=decimal(before, 3), after=decimal(after, 3),
        )  # fmt: skip
        return self._made("yearly", series_id, value, percent(value, 2), month_said(newest.text("date")), parts)


def quarter_place(rows: Sequence[QueryRow], wanted: str) -> int | None:
    """Return where a quarter stands in rows whose newest is first: named, "last", or so many before it ("last-1")."""
    if not wanted or wanted.startswith(LAST_QUARTER):
        at = int(wanted.removeprefix(LAST_QUARTER).removeprefix("-") or 0)
        return at if at < len(rows) else None
    return next((place for place, row in enumerate(rows) if row.text("fiscal_period") == wanted), None)


def _quarter_number(period: str) -> int:
    return int(period[:4]) * _QUARTERS + int(period[-1])


def _earlier(day: str) -> str:
    return (date.fromisoformat(day) - timedelta(days=21)).isoformat()
