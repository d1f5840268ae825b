"""Figures of homes month by month: what they are called in that data, and which rows they are of."""

from dataclasses import replace
from datetime import date
from typing import Any, Final

from services.contract.asks import Ask, Said
from services.domains.homes.asks.homes_named import dong_of, place_filters
from services.domains.homes.asks.sides import Side
from services.plugin.asks.answering import Found
from services.plugin.asks.telling import QueryRow, filled, listed, where
from services.plugin.findings import Reading
from services.text.ko.romanised import romanised_place

OF_MONTHS: Final = {
    "sale_price": ("sale", "sale_price"),
    "sale_price_per_m2": ("sale", "mean_price_per_m2"),
    "jeonse_deposit": ("jeonse", "jeonse_deposit"),
    "jeonse_deposit_per_m2": ("jeonse", "mean_price_per_m2"),
    "monthly_rent": ("monthly_rent", "mean_monthly_rent"),
    "rent_deposit": ("monthly_rent", "mean_price"),
    "deal_count": ("", "deal_count"),
    "jeonse_ratio": ("", "jeonse_ratio"),
}
"""The deal and the figure of the months by the measure of an ask."""


def month_measure(measure: str) -> str:
    """Return the figure of the months that a measure is."""
    return OF_MONTHS.get(measure, ("sale", "sale_price"))[1]


def day_of(row: QueryRow) -> date:
    """Return the first day of the month of a row."""
    return date.fromisoformat(row.text("month")[:10])


def month_filters(ask: Ask, side: Side) -> list[dict[str, Any]]:
    """Return the filters of a side by month; dong and floor area are not told by month."""
    found = place_filters(replace(side.place, attributes={}))
    found += [where("property_type", side.kind)] if side.kind else []
    deals = {OF_MONTHS.get(one, ("sale", ""))[0] for one in ask.measures}
    deal = deals.pop() if len(deals) == 1 else ""
    if set(ask.measures) == {"deal_count"}:
        deal = ask.notes.get("deal", "")
    return found + ([where("deal_type", deal)] if deal else [])


def month_readings(ask: Ask, side: Side, found: Found) -> tuple[Reading, ...]:
    """Return what was read of a side by month."""
    filters = month_filters(ask, side)
    own = (one for one in found.readings if one.arguments.get("dataset") == "home_months")
    return tuple(one for one in own if one.arguments.get("filters") == filters)


def district_said(side: Side) -> Said:
    """Return a place by its district alone: a dong is not told by month."""
    label, dong = side.place.label or side.place.words, dong_of(side.place)
    if not dong:
        return Said(label, label)
    bare = label.removesuffix(dong).removeprefix(f"{romanised_place(dong)}, ").strip()
    return Said(bare, bare)


def not_by_month(ask: Ask) -> tuple[Said, ...]:
    """Return what of an ask the months do not tell: a dong, a floor area, a complex."""
    names = [Said(dong, romanised_place(dong)) for place in ask.subjects if (dong := dong_of(place))]
    names += [Said(one.words, one.words) for one in ask.conditions]
    names += [Said(name, name) for name in (ask.notes.get("complex", ""),) if name]
    if not names:
        return ()
    return (
        filled(
            "월별 자료는 구·시 전체의 것이라 {names} 조건은 적용하지 못했습니다.",
            "The monthly data is of the whole district, so that {names} could not be applied.",
            names=listed(list(dict.fromkeys(names))),
        ),
    )
