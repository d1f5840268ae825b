"""What a domain's module `planning` is given of a question, and what it hands back for values and slots.

A value that no table can say is a function that domain.yaml names (`values: {shares: {function: shares}}`); a kind of
slot that only one domain reads is a `SlotReading` of that module's `SLOTS`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from services.contract.entities import Entity
from services.plugin.planning import SlotRule
from services.text.reading import TextReading

Value = str | int | tuple[str, ...]
"""What a binding or a slot comes to: text, a whole number, or several texts."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A question with what was said before it."""

    now: TextReading
    """The question."""
    before: TextReading | None
    """The user's turn before it, where the question leans on it."""

    def says(self, phrases: Sequence[str]) -> bool:
        """Tell whether the question says any of the phrases."""
        return any(self.now.says(phrase) for phrase in phrases)

    def named(self, kind: str) -> tuple[Entity, ...]:
        """Return what the question names of a kind, or the turn before it where it names none; nothing ambiguous."""
        readings = (self.now,) if self.before is None else (self.now, self.before)
        found = (tuple(one for one in reading.of(kind) if one.value) for reading in readings)
        return next(filter(None, found), ())


@dataclass(frozen=True, slots=True)
class PlannedQuestion:
    """A routed question, as one of its intents is planned."""

    spoken: Spoken
    """The words."""
    intent: str
    """The intent."""
    entities: tuple[Entity, ...]
    """What the route holds, from the conversation too."""
    countries: tuple[str, ...]
    """The countries that it is about."""
    spoken_of: frozenset[str]
    """The subjects of its domain whose words it says."""
    slots: Mapping[str, object] = field(default_factory=dict)
    """What the conversation has filled."""

    def speaks_of(self, subject: str) -> bool:
        """Tell whether it says words of a subject that its domain declares."""
        return subject in self.spoken_of


ValueFunction = Callable[[PlannedQuestion], Value | None]
"""Says what a binding stands for; None where the question does not hold it."""


@dataclass(frozen=True, slots=True)
class SlotReading:
    """How a slot is read: strictly from a question, and more freely from the answer to its own question."""

    said: Callable[[TextReading, SlotRule], Value | None]
    """Returns the value that a text names outright, None where it names none or more than one."""
    answered: Callable[[TextReading, SlotRule], Value | None] | None = None
    """Returns what an answer may mean that names no value outright; None where nothing else will do."""
    lasts: bool = False
    """Whether what an earlier turn named still holds."""
    is_one: bool = False
    """Whether two different values in earlier turns leave open which is meant."""
    is_sure: bool = True
    """Whether words that it can read are an answer to it, rather than another request that has such words too."""
    is_counted: bool = False
    """Whether an answer may write its number in words."""
    names: tuple[str, ...] = ()
    """Kinds of entities whose names fill it, those of the route too."""
    of_names: Callable[[tuple[str, ...]], Value | None] | None = None
    """Returns the value that such names come to."""
    joins: bool = False
    """Whether the names of an answer join those of the question."""
