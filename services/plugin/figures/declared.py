"""What the figures of a domain are: each kind is declared once, in the domain's figures.yaml.

A metric bears the id of its kind. What the figure is called, in which unit it stands, how it is rounded, among which
others a reader looks for it and which words of a sentence name it follow from the declaration. The file's sections:

    words     the words that name what is measured, or which of many values it is
    groups    the lines that put figures of one sort together: returns, a range of prices
    figures   the kinds
    signals   words that stand as a metric's value, and the words of sentences that say them
    changes   the words, of sentences and of rows' fields, that name a change and not a level
    foreign   what sentences like to say and no agent of the domain computes
    acts      the words of what is done for people: no sentence tells one as done but by the ledger
    data_types  what kinds of data are called and how they age (data_types.py)

An id may hold parameters, `return_{days}d`: the kind stands for every id of that form, and its texts are filled with
the parameter. Parameters that only a text has are filled when the figure is made.
"""

import functools
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from services.plugin.documents import read_model
from services.plugin.entries import Bilingual
from services.plugin.figures.data_types import DataType
from services.plugin.figures.kinds import (
    PARAMETER,
    FigureFile,
    FigureGroup,
    FigureKind,
    FigureWords,
    Foreign,
    Patterns,
    Signal,
    Slot,
)
from services.plugin.installed import DomainError, InstalledDomain, installed_domains
from services.plugin.wording import WORDS
from services.text.patterns import Pattern

FILE: Final = "figures.yaml"
"""Where a domain declares its figures."""
ANY_UNIT: Final = "any"
"""The unit of a kind whose figures say their own, such as the value of a series."""
CORE_MEASURES: Final = frozenset({"price"})
"""Measures whose words belong to the language; a domain may add words to them."""
_OTHER_DATA: Final = Bilingual(ko="자료", en="data")


class FigureKinds(Mapping[str, FigureKind]):
    """Kinds by the names of metrics; a name of a family finds its family, filled with the name's parameters.

    Args:
        kinds: The kinds; of families that a name fits the one with the most letters of its own counts.
    """

    def __init__(self, kinds: Iterable[FigureKind]) -> None:
        self._declared = {kind.id: kind for kind in kinds}
        families = (kind for kind in self._declared.values() if kind.parameters)
        self._families = tuple(
            (kind, Pattern(PARAMETER.sub(r"(?P<\1>[a-z0-9_]+)", kind.id)))
            for kind in sorted(families, key=lambda kind: -len(PARAMETER.sub("", kind.id)))
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
        self.data_types: Mapping[str, DataType] = {one.id: one for file in found for one in file.data_types}
        """The kinds of data by id."""
        self.changes: str = "|".join(file.changes.joined for file in found if file.changes is not None)
        """The expression that finds the words of a change; empty where no domain has any of its own."""
        self.foreign: tuple[Foreign, ...] = tuple(one for file in found for one in file.foreign)
        """What no agent computes."""
        acts = [file.acts for file in found if file.acts is not None]
        self.acts: Patterns = Patterns(
            ko="|".join(one.ko for one in acts if one.ko) or None, en="|".join(one.en for one in acts if one.en) or None
        )
        """The words of acts."""
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


def data_type(name: str) -> DataType:
    """Return a kind of data by its id; one that no installed domain declares ages as most do and has no name."""
    return installed_figures().data_types.get(name) or DataType(id=name, title=_OTHER_DATA)


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
