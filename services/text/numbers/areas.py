"""Floor areas in square metres: a 평 is 400/121 ㎡."""

import re
from dataclasses import replace
from decimal import Decimal

from services.text.claims import Claims
from services.text.entities import Area, AskReason
from services.text.numbers.numerals import NATIVE_NUMBERS, MalformedNumberError, parse_digits
from services.text.patterns import Pattern

_PYEONG_M2 = Decimal(400) / Decimal(121)
_NATIVE = "|".join(sorted(NATIVE_NUMBERS, key=len, reverse=True))
_NUMBER = (
    rf"(?:[0-9][0-9,]*(?:\.[0-9]+)?|(?<![가-힣])(?:{_NATIVE})(?:\s?(?:{_NATIVE}))?"
    r"|(?<![가-힣])[일이삼사오육칠팔구]?[백십][일이삼사오육칠팔구]?)"
)
_UNIT = (
    r"평(?:형(?!대))?(?![균가생일소당점안창택범화론판])|㎡|제곱(?:\s?미터|(?!근|수|합|평))|헤베|타입(?=[은이의도으짜]|[^가-힣]|$)"
    r"|sq\.?\s?m\b|sqm\b|square met(?:er|re)s?\b|pyeong\b|py\b"
)
_AREA = Pattern(
    rf"(?P<sign>(?:^|\s)-|마이너스\s*)?(?<![0-9.,A-Za-z])(?:(?P<low>{_NUMBER})\s?(?:{_UNIT})?\s?(?:~|-|에서|to)\s?)?"
    rf"(?P<high>{_NUMBER})\s?(?P<unit>{_UNIT})(?P<band>대)?"
    rf"\s?(?P<bound>정도|이상|이하|미만|초과|까지|부터|넘는|이내|or more|or less)?",
    re.IGNORECASE,
)
_AREA_M2_MAX = Decimal(10**7)


def read_areas(claims: Claims) -> tuple[Area, ...]:
    """Read the floor areas in the order of the text; ask about the ones that are no area."""
    areas: list[Area] = []
    for match in claims.free_matches(_AREA):
        area = _area(claims, match)
        if area is None:
            continue
        claims.take(*match.span())
        whole = _joined(claims.text, areas[-1], area) if areas else None
        areas[-1:] = [whole] if whole is not None else [*areas[-1:], area]
    return tuple(areas)


def _joined(text: str, lower: Area, upper: Area) -> Area | None:
    """Join a lower bound and the upper bound right behind it: "20평 이상 30평 미만" is one range."""
    if lower.high_m2 is not None or upper.low_m2 is not None or lower.low_m2 is None or upper.high_m2 is None:
        return None
    if text[lower.end : upper.start].strip(" ,~") or lower.low_m2 > upper.high_m2:
        return None
    return replace(lower, high_m2=upper.high_m2, surface=text[lower.start : upper.end], end=upper.end)


def _area(claims: Claims, match: re.Match[str]) -> Area | None:
    try:
        high = _number(match["high"])
        low = _number(match["low"]) if match["low"] else high
    except MalformedNumberError:
        claims.ask("areas", AskReason.MALFORMED, *match.span())
        return None
    if match["sign"]:
        claims.ask("areas", AskReason.NEGATIVE, *match.span())
        return None
    scale = _PYEONG_M2 if match["unit"].lower().startswith(("평", "py")) else Decimal(1)
    if high * scale > _AREA_M2_MAX or low > high:
        claims.ask("areas", AskReason.TOO_LARGE if low <= high else AskReason.MALFORMED, *match.span())
        return None
    band = _band_width(high) if match["band"] else Decimal(0)
    low_m2, high_m2 = _bounded(low * scale, (high + band) * scale, match["bound"] or "")
    return Area(low_m2=low_m2, high_m2=high_m2, surface=match.group(), start=match.start(), end=match.end())


def _bounded(low: Decimal, high: Decimal, bound: str) -> tuple[Decimal | None, Decimal | None]:
    """Open one end as the words say; an area has no next smaller value, so 미만 and 이하 share their bound."""
    if bound in {"이상", "초과", "부터", "넘는", "or more"}:
        return low, None
    if bound in {"이하", "미만", "까지", "이내", "or less"}:
        return None, high
    return low, high


def _band_width(value: Decimal) -> Decimal:
    """Return how wide "대" makes an area: 50평대 reaches up to 60평."""
    width = 1
    while value and value % (width * 10) == 0:
        width *= 10
    return Decimal(width)


def _number(text: str) -> Decimal:
    if text[0].isdigit():
        return parse_digits(text)
    sino = {mark: value for value, mark in enumerate("일이삼사오육칠팔구", 1)}
    if any(mark in "십백" for mark in text):
        return _sino(text, sino)
    rest, total = text.replace(" ", ""), 0
    while rest:
        name = next(name for name in sorted(NATIVE_NUMBERS, key=len, reverse=True) if rest.startswith(name))
        total, rest = total + NATIVE_NUMBERS[name], rest[len(name) :]
    return Decimal(total)


def _sino(text: str, digits: dict[str, int]) -> Decimal:
    total, current = 0, 0
    for mark in text:
        if mark in digits:
            current = digits[mark]
        else:
            total, current = total + (current or 1) * (100 if mark == "백" else 10), 0
    return Decimal(total + current)
