"""Draws a plan up: the question made whole, what is known, what is missing, who does what (spec 2.1)."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from prompts.fields import Trusted, Untrusted
from prompts.fields import Turn as PromptTurn
from prompts.planner import agent_selection, query_normalization
from services.catalog.loader import Catalog
from services.contract.flow import (
    Branch,
    DecisionSource,
    ExecutionPlan,
    NextAction,
    PlanStep,
    RouteDecision,
    SlotQuestion,
    SlotValue,
    Speaker,
    Strategy,
)
from services.contract.planner import DraftPlanRequest
from services.llm.decider import Decider
from services.planner.arguments import suggested_calls
from services.planner.plan_checks import defects, levels
from services.planner.rewriting import losses, normalised
from services.planner.rules import PlanningRules
from services.planner.selection import Draft, Selection, keywords_of
from services.planner.slots import Asking, missing_slot
from services.planner.values import PlanValues, Spoken, plan_values
from services.runtime.errors import Internal, InvalidRequest
from services.text.reading import Reading, read

HISTORY_TURNS_MAX = 10
QUESTION_CHARS_MAX = 4_000
TASK_CHARS_MAX = 400
STEP_SECONDS = 0.6
"""What a step takes beside its calls, as a guess."""
CALL_SECONDS = 0.8
"""What a call takes, as a guess; calls of one step run side by side."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Matter:
    """A request with everything that was read in it."""

    asked: DraftPlanRequest
    """The request."""
    spoken: Spoken
    """The question and what was said before it."""
    intents: tuple[str, ...]
    """The route's intent, and the others that the user wants as well."""
    normalised_question: str
    """The question made whole."""

    @property
    def route(self) -> RouteDecision:
        """The route."""
        return self.asked.route


class Planning:
    """Draws plans up; made once."""

    def __init__(self, catalog: Catalog, rules: PlanningRules, decider: Decider, rule_decider: Decider) -> None:
        """`rule_decider` asks nobody: it writes down what leaves nothing to decide."""
        self._catalog = catalog
        self._rules = rules
        self._decider = decider
        self._rule_decider = rule_decider
        self._selection = Selection(catalog, rules)

    async def draft(self, asked: DraftPlanRequest) -> ExecutionPlan:
        """Return the plan of a routed question, or the question to the user that it waits for.

        An intent that is answered at once has a plan without steps.

        Raises:
            InvalidRequest: The route names an intent that there is not.
            Internal: The rule's own plan is unsound, which its tests exclude.
        """
        if asked.route.intent not in self._catalog.intents:
            raise InvalidRequest.of("route.intent", f"{asked.route.intent!r} is no intent of the catalog")
        spoken = await asyncio.to_thread(self._spoken, asked)
        intents = _intents(asked.route)
        matter = Matter(asked, spoken, intents, await self._whole_question(asked, spoken))
        if self._catalog.intent(asked.route.intent).answered_at_once:
            return _waiting(matter, (), None)
        values = self._values(matter, intents[0])
        locale = asked.run.locale
        question = missing_slot(
            Asking(spoken, asked.route.entities, values, locale), intents, self._catalog, self._rules
        )
        slots = values.slots(asked.route.entities, spoken.now)
        if question is not None:
            return _waiting(matter, slots, question)
        drafts = await asyncio.to_thread(self._selection.drafts, spoken, asked.route, intents)
        ruled = self._plan(matter, drafts)
        self._check(ruled, drafts)
        return await self._selected(matter, drafts, ruled)

    def _spoken(self, asked: DraftPlanRequest) -> Spoken:
        now = read(asked.question, now=asked.run.now, time_zone=asked.run.time_zone)
        said = [turn.text for turn in asked.history if turn.speaker is Speaker.USER and turn.text.strip()]
        before = read(said[-1], now=asked.run.now, time_zone=asked.run.time_zone) if said else None
        leans = before is not None and _leans(asked.route, now)
        return Spoken(now, before if leans else None)

    async def _whole_question(self, asked: DraftPlanRequest, spoken: Spoken) -> str:
        """Return the rewrite; one of the model that loses an entity or a number is dropped."""
        by_rule = normalised(spoken.now, asked.route.entities)[:QUESTION_CHARS_MAX] or asked.question[:1] or "-"
        inputs = query_normalization.Inputs(
            question=Untrusted(asked.question[:QUESTION_CHARS_MAX]),
            history=_prompt_turns(asked),
            today=spoken.now.today,
            time_zone=Trusted(asked.run.time_zone),
        )
        nothing_to_resolve = not asked.history and not spoken.now.dates
        decider = self._rule_decider if nothing_to_resolve else self._decider
        decided = await decider.decide(
            query_normalization.PROMPT,
            inputs,
            lambda _inputs: query_normalization.Output(normalised_question=by_rule, reasoning="entities and days"),
        )
        if decided.source is not DecisionSource.LLM:
            return by_rule
        rewrite = decided.output.normalised_question
        lost = await asyncio.to_thread(self._lost, spoken.now, rewrite, asked)
        if lost:
            _log.warning("the rewrite was dropped: it lost %d entities or numbers", len(lost))
            return by_rule
        return rewrite

    @staticmethod
    def _lost(question: Reading, rewrite: str, asked: DraftPlanRequest) -> tuple[str, ...]:
        return losses(question, read(rewrite, now=asked.run.now, time_zone=asked.run.time_zone))

    async def _selected(self, matter: Matter, drafts: tuple[Draft, ...], ruled: ExecutionPlan) -> ExecutionPlan:
        """Let the model choose among the agents that can be reached; an unsound choice leaves the rule's plan."""
        offered = self._offered(matter, drafts)
        open_choice = len(offered) > 1 and len(matter.intents) == 1 and not any(one.condition for one in drafts)
        decider = self._decider if open_choice else self._rule_decider
        decided = await decider.decide(
            agent_selection.PROMPT,
            self._selection_inputs(matter, offered or [drafts[0].agent]),
            lambda _inputs: _as_output(ruled),
        )
        if decided.source is not DecisionSource.LLM:
            return ruled
        chosen = _as_drafts(decided.output, matter.intents[0], drafts)
        plan = self._plan(matter, chosen)
        wrong = self._defects(plan, drafts)
        if wrong:
            _log.warning("the model's plan was dropped: %s", "; ".join(wrong))
            return ruled
        return plan

    def _offered(self, matter: Matter, drafts: Sequence[Draft]) -> list[str]:
        names = [*(one.agent for one in drafts), *self._catalog.intent(matter.intents[0]).owners]
        return [name for name in dict.fromkeys(names) if self._catalog.agent(name).served]

    def _selection_inputs(self, matter: Matter, offered: Sequence[str]) -> agent_selection.Inputs:
        locale = matter.asked.run.locale
        agents = tuple(
            agent_selection.AgentBrief(
                name=Trusted(name),
                answers=Trusted(self._catalog.agent(name).answers.of(locale)),
                declines=Trusted(self._catalog.agent(name).declines.of(locale)),
            )
            for name in offered
        )
        return agent_selection.Inputs(
            question=Untrusted(matter.normalised_question[:QUESTION_CHARS_MAX]),
            domain=Trusted(matter.route.domain),
            intent=Trusted(matter.route.intent),
            agents=agents,
        )

    def _values(self, matter: Matter, intent: str) -> PlanValues:
        return plan_values(matter.spoken, matter.route, intent, self._catalog, self._rules)

    def _plan(self, matter: Matter, drafts: Sequence[Draft]) -> ExecutionPlan:
        values = {one: self._values(matter, one) for one in {matter.intents[0], *(draft.intent for draft in drafts)}}
        steps = tuple(self._step(number, one, matter, values[one.intent]) for number, one in enumerate(drafts))
        unserved = [one.agent for one in drafts if not self._catalog.agent(one.agent).served]
        return ExecutionPlan(
            normalised_question=matter.normalised_question,
            slots=values[matter.intents[0]].slots(matter.route.entities, matter.spoken.now),
            sufficiency=None,
            steps=steps,
            strategy=_strategy(steps),
            estimated_duration=_estimate(steps),
            slot_question=None,
            unavailable_agents=tuple(dict.fromkeys(unserved)),
        )

    def _step(self, number: int, one: Draft, matter: Matter, values: PlanValues) -> PlanStep:
        agent = self._catalog.agent(one.agent)
        locale = matter.asked.run.locale
        part = one.sub_question or matter.spoken.now.text
        task = self._rules.task.of(locale).format(question=part, answers=agent.answers.of(locale))
        direct = one.branch is Branch.LLM_DIRECT
        return PlanStep(
            step_id=f"s{number + 1}",
            agent=one.agent,
            task=task[:TASK_CHARS_MAX],
            sub_question=part,
            depends_on=tuple(f"s{place + 1}" for place in one.needs),
            branch=one.branch,
            suggested_calls=() if direct else suggested_calls(agent, values, self._catalog),
            keywords=keywords_of(part, self._rules.function_words),
            condition=one.condition,
            required=one.required,
        )

    def _check(self, plan: ExecutionPlan, drafts: Sequence[Draft]) -> None:
        if wrong := self._defects(plan, drafts):
            raise Internal(f"the rule's plan is unsound: {'; '.join(wrong)}", reason="PLAN_UNSOUND")

    def _defects(self, plan: ExecutionPlan, drafts: Sequence[Draft]) -> tuple[str, ...]:
        required = {one.agent for one in drafts if one.required}
        return defects(plan, known_agents=self._catalog.agents, required_agents=required)


def _intents(route: RouteDecision) -> tuple[str, ...]:
    """Return the intents to plan: after "both", the alternatives that the user was asked about as well (spec 1.6.2)."""
    both = route.reason == "MULTIPLE_INTENTS" and route.next_action is NextAction.PROCEED
    others = [one.intent for one in route.alternatives] if both else []
    return tuple(dict.fromkeys([route.intent, *others]))


def _leans(route: RouteDecision, question: Reading) -> bool:
    """Tell whether the question leans on the turn before: the route holds what the question does not say."""
    named = [*(one.surface for one in route.entities.regions), *(one.surface for one in route.entities.securities)]
    named += [*route.entities.products, *(one.surface for one in route.entities.dates)]
    return any(surface not in question.text for surface in named) or len(question.words) <= 4


def _waiting(matter: Matter, slots: tuple[SlotValue, ...], question: SlotQuestion | None) -> ExecutionPlan:
    return ExecutionPlan(
        normalised_question=matter.normalised_question,
        slots=slots,
        sufficiency=None,
        steps=(),
        strategy=Strategy.SEQUENTIAL,
        estimated_duration=timedelta(0),
        slot_question=question,
        unavailable_agents=(),
    )


def _strategy(steps: Sequence[PlanStep]) -> Strategy:
    """Return how the steps run: adaptive with a condition, side by side where none needs another (spec 2.1.5)."""
    if any(step.condition for step in steps):
        return Strategy.ADAPTIVE
    if {Branch.SQL, Branch.GRAPH} <= {step.branch for step in steps}:
        return Strategy.CONDITIONAL_PARALLEL
    if len(steps) > 1 and not any(step.depends_on for step in steps):
        return Strategy.PARALLEL
    return Strategy.SEQUENTIAL


def _estimate(steps: Sequence[PlanStep]) -> timedelta:
    seconds = sum(
        max((STEP_SECONDS + (CALL_SECONDS if step.suggested_calls else 0.0) for step in level), default=0.0)
        for level in levels(steps)
    )
    return timedelta(seconds=seconds)


def _as_output(plan: ExecutionPlan) -> agent_selection.Output:
    numbers = {step.step_id: number for number, step in enumerate(plan.steps, start=1)}
    return agent_selection.Output(
        steps=tuple(
            agent_selection.SelectedStep(
                agent=step.agent, task=step.task, depends_on=tuple(numbers[name] for name in step.depends_on)
            )
            for step in plan.steps[: agent_selection.STEPS_MAX]
        ),
        confidence=1.0,
        reasoning="the intent's owners and what the wording adds",
    )


def _as_drafts(output: agent_selection.Output, intent: str, ruled: Sequence[Draft]) -> tuple[Draft, ...]:
    """Return the model's steps with the branch and the weight that the rule gives to the same agent."""
    by_agent = {one.agent: one for one in ruled}
    drafts = []
    for step in output.steps:
        like = by_agent.get(step.agent, Draft(step.agent, intent, Branch.SQL))
        needs = tuple(number - 1 for number in step.depends_on)
        drafts.append(Draft(step.agent, intent, like.branch, needs, "", step.task, like.required))
    return tuple(drafts)


def _prompt_turns(asked: DraftPlanRequest) -> tuple[PromptTurn, ...]:
    return tuple(
        PromptTurn.of("user" if turn.speaker is Speaker.USER else "assistant", turn.text)
        for turn in asked.history[-HISTORY_TURNS_MAX:]
    )
