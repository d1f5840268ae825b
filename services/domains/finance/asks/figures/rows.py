"""The rows of an ask on markets by subject, and a figure that is computed from them."""

from collections import defaultdict
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, Said
from services.contract.flow import Evidence
from services.domains.finance.asks.spans import earlier_ends
from services.domains.finance.asks.vocabulary import SERIES
from services.domains.finance.asks.wording import dollars, series_said, share_won
from services.plugin.asks.answering import Found
from services.plugin.asks.telling import QueryRow, day_said, month_said, proof, rows_of, won
from services.plugin.findings import Reading

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


class HeldRows:
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

    def price(self, subject: str, at: str = "") -> QueryRow | None:
        """Return the last price row at or before a day."""
        return self._last.get(at, {}).get(subject)

    def days(self, subject: str) -> list[QueryRow]:
        """Return the rows of single days, the newest first."""
        return sorted(self._days[subject], key=lambda row: row.text("date"), reverse=True)

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

    def _made(  # noqa: PLR0913, PLR0917 - the parts of a figure
        self, measure: str, subject: str, value: Decimal, said: Said, when: Said, parts: Said | None = None
    ) -> Figure:
        return Figure(subject, self.name(subject), measure, value, said, when, parts)

    def money(self, subject: str, value: Decimal, *, per_share: bool) -> Said:
        """Return a sum in the currency of a share, or in the unit of a series."""
        if self.is_won(subject):
            return share_won(value) if per_share else won(value)
        return dollars(value)

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
