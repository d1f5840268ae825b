"""Labels and relations of the graph of the economy.

    EconomicIndicator -BELONGS_TO-> MacroTheme <-ABOUT_THEME- Story | Document | Event
    EconomicIndicator | Event -AFFECTS-> EconomicIndicator | Company | RealEstateRegion
    Event -CAUSES-> Event              EconomicIndicator -CORRELATES-> EconomicIndicator
    Document -MENTIONS-> Company | EconomicIndicator | RealEstateRegion | Event
    cause -HAS_EVIDENCE-> Evidence -SUPPORTS-> effect | Story        for each AFFECTS and CAUSES

Every node has an `id` that is unique within its label: a series id, a security id, a region code, or one of its own.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from services.plugin.data.graph import NUMBER, TEXT, GraphSchema, node_of, pairs, relation_of

_LABELS = {
    "MacroTheme": node_of(),
    "EconomicIndicator": node_of(country=TEXT, unit=TEXT),
    "Event": node_of(event_date=TEXT, kind=TEXT),
    "Company": node_of(market=TEXT, sector=TEXT),
    "Document": node_of(published_at=TEXT),
    "Evidence": node_of(text_ko=TEXT, text_en=TEXT),
    "Story": node_of(text_ko=TEXT, text_en=TEXT),
    "RealEstateRegion": node_of(level=TEXT),
}
_AFFECTED = "EconomicIndicator Company RealEstateRegion"
_RELATIONS = {
    "BELONGS_TO": relation_of(
        (*pairs("EconomicIndicator Company", "MacroTheme"), *pairs("RealEstateRegion", "RealEstateRegion"))
    ),
    "ABOUT_THEME": relation_of(pairs("Story Document Event", "MacroTheme")),
    "AFFECTS": relation_of(pairs("EconomicIndicator Event", _AFFECTED), polarity=TEXT, weight=NUMBER, evidence_id=TEXT),
    "CAUSES": relation_of(pairs("Event", "Event"), weight=NUMBER, evidence_id=TEXT),
    "CORRELATES": relation_of(pairs("EconomicIndicator", "EconomicIndicator"), coefficient=NUMBER, months=NUMBER),
    "MENTIONS": relation_of(pairs("Document", f"{_AFFECTED} Event")),
    "HAS_EVIDENCE": relation_of(pairs("EconomicIndicator Event Document", "Evidence")),
    "SUPPORTS": relation_of(pairs("Evidence", f"{_AFFECTED} Event Story")),
}
SCHEMA: Final = GraphSchema(MappingProxyType(_LABELS), MappingProxyType(_RELATIONS))
POLARITIES: Final = ("POSITIVE", "NEGATIVE")
