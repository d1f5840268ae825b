"""One claim of a sentence, and how claims are told apart."""

from dataclasses import dataclass
from typing import Final

from services.contract.drops import DropReason
from services.text.ko.morphemes import Morpheme

_FINALS: Final = 28
_SS: Final = 20
_L: Final = 8
NOT_KO: Final = frozenset(("않", "못하", "못", "안", "없", "아니", "말"))
"""Words that deny a verb."""


@dataclass(frozen=True, slots=True)
class SentenceClaim:
    """Something that a sentence claims and that only what the agents told can hold."""

    reason: DropReason
    """The kind."""
    key: str
    """What is claimed: two sentences that claim the same have the same key."""
    words: str
    """The words of the sentence that claim it."""


def is_past(piece: Morpheme) -> bool:
    """Tell whether a morpheme puts its verb into the past: 했, 됐, 었, 마쳤."""
    return "EP" in piece.tags and any(_final(letter) == _SS and letter != "겠" for letter in piece.surface)


def is_to_come(piece: Morpheme) -> bool:
    """Tell whether a morpheme makes an attribute of what is to come: 오를, 할."""
    return "ETM" in piece.tags and _final(piece.surface[-1]) == _L


def taken_back(rest: tuple[Morpheme, ...]) -> bool:
    """Tell whether what stands behind a verb denies it, or only supposes it."""
    return any(one.lemma in NOT_KO or one.surface in {"다면", "으면", "면", "경우", "수", "지"} for one in rest[:4])


def _final(letter: str) -> int:
    """Return the number of a syllable's final consonant; 0 for none."""
    return (ord(letter) - ord("가")) % _FINALS if "가" <= letter <= "힣" else 0
