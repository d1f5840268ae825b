"""The pieces of words in texts, counted in places: they hold the endings that tell who may, must or does not."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Final
from zlib import crc32

from services.text.encoder import numeric

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy import ndarray

PLACES: Final = 8192
"""How many places pieces are counted in: two of them may fall on one."""
_WORDS: Final = re.compile(r"[a-z']+|[가-힣]+|[0-9]+")
_LENGTHS: Final = {"ko": (2, 3), "en": (4, 5)}
"""How many letters a piece of a word has."""


def rarity(texts: Sequence[str]) -> ndarray:
    """Return how rare the pieces of each place are in texts."""
    np = numeric()
    having = np.bincount([place for text in texts for place in set(_pieces(text))], minlength=PLACES)
    rare: ndarray = np.log(len(texts) / np.maximum(having, 1)).astype(np.float32)
    return rare


def spelt(texts: Sequence[str], rare: ndarray) -> ndarray:
    """Return the pieces of texts as rows of length 1, each place by its rarity."""
    np = numeric()
    rows = np.zeros((len(texts), PLACES), dtype=np.float32)
    for at, text in enumerate(texts):
        for place, count in _pieces(text).items():
            rows[at, place] = count * rare[place]
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    found: ndarray = rows / np.where(lengths == 0, 1, lengths)
    return found


def _pieces(text: str) -> Counter[int]:
    """Return the places of a text's words, of each two in a row and of the pieces of each, with their counts."""
    words = _WORDS.findall(text.lower())
    pieces = [*words, *(f"{one} {other}" for one, other in pairwise(words))]
    for word in words:
        marked = f"<{word}>"
        for length in _LENGTHS["en" if word.isascii() else "ko"]:
            pieces += [f"-{marked[at : at + length]}" for at in range(len(marked) - length + 1)]
    return Counter(crc32(one.encode()) % PLACES for one in pieces)
