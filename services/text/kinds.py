"""How kinds of entities are read: one text, one kind after the other, each seeing what those before it found."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Protocol

from services.contract.entities import Alternative, Entity
from services.text.claims import Claims
from services.text.ko.morphemes import Morpheme, morphemes
from services.text.language import Language
from services.text.words import PhraseIndex, phrase_index

AMOUNT: Final = "amount"
"""Money in won; the value is "low..high", an open end empty."""
PERIOD: Final = "period"
"""Days of the user's time zone; the value is "first/last", both ISO 8601 and inclusive."""
AREA: Final = "area"
"""A floor area in square metres; the value is "low..high", an open end empty."""
QUANTITY: Final = "quantity"
"""A number of pieces."""
COUNTRY: Final = "country"
"""A country or bloc; the value is its ISO 3166 alpha-2 code, or "EU"."""
CORE_KINDS: Final = frozenset({AMOUNT, PERIOD, AREA, QUANTITY, COUNTRY})
"""The kinds that belong to the language; a domain declares none of these."""

CODES: Final = 10
"""The precedence of codes: what they take is no date and no sum."""
FIGURES: Final = 50
"""The precedence of the core's own kinds."""
NAMES: Final = 60
"""The precedence of proper names: they are read when every figure has its owner."""
TERMS: Final = 80
"""From here on a kind takes nothing from others, so it is read only when somebody asks for it."""


class ReadableKind(Protocol):
    """What is needed of a kind to read it."""

    @property
    def id(self) -> str:
        """Its name."""
        ...

    @property
    def precedence(self) -> int:
        """When it is read; the lower first."""
        ...

    @property
    def is_name(self) -> bool:
        """Whether it names one thing, so that nobody asks what the word means."""
        ...

    @property
    def read(self) -> "Callable[[ReadSoFar], Iterable[Entity]]":
        """What reads it."""
        ...


class TextPlace(Protocol):
    """Where words stand in a text: a hit, a match of a dictionary, anything with two ends."""

    @property
    def start(self) -> int:
        """Where they begin."""
        ...

    @property
    def end(self) -> int:
        """Where they end, exclusive."""
        ...


class ReadSoFar:
    """A text while it is being read."""

    def __init__(self, claims: Claims, language: Language, labels: Language) -> None:
        self.claims = claims
        """Who owns which characters; what a kind takes or asks about is read by no later one."""
        self.language = language
        """The language of the text."""
        self.labels = labels
        """The language of the labels."""
        self._found: dict[str, tuple[Entity, ...]] = {}
        self._waiting: dict[str, ReadableKind] = {}

    @property
    def text(self) -> str:
        """The normalised text."""
        return self.claims.text

    @property
    def phrases(self) -> PhraseIndex:
        """The index that finds phrases on whole words and morphemes."""
        return phrase_index(self.text)

    @property
    def morphemes(self) -> tuple[Morpheme, ...]:
        """The morphemes."""
        return morphemes(self.text)

    def say(self, ko: str, en: str) -> str:
        """Return the text of the labels' language."""
        return en if self.labels == "en" else ko

    def of(self, kind: str) -> tuple[Entity, ...]:
        """Return what was read of a kind; a term is read now."""
        if (term := self._waiting.pop(kind, None)) is not None:
            self._found[kind] = tuple(term.read(self))
        return self._found.get(kind, ())

    def entity(  # noqa: PLR0913 - an entity has so many fields
        self,
        kind: str,
        value: str,
        label: str,
        place: TextPlace,
        *,
        attributes: Mapping[str, str] | None = None,
        alternatives: Sequence[Alternative] = (),
    ) -> Entity:
        """Return an entity whose words stand at a place of the text."""
        words = self.text[place.start : place.end]
        return Entity(
            kind, value, label or words, words, place.start, place.end, dict(attributes or {}), tuple(alternatives)
        )

    def add(self, kind: str, found: Iterable[Entity]) -> None:
        """Take down what was read of a kind."""
        self._found[kind] = tuple(found)

    def read(self, kinds: Iterable[ReadableKind]) -> None:
        """Read kinds by their precedence."""
        for kind in sorted(kinds, key=lambda one: one.precedence):
            if kind.precedence < TERMS:
                self._found[kind.id] = tuple(kind.read(self))
            else:
                self._waiting[kind.id] = kind

    def entities(self) -> tuple[Entity, ...]:
        """Return all that the text names, kind by kind."""
        for kind in tuple(self._waiting):
            self.of(kind)
        return tuple(entity for found in self._found.values() for entity in found)
