"""The review after the loop: is the question answered, in part, or not."""

from collections.abc import Iterator, Sequence
from typing import Final

from prompts.fields import Trusted, Untrusted
from prompts.orchestrator.execution_review import PROMPT, Achieved, Inputs, Output
from services.catalog.answerers import is_unread
from services.contract.asks import AnswerState, AskAnswer
from services.contract.events import GoalAchieved, Review
from services.llm.decider import Decider
from services.orchestrator import texts
from services.orchestrator.flow.state import FlowState
from services.orchestrator.steps.assessment import LINES_MAX, line_of, question_of
from services.orchestrator.steps.machine import Run, StepRun, StepState
from services.runtime.run import because

REVIEW: Final = "review"
"""The review's place in a flow."""
REVIEW_KIND: Final = PROMPT.kind
"""The kind of the decision."""
REVIEW_AGAIN: Final = "review/2"
"""The place of the review of what was tried once more."""
PART_CHARS_MAX: Final = 200
"""How much of a missing part's name is told."""
_GOOD: Final = frozenset({StepState.ACCEPTED, StepState.PARTIALLY_ACCEPTED})


class Reviewer:
    """Reviews runs."""

    def __init__(self, decider: Decider, rule_decider: Decider | None = None, *, typed_asks: bool = False) -> None:
        """`rule_decider` asks nobody: it writes down what the asks themselves decide; `typed_asks`: they are read."""
        self._typed_asks = typed_asks
        self._decider = decider
        self._rule_decider = rule_decider or decider

    @property
    def takes_time(self) -> bool:
        """Whether a model reviews; the rule does so at once."""
        return self._decider.configured(PROMPT.head.role)

    async def review(self, state: FlowState, run: Run) -> Output:
        """Return the review of a run whose steps have ended."""
        inputs = Inputs(
            question=Untrusted(question_of(state)),
            intent=Trusted(state.route.intent if state.route is not None else ""),
            steps=tuple(line_of(step) for step in run.steps[:LINES_MAX]),
        )
        answers = answers_of(run)
        if answers and state.route is not None:
            # What the rule composed no model takes back, and what it left open none calls answered.
            decided = await self._rule_decider.decide(PROMPT, inputs, lambda _: by_asks(answers))
            return decided.output
        unread = self._typed_asks and is_unread(state.route, [step.step.agent for step in run.steps])
        by_rule = _of_unread if unread else _as_it_is
        decided = await self._decider.decide(PROMPT, inputs, lambda _: by_rule(by_states(run)))
        return decided.output


def answers_of(run: Run) -> tuple[AskAnswer, ...]:
    """Return what came of the asks of a run, in the order of its steps."""
    return tuple(answer for step in run.steps if step.result is not None for answer in step.result.answers)


def has_run(run: Run) -> bool:
    """Return whether there is anything to review."""
    return any(step.result is not None or step.outcome is not None for step in run.steps)


def told(state: FlowState, run: Run, review: Output) -> Review:
    """Return a review as it is told: what is missing by the names that we give it, whoever reviewed."""
    return Review(GoalAchieved[review.goal_achieved.name], review.score, _named(state, run, review.missing))


def _named(state: FlowState, run: Run, missing: Sequence[str]) -> tuple[str, ...]:
    """Return what parts are called: an ask by the person's own words, a step by what its agent answers.

    What is no part of this flow, as in a review that another version has kept, is not told.
    """
    asks = state.route.asks if state.route is not None else ()
    names = {step.step.step_id: texts.what(step.step.agent, state.locale) for step in run.steps}
    names |= {ask.ask_id: ask.words for ask in asks}
    found = (names.get(part, "")[:PART_CHARS_MAX] for part in missing)
    return tuple(dict.fromkeys(filter(None, found)))


def with_missing(state: FlowState, review: Review) -> list[str]:
    """Return a flow's cautions after a review: what is missing joins them, unless they say so already.

    Where something was found that does not answer the question, or only in part without anything being named, that is
    said as well: the answer would otherwise stand as if it did.
    """
    cautions, told = [*state.cautions, *_shortfall(state, review)], tuple(state.cautions)
    for missing in review.missing:
        caution = texts.say(state.locale, "missing_part", part=missing)
        if caution not in cautions and not any(missing in known for known in told):
            cautions.append(caution)
    return cautions


def _shortfall(state: FlowState, review: Review) -> Iterator[str]:
    if not any(result.metrics or result.evidence for result in state.findings.results.values()):
        return  # The answer has nothing to be taken for one.
    if any(result.answers for result in state.findings.results.values()):
        return  # The answer says itself what it cannot.
    if review.goal_achieved is GoalAchieved.NO:
        yield texts.say(state.locale, "not_answered")
    elif review.goal_achieved is GoalAchieved.PARTIAL and not review.missing:
        yield texts.say(state.locale, "answered_in_part")


def by_asks(answers: Sequence[AskAnswer]) -> Output:
    """Return the rule's review of a question whose asks were typed: the share of them that is answered in its form.

    What cannot be answered here says so itself; what stays open is missing, by the ask's id.
    """
    answered = [one for one in answers if one.state is AnswerState.ANSWERED]
    missing = tuple(one.ask_id for one in answers if one.state is AnswerState.OPEN)
    achieved = Achieved.YES if len(answered) == len(answers) else Achieved.PARTIAL if answered else Achieved.NO
    return Output(
        goal_achieved=achieved,
        score=round(len(answered) / len(answers), 2),
        missing=missing[:8],
        reasoning=because(
            f"요청 {len(answers)}가지 가운데 {len(answered)}가지에 답함",
            f"{len(answered)} of {len(answers)} asks are answered",
        ),
    )


def _as_it_is(review: Output) -> Output:
    return review


def _of_unread(review: Output) -> Output:
    """Return the rule's review of a question in which no request was read: what was found lies near it at best."""
    if review.goal_achieved is Achieved.NO:
        return review
    return Output(
        goal_achieved=Achieved.PARTIAL,
        score=0.0,
        reasoning=because("질문에서 요청을 읽지 못함", "no request was read in the question"),
    )


def by_states(run: Run) -> Output:
    """Return the rule's review: what the steps that were wanted have come to, those without a result by their ids."""
    wanted = [step for step in run.steps if not _left_out(step)]
    found = [step for step in wanted if _has_found(run, step)]
    if not found:
        return Output(
            goal_achieved=Achieved.NO, score=0.0, reasoning=because("결과가 나온 단계가 없음", "no step has a result")
        )
    lacking = [step for step in wanted if not _has_found(run, step)]
    missing = tuple(step.step.step_id for step in lacking)
    achieved = Achieved.PARTIAL if missing else Achieved.YES
    return Output(
        goal_achieved=achieved,
        score=round(len(found) / len(wanted), 2),
        missing=missing[:8],
        reasoning=because(
            f"단계 {len(wanted)}개 가운데 {len(found)}개에 결과가 있음",
            f"{len(found)} of {len(wanted)} steps have a result",
        ),
    )


def _has_found(run: Run, step: StepRun) -> bool:
    """Return whether a step has come to something: itself, or by what earlier flows found and it hands on."""
    if step.state not in _GOOD or step.result is None:
        return False
    return bool(step.result.metrics or step.result.evidence or run.takers.get(step.step.step_id))


def _left_out(step: StepRun) -> bool:
    """Return whether a step was left out because it was not needed."""
    return step.state is StepState.SKIPPED and step.reason in {"NOT_NEEDED", "COMPANION_NOT_NEEDED"}
