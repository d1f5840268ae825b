"""What the sample graph holds: its relations by name, read from the file that it is loaded from."""

from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Any

from services.plugin.data.sample import load_yaml


@dataclass(frozen=True)
class Relation:
    """One relation between two names."""

    weight: Decimal
    """How strong it is taken to be."""
    sign: int
    """1 with the cause, -1 against it, 0 for one event that led to another."""


def relations() -> dict[tuple[str, str], Relation]:
    """Returns the relations by the names of their ends, in each language."""
    content, names = load_yaml("services.domains.finance.data.sample", "graph.yaml"), _names()
    found: dict[tuple[str, str], Relation] = {}

    def add(first: str, last: str, weight: float, polarity: str | None) -> None:
        sign = {"POSITIVE": 1, "NEGATIVE": -1, None: 0}[polarity]
        for one, other in zip(names[first], names[last], strict=True):
            found[one, other] = Relation(Decimal(str(weight)), sign)

    for one in content["affects"]:
        add(one["from"], one["to"], one["weight"], one["polarity"])
    for one in content["regions"]:
        for code, weight in one["to"].items():
            add(one["from"], code, weight, one["polarity"])
    for event in content["events"]:
        for target, (polarity, weight) in event["affects"].items():
            add(event["id"], target, weight, polarity)
    for one in content["causes"]:
        add(one["from"], one["to"], one["weight"], None)
    return found


def chain_of(names: list[str], known: dict[tuple[str, str], Relation]) -> Relation | None:
    """Returns the product along a chain of names; None where the graph lacks one of its relations."""
    weight, sign = Decimal(1), 1
    for pair in pairwise(names):
        if pair not in known:
            return None
        weight, sign = weight * known[pair].weight, sign * known[pair].sign
    return Relation(weight, sign)


def _names() -> dict[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = {}

    def add(node_id: str, entry: Any) -> None:
        found[node_id] = (_bare(entry["ko"]), _bare(entry["en"]))

    for series_id, entry in load_yaml("services.domains.finance.data.sample", "macro.yaml").items():
        add(series_id, entry)
    for market, shares in load_yaml("services.domains.finance.data.sample", "securities.yaml").items():
        for ticker, entry in shares.items():
            add(f"{market}:{ticker}", entry)
    for province in load_yaml("services.domains.homes.data.sample", "regions.yaml").values():
        for code, entry in province["regions"].items():
            add(code, entry)
    for event in load_yaml("services.domains.finance.data.sample", "graph.yaml")["events"]:
        add(event["id"], event)
    return found


def _bare(name: str) -> str:
    if name.endswith(("(예시)", "(sample)")) or not name.endswith(")"):
        return name
    return name[: name.rindex("(")].rstrip()
