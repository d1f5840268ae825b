"""Questions to a person: a flow that asks waits, outside its own time, until somebody answers or the wait is over.

A question is a row of the store before it is told, and so is its answer: it survives the process that asked, and may be
answered at any replica. The driver hears of an answer at once where it was given here, and from the store otherwise.
"""

import asyncio
from collections.abc import Sequence
from typing import Final

from services.contract.events import (
    Phase,
    QuestionAsked,
    QuestionKind,
    QuestionOutcome,
    QuestionSettled,
)
from services.durable.questions import KeptQuestion
from services.orchestrator.acts.word import ActionWord, word_on
from services.orchestrator.flow.desk import PersonQuestion
from services.orchestrator.flow.replies import is_stop
from services.orchestrator.flow.state import FlowState
from services.runtime.errors import FailedPrecondition, Forbidden, InvalidRequest
from services.runtime.identity import Caller

DECLINED: Final = "USER_DECLINED"
"""Why a flow is cancelled whose user said stop."""
EXPIRED: Final = "QUESTION_EXPIRED"
"""Why a flow is cancelled whose question nobody answered in time."""


class FlowLeft(Exception):
    """The person whom a flow asked said stop or did not answer; the flow is cancelled with nothing done."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


async def answer_of(state: FlowState, ask: PersonQuestion, seconds_max: float) -> str:
    """Ask a person and return what they say; the time that they take is not the flow's.

    Raises:
        FlowLeft: They said stop, or nothing until the wait was over and there is no default.
        Superseded: Another replica drives the flow.
    """
    (said,) = await answers_of(state, ((ask, seconds_max),))
    return said


async def answers_of(state: FlowState, asks: Sequence[tuple[PersonQuestion, float]]) -> list[str]:
    """Ask for several things at once, each with the seconds for which it is waited, and return what is said to each.

    Raises:
        FlowLeft: To one of them somebody said stop, or nothing in time and it has no default.
        Superseded: Another replica drives the flow.
    """
    before = state.phase
    questions = [await state.desk.ask(ask, seconds) for ask, seconds in asks]
    await state.enter(Phase.AWAITING_CONFIRMATION)
    for question in questions:
        await state.emitter.emit(question.asked)
    said = [_said(state, question, ask) for question, (ask, _) in zip(questions, asks, strict=True)]
    waiting = [asyncio.create_task(one) for one in said]
    try:
        answers = await asyncio.gather(*waiting)
    finally:
        for task in waiting:
            task.cancel()
    await state.enter(before)
    return list(answers)


async def _said(state: FlowState, question: KeptQuestion, ask: PersonQuestion) -> str:
    settlement = await state.desk.settled(question)
    await state.emitter.emit(QuestionSettled(question.asked.question_id, settlement.outcome))
    if settlement.outcome is QuestionOutcome.DECLINED:
        raise FlowLeft(DECLINED)
    if settlement.outcome is QuestionOutcome.EXPIRED and not ask.default:
        raise FlowLeft(EXPIRED)
    return settlement.answer


def outcome_of(asked: QuestionAsked, reply: str) -> QuestionOutcome:
    """Return how a person's words settle a question."""
    word = _word(asked, reply)
    stops = is_stop(reply) and not (word is not None and word.approves)
    return QuestionOutcome.DECLINED if stops else QuestionOutcome.ANSWERED


def is_overtaken(asked: QuestionAsked, message: str) -> bool:
    """Return whether a message leaves an action undecided that waits for a word: it changes it, or asks another."""
    return asked.kind is QuestionKind.APPROVAL and _word(asked, message) is None


def _word(asked: QuestionAsked, reply: str) -> ActionWord | None:
    if asked.kind is not QuestionKind.APPROVAL:
        return None
    return word_on(reply, asked.action.words if asked.action is not None else ())


def check_reply(asked: QuestionAsked, caller: Caller, reply: str, action_digest: str) -> None:
    """Check that a person may answer a question like this.

    Raises:
        Forbidden: They have none of the roles that it needs.
        FailedPrecondition: They were shown another action than the one that would be done.
        InvalidRequest: An approval takes a plain yes or no and nothing else.
    """
    if asked.allowed_roles and not {*caller.roles, caller.user_type} & {*asked.allowed_roles}:
        raise Forbidden(f"question_id: it takes the role {' or '.join(asked.allowed_roles)} to answer")
    if action_digest and (asked.action is None or asked.action.action_digest != action_digest):
        raise FailedPrecondition("action_digest: another action than this was shown", reason="APPROVAL_MISMATCH")
    if is_overtaken(asked, reply):
        raise InvalidRequest.of("answer", "must be a plain yes or no to an action")
