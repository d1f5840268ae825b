"""What stands in for what a step has lost: another tool or agent of the registry, bounded and told."""

import json
from dataclasses import dataclass, replace
from datetime import timedelta

import pytest

from services.catalog.loader import catalog
from services.contract.events import AgentOutcome
from services.contract.flow import AgentStatus, Branch, FailureTag, ToolCall, ToolProbe
from services.contract.tool import SideEffect, ToolCost, ToolDescription
from services.orchestrator.steps.alternatives import AlternativePool, failed_tools, instead_of_agent, instead_of_tools
from services.orchestrator.steps.machine import StepState
from services.orchestrator.steps.variation import same_calls
from services.runtime.errors import Internal, Unavailable
from tests.unit.orchestrator.test_loop import Found, ScriptedEnsemble, executed, plan_step, states

PRICES = ToolCall("market_data", b'{"region_code": "11680", "property_type": "apartment"}', "market_data.v1")


def tool(name: str, *alternatives: str, data_type: str = "", required: tuple[str, ...] = ()) -> ToolDescription:
    """Returns a tool as the registry holds it."""
    schema = json.dumps({"type": "object", "required": list(required)}).encode()
    return ToolDescription(
        name=name,
        description="",
        arguments_schema_json=schema,
        arguments_schema_id=f"{name}.v1",
        rows_schema_json=b"{}",
        rows_schema_id="",
        domain="",
        data_type=data_type or name,
        cost=ToolCost.LOW,
        typical_duration=timedelta(seconds=1),
        quality=0.9,
        depends_on=(),
        alternatives=alternatives,
        side_effect=SideEffect.NONE,
        required_role="",
        timeout_duration=timedelta(seconds=5),
        concurrency_max=8,
        definition_digest="",
        last_use_time=None,
    )


REGISTRY = {
    one.name: one
    for one in (
        tool("market_data", "real_estate_trend", required=("region_code",)),
        tool("real_estate_trend", "market_data", required=("region_code",)),
        tool("graph_paths", data_type="graph"),
        tool("graph_stories", data_type="graph"),
        tool("macro_series", data_type="macro", required=("series_ids",)),
        tool("macro_brief", data_type="macro"),
    )
}


@dataclass
class Registered(ScriptedEnsemble):
    """Scripted agents beside a registry that can be read."""

    async def tools(self, locale: str) -> dict[str, ToolDescription]:
        """Returns the registry."""
        del locale
        return REGISTRY


def offer(*served: str) -> AlternativePool:
    """Returns what there is to choose from where these agents are served."""
    return AlternativePool(catalog(), REGISTRY, lambda agent: agent in served)


def test_another_agent_takes_the_values_of_the_lost_calls() -> None:
    """The alternative tool's arguments are bound to the same values, and its schema is its own."""
    instead = instead_of_agent(offer("finance.real_estate", "finance.macro"), "realty.search", (PRICES,))
    assert instead is not None
    assert (instead.agent, instead.branch, len(instead.calls)) == ("finance.real_estate", Branch.SQL, 1)
    [call] = instead.calls
    assert (call.tool, call.arguments_schema_id) == ("real_estate_trend", "real_estate_trend.v1")
    assert json.loads(call.arguments_json) == {"region_code": "11680", "property_type": "apartment"}


def test_an_agent_with_the_same_tool_comes_first() -> None:
    """Relations are looked up by whoever has that tool, on its own branch."""
    call = ToolCall("graph_paths", b'{"ticker": "US:AAPL"}', "graph_paths.v1")
    instead = instead_of_agent(offer("finance.equity"), "finance.ontology", (call,))
    assert instead is not None
    assert (instead.agent, instead.branch, [one.tool for one in instead.calls]) == (
        "finance.equity",
        Branch.GRAPH,
        ["graph_paths"],
    )


@pytest.mark.parametrize(
    ("served", "call"),
    [
        ((), PRICES),
        (("finance.real_estate",), ToolCall("market_data", b'{"property_type": "apartment"}', "market_data.v1")),
        (("finance.equity",), ToolCall("macro_series", b'{"series_ids": ["UNRATE"]}', "macro_series.v1")),
    ],
    ids=["nobody is served", "a value is missing", "nothing of it is bound"],
)
def test_nothing_is_guessed(served: tuple[str, ...], call: ToolCall) -> None:
    """Without a served agent whose tool takes the values that there are, there is no alternative."""
    owner = "finance.macro" if call.tool == "macro_series" else "realty.search"
    assert instead_of_agent(offer(*served), owner, (call,)) is None


def test_a_failed_tool_is_replaced_by_one_that_was_not_called() -> None:
    """Tools for the same data stand in, except those that the step has called already."""
    failed = ToolCall("graph_stories", b'{"ticker": "US:AAPL", "series_ids": []}', "graph_stories.v1")
    paths = ToolCall("graph_paths", b'{"ticker": "US:AAPL"}', "graph_paths.v1")
    found = instead_of_tools(offer("finance.ontology"), "finance.ontology", (failed,), ("graph_stories",))
    assert found is not None
    assert {call.tool for call in found.calls} == {"graph_paths"}
    assert instead_of_tools(offer("finance.ontology"), "finance.ontology", (failed, paths), ("graph_stories",)) is None


@pytest.mark.asyncio
async def test_a_lost_required_agent_is_replaced_and_both_are_told() -> None:
    """An unreachable agent is not called again here; the alternative runs, and the answer says what was looked at."""
    ensemble = Registered({"realty.search": [Unavailable("gone")], "finance.real_estate": [Found(4)]})
    step = plan_step("s1", "realty.search", required=True)
    later = plan_step("s2", "realty.analysis", "s1")
    ensemble.script["realty.analysis"] = [Found(1)]
    state, settled = await executed(ensemble, step, later)
    assert [(one.agent, one.outcome) for one in settled] == [
        ("realty.search", AgentOutcome.UNREACHABLE),
        ("finance.real_estate", AgentOutcome.ANSWERED),
        ("realty.analysis", AgentOutcome.ANSWERED),
    ]
    assert [call.tool for call in ensemble.asked[1].calls] == ["real_estate_trend"]
    assert ensemble.asked[2].prior_results == (state.findings.results["added1"],)
    assert (state.tags, len(state.cautions)) == ([FailureTag.AGENT_CALL_FAILED], 2)


@pytest.mark.asyncio
async def test_what_is_not_required_is_let_go() -> None:
    """Where another step's agent fails, the flow accepts what there is."""
    ensemble = Registered({"realty.search": [Unavailable("gone")], "finance.real_estate": []})
    state, _ = await executed(ensemble, plan_step("s1", "realty.search"))
    assert list(states(state)) == ["s1"]


@pytest.mark.asyncio
async def test_a_failed_agent_runs_once_more_before_another_one_is_asked() -> None:
    """Three calls in all: two of the agent, one of its alternative; none after that one fails as well."""
    ensemble = Registered(
        {"realty.search": [Internal("broke"), Internal("broke")], "finance.real_estate": [Internal("broke")]}
    )
    state, settled = await executed(ensemble, plan_step("s1", "realty.search", required=True))
    assert [one.agent for one in settled] == ["realty.search", "realty.search", "finance.real_estate"]
    assert states(state) == {"s1": StepState.SKIPPED, "added1": StepState.SKIPPED}
    assert len(state.cautions) == 3


@pytest.mark.asyncio
@pytest.mark.parametrize(("reason", "runs"), [("TIMED_OUT", 1), ("UNAVAILABLE", 1), ("TOOL_FAILED", 2)])
async def test_what_a_hop_has_repeated_is_not_repeated_again(reason: str, runs: int) -> None:
    """Timed-out tools and unreached gateways were tried again by the hop before: over all hops three times at most."""
    failed = Found(0, AgentStatus.FAILED, reason=reason)
    ensemble = ScriptedEnsemble({"realty.search": [failed] * runs})
    await executed(ensemble, plan_step("s1", "realty.search", required=True))
    assert len(ensemble.asked) == runs


@pytest.mark.asyncio
async def test_a_tool_that_failed_beside_others_is_replaced() -> None:
    """The step keeps what its other tools returned, and the data of the failed one is looked for elsewhere."""
    probes = (ToolProbe("market_data", Branch.SQL, 0, "", "TOOL_FAILED"),)
    ensemble = Registered({"realty.search": [Found(4, probes=probes)], "finance.real_estate": [Found(3)]})
    state, settled = await executed(ensemble, plan_step("s1", "realty.search", required=True))
    assert [one.agent for one in settled] == ["realty.search", "finance.real_estate"]
    assert set(state.findings.results) == {"s1", "added1"}
    assert len(state.cautions) == 1


def test_what_says_nothing_about_the_tool_is_no_failure_of_it() -> None:
    """Refusals and identifiers that are not covered are about the question; without a gateway no tool is replaced."""

    def of(*reasons: str) -> tuple[str, ...]:
        probes = tuple(ToolProbe(f"t{n}", Branch.SQL, 0, "", reason) for n, reason in enumerate(reasons))
        return failed_tools(replace(Found(0).result("a", "s1"), tool_probes=probes))

    assert of("TOOL_FAILED", "") == ("t0",)
    assert of("TIMED_OUT", "ROWS_MALFORMED") == ("t0", "t1")
    assert of("NOT_COVERED", "TYPE_MISMATCH", "") == ()
    assert of("TOOL_FAILED", "UNAVAILABLE") == ()


@pytest.mark.asyncio
async def test_what_a_tool_needs_is_looked_up_first() -> None:
    """A tool that was refused for the want of another's result: that one is called, then the tool once more."""
    needy = replace(tool("real_estate_search", required=("region_code",)), depends_on=("real_estate_trend",))

    @dataclass
    class Needy(Registered):
        async def tools(self, locale: str) -> dict[str, ToolDescription]:
            return {**await super().tools(locale), needy.name: needy}

    call = ToolCall("real_estate_search", PRICES.arguments_json, "real_estate_search.v1")
    refused = (ToolProbe("real_estate_search", Branch.SQL, 0, "", "DEPENDENCY_NOT_MET"),)
    ensemble = Needy({"realty.search": [Found(4, probes=refused), Found(5)], "finance.real_estate": [Found(3)]})
    step = plan_step("s1", "realty.search", suggested_calls=(PRICES, call))
    state, settled = await executed(ensemble, step)
    assert [one.agent for one in settled] == ["realty.search", "finance.real_estate", "realty.search"]
    assert [one.tool for one in ensemble.asked[1].calls] == ["real_estate_trend"]
    assert same_calls(ensemble.asked[2].calls, (call,))
    assert ensemble.asked[2].prior_results == (state.findings.results["added1"],)


@pytest.mark.asyncio
async def test_a_result_that_is_accepted_in_part_says_so() -> None:
    """Where a second look finds as little as the first, the answer bears a caution."""
    state, _ = await executed(
        ScriptedEnsemble({"realty.search": [Found(2), Found(2)]}), plan_step("s1", "realty.search")
    )
    assert (states(state), len(state.cautions)) == ({"s1": StepState.PARTIALLY_ACCEPTED}, 1)
