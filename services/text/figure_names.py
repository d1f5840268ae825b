"""The names of companies, districts and countries that a statement gives, each with what it names.

A question is read with care for what its words may mean (`securities.py`, `regions.py`); a statement is only held
against the names that its rows bear, so that here a table and the edges of words are enough, and cheap. Names that are
ordinary words too (비자, Target, 화성) are no names here unless the text around a caller says otherwise.
"""

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from typing import Final

_LETTER = re.compile(r"[0-9A-Za-z가-힣]")
_BEGINNING = re.compile(r"(?<![0-9A-Za-z가-힣])[0-9A-Za-z가-힣].", re.DOTALL)
_WORD_START = re.compile(r"(?<![0-9A-Za-z가-힣])[0-9A-Za-z가-힣]")
_PARTICLES = re.compile(
    r"(?:은|는|이|가|을|를|의|에|도|만|과|와|로|으로|에서|에게|에는|에도|에서는|까지|부터|보다|처럼|이나|나|이며|이고|하고|입니다|인|이란|란|이라는|라는|측|사)+(?![가-힣])"
)
_WORDS_TOO: Final = frozenset(
    {"비자", "오리온", "델", "포드", "하이브", "기아", "메타", "루시드", "인텔", "이란", "인도", "농심", "니오"}
    | {
        "visa",
        "oracle",
        "target",
        "block",
        "square",
        "dell",
        "ford",
        "intel",
        "uber",
        "disney",
        "snow",
        "ma",
        "t",
        "it",
    }
    | {"turkish", "polish", "turkey", "coupang play", "hybe", "no", "in", "la", "gap", "chile", "block inc", "nio"}
)
"""Names that a sentence has as an ordinary word too, or as part of one."""
_NAME_LENGTH_MIN: Final = 2


@dataclass(frozen=True, slots=True)
class NamedThing:
    """One name with its place in a text."""

    key: str
    """What it names: "US:TSLA", "KR/강남구", "JP"; two names of one thing have the same."""
    name: str
    """The name as the table writes it."""
    start: int
    """Where it begins, in code points."""
    end: int
    """Where it ends, exclusive; a particle behind it is not part of it."""


def names_in(text: str) -> tuple[NamedThing, ...]:
    """Return the names of a text in its order, the longest at each place."""
    table, found, end = _table(), [], 0
    lowered = text.lower()
    if table.keys().isdisjoint(map(str.lower, _BEGINNING.findall(text))):
        return ()
    for word in _WORD_START.finditer(text):
        at = word.start()
        if at < end or lowered[at : at + 2] not in table:
            continue
        if (thing := _longest(table, text, lowered, at)) is not None:
            found.append(thing)
            end = thing.end
    return tuple(found)


def name_keys(text: str) -> frozenset[str]:
    """Return what a text names."""
    return frozenset(thing.key for thing in names_in(text))


def may_begin_a_name(word: str, known: frozenset[str], *, open_ended: bool) -> bool:
    """Tell whether a name of something that is not in `known` may begin with a word that is still being written.

    Args:
        word: The word, from its first letter.
        known: Keys of what may be named.
        open_ended: Whether letters may still follow.
    """
    lowered = word.lower()
    if len(lowered) < _NAME_LENGTH_MIN:
        return open_ended and lowered in _first_letters()
    return any(
        key not in known and (lowered.startswith(head) or (open_ended and head.startswith(lowered)))
        for name, key in _table().get(lowered[:2], ())
        for head in (name.split(" ", 1)[0],)
    )


@functools.lru_cache(maxsize=1)
def _first_letters() -> frozenset[str]:
    return frozenset(beginning[0] for beginning in _table())


def _longest(table: dict[str, tuple[tuple[str, str], ...]], text: str, lowered: str, at: int) -> NamedThing | None:
    for name, key in table[lowered[at : at + 2]]:
        end = at + len(name)
        if lowered.startswith(name, at) and _ends_name(text, name, at, end):
            return NamedThing(key, name, at, end)
    return None


def _ends_name(text: str, name: str, at: int, end: int) -> bool:
    """Tell whether the name ends there: at the edge of its word, or before a particle."""
    if name.isascii() and not text[at].isupper() and not text[at].isdigit():
        return False
    behind = text[end : end + 1]
    if not behind or not _LETTER.match(behind):
        return True
    return "가" <= behind <= "힣" and (name.isascii() or len(name) > 3 or _PARTICLES.match(text, end) is not None)


@functools.lru_cache(maxsize=1)
def _table() -> dict[str, tuple[tuple[str, str], ...]]:
    """Return the names in lower case with their keys by their first two letters, the longest first."""
    by_beginning: dict[str, dict[str, str]] = {}
    for name, key in _all():
        lowered = name.lower()
        if len(lowered) >= _NAME_LENGTH_MIN and lowered not in _WORDS_TOO:
            by_beginning.setdefault(lowered[:2], {}).setdefault(lowered, key)
    return {
        beginning: tuple(sorted(names.items(), key=lambda item: -len(item[0])))
        for beginning, names in by_beginning.items()
    }


def _all() -> Iterator[tuple[str, str]]:
    for line in _lines("security_lookalikes.txt"):
        # A longer name that only begins like a company's is nobody's: it is taken, so that the shorter is not found.
        yield from ((word, "") for word in line.split())
    for security_id, name_ko, name_en, _, *aliases in _rows("securities.tsv"):
        names = {name_ko, name_en, *(alias for column in aliases for alias in column.split("|"))}
        yield from ((name, security_id) for name in sorted(names) if not name.isdigit())
    homonyms = {word for words in _lines("region_homonyms.txt") for word in words.split()}
    for _, province, _, district, english, *_ in _rows("districts.tsv"):
        name = district or province
        # Several cities have a 중구: a statement that says no more is held against any of them.
        key = f"KR/{name}"
        yield from ((one, key) for one in (name, english) if one)
        if district[-1:] in {"구", "시", "군"} and len(district) > _NAME_LENGTH_MIN and district[:-1] not in homonyms:
            yield from ((one, key) for one in (district[:-1], english.partition("-")[0]))
    for code, listed in _rows("countries.tsv"):
        yield from ((name, code) for name in listed.split("|"))


def _rows(name: str) -> Iterator[list[str]]:
    return (line.split("\t") for line in _lines(name))


def _lines(name: str) -> list[str]:
    text = resources.files("services.text").joinpath(f"data/{name}").read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]
