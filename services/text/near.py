"""What stands just before a place of a text.

A search that is bound to end at a place, begun at the text's beginning, goes over all that stands before it, for every
figure of the text anew. What is looked for here is a word or two long.
"""

from re import Match
from typing import Final

from services.text.patterns import Pattern

NEAR_CHARACTERS: Final = 80
"""How far back is looked."""


def just_before(pattern: Pattern, text: str, end: int) -> Match[str] | None:
    """Return where a pattern that ends in `$` matches just before a place."""
    return pattern.search(text, max(0, end - NEAR_CHARACTERS), end)
