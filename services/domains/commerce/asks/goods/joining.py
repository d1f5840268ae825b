"""Goods that were told of, joined to others that a message names: "그거 3개랑 K20 2개면", "두 개에 K20 하나 더하면".

The goods that were told stand under their name in the message, which so says the whole purchase itself.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import AskedBefore
from services.domains.commerce.asks.goods.subjects import last_goods
from services.domains.commerce.asks.goods.words import ADDED, CODE, HOW_MUCH, TOTAL
from services.plugin.asks.edits import pointed
from services.plugin.asks.roles import of_role
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.standing import told_last
from services.text.patterns import Pattern

_JOINT: Final = Pattern(
    r"(?<=[가-힣0-9])(?:이?랑|하고|와|과|에다가?|에)\s|,\s|\s?그리고\s|\s?\+\s?|\s(?:and|plus|with)\s", re.IGNORECASE
)
_TOLD: Final = Pattern(
    r"(?:아까\s?|방금\s?)?(?<![가-힣])(?:그|이|저)\s?(?:거|것|걸)|(?:첫|두|세|네)\s?번째\s?(?:거|것|걸)|\b(?:those|these|them|it|that(?: one)?|the \w+ one)\b",
    re.IGNORECASE,
)
_LEAD: Final = Pattern(r"^\W*(?:(?:그럼|그러면|그리고|and|so|then|ok)\s)*", re.IGNORECASE)


def with_told(sheet: Sheet, before: Sequence[AskedBefore]) -> Sheet | None:
    """Return a message with the name of the goods told before that it joins to others; None where it joins none."""
    codes = [match.start() for match in CODE.finditer(sheet.text)]
    if not codes or not (sheet.says(TOTAL) or sheet.says(HOW_MUCH) or sheet.says(ADDED)):
        return None
    to = pointed(sheet, before, "product")
    told = to.told if to is not None and to.how in {"one", "ordinal"} else told_last(before[:1], "product")
    if len(told) != 1 or any(f" {sheet.text[at:].split()[0].upper()} " in f" {told[0].label} " for at in codes):
        return None
    text = _named(sheet, f" {told[0].label} ", before)
    return replace(sheet, text=re.sub(r"\s+", " ", text).strip(), entities=()) if text else None


def _named(sheet: Sheet, name: str, before: Sequence[AskedBefore]) -> str:
    """Return the text with a name at the part that is of the goods told, or before it all where they are added to."""
    text = sheet.text
    for start, end in _parts(text):
        part = text[start:end]
        if CODE.search(part) or any(start <= one.start < end for one in sheet.of_kind("category")):
            continue
        if points := _TOLD.search(part):
            return f"{text[:start]}{part[: points.start()]}{name}{part[points.end() :]}{_joined(text[end:])}"
        if start == 0 and any(one.unit == "count" and one.end <= end for one in sheet.numbers):
            lead = _LEAD.match(part)
            return f"{name}{part[lead.end() if lead else 0 :]}{_joined(text[end:])}"
    if not sheet.says(ADDED):
        return ""
    last = last_goods(before[:1])
    pieces = of_role(last.quantities, "pieces") if last is not None else None
    count = pieces.value if pieces is not None else "1"
    return f"{name}{count}개, {text}" if sheet.language == "ko" else f"{count} {name}, {text}"


def _parts(text: str) -> Iterator[tuple[int, int]]:
    """Yield the parts of a text between what joins goods."""
    at = 0
    for match in (*_JOINT.finditer(text), None):
        yield at, match.start() if match else len(text)
        at = match.end() if match else at


def _joined(rest: str) -> str:
    """Return what stands behind a part, joined as two goods are: "두 개에 K20 하나" puts one beside the other."""
    return re.sub(r"^(?:에다가?|에)\s", "랑 ", rest)
