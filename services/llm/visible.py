"""Streamed text as a user may see it: whole characters, no thoughts of the model, and no fence around its answer."""

import re
from typing import Final

from services.text.visible import visible

_SURROGATE = re.compile("[\ud800-\udfff]")
_TAGS = ("think", "thinking", "reasoning")
_OPENING = re.compile(rf"<({'|'.join(_TAGS)})>", re.IGNORECASE)
_FENCE: Final = re.compile(r"(?P<indent>[ \t]{0,3})(?P<marks>`{3,}|~{3,})[^\n`]{0,40}$")
_BEGUN: Final = re.compile(r"[ \t]{0,3}(?:`{1,2}|~{1,2}|(?:`{3,}|~{3,})[^\n`]{0,40})?$")


class VisibleText:
    """Turns the pieces of a stream into pieces that may be shown, in the same order, none twice.

    A character whose two halves arrive in different pieces is held until it is whole. Text between <think> and
    </think> is dropped; what could be the beginning of such a tag is held until it is one or is not.
    """

    def __init__(self) -> None:
        self._half = ""
        self._held = ""
        self._closing = ""
        self._begun = False
        self._fences = Unfenced()

    def feed(self, piece: str) -> str:
        """Return what can be shown now; may be empty."""
        self._held += self._whole(piece)
        return self._begin(self._fences.feed(visible(self._release())))

    def finish(self) -> str:
        """Return what was still held at the end of the stream."""
        rest = "" if self._closing else self._held
        if self._half:
            rest += "\ufffd"
        self._held = self._half = ""
        return self._begin(self._fences.feed(visible(rest)) + self._fences.finish())

    def _begin(self, text: str) -> str:
        """Drop the blank lines that models put between their thoughts and their answer."""
        if not self._begun:
            text = text.lstrip()
            self._begun = bool(text)
        return text

    def _whole(self, piece: str) -> str:
        text = self._half + piece
        self._half = ""
        if not _SURROGATE.search(text):
            return text
        if "\ud800" <= text[-1] <= "\udbff":
            text, self._half = text[:-1], text[-1]
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

    def _release(self) -> str:
        shown = ""
        while True:
            if self._closing:
                end = self._held.lower().find(self._closing)
                if end < 0:
                    self._held = self._held[-len(self._closing) :]
                    return shown
                self._held = self._held[end + len(self._closing) :]
                self._closing = ""
            tag = _OPENING.search(self._held)
            if tag is None:
                return shown + self._all_but_a_begun_tag()
            shown += self._held[: tag.start()]
            self._held = self._held[tag.end() :]
            self._closing = f"</{tag[1].lower()}>"

    def _all_but_a_begun_tag(self) -> str:
        start = self._held.rfind("<")
        begun = self._held[start:].lower() if start >= 0 else ""
        if not begun or not any(f"<{tag}>".startswith(begun) for tag in _TAGS):
            start = len(self._held)
        shown, self._held = self._held[:start], self._held[start:]
        return shown


class Unfenced:
    """Passes text on as it comes, without fences; the beginning of a line waits while it may be one."""

    def __init__(self) -> None:
        self._line = ""
        self._is_passed = False

    def feed(self, piece: str) -> str:
        """Return what can be shown now; may be empty."""
        shown = ""
        *whole, rest = piece.split("\n")
        for part in whole:
            shown += self._more(part, ends=True)
        return shown + self._more(rest, ends=False)

    def finish(self) -> str:
        """Return what was still held at the end of the text."""
        rest = "" if _FENCE.match(self._line) else self._line
        self._line, self._is_passed = "", False
        return rest

    def _more(self, part: str, *, ends: bool) -> str:
        """Take more of the present line; return what of it can be shown, with its end where it has one."""
        if self._is_passed:
            self._is_passed = not ends
            return f"{part}\n" if ends else part
        self._line += part
        if not ends:
            if _BEGUN.match(self._line):
                return ""
            shown, self._line, self._is_passed = self._line, "", True
            return shown
        line, self._line = self._line, ""
        return "" if _FENCE.match(line) else f"{line}\n"
