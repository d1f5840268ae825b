"""The store's side of questions to a person: asked once, settled once, by whoever comes first and at whichever replica.

An answer and the end of the wait are the same compare-and-set on the question's row. An answer has to come before the
question's expiry, and the end of the wait after it, so that of the two exactly one holds.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Row, bindparam, select, true, update
from sqlalchemy.ext.asyncio import AsyncEngine

from hapju.flow.v1 import flow_event_pb2
from services.contract.events import QuestionAsked, QuestionOutcome
from services.contract.mapping import from_proto, to_proto
from services.durable.instants import instant_of, micros_of
from services.durable.schema import FLOW_QUESTIONS, FLOWS
from services.durable.writer import FlowRow, Lease, Writer
from services.runtime.identity import Caller


@dataclass(frozen=True, slots=True)
class Settlement:
    """How a question was settled."""

    outcome: QuestionOutcome
    """How."""
    answer: str
    """What the person said; the question's default where nobody did."""
    settle_time: datetime
    """When."""


@dataclass(frozen=True, slots=True)
class KeptQuestion:
    """A question as it is kept."""

    flow_run_id: str
    """The flow that asks."""
    name: str
    """Its place in the flow, the same for every driver of it."""
    asked: QuestionAsked
    """The question as it is told."""
    default: str
    """The answer that holds where nobody gives one; empty where the flow is then cancelled."""
    ask_time: datetime
    """When the wait began."""
    settled: Settlement | None = None
    """How it was settled; None while it is open."""


class Questions:
    """The questions of all flows."""

    def __init__(self, writer: Writer, reader: AsyncEngine) -> None:
        self._writer = writer
        self._reader = reader

    async def ask(self, lease: Lease, question: KeptQuestion) -> None:
        """Write a question down before it is told.

        Raises:
            Superseded: Another replica drives the flow.
        """
        values = {
            "name": question.name,
            "question_id": question.asked.question_id,
            "asked": to_proto(question.asked, flow_event_pb2.QuestionAsked).SerializeToString(),
            "default_answer": question.default,
            "ask_time": micros_of(question.ask_time),
            "expire_time": micros_of(question.asked.expire_time),
        }
        await self._writer.append(lease, FlowRow(FLOW_QUESTIONS, values))

    async def answer(
        self,
        flow_run_id: str,
        question_id: str,
        outcome: QuestionOutcome,
        reply: str,
        now: datetime,
    ) -> Settlement | None:
        """Settle an open question with a person's words; None where it is not open any more."""
        in_time = FLOW_QUESTIONS.c.expire_time > micros_of(now)
        changed, settled = await self._settle(flow_run_id, question_id, Settlement(outcome, reply, now), in_time)
        return settled if changed else None

    async def expire(self, question: KeptQuestion, now: datetime) -> Settlement:
        """End the wait for an answer, unless somebody gave one before; return what holds."""
        wanted = Settlement(QuestionOutcome.EXPIRED, question.default, now)
        _, held = await self._settle(question.flow_run_id, question.asked.question_id, wanted, true())
        # A question whose flow is deleted at this moment is over as well.
        return held or wanted

    async def find(self, flow_run_id: str, question_id: str) -> KeptQuestion | None:
        """Return a question of a flow, or None."""
        same = (FLOW_QUESTIONS.c.flow_run_id == flow_run_id) & (FLOW_QUESTIONS.c.question_id == question_id)
        async with self._reader.connect() as connection:
            row = (await connection.execute(select(FLOW_QUESTIONS).where(same))).first()
        return None if row is None else kept_question(row)

    async def settlements(self, question_ids: Iterable[str]) -> Mapping[str, Settlement]:
        """Return those of some questions that are settled."""
        wanted = select(FLOW_QUESTIONS).where(
            FLOW_QUESTIONS.c.question_id.in_(tuple(question_ids)),
            FLOW_QUESTIONS.c.outcome != "",
        )
        async with self._reader.connect() as connection:
            kept = [kept_question(row) for row in await connection.execute(wanted)]
        return {found.asked.question_id: found.settled for found in kept if found.settled is not None}

    async def open_in(self, caller: Caller, session_id: str, now: datetime) -> KeptQuestion | None:
        """Return the question that a conversation's next message answers: the newest open one of its flows."""
        mine = {"tenant": caller.tenant, "user_id": caller.user_id, "session_id": session_id, "now": micros_of(now)}
        async with self._reader.connect() as connection:
            row = (await connection.execute(_OPEN_IN, mine)).first()
        return None if row is None else kept_question(row)

    async def _settle(
        self,
        flow_run_id: str,
        question_id: str,
        wanted: Settlement,
        due: ColumnElement[bool],
    ) -> tuple[bool, Settlement | None]:
        """Settle a question where it is open and `due` holds; return whether it did, and what then holds."""
        same = (FLOW_QUESTIONS.c.flow_run_id == flow_run_id) & (FLOW_QUESTIONS.c.question_id == question_id)
        micros = micros_of(wanted.settle_time)

        def settle(connection: Connection) -> tuple[bool, Settlement | None]:
            alive = select(FLOWS.c.flow_run_id).where(FLOWS.c.flow_run_id == flow_run_id, FLOWS.c.end_time.is_(None))
            setting = update(FLOW_QUESTIONS).where(same, FLOW_QUESTIONS.c.outcome == "", due, alive.exists())
            values = {"outcome": wanted.outcome.value, "answer": wanted.answer, "settle_time": micros}
            changed = connection.execute(setting.values(values)).rowcount == 1
            row = connection.execute(select(FLOW_QUESTIONS).where(same)).first()
            if row is None:
                return False, None
            kept = kept_question(row)
            if changed:
                # The time that a person took is not the flow's: its deadline moves away, in the same transaction.
                of_flow = select(FLOW_QUESTIONS).where(FLOW_QUESTIONS.c.flow_run_id == flow_run_id)
                others = [
                    found for one in connection.execute(of_flow) if (found := kept_question(one)).name != kept.name
                ]
                took = waited_seconds((*others, kept)) - waited_seconds(others)
                later = FLOWS.c.expire_time + round(took * 1_000_000)
                connection.execute(update(FLOWS).where(FLOWS.c.flow_run_id == flow_run_id).values(expire_time=later))
            return changed, kept.settled

        return await self._writer.transact(settle)


def waited_seconds(questions: Iterable[KeptQuestion], now: datetime | None = None) -> float:
    """Return for how long a flow waited for persons; what it waited for several at once counts once.

    Args:
        questions: Its questions.
        now: Until when open ones have been waited for; None leaves them out.
    """
    spans = sorted(
        (question.ask_time, end)
        for question in questions
        if (end := question.settled.settle_time if question.settled is not None else now) is not None
    )
    waited, covered = timedelta(), None
    for begin, end in spans:
        begin_new = begin if covered is None else max(begin, covered)
        waited += max(timedelta(), end - begin_new)
        covered = end if covered is None else max(covered, end)
    return waited.total_seconds()


def kept_question(row: Row[Any]) -> KeptQuestion:
    """Return a row of FLOW_QUESTIONS."""
    settled = None
    if row.outcome:
        settled = Settlement(QuestionOutcome(row.outcome), row.answer, instant_of(row.settle_time))
    asked = from_proto(flow_event_pb2.QuestionAsked.FromString(row.asked), QuestionAsked)
    return KeptQuestion(row.flow_run_id, row.name, asked, row.default_answer, instant_of(row.ask_time), settled)


# Every message of a conversation asks it: a statement costs more to build than to run.
_OPEN_IN: Final = (
    select(FLOW_QUESTIONS)
    .join(FLOWS, FLOWS.c.flow_run_id == FLOW_QUESTIONS.c.flow_run_id)
    .where(
        FLOWS.c.tenant == bindparam("tenant"),
        FLOWS.c.user_id == bindparam("user_id"),
        FLOWS.c.session_id == bindparam("session_id"),
        FLOWS.c.end_time.is_(None),
        FLOW_QUESTIONS.c.outcome == "",
        FLOW_QUESTIONS.c.expire_time > bindparam("now"),
    )
    .order_by(FLOW_QUESTIONS.c.ask_time.desc())
    .limit(1)
)
"""The newest open question of a conversation's flows."""
