"""The sample graph fits the schema and the other data, and every claim in it has evidence."""

import pytest

from services.domains.finance.graph import POLARITIES
from services.plugin.data.graph import Edge, GraphRowError, GraphRows, NodeKey
from services.plugin.data.sample import load_yaml
from services.tool_gateway.data.graph.schema import LABELS, RELATIONS

FINANCE = "services.domains.finance.data.sample"


def test_every_label_and_relation_is_there(sample_rows: GraphRows) -> None:
    """The sample holds nodes of every label and relations of every type."""
    assert set(sample_rows.nodes) == set(LABELS)
    assert {edge.relation for edge in sample_rows.edges} == set(RELATIONS)


def test_every_effect_has_its_evidence(sample_rows: GraphRows) -> None:
    """Each AFFECTS and CAUSES names evidence that its cause has and that supports its effect."""
    kinds = {(edge.relation, edge.source, edge.target) for edge in sample_rows.edges}
    claims = [edge for edge in sample_rows.edges if edge.relation in {"AFFECTS", "CAUSES"}]
    assert len(claims) > 60
    for claim in claims:
        evidence = NodeKey("Evidence", str(claim.properties["evidence_id"]))
        assert sample_rows.node(evidence)["text_ko"]
        assert ("HAS_EVIDENCE", claim.source, evidence) in kinds
        assert ("SUPPORTS", evidence, claim.target) in kinds
        assert 0 < claim.properties["weight"] <= 1
        assert claim.relation == "CAUSES" or claim.properties["polarity"] in POLARITIES


def test_the_graph_knows_what_the_tables_know(sample_rows: GraphRows) -> None:
    """Indicators are the generated series, companies the covered shares, each affected, regions those with prices."""
    universe = {
        f"{market}:{ticker}" for market, shares in load_yaml(FINANCE, "securities.yaml").items() for ticker in shares
    }
    regions = load_yaml("services.domains.homes.data.sample", "regions.yaml")
    districts = {code for province in regions.values() for code in province["regions"]}
    assert set(sample_rows.nodes["EconomicIndicator"]) == set(load_yaml(FINANCE, "macro.yaml"))
    assert set(sample_rows.nodes["Company"]) == universe
    assert set(sample_rows.nodes["RealEstateRegion"]) == districts | set(regions)
    affected = {edge.target.node_id for edge in sample_rows.edges if edge.relation == "AFFECTS"}
    assert universe <= affected


def test_every_row_is_marked_as_sample(sample_rows: GraphRows) -> None:
    """Nodes and relations name the data set, its source and its moment."""
    assert sample_rows.origin["dataset_id"] == "sample_graph"
    assert sample_rows.origin["dataset_sample"] is True
    for nodes in sample_rows.nodes.values():
        for node in nodes.values():
            assert {name: node[name] for name in sample_rows.origin} == dict(sample_rows.origin)


@pytest.mark.parametrize(
    ("relation", "source", "target"),
    [("AFFECTS", "Company", "EconomicIndicator"), ("CAUSES", "EconomicIndicator", "Event")],
)
def test_a_wrong_direction_is_refused(sample_rows: GraphRows, relation, source, target) -> None:
    """A relation that the schema does not lead that way cannot be added."""
    keys = [NodeKey(label, next(iter(sample_rows.nodes[label]))) for label in (source, target)]
    with pytest.raises(GraphRowError, match="does not lead"):
        sample_rows.add_edge(Edge(relation, keys[0], keys[1], {}))


def test_a_relation_to_nowhere_is_refused(sample_rows: GraphRows) -> None:
    """Both ends of a relation must be there."""
    source = NodeKey("EconomicIndicator", "FEDFUNDS")
    properties = {"polarity": "POSITIVE", "weight": 0.5, "evidence_id": "x"}
    with pytest.raises(GraphRowError, match="there is no Company nobody"):
        sample_rows.add_edge(Edge("AFFECTS", source, NodeKey("Company", "nobody"), properties))
