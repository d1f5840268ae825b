"""Maturities that are named by their years alone beside the bonds they are of: "미국채 2년 10년 뭐가 더 높아"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import AskedBefore
from services.domains.finance.asks.vocabulary import SERIES
from services.plugin.asks.edits import is_of_last, last_of
from services.plugin.asks.sheet import Sheet
from services.plugin.entities import PERIOD, Entity
from services.text.patterns import Pattern

_BONDS: Final = r"국채|재무부\s?채권|\btreasur(?:y|ies)\b|\bbonds?\b|\bnotes?\b|\byield(?:s|ing)?\b|\bthe (?:10|2|ten|two)[- ]year(?= (?:at|now|today|trading|doing)\b|\W*$)"
_YEARS: Final = Pattern(
    r"(?<![\d.,])(?P<n>10|2)\s?년(?!\s?(?:전|간|동안|만|사이|새|뒤|후|내|치|이상|이하|최고|최저|추이|물|\d{1,2}\s?개월|넘|째|연속|대비|기대))"
    r"|(?<![\d.,])\b(?P<en>10|2|ten|two)(?:[- ]?y(?:ea)?rs?|y)\b(?!['’]?s? (?:ago|back|earlier|before|high|low|now|straight|breakeven))",
    re.IGNORECASE,
)
_OVER: Final = Pattern(
    r"(?:지난|최근|앞으로|근|\b(?:last|past|previous|over|within|for|in|recent|next|the next|every)(?: the)?) ?$",
    re.IGNORECASE,
)
_SERIES: Final = {"2": "DGS2", "two": "DGS2", "10": "DGS10", "ten": "DGS10"}
_SPREAD: Final = "T10Y2Y"
"""The difference of both, whose name holds their years."""


def with_maturities(sheet: Sheet, before: Sequence[AskedBefore]) -> Sheet:
    """Return a message with the years of bonds as the series they mean; they are no time in it any more.

    Behind an answer on such yields years alone are theirs as well: "what about the 10-year?".
    """
    named = {one.value for one in sheet.of_kind("series")}
    if _SPREAD in named or not (sheet.says(_BONDS) or _is_of_bonds(before)):
        return sheet
    found = list(_maturities(sheet))
    if not found:
        return sheet
    text = sheet.text
    for one in found:
        text = text[: one.start] + " " * (one.end - one.start) + text[one.end :]
    kept = (
        one
        for one in sheet.entities
        if one.kind != PERIOD or not any(own.start < one.end and one.start < own.end for own in found)
    )
    new = (one for one in found if one.value not in named)
    return replace(sheet, text=text, entities=tuple(sorted((*kept, *new), key=lambda one: one.start)))


def _is_of_bonds(before: Sequence[AskedBefore]) -> bool:
    """Tell whether the last answer was on yields of these maturities and nothing else."""
    last = last_of(before, "finance") if is_of_last(before, "finance") else None
    return last is not None and {one.value for one in last.subjects} <= set(_SERIES.values()) and bool(last.subjects)


def _maturities(sheet: Sheet) -> Iterator[Entity]:
    for match in _YEARS.finditer(sheet.text):
        if _OVER.before(sheet.text, match.start()) is not None:
            continue
        series = SERIES[_SERIES[(match["n"] or match["en"]).lower()]]
        yield Entity("series", series.id, series.name.of(sheet.language), match.group(), match.start(), match.end())
