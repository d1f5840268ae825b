"""The shapes of what a domain's figures.yaml says: kinds of figures, their words, groups and signals."""

import functools
from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Final

from pydantic import Field, StringConstraints

from services.plugin.entries import Bilingual, Entry
from services.plugin.figures.data_types import DataType
from services.text.patterns import Pattern

PARAMETER: Final = Pattern(r"\{([a-z_]+)\}")
"""A parameter of an id or a text."""
_Pattern = Annotated[str, StringConstraints(min_length=1)]
FigureId = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_{}]*$")]


class Slot(StrEnum):
    """The kinds of things that the words around a figure say of it."""

    STATISTIC = "statistic"
    """Which one of many values: the close, the highest, the mean."""
    MEASURE = "measure"
    """What is measured: a deposit, a volume, revenue."""
    WINDOW = "window"
    """Over how many days."""
    AGAINST = "against"
    """What a change is counted from: the value before, or a year earlier."""
    REACH = "reach"
    """Within which span a highest or lowest lies."""


class FigureRole(StrEnum):
    """What a figure does in a judgement that no domain owns."""

    NEWEST_MOVE = "newest_move"
    """How the thing has moved since the value before."""
    TREND = "trend"
    """Where it has been heading of late, as a word."""


class Patterns(Entry):
    """Regular expressions for the words of both languages; case does not matter."""

    ko: _Pattern | None = None
    """Korean words; None where there is none."""
    en: _Pattern | None = None
    """English words, and the fields of rows written with spaces; None where there is none."""

    @property
    def joined(self) -> str:
        """The expression that finds the words of either language."""
        # In English a word may end where a Korean particle begins.
        return "|".join(one for one in (self.ko, self.en and f"(?a:{self.en})") if one)


class FigureWords(Entry):
    """The words that name one value of a slot."""

    slot: Slot = Slot.MEASURE
    """What they say of a figure."""
    value: Annotated[str, StringConstraints(pattern=r"^[a-z0-9_]+$")]
    """Which one: `deposit`, `close`."""
    words: Patterns
    """The words."""
    is_loose: bool = False
    """Whether the words also stand beside figures of other names: "price" beside any level of prices."""
    names_change: bool = False
    """Whether a change may be told by these words though its kind has none: "the close rose 2 %"."""


class FigureGroup(Entry):
    """A line of figures that a reader looks for together."""

    id: str
    """Its id, which the kinds name."""
    title: Bilingual
    """What it is called."""


class Signal(Entry):
    """A word that stands as a metric's value."""

    word: str
    """The word: `golden_cross`."""
    label: Bilingual
    """What a reader is told."""
    words: Patterns
    """The words of a sentence that say it."""
    stems: tuple[str, ...] = Field(min_length=1)
    """What a word of a sentence that says it begins with; each sentence that says it holds one of these."""


class Foreign(Entry):
    """What sentences like to say and no agent computes."""

    words: Patterns
    """The words that say it."""
    stems: tuple[str, ...] = Field(min_length=1)
    """What such a word begins with."""


class FigureKind(Entry):
    """One kind of figure."""

    id: FigureId
    """The name of its metrics; may hold parameters."""
    label: Bilingual
    """What the figure is called; may hold parameters."""
    unit: str = ""
    """A unit of `hapju.flow.v1.Metric`; empty for a plain number or a word, `any` where each figure says its own."""
    decimals: int | None = None
    """The digits after the point that are kept; None keeps what was computed."""
    measure: str = ""
    """What it measures, a value of the words of that slot, or several with spaces; empty where nothing names it."""
    statistic: str = ""
    """Which of many values it is: `high`, `mean high`."""
    window: str = ""
    """Over how many days it is counted; may be a parameter."""
    against: str = ""
    """What it is a change from: `before` or `year`."""
    reach: str = ""
    """Within which span it is the highest or lowest."""
    is_change: bool = False
    """Whether it is a change and not a level."""
    is_timely: bool = False
    """Whether it is told with no day but its own."""
    is_listed: bool = True
    """Whether the lists of an answer hold it; not so for counts of rows and what another figure says better."""
    is_beside: bool = False
    """Whether it only stands beside an answer and is not what was asked."""
    group: str = ""
    """The group of figures that it belongs to; empty where it stands alone."""
    item: Bilingual | None = None
    """What it is called within its group; its label where None."""
    rank: str = "0"
    """Its place within its group, a whole number; may be a parameter."""
    aspect: str = ""
    """Which side of its subject it tells of, as the domain divides them."""
    role: FigureRole | None = None
    """What it does in judgements that no domain owns; None for most."""
    settles_from: float = 0.0
    """For a newest move: one that is smaller says nothing against a trend."""

    @property
    def parameters(self) -> tuple[str, ...]:
        """The parameters of its id."""
        return tuple(PARAMETER.findall(self.id))

    def name(self, said: Mapping[str, object]) -> str:
        """Return the metric's name for some parameters; raises KeyError for one that is missing."""
        return self.id.format(**said) if self.parameters else self.id

    def said(self, said: Mapping[str, object], locale: str) -> str:
        """Return what the figure is called in a language; its first letter is a capital where no parameter is."""
        text = self.label.of(locale).format(**said)
        return text[:1].upper() + text[1:]

    def filled(self, said: Mapping[str, str]) -> "FigureKind":
        """Return the kind that this one is for the parameters of an id."""
        texts = {
            field: _filled(value, said) for field in _FILLED if isinstance(value := getattr(self, field), str) and value
        }
        spoken = {"label": _spoken(self.label, said), "item": self.item and _spoken(self.item, said)}
        return self.model_copy(update={**texts, **spoken})


_FILLED: Final = ("id", "window", "reach", "measure", "statistic", "against", "rank")


@functools.lru_cache(maxsize=1024)
def concepts_of(kind: FigureKind) -> Mapping[Slot, frozenset[str]]:
    """Return what a figure of a kind is called: the values of each slot that its declaration fills."""
    values = {slot: frozenset(getattr(kind, slot.value).split()) for slot in Slot}
    if values[Slot.WINDOW] == {"1"}:
        values[Slot.AGAINST] |= {"before"}
    return MappingProxyType({slot: found for slot, found in values.items() if found})


class FigureFile(Entry):
    """What one figures.yaml says."""

    words: tuple[FigureWords, ...] = ()
    """The words that name measures and statistics."""
    groups: tuple[FigureGroup, ...] = ()
    """The lines that put figures together."""
    figures: tuple[FigureKind, ...] = ()
    """The kinds."""
    signals: tuple[Signal, ...] = ()
    """The words that stand as values."""
    data_types: tuple[DataType, ...] = ()
    """The kinds of data that its evidence bears."""
    changes: Patterns | None = None
    """The words that name a change."""
    foreign: tuple[Foreign, ...] = ()
    """What no agent computes."""
    acts: Patterns | None = None
    """The nouns, and in English the participles too, of what is done for people: only the ledger tells one done."""


def _filled(text: str, said: Mapping[str, str]) -> str:
    """Return a text with the parameters that are known; others stand as they are."""
    return PARAMETER.sub(lambda match: said.get(match[1], match[0]), text)


def _spoken(text: Bilingual, said: Mapping[str, str]) -> Bilingual:
    return Bilingual(ko=_filled(text.ko, said), en=_filled(text.en, said))
