"""Trading days of the two markets, from the exchanges' real calendars."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from services.plugin.data.sample import utc

# About 252 sessions make a year; the window is wide enough for the asked count with every holiday.
_CALENDAR_DAYS_PER_SESSION = 1.6


@dataclass(frozen=True)
class Session:
    """One trading day."""

    date: date
    """Local date of the session."""
    close: datetime
    """When it closed, UTC."""


def closed_sessions(market: str, as_of: datetime, count: int) -> list[Session]:
    """Return the last `count` sessions of market US or KR that had closed at `as_of`, oldest first."""
    start = utc(as_of) - timedelta(days=int(count * _CALENDAR_DAYS_PER_SESSION) + 30)
    closes = _closes(market, start.date(), utc(as_of).date() + timedelta(days=1))
    closed = [session for session in closes if session.close <= utc(as_of)]
    if len(closed) < count:
        raise ValueError(f"market {market} has {len(closed)} closed sessions before {as_of}, {count} were asked")
    return closed[-count:]


def _closes(market: str, start: date, end: date) -> list[Session]:
    # Imported here: it loads pandas, which only the seeding child may do, and only when it generates.
    from exchange_calendars.exchange_calendar_xkrx import PrecomputedXKRXExchangeCalendar  # noqa: PLC0415
    from exchange_calendars.exchange_calendar_xnys import XNYSExchangeCalendar  # noqa: PLC0415

    # The precomputed Korean calendar holds the exchange's own holiday list; the rule-based one takes 4 s to build.
    kind = {"US": XNYSExchangeCalendar, "KR": PrecomputedXKRXExchangeCalendar}[market]
    calendar = kind(start=start.isoformat(), end=end.isoformat())
    return [Session(day.date(), close.to_pydatetime()) for day, close in calendar.closes.items()]
