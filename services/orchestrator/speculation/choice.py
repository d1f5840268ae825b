"""A choice of a step's calls that was asked for before the step's turn."""

from dataclasses import dataclass

from prompts.orchestrator.tool_orchestration import Inputs, Output
from services.contract.flow import PlanStep
from services.llm.ahead import PendingDecision
from services.orchestrator.speculation.early import AskedAhead


@dataclass(frozen=True, slots=True)
class CallChoice:
    """A choice that was asked for before its step's turn."""

    step: PlanStep
    """The step as it stood then."""
    prepared: AskedAhead[Inputs, Output]
    """The decision."""

    def serves(self, step: PlanStep, asking: PendingDecision[Inputs, Output]) -> bool:
        """Return whether it is the choice that is wanted now."""
        return self.step == step and self.prepared.asking == asking
