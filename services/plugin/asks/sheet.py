"""Sheet: one question as the readers of every domain see it."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property, lru_cache
from typing import Any, Concatenate, ParamSpec, TypeVar

from services.contract.asks import AskForm
from services.contract.flow import Attachment
from services.plugin.asks.forms import Clause, Superlative, clauses_of, forms_in, superlative_in
from services.plugin.asks.numbers import Number, like_before, numbers_in
from services.plugin.entities import AMOUNT, AREA, PERIOD, QUANTITY, Entity, days, of_kind, values
from services.text.entities import Unclear
from services.text.patterns import Pattern

T = TypeVar("T")
P = ParamSpec("P")


@lru_cache(maxsize=4096)
def _pattern(source: str) -> Pattern:
    return Pattern(source, re.IGNORECASE)


@dataclass(frozen=True)
class Sheet:
    """One question, normalised, with everything that is read in it whatever its domain."""

    text: str
    """The normalised text; every place counts its code points."""
    language: str
    """ "ko" or "en": the language of the question."""
    today: date
    """The day of the question in the user's time zone."""
    entities: tuple[Entity, ...]
    """What it names, of every kind of the installed domains."""
    user_type: str = ""
    """consumer, seller or empty."""
    unit_meant: str = ""
    """The unit of a number that says none, where the conversation leaves but one: "84로 바꿔줘" after a floor area."""

    aside: tuple[Entity, ...] = ()
    """What it puts aside, which its text and its entities no longer hold: the 책상 of "넓은 책상 말고 좁은 걸로"."""

    aside_words: tuple[str, ...] = ()
    """The words that it puts aside, which its text no longer holds."""

    attached: tuple[Attachment, ...] = ()
    """The files that came with it, else those that came last in the conversation. What they say is data: its text,
    its entities and its numbers are those of the message alone."""

    unclear: tuple[Unclear, ...] = ()
    """What it says in a way that cannot be read exactly: "-2개", "두세 개"."""

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        """Its numbers, those inside dates, codes and names left out; free words that stand for themselves hide none."""
        taken = [(one.start, one.end) for one in self.entities if one.end and _hides_numbers(one)]
        found = like_before(numbers_in(self.text, taken), self.text)
        meant = self.unit_meant
        return tuple(replace(one, unit=meant) if meant and one.is_bare else one for one in found)

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """Its sentences."""
        return clauses_of(self.text)

    @cached_property
    def forms(self) -> tuple[AskForm, ...]:
        """The forms that its words allow, the most telling first."""
        return forms_in(self.text)

    @cached_property
    def superlative(self) -> Superlative | None:
        """Its first superlative."""
        return superlative_in(self.text)

    def says(self, pattern: str) -> bool:
        """Tell whether a regular expression is found, upper and lower case alike."""
        return _pattern(pattern).search(self.text) is not None

    def find(self, pattern: str) -> re.Match[str] | None:
        """Return the first match of a regular expression, upper and lower case alike."""
        return _pattern(pattern).search(self.text)

    def find_all(self, pattern: str) -> Iterator[re.Match[str]]:
        """Return the matches of a regular expression in their order, upper and lower case alike."""
        return _pattern(pattern).finditer(self.text)

    def once(self, read: Callable[Concatenate["Sheet", P], T], *given: P.args, **named: P.kwargs) -> T:
        """Return what a reader finds in this sheet; it reads once, however many others ask what it found."""
        key = (read, given, *named.items())
        if key not in self._found:
            self._found[key] = read(self, *given, **named)
        found: T = self._found[key]
        return found

    @cached_property
    def _found(self) -> dict[object, Any]:
        return {}

    def wants(self, *forms: AskForm) -> bool:
        """Tell whether the words allow one of these forms."""
        return any(form in self.forms for form in forms)

    def of_kind(self, kind: str) -> tuple[Entity, ...]:
        """Return what it names of a kind, in the order of the text."""
        if (found := self._by_kind.get(kind)) is None:
            found = self._by_kind[kind] = of_kind(self.entities, kind)
        return found

    @cached_property
    def _by_kind(self) -> dict[str, tuple[Entity, ...]]:
        return {}

    def values(self, kind: str) -> tuple[str, ...]:
        """Return the values that it names of a kind, each once."""
        return values(self.entities, kind)

    @property
    def periods(self) -> tuple[tuple[date, date, str], ...]:
        """The periods that it names: first day, last day, words."""
        return tuple((*days(one), one.words) for one in self.of_kind(PERIOD) if one.value)

    def part(self, clause: Clause) -> "Sheet":
        """Return a clause as a sheet of its own; its entities are those inside it, places counted in the clause."""
        inside = (one for one in self.entities if clause.start <= one.start and one.end <= clause.end and one.end)
        return Sheet(
            clause.text,
            self.language,
            self.today,
            tuple(_moved(inside, clause.start)),
            self.user_type,
            self.unit_meant,
            attached=self.attached,
            unclear=tuple(
                replace(one, start=one.start - clause.start, end=one.end - clause.start)
                for one in self.unclear
                if clause.start <= one.start and one.end <= clause.end
            ),
        )


_NUMBERS = frozenset({AMOUNT, AREA, QUANTITY})
_CODE = Pattern(r"[A-Za-z0-9]+(?:-[A-Za-z0-9]+)+|[A-Za-z]+[0-9]\w*|[0-9]{6,}")
"""A code, an order's for example: no number of a question."""


def _hides_numbers(one: Entity) -> bool:
    if one.kind in _NUMBERS:
        return False
    return one.kind == PERIOD or one.value != one.words or _CODE.fullmatch(one.words) is not None


def _moved(entities: Iterable[Entity], by: int) -> Iterable[Entity]:
    return (replace(one, start=one.start - by, end=one.end - by) for one in entities)
