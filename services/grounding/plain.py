"""Sentences that state nothing which a row would have to hold: most of what a model writes between its figures.

They are told by their letters and by words alone, so that a sentence costs little where nothing of it is to be checked.
A sentence that only might state something does not count as plain, and is judged in full.
"""

import re
from typing import Final

from services.grounding.movement import MOVE_WORDS_KO
from services.grounding.signals import SIGNAL_HINTS
from services.text.directives import DIRECTIVE_HINTS
from services.text.figures import FIGURE_WORDS_KO
from services.text.hints import Hints

_CHARACTERS: Final = re.compile(r"[가-힣 \n,.!?;:'\"()·…\-]*")
"""Without digits, Latin letters and brackets there is no address, no mark, and no id but one in Hangul."""
_TELLING: Final = Hints((*DIRECTIVE_HINTS.words, *SIGNAL_HINTS.words, *MOVE_WORDS_KO, *FIGURE_WORDS_KO))


def has_plain_letters(text: str) -> bool:
    """Tell whether a text consists of whole Hangul syllables and the marks of prose."""
    return _CHARACTERS.fullmatch(text) is not None


def is_plain(text: str) -> bool:
    """Tell whether a text states no figure, day with a digit, signal, move, directive or address, whatever it names."""
    return has_plain_letters(text) and not _TELLING.stand_in(text)
