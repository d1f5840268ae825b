"""Korean names in Latin letters, by the Revised Romanization: 신림동 is Sillim-dong, 종로 is Jongno.

Sounds change where two syllables meet, as the standard writes them: ㄴ before ㄹ is ll, ㄱ before ㄹ is ngn.
"""

import re
from functools import lru_cache
from typing import Final

from services.text.patterns import Pattern

_FIRST: Final = 0xAC00
_LAST: Final = 0xD7A3
_INITIALS: Final = ("g", "kk", "n", "d", "tt", "r", "m", "b", "pp", "s", "ss", "", "j", "jj", "ch", "k", "t", "p", "h")
_VOWELS: Final = (
    *("a", "ae", "ya", "yae", "eo", "e", "yeo", "ye", "o", "wa", "wae"),
    *("oe", "yo", "u", "wo", "we", "wi", "yu", "eu", "ui", "i"),
)
# The sound of a final before a consonant or at the end, and before a vowel, which it moves to.
_FINALS: Final = (
    *(("", ""), ("k", "g"), ("k", "kk"), ("k", "ks"), ("n", "n"), ("n", "nj"), ("n", "n"), ("t", "d"), ("l", "r")),
    *(("k", "lg"), ("m", "lm"), ("l", "lb"), ("l", "ls"), ("l", "lt"), ("p", "lp"), ("l", "r"), ("m", "m"), ("p", "b")),
    *(("p", "ps"), ("t", "s"), ("t", "ss"), ("ng", "ng"), ("t", "j"), ("t", "ch"), ("k", "k"), ("t", "t"), ("p", "p")),
    ("t", ""),
)
_MEETINGS: Final = {
    ("k", "n"): "ngn",
    ("k", "m"): "ngm",
    ("k", "r"): "ngn",
    ("n", "r"): "ll",
    ("t", "n"): "nn",
    ("t", "m"): "nm",
    ("t", "r"): "nn",
    ("l", "n"): "ll",
    ("l", "r"): "ll",
    ("m", "r"): "mn",
    ("p", "n"): "mn",
    ("p", "m"): "mm",
    ("p", "r"): "mn",
    ("ng", "r"): "ngn",
}
_SUFFIX: Final = Pattern(r"(?P<stem>.*[가-힣0-9])(?P<suffix>동|읍|면|구|시|군)")
_SUFFIXES: Final = {
    "동": "dong",
    "읍": "eup",
    "면": "myeon",
    "구": "gu",
    "시": "si",
    "군": "gun",
}


def romanised(text: str) -> str:
    """Return a text with its Korean words in Latin letters, each with a capital; what is not Korean stays."""
    return re.sub(r"[가-힣]+", lambda match: _word(match.group()).capitalize(), text)


@lru_cache(maxsize=8192)
def romanised_place(name: str) -> str:
    """Return the name of a place: its kind stands behind a hyphen, "Ichon-dong"."""
    match = _SUFFIX.fullmatch(name)
    if match is None:
        return romanised(name)
    return f"{romanised(match['stem'])}-{_SUFFIXES[match['suffix']]}"


def _word(word: str) -> str:
    found, before = [], 0
    for at, letter in enumerate(word):
        initial, vowel, final = _parts(letter)
        found.append(_joined(before, initial) if at else _INITIALS[initial])
        found.append(_VOWELS[vowel])
        before = final
    found.append(_FINALS[before][0])
    return "".join(found)


def _joined(final: int, initial: int) -> str:
    """Return what is written where a final meets the initial of the next syllable."""
    closed, open_ = _FINALS[final]
    sound = _INITIALS[initial]
    if not sound:
        return open_
    return _MEETINGS.get((closed, sound), closed + sound)


def _parts(letter: str) -> tuple[int, int, int]:
    index = min(max(ord(letter), _FIRST), _LAST) - _FIRST
    return index // 588, index // 28 % 21, index % 28
