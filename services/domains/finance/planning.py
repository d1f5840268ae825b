"""What questions on markets are planned by that no table says: whose series and whose shares an intent reads."""

import re
from functools import cache
from importlib import resources
from typing import Final

from services.plugin.documents import read_model
from services.plugin.entities import of_kind, values
from services.plugin.entries import Entry
from services.plugin.questions import PlannedQuestion, Value
from services.text.patterns import Pattern

HOMES: Final = "homes"
"""The subject that has series of its own."""
_DATA = resources.files(__package__) / "data"


class SeriesOfIntents(Entry):
    """Which series an intent reads."""

    by_intent: dict[str, dict[str, tuple[str, ...]]]
    """Where the question names none: by country and intent."""
    beside_named: frozenset[str]
    """Intents that read those beside the ones that are named."""
    homes_intents: frozenset[str]
    """Intents that read other series where homes are spoken of."""
    homes: tuple[str, ...]
    """Those series."""


class Sector(Entry):
    """A sector with its covered shares."""

    words: tuple[str, ...]
    """Words that name it."""
    shares: tuple[str, ...]
    """The ids of its shares."""


class Sectors(Entry):
    """The shares of sectors."""

    intents: frozenset[str]
    """Intents that read a sector's shares where no share is named."""
    sectors: tuple[Sector, ...]
    """The sectors; the first that is named is taken."""


def shares(asked: PlannedQuestion) -> Value | None:
    """Return the covered shares that a question names, else those of the sector that it asks about."""
    named = of_kind(asked.entities, "security")
    covered = values((one for one in named if one.attributes["covered"] == "true"), "security")
    table = _sectors()
    if named or asked.intent not in table.intents:
        return covered or None
    return next((one.shares for one in table.sectors if asked.spoken.says(one.words)), None)


def sector_shares(text: str, *, on: bool = False) -> tuple[str, ...]:
    """Return the covered shares of the first sector that a text names; none where it names none.

    Args:
        text: The text.
        on: Whether what something works on is looked for, which a sector's word alone says: "what it does to banks".
    """
    return next((one.shares for one in _sectors().sectors if _named(one.words, on=on).search(text)), ())


def sectors_named(text: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the sectors that a text names, in its order: the words that name it, and its covered shares."""
    hits = ((_named(one.words, on=True).search(text), one.shares) for one in _sectors().sectors)
    found = sorted(((hit, ids) for hit, ids in hits if hit is not None), key=lambda one: one[0].start())
    return tuple((hit.group().strip(), ids) for hit, ids in found)


_OF: Final = (
    r"(?:\s?(?:주식|주|업종|업계|섹터|산업|분야|쪽|관련)|[ -](?:stocks?|shares?|sector|industry|related))*(?:된|한|의)?"
)
"""What a sector's word may end in before what is said of it."""


def sector_of(text: str, told: str) -> tuple[str, tuple[str, ...]] | None:
    """Return the sector that something told is of, "반도체 뉴스", "news on banks": its word and its covered shares.

    Args:
        text: The text.
        told: A regular expression for what is told.
    """
    for one in _sectors().sectors:
        word = rf"(?<![가-힣A-Za-z])(?P<word>{'|'.join(map(re.escape, one.words))})"
        before = rf"{word}{_OF}(?:\s(?:최근|최신|새|주요|오늘)\s?)?\s?(?:{told})"
        behind = rf"(?:{told})\s?(?:중에서?|가운데|about|on|in|from|for|regarding)\s(?:the )?{word}(?![A-Za-z])"
        if found := _pattern(before).search(text) or _pattern(behind).search(text):
            return found["word"], one.shares
    return None


@cache
def _pattern(source: str) -> Pattern:
    return Pattern(source, re.IGNORECASE)


def peers_of(share: str) -> tuple[str, ...]:
    """Return the other covered shares of the first sector that a share is of: those of its market, else all."""
    own = next((one.shares for one in _sectors().sectors if share in one.shares), ())
    others = tuple(one for one in own if one != share)
    return tuple(one for one in others if one[:2] == share[:2]) or others


_COMPANIES: Final = (
    r"주(?![가-힣]{2})|주식|업종|업계|섹터|관련|종목|회사|기업|업체"
    r"|stocks?|shares?|sectors?|industry|makers?|compan(?:y|ies)|firms?|names?\b|players?"
)
"""Words for companies and their shares."""
_ENDS: Final = r"|들?(?:에|은|는|이|가|도)(?:게|는|도)?(?![가-힣])|s\b|\b(?=\W*$)"
"""How a sector's word ends where it stands for its companies."""


@cache
def _named(words: tuple[str, ...], *, on: bool = False) -> Pattern:
    """Return what finds a sector's words: a short Korean one ("자동차") only where shares are spoken of behind it."""
    behind = rf"(?:\s?(?:{_COMPANIES}){_ENDS if on else ''})"
    said = (re.escape(word) + ("" if word.endswith("주") else behind) for word in words)
    return Pattern(rf"(?<![가-힣])(?:{'|'.join(said)})", re.IGNORECASE)


def series_ids(asked: PlannedQuestion) -> Value | None:
    """Return the series that a question names, else those that its intent reads."""
    table, named = _series(), values(asked.entities, "series")
    if named and asked.intent not in table.beside_named:
        return named
    if asked.intent in table.homes_intents and asked.speaks_of(HOMES):
        return table.homes
    usual = "KR" if asked.spoken.now.language == "ko" else "US"
    countries = [code for code in asked.countries if code in table.by_intent] or [usual]
    of_intent = (one for code in countries for one in table.by_intent[code].get(asked.intent, ()))
    return tuple(dict.fromkeys((*named, *of_intent))) or None


@cache
def _series() -> SeriesOfIntents:
    return read_model(_DATA / "series_by_intent.yaml", SeriesOfIntents)


@cache
def _sectors() -> Sectors:
    return read_model(_DATA / "sectors.yaml", Sectors)
