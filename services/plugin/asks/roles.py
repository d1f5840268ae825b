"""Binds the numbers of a question to roles by the words around them.

    role          words before        words behind        units that fit
    price         "집값 5억"           "5억짜리"            krw
    raised_to     —                   "3억2천으로 올려"     krw

Each number takes the nearest word that fits its unit: before it as far as the number before, behind it as far as the
next. A role is taken once, unless it says that it may be taken again. What nothing binds stays without a role, and the
answer says so or asks.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from services.contract.asks import AskQuantity
from services.plugin.asks.numbers import Number
from services.text.patterns import Pattern

_REACH = 26
_BARE_MAX = 1000
_SPELLED_MIN = 20
_GAP = 3
_NEXT = 4
_BY_WHICH = 2


@dataclass(frozen=True, slots=True)
class Role:
    """What a number may be for."""

    name: str
    """Its name: "price"."""
    units: tuple[str, ...]
    """Units that fit: krw, percent, years ...; a bare number fits where `bare` says so."""
    before: str = ""
    """A regular expression of words before the number; empty for none."""
    behind: str = ""
    """A regular expression of words right behind it; empty for none."""
    bare: bool = False
    """Whether a number without a unit fits: as a sum in 만원 where krw fits, else in the first of its units."""
    again: bool = False
    """Whether several numbers may have it."""


def bound_to(numbers: Sequence[Number], text: str, roles: Sequence[Role]) -> tuple[AskQuantity, ...]:
    """Return the numbers with their roles, in the order of the text; `role` is empty where nothing binds one."""
    taken: set[str] = set()
    found: dict[int, AskQuantity] = {}
    candidates = sorted(
        (
            (distance, at, role)
            for at, number in enumerate(numbers)
            for role in roles
            if _fits(number, role) and (distance := _distance(numbers, at, text, role)) is not None
        ),
        key=lambda one: (one[0], one[1]),
    )
    for _, at, role in candidates:
        if at not in found and (role.again or role.name not in taken):
            taken.add(role.name)
            found[at] = _quantity(numbers[at], role)
    return tuple(found.get(at) or _quantity(number, None) for at, number in enumerate(numbers))


def _fits(number: Number, role: Role) -> bool:
    if not number.is_bare:
        return number.unit in role.units
    if "krw" in role.units:
        # A small count in words is no sum: "the two of them".
        return role.bare and not (number.value < _SPELLED_MIN and number.words.isalpha() and number.words.isascii())
    return role.bare and number.value <= _BARE_MAX


def _quantity(number: Number, role: Role | None) -> AskQuantity:
    is_sum = role is not None and number.is_bare and "krw" in role.units
    value = number.as_won if is_sum else number.value
    unit = number.unit or ("krw" if is_sum else role.units[0] if role is not None and role.bare else "")
    return AskQuantity(
        role.name if role else "", f"{value.normalize():f}", unit, number.words, number.start, number.end
    )


def _distance(numbers: Sequence[Number], at: int, text: str, role: Role) -> int | None:
    """Return how far the nearest word of a role is; words right behind count as near as words right before."""
    number = numbers[at]
    start = max(numbers[at - 1].end if at else 0, number.start - _REACH)
    end = numbers[at + 1].start if at + 1 < len(numbers) else len(text)
    near = []
    if role.behind and (
        match := _compiled(rf"\s?(?:짜리|의|를|을|으로|로|인|of|for|in|a|an|the)?\s?(?:{role.behind})").match(
            text, number.end, end
        )
    ):
        # A share is named right behind it: "at 50% LTV" is no rate.
        far = 0 if number.unit == "percent" else match.end() - number.end - len(match.group().strip())
        near.append(far + (_NEXT if _leads(numbers, at, match.end()) else 0))
    if role.before:
        hits = list(_compiled(role.before).finditer(text, start, number.start))
        if hits:
            # What something is done with names the next sum less than the noun behind that does: "대출로 5억 아파트".
            by = _BY_WHICH if hits[-1].group().endswith("로") else 0
            near.append(number.start - hits[-1].end() + by)
    return min(near) if near else None


def _leads(numbers: Sequence[Number], at: int, end: int) -> bool:
    """Tell whether words behind a number stand right before the next one: "6천에 집값 5억" is the home's 5억."""
    return at + 1 < len(numbers) and numbers[at + 1].start - end <= _GAP


@lru_cache(maxsize=512)
def _compiled(pattern: str) -> Pattern:
    return Pattern(pattern, re.IGNORECASE)


def of_role(quantities: Sequence[AskQuantity], role: str) -> AskQuantity | None:
    """Return the first number of a role; None where there is none."""
    return next((one for one in quantities if one.role == role), None)
