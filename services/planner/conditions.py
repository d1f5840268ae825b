"""Conditional requests: "if A then B" told apart from "what happens when A"."""

import re
from dataclasses import dataclass
from functools import cache

from services.text.ko.morphemes import Morpheme, morphemes
from services.text.patterns import Pattern

CONDITIONS_MAX = 4
# "-면" and its forms close a condition; "-려면" (in order to), "-다면서" and what has become a postposition do not:
# "에 비하면" (compared with), "에 따르면" (according to), "로 치면" (reckoned as).
_ENDINGS = Pattern(r"(?:면|거든)$")
_NO_CONDITION = Pattern(r"(?:려면|려거든|하려면|자면)$|^(?:비하면|비교하면|견주면|따르면|의하면|치면)$")
_IF_AFTER = Pattern(r"(?<![^,;.?])(?P<consequence>[^,;.?]+?)\s(?:only\s)?if\s(?P<condition>[^,;.?]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Conditional:
    """One condition with what is to be done when it holds."""

    condition: str
    """The fact, in the user's words."""
    consequence: str
    """What is then asked for."""


def conditionals(text: str, verbs: tuple[str, ...]) -> tuple[Conditional, ...]:
    """Return the conditional requests of a normalised text, in order, at most `CONDITIONS_MAX`.

    Args:
        text: The text.
        verbs: English verbs with which a request begins that follows its condition without a comma.
    """
    found = _korean(text) if any("가" <= mark <= "힣" for mark in text) else _english(text, _request(verbs))
    return tuple(one for one in found if one.consequence)[:CONDITIONS_MAX]


def _korean(text: str) -> list[Conditional]:
    pieces = morphemes(text)
    found: list[Conditional] = []
    begin = 0
    cuts = [(piece.end, _closes(piece, text)) for piece in pieces if _closes(piece, text) or _ends_request(piece, text)]
    cuts.append((len(text), False))
    open_condition: str | None = None
    for end, is_condition in cuts:
        piece = text[begin:end].strip(" ,.")
        begin = end
        if is_condition:
            open_condition = piece
        elif open_condition is not None:
            found.append(Conditional(open_condition, piece))
            open_condition = None
    return found


def _closes(piece: Morpheme, text: str) -> bool:
    if "EC" not in piece.tags or not _ENDINGS.search(piece.surface):
        return False
    word = text[: piece.end].rpartition(" ")[2]
    return _NO_CONDITION.search(word) is None


def _ends_request(piece: Morpheme, text: str) -> bool:
    """Tell whether a request ends here: 주고, 만들고; a comma after a verb; the end of a sentence."""
    if piece.tags[-1] == "EF" or piece.surface in {".", "?", "!"}:
        return True
    joins = piece.tags[-1] == "EC" and piece.surface in {"고", "구", "며"}
    return joins and text[piece.end : piece.end + 1] in {" ", ","}


@cache
def _request(verbs: tuple[str, ...]) -> Pattern:
    return Pattern(
        r"(?:^|[\s,;])(?:if|in case)\s(?P<condition>[^,;.?]+?)"
        rf"(?:,\s?|\sthen\s|\s(?=(?:please\s|just\s)?(?:{'|'.join(verbs)})\b\s))(?P<consequence>[^,;.?]+)",
        re.IGNORECASE,
    )


def _english(text: str, request: Pattern) -> list[Conditional]:
    first = [Conditional(one["condition"].strip(), one["consequence"].strip()) for one in request.finditer(text)]
    if first:
        return first
    return [Conditional(one["condition"].strip(), one["consequence"].strip()) for one in _IF_AFTER.finditer(text)]
