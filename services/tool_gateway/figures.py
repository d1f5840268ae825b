"""The registry figures that move with use: how long calls take, how often they succeed, when the last one was."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from services.plugin.tools.tool import Tool

# Weight of the newest call in the moving means.
_NEWEST: Final = 0.1


@dataclass(frozen=True, slots=True)
class ToolFigures:
    """The figures of one tool as they stand now."""

    typical_seconds: float
    """Moving mean of a call's time; the registry's figure before the first call."""
    quality: float
    """Moving share of calls that returned rows or an honest none, from the registry's prior on."""
    last_use_time: datetime | None
    """When it was last called; None before the first call."""


class LiveFigures:
    """The figures of all tools of one process."""

    def __init__(self) -> None:
        self._by_tool: dict[str, ToolFigures] = {}

    def of(self, tool: Tool) -> ToolFigures:
        """Return the figures of a tool."""
        return self._by_tool.get(tool.name) or ToolFigures(tool.typical_seconds, tool.quality_prior, None)

    def called(self, tool: Tool, seconds: float, when: datetime, *, succeeded: bool) -> None:
        """Take a finished call into the figures; only a successful one says how long a call takes."""
        before = self.of(tool)
        unmeasured = before.last_use_time is None
        typical = seconds if unmeasured else before.typical_seconds * (1 - _NEWEST) + seconds * _NEWEST
        self._by_tool[tool.name] = ToolFigures(
            typical_seconds=typical if succeeded else before.typical_seconds,
            quality=before.quality * (1 - _NEWEST) + _NEWEST * float(succeeded),
            last_use_time=when,
        )
