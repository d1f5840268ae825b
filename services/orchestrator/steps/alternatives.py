"""Who else can look at what a step has lost: another tool for the same data, or another agent with the tool.

    the agent was lost      the same tools at another agent, then the alternatives of its tools
    a tool has failed       the alternatives of that tool, at the same agent or at another one

    a tool was refused      what it needs first, then the tool once more

    alternatives of a tool  those that the registry declares for it, then those for the same type of data

The values are the lost calls' own: what an agent's calls are bound to in the catalog is read back from their arguments
and bound to the other tool's arguments. Nothing is guessed: a tool that needs more than that is no alternative. Pure.
"""

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from services.catalog.loader import Catalog
from services.contract.flow import AgentResult, Branch, ToolCall
from services.contract.tool import ToolDescription
from services.plugin.declarations import ToolBinding

GATEWAY_LOST: Final = frozenset({"UNAVAILABLE", "DRAINING", "CIRCUIT_OPEN", "DEADLINE_EXCEEDED"})
"""Reasons of calls whose tool gateway did not answer: no other tool would be answered either."""
NO_FAILURE: Final = frozenset(
    {"", "NOT_COVERED", "UNKNOWN_TOOL", "SCHEMA_NOT_FOUND", "MISSING_REQUIRED_FIELD", "TYPE_MISMATCH"}
    | {"VALUE_OUT_OF_RANGE", "INVALID_FORMAT", "UNAUTHORIZED_ACTION", "INVALID_REQUEST"}
)
"""Reasons that say something about what was asked for, and nothing about the tool."""
DEPENDENCY_NOT_MET: Final = "DEPENDENCY_NOT_MET"
"""The reason of a call that needs the result of another tool first."""
GRAPH_DATA: Final = "graph"
"""The type of data that relations are."""

Values = Mapping[str, Any]
"""What calls are bound to, by the catalog's name of the value: `$region_code`."""


@dataclass(frozen=True, slots=True)
class Instead:
    """What is looked at in place of what was lost."""

    agent: str
    """Who looks."""
    calls: tuple[ToolCall, ...]
    """How."""
    branch: Branch
    """The branch that the calls belong to."""


@dataclass(frozen=True, slots=True)
class AlternativePool:
    """What alternatives are chosen from."""

    catalog: Catalog
    """The agents and what their tools are bound to."""
    tools: Mapping[str, ToolDescription]
    """The registry; empty where it cannot be read."""
    may_ask: Callable[[str], bool]
    """Whether an agent is served and may be asked in this flow."""


def calls_made(offer: AlternativePool, calls: Collection[ToolCall], branch: Branch) -> tuple[ToolCall, ...]:
    """Return the calls that a step of a branch makes: those on the other branch are not its own."""
    graph = branch is Branch.GRAPH
    return tuple(
        call for call in calls if call.tool in offer.tools and (offer.tools[call.tool].data_type == GRAPH_DATA) is graph
    )


def failed_tools(result: AgentResult | None) -> tuple[str, ...]:
    """Return the tools of a result that failed, each once; none where their gateway did not answer."""
    probes = result.tool_probes if result is not None else ()
    if any(probe.reason in GATEWAY_LOST for probe in probes):
        return ()
    return tuple(dict.fromkeys(probe.tool for probe in probes if probe.reason not in NO_FAILURE))


def instead_of_agent(offer: AlternativePool, agent: str, calls: Collection[ToolCall]) -> Instead | None:
    """Return who else can look at what a lost agent was to look at, or None."""
    others = [name for name in offer.catalog.agents if name != agent]
    for tools in ([call.tool for call in calls], _alternatives(offer, [call.tool for call in calls])):
        if found := _first(offer, agent, calls, others, tools):
            return found
    return None


def instead_of_tools(
    offer: AlternativePool, agent: str, calls: Collection[ToolCall], failed: Collection[str]
) -> Instead | None:
    """Return how else to come by the data of tools that failed, at the same agent first, or None."""
    lost = [call for call in calls if call.tool in failed]
    called = {call.tool for call in calls}
    tools = [tool for tool in _alternatives(offer, failed) if tool not in called]
    return _first(offer, agent, lost, [agent, *(name for name in offer.catalog.agents if name != agent)], tools)


def dependencies_first(
    offer: AlternativePool, agent: str, calls: Collection[ToolCall], unmet: Collection[str]
) -> tuple[Instead, ...]:
    """Return what refused tools need first, and then their calls again; nothing where that cannot be had."""
    refused = [call for call in calls if call.tool in unmet and call.tool in offer.tools]
    needed = {name for call in refused for name in offer.tools[call.tool].depends_on}
    others = [name for name in offer.catalog.agents if name != agent]
    first = _first(offer, agent, refused, [agent, *others], needed)
    return (first, Instead(agent, tuple(refused), _branch(offer, refused))) if first is not None else ()


def unmet_tools(result: AgentResult | None) -> tuple[str, ...]:
    """Return the tools of a result that were refused because their flow has no result yet of what they need."""
    probes = result.tool_probes if result is not None else ()
    return tuple(dict.fromkeys(probe.tool for probe in probes if probe.reason == DEPENDENCY_NOT_MET))


def _first(
    offer: AlternativePool, lost: str, calls: Collection[ToolCall], agents: Collection[str], tools: Collection[str]
) -> Instead | None:
    values = list(_values(offer.catalog, lost, calls))
    for name in agents:
        if not offer.may_ask(name):
            continue
        bindings = [one for one in offer.catalog.agent(name).tools if one.name in tools]
        bound = [call for binding in bindings for one in values if (call := _bound(offer, binding, one)) is not None]
        if bound:
            return Instead(name, tuple(dict.fromkeys(bound)), _branch(offer, bound))
    return None


def _alternatives(offer: AlternativePool, tools: Collection[str]) -> list[str]:
    known = [offer.tools[name] for name in tools if name in offer.tools]
    declared = [name for tool in known for name in tool.alternatives]
    alike = [one.name for tool in known for one in offer.tools.values() if one.data_type == tool.data_type]
    return [name for name in dict.fromkeys((*declared, *alike)) if name not in tools]


def _values(catalog: Catalog, agent: str, calls: Collection[ToolCall]) -> Iterator[Values]:
    """Yield what each call is bound to, each set of values once."""
    told: list[Values] = []
    for call in calls:
        arguments = json.loads(call.arguments_json)
        bindings = [one for one in catalog.agent(agent).tools if one.name == call.tool]
        values = {
            bound: arguments[name]
            for binding in bindings
            for name, bound in binding.arguments.items()
            if isinstance(bound, str) and bound.startswith("$") and name in arguments
        }
        if values and values not in told:
            told.append(values)
            yield values


def _bound(offer: AlternativePool, binding: ToolBinding, values: Values) -> ToolCall | None:
    """Return a tool's call with values, or None where they are not enough for it or none of them is for it."""
    tool = offer.tools.get(binding.name)
    if tool is None:
        return None
    arguments: dict[str, Any] = {}
    uses = False
    for name, bound in binding.arguments.items():
        if not (isinstance(bound, str) and bound.startswith("$")):
            arguments[name] = bound
        elif bound in values:
            arguments[name], uses = values[bound], True
    required = json.loads(tool.arguments_schema_json).get("required", [])
    if not uses or any(name not in arguments for name in required):
        return None
    return ToolCall(binding.name, json.dumps(arguments, ensure_ascii=False).encode(), tool.arguments_schema_id)


def _branch(offer: AlternativePool, calls: Collection[ToolCall]) -> Branch:
    graph = all(offer.tools[call.tool].data_type == GRAPH_DATA for call in calls)
    return Branch.GRAPH if graph else Branch.SQL
