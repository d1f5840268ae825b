"""What a question on homes sets side by side: each place with each kind of home, and the calls that read them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from services.contract.asks import Ask, Said
from services.domains.homes.asks.homes_named import KIND_NAMES, area_en, area_ko, ask_filters, place_filters
from services.domains.homes.asks.said import complex_said, label_said, place_said, together
from services.plugin.asks.answering import Call, Found
from services.plugin.asks.telling import QueryRow, filled, query, rows_of, where
from services.plugin.entities import Entity
from services.plugin.findings import Reading

SIDES_MAX: Final = 6
_DEALS: Final = {
    "sale_price": "sale",
    "sale_price_per_m2": "sale",
    "jeonse_deposit": "jeonse",
    "jeonse_deposit_per_m2": "jeonse",
    "monthly_rent": "monthly_rent",
    "rent_deposit": "monthly_rent",
    **dict.fromkeys(("sale_low", "sale_high"), "sale"),
    **dict.fromkeys(("jeonse_low", "jeonse_high"), "jeonse"),
    **dict.fromkeys(("rent_low", "rent_high"), "monthly_rent"),
}
_NAMES: Final = ("province_ko", "province_en")
_REGIONS: Final = ("region_code", "region_ko", "region_en", *_NAMES)


@dataclass(frozen=True, slots=True)
class Side:
    """One place with one kind of home."""

    place: Entity
    """The place."""
    kind: str
    """The kind; empty for all."""


@dataclass(frozen=True, slots=True)
class Read:
    """A side with what was read of it."""

    side: Side
    """The side."""
    row: QueryRow
    """Its figures."""
    reading: Reading
    """Where they come from."""
    is_one: bool
    """Whether the row names its district."""

    def place_said(self) -> Said:
        """Return how the place is called."""
        if self.is_one and len(self.side.place.value) > 2:
            return place_said(self.row, self.side.place)
        return label_said(self.side.place)


def sides(ask: Ask) -> list[Side]:
    """Return the sides of an ask, in the order of its words."""
    kinds = ask.notes.get("kinds", "").split() or [ask.notes.get("property_type", "")]
    return [Side(place, kind) for place in ask.subjects for kind in kinds][:SIDES_MAX]


def deal_of(ask: Ask) -> str:
    """Return the one kind of deal that all figures are of, or that is named; empty for several."""
    deals = {_DEALS[one] for one in ask.measures if one in _DEALS}
    if len(deals) == 1 and all(one in _DEALS for one in ask.measures):
        return deals.pop()
    return ask.notes.get("deal", "") if set(ask.measures) == {"deal_count"} else ""


def filters_of(ask: Ask, side: Side) -> list[dict[str, Any]]:
    """Return the filters of a side: place, kind, deal, complex and every condition."""
    deal, name = deal_of(ask), ask.notes.get("complex", "")
    return [
        *place_filters(side.place),
        *([where("property_type", side.kind)] if side.kind else []),
        *[one for one in ask_filters(ask) if one["field"] != "property_type"],
        *([where("deal_type", deal)] if deal else []),
        *([where("complex_name", name, "contains")] if name else []),
    ]


def level_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls that read the figures of each side."""
    measures = list(dict.fromkeys([*ask.measures, "deal_count"]))
    return [
        query(
            "home_prices",
            measures,
            by=_NAMES if len(side.place.value) == 2 else _REGIONS,
            filters=filters_of(ask, side),
        )
        for side in sides(ask)
    ]


def reads_of(ask: Ask, found: Found) -> list[Read]:
    """Return the sides of which figures were read; a call without rows is not among the readings."""
    read = []
    for side in sides(ask):
        filters = filters_of(ask, side)
        for one in found.readings:
            if one.arguments.get("filters") != filters or one.arguments.get("dataset") != "home_prices":
                continue
            rows = rows_of([one])
            if (row := together(rows, ask)) is not None:
                read.append(Read(side, row, one, len(rows) == 1))
    return read


def kind_of(ask: Ask, side: Side) -> Said:
    """Return how the homes of a side are called, with complex and floor area where they are named."""
    kind = KIND_NAMES[side.kind]
    if name := ask.notes.get("complex", ""):
        kind = filled("{name} {kind}", "{kind} of {name}", name=complex_said(name), kind=kind)
    words = next((one.words for one in ask.conditions if one.field == "area_m2"), "")
    return Said(f"{area_ko(words)} {kind.ko}", f"{kind.en} of {area_en(words)}") if words else kind
