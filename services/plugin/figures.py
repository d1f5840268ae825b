"""What the figures of a domain are: each kind is declared once, in the domain's figures.yaml.

A metric bears the id of its kind. What the figure is called, in which unit it stands, how it is rounded, among which
others a reader looks for it and which words of a sentence name it follow from the declaration. The file's sections:

    words     the words that name what is measured, or which of many values it is
    groups    the lines that put figures of one sort together: returns, a range of prices
    figures   the kinds
    signals   words that stand as a metric's value, and the words of sentences that say them
    changes   the words, of sentences and of rows' fields, that name a change and not a level
    foreign   what sentences like to say and no agent of the domain computes

An id may hold parameters, `return_{days}d`: the kind stands for every id of that form, and its texts are filled with
the parameter. Parameters that only a text has are filled when the figure is made.
"""

import functools
import re
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from services.plugin.documents import read_model
from services.plugin.entries import Bilingual
from services.plugin.installed import DomainError, InstalledDomain, installed_domains
from services.plugin.wording import WORDS

FILE: Final = "figures.yaml"
"""Where a domain declares its figures."""
ANY_UNIT: Final = "any"
"""The unit of a kind whose figures say their own, such as the value of a series."""

CORE_MEASURES: Final = frozenset({"price"})
"""Measures whose words belong to the language; a domain may add words to them."""
_PARAMETER: Final = re.compile(r"\{([a-z_]+)\}")
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


class Role(StrEnum):
    """What a figure does in a judgement that no domain owns."""

    NEWEST_MOVE = "newest_move"
    """How the thing has moved since the value before."""
    TREND = "trend"
    """Where it has been heading of late, as a word."""


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Patterns(_Entry):
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


class FigureWords(_Entry):
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


class FigureGroup(_Entry):
    """A line of figures that a reader looks for together."""

    id: str
    """Its id, which the kinds name."""
    title: Bilingual
    """What it is called."""


class Signal(_Entry):
    """A word that stands as a metric's value."""

    word: str
    """The word: `golden_cross`."""
    label: Bilingual
    """What a reader is told."""
    words: Patterns
    """The words of a sentence that say it."""
    stems: tuple[str, ...] = Field(min_length=1)
    """What a word of a sentence that says it begins with; each sentence that says it holds one of these."""


class Foreign(_Entry):
    """What sentences like to say and no agent computes."""

    words: Patterns
    """The words that say it."""
    stems: tuple[str, ...] = Field(min_length=1)
    """What such a word begins with."""


class FigureKind(_Entry):
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
    role: Role | None = None
    """What it does in judgements that no domain owns; None for most."""
    settles_from: float = 0.0
    """For a newest move: one that is smaller says nothing against a trend."""

    @property
    def parameters(self) -> tuple[str, ...]:
        """The parameters of its id."""
        return tuple(_PARAMETER.findall(self.id))

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


class FigureKinds(Mapping[str, FigureKind]):
    """Kinds by the names of metrics; a name of a family finds its family, filled with the name's parameters.

    Args:
        kinds: The kinds; of families that a name fits the one with the most letters of its own counts.
    """

    def __init__(self, kinds: Iterable[FigureKind]) -> None:
        self._declared = {kind.id: kind for kind in kinds}
        families = (kind for kind in self._declared.values() if kind.parameters)
        self._families = tuple(
            (kind, re.compile(_PARAMETER.sub(r"(?P<\1>[a-z0-9_]+)", kind.id)))
            for kind in sorted(families, key=lambda kind: -len(_PARAMETER.sub("", kind.id)))
        )
        self._filled: dict[str, FigureKind] = {}

    def __getitem__(self, name: str) -> FigureKind:
        """Return the kind of a metric's name, or a declared id; raises KeyError when there is none."""
        found = self._declared.get(name) or self._filled.get(name)
        if found is None:
            found = self._filled[name] = self._of_family(name)
        return found

    def __iter__(self) -> Iterator[str]:
        """Iterate over the declared ids."""
        return iter(self._declared)

    def __len__(self) -> int:
        """Count the declared kinds."""
        return len(self._declared)

    def _of_family(self, name: str) -> FigureKind:
        for kind, pattern in self._families:
            if match := pattern.fullmatch(name):
                return kind.filled(match.groupdict())
        raise KeyError(name)


class FigureFile(_Entry):
    """What one figures.yaml says."""

    words: tuple[FigureWords, ...] = ()
    """The words that name measures and statistics."""
    groups: tuple[FigureGroup, ...] = ()
    """The lines that put figures together."""
    figures: tuple[FigureKind, ...] = ()
    """The kinds."""
    signals: tuple[Signal, ...] = ()
    """The words that stand as values."""
    changes: Patterns | None = None
    """The words that name a change."""
    foreign: tuple[Foreign, ...] = ()
    """What no agent computes."""


class Figures:
    """What several domains say of figures, together.

    Args:
        files: What each says, in the order of the domains.

    Raises:
        DomainError: An id is declared twice, or a kind names a group that is not there.
    """

    def __init__(self, files: Iterable[FigureFile]) -> None:
        found = tuple(files)
        self.words: tuple[FigureWords, ...] = tuple(one for file in found for one in file.words)
        """The words that name measures and statistics."""
        self.groups: Mapping[str, FigureGroup] = {one.id: one for file in found for one in file.groups}
        """The groups by id."""
        self.signals: Mapping[str, Signal] = {one.word: one for file in found for one in file.signals}
        """The signals by word."""
        self.changes: str = "|".join(file.changes.joined for file in found if file.changes is not None)
        """The expression that finds the words of a change; empty where no domain has any of its own."""
        self.foreign: tuple[Foreign, ...] = tuple(one for file in found for one in file.foreign)
        """What no agent computes."""
        kinds = [kind for file in found for kind in file.figures]
        self.kinds: FigureKinds = FigureKinds(kinds)
        """The kinds by the names of metrics."""
        if faults := list(_faults(kinds, self)):
            raise DomainError("figures: " + "; ".join(faults))


@functools.cache
def installed_figures() -> Figures:
    """Return what the installed domains say of figures; the first call reads and checks it.

    Raises:
        DocumentError: A file is malformed.
        DomainError: The files contradict each other.
    """
    return Figures(figures_of(domain) for domain in installed_domains())


def declared_kind(name: str) -> FigureKind:
    """Return an installed kind by its id.

    Raises:
        DomainError: No installed domain declares it.
    """
    kind = installed_figures().kinds.get(name)
    if kind is None:
        raise DomainError(f"figure {name!r}: no installed domain declares it in its {FILE}")
    return kind


def said_word(word: str, locale: str) -> str:
    """Return what a reader is told of a word that stands as a metric's value."""
    if word in WORDS:
        return WORDS[word].said(locale)
    signal = installed_figures().signals.get(word)
    return word.replace("_", " ") if signal is None else signal.label.of(locale)


def figures_of(domain: InstalledDomain) -> FigureFile:
    """Return what a domain says of figures; nothing where it has none.

    Raises:
        DocumentError: Its figures.yaml is malformed.
    """
    path = domain.folder.joinpath(FILE)
    return read_model(path, FigureFile) if path.is_file() else FigureFile()


def _faults(kinds: list[FigureKind], found: Figures) -> Iterator[str]:
    ids = [kind.id for kind in kinds]
    for name in sorted({name for name in ids if ids.count(name) > 1}):
        yield f"{name} is declared more than once"
    measures = CORE_MEASURES | {one.value for one in found.words if one.slot is Slot.MEASURE}
    for kind in kinds:
        if kind.group and kind.group not in found.groups:
            yield f"{kind.id}: there is no group {kind.group!r}"
        for measure in sorted(set(kind.measure.split()) - measures):
            yield f"{kind.id}: no words name the measure {measure!r}"


def _filled(text: str, said: Mapping[str, str]) -> str:
    """Return a text with the parameters that are known; others stand as they are."""
    return _PARAMETER.sub(lambda match: said.get(match[1], match[0]), text)


def _spoken(text: Bilingual, said: Mapping[str, str]) -> Bilingual:
    return Bilingual(ko=_filled(text.ko, said), en=_filled(text.en, said))
