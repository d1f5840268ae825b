"""Questions to a person: a flow that asks waits, outside its own time, until somebody answers or the wait is over.

A question is a row of the store before it is told, and so is its answer: it survives the process that asked, and may be
answered at any replica. The driver hears of an answer at once where it was given here, and from the store otherwise.
"""

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import monotonic
from types import MappingProxyType
from typing import Final
from uuid import uuid4

from services.contract.events import (
    HeldData,
    Phase,
    QuestionAsked,
    QuestionKind,
    QuestionOption,
    QuestionOutcome,
    QuestionSettled,
)
from services.orchestrator.questions import KeptQuestion, Questions, Settlement
from services.orchestrator.replies import is_stop
from services.orchestrator.state import FlowState
from services.orchestrator.writer import Lease
from services.runtime.clock import Clock
from services.runtime.deadlines import Deadline

DECLINED: Final = "USER_DECLINED"
"""Why a flow is cancelled whose user said stop (spec 1.1)."""
EXPIRED: Final = "QUESTION_EXPIRED"
"""Why a flow is cancelled whose question nobody answered in time."""


class FlowLeft(Exception):
    """The person whom a flow asked said stop or did not answer; the flow is cancelled with nothing done."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


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
    choices: tuple[QuestionOption, ...] = ()
    """The options with what they say and lead to; empty where the values speak for themselves."""
    held_data: HeldData | None = None
    """The earlier data that the question is about."""
    default: str = ""
    """The answer that holds where nobody gives one in time; without one the flow is then cancelled."""
    name: str = ""
    """The question's place in the flow; by default its kind and slot, counted. Side by side, each needs its own."""


class Desk:
    """Where one flow asks persons.

    Args:
        questions: Keeps the questions.
        lease: The right to ask.
        deadline: The flow's deadline, which stands still while somebody is waited for.
        clock: The present instant.
        kept: The questions of the flow's former drivers, by name.
    """

    def __init__(
        self,
        questions: Questions,
        lease: Lease,
        deadline: Deadline,
        clock: Clock,
        kept: Mapping[str, KeptQuestion] = MappingProxyType({}),
    ) -> None:
        self._questions = questions
        self._lease = lease
        self._deadline = deadline
        self._clock = clock
        self._kept = kept
        self._named: Counter[str] = Counter()
        self._open: dict[str, asyncio.Future[Settlement]] = {}
        self._since = 0.0

    @property
    def waits(self) -> bool:
        """True while the flow waits for somebody."""
        return bool(self._open)

    @property
    def question_ids(self) -> Iterable[str]:
        """The questions that it waits with."""
        return self._open.keys()

    async def ask(self, ask: Ask, seconds_max: float) -> KeptQuestion:
        """Keeps a question, or returns it as a former driver kept it.

        Raises:
            Superseded: Another replica drives the flow.
        """
        name = ask.name or self._next_name(ask)
        kept = self._kept.get(name)
        if kept is None:
            now = self._clock()
            expire_time = now + timedelta(seconds=seconds_max)
            asked = QuestionAsked(
                question_id=uuid4().hex,
                kind=ask.kind,
                slot=ask.slot,
                text=ask.text,
                options=ask.options,
                expire_time=expire_time,
                choices=ask.choices,
                default_answer=ask.default,
                held_data=ask.held_data,
            )
            kept = KeptQuestion(self._lease.flow_run_id, name, asked, ask.default, now)
            self._open_one(kept)
            try:
                await self._questions.ask(self._lease, kept)
            except BaseException:
                self._close_one(kept)
                raise
        elif kept.settled is None:
            self._open_one(kept)
        return kept

    async def settled(self, question: KeptQuestion) -> Settlement:
        """Waits until a question is settled, at the latest by the end of the wait, and returns how."""
        if question.settled is not None:
            return question.settled
        left = (question.asked.expire_time - self._clock()).total_seconds()
        try:
            async with asyncio.timeout(max(0.0, left)):
                return await self._open[question.asked.question_id]
        except TimeoutError:
            # Whoever writes first decides: an answer that came to another replica in time still holds.
            return await self._questions.expire(question, self._clock())
        finally:
            self._close_one(question)

    def hear(self, question_id: str, settlement: Settlement) -> None:
        """Hands over how a question was settled; one that nobody waits with is none of ours."""
        waiting = self._open.get(question_id)
        if waiting is not None and not waiting.done():
            waiting.set_result(settlement)

    def _next_name(self, ask: Ask) -> str:
        place = f"{ask.kind}/{ask.slot}"
        self._named[place] += 1
        return f"{place}/{self._named[place]}"

    def _open_one(self, question: KeptQuestion) -> None:
        if not self._open:
            self._since = monotonic()
        self._open[question.asked.question_id] = asyncio.get_running_loop().create_future()

    def _close_one(self, question: KeptQuestion) -> None:
        if self._open.pop(question.asked.question_id, None) is not None and not self._open:
            self._deadline.extend(monotonic() - self._since)


async def answer_of(state: FlowState, ask: Ask, seconds_max: float) -> str:
    """Asks a person and returns what they say; the time that they take is not the flow's.

    Raises:
        FlowLeft: They said stop, or nothing until the wait was over and there is no default.
        Superseded: Another replica drives the flow.
    """
    before = state.phase
    question = await state.desk.ask(ask, seconds_max)
    await state.enter(Phase.AWAITING_CONFIRMATION)
    await state.emitter.emit(question.asked)
    settlement = await state.desk.settled(question)
    await state.emitter.emit(QuestionSettled(question.asked.question_id, settlement.outcome))
    if settlement.outcome is QuestionOutcome.DECLINED:
        raise FlowLeft(DECLINED)
    if settlement.outcome is QuestionOutcome.EXPIRED and not ask.default:
        raise FlowLeft(EXPIRED)
    if not state.desk.waits:
        await state.enter(before)
    return settlement.answer


def outcome_of(reply: str) -> QuestionOutcome:
    """Returns how a person's words settle a question."""
    return QuestionOutcome.DECLINED if is_stop(reply) else QuestionOutcome.ANSWERED


def paused_seconds(questions: Iterable[KeptQuestion], now: datetime) -> float:
    """Returns for how long a flow that is gone on with has been waiting for somebody until now."""
    waits = [question.ask_time for question in questions if question.settled is None]
    return (now - min(waits)).total_seconds() if waits else 0.0
