"""Resolves the catalog's bindings of an agent's tools into calls with their JSON arguments."""

import json
from collections.abc import Iterator, Mapping
from itertools import product

from services.catalog.loader import Catalog
from services.contract.flow import ToolCall
from services.planner.values import PlanValues
from services.plugin.declarations import Agent, ToolBinding

CALLS_MAX = 12
"""The most calls that one step suggests."""
Argument = str | int | float | bool | tuple[str, ...]


def suggested_calls(agent: Agent, values: PlanValues, catalog: Catalog) -> tuple[ToolCall, ...]:
    """Return the calls of an agent for which every required argument is known, one for each of several values."""
    calls = [
        _call(binding.name, arguments)
        for binding in agent.tools
        for arguments in _resolved(binding, values)
        if set(catalog.tool(binding.name).required) <= set(arguments) and _is_about(binding, arguments)
    ]
    return tuple(calls[:CALLS_MAX])


def _resolved(binding: ToolBinding, values: PlanValues) -> Iterator[dict[str, Argument]]:
    several = {name: values.several[name] for name in binding.values() if name in values.several}
    for chosen in product(*several.values()):
        yield _arguments(binding, {**values.single, **dict(zip(several, chosen, strict=True))})


def _is_about(binding: ToolBinding, arguments: Mapping[str, Argument]) -> bool:
    """Tell whether a call is about the question at all: one that is bound to values holds at least one of them."""
    bound = {name for name, value in binding.arguments.items() if isinstance(value, str) and value.startswith("$")}
    return not bound or bool(bound & set(arguments))


def _arguments(binding: ToolBinding, known: Mapping[str, Argument]) -> dict[str, Argument]:
    arguments: dict[str, Argument] = {}
    for name, bound in binding.arguments.items():
        if not (isinstance(bound, str) and bound.startswith("$")):
            arguments[name] = bound
        elif (value := known.get(bound[1:])) is not None:
            arguments[name] = value
    return arguments


def _call(tool: str, arguments: Mapping[str, Argument]) -> ToolCall:
    document = json.dumps(arguments, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return ToolCall(tool, document.encode(), f"hapju.tool.{tool}.arguments.v1")
