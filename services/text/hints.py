"""Words of which a text holds one before a long pattern can match it: most texts hold none, which is quickly told."""

from collections.abc import Iterable
from operator import add


class Hints:
    """A set of words.

    Args:
        words: In lower case and without white space.
    """

    def __init__(self, words: Iterable[str]) -> None:
        self._words = tuple(dict.fromkeys(words))
        self._pairs = frozenset(word[:2] for word in self._words if len(word) > 1)
        self._letters = tuple(word for word in self._words if len(word) == 1)

    def stand_in(self, text: str) -> bool:
        """Tell whether one of the words stands in a text, case and white space left out."""
        squeezed = "".join(text.lower().split())
        # Two letters at a time are looked up far faster than dozens of words one after the other.
        if self._pairs.isdisjoint(map(add, squeezed, squeezed[1:])):
            return any(letter in squeezed for letter in self._letters)
        return any(word in squeezed for word in self._words)
