"""The typed queries whose rows figures of shares and series are computed from."""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any, Final

from services.contract.asks import Ask
from services.domains.finance.asks.spans import earlier_ends
from services.domains.finance.asks.vocabulary import BY_ID, SERIES
from services.plugin.asks.answering import Call
from services.plugin.asks.telling import query, where

_SHARE: Final = ("security_id", "name_ko", "name_en", "market", "currency")
_PRICE: Final = (*_SHARE, "date", "close", "day_volume")
_BOOK: Final = (*_SHARE, "item", "fiscal_period", "period_end", "value")
_EARNED: Final = (*_SHARE, "event_date", "fiscal_period", "eps_actual", "eps_estimate", "surprise_percent")
_SERIES: Final = ("series_id", "date", "value")
_ROWS: Final = 200
_LAST_YEAR: Final = 14
"""The newest month, the one a year before it, and one more behind."""
_DAYS: Final = 7


def share_filters(ask: Ask) -> list[dict[str, Any]]:
    """Return the filters of the shares that an ask names or ranges over."""
    ids = tuple(one.value for one in ask.subjects if one.kind == "security")
    if ids:
        return [where("security_id", ids, "in")]
    named = ask.notes.get("class", "")
    if named.startswith("="):
        return [where("security_id", tuple(named[1:].split(",")), "in")]
    found = [where("kind", "share")]
    return [*found, where("market", named)] if named in {"KR", "US"} else found


def share_calls(ask: Ask, measures: Iterable[str]) -> list[Call]:
    """Return the calls that measures of shares need, each once."""
    filters, calls = share_filters(ask), []
    for name in measures:
        measure = BY_ID[name]
        if name in {"price", "volume"} or measure.priced:
            calls.append(_prices(filters, ask.end_date))
        if name == "return":
            calls += _return_calls(ask, filters)
        calls += [
            query(
                "financials",
                _BOOK,
                mode="rows",
                filters=[*filters, where("item", item)],
                order_by="period_end",
                limit=_ROWS,
            )
            for item in measure.items
        ]
        if name == "surprise":
            calls.append(query("earnings", _EARNED, mode="rows", filters=filters, order_by="event_date", limit=_ROWS))
    if (ask.end_date and "price" in measures) or ("return" in measures and begins_long_ago(ask)):
        calls.append(query("share_prices", ("first_day", "last_day"), filters=filters))
    return list({repr(call): call for call in calls}.values())


def begins_long_ago(ask: Ask) -> bool:
    """Tell whether a change begins so long ago that the data may not reach back to it."""
    if not ask.against_date or ask.notes.get("span") in {"ytd", "year_end"}:
        return False
    return date.fromisoformat(ask.notes["today"]) - date.fromisoformat(ask.against_date) > _LONG_AGO


_LONG_AGO: Final = timedelta(days=400)


def _prices(filters: list[dict[str, Any]], at: str) -> Call:
    return query(
        "share_prices",
        _PRICE,
        mode="last",
        filters=filters,
        at=at or None,
        order_by="security_id",
        descending=False,
        limit=60,
    )


def _return_calls(ask: Ask, filters: list[dict[str, Any]]) -> list[Call]:
    if ask.notes.get("span") == "day":
        last = date.fromisoformat(ask.end_date or ask.notes["today"])
        start = (last - timedelta(days=_DAYS + (0 if ask.end_date else 4))).isoformat()
        return [
            query(
                "share_prices",
                _PRICE,
                mode="rows",
                filters=filters,
                start=start,
                end=last.isoformat(),
                order_by="date",
                limit=_ROWS,
            )
        ]
    return [_prices(filters, at) for at in (ask.end_date, ask.against_date, *earlier_ends(ask))]


def series_calls(ids: Iterable[str], ask: Ask, *, of_now: bool = False) -> list[Call]:
    """Return the calls that series need: daily ones at both ends, monthly ones whole, or the last year where it will do."""
    months = _LAST_YEAR if of_now else _ROWS
    calls = []
    for one in ids:
        filters = [where("series_id", one)]
        if not SERIES[one].daily:
            calls.append(query("series", _SERIES, mode="rows", filters=filters, order_by="date", limit=months))
            continue
        calls.append(query("series", _SERIES, mode="last", filters=filters, at=ask.end_date or None))
        if ask.notes.get("span") == "day":
            calls.append(
                query(
                    "series", _SERIES, mode="rows", filters=filters, order_by="date", limit=20, end=ask.end_date or None
                )
            )
        elif ask.against_date:
            calls += [
                query("series", _SERIES, mode="last", filters=filters, at=at)
                for at in (ask.against_date, *earlier_ends(ask))
            ]
    if ask.end_date:
        calls += [
            query("series", ("first_day", "last_day"), by=("series_id",), filters=[where("series_id", one)])
            for one in ids
        ]
    return calls
