"""How the answer to what an act lacks is read. Pure."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from services.contract.asks import AskedBefore
from services.domains.commerce.asks.acts import choosing, parts, places, said, words
from services.domains.commerce.asks.acts.pointing import goods_said, of_told
from services.domains.commerce.asks.acts.underway import under_way
from services.plugin.asks.edits import pointed, short
from services.plugin.asks.sheet import Sheet

UNTOLD: Final = "-"
"""The reason of a person who was asked for one and keeps it to themselves."""
_BODY_MIN: Final = 5
_YES_WORDS_MAX: Final = 3


def slot_said(slot: str, sheet: Sheet, before: Sequence[AskedBefore]) -> dict[str, str]:
    """Return what a message says of what was asked for; nothing where it does not say it."""
    return _SLOTS[slot](sheet, before) if slot in _SLOTS else {}


def review_said(sheet: Sheet) -> dict[str, str]:
    """Return the stars and the text that a message gives a review."""
    found = {"rating": said.stars(sheet.text), "body": said.body(sheet.text)}
    return {name: value for name, value in found.items() if value}


def _slot_quantity(sheet: Sheet, _before: Sequence[AskedBefore]) -> dict[str, str]:
    count = parts.bare_count(sheet) if short(sheet.text, 10) else None
    return {"quantity": str(count), "uncounted": ""} if count else {}


def _slot_product(sheet: Sheet, before: Sequence[AskedBefore]) -> dict[str, str]:
    """Return which goods are meant, where it was asked which."""
    if (told := of_told(sheet, before)) is not None and not sheet.says(words.PUTS_ASIDE):
        return {"goods": "", **told}
    if named := parts.codes(sheet):
        return {"codes": named[0][0], "ids": "", "goods": ""}
    if kinds := sheet.of_kind("category"):
        stands = under_way(before)
        codes = stands[0].notes.get("codes", "") if stands is not None else ""
        # "의자 말한 거야" tells apart two goods of one code.
        marked = {} if codes else choosing.marks(sheet, kinds[0].value)
        return {"goods": "", "ids": "", "codes": codes, "picked": sheet.text, **marked}
    return {"goods": sheet.text, "ids": "", "codes": "", "picked": sheet.text} if goods_said(sheet) else {}


def _slot_order(sheet: Sheet, before: Sequence[AskedBefore]) -> dict[str, str]:
    if numbers := sheet.of_kind("order_id"):
        return {"order": numbers[0].value}
    to = pointed(sheet, before, "order")
    if to is not None and to.told:
        return {"order": to.told[0].value}
    if states := next((states for states, pattern in words.STATES if sheet.says(pattern)), ()):
        return {"states": "|".join(states), "picked": sheet.text}
    return {"picked": sheet.text} if sheet.of_kind("category") or parts.codes(sheet) else {}


def _slot_reason(sheet: Sheet, _before: Sequence[AskedBefore]) -> dict[str, str]:
    """Return why goods go back; a mere yes says nothing of it."""
    says_why = said.reason(sheet.text) or not (sheet.says(words.YES) and short(sheet.text, _YES_WORDS_MAX))
    if not says_why or (sheet.says(words.REFUND) and not said.reason(sheet.text)):
        # Asked why and saying yes again, a person keeps the reason to themselves.
        return {"reason": UNTOLD}
    return {"reason": sheet.text[:200]} if len(sheet.text.strip()) > 1 else {}


def _slot_rating(sheet: Sheet, _before: Sequence[AskedBefore]) -> dict[str, str]:
    found = review_said(sheet)
    if "rating" not in found and (count := parts.bare_count(sheet)) is not None and 1 <= count <= 5:
        found["rating"] = str(count)
    return found


def _slot_body(sheet: Sheet, _before: Sequence[AskedBefore]) -> dict[str, str]:
    if len(sheet.text.strip()) < _BODY_MIN:
        return {}
    return {
        "body": sheet.text[:1_000],
        **{k: v for k, v in review_said(sheet).items() if k == "rating"},
    }


def _slot_address(sheet: Sheet, _before: Sequence[AskedBefore]) -> dict[str, str]:
    named = places.address(sheet)
    whole = sheet.text.strip(" .") if len(sheet.text) >= 8 and re.search(r"\d", sheet.text) else ""
    return {"address": named if not named.startswith(places.UNKNOWN) else whole or named}


def _slot_points(sheet: Sheet, _before: Sequence[AskedBefore]) -> dict[str, str]:
    """Return how many points are used, where it was asked how many."""
    said = parts.points(sheet)
    if said and said != "ask":
        return {"points": said}
    if sheet.says(_NONE):
        return {"points": "none"}
    if sheet.says(_ALL):
        return {"points": "all"}
    numbers = [one for one in sheet.numbers if one.unit in {"krw", "points", ""} and one.value >= 1]
    return (
        {"points": str(int(numbers[-1].as_won if numbers[-1].unit == "krw" else numbers[-1].value))} if numbers else {}
    )


_NONE: Final = r"안\s?쓸|안\s?써|쓰지\s?(?:말|않)|없이|됐|아니|\bnone\b|\bno\b|\bnot\b|\bwithout\b"
_ALL: Final = r"전부|모두|다(?:\s|요|$)|몽땅|최대|있는\s?(?:대로|만큼)|\b(?:all|everything|max\w*)\b"


def _slot_price(sheet: Sheet, _before: Sequence[AskedBefore]) -> dict[str, str]:
    numbers = [one for one in sheet.numbers if one.unit in {"krw", ""} and one.value > 0]
    return {"price": str(int(numbers[-1].value))} if numbers else {}


_SLOTS: Final[Mapping[str, Callable[[Sheet, Sequence[AskedBefore]], dict[str, str]]]] = {
    "quantity": _slot_quantity,
    "product": _slot_product,
    "order": _slot_order,
    "reason": _slot_reason,
    "rating": _slot_rating,
    "body": _slot_body,
    "address": _slot_address,
    "points": _slot_points,
    "price": _slot_price,
}
"""How the answer to each slot is read."""
