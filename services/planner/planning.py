"""Draws a plan up: the question made whole, what is known, what is missing, who does what."""

import json
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import product
from typing import Final

from services.catalog.loader import Catalog
from services.catalog.reading import read_question
from services.catalog.references import with_referents
from services.catalog.sufficiency import first_hundredths, told
from services.contract.flow import (
    Branch,
    DecisionSource,
    ExecutionPlan,
    NextAction,
    PlanStep,
    RouteDecision,
    RunContext,
    SlotQuestion,
    SlotValue,
    Speaker,
    Spent,
    Strategy,
    Sufficiency,
    ToolCall,
)
from services.contract.forms import COMPANION_OF, shown
from services.contract.planner import DraftPlanRequest, PrepareQuestionRequest
from services.llm.ahead import ahead
from services.llm.decider import Decider
from services.llm.made import Made
from services.planner.asked import ask_drafts, is_told_apart, with_rest, with_slots
from services.planner.checks import defects, levels
from services.planner.conversation import Conversation
from services.planner.drafting import Drafting, strategy_of
from services.planner.functions import planning_functions
from services.planner.judging import FirstJudgement, Judging
from services.planner.matter import Matter, is_read_at_once
from services.planner.normalising import Normalising, QuestionSeen, Switches
from services.planner.rules import PlanningRules
from services.planner.selection import GRAPH_DATA, Draft, Selection, keywords_of
from services.planner.slots import MissingSlot, WordingBasis, missing, required_slots
from services.planner.values import Bindings, PlanValues
from services.plugin.declarations import Agent, ToolBinding
from services.plugin.questions import Spoken
from services.runtime import ledger
from services.runtime.errors import Internal, InvalidRequest
from services.runtime.threads import computed, is_short
from services.text.reading import TextReading

TASK_CHARS_MAX = 400
STEP_SECONDS = 0.6
"""What a step takes beside its calls, as a guess."""
CALL_SECONDS = 0.8
"""What a call takes, as a guess; calls of one step run side by side."""


class Planning:
    """Draws plans up; made once."""

    def __init__(
        self,
        catalog: Catalog,
        rules: PlanningRules,
        decider: Decider,
        rule_decider: Decider,
        switches: Switches = Switches(),  # noqa: B008 - frozen
    ) -> None:
        """`rule_decider` asks nobody: it writes down what leaves nothing to decide."""
        self._catalog = catalog
        self._rules = rules
        self._bindings = Bindings(catalog, planning_functions(catalog.kinds))
        self._selection = Selection(catalog, rules)
        self._normalising = Normalising(decider, rule_decider, switches)
        self._conversation = Conversation(catalog, rules, self._bindings, decider, rule_decider)
        self._judging = Judging(catalog, rules, decider, rule_decider)
        self._together = switches.ahead
        self._drafting = Drafting(catalog, decider, rule_decider, together=switches.ahead)
        self._graph_tools = frozenset(tool.name for tool in catalog.tools.values() if tool.data_type == GRAPH_DATA)
        self._two_branched = frozenset(agent.id for agent in catalog.agents.values() if self._reads_both(agent))

    def _reads_both(self, agent: Agent) -> bool:
        return {binding.name in self._graph_tools for binding in agent.tools} == {True, False}

    async def prepare(self, asked: PrepareQuestionRequest) -> Spent:
        """Make those decisions of a plan that a model makes and that need no route; return them with their cost.

        `draft` takes them from its request; what the rule has to say it says there, by the route.
        """
        if self._normalising.takes_time:
            now = await computed(lambda: _read(asked.question, asked.run), at_once=is_short(asked.question))
            await self._normalising.prepare(QuestionSeen.of(asked, now))
        made = ledger.spent()
        return replace(made, decisions=tuple(one for one in made.decisions if one.source is not DecisionSource.RULE))

    async def draft(self, asked: DraftPlanRequest) -> tuple[ExecutionPlan, str]:
        """Return the plan of a routed question, or the question to the user that it waits for, with the obstacle.

        An intent that is answered at once has a plan without steps. The obstacle is empty where the plan can go on.

        Raises:
            InvalidRequest: The route names an intent that there is not; a slot is no JSON; an answer is for no slot.
            Internal: The rule's own plan is unsound, which its tests exclude.
        """
        for field, intent in _named_intents(asked.route):
            if intent not in self._catalog.intents:
                raise InvalidRequest.of(field, f"{shown(intent)} is no intent of the catalog")
        at_once = is_read_at_once(asked)
        asked = await computed(lambda: _with_referents(asked), at_once=at_once)
        spoken, intents = await computed(lambda: self._spoken(asked), at_once=at_once), _intents(asked.route)
        said = QuestionSeen.of(asked, spoken.now)
        whole = await self._normalising.whole(said, asked.route.entities, Made.of(asked.prepared))
        if self._catalog.intent(asked.route.intent).answered_at_once:
            return _waiting(whole, (), MissingSlot(), ()), ""
        values = {one: self._bindings.values(spoken, asked.route, one) for one in intents}
        known, lacks = await self._collected(asked, spoken, values[intents[0]], intents)
        asked = replace(asked, route=with_slots(asked.route, known))
        if asked.route.asks and is_told_apart(asked.route):
            # What an ask lacks its answerer asks for, beside what it can tell.
            lacks = MissingSlot()
        slots = {slot.slot: slot for slot in known}
        values = {one: self._bindings.values(spoken, asked.route, one, slots) for one in intents}
        matter = Matter(asked, spoken, intents, _with_answers(whole, known), values, slots)
        if lacks.obstacle:
            return _waiting(matter.normalised_question, known, lacks, self._unserved_owners(intents)), lacks.obstacle
        return await self._drawn(matter, known), ""

    async def _drawn(self, matter: Matter, known: tuple[SlotValue, ...]) -> ExecutionPlan:
        judgement = await self._judging.first(matter)
        async with ahead(judgement.asking, early=self._together) as foreseen:

            async def judge() -> tuple[Sufficiency, DecisionSource]:
                made = await foreseen.upon(judgement.asking)
                return judgement.upon(made), made.source

            return await self._chosen(matter, known, judgement, judge)

    async def _chosen(
        self,
        matter: Matter,
        known: tuple[SlotValue, ...],
        judgement: FirstJudgement,
        judge: Callable[[], Awaitable[tuple[Sufficiency, DecisionSource]]],
    ) -> ExecutionPlan:
        """Return a plan with its steps: who does what, in which order and how.

        Who does what does not rest on the judgement, unless it leaves nothing to choose.
        """
        drafts = await computed(
            lambda: with_rest(
                ask_drafts(matter.route, self._catalog),
                self._selection.drafts(matter.spoken, matter.route, matter.intents, matter.values),
                matter.route.intent,
            ),
            at_once=is_read_at_once(matter.asked),
        )
        required = {one.agent for one in drafts if one.required}

        drawn: dict[tuple[Draft, ...], ExecutionPlan] = {}

        def draw(parts: Sequence[Draft]) -> ExecutionPlan:
            # Each of the decisions looks at the plan; the same drafts give the same one.
            key = tuple(parts)
            if key not in drawn:
                drawn[key] = self._plan(matter, key, known)
            return drawn[key]

        def wrong(plan: ExecutionPlan) -> tuple[str, ...]:
            return defects(plan, known_agents=self._catalog.agents, required_agents=required)

        if found := wrong(draw(drafts)):
            raise Internal(f"the rule's plan is unsound: {'; '.join(found)}", reason="PLAN_UNSOUND")
        made, settled = None, False
        if judgement.leaves_little(draw(drafts)):
            made = await judge()
            settled = judgement.leaves_little(draw(drafts), first_hundredths(*made))
        plan = await self._drafting.decided(matter, drafts, draw, wrong, settled=settled)
        plan = with_companions(plan, agents=self._two_branched, graph_tools=self._graph_tools)
        sufficiency, _ = made or await judge()
        return replace(plan, sufficiency=sufficiency, need=told(judgement.need))

    def _spoken(self, asked: DraftPlanRequest) -> Spoken:
        now = _read(asked.question, asked.run)
        said = [turn.text for turn in asked.history if turn.speaker is Speaker.USER and turn.text.strip()]
        before = _read(said[-1], asked.run) if said else None
        leans = before is not None and _leans(asked.route, now)
        return Spoken(now, before if leans else None)

    async def _collected(
        self, asked: DraftPlanRequest, spoken: Spoken, values: PlanValues, intents: Sequence[str]
    ) -> tuple[tuple[SlotValue, ...], MissingSlot]:
        required = required_slots(intents, self._catalog)
        read_slots = self._bindings.slots(values, spoken, asked.route.entities)
        collected = await self._conversation.collected(asked, spoken, read_slots, required)
        asking = WordingBasis(
            collected.slots, collected.ambiguous, asked.asked_slots, collected.was_unreadable, asked.run.locale
        )
        return tuple(collected.slots.values()), missing(asking, required, self._catalog, self._rules)

    def _unserved_owners(self, intents: Sequence[str]) -> tuple[str, ...]:
        owners = (agent for intent in intents for agent in self._catalog.owner_agents(intent))
        return tuple(dict.fromkeys(agent.id for agent in owners if not agent.served))

    def _plan(self, matter: Matter, drafts: Sequence[Draft], known: tuple[SlotValue, ...]) -> ExecutionPlan:
        steps = tuple(self._step(number, one, matter) for number, one in enumerate(drafts))
        # Beside asks that are answered, what only stands by for one that stays open is not missed.
        asked = any(one.asks for one in drafts)
        needed = [one.agent for one in drafts if one.required or not asked]
        unserved = [agent for agent in needed if not self._catalog.agent(agent).served]
        return ExecutionPlan(
            normalised_question=matter.normalised_question,
            slots=known,
            sufficiency=None,
            steps=steps,
            strategy=strategy_of(steps),
            estimated_duration=_estimate(steps),
            slot_question=None,
            unavailable_agents=tuple(dict.fromkeys(unserved)),
        )

    def _step(self, number: int, one: Draft, matter: Matter) -> PlanStep:
        agent = self._catalog.agent(one.agent)
        values = matter.values.get(one.intent) or self._values_of(matter, one.intent)
        part = one.sub_question or matter.spoken.now.text
        task = self._rules.task.of(matter.locale).format(question=part, answers=agent.answers.of(matter.locale))
        direct = one.branch is Branch.LLM_DIRECT
        return PlanStep(
            step_id=f"s{number + 1}",
            agent=one.agent,
            task=task[:TASK_CHARS_MAX],
            sub_question=part,
            depends_on=tuple(f"s{place + 1}" for place in one.needs),
            branch=one.branch,
            suggested_calls=one.calls or (() if direct or one.asks else suggested_calls(agent, values, self._catalog)),
            keywords=keywords_of(part, self._rules.function_words),
            condition=one.condition,
            required=one.required,
            asks=one.asks,
        )

    def _values_of(self, matter: Matter, intent: str) -> PlanValues:
        """Return the values for an intent that only a condition's consequence names."""
        return self._bindings.values(matter.spoken, matter.route, intent, matter.slots)


def _named_intents(route: RouteDecision) -> Iterator[tuple[str, str]]:
    """Yield every intent that a route names, with its field."""
    yield "route.intent", route.intent
    yield from (("route.alternatives.intent", one.intent) for one in route.alternatives)
    yield from (("route.asks.intent", one.intent) for one in route.asks if one.intent)


def _read(text: str, run: RunContext) -> TextReading:
    return read_question(text, now=run.now, time_zone=run.time_zone, locale=run.locale)


def _with_referents(asked: DraftPlanRequest) -> DraftPlanRequest:
    """Return a request in whose conversation stands what the question points to in an earlier one."""
    run = asked.run
    history = with_referents(asked.question, asked.history, asked.memory, now=run.now, time_zone=run.time_zone)
    return replace(asked, history=history)


def _intents(route: RouteDecision) -> tuple[str, ...]:
    """Return the intents to plan: after "both", the alternatives that the user was asked about as well."""
    both = route.reason == "MULTIPLE_INTENTS" and route.next_action is NextAction.PROCEED
    others = [one.intent for one in route.alternatives] if both else []
    return tuple(dict.fromkeys([route.intent, *others]))


def _leans(route: RouteDecision, question: TextReading) -> bool:
    """Tell whether the question leans on the turn before: the route holds what the question does not say."""
    return any(one.words not in question.text for one in route.entities) or len(question.words) <= 4


def _with_answers(question: str, known: Sequence[SlotValue]) -> str:
    """Return the question with what its answers have added, so that whoever reads it alone knows it too."""
    said = [f"{slot.slot} {slot.value_json.decode()}" for slot in known if slot.source == "answer"]
    return f"{question} [{'; '.join(said)}]" if said else question


def _waiting(
    question: str, slots: tuple[SlotValue, ...], lacks: MissingSlot, unserved: tuple[str, ...]
) -> ExecutionPlan:
    asked: SlotQuestion | None = lacks.question
    return ExecutionPlan(
        normalised_question=question,
        slots=slots,
        sufficiency=None,
        steps=(),
        strategy=Strategy.SEQUENTIAL,
        estimated_duration=timedelta(0),
        slot_question=asked,
        unavailable_agents=unserved,
    )


def _estimate(steps: Sequence[PlanStep]) -> timedelta:
    seconds = sum(
        max((STEP_SECONDS + (CALL_SECONDS if step.suggested_calls else 0.0) for step in level), default=0.0)
        for level in levels(steps)
    )
    return timedelta(seconds=seconds)


_OPPOSITE: Final = {Branch.SQL: Branch.GRAPH, Branch.GRAPH: Branch.SQL}


def with_companions(plan: ExecutionPlan, *, agents: Collection[str], graph_tools: Collection[str]) -> ExecutionPlan:
    """Return the plan with a step for the opposite branch behind each step that may come to need it.

    Where the plan reads both branches already there is none: they run side by side.

    Args:
        plan: A sound plan.
        agents: Full names of the agents that read two branches.
        graph_tools: The tools that read the graph.
    """
    branches = {step.branch for step in plan.steps}
    if not plan.steps or set(_OPPOSITE) <= branches:
        return plan
    return replace(plan, steps=(*plan.steps, *_companions(plan.steps, agents, graph_tools)))


def _companions(
    steps: tuple[PlanStep, ...], agents: Collection[str], graph_tools: Collection[str]
) -> Iterator[PlanStep]:
    able = [step for step in steps if step.agent in agents and _can_cross(step, graph_tools)]
    for number, step in enumerate(able, start=len(steps) + 1):
        yield replace(
            step,
            step_id=f"s{number}",
            branch=_OPPOSITE[step.branch],
            depends_on=(step.step_id,),
            condition=f"{COMPANION_OF}{step.step_id}",
            required=False,
        )


def _can_cross(step: PlanStep, graph_tools: Collection[str]) -> bool:
    """Tell whether a step holds a call of the branch that it does not read; one that answers asks makes all."""
    other = None if step.asks else _OPPOSITE.get(step.branch)
    return other is not None and any(
        (call.tool in graph_tools) is (other is Branch.GRAPH) for call in step.suggested_calls
    )


CALLS_MAX = 12
"""The most calls that one step suggests."""
Argument = str | int | float | bool | tuple[str, ...]


def suggested_calls(agent: Agent, values: PlanValues, catalog: Catalog) -> tuple[ToolCall, ...]:
    """Return the calls of an agent for which every required argument is known, one for each of several values."""
    calls = [
        _call(binding.name, arguments)
        for binding in agent.tools
        for arguments in _resolved(binding, values)
        if set(catalog.tool(binding.name).required) <= set(arguments) and _is_about(binding, arguments)
    ]
    return tuple(calls[:CALLS_MAX])


def _resolved(binding: ToolBinding, values: PlanValues) -> Iterator[dict[str, Argument]]:
    several = {name: values.several[name] for name in binding.values() if name in values.several}
    for chosen in product(*several.values()):
        yield _arguments(binding, {**values.single, **dict(zip(several, chosen, strict=True))})


def _is_about(binding: ToolBinding, arguments: Mapping[str, Argument]) -> bool:
    """Tell whether a call is about the question at all: one that is bound to values holds at least one of them."""
    bound = {name for name, value in binding.arguments.items() if isinstance(value, str) and value.startswith("$")}
    return not bound or bool(bound & set(arguments))


def _arguments(binding: ToolBinding, known: Mapping[str, Argument]) -> dict[str, Argument]:
    arguments: dict[str, Argument] = {}
    for name, bound in binding.arguments.items():
        if not (isinstance(bound, str) and bound.startswith("$")):
            arguments[name] = bound
        elif (value := known.get(bound[1:])) is not None:
            arguments[name] = value
    return arguments


def _call(tool: str, arguments: Mapping[str, Argument]) -> ToolCall:
    document = json.dumps(arguments, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return ToolCall(tool, document.encode(), f"hapju.tool.{tool}.arguments.v1")
