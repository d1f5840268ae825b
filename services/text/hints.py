"""Words of which a text holds one before a long pattern can match it: most texts hold none, which is quickly told."""

import re
from collections.abc import Iterable


class Hints:
    """A set of words.

    Args:
        words: In lower case and without white space; at least one.
    """

    def __init__(self, words: Iterable[str]) -> None:
        self.words = tuple(dict.fromkeys(words))
        """The words."""
        self._pattern = re.compile(_any_of(self.words))

    def stand_in(self, text: str) -> bool:
        """Tell whether one of the words stands in a text, case and white space left out."""
        return self._pattern.search("".join(text.lower().split())) is not None


def _any_of(words: Iterable[str]) -> str:
    """Return a pattern that reads each letter once, whatever the number of words that begin with it."""
    rests: dict[str, set[str]] = {}
    for word in words:
        rests.setdefault(word[0], set()).add(word[1:])
    return "|".join(
        re.escape(letter) + ("" if "" in behind else f"(?:{_any_of(sorted(behind))})")
        for letter, behind in sorted(rests.items())
    )
