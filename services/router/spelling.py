"""Reads over slips of the hand: a word that is none, one letter away from a word that cues know ("환뷸" is "환불").

It is asked only where the words as written say little. What the analyser knows as one piece is no slip: 대충 stays
대충, though 대출 is near.
"""

from collections.abc import Iterable
from itertools import pairwise

from services.text.morphemes import morphemes
from services.text.words import Word, words

_SYLLABLES_MIN = 2
_FIRST, _LAST = ord("가"), ord("힣")
_VOWELS, _FINALS = 21, 28
_GAP = "?"


class Spelling:
    """Corrects by the words of the cues; made once."""

    def __init__(self, phrases: Iterable[str]) -> None:
        self._known = frozenset(phrase for phrase in phrases if _is_korean_word(phrase))
        self._by_gap: dict[str, list[str]] = {}
        for phrase in sorted(self._known):
            for place in range(len(phrase)):
                self._by_gap.setdefault(_with_gap(phrase, place), []).append(phrase)
        self._longest = max(map(len, self._known), default=0)

    def corrected(self, text: str) -> str:
        """Return a normalised text with its slips set right; the same text where there are none."""
        known = [piece for piece in morphemes(text) if piece.tags[0] != "UNKNOWN"]
        pieces = {(piece.start, piece.end) for piece in known}
        # A noun and its particle are as good as one piece: 전에 is 전 and 에, though 전세 is near.
        pieces |= {
            (one.start, other.end)
            for one, other in pairwise(known)
            if one.end == other.start and one.tags[0].startswith("N") and other.tags[0].startswith("J")
        }
        written, at = [], 0
        for word in words(text):
            found = self._slip(word, pieces)
            if found is not None:
                written += [text[at : word.start], found]
                at = word.start + len(found)
        return "".join([*written, text[at:]])

    def _slip(self, word: Word, pieces: set[tuple[int, int]]) -> str | None:
        """Return what the beginning of a word was meant to be, the longest first."""
        for length in range(min(len(word.surface), self._longest), _SYLLABLES_MIN - 1, -1):
            beginning = word.surface[:length]
            if beginning in self._known:
                return None
            if (word.start, word.start + length) in pieces or not _is_korean_word(beginning):
                continue
            near = self._near(beginning)
            if near is not None:
                return near
        return None

    def _near(self, beginning: str) -> str | None:
        for place in range(len(beginning)):
            for phrase in self._by_gap.get(_with_gap(beginning, place), ()):
                if _letters_apart(beginning[place], phrase[place]) == 1:
                    return phrase
        return None


def _with_gap(word: str, place: int) -> str:
    return word[:place] + _GAP + word[place + 1 :]


def _is_korean_word(phrase: str) -> bool:
    return len(phrase) >= _SYLLABLES_MIN and all(_FIRST <= ord(mark) <= _LAST for mark in phrase)


def _letters_apart(one: str, other: str) -> int:
    """Return in how many of its three letters (first, vowel, final) a syllable differs from another."""
    return sum(mine != theirs for mine, theirs in zip(_letters(one), _letters(other), strict=True))


def _letters(syllable: str) -> tuple[int, int, int]:
    index = ord(syllable) - _FIRST
    return index // (_VOWELS * _FINALS), index // _FINALS % _VOWELS, index % _FINALS
