"""What a fee or a tax is of where the message itself asks for the homes first: "the cheapest listing, and its agent fee".

The sum is read as the first request reads it: the mean of a place, or the first of the homes on offer there.
"""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any, Final

from services.contract.asks import Ask, AskedBefore, AskQuantity, Origin, Said
from services.contract.flow import Evidence
from services.domains.homes.asks.homes_named import ask_filters, place_filters
from services.domains.realty.asks.proved import money
from services.plugin.asks.answering import Call, Found, Outcome, asking_back
from services.plugin.asks.telling import proof, query, rows_of, where

SUMS: Final = frozenset({"price", "deposit", "rent", "fee"})
"""Roles of what a fee or a tax is reckoned of."""
OF_DEAL: Final = {"sale": ("price", ""), "jeonse": ("deposit", ""), "monthly_rent": ("deposit", "rent")}
"""What the sums of a home on offer are, by its deal: its price or deposit, and its rent."""
_LEVELS: Final = {
    "sale_price": ("price",),
    "jeonse_deposit": ("deposit",),
    "monthly_rent": ("deposit", "rent"),
    "rent_deposit": ("deposit", "rent"),
}
_MEASURES: Final = {
    ("price",): ("sale_price",),
    ("deposit",): ("jeonse_deposit",),
    ("deposit", "rent"): ("rent_deposit", "monthly_rent"),
}
_OF: Final = "of"
"""The note of an ask whose sum is read: `first` on offer, or `mean` of a place; `roles` what the sums are."""
WHICH: Final = "which"
"""The note of an ask on "it" where several homes stand, none of them first."""
_STEP: Final = 10_000
_MEAN, _OFFERED = Said("주택 시세", "Home prices"), Said("매물", "Homes on offer")


def leaning(ask: Ask, before: Sequence[AskedBefore], *, sale_only: bool) -> Ask:
    """Return an ask whose sum is what the request before it in the same message asks for; as it is where there is none."""
    if SUMS & {one.role for one in ask.quantities} or not before or before[0].answers or not before[0].asks:
        return ask
    last = before[0].asks[-1]
    of = ""
    roles: tuple[str, ...] = ()
    if last.answerer == "homes.listings" and last.order_by and len(last.subjects) == 1:
        of, roles = "first", tuple(filter(None, OF_DEAL.get(last.notes.get("deal_type", ""), ())))
    elif last.answerer == "homes.market_level" and len(last.subjects) == 1 and last.measures:
        of, roles = "mean", _LEVELS.get(last.measures[0], ())
    if not roles or (sale_only and roles != ("price",)):
        return ask
    kept = {name: last.notes[name] for name in ("property_type", "deal_type") if name in last.notes}
    leased = {"lease": "1"} if roles != ("price",) else {}
    places = tuple(replace(one, start=0, end=0) for one in last.subjects)
    notes = {**ask.notes, **kept, **leased, _OF: of, "roles": " ".join(roles), "descending": str(int(last.descending))}
    return replace(ask, subjects=places, conditions=last.conditions, order_by=last.order_by, notes=notes)


def which_of(ask: Ask) -> Outcome | None:
    """Return the question back which of the homes that were told is meant; None where that is plain."""
    if WHICH not in ask.notes:
        return None
    sentence = Said(
        "보여 드린 매물 가운데 어느 집을 말씀하시나요? 단지 이름과 값을 적어 주시면 계산하겠습니다.",
        "Which of the homes on offer do you mean? Tell me its price, and I compute it.",
    )
    return Outcome(asking_back(ask, sentence, Said("집", "the home")))


def calls(ask: Ask) -> Sequence[Call]:
    """Return the call that reads the sum; none where it is given."""
    if _OF not in ask.notes:
        return []
    filters = [*place_filters(ask.subjects[0]), *ask_filters(ask)]
    if ask.notes[_OF] == "mean":
        return [query("home_prices", [*_MEASURES[tuple(ask.notes["roles"].split())], "deal_count"], filters=filters)]
    fields = ("listing_id", "price_krw", "monthly_rent_krw")
    filters.append(where("deal_type", ask.notes["deal_type"]))
    descending = ask.notes["descending"] == "1"
    more: dict[str, Any] = {"mode": "rows", "order_by": ask.order_by, "descending": descending, "limit": 1}
    return [query("listings", fields, filters=filters, **more)]


def with_sums(ask: Ask, found: Found) -> tuple[Ask, tuple[Evidence, ...]]:
    """Return an ask with the sums that were read for it, and where they come from."""
    reading = next((one for one in found.readings if one.arguments.get("dataset") in {"home_prices", "listings"}), None)
    if _OF not in ask.notes or reading is None or not (rows := rows_of([reading])):
        return ask, ()
    roles = tuple(ask.notes["roles"].split())
    names = _MEASURES[roles] if ask.notes[_OF] == "mean" else ("price_krw", "monthly_rent_krw")
    values = ((role, rows[0].number(name)) for role, name in zip(roles, names, strict=False))
    sums = tuple(_quantity(role, value) for role, value in values if value is not None)
    is_mean = ask.notes[_OF] == "mean"
    title = _MEAN if is_mean else _OFFERED
    piece = proof(reading, title, found.asking.locale, "market" if is_mean else "listing")
    return replace(ask, quantities=(*ask.quantities, *sums), conditions=()), (piece,)


def _quantity(role: str, value: Decimal) -> AskQuantity:
    """Return a sum as it is told: a mean in whole 만원."""
    whole = (value / _STEP).quantize(Decimal(1)) * _STEP
    return AskQuantity(role, f"{whole:f}", "krw", money(whole).ko, origin=Origin.CARRIED)
