"""Paths of the graph: strength, sign, and that nothing without evidence is told as a cause."""

from math import prod
from typing import Any

import pytest
from pydantic import ValidationError

from services.domains.finance.agents.impact_path import path_findings, told_paths
from services.domains.finance.tools.graph_paths import GraphPathsRow
from services.plugin.findings import Asking, Reading
from tests.unit.agents.loopback import AS_OF, NOW, tool_result


def step(polarity: str | None = "POSITIVE", weight: float = 0.5, **changed: Any) -> dict[str, Any]:
    """Returns a relation with its evidence."""
    said = {"evidence_id": "A>B", "evidence_ko": "가가 오르면 나가 오른다.", "evidence_en": "A lifts B."}
    relation = "CAUSES" if polarity is None else "AFFECTS"
    return {"relation": relation, "polarity": polarity, "weight": weight, **said, **changed}


def path(names: str, *steps: dict[str, Any]) -> GraphPathsRow:
    """Returns a path along names."""
    nodes = [{"id": name.upper(), "name_ko": f"{name}지표", "name_en": f"series {name}"} for name in names]
    row: dict[str, Any] = {"nodes": nodes, "steps": list(steps), "as_of": AS_OF}
    row |= {"polarity": None, "strength": round(prod(step["weight"] for step in steps), 4)}
    return GraphPathsRow.returned(row)


def asking(question: str = "왜?", locale: str = "ko") -> Asking:
    """Returns a question."""
    return Asking(question, locale, NOW, "Asia/Seoul", "", (), (), ())


def reading(*rows: GraphPathsRow, **arguments: Any) -> Reading:
    """Returns a reading of paths."""
    provenance = tool_result("graph_paths", []).provenance
    schema = "hapju.tool.graph_paths.rows.v1"
    return Reading("graph_paths", "graph", arguments, rows, schema, provenance, truncated=False, partial=False)


@pytest.mark.parametrize(
    ("polarities", "sign"),
    [
        (("POSITIVE",), 1),
        (("NEGATIVE",), -1),
        (("NEGATIVE", "NEGATIVE"), 1),
        (("POSITIVE", "NEGATIVE"), -1),
        ((None, "POSITIVE"), 0),
    ],
)
def test_signs_multiply(polarities, sign) -> None:
    """Two relations against each other lead with the beginning; an event that causes another has no sign."""
    names = "abc"[: len(polarities) + 1]
    assert path(names, *(step(one) for one in polarities)).sign == sign


@pytest.mark.parametrize("missing", [{"evidence_id": ""}, {"evidence_ko": " "}, {"evidence_en": ""}])
def test_a_relation_without_evidence_is_not_told(missing) -> None:
    """A path one of whose relations has no evidence is left out, said to be, and never a cause."""
    bare = path("abc", step(), step(**missing))
    found = path_findings([reading(bare)], asking())
    assert (found.metrics, found.evidence, found.causes, found.coverage) == ((), (), (), 0.0)
    assert "근거가 없는 관계는 답에서 뺐습니다." in found.cautions
    both = path_findings([reading(bare, path("ad", step()))], asking())
    assert [metric.subject for metric in both.metrics] == ["a지표 → d지표"]
    assert both.causes == (frozenset({"a지표", "d지표"}),)


def test_each_chain_is_told_once_and_the_strongest_first() -> None:
    """Of equal chains the strongest stands; five paths at most are told, in order of strength."""
    rows = [path(f"a{last}", step(weight=weight / 10)) for weight, last in enumerate("bcdefghi", start=1)]
    told = told_paths([*rows, path("ab", step(weight=0.95))])
    assert [row.nodes[-1].id for row in told] == ["B", "I", "H", "G", "F"]


def test_what_is_asked_for_goes_first() -> None:
    """A question of effects is told effects first, one of causes causes; the first series asked for leads."""
    effects = reading(path("ab", step(weight=0.2)), series_ids=["A"], toward="effects")
    causes = reading(path("ca", step(weight=0.9)), series_ids=["A"], toward="causes")
    asked_effects = path_findings([causes, effects], asking("a지표가 미치는 영향은?"))
    asked_causes = path_findings([effects, causes], asking("a지표는 왜 올라?"))
    assert asked_effects.metrics[0].subject == "a지표 → b지표"
    assert asked_causes.metrics[0].subject == "c지표 → a지표"


def test_a_path_needs_a_node_more_than_relations() -> None:
    """A row whose nodes and relations do not fit is malformed."""
    for names, steps in (("a", ()), ("abc", (step(),)), ("ab", (step(weight=1.5),))):
        with pytest.raises(ValidationError):
            path(names, *steps)


@pytest.mark.parametrize("locale", ["ko", "en"])
def test_no_id_is_told(locale) -> None:
    """Ids of nodes and evidence stand in no text."""
    found = path_findings([reading(path("ab", step()))], asking(locale=locale))
    texts = " ".join((found.summary, *found.key_drivers, *(piece.title + piece.excerpt for piece in found.evidence)))
    assert "A>B" not in texts
    assert "series A" not in texts
