"""What a message says of the act that it asks for: its goods, their number, how they are paid, why they go back. Pure."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from services.contract.asks import AnswerState, Ask, AskedBefore
from services.domains.commerce.asks.acts import parts, places, said, words
from services.domains.commerce.asks.acts.counting import wide_count
from services.domains.commerce.asks.acts.pointing import is_pointed, named_goods
from services.domains.commerce.asks.acts.underway import under_way
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.standing import told_last
from services.plugin.entities import Entity


def notes_of(kind: str, sheet: Sheet, before: Sequence[AskedBefore]) -> Mapping[str, str]:
    """Return what a message says of an act; what it does not say is not in it, or empty."""
    return _NOTES.get(kind, _plain)(sheet, before)


def _plain(sheet: Sheet, before: Sequence[AskedBefore]) -> dict[str, str]:
    return {**named_goods(sheet, before), "quantity": _quantity(sheet), "uncounted": parts.uncounted(sheet)}


def _quantity(sheet: Sheet) -> str:
    counts = parts.quantities(sheet)
    return str(counts[0][0]) if counts else wide_count(sheet, Ask())


def _order_notes(sheet: Sheet, before: Sequence[AskedBefore]) -> dict[str, str]:
    other = words.ADD_AND, words.ADD, words.CART_ASIDE
    from_cart = sheet.says(words.CART) and not any(sheet.says(one) for one in other)
    left = [one.value for one in sheet.of_kind("category") if from_cart and _is_left(sheet, one)]
    meant = _plain(sheet, before)
    if from_cart and not parts.codes(sheet):
        meant = {name: meant[name] for name in ("quantity", "uncounted")}
    named = any(meant.get(name) for name in ("codes", "goods", "ids")) or bool(sheet.of_kind("category"))
    last = told_last(before[:1], "product")[:1] if not named and not from_cart else ()
    from_cart = from_cart or (not meant.get("quantity") and _is_of_cart(meant.get("ids", ""), before))
    return {
        **_paid_before(before),
        **meant,
        **parts.bill_parts(sheet),
        "ids": meant.get("ids") or "|".join(one.value for one in last),
        "cart": "1" if from_cart or not (named or last or meant.get("quantity") or is_pointed(sheet)) else "",
        "without": "|".join(left),
    }


def _is_of_cart(ids: str, before: Sequence[AskedBefore]) -> bool:
    """Tell whether goods that are pointed to were told of as what the cart holds: "the rest", "the first one"."""
    carts = (
        message for message in before[:_CART_BEFORE] if any(one.answerer.endswith("own_cart") for one in message.asks)
    )
    told = next(({one.value for answer in message.answers for one in answer.told} for message in carts), set())
    return bool(ids) and set(ids.split("|")) <= told


_CART_BEFORE: Final = 3
"""How many messages ago the cart may have been told."""


def _paid_before(before: Sequence[AskedBefore]) -> dict[str, str]:
    """Return how the order was paid that was made just before: another one is paid so as well, unless it says else."""
    found = under_way(before)
    if found is None or not found[0].answerer.endswith("act_order") or found[1] is None:
        return {}
    is_done = found[1].state is AnswerState.ANSWERED
    return {"method": found[0].notes["method"]} if is_done and found[0].notes.get("method") else {}


def _return_notes(sheet: Sheet, before: Sequence[AskedBefore]) -> dict[str, str]:
    told = () if sheet.of_kind("order_id") else told_last(before, "order")[:1]
    names = sheet.of_kind("category") or parts.codes(sheet)
    return {
        "order": told[0].value if told and not names else "",
        "codes": "|".join(dict.fromkeys(code for code, _ in parts.codes(sheet))),
        "reason": said.reason(sheet.text) or _reason_before(before),
        "states": "|".join(next((states for states, pattern in words.STATES if sheet.says(pattern)), ())),
        "recent": "1"
        if sheet.says(r"방금|막|마지막|최근|지금\s?(?:한|산)|\bjust\b|\blast\b|\blatest\b|most recent")
        else "",
    }


_ASKED_OF_BOUGHT: Final = ("own_exchange", "own_refundable", "own_cancellable", "own_refund_amount")


def spoken_of(before: Sequence[AskedBefore]) -> tuple[Entity, ...]:
    """Return the goods or the order of which it was asked just before whether they can be taken back."""
    asks = before[0].asks if before else ()
    return next((ask.subjects for ask in asks if ask.answerer.endswith(_ASKED_OF_BOUGHT)), ())


def _reason_before(before: Sequence[AskedBefore]) -> str:
    """Return why goods were to be exchanged, where a refund is asked for in its place."""
    found = under_way(before[:1])
    return found[0].notes.get("reason", "") if found is not None and found[0].answerer.endswith("act_exchange") else ""


def _review_notes(sheet: Sheet, before: Sequence[AskedBefore]) -> dict[str, str]:
    return {**named_goods(sheet, before), "rating": said.stars(sheet.text), "body": said.body(sheet.text)}


def _empty_notes(sheet: Sheet, before: Sequence[AskedBefore]) -> dict[str, str]:
    kept = [one.value for one in sheet.of_kind("category") if _is_kept(sheet, one)]
    return {**_plain(sheet, before), "all": "1" if sheet.says(words.EMPTY) else "", "kept": "|".join(kept)}


def _is_of_order(sheet: Sheet) -> str:
    """Return "1" where the address of an order that is made shall be another one, and not the one on file."""
    made = (
        sheet.of_kind("order_id") or sheet.says(words.BOUGHT_BEFORE) or sheet.says(_MADE) or sheet.of_kind("category")
    )
    return "1" if made and not sheet.says(words.ON_FILE) else ""


_MADE: Final = r"주문(?:한|했|건|의|에|이|\s?중|\s?배송지)|시킨|시켰|배송\s?중|\b(?:my|the|this|that|an|existing) (?:\w+ )?(?:order|parcel|package)\b|\bordered\b"


def _is_left(sheet: Sheet, one: Entity) -> bool:
    """Tell whether goods of the cart are said to be left out of what is paid: "폰 빼고 나머지", "all but the phone"."""
    behind = re.match(words.LEFT_OUT, sheet.text[one.end :], re.IGNORECASE)
    return behind is not None or re.search(words.LEAVES_OUT, sheet.text[: one.start], re.IGNORECASE) is not None


def _is_kept(sheet: Sheet, one: Entity) -> bool:
    """Tell whether goods are said to stay: "마우스만 남기고 다 빼줘", "I'm only keeping the mouse"."""
    behind = re.match(words.STAYS, sheet.text[one.end :], re.IGNORECASE)
    return behind is not None or re.search(words.KEEPS, sheet.text[: one.start], re.IGNORECASE) is not None


def _recount_notes(sheet: Sheet, before: Sequence[AskedBefore]) -> dict[str, str]:
    """Return what is counted anew, and how many it shall be: "to 3", "two instead of one"."""
    meant = _plain(sheet, before)
    if not meant.get("quantity"):
        plain = [one for one in sheet.numbers if one.unit in {"", "count"} and one.value == int(one.value)]
        to = [one for one in plain if re.search(r"\bto\s$", sheet.text[: one.start], re.IGNORECASE)]
        meant["quantity"] = next((str(int(one.value)) for one in (*to, *plain)), "")
    return meant


_NOTES: Final[dict[str, Callable[[Sheet, Sequence[AskedBefore]], dict[str, str]]]] = {
    "order": _order_notes,
    "remove": _empty_notes,
    "recount": _recount_notes,
    "coupon": lambda sheet, _: {"coupon": parts.coupon(sheet)},
    "cancel": _return_notes,
    "refund": _return_notes,
    "exchange": _return_notes,
    "review": _review_notes,
    "listing": lambda sheet, before: {**named_goods(sheet, before), **said.listing_changes(sheet)},
    "address": lambda sheet, _: {"address": places.address(sheet), places.OF_ORDER: _is_of_order(sheet)},
    "new_listing": lambda sheet, _: {"text": sheet.text},
}
