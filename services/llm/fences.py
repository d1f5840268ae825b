"""Lines that only open or close a block of code: an answer is prose, of which a fence around it says nothing."""

import re
from typing import Final

_FENCE: Final = re.compile(r"(?P<indent>[ \t]{0,3})(?P<marks>`{3,}|~{3,})[^\n`]{0,40}$")
_BEGUN: Final = re.compile(r"[ \t]{0,3}(?:`{1,2}|~{1,2}|(?:`{3,}|~{3,})[^\n`]{0,40})?$")


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
