"""The tokens by which a text is found: its morphemes, and the pairs of syllables inside its Hangul words.

Morphemes make 전세금을 and 전세금 the same word and split 확정일자 as 확정 and 일자, in documents and questions
alike; a word of two syllables is a token of its own. Pairs of syllables (written "~전세") find a word that the
dictionary splits one way in a document and another way in a question; they weigh less and never count as words.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources

from services.text.ko.morphemes import Morpheme, morphemes
from services.text.normalise import normalise
from services.text.words import words

TOKENS_MAX = 48
"""Tokens of one question that are looked up; more are left out from the end."""
TOKEN_LENGTH_MAX = 60
PAIR_WEIGHT = 0.35
"""What a pair of syllables weighs against a morpheme."""
_PAIR = "~"
# Parts of speech that name something: nouns, verbs, adjectives, roots, foreign words, numbers.
_MEANING_TAGS = frozenset({"NNG", "NNP", "NR", "VV", "VA", "XR", "SL", "SH", "SN", "MAG"})
# Verbs, nouns and adverbs that ask or join, and tell nothing of what is asked about.
_ASKING = frozenset(
    word
    for line in (resources.files(__package__) / "asking_words.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
    for word in line.split()
)


def is_word(token: str) -> bool:
    """Return whether a token is a word of its own, not a pair of syllables."""
    return not token.startswith(_PAIR)


def tokens(text: str) -> list[str]:
    """Return every token of a document's text, repeated as often as it stands there."""
    normal = normalise(text)
    return [*_words_of(normal), *_pairs_of(normal)]


def question_tokens(text: str) -> tuple[str, ...]:
    """Return the different tokens of a question, words first, without the words that only ask."""
    normal = normalise(text)
    found = dict.fromkeys(token for token in _words_of(normal) if token not in _ASKING)
    found.update(dict.fromkeys(_pairs_of(normal)))
    return tuple(found)[:TOKENS_MAX]


def _words_of(normal: str) -> Iterator[str]:
    for piece in morphemes(normal):
        if piece.tags[0] in _MEANING_TAGS:
            yield from _stems(piece)


def _stems(piece: Morpheme) -> Iterator[str]:
    stem = piece.lemma.lower()[:TOKEN_LENGTH_MAX]
    # A plain English plural or past form is the word that it is made of.
    yield _singular(stem) if stem.isascii() and stem.isalpha() else stem


def _singular(word: str) -> str:
    for ending in ("ies", "ing", "ed", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            stem = word.removesuffix(ending)
            return f"{stem}y" if ending == "ies" else stem
    return word


def _pairs_of(normal: str) -> Iterator[str]:
    for word in words(normal):
        surface = word.stems[-1]
        if "가" <= surface[0] <= "힣":
            yield from (f"{_PAIR}{surface[at : at + 2]}" for at in range(len(surface) - 1))
