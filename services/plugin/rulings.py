"""What a domain settles of its own intents: which stand together, which shut each other out, and what it covers."""

from pydantic import Field

from services.plugin.entries import Bilingual, Entry, Identifier

IntentIds = tuple[Identifier, ...]


class Merge(Entry):
    """Intents that are one request where one question wants them."""

    of: IntentIds = Field(min_length=2)
    """The intents."""
    into: Identifier | None = None
    """The intent that answers them together; without it the question is read as a whole."""


class Detection(Entry):
    """A kind of thing that decides the intent of a question which names one."""

    kind: Identifier
    """The kind of entities."""
    by_fact: dict[str, Identifier] = Field(min_length=1)
    """The intent by a fact on what is named, without "#"; the first fact that holds decides."""
    several: Identifier
    """The intent where two or more are named."""
    likely: IntentIds = ()
    """Intents that a likeness may put in place of `by_fact`."""

    @property
    def intents(self) -> frozenset[str]:
        """The intents that are possible only where such a thing is named."""
        return frozenset((*self.by_fact.values(), self.several, *self.likely))


class Coverage(Entry):
    """What the domain's data covers of something that a question may be about."""

    text: Bilingual
    """What is said where a question is about nothing that is covered; {names} are the labels of what it names."""
    values: tuple[str, ...] = ()
    """The values that are covered; empty where each entity says it itself, by its attribute `covered`."""


class Rulings(Entry):
    """The rulings of a domain, evaluated by the router."""

    detects: tuple[Detection, ...] = ()
    """Kinds that decide the intent, the first that is named before the others."""
    merges: tuple[Merge, ...] = ()
    """Intents that are one request."""
    widens: IntentIds = ()
    """Intents of a whole report: any other of the domain beside one is a part of it."""
    excludes: tuple[IntentIds, ...] = ()
    """Sets of intents of which one question can want one only."""
    undoes: tuple[IntentIds, ...] = ()
    """Sets of intents that take back what each other does, so that they are never done together."""
    stands_in: IntentIds = ()
    """Intents that any request of the domain seems to want, meant where nothing else is wanted beside them."""
    fallback: Identifier | None = None
    """The intent where nothing speaks for any."""
    explains: Identifier | None = None
    """The intent of what a word means, and of what else anyone may know."""
    unexplained: IntentIds = ()
    """Intents whose words are not merely explained where somebody asks what one means."""
    covers: dict[Identifier, Coverage] = Field(default_factory=dict)
    """What is covered, by kind of entities; "country" is what a question is about, whether it names it or not."""
