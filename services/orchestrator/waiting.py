"""Questions to a person: a flow that asks waits, outside its own time, until somebody answers or the wait is over."""

import asyncio
from dataclasses import dataclass, field
from datetime import timedelta
from time import monotonic
from typing import Final
from uuid import uuid4

from services.contract.events import Phase, QuestionAsked, QuestionKind, QuestionOutcome, QuestionSettled
from services.orchestrator.replies import is_stop
from services.orchestrator.state import FlowState
from services.runtime.errors import FailedPrecondition

DECLINED: Final = "USER_DECLINED"
"""Why a flow is cancelled whose user said stop (spec 1.1)."""
EXPIRED: Final = "QUESTION_EXPIRED"
"""Why a flow is cancelled whose question nobody answered in time."""


class FlowLeft(Exception):
    """The person whom a flow asked said stop or did not answer; the flow is cancelled with nothing done."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(slots=True, eq=False)
class PendingQuestion:
    """A question that a flow waits with."""

    asked: QuestionAsked
    """The question as it was told."""
    reply: asyncio.Future[str] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    """The answer; settled once."""


@dataclass(frozen=True, slots=True)
class Ask:
    """What is to be asked."""

    kind: QuestionKind
    """A slot's value, or a yes."""
    text: str
    """The question in the flow's language."""
    slot: str = ""
    """The slot that the answer fills."""
    options: tuple[str, ...] = ()
    """Values to choose from."""


async def answer_of(state: FlowState, ask: Ask, seconds_max: float) -> str:
    """Asks a person and returns what they say; the time that they take is not the flow's.

    Raises:
        FlowLeft: They said stop, or nothing until the wait was over.
    """
    before, begin = state.phase, monotonic()
    expire_time = state.clock() + timedelta(seconds=seconds_max)
    asked = QuestionAsked(uuid4().hex, ask.kind, ask.slot, ask.text, ask.options, expire_time)
    pending = PendingQuestion(asked)
    state.pending = pending
    await state.enter(Phase.AWAITING_CONFIRMATION)
    await state.emitter.emit(asked)
    try:
        async with asyncio.timeout(seconds_max):
            reply = await pending.reply
    except TimeoutError:
        # From here on an answer is late: it finds no pending question and changes nothing.
        await _settle(state, asked, QuestionOutcome.EXPIRED)
        raise FlowLeft(EXPIRED) from None
    finally:
        state.pending = None
        state.deadline.extend(monotonic() - begin)
    if is_stop(reply):
        await _settle(state, asked, QuestionOutcome.DECLINED)
        raise FlowLeft(DECLINED)
    await _settle(state, asked, QuestionOutcome.ANSWERED)
    await state.enter(before)
    return reply


def answer(state: FlowState, question_id: str, reply: str) -> QuestionOutcome:
    """Hands a person's answer to the flow that waits for it, and returns how it settles the question.

    Raises:
        FailedPrecondition: The flow does not wait with this question: it was answered before, or it is too late.
    """
    pending = state.pending
    if pending is None or pending.asked.question_id != question_id or pending.reply.done():
        raise FailedPrecondition("question_id: the flow does not wait with this question", reason="NOT_PENDING")
    pending.reply.set_result(reply)
    return QuestionOutcome.DECLINED if is_stop(reply) else QuestionOutcome.ANSWERED


async def _settle(state: FlowState, asked: QuestionAsked, outcome: QuestionOutcome) -> None:
    await state.emitter.emit(QuestionSettled(asked.question_id, outcome))
