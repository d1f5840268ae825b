"""Questions to a person: a flow that asks waits, outside its own time, until somebody answers or the wait is over.

A question is a row of the store before it is told, and so is its answer: it survives the process that asked, and may be
answered at any replica. The driver hears of an answer at once where it was given here, and from the store otherwise.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
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
    ShownAction,
)
from services.durable.questions import KeptQuestion, Questions, Settlement
from services.durable.writer import Lease
from services.orchestrator.acts.word import Word, word_on
from services.orchestrator.flow.replies import is_stop
from services.orchestrator.flow.state import FlowState
from services.runtime.clock import Clock
from services.runtime.deadlines import Deadline
from services.runtime.errors import FailedPrecondition, Forbidden, InvalidRequest
from services.runtime.identity import Caller

ANSWER_CHARACTERS_MAX: Final = 4_000
"""The length of an answer, in code points."""
DECLINED: Final = "USER_DECLINED"
"""Why a flow is cancelled whose user said stop."""
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
    allowed_roles: tuple[str, ...] = ()
    """Roles of which whoever answers needs one; empty where none is needed."""
    action: ShownAction | None = None
    """Under APPROVAL, the action as it would be done."""


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
            asked = _asked(ask, expire_time)
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
    (said,) = await answers_of(state, ((ask, seconds_max),))
    return said


async def answers_of(state: FlowState, asks: Sequence[tuple[Ask, float]]) -> list[str]:
    """Asks for several things at once, each with the seconds for which it is waited, and returns what is said to each.

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


async def _said(state: FlowState, question: KeptQuestion, ask: Ask) -> str:
    settlement = await state.desk.settled(question)
    await state.emitter.emit(QuestionSettled(question.asked.question_id, settlement.outcome))
    if settlement.outcome is QuestionOutcome.DECLINED:
        raise FlowLeft(DECLINED)
    if settlement.outcome is QuestionOutcome.EXPIRED and not ask.default:
        raise FlowLeft(EXPIRED)
    return settlement.answer


def outcome_of(asked: QuestionAsked, reply: str) -> QuestionOutcome:
    """Returns how a person's words settle a question."""
    word = _word(asked, reply)
    stops = is_stop(reply) and not (word is not None and word.approves)
    return QuestionOutcome.DECLINED if stops else QuestionOutcome.ANSWERED


def is_overtaken(asked: QuestionAsked, message: str) -> bool:
    """Returns whether a message leaves an action undecided that waits for a word: it changes it, or asks another."""
    return asked.kind is QuestionKind.APPROVAL and _word(asked, message) is None


def _word(asked: QuestionAsked, reply: str) -> Word | None:
    if asked.kind is not QuestionKind.APPROVAL:
        return None
    return word_on(reply, asked.action.words if asked.action is not None else ())


def check_reply(asked: QuestionAsked, caller: Caller, reply: str, action_digest: str) -> None:
    """Checks that a person may answer a question like this.

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


def _asked(ask: Ask, expire_time: datetime) -> QuestionAsked:
    return QuestionAsked(
        question_id=uuid4().hex,
        kind=ask.kind,
        slot=ask.slot,
        text=ask.text,
        options=ask.options,
        expire_time=expire_time,
        default_answer=ask.default,
        answer_schema_json=_schema(ask),
        allowed_roles=ask.allowed_roles,
        action=ask.action,
        choices=ask.choices,
        held_data=ask.held_data,
    )


def _schema(ask: Ask) -> bytes:
    """Returns the JSON Schema of an answer; a slot's options are suggestions, an approval's are all there is."""
    schema: dict[str, object] = {"type": "string", "minLength": 1, "maxLength": ANSWER_CHARACTERS_MAX}
    if ask.kind is QuestionKind.APPROVAL:
        schema = {"type": "string", "enum": list(ask.options)}
    elif ask.options:
        schema["examples"] = list(ask.options)
    return json.dumps(schema, ensure_ascii=False).encode()
