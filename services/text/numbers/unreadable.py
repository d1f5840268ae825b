"""Digits that nobody should guess at: Arabic-Indic, superscript and other digits than 0 to 9 are refused by field."""

import re

from services.text.claims import Claims
from services.text.entities import AskReason
from services.text.patterns import Pattern

# \d is any decimal digit of Unicode; the rest are superscripts, subscripts and fractions.
_OTHER_DIGIT = r"(?:(?![0-9])\d|[²³¹⁰⁴-⁹₀-₉¼-¾⅐-⅞])"
_RUN = Pattern(
    rf"(?<![0-9.,])[0-9.,]{{0,40}}{_OTHER_DIGIT}(?:[0-9.,]|{_OTHER_DIGIT})*\s?(?P<unit>[가-힣㎡₩%]{{0,3}}|[A-Za-z]{{0,8}})"
)
_FIELDS = (
    (Pattern(r"[십백천]?[만억조]|[십백천]|원|₩|won|million|billion", re.IGNORECASE), "amounts"),
    (Pattern(r"평|㎡|제곱|sq"), "areas"),
    (Pattern(r"[년월일주달]|분기|개월"), "dates"),
    (Pattern(r"[개벌장병팩]|켤레|자루|박스|세트|units?|pieces?|pcs", re.IGNORECASE), "quantities"),
)
_PRIVATE = (
    Pattern(r"(?<![0-9])0[0-9]{1,2}-[0-9]{3,4}-[0-9]{4}(?![0-9])"),
    Pattern(r"(?<![0-9])[0-9]{6}-[0-9]{7}(?![0-9])"),
    Pattern(r"(?<![0-9])(?:[0-9]{4}-){3}[0-9]{4}(?![0-9])"),
)


def refuse_other_digits(claims: Claims) -> None:
    """Ask about numbers that are written in other digits, under the field that their unit names; money without one."""
    for match in claims.free_matches(_RUN):
        field = next((name for unit, name in _FIELDS if unit.match(match["unit"])), None)
        if field is None and match.group().strip() != claims.text:
            continue
        claims.ask(field or "amounts", AskReason.FOREIGN_DIGITS, match.start(), match.end())


def keep_private_numbers(claims: Claims) -> None:
    """Take the numbers of phones, residents and cards out of everyone's reach."""
    for pattern in _PRIVATE:
        for match in claims.free_matches(pattern):
            claims.take(*match.span())
