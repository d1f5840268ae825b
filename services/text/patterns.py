"""Patterns that cost next to nothing in a text that they cannot match, which is nearly every text.

A question meets some thousand patterns, of which a dozen match. Each knows words of which one stands in whatever it
matches, told by its source alone, as RE2's FilteredRE2 and code search do: a text without them is not searched, and a
pattern whose words no text ever held is never compiled.
"""

import functools
import re
import sys
from collections.abc import Callable, Iterator
from itertools import chain, pairwise
from typing import Any, Final

Words = tuple[str, ...]
"""Words of which one stands in each match; none where nothing can be told."""

WORDS_MAX: Final = 400
"""A pattern of more words is searched outright: looking for each of them would take as long."""
REACH: Final = 64
"""How far before a place is looked for what stands right before it."""
LETTERS_MAX: Final = 16
"""Of a greater set of letters nearly each text holds one."""
_SPAN: Final = re.compile(r"(.)(?:-(.))?", re.DOTALL)
_DIGITS: Final = "0123456789"
_DIGIT_OF_OTHERS: Final = re.compile(r"[^\D0-9]")
"""A digit of another script, which a pattern takes for one of ours."""


class Pattern:
    """A regular expression, with the methods of `re.Pattern` that the house uses.

    Args:
        source: The expression.
        flags: Flags of `re`.
    """

    __slots__ = ("_begins", "_compiled", "_last", "_words", "flags", "pattern")

    def __init__(self, source: str, flags: int = 0) -> None:
        self.pattern = source
        self.flags = flags
        self._words: Words | None = None
        self._begins: frozenset[str] = frozenset()
        """How its words begin: their first two letters, or the one that they have."""
        self._compiled: re.Pattern[str] | None = None
        self._last: tuple[str, bool] = ("", True)
        """The text that was looked at last, and whether it may match: a text is tried at each of its places."""

    def __repr__(self) -> str:
        return f"Pattern({self.pattern!r})"

    @property
    def compiled(self) -> re.Pattern[str]:
        """The compiled expression."""
        if self._compiled is None:
            self._compiled = re.compile(self.pattern, self.flags)
        return self._compiled

    def may_match(self, text: str) -> bool:
        """Tell whether a text holds one of the words that every match holds; False is certain."""
        last, may = self._last
        if last is text:
            return may
        may = self._holds_a_word(text)
        self._last = (text, may)
        return may

    def _holds_a_word(self, text: str) -> bool:
        if self._words is None:
            self._words = words_of(self.pattern, self.flags)
            self._begins = frozenset(word[:2] for word in self._words)
        if not self._words:
            return True
        folded, pairs = _folded(text)
        # Nearly every text is told by its pairs of letters, a third of the time that it takes to look for each word.
        return not self._begins.isdisjoint(pairs) and any(word in folded for word in self._words)

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """Return the first match behind `start`."""
        return self.compiled.search(text, start, end) if self.may_match(text) else None

    def before(self, text: str, end: int) -> re.Match[str] | None:
        """Return the match right before a place, of an expression that closes with `$` and is no longer than `REACH`.

        To look through all that stands before each of many places would take the square of their number.
        """
        return self.search(text[max(0, end - REACH) : end])

    def finditer(self, text: str, start: int = 0, end: int = sys.maxsize) -> Iterator[re.Match[str]]:
        """Return the matches, which do not overlap."""
        return self.compiled.finditer(text, start, end) if self.may_match(text) else iter(())

    def findall(self, text: str, start: int = 0, end: int = sys.maxsize) -> list[Any]:
        """Return what the matches hold, as `re.Pattern.findall` does."""
        return self.compiled.findall(text, start, end) if self.may_match(text) else []

    def sub(self, put: str | Callable[[re.Match[str]], str], text: str, count: int = 0) -> str:
        """Return the text with other words in the place of each match."""
        return self.compiled.sub(put, text, count) if self.may_match(text) else text

    def split(self, text: str, maxsplit: int = 0) -> list[str | Any]:
        """Return what stands between the matches."""
        return self.compiled.split(text, maxsplit) if self.may_match(text) else [text]

    def match(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """Return the match that begins at `start`."""
        # What is tried at one place fails sooner than words are looked up: they only spare what is not compiled yet.
        return self.compiled.match(text, start, end) if self._compiled or self.may_match(text) else None

    def fullmatch(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """Return the match that is the whole text."""
        return self.compiled.fullmatch(text, start, end) if self._compiled or self.may_match(text) else None


@functools.lru_cache(maxsize=128)
def _folded(text: str) -> tuple[str, frozenset[str]]:
    """Return a text in which one letter stands for all that a pattern which minds no case takes for it.

    Returns:
        The text, and its letters and pairs of letters that stand side by side.
    """
    folded = text.casefold()
    if not folded.isascii():
        if _DIGIT_OF_OTHERS.search(folded) is not None:
            folded += _DIGITS
        folded = folded.replace("\u0131", "i").replace("\u0307", "")
    return folded, frozenset(chain(folded, map("".join, pairwise(folded))))


def words_of(source: str, flags: int = 0) -> Words:
    """Return words, folded, of which one stands in whatever a pattern matches; none where that cannot be told."""
    groups, at = [_Group("")], 0
    for token in _TOKEN.finditer(source):
        if token.start() != at:
            break
        at = token.end()
        kind = token.lastgroup or ""
        if kind in {"letters", "sign"}:
            groups[-1].say(token[kind])
        elif kind in {"maybe", "times"}:
            groups[-1].repeat(is_sure=kind == "times")
        elif kind == "or":
            groups[-1].end_alternative()
        elif kind in {"group", "denied"}:
            groups.append(_Group(kind))
        elif kind == "end" and len(groups) > 1:
            inner = groups.pop()
            groups[-1].follow(inner.words() if inner.kind == "group" else ())
        else:
            groups[-1].follow(_letters("0-9" if kind == "digit" else token["set"] or ""))
    is_told = at == len(source) and len(groups) == 1 and not flags & re.VERBOSE
    found = groups[0].words() if is_told else ()
    return tuple(word.casefold() for word in found) if len(found) <= WORDS_MAX else ()


_TOKEN: Final = re.compile(
    r"(?P<letters>[^\\\[\](){}|.^$*+?]+)"
    r"|(?P<maybe>(?:[*?]|\{0?(?:,\d*)?\})[+?]?)"
    r"|(?P<times>(?:\+|\{\d+(?:,\d*)?\})[+?]?)"
    r"|(?P<or>\|)|(?P<end>\))"
    r"|\\(?P<sign>[^\w\s])"
    r"|(?P<digit>\\d)|\[(?P<set>[^\\\]^][^\\\]]*)\]"
    r"|(?P<group>\((?:\?P<\w+>|\?[aimsu-]*:|\?<?=|(?!\?)))"
    r"|(?P<denied>\(\?<?!)"
    r"|(?P<other>[.^$]|\\(?:x..|u....|U.{8}|N\{[^}]*\}|\d+|[a-zA-Z])|\[\^?\]?(?:\\.|[^\]\\])*\]"
    r"|\(\?[aimsu]+\)|\(\?P=\w+\))",
    re.DOTALL,
)
"""What a source is made of; where none of it stands, nothing is told."""


class _Group:
    """One group of a source while it is read."""

    __slots__ = ("_best", "_ended", "_item", "_run", "_telling", "kind")

    def __init__(self, kind: str) -> None:
        self.kind = kind
        """ "group", "denied", or empty for the whole source."""
        self._ended: list[Words] = []
        """The words of the alternatives that are read."""
        self._best: Words = ()
        """The most telling words so far of the alternative that is being read."""
        self._telling = 0
        self._run = ""
        """The letters that stand side by side at the place that is reached."""
        self._item: Words = ()
        """The words of the group or set before it, which a quantifier may leave out."""

    def say(self, letters: str) -> None:
        """Take letters."""
        if self._item:
            self._keep(self._item)
            self._item = ()
        self._run += letters

    def follow(self, item: Words) -> None:
        """Take a group or a set by its words."""
        self._keep(self._item)
        self._keep((self._run,))
        self._run, self._item = "", item

    def repeat(self, *, is_sure: bool) -> None:
        """Take a quantifier of what stands before it, which may be left out where that is not sure."""
        if self._run:
            self._keep((self._run if is_sure else self._run[:-1],))
            self._run = self._run[-1] if is_sure else ""
        elif not is_sure:
            self._item = ()

    def end_alternative(self) -> None:
        """Take the end of an alternative."""
        self.follow(())
        self._ended.append(self._best)
        self._best, self._telling = (), 0

    def words(self) -> Words:
        """Return the words of all alternatives, at the group's end; none where one of them needs none."""
        self.end_alternative()
        return tuple(dict.fromkeys(chain.from_iterable(self._ended))) if all(self._ended) else ()

    def _keep(self, words: Words) -> None:
        """Keep words that fewer texts hold: the longer, and of equals the fewer."""
        if words and words[0]:
            telling = min(map(len, words)) * WORDS_MAX - len(words)
            if telling > self._telling:
                self._best, self._telling = words, telling


@functools.cache
def _letters(said: str) -> Words:
    """Return the letters of a set, "0-9" or "가는"; none where they are many."""
    spans = [range(ord(first), ord(last or first) + 1) for first, last in _SPAN.findall(said)]
    return tuple(map(chr, chain(*spans))) if sum(map(len, spans)) <= LETTERS_MAX else ()
