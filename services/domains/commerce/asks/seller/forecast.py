"""What a seller's sales may come to: the mean of each weekday in the past weeks, with an interval. Pure beside its rows."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from statistics import fmean
from typing import Final

from services.contract.asks import Ask, AskForm, AskInput, Ground, Origin, Said
from services.domains.commerce.asks.rows_own import OWN_TOOL, today_of
from services.domains.commerce.asks.seller.figures import NAMES, RATES, figure_said
from services.domains.commerce.asks.seller.periods import coming_days
from services.domains.commerce.asks.seller.sales import NO_SALES, not_yours, sales_ask, shop_calls
from services.domains.commerce.rules import RULES
from services.plugin.asks.answering import Call, Found, Outcome, answered, declined
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import QueryRow, day_said, filled, proof, query, rows_of

_RULES: Final = RULES.forecast
_WEEK: Final = 7
_DAYS_MIN: Final = 28
_SUMS: Final = ("revenue", "profit", "units", "orders", "visitors")
_RATE: Final = Said(
    "비율은 예측하지 않습니다. 매출, 이익, 판매량, 주문 수, 방문자 수는 예측할 수 있습니다.",
    "Rates are not forecast here. Revenue, profit, units, orders and visitors can be.",
)


_UNSURE: Final = Said(
    "지난 판매에서 계산한 예상일 뿐이라 불확실하며, 행사·가격 변경·품절은 반영하지 않았습니다.",
    "This is computed from past sales alone and is uncertain: events, other prices and goods sold out are not in it.",
)


def forecast_ask(sheet: Sheet) -> Ask:
    """Return the ask what a figure may come to in days to come."""
    start, end = coming_days(sheet)
    ask = sales_ask(sheet)
    return replace(
        ask,
        form=AskForm.AMOUNT,
        answerer="sales_forecast",
        start_date=start.isoformat(),
        end_date=end.isoformat(),
        notes={**ask.notes, "today": sheet.today.isoformat()},
    )


def forecast_calls(ask: Ask) -> Sequence[Call]:
    """Return the query for the days of the past that a forecast rests on."""
    last = date.fromisoformat(ask.notes["today"]) - timedelta(days=1)
    first = last - timedelta(days=_RULES.history_days - 1)
    by_day = query(
        "own_sales",
        _SUMS,
        by=("date",),
        tool=OWN_TOOL,
        start=first,
        end=last,
        order_by="date",
        descending=False,
        limit=100,
    )
    return [by_day, *shop_calls(ask)]


def tell_forecast(ask: Ask, found: Found) -> Outcome:
    """Return the sum expected, with its interval, what it rests on, and how unsure it is."""
    if (refused := not_yours(ask, found)) is not None:
        return refused
    start, end = date.fromisoformat(ask.start_date), date.fromisoformat(ask.end_date)
    measure = ask.measures[0]
    if measure in RATES:
        return Outcome(declined(ask, _RATE))
    if (end - today_of(found)).days > _RULES.days_max:
        return Outcome(declined(ask, _too_far()))
    rows = [row for row in rows_of(found.readings, "own_sales") if row.text("date")]
    if len(rows) < _DAYS_MIN:
        return Outcome(answered(ask, NO_SALES))
    values = {date.fromisoformat(row.text("date")[:10]): float(row.number(measure) or 0) for row in rows}
    expected, half = expected_sum(values, start, end)
    piece = proof(found.readings[0], Said("내 상점의 매출", "Your shop's sales"), found.asking.locale, "sales")
    sentence = filled(
        "{first}~{last}의 {name:은/는} 약 {sum:으로/로} 예상됩니다. {level}% 구간은 {low}~{high}입니다.",
        "For {first} to {last} your {name} is expected to be about {sum}; the {level}% interval is {low} to {high}.",
        first=day_said(start),
        last=day_said(end),
        name=NAMES[measure][1],
        sum=_said(expected, measure),
        level=str(_RULES.level_percent),
        low=_said(max(expected - half, 0), measure),
        high=_said(expected + half, measure),
    )
    inputs = (
        AskInput("history_days", Said("근거로 삼은 날", "days of history"), str(len(rows)), "days", Origin.DATA),
        AskInput(
            "level", Said("구간의 수준", "level of the interval"), str(_RULES.level_percent), "percent", Origin.ASSUMED
        ),
    )
    answer = answered(
        ask,
        sentence,
        evidence_ids=(piece.evidence_id,),
        inputs=inputs,
        grounds=(Ground(_method(rows), (piece.evidence_id,)),),
        cautions=(_UNSURE,),
    )
    return Outcome(answer, evidence=(piece,))


def expected_sum(values: Mapping[date, float], start: date, end: date) -> tuple[float, float]:
    """Return the sum expected of days and half the width of its interval.

    A day is expected to be like the mean of its weekday; how far days lay from it says how unsure a sum of days is, and
    so does how few weeks the means rest on.
    """
    means = {
        one: fmean([value for day, value in values.items() if day.weekday() == one] or [0.0]) for one in range(_WEEK)
    }
    apart = [value - means[day.weekday()] for day, value in values.items()]
    spread = math.sqrt(sum(one * one for one in apart) / max(len(apart) - _WEEK, 1))
    length = (end - start).days + 1
    expected = sum(means[(start + timedelta(days=at)).weekday()] for at in range(length))
    return expected, _RULES.z * spread * math.sqrt(length + length * length / len(values))


def _said(value: float, measure: str) -> Said:
    step = 1000 if measure in {"revenue", "profit"} else 1
    return figure_said(Decimal(round(value / step) * step), measure)


def _method(rows: Sequence[QueryRow]) -> Said:
    first, last = day_said(rows[0].text("date")), day_said(rows[-1].text("date"))
    return filled(
        "{first}부터 {last}까지 {n}일의 요일별 평균을 더한 값이고, 구간은 그 평균에서 벗어난 정도로 계산했습니다.",
        "The means of each weekday over {n} days, {first} to {last}, added up; the interval comes from how far days lay from them.",
        first=first,
        last=last,
        n=str(len(rows)),
    )


def _too_far() -> Said:
    return Said(
        f"{_RULES.days_max}일보다 먼 날은 예측하지 않습니다. 더 가까운 기간을 물어보세요.",
        f"I do not forecast further than {_RULES.days_max} days ahead. Ask for nearer days.",
    )
