"""The judgement after each step: how good its result is and what to do next, one decision.

The rule goes by counts where an agent looks things up, and by the agent's own status elsewhere:

    fewer than 3 rows               too little: the step is run again, another way
    3 or 4 rows                     continue
    5 rows or more, plain look-up   skip what is left, but never a step that the intent requires
"""

from collections.abc import Sequence
from typing import Final

from prompts.fields import Trusted, Untrusted
from prompts.orchestrator.execution_orchestration import PROMPT, AgentOffer, Inputs, NextStep, Output, StepLine
from services.catalog.loader import catalog
from services.contract.asks import AnswerState
from services.contract.flow import AgentStatus
from services.durable.requests import shown_text
from services.llm.ahead import PendingDecision
from services.llm.decider import Decider
from services.orchestrator.flow.state import FlowState
from services.orchestrator.steps.machine import Run, StepRun
from services.runtime.run import because

ROWS_TOO_FEW: Final = 3
"""Fewer rows than this are too little."""
ROWS_ENOUGH: Final = 5
"""With this many rows a plain look-up needs no further step."""
QUALITY_MIN: Final = 0.5
"""A result below this is run again once, and then accepted in part."""
ADDED_STEPS_MAX: Final = 3
"""How many steps a flow may add."""
LINES_MAX: Final = 16
"""Steps that a prompt shows."""

_QUALITY: Final = {
    AgentStatus.ANSWERED: 0.9,
    AgentStatus.LIMITED: 0.6,
    AgentStatus.INSUFFICIENT_DATA: 0.2,
    AgentStatus.FAILED: 0.0,
}
_FEW_QUALITY: Final = 0.4


class Assessor:
    """Judges steps."""

    def __init__(self, decider: Decider) -> None:
        self._decider = decider

    def asking(
        self, state: FlowState, run: Run, ended: StepRun, accepted: Sequence[StepRun] = ()
    ) -> PendingDecision[Inputs, Output]:
        """Return the question for the judgement on a step that has just ended.

        Args:
            state: The flow.
            run: Its run.
            ended: The step.
            accepted: Steps that will have been accepted by then.
        """
        offers = _offers(state) if run.added < ADDED_STEPS_MAX else ()
        done = [step for step in run.steps if step is ended or step.has_ended or step in accepted]
        inputs = Inputs(
            question=Untrusted(question_of(state)),
            intent=Trusted(state.route.intent if state.route is not None else ""),
            intent_confidence=state.route.confidence if state.route is not None else 0.0,
            assessed=Trusted(ended.step.step_id),
            done=tuple(line_of(step) for step in done[-LINES_MAX:]),
            left=tuple(line_of(step) for step in run.remaining()[:LINES_MAX]),
            agents=offers,
        )
        return PendingDecision(self._decider, PROMPT, inputs, lambda _: by_counts(run, ended))


def quality_of(run: Run, ended: StepRun, judged: Output) -> float:
    """Return how good a result is taken to be: no judgement takes back what answers of asks are worth by rule."""
    if not ended.step.asks:
        return judged.quality_score
    return max(judged.quality_score, by_counts(run, ended).quality_score)


def by_counts(run: Run, ended: StepRun) -> Output:
    """Return the rule's judgement; each row of an agent that is counted is a hit of a search."""
    status = ended.result.status if ended.result is not None else AgentStatus.FAILED
    quality = _QUALITY[status]
    if ended.step.asks:
        return _by_asks(run, quality)
    if not catalog().agent(ended.step.agent).counted:
        return _judged(
            quality, NextStep.CONTINUE, because(f"에이전트가 알린 상태: {status}", f"the agent's own status: {status}")
        )
    if ended.row_count < ROWS_TOO_FEW:
        few = because(f"{ended.row_count}행은 너무 적음", f"{ended.row_count} rows are too few")
        return _judged(min(quality, _FEW_QUALITY), NextStep.CONTINUE, few)
    left = run.remaining()
    if ended.row_count >= ROWS_ENOUGH and left and not any(step.step.required for step in left):
        enough = because(f"{ended.row_count}행이면 조회에 답이 됨", f"{ended.row_count} rows answer a plain look-up")
        return _judged(quality, NextStep.SKIP_REMAINING, enough)
    return _judged(quality, NextStep.CONTINUE, because(f"{ended.row_count}행", f"{ended.row_count} rows"))


def _by_asks(run: Run, quality: float) -> Output:
    """Return the judgement on a step that answers asks: once all are answered, nothing else is needed."""
    answers = [answer for step in run.steps if step.result is not None for answer in step.result.answers]
    open_asks = [one for one in answers if one.state is AnswerState.OPEN]
    left = run.remaining()
    if left and not open_asks and not any(step.step.required for step in left):
        every = because(f"요청 {len(answers)}가지에 모두 답함", f"{len(answers)} asks are answered")
        return _judged(quality, NextStep.SKIP_REMAINING, every)
    done, wanted = len(answers) - len(open_asks), len(answers)
    part = because(f"요청 {wanted}가지 가운데 {done}가지에 답함", f"{done} of {wanted} asks are answered")
    return _judged(quality, NextStep.CONTINUE, part)


def line_of(step: StepRun) -> StepLine:
    """Return a step as a prompt shows it."""
    return StepLine(
        step=Trusted(step.step.step_id),
        agent=Trusted(step.step.agent),
        task=Untrusted(step.step.task),
        outcome=Trusted(step.result.status.value if step.result is not None else step.state.value.lower()),
        row_count=step.row_count,
        summary=Untrusted(step.result.summary if step.result is not None else ""),
        required=step.step.required,
    )


def question_of(state: FlowState) -> str:
    """Return the question as it was normalised, or as it was asked."""
    return (state.plan.normalised_question if state.plan is not None else "") or shown_text(state.question)


def _offers(state: FlowState) -> tuple[AgentOffer, ...]:
    agents = (agent for agent in catalog().agents.values() if agent.served and agent.domain in state.question.domains)
    return tuple(AgentOffer(name=Trusted(a.id), answers=Trusted(a.answers.of(state.locale))) for a in agents)


def _judged(quality: float, action: NextStep, reasoning: str) -> Output:
    return Output(quality_score=quality, relevance=1.0 if quality else 0.0, action=action, reasoning=reasoning)
