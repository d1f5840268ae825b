"""The figures of shares and series, each computed from the rows of typed queries: its value, its time, how it is said."""

from datetime import date, timedelta
from decimal import Decimal

from services.contract.asks import Said
from services.domains.finance.asks.figures.accounts import Accounts
from services.domains.finance.asks.figures.rows import Figure
from services.domains.finance.asks.spans import months_before
from services.domains.finance.asks.vocabulary import BY_ID, SERIES
from services.domains.finance.asks.wording import is_rate, series_said, span_said
from services.plugin.asks.telling import QueryRow, day_said, decimal, filled, month_said, percent


class Held(Accounts):
    """The figures that the rows of an ask hold."""

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

    def _price_figure(self, subject: str) -> Figure | None:
        row = self.price(subject, self.ask.end_date)
        close = row.number("close") if row else None
        if row is None or close is None or row.text("date") < self.ask.start_date[:10]:
            return None
        return self._made(
            "price", subject, close, self.money(subject, close, per_share=True), day_said(row.text("date"))
        )

    def between(self, subject: str) -> list[QueryRow]:
        """Return the rows of a subject from the first to the last day of its change; all there are without one."""
        ends, rows = self.ends(subject), self.days(subject)
        if ends is None:
            return rows
        first, last = (row.text("date") for row in ends)
        return [row for row in rows if first <= row.text("date") <= last]

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
        """Return the newest change of a monthly series over a year."""
        newest = self.newest(series_id)
        return None if newest is None else self.yearly_at(series_id, newest)

    def yearly_at(self, series_id: str, row: QueryRow) -> Figure | None:
        """Return the change of a monthly series over the year up to a month."""
        month = row.text("date")
        wanted = f"{int(month[:4]) - 1}{month[4:7]}"
        then = next((one for one in self.days(series_id) if one.text("date")[:7] == wanted), None)
        if then is None:
            return None
        before, after = then.number("value") or Decimal(1), row.number("value") or Decimal(0)
        value = (after / before - 1) * 100
        parts = filled(
            "지수 {then} {before} → {now} {after}", "index {before} ({then}) to {after} ({now})",
            then=month_said(then.text("date")), now=month_said(month), before=decimal(before, 3), after=decimal(after, 3),
        )  # fmt: skip
        return self._made("yearly", series_id, value, percent(value, 2), month_said(month), parts)


def _earlier(day: str) -> str:
    return (date.fromisoformat(day) - timedelta(days=21)).isoformat()
