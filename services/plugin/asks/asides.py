"""What a message puts aside: the X of "X 말고 Y", "X가 아니라 Y", "not X but Y", "Y instead of X".

What is put aside is no part of what is asked, so no reader is to see it: its words become blanks, which keep every
place in the text, and the entities inside them go. Where nothing is named in its stead ("나이키 말고 다른 거"), the
words stay: they are a condition of their own.
"""

import re
from dataclasses import replace
from itertools import pairwise
from typing import Final

from services.plugin.asks.sheet import Sheet
from services.plugin.entities import Entity, installed_kinds
from services.text.near import just_before
from services.text.patterns import Pattern

_CHARS_MAX: Final = 120
"""A longer message may hold a text, of a contract for example, whose every word counts."""
_KOREAN: Final = Pattern(
    r"(?P<aside>[^\s,.?!]+(?:\s?(?:이|가|은|는|을|를))?)\s?(?:(?<![는은던을를이가] )(?<![는은던을를이가])\s?대신(?:에)?(?=,?\s[^\s,.?!]+(?:\s[^\s,.?!]+)?(?:으?로|[?]|$))|말고(?!는|도)|말구|(?<=[이가은는을를 ])\s?아니라(?!니|고\s?해|면)|(?<=[가-힣 ])\s?아니고|(?<=[이가은는을를 ])\s?아니구)(?=[\s,])",
)
_NAMED_WITH: Final = Pattern(r"(?:[^\s,.?!]{1,12}(?:이?랑|하고|와|과)\s){1,3}$")
"""What is put aside in one breath with the last of it: the 강남 of "강남이랑 서초 말고"."""
_SAID_KO: Final = Pattern(
    r"(?P<aside>[^\s,.?!]+?)(?:이?라고|을|를)?\s?(?:했는데|말했는데|썼는데|물었는데|물어봤는데|적었는데)\s(?=.*(?:말하려|물으려|였|이었|인데|말이|뜻|의미|얘기))"
)
"""What was said in place of what was meant: "강남이라고 했는데 강서였어"."""
_POINTS: Final = Pattern(r"^(?:그게|이게|그건|그거|이거|저거|그|것)(?:이|가)?\s?$")
_BLAMED: Final = Pattern(
    r"왜\s?(?:자꾸|또|계속|맨날)\s?(?P<aside>[^\s,.?!]+?)(?:이?야|이?냐|예요|이에요|만\s?\S+)(?=[\s,?!])"
    r"|(?P<denied>[^\s,.?!]+?)(?:이|가|은|는)?\s?(?:아니야|아니에요|아닙니다|아냐|아니예요)[,.!]?(?=\s\S)"
)
_NOTHING_INSTEAD: Final = Pattern(
    r"^[\s,]*(?:$|다른|딴|또|더\s|없|추천|뭐|다\s|나머지|모두|전부|어떤|그\s?외)", re.IGNORECASE
)
_NO_BOUND: Final = r"(?!\w+er than\b|(?:more|less) than\b|over\b|under\b|above\b|below\b)"
"""What stands behind a "not" that bounds a number: "..., not more than half a million" puts nothing aside."""
_ENGLISH: Final = (
    Pattern(
        r"^\W*(?:(?:no|nope|sorry|and|but|ok|okay|i (?:said|meant)|hmm)\b\W*)*not\s+"
        rf"{_NO_BOUND}(?P<aside>[^,.;?!–—]{{2,40}}?)"
        r"(?:\s*[,;–—]\s*(?:but\s+)?|\s+-\s+|\s+but\s+)(?=\S)",
        re.IGNORECASE,
    ),
    Pattern(r"\bnot\s+(?P<aside>[^,.;?!–—]{2,40}?),?\s+but\s+(?!not\b)(?=\S)", re.IGNORECASE),
    Pattern(
        rf"(?:,\s*|\s+-\s+|\s*[–—]\s*|\band\s+)not\s+{_NO_BOUND}(?P<aside>[^,.;?!]{{2,40}})(?=[,.;?!]|$)", re.IGNORECASE
    ),
    Pattern(
        r"\bi (?:said|typed|wrote|asked (?:about|for))\s+(?P<aside>[^,.;?!]{2,40}?),?\s+(?:but|and|when)\s+i (?:really |actually )?(?:meant|mean|wanted|want)\s+(?=\S)",
        re.IGNORECASE,
    ),
    Pattern(r"\b(?:instead of|rather than)\s+(?P<aside>[^,.;?!]{2,40}?)(?=[,.;?!]|$)", re.IGNORECASE),
)


def without_asides(sheet: Sheet) -> Sheet:
    """Return a sheet without what it puts aside; the same one where it puts nothing aside, or is a text of its own."""
    spans = _asides(sheet) if len(sheet.text) <= _CHARS_MAX else []
    if not spans:
        return sheet
    text = sheet.text
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    entities = tuple(one for one in (_left_of(one, spans, text) for one in sheet.entities) if one is not None)
    aside = tuple(one for one in sheet.entities if one not in entities and one.value != one.words)
    words = tuple(sheet.text[start:end] for start, end in spans)
    return replace(sheet, text=text, entities=entities, aside=aside, aside_words=words)


def _asides(sheet: Sheet) -> list[tuple[int, int]]:
    if taken_back := _taken_back(sheet):
        return taken_back
    if sheet.language != "ko" or not re.search(r"[가-힣]", sheet.text):
        return [match.span() for pattern in _ENGLISH if (match := pattern.search(sheet.text))][:1]
    blamed = [match.span() for match in _BLAMED.finditer(sheet.text)]
    blamed += [match.span() for match in _SAID_KO.finditer(sheet.text)]
    return blamed or [span for match in _KOREAN.finditer(sheet.text) for span in _korean(sheet, match)]


_OOPS: Final = Pattern(
    r"(?:에|은|는|을|를|이|가)?[\s,.]*(?:아\s?|어\s?)?아니(?:다|야|지)?[\s,.]+|[\s,.]*(?:\b(?:no|sorry|wait|i mean|actually|scratch that|make that)\b[\s,.]*)+",
    re.IGNORECASE,
)
"""What stands between a thing and the other one that is meant: "이번 주 아니 지난주", "Mapo, sorry, Songpa"."""


def _taken_back(sheet: Sheet) -> list[tuple[int, int]]:
    """Return where a thing stands that the next one of its kind takes the place of, with the words that say so."""
    named = [one for one in sheet.entities if one.end and one.value != one.words]
    return [
        (one.start, other.start)
        for kind in {one.kind for one in named}
        for one, other in pairwise(sorted((it for it in named if it.kind == kind), key=lambda it: it.start))
        if one.end < other.start and _OOPS.fullmatch(sheet.text[one.end : other.start])
    ]


def _korean(sheet: Sheet, match: re.Match[str]) -> list[tuple[int, int]]:
    if (
        _NOTHING_INSTEAD.match(sheet.text[match.end() :])
        or _POINTS.match(match["aside"])
        or match["aside"].endswith("지")
    ):
        return []
    if (number := _number_aside(sheet, match)) is not None:
        return [number, (match.end("aside"), match.end())]
    # A name of several words is put aside whole: its last word alone would leave the rest as another name.
    least = _two_words_before(sheet.text, match.start())
    named = just_before(_NAMED_WITH, sheet.text, match.start())
    names = [
        one.start
        for one in sheet.entities
        if one.end and one.value != one.words and least <= one.start < match.start() < one.end
    ]
    start = min([match.start(), *names, *([named.start()] if named is not None else [])])
    return [(min([start, *_makers(sheet, start, match)]), match.end())]


def _makers(sheet: Sheet, start: int, match: re.Match[str]) -> list[int]:
    """Return where a name begins that is a part of what is put aside, being of another domain: "삼성전자 노트북 말고"."""
    kinds = installed_kinds()
    aside = {kinds[one.kind].domain for one in sheet.entities if one.kind in kinds and start <= one.start < match.end()}
    own = (one for one in sheet.entities if one.end == start - 1 and one.kind in kinds and one.value != one.words)
    return [one.start for one in own if aside and kinds[one.kind].domain not in aside]


def _number_aside(sheet: Sheet, match: re.Match[str]) -> tuple[int, int] | None:
    """Return where the number stands that is put aside with the thing it counts: "100만원대 노트북 말고 50만원대"."""
    behind = next((one for one in sheet.numbers if match.end() <= one.start <= match.end() + 1), None)
    if behind is None or any(match.start() <= one.start < match.end() for one in sheet.numbers):
        return None
    same = [one for one in sheet.numbers if one.end <= match.start() and one.unit == behind.unit]
    return (same[-1].start, same[-1].end) if same else None


def _two_words_before(text: str, start: int) -> int:
    """Return where the two words before a place begin."""
    spaces = [one.start() + 1 for one in re.finditer(r"\s", text[: max(0, start - 1)])]
    return [0, 0, *spaces][-2]


def _left_of(one: Entity, spans: list[tuple[int, int]], text: str) -> Entity | None:
    """Return an entity that lies outside what is put aside; one of free words is cut to what is left of it."""
    if not any(start < one.end and one.start < end for start, end in spans):
        return one
    words = text[one.start : one.end].strip()
    if one.value != one.words or not words:
        return None
    start = one.start + text[one.start : one.end].index(words)
    return replace(one, value=words, words=words, label=words, start=start, end=start + len(words))
