"""The words by which a product is found: one function for the index, one for the question.

Hangul is written without reliable word boundaries (무선이어폰, 이어폰을), so each Hangul run is indexed as its
overlapping pairs of syllables; two-syllable words such as 무선 are one pair and therefore match. Latin runs are
indexed whole, with a plain plural folded. Bare numbers are no words: "20" in "20만원" is a price, not a property.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from importlib import resources

from services.text.patterns import Pattern

WORDS_MAX = 8
TOKENS_MAX = 24
_RUN = Pattern(r"[가-힣]+|[a-z][a-z0-9]*")
_HANGUL = Pattern(r"[가-힣]+")
# Longest first, so that 으로 goes before 로.
_PARTICLES = (
    "에서는",
    "으로",
    "에서",
    "까지",
    "부터",
    "이나",
    "은",
    "는",
    "이",
    "가",
    "을",
    "를",
    "의",
    "에",
    "도",
    "로",
    "만",
    "과",
    "와",
    "랑",
)
# Words that ask, limit or praise, and name no property of a product: data, beside this file.
_ASKING = frozenset(
    word
    for line in (resources.files(__package__) / "asking_words.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
    for word in line.split()
)


@dataclass(frozen=True)
class QueryWord:
    """One word of a question and the index tokens that must all stand in a product for the word to match."""

    text: str
    """The word as the user wrote it, folded."""
    tokens: tuple[str, ...]
    """At least one token, without repetition."""


def fold(text: str) -> str:
    """Return `text` in composed, case-folded, half-width form, so that decomposed Hangul equals composed."""
    return unicodedata.normalize("NFKC", text).casefold()


def index_tokens(text: str) -> set[str]:
    """Return every token under which a product with this text is found."""
    return {token for run in _RUN.findall(fold(text)) for token in _tokens_of(run)}


def query_words(text: str) -> tuple[QueryWord, ...]:
    """Return the words of a question that may name a property; at most `WORDS_MAX` words and `TOKENS_MAX` tokens."""
    found: list[QueryWord] = []
    tokens_left = TOKENS_MAX
    for run in dict.fromkeys(_RUN.findall(fold(text))):
        word = _without_particle(run)
        tokens = tuple(dict.fromkeys(_tokens_of(word)))
        if run in _ASKING or word in _ASKING or not tokens or len(tokens) > tokens_left:
            continue
        found.append(QueryWord(word, tokens))
        tokens_left -= len(tokens)
        if len(found) == WORDS_MAX:
            break
    return tuple(found)


def _tokens_of(run: str) -> list[str]:
    if not _HANGUL.fullmatch(run):
        return [run[:-1] if len(run) > 3 and run.endswith("s") and not run.endswith("ss") else run]
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]


def _without_particle(run: str) -> str:
    """Drop one trailing particle where at least two syllables remain; 마이크로 loses 로 and still finds 마이크."""
    for particle in _PARTICLES:
        if run.endswith(particle) and len(run) - len(particle) >= 2:
            return run.removesuffix(particle)
    return run
