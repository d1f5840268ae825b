"""What a question names: the kinds that domains read, and how an entity says what it is.

The core reads amount, period, area, quantity and country in every question. Each other kind is a domain's, declared in
the `KINDS` of its entities.py. A table of names is enough for one:

    KINDS = (named_kind("hotel", name_rows(__package__, "data/hotels.yaml")),)

    # data/hotels.yaml
    - {id: H1, name: {ko: 호수 여관, en: Lake Inn}, words: [호수여관, the lake inn], attributes: {country: KR}}

The attribute `country` of an entity says which country a question on it is about; `usual_country` says so only where
the question gives no other sign.
"""

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from importlib import resources
from types import MappingProxyType
from typing import Final

from pydantic import Field, RootModel

from services.contract.entities import Alternative, Entity
from services.plugin.documents import read_model
from services.plugin.entries import Bilingual, Entry
from services.plugin.installed import DomainError, installed_domains
from services.text.kinds import (
    AMOUNT,
    AREA,
    CODES,
    CORE_KINDS,
    COUNTRY,
    FIGURES,
    NAMES,
    PERIOD,
    QUANTITY,
    TERMS,
    ReadSoFar,
)
from services.text.numbers.sums import SumWords

__all__ = [
    "AMOUNT",
    "AREA",
    "CODES",
    "CORE_KINDS",
    "COUNTRY",
    "FIGURES",
    "NAMES",
    "PERIOD",
    "QUANTITY",
    "TERMS",
    "Alternative",
    "Entity",
    "EntityKind",
    "NameRow",
    "ReadSoFar",
    "SumWords",
    "days",
    "installed_kinds",
    "installed_sums",
    "known_by_label",
    "krw_range",
    "name_rows",
    "named_kind",
    "of_kind",
    "values",
]

MODULE: Final = "entities"
"""The module of a domain's package that declares its kinds."""
_BETWEEN: Final = ".."


class NameRow(Entry):
    """One thing of a kind that a table lists."""

    id: str
    """The value of the entity: the thing's name in the data."""
    name: Bilingual
    """What people call it; the label of the entity."""
    words: tuple[str, ...] = ()
    """The other words for it, in both languages."""
    attributes: dict[str, str] = Field(default_factory=dict)
    """What else is known of it."""


@dataclass(frozen=True, slots=True)
class EntityKind:
    """One kind of thing that a question can name."""

    id: str
    """Its name, the `kind` of its entities."""
    read: Callable[[ReadSoFar], Iterable[Entity]]
    """What reads it: the entities in the order of the text."""
    precedence: int = NAMES
    """When it is read, the lower first: `CODES` before the core's figures, `NAMES` behind them, `TERMS` on demand."""
    is_name: bool = True
    """Whether it names one thing; of a term, people ask what it means."""
    is_shared: bool = True
    """Whether a question of any domain has it, for which it then speaks; else only one that its own domain answers."""
    stands_for: str = ""
    """The word that takes its place where only the form of a request counts; empty where its own words count too."""
    pointers: tuple[str, str] = ("", "")
    """Patterns of the nouns by which one of an earlier conversation is meant ("that hotel"), Korean and English."""
    rows: tuple[NameRow, ...] = ()
    """Everything that there is of it, where a table lists that."""
    spelt: Callable[[], Iterable[str]] = tuple
    """Names to which a slip of the hand is set right."""
    stated: Callable[[], Iterable[tuple[str, str]]] = tuple
    """Names that a sentence of an answer may give, each with what it names: two names of one thing have the same.

    A name that names nothing ("") is taken where it stands, so that a shorter one is not found in it.
    """
    domain: str = ""
    """The domain that declares it; filled in where it is installed."""

    @property
    def has_label(self) -> bool:
        """Whether a reader knows one by its label, so that it can be named where a question leaves it out."""
        return self.precedence >= NAMES and (self.is_name or not self.is_shared)


def named_kind(
    kind: str,
    rows: Sequence[NameRow],
    *,
    choose: Callable[[ReadSoFar, Sequence[NameRow]], Sequence[NameRow]] | None = None,
    stands_for: str = "",
    is_name: bool = True,
) -> EntityKind:
    """Return a kind whose things a table lists; the longest of the words that overlap is read.

    Args:
        kind: The id of the kind.
        rows: Its things.
        choose: Tells which of the rows that share words are meant; without it such words are ambiguous.
        stands_for: See `EntityKind`.
        is_name: See `EntityKind`.
    """
    by_word: dict[str, dict[str, NameRow]] = {}
    for row in rows:
        for word in sorted({row.name.ko, row.name.en, *row.words}):
            by_word.setdefault(word.casefold(), {})[row.id] = row

    def read(so_far: ReadSoFar) -> Iterable[Entity]:
        for hit in so_far.phrases.find_longest(by_word):
            found = tuple(by_word[hit.phrase].values())
            meant = choose(so_far, found) if choose is not None and len(found) > 1 else found
            if choose is None and len(meant) > 1:
                others = [Alternative(row.id, row.name.of(so_far.labels)) for row in meant]
                yield so_far.entity(kind, "", "", hit, alternatives=others)
                continue
            for row in meant:
                yield so_far.entity(kind, row.id, row.name.of(so_far.labels), hit, attributes=row.attributes)

    return EntityKind(kind, read, precedence=TERMS, is_name=is_name, stands_for=stands_for, rows=tuple(rows))


def name_rows(package: str, file: str) -> tuple[NameRow, ...]:
    """Return the table of names that a YAML file of a package holds.

    Raises:
        DocumentError: There is no such file, or it has another shape; every fault is told with its line.
    """
    return read_model(resources.files(package) / file, RootModel[tuple[NameRow, ...]]).root


@functools.cache
def installed_kinds() -> Mapping[str, EntityKind]:
    """Return the kinds of the installed domains by id, in the order in which they are read.

    Raises:
        DomainError: Two domains declare one kind, or one declares a kind of the core.
    """
    owners: dict[str, str] = dict.fromkeys(CORE_KINDS, "the core")
    found: list[EntityKind] = []
    for domain in installed_domains():
        module = domain.module(MODULE)
        for kind in getattr(module, "KINDS", ()):
            owner = owners.setdefault(kind.id, domain.name)
            if owner != domain.name:
                raise DomainError(f"domain {domain.name!r}: entities.py: {owner} has a kind {kind.id!r} already")
            found.append(replace(kind, domain=domain.name))
    return MappingProxyType({one.id: one for one in sorted(found, key=lambda one: one.precedence)})


def known_by_label(entities: Iterable[Entity]) -> tuple[Entity, ...]:
    """Return the entities that a reader knows by their labels."""
    kinds = installed_kinds()
    return tuple(entity for entity in entities if entity.kind in kinds and kinds[entity.kind].has_label)


@functools.cache
def installed_sums() -> tuple[SumWords, ...]:
    """Return what the installed domains say of sums: the `SUMS` of their entities.py."""
    modules = (domain.module(MODULE) for domain in installed_domains())
    return tuple(words for module in modules if (words := getattr(module, "SUMS", None)) is not None)


def of_kind(entities: Iterable[Entity], kind: str) -> tuple[Entity, ...]:
    """Return the entities of a kind, in the order of the text."""
    return tuple(entity for entity in entities if entity.kind == kind)


def values(entities: Iterable[Entity], kind: str) -> tuple[str, ...]:
    """Return the values of a kind, each once; an ambiguous entity has none."""
    return tuple(dict.fromkeys(entity.value for entity in entities if entity.kind == kind and entity.value))


def krw_range(entity: Entity) -> tuple[int | None, int | None]:
    """Return the least and the greatest sum of an amount; None for an open end, twice the same for an exact sum."""
    low, _, high = entity.value.partition(_BETWEEN)
    return (int(low) if low else None, int(high) if high else None)


def days(entity: Entity) -> tuple[date, date]:
    """Return the first and the last day of a period."""
    first, _, last = entity.value.partition("/")
    return date.fromisoformat(first), date.fromisoformat(last)
