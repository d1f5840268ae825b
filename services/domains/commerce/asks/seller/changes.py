"""How a seller's sales have moved between two periods."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskForm, Ground, Said
from services.domains.commerce.asks.rows_own import OWN_TOOL
from services.domains.commerce.asks.seller.figures import MEASURES, NAMES, RATES, figure_said
from services.domains.commerce.asks.seller.periods import (
    days_before,
    days_like,
    later_days,
    same_part,
    says_month,
    with_sales,
)
from services.domains.commerce.asks.seller.sales import (
    BEGUN,
    NO_SALES,
    days_of,
    instead_said,
    not_yours,
    sales_ask,
    shop_calls,
)
from services.domains.commerce.asks.seller.scope import filters_of, none_sold, scoped
from services.plugin.asks.answering import Call, Found, Outcome, answered
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import QueryRow, day_said, filled, percent, points, proof, query, rows_of, sentences
from services.plugin.entities import PERIOD
from services.text.patterns import Pattern


def change_ask(sheet: Sheet) -> Ask:
    """Return the ask how a figure has moved from one period to another."""
    now = sales_ask(sheet)
    named = _only_against(sheet)
    days = later_days(sheet) or (date.fromisoformat(now.start_date), date.fromisoformat(now.end_date))
    days = days_like(named, sheet.today) if named else days
    begun = days[0] if days[0] >= sheet.today else None
    days = with_sales(sheet, days)
    before = named or days_before(sheet, days)
    return replace(
        now,
        form=AskForm.CHANGE,
        answerer="sales_change",
        start_date=days[0].isoformat(),
        end_date=days[1].isoformat(),
        against_date=before[0].isoformat(),
        notes={
            **now.notes,
            "against_end": before[1].isoformat(),
            **({BEGUN: begun.isoformat()} if begun else {}),
        },
    )


def _only_against(sheet: Sheet) -> tuple[date, date] | None:
    """Return the one time that a message names, where it is what another one is held against: "than in September"."""
    named = [(first, end) for first, end, _ in sheet.periods]
    if len(named) != 1 or named[0][1] >= sheet.today or says_month(sheet):
        return None
    places = [(one.start, one.end) for one in sheet.of_kind(PERIOD) if one.end]
    beside = any(_BEHIND.match(sheet.text, end) or _THAN.before(sheet.text, start) for start, end in places)
    return named[0] if beside else None


_BEHIND: Final = Pattern(r"(?:에)?\s?(?:보다|대비|에\s?비해)")
_THAN: Final = Pattern(r"\bthan\s(?:(?:in|during|we did in|i did in)\s)?$", re.IGNORECASE)
"""What holds something against the time that stands beside it."""


def held_against(ask: Ask, sheet: Sheet, last: Ask) -> Ask:
    """Return a change that names only what its days are held against with the days asked about just before.

    "How are sales this month?", "Compare it with October."
    """
    named = [(first, end) for first, end, _ in sheet.periods if first <= sheet.today]
    if len(named) != 1 or not sheet.says(_AGAINST) or not named[0][1].isoformat() < last.start_date:
        return ask
    (first, end) = named[0]
    return replace(
        ask,
        start_date=last.start_date,
        end_date=last.end_date,
        against_date=first.isoformat(),
        notes={**ask.notes, "against_end": end.isoformat()},
    )


_AGAINST: Final = (
    r"(?:달|월|주|분기|년|해|날)(?:이?랑|하고|와|과|보다|\s?대비|에\s?비해)|\b(?:with|to|than|against|versus|vs\.?)\s"
)
"""Names the time that another is held against."""


def _before(ask: Ask) -> tuple[date, date]:
    return date.fromisoformat(ask.against_date), date.fromisoformat(ask.notes["against_end"])


def change_calls(ask: Ask) -> Sequence[Call]:
    """Return the queries for both periods, and for the part of the earlier one that the later has had."""
    now, before = days_of(ask), _before(ask)
    part = same_part((now["start"], now["end"]), before)
    pairs = dict.fromkeys(((now["start"], now["end"]), part, before))
    return [
        *(
            query("own_sales", MEASURES, tool=OWN_TOOL, filters=filters_of(ask), start=start, end=end)
            for start, end in pairs
        ),
        *shop_calls(ask),
    ]


def tell_change(ask: Ask, found: Found) -> Outcome:
    """Return direction and difference between two periods, both figures told; a month that is not over is compared with as many days."""
    if (refused := not_yours(ask, found)) is not None:
        return refused
    now, before = days_of(ask), _before(ask)
    part = same_part((now["start"], now["end"]), before)
    rows = {
        (one.arguments.get("start"), one.arguments.get("end")): rows_of([one], "own_sales") for one in found.readings
    }

    def row(days: tuple[date, date]) -> QueryRow | None:
        found_rows = rows.get((days[0].isoformat(), days[1].isoformat()), ())
        return next((one for one in found_rows if one.number("revenue") is not None), None)

    later, like, whole = row((now["start"], now["end"])), row(part), row(before)
    if later is None or like is None:
        return Outcome(answered(ask, none_sold(ask, NO_SALES)))
    pieces = tuple(
        proof(one, Said("내 상점의 매출", "Your shop's sales"), found.asking.locale, "sales")
        for one in found.readings
        if one.rows and one.arguments.get("dataset") == "own_sales"
    )
    measure = ask.measures[0]
    head = _moved(later, like, measure)
    more = _of_whole(later, whole, measure) if whole is not None and part != before else None
    others = [_moved(later, like, one) for one in ask.measures[1:3]]
    ids = tuple(piece.evidence_id for piece in pieces)
    grounds = tuple(
        Ground(_moved(later, like, one), ids) for one in ("revenue", "units", "profit") if one not in ask.measures
    )
    answer = answered(
        ask,
        sentences(scoped(ask, head), more, *others, instead_said(ask)),
        evidence_ids=ids,
        grounds=grounds,
        cautions=_uneven(later, like),
    )
    return Outcome(answer, evidence=pieces)


def _uneven(later: QueryRow, before: QueryRow) -> tuple[Said, ...]:
    """Return that the data does not hold as many days of one period as of the other, where that is so."""
    counts = [
        (date.fromisoformat(row.text("last_day")[:10]) - date.fromisoformat(row.text("first_day")[:10])).days + 1
        for row in (later, before)
    ]
    if counts[0] == counts[1]:
        return ()
    new, old = counts
    return (
        Said(
            f"자료가 있는 날이 달라 {new}일과 {old}일을 비교했습니다.",
            f"The data holds {new} days of one period and {old} of the other.",
        ),
    )


def _moved(later: QueryRow, before: QueryRow, measure: str) -> Said:
    new, old = later.number(measure) or Decimal(0), before.number(measure) or Decimal(0)
    way = (
        Said("늘었습니다", "rose")
        if new > old
        else Said("줄었습니다", "fell")
        if new < old
        else Said("그대로입니다", "did not change")
    )
    if measure in RATES:
        share = points(abs(new - old))
    else:
        share = percent(abs(new - old) / old * 100) if old else Said("-", "-")
    return filled(
        "{name:은/는} {share} {way}: {new}({nd}), 앞서 {old}({od}).",
        "Your {name} {way} by {share}: {new} ({nd}) against {old} ({od}).",
        name=NAMES[measure][1],
        share=share,
        way=way,
        new=figure_said(new, measure),
        old=figure_said(old, measure),
        nd=_days(later),
        od=_days(before),
    )


def _days(row: QueryRow) -> Said:
    first, last = day_said(row.text("first_day")), day_said(row.text("last_day"))
    return Said(f"{first.ko}~{last.ko}", f"{first.en} to {last.en}")


def _of_whole(later: QueryRow, whole: QueryRow, measure: str) -> Said | None:
    """Return how far a period that is not over stands from the whole of the earlier one; None for rates."""
    new, old = later.number(measure) or Decimal(0), whole.number(measure) or Decimal(0)
    if measure in RATES:
        return None
    more = new >= old
    return filled(
        "앞 기간 전체({old})보다는 {diff} " + ("많습니다." if more else "적습니다."),
        "That is {diff} " + ("more" if more else "less") + " than the whole of the earlier period ({old}).",
        old=figure_said(old, measure),
        diff=figure_said(abs(new - old), measure),
    )
