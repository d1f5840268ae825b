"""What a model writes, released as early as it may be: text at once, figures and directives after they are checked.

    "US unemployment was "            goes out at once, word by word
    "US unemployment was 4.1% in"     is held from "4.1%" on until the sentence is complete
    complete, every figure supported  the rest goes out
    complete, not supported           nothing of it goes out; where its beginning has, a short note ends it

Citation marks ("[3]") choose the evidence and are taken out: a reader gets citations by id, never by position.
"""

import functools
import re
from dataclasses import dataclass, field
from typing import Final, Protocol

from services.contract.drops import Dropped, DropPlace
from services.grounding.causes import STEMS as CAUSE_STEMS
from services.grounding.directives import directive_stems
from services.grounding.links import STEMS as LINK_STEMS
from services.grounding.sentences import sentence_end
from services.grounding.signals import STEMS as MOVE_STEMS
from services.grounding.verdict import Verdict, dropped
from services.grounding.vocabulary import vocabulary


class Judge(Protocol):
    """Judges one complete sentence, its marks taken out."""

    def __call__(self, sentence: str, about: frozenset[str] | None = None, /) -> Verdict:
        """Return what is found; `about` says whom the sentence before it was about."""


class MayInvent(Protocol):
    """Tells whether an unknown name may begin with a word; `KnownNames.may_invent` is one."""

    def __call__(self, word: str, *, begins: bool, open_ended: bool) -> bool:
        """Return it."""


def _knows_all(word: str, *, begins: bool, open_ended: bool) -> bool:  # noqa: ARG001 - a text without rows
    return False


_MARK: Final = re.compile(r"[ \t]*\[\s?(?P<numbers>[0-9]{1,3}(?:\s?,\s?[0-9]{1,3})*)\s?\]")
_NUMBER_WORDS: Final = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen"),
    *("fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty", "thirty", "forty", "fifty"),
    *("sixty", "seventy", "eighty", "ninety", "hundred", "thousand", "million", "billion", "trillion", "minus"),
)
_MONTHS: Final = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november"),
    *("december", "유월", "시월"),
)
_HANGUL_NUMERAL: Final = re.compile(r"[일이삼사오육칠팔구십백천만억조]+(?:$|퍼|프|포|달|원|%|번|배|개|명|건)")
_WORD: Final = re.compile(r"\S+")
_UNIT_BEGINS: Final = re.compile(r"(?:퍼|프|포|달|원|%)")
_POINT_INSIDE: Final = re.compile(r"[A-Za-z]{2}\.[A-Za-z]{2}")
_SAID_AT_ONCE: Final = re.compile(r"(?:[^\W\d_]|[,.!?'\"’“”:;()·\-])+")


@dataclass(frozen=True, slots=True)
class _Stems:
    """What a word begins with from which on a sentence may state a claim."""

    ascii: re.Pattern[str]
    hangul: re.Pattern[str]
    beginnings: frozenset[str]
    """Every beginning of such a word: more of it may be to come."""


@functools.cache
def _stems() -> _Stems:
    own = (*directive_stems(), *MOVE_STEMS, *CAUSE_STEMS, *LINK_STEMS, *_NUMBER_WORDS, *_MONTHS, "마이너스")
    stems = (*own, *vocabulary().signal_stems)
    return _Stems(
        re.compile("(?:" + "|".join(re.escape(stem) for stem in stems if stem.isascii()) + ")(?![a-z])"),
        re.compile("|".join(stem for stem in stems if not stem.isascii())),
        frozenset(stem[:length] for stem in stems for length in range(1, len(stem) + 1)),
    )


@dataclass(frozen=True, slots=True)
class Kept:
    """A sentence that was released whole."""

    text: str
    """As the reader sees it."""
    verdict: Verdict
    """What it rests on."""
    marks: tuple[int, ...]
    """The numbers of the marks that the model put behind it."""


@dataclass(slots=True)
class Gate:
    """Holds, checks and releases one streamed text."""

    judge: Judge
    """Judges a complete sentence."""
    note: str
    """What ends a sentence of which the beginning had gone out and the rest may not."""
    internal: tuple[str, ...] = ()
    """Ids that must not leave, in lower case; a word like one is held."""
    may_invent: MayInvent = _knows_all
    """Tells where an unknown name may begin; a word like one is held."""
    kept: list[Kept] = field(default_factory=list)
    """The sentences that were released whole, in order."""
    dropped: list[Dropped] = field(default_factory=list)
    """The sentences that were not, or not whole, in order."""
    _about: frozenset[str] | None = None
    _beginnings: frozenset[str] = frozenset()
    _stems: _Stems = field(default_factory=_stems)
    _written: str = ""
    _sent: int = 0
    _out: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Note the letters that ids begin with: most words begin with none of them."""
        self._beginnings = frozenset(token[:1] for token in self.internal)

    @property
    def text(self) -> str:
        """What has been released so far."""
        return "".join(self._out)

    def feed(self, piece: str) -> str:
        """Take a piece of the model's text and return what may go out now; may be empty."""
        self._written += piece
        out = ""
        while (end := sentence_end(self._written, whole=False)) is not None:
            out += self._settle(end)
        cut = self._safe_length()
        if cut > self._sent:
            out += self._written[self._sent : cut]
            self._sent = cut
        return self._release(out)

    def finish(self) -> str:
        """Return what is left at the end of a whole text."""
        out = ""
        while (end := sentence_end(self._written, whole=True)) is not None:
            out += self._settle(end)
        return self._release(out)

    def cut(self) -> str:
        """Return what ends a text that broke off; what was held is thrown away, for it was never complete."""
        begun = self._written[: self._sent].rstrip()
        self._written, self._sent = "", 0
        return self._release("…" if begun and begun[-1] not in ".!?…" else "")

    def _release(self, out: str) -> str:
        if out:
            self._out.append(out)
        return out

    def _settle(self, end: int) -> str:
        """Judge the sentence that ends at `end`; return what is released of it now."""
        sentence, self._written = self._written[:end], self._written[end:]
        sent, self._sent = sentence[: self._sent], max(0, self._sent - end)
        body, marks = _without_marks(sentence)
        if not body.strip():
            return sentence[len(sent) :]
        verdict = self.judge(body.strip(), self._about)
        self._about = None if sentence.endswith("\n\n") else verdict.about or self._about
        if verdict.wrong is None:
            self.kept.append(Kept(body, verdict, marks))
            return _without_marks(sentence[len(sent) :])[0]
        self.dropped.append(dropped(DropPlace.ANSWER, verdict.wrong, body))
        return self._ending(sentence, sent)

    def _ending(self, sentence: str, sent: str) -> str:
        if not sent.strip():
            return ""
        space = sentence[len(sentence.rstrip()) :]
        return ("" if sent[-1].isspace() else " ") + self.note + (space or " ")

    def _safe_length(self) -> int:
        """Return how much of the begun sentence may go out although its end is not known; white space waits."""
        begun = self._written
        at = self._sent
        for word in _WORD.finditer(begun, _word_start(begun, self._sent)):
            is_last = word.end() == len(begun)
            begins = not begun[: word.start()].strip()
            if self._may_begin_a_claim(word, begun[word.end() :].lstrip(), begins=begins, open_ended=is_last):
                break
            at = word.end()
        return max(self._sent, at)

    def _may_begin_a_claim(self, found: re.Match[str], behind: str, *, begins: bool, open_ended: bool) -> bool:
        """Tell whether a figure, a name, a signal, a directive, an address or an id may begin with a word."""
        word = found.group().lstrip("\"'“‘(*_-")
        bare = word.lower()
        if _SAID_AT_ONCE.fullmatch(found.group()) is None or _POINT_INSIDE.search(word):
            return True
        if self.may_invent(word, begins=begins, open_ended=open_ended):
            return True
        if _HANGUL_NUMERAL.match(bare):
            return not behind or _UNIT_BEGINS.match(behind) is not None or len(bare) > 1
        stems = self._stems
        if stems.hangul.match(bare) or stems.ascii.match(bare) or (open_ended and bare in stems.beginnings):
            return True
        if bare[:1] not in self._beginnings:
            return False
        return any(bare.startswith(token) or (open_ended and token.startswith(bare)) for token in self.internal)


def _word_start(text: str, at: int) -> int:
    """Return where the word begins that `at` stands in; what stands before it has been looked at."""
    while at > 0 and not text[at - 1].isspace():
        at -= 1
    return at


def _without_marks(text: str) -> tuple[str, tuple[int, ...]]:
    if "[" not in text:
        return text, ()
    numbers = [int(number) for match in _MARK.finditer(text) for number in match["numbers"].split(",")]
    return _MARK.sub("", text), tuple(numbers)
