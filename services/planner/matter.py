"""A request for a plan with everything that was read in it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from services.contract.flow import RouteDecision, SlotValue
from services.contract.planner import DraftPlanRequest
from services.planner.values import PlanValues
from services.plugin.questions import Spoken
from services.runtime.threads import is_short

QUESTION_CHARS_MAX = 4_000
"""What of a question a model is shown; admission refuses longer ones."""


def is_read_at_once(asked: DraftPlanRequest) -> bool:
    """Tell whether a question and the conversation before it are so short that reading them needs no thread."""
    return not asked.memory and is_short(asked.question, *(turn.text for turn in asked.history))


@dataclass(frozen=True, slots=True)
class Matter:
    """What a plan is drawn up for."""

    asked: DraftPlanRequest
    """The request."""
    spoken: Spoken
    """The question and what was said before it."""
    intents: tuple[str, ...]
    """The route's intent, and the others that the user wants as well."""
    normalised_question: str
    """The question made whole."""
    values: dict[str, PlanValues]
    """What the bindings stand for, by intent."""
    slots: Mapping[str, SlotValue] = field(default_factory=dict)
    """What the conversation has filled, by slot."""

    @property
    def route(self) -> RouteDecision:
        """The route."""
        return self.asked.route

    @property
    def locale(self) -> str:
        """The user's language."""
        return self.asked.run.locale
