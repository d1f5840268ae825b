"""Which way a figure moved, as the words around it say: "0.4% 내렸", "fell 0.4%", "0.4% lower".

A place that was come to is a level: "4.1%로 내렸", "fell to 4.1%".
"""

import re
from dataclasses import dataclass
from typing import Final

from services.text.patterns import Pattern

_UP_KO: Final = (
    r"올랐|올라|오른|오르|오름|상승|늘었|늘어|늘고|증가|높아|뛰었|뛰어|치솟|급등|반등|확대됐|올린|인상|웃돌|웃돈|상회"
)
_DOWN_KO: Final = (
    r"내렸|내려|내린|내리|내림|하락|떨어|감소|줄었|줄어|줄고|낮아|빠졌|빠진|급락|축소됐|인하|밀렸|후퇴|밑돌|밑돈|하회"
)
_UP_EN: Final = (
    r"rose|rises?|risen|rising|gain(?:s|ed|ing)?|up|climb(?:s|ed|ing)?|increas\w+|advanc\w+|jump\w*|surg\w+|grew"
    r"|grow\w*|added|rall\w+|beat|beats|higher|more"
)
_DOWN_EN: Final = (
    r"fell|fall(?:s|en|ing)?|down|declin\w+|decreas\w+|drop\w*|los[te]s?|losing|slipp?\w*|shr[aiu]nk\w*|contract\w+"
    r"|slid\w*|plung\w+|tumbl\w+|missed|lower|less|fewer"
)
_HIGH_KO: Final = Pattern(r"^[^,.;0-9]{0,8}?(?P<up>높|많|비싸|비싼)|^[^,.;0-9]{0,8}?(?:낮|적|싸|싼)")
_LEVEL_KO: Final = Pattern(r"^\s?(?:대)?(?:로(?!\s?한)|으로|까지|보다|에서|부터|이던|였던|을\s|를\s)")
_BEHIND_KO: Final = Pattern(rf"^[^,.;0-9]{{0,14}}?(?:(?P<up>{_UP_KO})|(?:{_DOWN_KO}))")
_NOUN_KO: Final = Pattern(
    r"(?:(?P<up>상승|증가|오름|인상)|하락|감소|내림|인하|낙)(?:률|폭|세|분)[은는이가도]?\s?(?:약\s|무려\s)?$"
)
_LEVEL_EN: Final = Pattern(
    r"\b(?:to|from|at|of|than|near|around|below|above|reach(?:ed|ing)|hit)\s(?:about\s|around\s|roughly\s|just\s|a\s)?$",
    re.IGNORECASE,
)
_BEFORE_EN: Final = Pattern(
    rf"\b(?:(?P<up>{_UP_EN})|(?:{_DOWN_EN}))(?:\sby)?\s(?:about\s|around\s|roughly\s|nearly\s|almost\s|some\s|another\s|just\s|only\s|a\s|a\sfurther\s|an\sadditional\s)*$",
    re.IGNORECASE,
)
_NOUN_EN: Final = Pattern(
    r"\b(?:(?P<up>gain|rise|increase|advance|jump|growth)|fall|drop|decline|loss|decrease|slide|plunge|contraction)s?\s(?:was|is|of|came\sto)\s(?:about\s|around\s)?$",
    re.IGNORECASE,
)
_BEHIND_EN: Final = Pattern(
    r"^\s?(?:(?P<up>higher|gain|rise|increase|up|more|jump|advance|growth)|lower|drop|fall|decline|decrease|loss|down|less|fewer|slide|plunge)\b",
    re.IGNORECASE,
)
_THAN: Final = Pattern(r"^\s?\w+\sthan\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Movement:
    """Whether a figure is told as a change."""

    direction: int
    """1 upwards, -1 downwards, 0 where nothing is said."""
    compares: bool = False
    """Whether two things are compared and not one with its past."""

    @property
    def is_change(self) -> bool:
        """Whether it is told as a change."""
        return self.direction != 0


MOVE_WORDS_KO: Final = (*_UP_KO.split("|"), *_DOWN_KO.split("|"))
"""The words that name a direction in Korean."""
STILL: Final = Movement(0)
"""A figure that is told as a level."""
_MOVES: Final = Pattern(
    rf"(?P<up_ko>{_UP_KO})|(?P<down_ko>{_DOWN_KO})|\b(?:(?P<up_en>{_UP_EN})|(?P<down_en>{_DOWN_EN}))\b", re.IGNORECASE
)


def movement_of(before: str, behind: str) -> Movement:
    """Return how a figure moved.

    Args:
        before: The words between the figure before it and it.
        behind: The words between it and the next one.
    """
    if match := _NOUN_KO.search(before) or _NOUN_EN.search(before):
        return _moved(match)
    if _LEVEL_KO.match(behind) or _LEVEL_EN.search(before):
        return STILL
    if match := _BEHIND_KO.match(behind) or _BEFORE_EN.search(before):
        return _moved(match)
    if match := _BEHIND_EN.match(behind):
        return Movement(_moved(match).direction, compares=bool(_THAN.match(behind)))
    if match := _HIGH_KO.match(behind):
        return Movement(_moved(match).direction, compares=True)
    return STILL


def directions(text: str) -> frozenset[int]:
    """Return the directions that the words of a text name."""
    found = _MOVES.finditer(text)
    return frozenset(1 if match.lastgroup in {"up_ko", "up_en"} else -1 for match in found)


def _moved(match: re.Match[str]) -> Movement:
    return Movement(1 if match["up"] else -1)
