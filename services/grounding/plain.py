"""Sentences that state nothing which a row would have to hold: most of what a model writes between its figures.

They are told by their letters and by words alone, so that a sentence costs little where nothing of it is to be checked.
A sentence that only might state something does not count as plain, and is judged in full.
"""

import functools
from typing import Final

from services.grounding import links
from services.grounding.causes import CAUSE_HINTS
from services.grounding.claims import acts, outlooks, sources
from services.grounding.directives import directive_hints
from services.grounding.movement import MOVE_WORDS_KO
from services.grounding.vocabulary import vocabulary
from services.text.hints import Hints
from services.text.patterns import Pattern
from services.text.stated.figures import FIGURE_WORDS_KO
from services.text.stated.words import HINTS_KO as NUMBER_HINTS_KO

_CHARACTERS: Final = Pattern(r"[가-힣 \n,.!?;:'()·…\-]*")
"""Without digits, Latin letters, quotes and brackets there is no address, no mark, and no id but one in Hangul."""


def has_plain_letters(text: str) -> bool:
    """Tell whether a text consists of whole Hangul syllables and the marks of prose."""
    return _CHARACTERS.fullmatch(text) is not None


def is_plain(text: str) -> bool:
    """Tell whether a text states no figure, day with a digit, signal, move, cause, claim, directive or address."""
    if not has_plain_letters(text) or _telling().stand_in(text):
        return False
    return vocabulary().acts_ko.search(text) is None


@functools.cache
def _telling() -> Hints:
    """Return the words of which any text holds one that states something."""
    own = (*directive_hints().words, *CAUSE_HINTS.words, *MOVE_WORDS_KO, *FIGURE_WORDS_KO, *links.HINTS_KO)
    claims = (*acts.HINTS_KO.words, *outlooks.HINTS_KO.words, *sources.HINTS_KO.words, *NUMBER_HINTS_KO.words)
    return Hints((*own, *claims, *vocabulary().signal_hints.words))
