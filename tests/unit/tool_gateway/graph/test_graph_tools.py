"""The tools over the graph: paths with evidence at each step, stories, correlations, and a model's own Cypher."""

from math import prod

import pytest

from services.contract.tool import ToolFailure, ToolResult
from services.tool_gateway.graph_reads import GatewayGraphReads
from services.tool_gateway.invocation import Invocations
from services.tool_gateway.reads import GatewayReads
from services.tool_gateway.registry import load_registry
from tests.unit.tool_gateway.seeded_data import AGENT, make_call, rows_of


@pytest.mark.asyncio
async def test_paths_from_a_series(invoke) -> None:
    """The effects of a series, strongest first, one and two steps far, each step with its evidence."""
    outcome = await invoke("graph_paths", {"series_ids": ["fedfunds"], "limit": 60})
    rows = rows_of(outcome)
    assert isinstance(outcome, ToolResult)
    assert {len(row["steps"]) for row in rows} == {1, 2}
    assert [row["strength"] for row in rows] == sorted((row["strength"] for row in rows), reverse=True)
    assert [row["strength"] for row in rows] == [round(prod(one["weight"] for one in row["steps"]), 4) for row in rows]
    for row in rows:
        assert row["nodes"][0]["id"] == "FEDFUNDS"
        assert len(row["nodes"]) == len(row["steps"]) + 1
        assert all(step["evidence_ko"] and step["evidence_id"] for step in row["steps"])
        negatives = sum(step["polarity"] == "NEGATIVE" for step in row["steps"])
        assert row["polarity"] == ("NEGATIVE" if negatives % 2 else "POSITIVE")
    provenance = outcome.provenance
    assert (provenance.dataset, provenance.table, provenance.sample) == ("sample_graph", "AFFECTS", True)
    assert provenance.template_id == "graph_impacts_1.v1+graph_impacts_2.v1"


@pytest.mark.asyncio
async def test_paths_to_a_company(invoke) -> None:
    """What affects a share: series and events, and events that led to those."""
    rows = rows_of(await invoke("graph_paths", {"ticker": "KR:005930", "limit": 60}))
    assert {row["nodes"][-1]["id"] for row in rows} == {"KR:005930"}
    assert {step["relation"] for row in rows for step in row["steps"]} == {"AFFECTS", "CAUSES"}
    assert all(row["polarity"] is None for row in rows if row["steps"][0]["relation"] == "CAUSES")


@pytest.mark.asyncio
async def test_paths_between(invoke) -> None:
    """With series and target only the paths between them come back; where there is none, the note says so."""
    rows = rows_of(await invoke("graph_paths", {"series_ids": ["FEDFUNDS"], "ticker": "KR:005930"}))
    assert [[node["id"] for node in row["nodes"]] for row in rows] == [["FEDFUNDS", "KR_USDKRW", "KR:005930"]]
    none = await invoke("graph_paths", {"series_ids": ["UNRATE"], "ticker": "US:JPM", "steps_max": 1})
    assert rows_of(none) == []
    assert "no path leads from these series" in none.note


@pytest.mark.asyncio
async def test_paths_to_a_district(invoke) -> None:
    """A district is reached by rates, and its code stays an id."""
    rows = rows_of(await invoke("graph_paths", {"region_code": "11350", "steps_max": 1}))
    assert "KR_BASE_RATE" in {row["nodes"][0]["id"] for row in rows}
    assert {row["nodes"][-1]["name_ko"] for row in rows} == {"노원구"}


@pytest.mark.parametrize(
    ("tool", "arguments", "field"),
    [
        ("graph_paths", {"ticker": "US:ZZZZ"}, "ticker"),
        ("graph_paths", {"series_ids": ["NO_SUCH"]}, "series_ids"),
        ("graph_paths", {"region_code": "99"}, "region_code"),
        ("graph_paths", {}, "series_ids"),
        ("graph_paths", {"ticker": "US:NVDA", "steps_max": 3}, "steps_max"),
        ("graph_paths", {"ticker": "US:NVDA", "steps_max": "3) DETACH DELETE n //"}, "steps_max"),
        ("graph_stories", {"ticker": "US:ZZZZ"}, "ticker"),
        ("graph_correlations", {"series_ids": ["NO_SUCH"]}, "series_ids"),
    ],
)
@pytest.mark.asyncio
async def test_what_the_graph_does_not_hold_is_named(invoke, tool, arguments, field) -> None:
    """An unknown node, or a depth that is none, is refused with its field."""
    outcome = await invoke(tool, arguments)
    assert isinstance(outcome, ToolFailure)
    assert outcome.field == field


@pytest.mark.asyncio
async def test_stories_and_correlations(invoke) -> None:
    """A share's theme has stories with evidence; correlations lie between -1 and 1 and name their months."""
    stories = rows_of(await invoke("graph_stories", {"ticker": "US:NVDA"}))
    assert {row["theme_id"] for row in stories} == {"ai_semiconductors"}
    assert all(row["evidence_ko"] for row in stories)
    pairs = rows_of(await invoke("graph_correlations", {"series_ids": ["CPIAUCSL", "DGS10"]}))
    assert pairs
    assert all(-1 <= row["coefficient"] <= 1 and row["months"] >= 12 for row in pairs)


@pytest.mark.asyncio
async def test_a_models_cypher_runs_after_its_check(invoke) -> None:
    """A plain read returns its own columns, at most the limit, with the checked directions in the note."""
    cypher = (
        "MATCH (a:EconomicIndicator)-[r:AFFECTS]->(c:Company) WHERE c.market = 'KR' AND r.weight > 0.4 "
        "RETURN a.name_ko AS cause, c.name_ko AS company, r.polarity AS polarity "
        "ORDER BY r.weight DESC, company LIMIT 500"
    )
    outcome = await invoke("ontology_cypher", {"cypher": cypher, "limit": 4})
    rows = rows_of(outcome)
    assert len(rows) == 4
    assert {"cause", "company", "polarity"} == set(rows[0]["values"])
    assert outcome.note == "checked against the schema: (EconomicIndicator)-[:AFFECTS]->(Company)"
    assert (outcome.provenance.dataset, outcome.provenance.sample) == ("sample_graph", True)


@pytest.mark.parametrize(
    ("cypher", "reason"),
    [
        ("MATCH (c:Company)-[:AFFECTS]->(x:EconomicIndicator) RETURN x.id", "does not lead from Company"),
        ("MATCH (n) DETACH DELETE n", "begins no read clause"),
        ("MATCH (n:Product) RETURN n.id", "there is no label Product"),
    ],
)
@pytest.mark.asyncio
async def test_a_models_cypher_is_refused_with_the_reason(invoke, cypher, reason) -> None:
    """What may not run fails at its argument, and the model is told why."""
    outcome = await invoke("ontology_cypher", {"cypher": cypher})
    assert isinstance(outcome, ToolFailure)
    assert (outcome.field, outcome.retryable) == ("cypher", False)
    assert reason in outcome.message


@pytest.mark.asyncio
async def test_without_a_graph_the_tools_say_so(reader) -> None:
    """A deployment without a graph fails these tools as unavailable, and no other."""
    registry = load_registry()
    invocations = Invocations(
        registry, GatewayReads(reader, None, GatewayGraphReads(None)), {AGENT: frozenset(registry.names)}
    )
    outcome = await invocations.invoke(make_call("graph_paths", {"ticker": "US:NVDA"}))
    assert isinstance(outcome, ToolFailure)
    assert (outcome.reason, outcome.retryable) == ("TOOL_FAILED", True)
    assert isinstance(await invocations.invoke(make_call("macro_brief", {})), ToolResult)
