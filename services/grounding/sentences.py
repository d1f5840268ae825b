"""Where sentences end, in a text that is still being written."""

import re
from typing import Final

from services.text.marks import CLOSING, OPENING, UNNAMED_MARK
from services.text.patterns import Pattern

_END: Final = Pattern(r"[.!?。…]+[\"'”’)\]]*|\n")
_MARKS_BEHIND: Final = Pattern(rf"(?:[ \t]*{UNNAMED_MARK})*", re.IGNORECASE)
_ABBREVIATION: Final = Pattern(
    r"(?:^|[\s(])(?:[A-Za-z]|[A-Za-z]\.[A-Za-z]|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|No|vs|art|Art|Inc|Co|Ltd|Corp|approx"
    r"|Mr|Ms|Dr|St|etc|sq|avg|est|[Rr]efs?|[Pp]ara|[Ss]ec)$"
)
_ABBREVIATION_CHARS: Final = 12
"""More than the longest abbreviation and what stands before it."""
_LIST_NUMBER: Final = Pattern(r"(?:^|\n)[ \t>*\-]*\(?[0-9]{1,2}$")


def sentence_end(text: str, *, whole: bool) -> int | None:
    """Return where the first sentence of `text` ends, with its marks and the white space behind it.

    Args:
        text: What has been written since the last sentence.
        whole: Whether nothing follows; without more to come the rest is a sentence.

    Returns:
        The end, exclusive; None while it cannot be told, and for an empty text.
    """
    for match in _END.finditer(text):
        if match.group() == "\n":
            if text[: match.start()].strip():
                return _past_space(text, match.end(), whole=whole)
            continue
        end = _past_space(text, _past_marks(text, match.end()), whole=whole)
        if end is None:
            return None
        if _is_end(text, match, end):
            return end
    return len(text) if whole and text else None


def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a whole text; joined they are the text."""
    found: list[str] = []
    rest = text
    while (end := sentence_end(rest, whole=True)) is not None:
        found.append(rest[:end])
        rest = rest[end:]
    return tuple(found)


def _past_marks(text: str, at: int) -> int:
    match = _MARKS_BEHIND.match(text, at)
    return match.end() if match else at


def _past_space(text: str, at: int, *, whole: bool) -> int | None:
    """Return where the white space at `at` ends; None while a mark or more space may still come."""
    end = at
    while end < len(text) and text[end].isspace():
        end += 1
    if whole:
        return end
    behind = text[end : end + 1]
    is_begun = behind in OPENING and not any(one in text[end:] for one in CLOSING)
    return None if not behind or is_begun else end


def _is_end(text: str, match: re.Match[str], end: int) -> bool:
    """Tell the end of a sentence from the point of a number, an abbreviation or a list number."""
    if end == match.end() and end < len(text) and match.group()[-1] not in "。…":
        # "4.1" and "U.S." go on; in Korean a sentence may follow without a space.
        behind = text[end]
        return "가" <= behind <= "힣" and "가" <= text[match.start() - 1 : match.start()] <= "힣"
    if not match.group().startswith("."):
        return True
    point = match.start()
    before = text[point - 1 : point]
    if before.isdigit():
        return _LIST_NUMBER.search(text[:point]) is None and not text[end : end + 1].isdigit()
    return not before.isascii() or _ABBREVIATION.search(text[max(0, point - _ABBREVIATION_CHARS) : point]) is None
