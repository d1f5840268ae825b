"""The registry of tools: those of the installed domains, checked when it is loaded."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from services.contract.tool import SideEffect
from services.plugin.installed import installed_domains
from services.plugin.tools.tool import Tool
from services.tool_gateway.query.tool import QUERY_DATA, QUERY_OWN_DATA
from services.tool_gateway.web.web_search import TOOL as WEB_SEARCH


class RegistrationError(ValueError):
    """A tool cannot be registered; the text names it and why."""


class Registry:
    """Tools by name.

    Args:
        definitions: All tools of the installed domains.
        lacking: What this deployment has not set up, each with why: tools that need it, and those that depend on their
            results, are known and not offered.

    Raises:
        RegistrationError: Two tools bear one name, one depends on a tool that does not exist, a figure is out of range,
            one with a side effect says no idempotency key, or its kind is not clear: see `Tool`.
    """

    def __init__(self, definitions: Iterable[Tool], lacking: Mapping[str, str] = MappingProxyType({})) -> None:
        self._tools: dict[str, Tool] = {}
        for tool in definitions:
            if tool.name in self._tools:
                raise RegistrationError(f"{tool.name}: the name is taken")
            self._tools[tool.name] = tool
        for tool in self._tools.values():
            _check(tool, self._tools)
        self._off = _off(self._tools, lacking)
        self._tools = {name: tool for name, tool in self._tools.items() if name not in self._off}
        self._tools = {name: _with_alternatives_here(tool, self._tools) for name, tool in self._tools.items()}
        types = [tool.effect.action_type for tool in self._tools.values() if tool.effect is not None]
        if twice := sorted({name for name in types if types.count(name) > 1}):
            raise RegistrationError(f"{twice}: more than one tool does such an action")

    def __iter__(self) -> Iterator[Tool]:
        """Iterate over the tools by name."""
        return iter(sorted(self._tools.values(), key=lambda tool: tool.name))

    def get(self, name: str) -> Tool | None:
        """Return the tool of that name, or None."""
        return self._tools.get(name)

    def why_off(self, name: str) -> str:
        """Return why a tool of that name is known and not offered here; empty for any other name."""
        return self._off.get(name, "")

    @property
    def names_off(self) -> tuple[str, ...]:
        """The names of the tools that are not offered here, in order."""
        return tuple(sorted(self._off))

    @property
    def names(self) -> tuple[str, ...]:
        """The names, in order."""
        return tuple(tool.name for tool in self)


def load_registry(lacking: Mapping[str, str] = MappingProxyType({})) -> Registry:
    """Return the registry of every packaged tool, but for those that need what is lacking here.

    Raises:
        RegistrationError: See `Registry`; also where a module holds no TOOL.
    """
    found = [WEB_SEARCH, QUERY_DATA, QUERY_OWN_DATA]
    for domain in installed_domains():
        for module in domain.modules("tools"):
            definition = getattr(module, "TOOL", None)
            if not isinstance(definition, Tool):
                raise RegistrationError(f"{module.__name__} holds no TOOL")
            found.append(definition)
        for module in domain.modules("actions"):
            # A module without TOOLS is what several of them share.
            found.extend(getattr(module, "TOOLS", ()))
    return Registry(found, lacking)


def _off(known: Mapping[str, Tool], lacking: Mapping[str, str]) -> dict[str, str]:
    """Return why tools cannot work without what is lacking, by name."""
    off = {name: lacking[tool.needs] for name, tool in known.items() if tool.needs in lacking}
    while more := {
        name: off[first]
        for name, tool in known.items()
        if name not in off and (first := next((one for one in tool.depends_on if one in off), ""))
    }:
        off |= more
    return off


def _with_alternatives_here(tool: Tool, known: Mapping[str, Tool]) -> Tool:
    """Return a tool that names no alternative of a domain which this deployment does not have."""
    here = tuple(name for name in tool.alternatives if name in known)
    return tool if here == tool.alternatives else replace(tool, alternatives=here)


def _check(tool: Tool, known: dict[str, Tool]) -> None:
    missing = [name for name in tool.depends_on if name not in known]
    if missing:
        raise RegistrationError(f"{tool.name}: refers to {missing}, which do not exist")
    if sum(part is not None for part in (tool.read, tool.read_own, tool.effect)) != 1:
        raise RegistrationError(f"{tool.name}: a tool reads, reads what is the caller's own, or has an effect")
    if (tool.effect is not None) != (tool.side_effect is not SideEffect.NONE):
        raise RegistrationError(f"{tool.name}: its side effect is {tool.side_effect}, which does not fit what it does")
    if tool.side_effect is not SideEffect.NONE and not tool.idempotency_key:
        raise RegistrationError(f"{tool.name}: a tool with a side effect needs an idempotency key")
    if not (0 <= tool.quality_prior <= 1 and tool.typical_seconds > 0 and tool.timeout_seconds > 0):
        raise RegistrationError(f"{tool.name}: quality lies in 0..1, seconds are positive")
    if tool.concurrency_max < 1:
        raise RegistrationError(f"{tool.name}: at least one call may run at once")
