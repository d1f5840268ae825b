"""Reads over slips of the hand: a word that is none, one letter away from a word that cues know ("환뷸" is "환불").

It is asked only where the words as written say little. What the analyser knows as one piece is no slip: 대충 stays
대충, though 대출 is near.
"""

from collections.abc import Iterable
from itertools import pairwise

from services.text.ko.morphemes import morphemes
from services.text.words import Word, words

_SYLLABLES_MIN = 2
_FIRST, _LAST = ord("가"), ord("힣")
_VOWELS, _FINALS = 21, 28
_ALIKE = (frozenset({1, 5}), frozenset({3, 7}), frozenset({10, 11, 15}))
"""Vowels that are spoken alike, by their places: ㅐ and ㅔ, ㅒ and ㅖ, ㅙ and ㅚ and ㅞ."""
_GAP = "?"
_JOINED = frozenset({"NJ", "NX", "VE", "VV"})
"""First letters of the tags of two pieces that make one word together: 짜 and 줘 are 짜줘, no slip of 사줘, and
주문 and 할 are 주문할, no slip of 주문한."""
_COPULA = "VCP"
"""The tag of 이다, which makes one word with what stands before it: 얼마야."""


class Spelling:
    """Corrects by the words of the cues; made once."""

    def __init__(self, phrases: Iterable[str], others: Iterable[str] = ()) -> None:
        """Take the phrases that a slip may have meant, and others that are no slips of them: 배송비 beside 배송지."""
        meant = frozenset(phrase for phrase in phrases if _is_korean_word(phrase))
        self._known = meant | {phrase for phrase in others if _is_korean_word(phrase)}
        self._by_gap: dict[str, list[str]] = {}
        for phrase in sorted(meant):
            for place in range(len(phrase)):
                self._by_gap.setdefault(_with_gap(phrase, place), []).append(phrase)
        self._longest = max(map(len, self._known), default=0)

    def corrected(self, text: str) -> str:
        """Return a normalised text with its slips set right; the same text where there are none."""
        known = [piece for piece in morphemes(text) if piece.tags[0] != "UNKNOWN"]
        pieces = {(piece.start, piece.end) for piece in known}
        # A noun and its particle, a verb and its ending are as good as one piece, and so is where it begins: 전에 is 전
        # and 에, no slip of 전세, and 취소할 of 취소할래요 none of 취소한.
        pieces |= {
            (one.start, end)
            for one, other in pairwise(known)
            for end in range(other.start + 1, other.end + 1)
            if one.end == other.start and (one.tags[0][0] + other.tags[0][0] in _JOINED or other.tags[0] == _COPULA)
        }
        written, at = [], 0
        for word in words(text):
            if word.start and text[word.start - 1].isdigit():
                # What is written on to a number is its unit: 6천이고 is a sum, though 전이 is near.
                continue
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
            if (word.start, word.start + length) in pieces:
                return None
            if not _is_korean_word(beginning):
                continue
            near = self._near(beginning)
            if near is not None:
                return near
        return None

    def _near(self, beginning: str) -> str | None:
        near = [
            (not _sounds_alike(beginning[place], phrase[place]), place, phrase)
            for place in range(len(beginning))
            for phrase in self._by_gap.get(_with_gap(beginning, place), ())
            if _letters_apart(beginning[place], phrase[place]) == 1
        ]
        return min(near)[-1] if near else None


def _with_gap(word: str, place: int) -> str:
    return word[:place] + _GAP + word[place + 1 :]


def _is_korean_word(phrase: str) -> bool:
    return len(phrase) >= _SYLLABLES_MIN and all(_FIRST <= ord(mark) <= _LAST for mark in phrase)


def _letters_apart(one: str, other: str) -> int:
    """Return in how many of its three letters (first, vowel, final) a syllable differs from another."""
    return sum(mine != theirs for mine, theirs in zip(_letters(one), _letters(other), strict=True))


def _sounds_alike(one: str, other: str) -> bool:
    """Tell whether two syllables differ in vowels that are spoken alike: 새 and 세."""
    mine, theirs = _letters(one), _letters(other)
    pair = (mine[1], theirs[1])
    return (mine[0], mine[2]) == (theirs[0], theirs[2]) and any(set(pair) <= alike for alike in _ALIKE)


def _letters(syllable: str) -> tuple[int, int, int]:
    index = ord(syllable) - _FIRST
    return index // (_VOWELS * _FINALS), index // _FINALS % _VOWELS, index % _FINALS
