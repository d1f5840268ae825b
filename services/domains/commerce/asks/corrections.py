"""What a sentence takes back as it goes on: "the K60, no wait, the K210", "두 개 아니 세 개", "카드로 아니다 계좌이체로". Pure.

A model, a count, a sum or a way to pay that stands before such words is not meant where another one of its kind follows
them at once; one in a clause on a wish that is over ("두 개 사려고 했는데") where another one follows anywhere. Its words
become blanks, which keep every place in the text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from services.domains.commerce.asks.acts import parts, words
from services.domains.commerce.asks.former import wishes_of_before
from services.plugin.asks.sheet import Sheet
from services.plugin.entities import Entity
from services.text.patterns import Pattern

_TAKES_BACK: Final = Pattern(
    r"[\s,.~…]+(?:(?:아|어|앗|에이|음)[\s,.]+)?(?:아니(?:다|야|지|요)?|아냐|아차|잠깐만?요?)(?=[\s,.!~])[\s,.!~]*(?:그거\s|그게\s)?(?:말고\s|아니고\s)?"
    r"|(?:\s*[,.;–—-]+\s*|\s+)(?:(?:oh|uh|um|ah)[\s,]+)?(?:(?:no|sorry|oops)[\s,]+(?:wait|sorry|hang on|hold on|i mean|actually|make (?:that|it))|scratch that|i mean|make that|or rather)[\s,.;–—-]+"
    r"|\s*[,.;–—-]+\s*(?:no|nope|sorry|oops|wait|actually|rather)[\s,.;–—-]+",
    re.IGNORECASE,
)
_LEADS: Final = Pattern(r"(?:(?:the|a|an|to|for|with|by|on|my|it|go|make|do|그냥|그)\s+)*", re.IGNORECASE)
"""What may stand between those words and the thing that is meant."""
_FAR_MAX: Final = 40
"""How far before them the thing may stand that is taken back."""
_TIMES_MAX: Final = 4
_SUMS: Final = frozenset({"krw", "percent", "points"})
_SUM_FROM: Final = 1_000
"""From here on a number without a unit is a sum."""


@dataclass(frozen=True, slots=True)
class _Thing:
    kind: str
    value: str
    start: int
    end: int


def without_corrected(sheet: Sheet) -> Sheet:
    """Return a message without what it takes back; the same one where it takes nothing back."""
    spans: list[tuple[int, int]] = []
    things: list[_Thing] | None = None
    for match in islice(_TAKES_BACK.finditer(sheet.text), _TIMES_MAX):
        things = sorted(_things(sheet), key=lambda one: one.start) if things is None else things
        spans += _taken_back(sheet, things, match.start(), match.end())
    for start, end in islice(wishes_of_before(sheet.text), _TIMES_MAX):
        spans += _wished_before(things or list(_things(sheet)), start, end)
    if not spans:
        return sheet
    text = sheet.text
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    kept = tuple(one for one in sheet.entities if not any(_overlap(one, span) for span in spans))
    return replace(sheet, text=text, entities=kept)


def takes_back(text: str, start: int, end: int) -> int | None:
    """Return where the words end that take back what stands before them, between two places; None where there are none."""
    match = next(_TAKES_BACK.finditer(text, start, end), None)
    return match.end() if match is not None else None


def _things(sheet: Sheet) -> Iterator[_Thing]:
    """Yield what a message names of that which an order is made of; a model with the words of its name."""
    names = [one for one in sheet.entities if one.value == one.words]
    for code, start in parts.codes(sheet):
        begin = min([start, *(one.start for one in names if one.start <= start < one.end)])
        yield _Thing("code", code, begin, start + len(code))
    for count, start in parts.quantities(sheet):
        end = next((one.end for one in sheet.entities if one.start == start and one.value == str(count)), start + 1)
        yield _Thing("count", str(count), start, end)
    for one in sheet.numbers:
        if one.unit in _SUMS or (one.is_bare and one.value >= _SUM_FROM):
            yield _Thing("sum", f"{one.value:f}{one.unit}", one.start, one.end)
    for goods in sheet.of_kind("category"):
        yield _Thing("kind", goods.value, goods.start, goods.end)
    for name, pattern in words.METHODS:
        for match in re.finditer(pattern, sheet.text, re.IGNORECASE):
            yield _Thing("method", name, *match.span())


def _taken_back(sheet: Sheet, things: list[_Thing], start: int, end: int) -> list[tuple[int, int]]:
    """Return the places of what is taken back by the words at a place, with these words; none where nothing is."""
    behind = [one for one in things if one.start >= end and _LEADS.fullmatch(sheet.text[end : one.start])][:1]
    for other in behind:
        ahead = [one for one in things if one.kind == other.kind and start - _FAR_MAX <= one.end <= start]
        if ahead and ahead[-1].value != other.value:
            # The noun stays where what is meant has none of its own: "the S40 speaker, no, the S90".
            noun = any(one.start >= end for one in sheet.of_kind("category"))
            return [(ahead[-1].start, start if noun or other.kind != "code" else ahead[-1].end), (start, end)]
    return []


def _wished_before(things: list[_Thing], start: int, end: int) -> list[tuple[int, int]]:
    """Return the places of what was wished between two places, each where another one of its kind is wished behind."""
    now = {one.kind for one in things if one.start >= end}
    return [(one.start, one.end) for one in things if start <= one.start < end and one.kind in now]


def _overlap(one: Entity, span: tuple[int, int]) -> bool:
    return one.start < span[1] and span[0] < one.end and one.end > 0
