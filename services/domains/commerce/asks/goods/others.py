"""Goods that bear the noun of goods sold here and are none of them: "a camping chair", "a laptop stand"."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any, Final

from services.domains.commerce.asks.goods.features import attributes_of
from services.domains.commerce.asks.goods.qualities import qualities
from services.domains.commerce.asks.goods.wanted import things
from services.domains.commerce.asks.goods.words import DENIED, DENIED_EN, GIFT
from services.plugin.asks.sheet import Sheet
from services.plugin.documents import read_yaml
from services.plugin.entities import name_rows
from services.text.patterns import Pattern


def other_goods(sheet: Sheet) -> str:
    """Return goods that a message names by a noun of goods sold here and that are none of them; empty for none."""
    return next((match.group().strip() for match in _named(sheet)), "")


def without_others(sheet: Sheet) -> Sheet:
    """Return a message without the kinds of goods whose nouns stand in the names of other goods."""
    spans = [match.span() for match in _named(sheet)]
    kept = (
        one
        for one in sheet.entities
        if one.kind != "category" or not any(start <= one.start < one.end <= end for start, end in spans)
    )
    return replace(sheet, entities=tuple(kept)) if spans else sheet


def _named(sheet: Sheet) -> Iterator[re.Match[str]]:
    for pattern in (_made_for(), _belonging()):
        for match in pattern.finditer(sheet.text):
            aside = re.match(DENIED, sheet.text[match.end() :]) or re.search(
                DENIED_EN, sheet.text[: match.start()], re.IGNORECASE
            )
            if not aside and not _is_wished(match):
                yield match


def _is_wished(match: re.Match[str]) -> bool:
    """Tell whether what stands behind a noun of goods is a property of theirs, or what people want of them."""
    behind = match.groupdict().get("thing") or ""
    nouns = (one.noun for one in attributes_of(_kind_of(match.groupdict().get("noun") or "")) if one.noun)
    return bool(behind) and (
        any(re.search(noun, behind, re.IGNORECASE) for noun in nouns)
        or any(one.words.search(behind) for one in qualities().values())
    )


@cache
def _document() -> dict[str, Any]:
    document = read_yaml(__package__ or "", "other_goods.yaml")
    if not isinstance(document, dict):
        raise TypeError("other_goods.yaml is a mapping")
    return document


@cache
def _nouns() -> dict[str, tuple[str, ...]]:
    """Return the nouns of each kind of goods sold here."""
    rows = name_rows("services.domains.commerce", "data/categories.yaml")
    return {row.id: (*row.words, *_document()["nouns"].get(row.id, ())) for row in rows}


def _kind_of(noun: str) -> str:
    return next((kind for kind, words in _nouns().items() if noun.casefold() in map(str.casefold, words)), "")


def _any_of(words: Iterable[str]) -> str:
    """Return a regular expression of words, the longer before those that begin them; a space in one may be left out."""
    return "|".join(re.escape(one).replace(r"\ ", r"\s?") for one in sorted(words, key=len, reverse=True))


@cache
def _made_for() -> Pattern:
    """Return the pattern of nouns of goods behind what makes them other goods."""
    parts = []
    for kind, before in _document()["made_for"].items():
        nouns = _nouns()[kind]
        korean = _any_of([one for one in nouns if not one.isascii()])
        english = _any_of([one for one in nouns if one.isascii()])
        parts.append(rf"(?<![가-힣])(?:{_any_of(before['ko'])})용?\s?(?:{korean})(?![가-힣]{{2}})")
        parts.append(rf"\b(?:{_any_of(before['en'])})[\s-]?(?:{english})\b")
    return Pattern("|".join(parts), re.IGNORECASE)


@cache
def _belonging() -> Pattern:
    """Return the pattern of what belongs to goods, behind their noun, where it is what a message is after."""
    nouns = [one for words in _nouns().values() for one in words]
    known = {one for one in things() if not re.search(GIFT, one)} | set(_document()["belongs"])
    thing = _any_of(known - {word.casefold() for word in nouns})
    return Pattern(
        rf"(?<![가-힣A-Za-z])(?P<noun>{_any_of(nouns)})\s?(?P<thing>(?:{thing})(?:e?s\b)?)"
        rf"(?=(?:은|는|이|가|을|를|도|만|으로|로|요)?(?:\W*$|[,.?!]|\s?(?:{_ASKED})|\s(?:{_ASKED_EN})\b))",
        re.IGNORECASE,
    )


_ASKED: Final = r"추천|있(?!는|고)|없(?!는|고)|파[나는시니]|팔|얼마|보여|찾|알려|사[려고줘면]|살|구매|구입|재고|가격|골라|뭐|어떤|제일|가장|젤|중|좀|리뷰|후기|평점|싼|싸|저렴|인기|\d"
_ASKED_EN: Final = (
    r"under|below|for|with|please|in|that|which|do|are|is|you|there|and|or|up|less|at|over|around|i|to|available|left"
)
"""What follows the noun of the very thing that is asked for; an adjective of it says what the goods before it are like."""
