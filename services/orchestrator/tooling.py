"""Tool orchestration: which tools a step calls and with which arguments, chosen centrally (spec 3.1).

The rule takes the planner's calls, which are bound from the question's entities. A model may choose otherwise among the
agent's own tools; its arguments are checked against each tool's schema by the tool gateway, like anybody's.
"""

import json

from prompts.fields import Trusted, Untrusted
from prompts.orchestrator.tool_orchestration import PROMPT, ChosenCall, Inputs, KnownValue, Output, ToolBrief
from services.contract.flow import PlanStep, SlotValue, ToolCall
from services.contract.tool import ToolDescription
from services.llm.decider import Decider


class ToolChoice:
    """Chooses the calls of steps."""

    def __init__(self, decider: Decider) -> None:
        self._decider = decider

    @property
    def asks_model(self) -> bool:
        """True where a model is configured, which needs the registry's schemas."""
        return self._decider.configured(PROMPT.head.role)

    async def choose(
        self,
        step: PlanStep,
        slots: tuple[SlotValue, ...],
        tools: tuple[ToolDescription, ...],
    ) -> tuple[ToolCall, ...]:
        """Returns the calls of a step, in order.

        Args:
            step: The step with the planner's suggestion.
            slots: The plan's known values.
            tools: The tools of the step's agent.
        """
        inputs = Inputs(
            question=Untrusted(step.sub_question),
            agent=Trusted(step.agent),
            task=Untrusted(step.task),
            tools=tuple(_brief(tool) for tool in tools),
            known_values=tuple(KnownValue(name=Trusted(s.slot), value=Untrusted(s.value_json.decode())) for s in slots),
        )
        decided = await self._decider.decide(PROMPT, inputs, lambda _: suggested(step))
        schema_ids = {tool.name: tool.arguments_schema_id for tool in tools}
        return tuple(_call(chosen, schema_ids) for chosen in decided.output.calls)


def suggested(step: PlanStep) -> Output:
    """Returns the rule's choice: the planner's calls."""
    calls = tuple(
        ChosenCall(tool=call.tool, arguments=json.dumps(json.loads(call.arguments_json), ensure_ascii=False))
        for call in step.suggested_calls
    )
    return Output(calls=calls, skipped=(), confidence=1.0, reasoning="the calls that the plan binds to the question")


def _call(chosen: ChosenCall, schema_ids: dict[str, str]) -> ToolCall:
    return ToolCall(chosen.tool, chosen.arguments.encode(), schema_ids[chosen.tool])


def _brief(tool: ToolDescription) -> ToolBrief:
    return ToolBrief(
        name=Trusted(tool.name),
        description=Trusted(tool.description),
        parameters_schema=Trusted(tool.arguments_schema_json.decode()),
    )
