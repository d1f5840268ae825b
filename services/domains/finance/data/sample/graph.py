"""The sample graph: the relations of graph.yaml over the series, shares, districts and news of the other data sets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Any

import numpy as np

from services.domains.finance.data.sample.news import Sources
from services.domains.finance.data.tables import MACRO_OBSERVATIONS, NEWS_ARTICLES, NEWS_SUBJECTS
from services.domains.finance.graph import SCHEMA
from services.domains.homes.data.sample.market import provinces
from services.plugin.data.graph import Edge, GraphRows, NodeKey
from services.plugin.data.sample import Block, Dataset, Row, generated, load_yaml

_MONTHS_MIN = 12
_MENTIONED = {"security": "Company", "series": "EconomicIndicator", "region": "RealEstateRegion"}


def graph_block(as_of: datetime, sources: Sources, news: Block) -> Block:
    """Return the graph as of a moment; each AFFECTS and CAUSES has its evidence.

    Args:
        as_of: The moment of the seed; events lie some days before it.
        sources: The data sets that the graph speaks of.
        news: The news, which become its documents.
    """
    dataset = generated("sample_graph", "경제 관계 그래프(예시 데이터)", "Graph of economic relations (sample)", as_of)
    return Block(dataset, {}, _Builder(dataset, sources, news).build())


class _Builder:
    def __init__(self, dataset: Dataset, sources: Sources, news: Block) -> None:
        self._content = load_yaml(__package__, "graph.yaml")
        self._today = dataset.as_of.date()
        self._sources = sources
        self._news = news.rows
        self._rows = GraphRows(
            SCHEMA,
            {
                "dataset_id": dataset.dataset_id,
                "dataset_source": dataset.source,
                "dataset_sample": dataset.sample,
                "as_of": dataset.as_of.replace(tzinfo=None).isoformat(" "),
            },
        )
        self._labels: dict[str, str] = {}

    def build(self) -> GraphRows:
        self._themes_and_indicators()
        self._companies()
        self._regions()
        self._events()
        self._relations()
        self._stories()
        self._correlations()
        self._documents()
        return self._rows

    def _node(self, label: str, node_id: str, names: Mapping[str, str], **properties: object) -> None:
        self._labels[node_id] = label
        self._rows.add_node(label, node_id, name_ko=names["ko"], name_en=names["en"], **properties)

    def _key(self, node_id: str) -> NodeKey:
        return NodeKey(self._labels[node_id], node_id)

    def _edge(self, relation: str, source: str, target: str, **properties: object) -> None:
        self._rows.add_edge(Edge(relation, self._key(source), self._key(target), properties))

    def _themes_and_indicators(self) -> None:
        series = load_yaml(__package__, "macro.yaml")
        for theme, entry in self._content["themes"].items():
            self._node("MacroTheme", theme, entry)
            for series_id in entry.get("indicators", ()):
                one = series[series_id]
                self._node("EconomicIndicator", series_id, one, country=one["country"], unit=one["unit"])
                self._edge("BELONGS_TO", series_id, theme)

    def _companies(self) -> None:
        sectors = {
            ticker: e["sector"]
            for some in load_yaml(__package__, "companies.yaml").values()
            for ticker, e in some.items()
        }
        themes = {s: theme for theme, e in self._content["themes"].items() for s in e.get("sectors", ())}
        for market, shares in load_yaml(__package__, "securities.yaml").items():
            for ticker, names in shares.items():
                sector = sectors[ticker]
                self._node("Company", f"{market}:{ticker}", names, market=market, sector=sector)
                self._edge("BELONGS_TO", f"{market}:{ticker}", themes[sector])

    def _regions(self) -> None:
        for province, entry in provinces().items():
            self._node("RealEstateRegion", province, entry, level="province")
            for code, region in entry["regions"].items():
                self._node("RealEstateRegion", code, region, level="district")
                self._edge("BELONGS_TO", code, province)

    def _events(self) -> None:
        for event in self._content["events"]:
            day = self._today - timedelta(days=event["days"])
            self._node("Event", event["id"], event, event_date=day.isoformat(), kind=event["kind"])
            self._edge("ABOUT_THEME", event["id"], event["theme"])

    def _relations(self) -> None:
        for one in self._content["affects"]:
            self._affects(one["from"], one["to"], one["polarity"], one["weight"], one)
        for one in self._content["regions"]:
            for code, weight in one["to"].items():
                self._affects(one["from"], code, one["polarity"], weight, one)
        for event in self._content["events"]:
            for target, (polarity, weight) in event["affects"].items():
                self._affects(event["id"], target, polarity, weight, _told(event, self._names(target), polarity))
        for one in self._content["causes"]:
            evidence_id = self._evidence(one["from"], one["to"], one)
            self._edge("CAUSES", one["from"], one["to"], weight=one["weight"], evidence_id=evidence_id)

    def _names(self, node_id: str) -> Mapping[str, Any]:
        return self._rows.node(self._key(node_id))

    def _affects(self, source: str, target: str, polarity: str, weight: float, text: Mapping[str, Any]) -> None:
        evidence_id = self._evidence(source, target, text)
        self._edge("AFFECTS", source, target, polarity=polarity, weight=float(weight), evidence_id=evidence_id)

    def _evidence(self, source: str, target: str, text: Mapping[str, Any]) -> str:
        evidence_id = f"{source}>{target}"
        names = {"ko": f"근거 {evidence_id}", "en": f"Evidence {evidence_id}"}
        self._node("Evidence", evidence_id, names, text_ko=text["ko"], text_en=text["en"])
        self._edge("HAS_EVIDENCE", source, evidence_id)
        self._edge("SUPPORTS", evidence_id, target)
        return evidence_id

    def _stories(self) -> None:
        for story in self._content["stories"]:
            self._node("Story", story["id"], story, text_ko=story["tko"], text_en=story["ten"])
            self._edge("ABOUT_THEME", story["id"], story["theme"])
            for evidence_id in story["evidence"]:
                self._edge("SUPPORTS", evidence_id, story["id"])

    def _correlations(self) -> None:
        values = _monthly(self._sources.macro.rows[MACRO_OBSERVATIONS])
        for first, second in self._content["correlates"]:
            months, coefficient = _correlation(values[first], values[second])
            self._edge("CORRELATES", first, second, coefficient=coefficient, months=float(months))

    def _documents(self) -> None:
        themes = {
            edge.source.node_id: edge.target.node_id for edge in self._rows.edges if edge.relation == "BELONGS_TO"
        }
        for row in self._news[NEWS_ARTICLES]:
            names = {"ko": row["title_ko"], "en": row["title_en"]}
            self._node("Document", row["news_id"], names, published_at=row["published_at"].isoformat(" "))
        for row in self._news[NEWS_SUBJECTS]:
            self._edge("MENTIONS", row["news_id"], row["subject_id"])
            if _MENTIONED[row["kind"]] != "RealEstateRegion":
                self._edge("ABOUT_THEME", row["news_id"], themes[row["subject_id"]])


def _told(event: Mapping[str, Any], target: Mapping[str, Any], polarity: str) -> dict[str, str]:
    up = polarity == "POSITIVE"
    return {
        "ko": f"{event['ko']}: {target['name_ko']}에 {'오르는' if up else '내리는'} 쪽의 힘이 될 수 있다.",
        "en": f"{event['en']}: may push {target['name_en']} {'up' if up else 'down'}.",
    }


def _monthly(observations: Sequence[Row]) -> dict[str, dict[date, float]]:
    """Return the last value of each month of each series."""
    values: dict[str, dict[date, float]] = {}
    for row in sorted(observations, key=lambda row: row["date"]):
        values.setdefault(row["series_id"], {})[row["date"].replace(day=1)] = row["value"]
    return values


def _correlation(first: Mapping[date, float], second: Mapping[date, float]) -> tuple[int, float]:
    """Return how many monthly changes two series share and how closely those move together, -1 to 1."""
    months = sorted(set(first) & set(second))
    if len(months) <= _MONTHS_MIN:
        raise ValueError(f"two series share {len(months)} months only")
    changes = list(_changes(months, first, second))
    return len(changes), round(float(np.corrcoef(np.array(changes).T)[0, 1]), 3)


def _changes(
    months: Sequence[date], first: Mapping[date, float], second: Mapping[date, float]
) -> Iterator[tuple[float, float]]:
    for before, after in pairwise(months):
        yield first[after] - first[before], second[after] - second[before]
