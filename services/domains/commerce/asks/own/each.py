"""Two of the person's own things in one message: "my coupons and points", "포인트 얼마고 최근 주문 뭐야". Pure."""

import re
from collections.abc import Callable
from typing import Final

from services.contract.asks import Ask, AskForm
from services.domains.commerce.asks.acts.together import sure
from services.domains.commerce.asks.acts.words import SEVERAL
from services.domains.commerce.asks.own.words import CART, COUPONS, OWN, POINTS
from services.plugin.asks.answering import CERTAIN, Claim
from services.plugin.asks.edits import short
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.sides import sides_of
from services.text.patterns import Pattern

_JOINT: Final = Pattern(
    r"(?<=[가-힣])(?:이?랑|하고|와|과|고)\s(?=\S)(?!싶)|[.!?;]\s|,\s|,?\s그리고\s|,?\sand\s(?:also\s)?|\splus\s",
    re.IGNORECASE,
)
_USED: Final = r"적용|쓰면|써서|쓰고|사용|합쳐|합치|\bappl(?:y|ied)\b|\bus(?:e|ed|ing)\b|\bwith\b|비교|더\s|\bwhich\b"
"""Uses the one on the other, or holds them against each other, which is one question."""
_APART: Final = frozenset({"points", "coupons", "cart", "orders", "spending", "refundable", "reviews"})
_NOUNS: Final = (
    ("points", POINTS, "check_rewards"),
    ("coupons", COUPONS, "check_rewards"),
    ("cart", CART, "track_delivery"),
)
_NOUN_WORDS_MAX: Final = 4
_JOINTS_MAX: Final = 8
"""How many conjunctions are tried as the place where two requests join."""

First = Callable[[Sheet], Claim | None]
"""Reads the ask of the first topic of a part."""
Build = Callable[[Sheet, str, AskForm, str], Ask]
"""Builds the ask about own things of one kind."""


def of_each(sheet: Sheet, first: First, build: Build) -> tuple[Claim, ...]:
    """Return the asks of two own things, each of its own part; none where a message asks of one."""
    if any(sheet.says(one) for one in (_USED, SEVERAL)) or sheet.wants(AskForm.COMPARE):
        return ()
    for sides in sides_of(sheet.text, _JOINT, _JOINTS_MAX):
        found = [_of_side(sheet.part(side), first, build) for side in sides]
        names = {one.ask.answerer.removeprefix(OWN) for one in found if one is not None}
        if len(names) == len(sides) and names <= _APART:
            return tuple(sure(one.ask, side) for one, side in zip(found, sides, strict=True) if one is not None)
    return ()


def _of_side(sheet: Sheet, first: First, build: Build) -> Claim | None:
    """Return what a side asks; a side that only names a thing leaves what is asked of it to the other."""
    if (claim := first(sheet)) is not None:
        return claim
    named = next((one for one in _NOUNS if sheet.says(one[1])), None)
    if named is None or not short(sheet.text, _NOUN_WORDS_MAX):
        return None
    return Claim(build(sheet, named[0], AskForm.STATUS, named[2]), CERTAIN)
