"""The highest and the lowest within a time, with their days, and what it is now."""

import re
from collections.abc import Sequence
from typing import Any

from services.contract.asks import Ask, Said
from services.domains.finance.asks.calls import series_calls, share_filters
from services.domains.finance.asks.figures.held import Held
from services.domains.finance.asks.figures.rows import Figure
from services.domains.finance.asks.levels.outcomes import nothing, series_of, shares_of, whole
from services.domains.finance.asks.vocabulary import SERIES
from services.domains.finance.asks.wording import is_rate
from services.plugin.asks.answering import Call, Found, Outcome
from services.plugin.asks.telling import QueryRow, day_said, filled, percent, points, query, rows_of, sentences, where


def extreme_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls of the highest or lowest value within a time, and of the newest."""
    calls: list[Call] = []
    for one in series_of(ask):
        if is_yearly(ask, one):
            calls += series_calls([one], ask)
            continue
        filters, fields = [where("series_id", one)], ("series_id", "date", "value")
        calls += [_first(ask, "series", fields, filters), query("series", fields, mode="last", filters=filters)]
    if shares_of(ask):
        fields_ = ("security_id", "name_ko", "name_en", "market", "currency", "date", "close")
        calls += [_first(ask, "share_prices", fields_, [where("security_id", one)]) for one in shares_of(ask)]
        calls.append(query("share_prices", fields_, mode="last", filters=share_filters(ask)))
    return [*calls, *(_coverage_calls(ask) if ask.start_date else ())]


def _first(ask: Ask, dataset: str, fields: Sequence[str], filters: Sequence[dict[str, Any]]) -> Call:
    """Return the call of the row with the highest or lowest value, the last of the fields, within the time of an ask."""
    return query(
        dataset,
        fields,
        mode="rows",
        filters=filters,
        start=ask.start_date or None,
        end=ask.end_date or None,
        order_by=fields[-1],
        descending=ask.descending,
        limit=1,
    )


def _coverage_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls that tell from when on there is data, where a time is named that may begin before it."""
    days = ("first_day", "last_day")
    series = [query("series", days, by=("series_id",), filters=[where("series_id", one)]) for one in series_of(ask)]
    return [*series, *([query("share_prices", days, filters=share_filters(ask))] if shares_of(ask) else [])]


def _before_data(ask: Ask, held: Held) -> Said | None:
    """Return that a time that is named begins before the data does; None where it does not."""
    begun = held.span_of_data()
    if begun is None or ask.start_date >= begun[0]:
        return None
    return filled(
        "자료는 {first}부터 있어 그 전은 견주지 못했습니다.",
        "The data begins on {first}; nothing before it is counted in.",
        first=day_said(begun[0]),
    )


def is_yearly(ask: Ask, subject: str) -> bool:
    """Return whether a series is told as its change over a year, as people mean prices: "inflation", not the index."""
    return subject in SERIES and SERIES[subject].yearly and not re.search(r"지수|\bindex\b", ask.words, re.IGNORECASE)


def peak(ask: Ask, held: Held, found: Found, subject: str) -> tuple[Figure, Figure | None] | None:
    """Return the highest or lowest figure within the time of an ask, and the present one; None where there is none."""
    if is_yearly(ask, subject):
        rows = [row for row in held.days(subject) if not ask.end_date or row.text("date") <= ask.end_date]
        rates = [held.yearly_at(subject, row) for row in rows if row.text("date") >= ask.start_date]
        known = [one for one in rates if one is not None]
        if not known:
            return None
        return (max if ask.descending else min)(known, key=lambda one: one.value), held.yearly(subject)
    lists = [rows_of([one]) for one in found.readings if one.arguments.get("mode") == "rows"]
    found_rows = (row for rows in lists for row in rows if subject in {row.text("security_id"), row.text("series_id")})
    top = next(found_rows, None)
    figure = _figure(held, subject, top)
    return None if figure is None else (figure, _figure(held, subject, held.price(subject)))


def _figure(held: Held, subject: str, row: QueryRow | None) -> Figure | None:
    is_series = subject in SERIES
    value = row.number("value" if is_series else "close") if row is not None else None
    if row is None or value is None:
        return None
    said = held.level_said(subject, value)
    return Figure(subject, held.name(subject), "level" if is_series else "price", value, said, held.day(subject, row))


def called(figure: Figure) -> Said:
    """Return what a figure's subject is called; of prices that it is their change over a year."""
    if figure.measure != "yearly":
        return figure.name
    return filled("{name} 상승률(전년 같은 달 대비)", "{name}' rise over a year", name=figure.name)


def _as_close(figure: Figure) -> Said:
    return Said(f"{figure.said.ko}(종가)", figure.said.en) if figure.measure == "price" else figure.said


def _gap_from(then: Figure, now: Figure) -> Said:
    """Return how far what is now lies above or below what was then; nothing where it is the same."""
    if now.value == then.value or not then.value:
        return Said("", "")
    in_points = then.measure == "yearly" or is_rate(then.subject)
    size = points(abs(now.value - then.value)) if in_points else percent(abs(now.value / then.value - 1) * 100, 2)
    way = Said("높은 수준", "above") if now.value > then.value else Said("낮은 수준", "below")
    return filled("그때보다 {size} {way}", "{size} {way} that", size=size, way=way)


def extreme(ask: Ask, found: Found) -> Outcome:
    """Return the highest or lowest value with its day, and what it is now."""
    held = Held(ask, found)
    lines, figures = [], []
    way = Said("가장 높았던", "highest") if ask.descending else Said("가장 낮았던", "lowest")
    span = Said(*(ask.notes.get(name, "") for name in ("span_ko", "span_en")))
    for one in (*shares_of(ask), *series_of(ask)):
        told = peak(ask, held, found, one)
        if told is None:
            continue
        top, now = told
        lines.append(
            filled(
                "{name:이/가} {span}{way} 때는 {when:으로/로} {value:이었/였}습니다.",
                "The {way} {what} of {name}{span} was {value}, {when}.",
                name=called(top), span=Said(span.ko and f"{span.ko} ", span.en and f" {span.en}"),
                way=way, when=top.when, value=_as_close(top), what=Said("", "close" if top.measure == "price" else "value"),
            )
        )  # fmt: skip
        if now is not None:
            gap = _gap_from(top, now)
            lines.append(
                filled(
                    "지금은 {value:으로/로}, {gap}입니다({when})." if gap.ko else "지금은 {value}입니다({when}).",
                    "It is {value} now, {gap} ({when})." if gap.en else "It is {value} now ({when}).",
                    value=now.said,
                    when=now.when,
                    gap=gap,
                )
            )
        figures.append(top)
    if not lines:
        return nothing(ask, held)
    return whole(ask, held, sentences(*lines, _before_data(ask, held)), figures)
