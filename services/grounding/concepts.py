"""What figures are called, in Korean, English and the keys of rows: close, 20-day average, deepest fall, deposit.

A concept is a slot and a value in it: "52주 최고가" is the statistic `high` within the reach `52w`. A figure is what a
sentence calls it only where a fact with the same value is called that too.
"""

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from services.grounding.vocabulary import vocabulary
from services.plugin.figures.kinds import FigureKind, Slot, concepts_of

Concepts = Mapping[Slot, frozenset[str]]
"""What a figure is called: the values of each slot."""


@dataclass(frozen=True, slots=True)
class Concept:
    """One concept with its place in a text."""

    slot: Slot
    """What it says of the figure."""
    value: str
    """Which one."""
    start: int
    """Where it begins."""
    end: int
    """Where it ends, exclusive."""


def concepts_in(text: str) -> tuple[Concept, ...]:
    """Return the concepts that a text names, in its order; none lies within another."""
    taken = bytearray(len(text))
    found: list[Concept] = []
    for slot, value, pattern in vocabulary().concepts:
        for match in pattern.finditer(text):
            start, end = match.span()
            if end > start and not any(taken[start:end]):
                taken[start:end] = b"\x01" * (end - start)
                found.extend(_read(slot, value, match))
    return tuple(sorted(found, key=lambda concept: concept.start))


@functools.lru_cache(maxsize=4096)
def concept_sets(text: str) -> Concepts:
    """Return what a label, or a row's key written with spaces, says that its value is."""
    found: dict[Slot, set[str]] = {}
    for concept in concepts_in(text):
        found.setdefault(concept.slot, set()).add(concept.value)
    if found.get(Slot.WINDOW) == {"1"}:
        found.setdefault(Slot.AGAINST, set()).add("before")
    return MappingProxyType({slot: frozenset(values) for slot, values in found.items()})


@functools.lru_cache(maxsize=4096)
def concepts_of_name(name: str, label: str = "") -> Concepts:
    """Return what a metric or a field of a row is called: as its kind declares, else as its label or name says."""
    kind = kind_of(name)
    if kind is None:
        return concept_sets(label) or concept_sets(name.replace("_", " "))
    return concepts_of(kind)


@functools.lru_cache(maxsize=4096)
def is_change(name: str, label: str = "") -> bool:
    """Tell whether a metric or a field of a row is a change and not a level."""
    kind = kind_of(name)
    if kind is not None:
        return kind.is_change
    changes = vocabulary().changes
    return changes.search(label) is not None or changes.search(name) is not None


@functools.lru_cache(maxsize=4096)
def kind_of(name: str) -> FigureKind | None:
    """Return the declared kind of a metric or a field of a row; None where no domain declares it."""
    return vocabulary().kinds.get(name)


def _read(slot: Slot, value: str, match: re.Match[str]) -> Iterator[Concept]:
    if slot is not Slot.WINDOW:
        yield Concept(slot, value, *match.span())
        return
    days = match["days"] or match["mean"]
    yield Concept(slot, str(int(days)), *match.span())
    if match["mean"]:
        yield Concept(Slot.STATISTIC, "average", *match.span())
