"""Sentences that tell a cause: it is one only where evidence supports a relation of two things that they name."""

import re
from collections.abc import Collection
from typing import Final

from services.text.hints import Hints
from services.text.patterns import Pattern

NEGATED: Final = Pattern(r"없|않|아니|아닙|아닌|못|\b(?:no|not|nor|never|without|neither)\b|n't\b", re.IGNORECASE)
"""What takes a statement back."""
_CAUSE: Final = Pattern(
    r"때문|탓(?:에|이|으로)|(?:으로|로)\s?인(?:해|한|하여)|덕분|덕에|영향(?:으로|을\s?(?:받|미|준|줘)|이\s?(?:컸|크))|여파|원인|계기로|촉발"
    r"|\bbecause\b|\bdue\sto\b|\bcaus(?:e|es|ed|ing)\b|\bdriven\sby\b|\bled\sto\b|\bowing\sto\b|\bthanks\sto\b"
    r"|\bas\sa\sresult\b|\bon\s(?:fears|hopes|news)\b|\bpush(?:es|ed)\b|\bweigh(?:s|ed)\son\b|\btriggered\b",
    re.IGNORECASE,
)
_STEMS_KO: Final = ("때문", "탓", "덕분", "덕에", "영향", "여파", "원인", "계기", "촉발")
CAUSE_HINTS: Final = Hints(
    (
        *(*_STEMS_KO, "로인해", "로인한", "로인하여"),
        *("because", "dueto", "caus", "drivenby", "ledto", "owingto", "thanksto", "asaresult"),
        *("onfears", "onhopes", "onnews", "push", "weigh", "triggered"),
    )
)
"""Each cause that is told holds one of these, white space left out."""


def told_cause(text: str) -> str:
    """Return the words by which a text tells a cause; empty where it tells none, or says that there is none."""
    if not CAUSE_HINTS.stand_in(text):
        return ""
    match = _CAUSE.search(text)
    return "" if match is None or NEGATED.search(text) else match.group()


def is_supported(text: str, causes: Collection[frozenset[str]]) -> bool:
    """Tell whether a text names two things of one relation of cause that evidence supports."""
    return any(sum(name in text for name in names) >= 2 for names in causes)
