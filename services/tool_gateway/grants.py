"""Which agent may call which tool: the catalog's bindings, and nothing beside them."""

from collections.abc import Mapping

from services.catalog.loader import Catalog
from services.tool_gateway.registry import RegistrationError, Registry


def grants_of(catalog: Catalog, registry: Registry) -> Mapping[str, frozenset[str]]:
    """Return the tools of each agent that is served, by the agent's catalog name.

    Raises:
        RegistrationError: A served agent is bound to a tool that is not registered, or to an argument that the tool
            does not take: it would fail at every call, so the service does not start.
    """
    granted: dict[str, frozenset[str]] = {}
    for agent in catalog.agents.values():
        if not agent.served:
            continue
        for binding in agent.tools:
            tool = registry.get(binding.name)
            if tool is None:
                raise RegistrationError(f"{agent.name}: calls {binding.name}, which is not registered")
            unknown = sorted(set(binding.arguments) - set(tool.arguments.model_fields))
            if unknown:
                raise RegistrationError(f"{agent.name}: gives {binding.name} {unknown}, which it does not take")
        granted[agent.name] = frozenset(binding.name for binding in agent.tools)
    return granted
