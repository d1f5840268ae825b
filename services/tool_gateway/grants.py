"""Which agent may call which tool and ask for which action: what the catalog says, and nothing beside it."""

from collections.abc import Mapping
from typing import Final

from services.catalog.loader import Catalog
from services.tool_gateway.registry import RegistrationError, Registry

WEB_CALLER: Final = "synthesizer"
"""Who may search the web, where that is switched on."""
WEB_TOOL: Final = "web_search"
"""How it is searched."""


def grants_of(catalog: Catalog, registry: Registry, *, web: bool = False) -> Mapping[str, frozenset[str]]:
    """Return the tools of each agent that is served, by the agent's catalog name.

    Args:
        catalog: What agents are bound to.
        registry: The tools.
        web: Whether the synthesizer may search the web; no agent ever may.

    Raises:
        RegistrationError: An agent can emit an action that no tool does, or a served one is bound to a tool that is
            not registered, or to an argument that the tool does not take: it would fail at every call, so the service
            does not start.
    """
    granted: dict[str, frozenset[str]] = {}
    tools_of = {tool.effect.action_type: tool.name for tool in registry if tool.effect is not None}
    for agent in catalog.agents.values():
        unknown_actions = sorted(set(agent.actions) - set(tools_of))
        if unknown_actions:
            raise RegistrationError(f"{agent.id}: can emit {unknown_actions}, which no tool does")
        if not agent.served:
            continue
        for binding in agent.tools:
            tool = registry.get(binding.name)
            if tool is None and registry.why_off(binding.name):
                continue
            if tool is None:
                raise RegistrationError(f"{agent.id}: calls {binding.name}, which is not registered")
            unknown = sorted(set(binding.arguments) - set(tool.arguments.model_fields))
            if unknown:
                raise RegistrationError(f"{agent.id}: gives {binding.name} {unknown}, which it does not take")
        called = frozenset(binding.name for binding in agent.tools)
        granted[agent.id] = called | {tools_of[action] for action in agent.actions}
    if web:
        granted[WEB_CALLER] = frozenset({WEB_TOOL})
    return granted
