"""The highest and the lowest within a time, with their days, and what it is now."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from services.contract.asks import Ask, Said
from services.domains.finance.asks.calls import share_filters
from services.domains.finance.asks.figures.held import Held
from services.domains.finance.asks.figures.rows import Figure
from services.domains.finance.asks.levels.outcomes import nothing, series_of, shares_of, whole
from services.domains.finance.asks.vocabulary import SERIES
from services.domains.finance.asks.wording import is_rate
from services.plugin.asks.answering import Call, Found, Outcome
from services.plugin.asks.telling import day_said, filled, percent, points, query, rows_of, sentences, where


def extreme_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls of the highest or lowest value within a time, and of the newest."""
    calls: list[Call] = []
    for one in series_of(ask):
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


def _as_close(subject: str, value: Said) -> Said:
    return value if subject in SERIES else Said(f"{value.ko}(종가)", value.en)


def _gap_from(subject: str, then: Decimal, now: Decimal) -> Said:
    """Return how far what is now lies above or below what was then; nothing where it is the same."""
    if now == then or not then:
        return Said("", "")
    size = points(abs(now - then)) if is_rate(subject) else percent(abs(now / then - 1) * 100, 2)
    way = Said("높은 수준", "above") if now > then else Said("낮은 수준", "below")
    return filled("그때보다 {size} {way}", "{size} {way} that", size=size, way=way)


def extreme(ask: Ask, found: Found) -> Outcome:
    """Return the highest or lowest value with its day, and what it is now."""
    held = Held(ask, found)
    lines, figures = [], []
    way = Said("가장 높았던", "highest") if ask.descending else Said("가장 낮았던", "lowest")
    for one in (*shares_of(ask), *series_of(ask)):
        field = "value" if one in SERIES else "close"
        top = next(
            (
                row
                for reading in found.readings
                if reading.arguments.get("mode") == "rows"
                for row in rows_of([reading])
                if one in {row.text("security_id"), row.text("series_id")}
            ),
            None,
        )
        now = held.price(one)
        value = top.number(field) if top else None
        if top is None or value is None:
            continue
        when = held.day(one, top)
        current = now.number(field) if now else None
        lines.append(
            filled(
                "{name:이/가} {span}{way} 때는 {when:으로/로} {value:이었/였}습니다.",
                "The {way} {what} of {name}{span} was {value}, {when}.",
                name=held.name(one), span=Said(f"{ask.notes.get('span_ko', '')} ".lstrip() if ask.notes.get("span_ko") else "", f" {ask.notes['span_en']}" if ask.notes.get("span_en") else ""),
                way=way, when=when, value=_as_close(one, held.level_said(one, value)), what=Said("", "close") if one not in SERIES else Said("", "value"),
            )
        )  # fmt: skip
        if now is not None and current is not None:
            gap = _gap_from(one, value, current)
            lines.append(
                filled(
                    "지금은 {value:으로/로}, {gap}입니다({when})." if gap.ko else "지금은 {value}입니다({when}).",
                    "It is {value} now, {gap} ({when})." if gap.en else "It is {value} now ({when}).",
                    value=held.level_said(one, current),
                    when=held.day(one, now),
                    gap=gap,
                )
            )
        figures.append(
            Figure(
                one, held.name(one), "price" if one not in SERIES else "level", value, held.level_said(one, value), when
            )
        )
    if not lines:
        return nothing(ask, held)
    return whole(ask, held, sentences(*lines, _before_data(ask, held)), figures)
