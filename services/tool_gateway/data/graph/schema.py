"""Labels and relations of the graph, as data.

    EconomicIndicator -BELONGS_TO-> MacroTheme <-ABOUT_THEME- Story | Document | Event
    EconomicIndicator | Event -AFFECTS-> EconomicIndicator | Company | RealEstateRegion
    Event -CAUSES-> Event              EconomicIndicator -CORRELATES-> EconomicIndicator
    Document -MENTIONS-> Company | EconomicIndicator | RealEstateRegion | Event
    cause -HAS_EVIDENCE-> Evidence -SUPPORTS-> effect | Story        for each AFFECTS and CAUSES

Every node has an `id` that is unique within its label: a series id, a security id, a region code, or one of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

TEXT: Final = "text"
NUMBER: Final = "number"
FLAG: Final = "flag"

# Where a node or relation comes from; provenance is read from these.
ORIGIN: Final[Mapping[str, str]] = MappingProxyType(
    {"dataset_id": TEXT, "dataset_source": TEXT, "dataset_sample": FLAG, "as_of": TEXT}
)
_NAMES: Final = {"id": TEXT, "name_ko": TEXT, "name_en": TEXT}


@dataclass(frozen=True)
class Relation:
    """One type of relation."""

    pairs: tuple[tuple[str, str], ...]
    """Labels that it may lead from and to."""
    properties: Mapping[str, str]
    """Kind of each property by name."""

    def allows(self, source: str, target: str) -> bool:
        """Return whether it may lead from a node of one label to a node of another."""
        return (source, target) in self.pairs


def _pairs(sources: str, targets: str) -> tuple[tuple[str, str], ...]:
    return tuple((source, target) for source in sources.split() for target in targets.split())


def _node(**properties: str) -> Mapping[str, str]:
    return MappingProxyType({**_NAMES, **properties, **ORIGIN})


def _relation(pairs: tuple[tuple[str, str], ...], **properties: str) -> Relation:
    return Relation(pairs, MappingProxyType({**properties, **ORIGIN}))


LABELS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "MacroTheme": _node(),
        "EconomicIndicator": _node(country=TEXT, unit=TEXT),
        "Event": _node(event_date=TEXT, kind=TEXT),
        "Company": _node(market=TEXT, sector=TEXT),
        "Document": _node(published_at=TEXT),
        "Evidence": _node(text_ko=TEXT, text_en=TEXT),
        "Story": _node(text_ko=TEXT, text_en=TEXT),
        "RealEstateRegion": _node(level=TEXT),
    }
)
_AFFECTED = "EconomicIndicator Company RealEstateRegion"
RELATIONS: Final[Mapping[str, Relation]] = MappingProxyType(
    {
        "BELONGS_TO": _relation(
            (*_pairs("EconomicIndicator Company", "MacroTheme"), *_pairs("RealEstateRegion", "RealEstateRegion"))
        ),
        "ABOUT_THEME": _relation(_pairs("Story Document Event", "MacroTheme")),
        "AFFECTS": _relation(
            _pairs("EconomicIndicator Event", _AFFECTED), polarity=TEXT, weight=NUMBER, evidence_id=TEXT
        ),
        "CAUSES": _relation(_pairs("Event", "Event"), weight=NUMBER, evidence_id=TEXT),
        "CORRELATES": _relation(_pairs("EconomicIndicator", "EconomicIndicator"), coefficient=NUMBER, months=NUMBER),
        "MENTIONS": _relation(_pairs("Document", f"{_AFFECTED} Event")),
        "HAS_EVIDENCE": _relation(_pairs("EconomicIndicator Event Document", "Evidence")),
        "SUPPORTS": _relation(_pairs("Evidence", f"{_AFFECTED} Event Story")),
    }
)
POLARITIES: Final = ("POSITIVE", "NEGATIVE")
