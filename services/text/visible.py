"""Text as a person means and sees it: nothing in it steers a terminal, turns its direction or hides.

    ESC [ 31 m, ESC ] 0 ; title BEL      gone with all that belongs to the sequence
    NUL, BS, BEL, DEL, C1, U+FFFE        gone
    CR, CR LF, NEL, LS, PS               a line break
    U+202E, U+200B, U+FEFF, tags         gone; a joiner stays between the parts of one picture and of one letter group

The same goes for what comes in, once at admission, and for what goes out, once at release: what is stored, streamed and
told again is one text.
"""

import json
import re
import unicodedata
from typing import Any, Final

_SEQUENCE: Final = re.compile(
    r"\x1b\][^\x07\x1b\x9c\n]{0,2000}(?:\x07|\x1b\\|\x9c)?|\x1b[PX^_][^\x1b\x9c]{0,2000}(?:\x1b\\|\x9c)?"
    r"|(?:\x1b\[|\x9b)[0-?]{0,64}[ -/]{0,16}[@-~]?|\x1b[ -/]{0,16}[0-~]?"
)
"""A command to a terminal with all that belongs to it, ended or not."""
_BREAK: Final = re.compile("\r\n?|[\u0085\u2028\u2029\x0b\x0c]")
_MARKS: Final = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200c\u200e-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\uffff\ud800-\udfff\ue000-\uf8ff\U000e0000-\U000e0fff\U000f0000-\U0010ffff"
)
_HIDDEN: Final = re.compile(f"[{_MARKS}\u200d]")
_NEVER_SEEN: Final = re.compile(f"[{_MARKS}]+")
_JOINERS: Final = re.compile("\u200d+")
_JOINER: Final = "\u200d"
_ESCAPED: Final = re.compile(rb"\\[bfru]")
"""How a JSON document writes a character that it does not show: most documents have none, which is quickly told."""


def visible(text: str) -> str:
    """Return a text without what is not seen and what a terminal or a reader would obey; line breaks and tabs stay."""
    if _HIDDEN.search(text) is None:
        return text
    plain = _NEVER_SEEN.sub("", _BREAK.sub("\n", _SEQUENCE.sub("", text)))
    return _JOINERS.sub(lambda match: _kept(plain, match), plain) if _JOINER in plain else plain


def may_hide(document: bytes) -> bool:
    """Tell whether the JSON text of a document may write something hidden."""
    return _ESCAPED.search(document) is not None or _HIDDEN.search(document.decode("utf-8", "replace")) is not None


def all_visible(value: Any) -> Any:
    """Return a JSON value with all of its texts as they are seen, the names of fields too."""
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, dict):
        return {visible(key): all_visible(one) for key, one in value.items()}
    return [all_visible(one) for one in value] if isinstance(value, list) else value


def seen_document(document: bytes) -> bytes:
    """Return the JSON text of a document with its texts as they are seen; the same bytes where nothing hides."""
    if not may_hide(document):
        return document
    return json.dumps(all_visible(json.loads(document)), ensure_ascii=False, separators=(",", ":")).encode()


def _kept(text: str, match: re.Match[str]) -> str:
    """Return one joiner where it stands between the parts of a picture, or of letters that join; else nothing."""
    start, end = match.span()
    before, behind = text[max(start - 1, 0) : start], text[end : end + 1]
    if not (before and behind and _joins(before)):
        return ""
    return _JOINER if _joins(behind) or (unicodedata.category(before) == "Mn" and behind.isalpha()) else ""


def _joins(character: str) -> bool:
    category = unicodedata.category(character)
    return category in {"So", "Sk", "Mn", "Mc"} or character in "\ufe0f♀♂⚕⚖✈❤"
