"""Tool orchestration: which tools a step calls and with which arguments, chosen centrally.

The rule takes the planner's calls, which are bound from the question's entities. A model may choose otherwise among the
agent's own tools; its arguments are checked against each tool's schema by the tool gateway, like anybody's.
"""

import json
from time import monotonic
from typing import Final

from prompts.fields import Trusted, Untrusted
from prompts.orchestrator.tool_orchestration import PROMPT, ChosenCall, Inputs, KnownValue, Output, ToolBrief
from services.contract.flow import PlanStep, ToolCall
from services.contract.tool import ToolDescription
from services.llm.ahead import PendingDecision
from services.llm.decider import Decider
from services.orchestrator.calls import Ensemble
from services.runtime.errors import HapjuError
from services.runtime.run import because

REGISTRY_SECONDS: Final = 30.0
"""How long a view of the tool registry is used; its figures move with use."""


class KnownTools:
    """The orchestrator's view of the tool registry."""

    def __init__(self, ensemble: Ensemble) -> None:
        self._ensemble = ensemble
        self._views: dict[str, tuple[float, dict[str, ToolDescription]]] = {}

    async def tools(self, locale: str) -> dict[str, ToolDescription]:
        """Return the tools by name, described in a language; none where the registry cannot be reached."""
        read, view = self._views.get(locale, (0.0, {}))
        if view and monotonic() - read < REGISTRY_SECONDS:
            return view
        try:
            view = await self._ensemble.tools(locale)
        except HapjuError:
            # Each call will tell for itself whether the tool gateway is there.
            return view
        self._views[locale] = (monotonic(), view)
        return view


class ToolChoice:
    """Chooses the calls of steps."""

    def __init__(self, decider: Decider) -> None:
        self._decider = decider

    @property
    def takes_time(self) -> bool:
        """Whether a model chooses; the rule does so at once."""
        return self._decider.configured(PROMPT.head.role)

    def asking(
        self,
        step: PlanStep,
        tools: tuple[ToolDescription, ...],
        known: tuple[ToolCall, ...],
    ) -> PendingDecision[Inputs, Output]:
        """Return the question for the calls of a step.

        Args:
            step: The step with the planner's suggestion.
            tools: The tools of the step's agent.
            known: The calls that the whole plan suggests; a model sees their values as known.
        """
        inputs = Inputs(
            question=Untrusted(step.sub_question),
            agent=Trusted(step.agent),
            task=Untrusted(step.task),
            tools=tuple(_brief(tool) for tool in tools),
            known_values=_known_values((*known, *step.suggested_calls)),
        )
        return PendingDecision(self._decider, PROMPT, inputs, lambda _: suggested(step))


def calls_of(chosen: Output, tools: tuple[ToolDescription, ...]) -> tuple[ToolCall, ...]:
    """Return the calls that were chosen among some tools, in order."""
    schema_ids = {tool.name: tool.arguments_schema_id for tool in tools}
    return tuple(_call(one, schema_ids) for one in chosen.calls)


def _known_values(calls: tuple[ToolCall, ...]) -> tuple[KnownValue, ...]:
    """Return the values that the plan binds, by the name of the argument that takes them."""
    bound = {name: value for call in calls for name, value in json.loads(call.arguments_json).items()}
    return tuple(
        KnownValue(name=Trusted(name), value=Untrusted(json.dumps(value, ensure_ascii=False)))
        for name, value in bound.items()
    )


def suggested(step: PlanStep) -> Output:
    """Return the rule's choice: the planner's calls."""
    calls = tuple(
        ChosenCall(tool=call.tool, arguments=json.dumps(json.loads(call.arguments_json), ensure_ascii=False))
        for call in step.suggested_calls
    )
    why = because("계획이 질문에 맞춰 정한 호출", "the calls that the plan binds to the question")
    return Output(calls=calls, skipped=(), confidence=1.0, reasoning=why)


def _call(chosen: ChosenCall, schema_ids: dict[str, str]) -> ToolCall:
    return ToolCall(chosen.tool, chosen.arguments.encode(), schema_ids[chosen.tool])


def _brief(tool: ToolDescription) -> ToolBrief:
    return ToolBrief(
        name=Trusted(tool.name),
        description=Trusted(tool.description),
        parameters_schema=Trusted(tool.arguments_schema_json.decode()),
    )
