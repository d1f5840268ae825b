"""What has been found for a flow: by its agents, by earlier flows, and by what was done."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from services.contract.events import ActionSettled, DataReuseDecision, Review
from services.contract.flow import AgentResult
from services.orchestrator.flow.holding import Holdings


@dataclass(slots=True)
class FlowFindings:
    """The findings of one flow while it runs."""

    holdings: Holdings | None = None
    """What of the conversation's earlier findings may be used; None until it has been read."""
    reuse: DataReuseDecision | None = None
    """What becomes of that; None where nothing was held."""
    held: tuple[AgentResult, ...] = ()
    """Earlier results that count as found."""
    takers: Mapping[str, tuple[AgentResult, ...]] = field(default_factory=dict)
    """By step, the earlier results that it builds on."""
    said_before: Mapping[str, tuple[AgentResult, ...]] = field(default_factory=dict)
    """By step, what its agent has said in earlier flows, without rows."""
    results: dict[str, AgentResult] = field(default_factory=dict)
    """What the agents found, by step."""
    actions: list[ActionSettled] = field(default_factory=list)
    """What became of the actions that the agents asked for."""
    review: Review | None = None
    """What the last review of what was found came to."""

    def in_order(self) -> tuple[AgentResult, ...]:
        """Return what the agents found, in the order in which their steps stand."""
        return tuple(self.results.values())
