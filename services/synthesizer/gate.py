"""What a model writes, released by the sentence: each is judged when it is complete, and goes out whole or not at all.

    "US unemployment was 4.1% in"     is held: more of the sentence is to come
    complete, and everything holds    goes out
    complete, and something does not  nothing of it goes out, for half a sentence says something else than the whole
    said already, or beyond a length  nothing of it goes out

Citation marks ("[3]") choose the evidence and are taken out: a reader gets citations by id, never by position.
"""

from dataclasses import dataclass, field
from typing import Final, Protocol

from services.contract.drops import Dropped, DropPlace, DropReason
from services.grounding.sentences import sentence_end
from services.grounding.verdict import SentenceVerdict, Wrong, dropped
from services.text.marks import without_marks

LENGTH_MAX: Final = 2_300
"""How long a model's text may become in all; where a kind of answer has a limit of its own, that counts."""
UNENDED_MAX: Final = 4_000
"""What goes on for so long without an end is no sentence."""


class Judge(Protocol):
    """Judges one complete sentence, its marks taken out."""

    def __call__(self, sentence: str, about: frozenset[str] | None = None, /) -> SentenceVerdict:
        """Return what is found; `about` says whom the sentence before it was about."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A sentence that was released."""

    text: str
    """As the reader sees it."""
    verdict: SentenceVerdict
    """What it rests on."""
    marks: tuple[int, ...]
    """The numbers of the marks that the model put behind it."""


@dataclass(slots=True)
class Gate:
    """Holds, checks and releases one streamed text."""

    judge: Judge
    """Judges a complete sentence."""
    length_max: int = LENGTH_MAX
    """How long the text may become."""
    kept: list[Kept] = field(default_factory=list)
    """The sentences that were released, in order."""
    dropped: list[Dropped] = field(default_factory=list)
    """The sentences that were not, in order."""
    _about: frozenset[str] | None = None
    _written: str = ""
    _length: int = 0
    _said: set[str] = field(default_factory=set)
    _out: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """What has been released so far."""
        return "".join(self._out)

    def feed(self, piece: str) -> str:
        """Take a piece of the model's text and return what may go out now; may be empty."""
        self._written += piece
        out = self._settled(whole=False)
        if len(self._written) > UNENDED_MAX:
            out += self._settle(len(self._written))
        return out

    def finish(self) -> str:
        """Return what is left at the end of a whole text."""
        return self._settled(whole=True)

    def cut(self) -> str:
        """Throw away what a text that broke off has begun: it was never complete."""
        self._written = ""
        return ""

    def _settled(self, *, whole: bool) -> str:
        out = ""
        while (end := sentence_end(self._written, whole=whole)) is not None:
            out += self._settle(end)
        return out

    def _settle(self, end: int) -> str:
        """Judge the sentence that ends at `end`; return it where it is released."""
        sentence, self._written = self._written[:end], self._written[end:]
        body, marks = without_marks(sentence)
        if not body.strip():
            return ""
        verdict = self.judge(body.strip(), self._about)
        self._about = None if sentence.endswith("\n\n") else verdict.about or self._about
        wrong = verdict.wrong or self._beyond(body)
        if wrong is not None:
            self.dropped.append(dropped(DropPlace.ANSWER, wrong, body))
            return self._release(self._break_behind(sentence))
        self._said.add(_plain(body))
        self._length += len(body)
        self.kept.append(Kept(body, verdict, marks))
        return self._release(body)

    def _break_behind(self, sentence: str) -> str:
        """Return the line break behind a sentence that goes, where the text before it needs one."""
        space = sentence[len(sentence.rstrip()) :]
        return space if "\n" in space and self.text and not self.text.endswith("\n") else ""

    def _release(self, out: str) -> str:
        self._out.append(out)
        return out

    def _beyond(self, body: str) -> Wrong | None:
        """Return why a sentence that holds is one too many; None where it is not."""
        if _plain(body) in self._said:
            return Wrong(DropReason.REPEATED, "")
        return Wrong(DropReason.TOO_LONG, "") if self._length + len(body) > self.length_max else None


def _plain(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))
