"""Sums that no word of a role binds, by what they move and how: the noun that is nearest, and whether it goes to them or by them.

보증금을 5천까지 높이면         the deposit, to          hand over 45 million more in deposit     the deposit, by
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import AskQuantity
from services.domains.realty.asks.topic import Topic
from services.plugin.asks.numbers import Number
from services.text.patterns import Pattern

_NOUNS: Final = {
    "deposit": Pattern(r"보증금|전세금|전셋값|전세|\bdeposit|\bjeonse", re.IGNORECASE),
    "rent": Pattern(r"월세|임대료|차임|\brent\b", re.IGNORECASE),
}
_TO: Final = Pattern(r"\s?(?:원\s?)?(?:까지|으로|로)(?!\s?(?:돌|바꾸|전환))", re.IGNORECASE)
_TO_BEFORE: Final = Pattern(r"\b(?:to|(?:leave|keep|leaving|keeping)(?:\sonly|\sjust)?)\s(?:KRW\s|₩)?$", re.IGNORECASE)
_BY: Final = Pattern(
    r"\s?(?:원\s?)?(?:을|를|만|만큼|쯤)?\s?(?:더(?!라)|추가|올[리려]|높[이여]|늘[리려]|내[리려]|낮[추춰]|줄[이여]|깎|얹|보태|넣|빼)"
    r"|\s(?:won\s)?(?:more|extra|further|less|additional)\b",
    re.IGNORECASE,
)
_BY_BEFORE: Final = Pattern(
    r"\b(?:add|put|pay|hand|throw|take|deduct|knock)(?:s|ing)?\s(?:in\s|down\s|over\s|off\s|out\s|up\s)?"
    r"(?:another\s|an?\s(?:extra|additional|further)\s)?(?:KRW\s|₩)?$",
    re.IGNORECASE,
)
_RENT_MAX: Final = 10_000_000
_REACH: Final = 30
_BEHIND: Final = 24


def with_moves(found: Sequence[AskQuantity], numbers: Sequence[Number], text: str, topic: Topic) -> list[AskQuantity]:
    """Return sums with the loose ones in the role that the nearest noun and the words of moving give them."""
    taken = {one.role for one in found}
    roles = {role.name for role in topic.roles}
    told = list(found)
    for at, (one, number) in enumerate(zip(found, numbers, strict=True)):
        if one.role or one.unit not in {"krw", ""}:
            continue
        way = _way(number, text)
        # A sum beyond all rents that is put in goes to the deposit, though no word says so.
        noun = _noun(numbers, at, text) or ("deposit" if way == "by" and number.as_won > _RENT_MAX else "")
        role = f"{noun}_{way}"
        if way and noun and role in roles - taken:
            taken.add(role)
            told[at] = replace(one, role=role, value=f"{number.as_won.normalize():f}", unit="krw")
    return told


def _way(number: Number, text: str) -> str:
    if number.words.endswith("까지") or _TO.match(text, number.end) or _TO_BEFORE.before(text, number.start):
        return "to"
    return "by" if _BY.match(text, number.end) or _BY_BEFORE.before(text, number.start) else ""


def _noun(numbers: Sequence[Number], at: int, text: str) -> str:
    """Return what a sum is of: the last noun before it and behind the sum before, else the first behind it."""
    number = numbers[at]
    first = max(numbers[at - 1].end if at else 0, number.start - _REACH)
    before = [
        (hits[-1].end(), name)
        for name, words in _NOUNS.items()
        if (hits := list(words.finditer(text, first, number.start)))
    ]
    if before:
        return max(before)[1]
    last = min(numbers[at + 1].start if at + 1 < len(numbers) else len(text), number.end + _BEHIND)
    behind = [(hit.start(), name) for name, words in _NOUNS.items() if (hit := words.search(text, number.end, last))]
    return min(behind)[1] if behind else ""
