"""A message on a line of the cart that was told just before: so many of it, more of it, or none of it. Pure."""

from collections.abc import Sequence
from typing import Final

from services.contract.asks import Ask, AskedBefore, Told
from services.domains.commerce.asks.acts import parts, words
from services.domains.commerce.asks.acts.counting import more_said, wide_count
from services.domains.commerce.asks.acts.pointing import of_told
from services.domains.commerce.asks.acts.underway import PREFIX
from services.domains.commerce.asks.goods.saying import category_said
from services.plugin.asks.edits import short
from services.plugin.asks.sheet import Sheet

_WORDS_MAX: Final = 9
_OTHER: Final = rf"{words.PURCHASE}|{words.COUPON_WORD}|{words.POINTS_WORD}"


def change(sheet: Sheet, before: Sequence[AskedBefore]) -> tuple[str, str] | None:
    """Return which change of the cart a message asks for, and of which of its lines; None where it asks for none."""
    lines = _lines(before)
    if not lines or words.asks_something(sheet) or not short(sheet.text, _WORDS_MAX) or sheet.says(_OTHER):
        return None
    meant = _meant(sheet, before, lines)
    if not meant or parts.method(sheet):
        return None
    if sheet.says(words.TAKES_OUT):
        return "remove", meant
    if more_said(sheet):
        return "add", meant
    return ("recount", meant) if wide_count(sheet, Ask()) else None


def _meant(sheet: Sheet, before: Sequence[AskedBefore], lines: Sequence[Told]) -> str:
    """Return the products of the lines that a message points to, or names by their kind."""
    if (pointed := of_told(sheet, before)) is not None:
        return pointed.get("ids", "")
    if parts.codes(sheet):
        return ""
    kinds = [category_said(Ask(subjects=(one,))).ko for one in sheet.of_kind("category")]
    return "|".join(one.value for one in lines if any(kind in one.label for kind in kinds))


def _lines(before: Sequence[AskedBefore]) -> Sequence[Told]:
    """Return the lines of the cart where it was told last, whatever was changed in it since."""
    for message in before:
        if any(one.answerer.endswith("own_cart") for one in message.asks):
            return [one for answer in message.answers for one in answer.told if one.kind == "product"]
        if not all(one.answerer.removeprefix(PREFIX) in _OF_CART for one in message.asks):
            break
    return []


_OF_CART: Final = frozenset({"add", "remove", "recount"})
