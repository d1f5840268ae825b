"""What a binding `$name` may name: a value of the core, a value that a domain declares, or a kind of entity."""

from collections.abc import Collection, Iterator, Mapping
from typing import Final

from services.plugin.declarations import Agent, ToolName

DATE_FROM: Final = "date_from"
"""The first day to read, ISO 8601, inclusive."""
DATE_TO: Final = "date_to"
"""The last day to read, ISO 8601, inclusive; absent for today."""
COUNTRY: Final = "country"
"""The one country that the question is about."""
CORE_VALUES: Final = frozenset({DATE_FROM, DATE_TO, COUNTRY})
"""Values that every question has."""


def binding_faults(tools: Mapping[str, ToolName], agent: Agent, known: Collection[str]) -> Iterator[str]:
    """Yield what is wrong with the bindings of an agent.

    Args:
        tools: The tools by name.
        agent: The agent.
        known: What a plan may hold beside the core's values.
    """
    for binding in agent.tools:
        where, tool = f"agent {agent.id}: tool {binding.name}", tools.get(binding.name)
        if tool is None:
            yield f"{where}: no such tool"
            continue
        for argument, value in binding.arguments.items():
            if argument not in tool.parameters:
                yield f"{where}: no argument {argument!r}"
            if isinstance(value, str) and value.startswith("$") and value[1:] not in {*CORE_VALUES, *known}:
                yield f"{where}: {argument} is bound to {value!r}, which no plan holds"
        for argument in () if tool.by_asks else tool.required:
            if argument not in binding.arguments:
                yield f"{where}: the required argument {argument!r} is bound to nothing"
    for name in agent.needs:
        if name not in {*CORE_VALUES, *known}:
            yield f"agent {agent.id}: needs: no plan holds {name!r}"
