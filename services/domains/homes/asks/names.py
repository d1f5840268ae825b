"""Names in a question that the data may not have: a complex or brand, a place that is no covered one.

What is read as a place, a kind of home, a deal or a day is known. What is left of proper nouns is a name.
"""

from functools import lru_cache
from importlib import resources
from typing import Final

from services.domains.homes.gazetteer import gazetteer
from services.plugin.asks.sheet import Sheet
from services.text.ko.morphemes import morphemes
from services.text.patterns import Pattern

_KNOWN_KINDS: Final = frozenset(
    {"region", "property_type", "deal_type", "period", "country", "amount", "area", "security", "series"}
)
"""Kinds whose names are no complexes, those of another domain too: a share may be sold for a home."""
_COMMON: Final = frozenset(
    {"요즘", "요새", "전월세", "한국", "국내", "전국", "수도권", "에이아이", "하푸", "건", "평", "전용", "공급"}
)
_ENGLISH: Final = Pattern(r"(?<=[a-z,'’] )(?P<name>[A-Z][A-Za-z]{2,}(?:\s[A-Z][A-Za-z]+)*)")
_ENGLISH_COMMON: Final = frozenset(
    [
        "krw",
        "usd",
        "korea",
        "korean",
        "seoul",
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "ltv",
        "dsr",
        "dti",
        "top",
        "please",
        "jeonse",
        "english",
        "hangul",
    ]
)
_ENDS_SENTENCE: Final = Pattern(r"[가-힣](?:요|죠|까)\s?(?:[?.!,]|$)")
"""How a sentence ends that is taken for a name: "얼마쯤 내요?"."""


@lru_cache(maxsize=1)
def _brands() -> Pattern:
    text = resources.files("services.domains.homes").joinpath("data/brands.txt").read_text("utf-8")
    words = [line for line in text.split("\n") if line and not line.startswith("#")]
    return Pattern("|".join(rf"(?<![가-힣]){word}|{word}(?=[가-힣]*\s?(?:아파트|단지))" for word in words))


def unknown_names(sheet: Sheet) -> tuple[str, ...]:
    """Return the names of a question that stand for no place, kind or day that is known, in its order."""
    known = [(one.start, one.end) for one in sheet.entities if one.kind in _KNOWN_KINDS and one.end]
    found: list[tuple[int, int]] = []
    for one in morphemes(sheet.text):
        if one.tags[0] != "NNP" or one.surface in _COMMON or any(a < one.end and one.start < b for a, b in known):
            continue
        if found and found[-1][1] == one.start:
            found[-1] = (found[-1][0], one.end)
        elif one.end - one.start > 1 and not _ENDS_SENTENCE.search(sheet.text[one.start : one.end + 2]):
            found.append((one.start, one.end))
    found += [match.span() for match in _brands().finditer(sheet.text)]
    if sheet.language == "en":
        found += [
            match.span("name")
            for match in _ENGLISH.finditer(sheet.text)
            if match["name"].split()[0].lower() not in _ENGLISH_COMMON
            and not any(a < match.end() and match.start() < b for a, b in known)
        ]
    words = [sheet.text[start : _whole(sheet.text, end)].strip() for start, end in sorted(found)]
    places = gazetteer().names
    return tuple(
        dict.fromkeys(word for word in words if word and word.lower() not in places and not _is_part(word, words))
    )


def _whole(text: str, end: int) -> int:
    """Return where the word of a name ends: a brand with what is written on to it, "자이르네"."""
    match = Pattern(r"(?:시티|파크|타운|마을|빌|하임|빌리지|힐스|팰리스|캐슬)?").match(text, end)
    return match.end() if match else end


def _is_part(word: str, words: list[str]) -> bool:
    return any(word != other and word in other for other in words)
