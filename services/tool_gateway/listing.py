"""What callers are told of tools: an agent of its own, everybody else of all."""

from dataclasses import dataclass
from datetime import timedelta

from services.contract.tool import ToolDescription
from services.plugin.tools.tool import Tool
from services.runtime.errors import UnknownTool
from services.runtime.fields import language_asked
from services.tool_gateway.invocation import Invocations


@dataclass(frozen=True, slots=True)
class Listing:
    """Describes tools with their live figures."""

    invocations: Invocations
    """The registry, the figures and the grants."""
    agents: frozenset[str]
    """Catalog names of all agents: they see the tools that they may call."""

    def tools(self, caller: str, locale: str) -> tuple[ToolDescription, ...]:
        """Return the tools that the calling service sees, by name, with texts in `locale` (empty: English).

        Raises:
            InvalidRequest: The locale is not known.
        """
        language = language_asked(locale)
        return tuple(self._description(tool, language) for tool in self._seen(caller))

    def tool(self, name: str, caller: str, locale: str) -> ToolDescription:
        """Return one tool that the calling service sees.

        Raises:
            InvalidRequest: The locale is not known.
            UnknownTool: There is no such tool, or it is another agent's: the two look alike.
        """
        language = language_asked(locale)
        seen = {tool.name: tool for tool in self._seen(caller)}
        if name not in seen:
            raise UnknownTool(f"there is no tool {name[:80]!r}; known: {', '.join(seen) or 'none'}")
        return self._description(seen[name], language)

    def _seen(self, caller: str) -> tuple[Tool, ...]:
        return self.invocations.allowed(caller) if caller in self.agents else tuple(self.invocations.registry)

    def _description(self, tool: Tool, locale: str) -> ToolDescription:
        figures = self.invocations.figures.of(tool)
        return ToolDescription(
            name=tool.name,
            description=tool.description(locale),
            arguments_schema_json=tool.arguments_schema_json,
            arguments_schema_id=tool.arguments_schema_id,
            rows_schema_json=tool.rows_schema_json,
            rows_schema_id=tool.rows_schema_id,
            domain=tool.domain,
            data_type=tool.data_type,
            cost=tool.cost,
            typical_duration=timedelta(seconds=figures.typical_seconds),
            quality=figures.quality,
            depends_on=tool.depends_on,
            alternatives=tool.alternatives,
            side_effect=tool.side_effect,
            required_role=tool.required_role,
            timeout_duration=timedelta(seconds=tool.timeout_seconds),
            concurrency_max=tool.concurrency_max,
            definition_digest=tool.digest,
            last_use_time=figures.last_use_time,
        )
