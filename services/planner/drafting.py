"""Who does what, in which order and how: selection, decomposition and strategy, each a decision.

The rule has drawn a plan up already; a model may choose among the agents that can be reached, word their parts and say
how they run. What a model says holds only as long as the plan stays sound. The three are asked for together, the later
ones on the rule's plan: only where a choice departs from it is the next one asked for again.
"""

import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from prompts.fields import Trusted, Untrusted
from prompts.planner import agent_selection, execution_strategy, keyword_extraction, query_decomposition
from services.catalog.loader import Catalog
from services.contract.flow import Branch, DecisionSource, ExecutionPlan, PlanStep, Strategy
from services.grounding.restating import Restating
from services.llm.ahead import PendingDecision, ahead
from services.llm.decider import Decider
from services.planner.matter import QUESTION_CHARS_MAX, Matter
from services.planner.selection import Draft
from services.runtime.run import because

Drawn = Callable[[Sequence[Draft]], ExecutionPlan]
"""Makes a plan of drafts."""
Defects = Callable[[ExecutionPlan], Collection[str]]
"""Says what is wrong with a plan."""

KEYWORD_CHARS_MAX = 40
"""No word to search by is longer."""

_log = logging.getLogger(__name__)


class Drafting:
    """Makes the three decisions; made once. Without `together` each waits for the one before it."""

    def __init__(self, catalog: Catalog, decider: Decider, rule_decider: Decider, *, together: bool = True) -> None:
        self._catalog = catalog
        self._decider = decider
        self._rule_decider = rule_decider
        self._together = together

    async def decided(
        self, matter: Matter, drafts: tuple[Draft, ...], draw: Drawn, defects: Defects, *, settled: bool = False
    ) -> ExecutionPlan:
        """Return the plan after all three; an unsound choice leaves what was there before it.

        Args:
            matter: The question.
            drafts: The rule's steps.
            draw: Makes a plan of drafts.
            defects: Says what is wrong with a plan.
            settled: Whether what is held leaves nothing to choose: the rule's plan stands.
        """
        if settled:
            by_rule = Drafting(self._catalog, self._rule_decider, self._rule_decider)
            return await by_rule.decided(matter, drafts, draw, defects)
        async with (
            ahead(self._parts(matter, drafts, draw), early=self._together) as parts,
            ahead(self._strategy(matter, draw(drafts)), early=self._together) as strategy,
        ):
            chosen = await self._selected(matter, drafts, draw, defects)
            decided = await parts.upon(self._parts(matter, chosen, draw))
            if decided.source is DecisionSource.LLM:
                parted = self._fed(_parts_as_drafts(decided.output, chosen, _restating(matter)), chosen)
                chosen = self._sound(parted, chosen, draw, defects)
            plan = await self._with_keywords(draw(chosen), matter)
            how = await strategy.upon(self._strategy(matter, plan))
            return replace(plan, strategy=Strategy(how.output.strategy.value))

    async def _selected(
        self, matter: Matter, drafts: tuple[Draft, ...], draw: Drawn, defects: Defects
    ) -> tuple[Draft, ...]:
        offered = self._offered(matter, drafts)
        is_open = len(offered) > 1 and len(matter.intents) == 1 and not any(one.condition for one in drafts)
        ruled = draw(drafts)
        decided = await self._by(is_open).decide(
            agent_selection.PROMPT,
            self._selection_inputs(matter, offered or [drafts[0].agent]),
            lambda _inputs: _as_selection(ruled),
        )
        if decided.source is not DecisionSource.LLM:
            return drafts
        chosen = _as_drafts(decided.output, matter.intents[0], drafts, _restating(matter))
        return self._sound(chosen, drafts, draw, defects)

    def _parts(
        self, matter: Matter, drafts: tuple[Draft, ...], draw: Drawn
    ) -> PendingDecision[query_decomposition.Inputs, query_decomposition.Output]:
        names = tuple(dict.fromkeys(one.agent for one in drafts))
        # An agent with two steps reads two branches of one question: there is nothing to word apart.
        plain = len(names) == len(drafts) > 1 and not any(one.condition for one in drafts)
        is_open = plain and len(matter.intents) == 1
        inputs = query_decomposition.Inputs(
            question=Untrusted(matter.normalised_question[:QUESTION_CHARS_MAX]),
            intent=Trusted(matter.route.intent),
            agents=tuple(
                query_decomposition.AgentPart(name=Trusted(name), answers=Trusted(self._answers(name, matter)))
                for name in names
            ),
        )
        steps = draw(drafts).steps
        return PendingDecision(self._by(is_open), query_decomposition.PROMPT, inputs, lambda _inputs: _as_parts(steps))

    def _strategy(
        self, matter: Matter, plan: ExecutionPlan
    ) -> PendingDecision[execution_strategy.Inputs, execution_strategy.Output]:
        steps = tuple(
            execution_strategy.StepBrief(
                step_id=Trusted(step.step_id),
                agent=Trusted(step.agent),
                branch=Trusted(step.branch.value),
                depends_on=tuple(Trusted(name) for name in step.depends_on),
                is_conditional=bool(step.condition),
            )
            for step in plan.steps
        )
        question = Untrusted(matter.normalised_question[:QUESTION_CHARS_MAX])
        by_rule = strategy_of(plan.steps)
        return PendingDecision(
            self._by(len(plan.steps) > 1),
            execution_strategy.PROMPT,
            execution_strategy.Inputs(question=question, steps=steps),
            lambda _inputs: execution_strategy.Output(
                strategy=execution_strategy.Strategy(by_rule.value),
                confidence=1.0,
                reasoning=_by_need(),
            ),
        )

    async def _with_keywords(self, plan: ExecutionPlan, matter: Matter) -> ExecutionPlan:
        """Ask for words to search by where a step that reads has none."""
        steps = [
            replace(step, keywords=await self._keywords(step, matter))
            if step.suggested_calls and not step.keywords
            else step
            for step in plan.steps
        ]
        return replace(plan, steps=tuple(steps))

    async def _keywords(self, step: PlanStep, matter: Matter) -> tuple[str, ...]:
        words = tuple(step.sub_question.split()[: keyword_extraction.KEYWORDS_MAX])
        decided = await self._decider.decide(
            keyword_extraction.PROMPT,
            keyword_extraction.Inputs(question=Untrusted(step.sub_question[:QUESTION_CHARS_MAX])),
            lambda _inputs: keyword_extraction.Output(keywords=words, confidence=0.5, reasoning=_own_words()),
        )
        if decided.source is not DecisionSource.LLM:
            return words
        restating = _restating(matter)
        kept = (restating.kept(word, "", chars_max=KEYWORD_CHARS_MAX) for word in decided.output.keywords)
        return tuple(filter(None, kept)) or words

    def _by(self, is_open: bool) -> Decider:  # noqa: FBT001 - the one thing that it goes by
        return self._decider if is_open else self._rule_decider

    def _fed(self, parted: tuple[Draft, ...], before: Sequence[Draft]) -> tuple[Draft, ...]:
        """Return parts in which no agent that reads nothing itself is left without what it was to build on."""
        places = {one.agent: place for place, one in enumerate(parted)}
        needed = {one.agent: tuple(places[before[need].agent] for need in one.needs) for one in before}
        return tuple(
            replace(one, needs=tuple(need for need in needed[one.agent] if need < place))
            if not one.needs and not self._catalog.agent(one.agent).tools
            else one
            for place, one in enumerate(parted)
        )

    def _sound(
        self, chosen: tuple[Draft, ...], before: tuple[Draft, ...], draw: Drawn, defects: Defects
    ) -> tuple[Draft, ...]:
        wrong = defects(draw(chosen))
        if wrong:
            _log.warning("the model's plan was dropped: %s", "; ".join(wrong))
        return before if wrong else chosen

    def _offered(self, matter: Matter, drafts: Sequence[Draft]) -> list[str]:
        names = [*(one.agent for one in drafts), *self._catalog.intent(matter.intents[0]).owners]
        return [name for name in dict.fromkeys(names) if self._catalog.agent(name).served]

    def _selection_inputs(self, matter: Matter, offered: Sequence[str]) -> agent_selection.Inputs:
        agents = tuple(
            agent_selection.AgentBrief(
                name=Trusted(name),
                answers=Trusted(self._answers(name, matter)),
                declines=Trusted(self._catalog.agent(name).declines.of(matter.locale)),
            )
            for name in offered
        )
        return agent_selection.Inputs(
            question=Untrusted(matter.normalised_question[:QUESTION_CHARS_MAX]),
            domain=Trusted(matter.route.domain),
            intent=Trusted(matter.route.intent),
            agents=agents,
        )

    def _answers(self, name: str, matter: Matter) -> str:
        return self._catalog.agent(name).answers.of(matter.locale)


def strategy_of(steps: Sequence[PlanStep]) -> Strategy:
    """Return how the steps run: adaptive with a condition, side by side where none needs another."""
    if any(step.condition for step in steps):
        return Strategy.ADAPTIVE
    if {Branch.SQL, Branch.GRAPH} <= {step.branch for step in steps}:
        return Strategy.CONDITIONAL_PARALLEL
    if len(steps) > 1 and not any(step.depends_on for step in steps):
        return Strategy.PARALLEL
    return Strategy.SEQUENTIAL


def _by_need() -> str:
    return because("단계마다 필요한 것에 따라", "what the steps need")


def _own_words() -> str:
    return because("질문에 나온 낱말", "the question's words")


def _as_selection(plan: ExecutionPlan) -> agent_selection.Output:
    numbers = {step.step_id: number for number, step in enumerate(plan.steps, start=1)}
    return agent_selection.Output(
        steps=tuple(
            agent_selection.SelectedStep(
                agent=step.agent, task=step.task, depends_on=tuple(numbers[name] for name in step.depends_on)
            )
            for step in plan.steps[: agent_selection.STEPS_MAX]
        ),
        confidence=1.0,
        reasoning=because("이 일을 맡은 에이전트와 말에 담긴 것", "the intent's owners and what the wording adds"),
    )


def _restating(matter: Matter) -> Restating:
    """Return what holds a model's words of a plan against what was said: a plan is told, and agents read it."""
    asked = matter.asked
    said = (matter.normalised_question, asked.question, *(turn.text for turn in asked.history))
    return Restating(said, now=asked.run.now, time_zone=asked.run.time_zone, entities=asked.route.entities)


def _as_drafts(
    output: agent_selection.Output, intent: str, ruled: Sequence[Draft], restating: Restating
) -> tuple[Draft, ...]:
    """Return the model's steps with the branch and the weight that the rule gives to the same agent.

    A task that says more than the question is not taken: the step is asked the whole question then.
    """
    by_agent = {one.agent: one for one in ruled}
    drafts = []
    for step in output.steps:
        like = by_agent.get(step.agent, Draft(step.agent, intent, Branch.SQL))
        needs = tuple(number - 1 for number in step.depends_on)
        part = restating.kept(step.task, like.sub_question)
        drafts.append(replace(like, needs=needs, condition="", sub_question=part))
    return tuple(drafts)


def _as_parts(steps: Sequence[PlanStep]) -> query_decomposition.Output:
    numbers = {step.step_id: number for number, step in enumerate(steps, start=1)}
    return query_decomposition.Output(
        steps=tuple(
            query_decomposition.Part(
                agent=step.agent,
                sub_question=step.sub_question[:400],
                depends_on=tuple(numbers[name] for name in step.depends_on),
                condition=step.condition[:200],
            )
            for step in steps[: query_decomposition.STEPS_MAX]
        ),
        confidence=1.0,
        reasoning=because("에이전트마다 한 부분씩", "a part for each agent"),
    )


def _parts_as_drafts(
    output: query_decomposition.Output, chosen: Sequence[Draft], restating: Restating
) -> tuple[Draft, ...]:
    by_agent = {one.agent: one for one in chosen}
    return tuple(
        replace(
            by_agent[part.agent],
            needs=tuple(number - 1 for number in part.depends_on),
            condition=restating.kept(part.condition, ""),
            sub_question=restating.kept(part.sub_question, by_agent[part.agent].sub_question),
        )
        for part in output.steps
    )
