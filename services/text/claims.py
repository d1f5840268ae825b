"""Who owns which characters of a text while it is being read: what one reader has taken, no other reads again."""

from collections.abc import Iterator
from re import Match

from services.text.entities import AskReason, Unclear
from services.text.numbers.sums import SumWords
from services.text.patterns import Pattern
from services.text.speech import Speech


class Claims:
    """One normalised text, the places already taken, and what has to be asked about it."""

    def __init__(self, text: str, sums: tuple[SumWords, ...] = (), speech: Speech | None = None) -> None:
        self.text = text
        self.sums = sums
        self.speech = speech or Speech()
        self._taken = bytearray(len(text))
        self._asks: list[Unclear] = []

    @property
    def asks(self) -> tuple[Unclear, ...]:
        """What has to be asked, in the order of the text."""
        return tuple(sorted(self._asks, key=lambda ask: ask.start))

    def is_free(self, start: int, end: int) -> bool:
        """Tell whether nobody has taken any character of the slice."""
        return self._taken.find(1, start, end) < 0

    def free_end(self, start: int) -> int:
        """Return how far nobody has taken anything from a place on."""
        end = self._taken.find(1, start)
        return len(self.text) if end < 0 else end

    def take(self, start: int, end: int) -> str:
        """Take a slice and return it; taking a taken one again is allowed and changes nothing."""
        self._taken[start:end] = b"\x01" * (end - start)
        return self.text[start:end]

    def ask(self, field: str, reason: AskReason, start: int, end: int) -> None:
        """Take a slice and note that it has to be asked."""
        self._asks.append(Unclear(field=field, surface=self.take(start, end), reason=reason, start=start, end=end))

    def free_matches(self, pattern: Pattern) -> Iterator[Match[str]]:
        """Yield the matches of `pattern` whose characters are all free when each is reached."""
        for match in pattern.finditer(self.text):
            if match.end() > match.start() and self.is_free(match.start(), match.end()):
                yield match
