"""Questions to a person: settled once, by whoever comes first and wherever; and what is deleted is gone."""

import asyncio
import sqlite3
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.util import await_only

from services.contract.events import (
    Cancelled,
    FlowEvent,
    Phase,
    PhaseChanged,
    QuestionAsked,
    QuestionKind,
    QuestionOutcome,
)
from services.contract.flow import Question, Usage
from services.durable.checkpoints import Checkpoint
from services.durable.questions import KeptQuestion, waited_seconds
from services.durable.store import FlowStore, NewFlow
from services.durable.writer import Lease
from services.orchestrator.flow.desk import Desk, PersonQuestion
from services.runtime.deadlines import Deadline
from services.runtime.identity import Caller
from services.runtime.streams import Superseded
from tests.support.stores import STORES, Time, opened

ME, YOU = Caller("me"), Caller("you")
pytestmark = [pytest.mark.asyncio, pytest.mark.parametrize("database", STORES)]


def flow_run_id(number: int) -> str:
    """Returns a flow's id."""
    return f"00000000-0000-7000-8000-{number:012d}"


async def started(store: FlowStore, time: Time, number: int = 1, session_id: str = "s") -> Lease:
    """Writes a flow down."""
    new = NewFlow(
        flow_run_id=flow_run_id(number),
        caller=ME,
        question=Question("secret words", "ko", session_id=session_id, now=time.now),
        request_digest="d",
        traceparent="",
        start_time=time.now,
        expire_time=time.now + timedelta(minutes=1),
    )
    lease = await store.add(new)
    assert lease is not None
    return lease


def asked(time: Time, name: str = "q", number: int = 1) -> KeptQuestion:
    """Returns a question that waits for 15 minutes."""
    expire_time = time.now + timedelta(minutes=15)
    question = QuestionAsked(f"{number}-{name}", QuestionKind.SLOT, "region", "어디요?", ("서울", "부산"), expire_time)
    return KeptQuestion(flow_run_id(number), name, question, "", time.now)


async def deadline(store: FlowStore, number: int = 1) -> datetime:
    """Returns a flow's deadline as it is kept."""
    record = await store.records.read(flow_run_id(number))
    assert record is not None
    return record.expire_time


async def test_a_question_survives_with_all_that_it_asks(tmp_path: Path, database: str) -> None:
    """A question is read back as it was asked, several of one flow side by side, each answered for itself."""
    time = Time()
    async with opened(tmp_path, database, time, replicas=2) as (first, second):
        lease = await started(first, time)
        for name in ("a", "b"):
            await first.questions.ask(lease, asked(time, name))
        record = await second.records.read(lease.flow_run_id)
        assert record is not None
        assert dict(record.questions) == {"a": asked(time, "a"), "b": asked(time, "b")}
        begin = time.now
        time.now += timedelta(minutes=2)
        settled = await second.questions.answer(lease.flow_run_id, "1-b", QuestionOutcome.ANSWERED, "서울", time.now)
        assert settled is not None
        assert await first.questions.settlements(["1-a", "1-b"]) == {"1-b": settled}
        assert (settled.outcome, settled.answer, settled.settle_time) == (QuestionOutcome.ANSWERED, "서울", time.now)
        # A person's two minutes are not the flow's.
        assert await deadline(first) == begin + timedelta(minutes=3)


async def test_a_wait_for_several_counts_once(tmp_path: Path, database: str) -> None:
    """Two questions open for the same ten minutes move the deadline by ten, also for a driver that comes in between."""
    time = Time()
    async with opened(tmp_path, database, time) as (store,):
        lease, begin, yes = await started(store, time), time.now, QuestionOutcome.ANSWERED
        for name in ("a", "b"):
            await store.questions.ask(lease, asked(time, name))
        time.now += timedelta(minutes=4)
        assert await store.questions.answer(lease.flow_run_id, "1-a", yes, "네", time.now) is not None
        time.now += timedelta(minutes=3)
        record = await store.records.read(lease.flow_run_id)
        assert record is not None
        questions = record.questions.values()
        waited_since = waited_seconds(questions, time.now) - waited_seconds(questions)
        assert (record.expire_time - begin, waited_since) == (timedelta(minutes=5), 180.0)
        time.now += timedelta(minutes=3)
        assert await store.questions.answer(lease.flow_run_id, "1-b", yes, "네", time.now) is not None
        assert await deadline(store) == begin + timedelta(minutes=11)


async def test_an_answer_while_a_driver_reads_is_seen_whole_or_not_at_all(tmp_path: Path, database: str) -> None:
    """A later driver reads the answer together with the deadline that it moved; half of it would end the flow early."""
    time = Time()
    async with opened(tmp_path, database, time, replicas=2) as (first, second):
        lease, begin = await started(first, time), time.now
        await first.questions.ask(lease, asked(time))
        time.now += timedelta(minutes=2)
        answers: list[Any] = []

        def answered(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
            if statement.startswith("SELECT") and not answers:
                answers.append("")  # What answering reads is no second occasion.
                said = first.questions.answer(lease.flow_run_id, "1-q", QuestionOutcome.ANSWERED, "서울", time.now)
                answers.append(await_only(said))

        reader = second.records.reader.sync_engine
        event.listen(reader, "after_cursor_execute", answered)
        record = await second.records.read(lease.flow_run_id)
        event.remove(reader, "after_cursor_execute", answered)
        assert record is not None
        assert answers[1] is not None
        moved = record.expire_time - begin - timedelta(minutes=1)
        assert moved.total_seconds() == waited_seconds(record.questions.values())
        assert await deadline(second) == begin + timedelta(minutes=3)


async def test_the_default_holds_where_nobody_answers(tmp_path: Path, database: str) -> None:
    """When the wait is over the default holds, also for a later driver; a late answer is refused."""
    time = Time()
    async with opened(tmp_path, database, time) as (store,):
        lease = await started(store, time)
        ask = PersonQuestion(
            QuestionKind.CONFIRM, "전에 찾은 결과를 쓸까요?", options=("use", "search"), default="search", name="reuse"
        )
        first = Desk(store.questions, lease, Deadline.after(60), time)
        question = await first.ask(ask, 0.05)
        assert (question.asked.default_answer, question.asked.answer_schema_json != b"") == ("search", True)
        settled = await first.settled(question)
        assert (settled.outcome, settled.answer) == (QuestionOutcome.EXPIRED, "search")
        late = await store.questions.answer(
            lease.flow_run_id, question.asked.question_id, QuestionOutcome.ANSWERED, "use", time.now
        )
        assert late is None
        record = await store.records.read(lease.flow_run_id)
        assert record is not None
        later = Desk(store.questions, lease, Deadline.after(60), time, record.questions)
        assert await later.settled(await later.ask(ask, 0.05)) == settled


async def test_an_answer_counts_once_and_in_time(tmp_path: Path, database: str) -> None:
    """The second answer, one after the expiry, one to an ended flow and one to a foreign id change nothing."""
    time = Time()
    async with opened(tmp_path, database, time) as (store,):
        lease = await started(store, time)
        for name in ("once", "late", "over"):
            await store.questions.ask(lease, asked(time, name))
        answer, yes = store.questions.answer, QuestionOutcome.ANSWERED
        assert await answer(lease.flow_run_id, "1-once", yes, "네", time.now) is not None
        assert await answer(lease.flow_run_id, "1-once", yes, "네", time.now) is None
        assert await answer(flow_run_id(2), "1-late", yes, "네", time.now) is None
        assert await answer(lease.flow_run_id, "1-late", yes, "네", time.now + timedelta(minutes=15)) is None
        await store.end(lease, FlowEvent(1, time.now, Cancelled("X")), Phase.CANCELLED, "", Usage())
        assert await answer(lease.flow_run_id, "1-over", yes, "네", time.now) is None


async def test_answer_and_expiry_have_one_outcome(tmp_path: Path, database: str) -> None:
    """Where an answer and the end of the wait meet, at two replicas, one of them holds and both are told which."""
    time = Time()
    async with opened(tmp_path, database, time, replicas=2) as (first, second):
        lease = await started(first, time)
        outcomes = set()
        for number in range(40):
            question = asked(time, str(number))
            await first.questions.ask(lease, question)
            question_id = question.asked.question_id
            pair = (
                second.questions.answer(lease.flow_run_id, question_id, QuestionOutcome.ANSWERED, "네", time.now),
                first.questions.expire(question, time.now),
            )
            answered, held = await asyncio.gather(*(pair if number % 2 else pair[::-1]))
            if not number % 2:
                answered, held = held, answered
            assert held is not None
            assert (held.outcome is QuestionOutcome.ANSWERED) == (answered is not None)
            assert await second.questions.settlements([question_id]) == {question_id: held}
            outcomes.add(held.outcome)
        assert outcomes <= {QuestionOutcome.ANSWERED, QuestionOutcome.EXPIRED}


async def test_a_conversations_next_message_finds_its_question(tmp_path: Path, database: str) -> None:
    """The newest open question of the caller's own conversation is found at any replica; nobody else's is."""
    time = Time()
    async with opened(tmp_path, database, time, replicas=2) as (first, second):
        lease = await started(first, time)
        assert await second.questions.open_in(ME, "s", time.now) is None
        await first.questions.ask(lease, asked(time))
        assert await second.questions.open_in(ME, "s", time.now) == asked(time)
        assert await second.questions.open_in(YOU, "s", time.now) is None
        assert await second.questions.open_in(ME, "other", time.now) is None
        assert await second.questions.open_in(ME, "s", time.now + timedelta(hours=1)) is None


async def test_a_deleted_conversation_is_gone(tmp_path: Path, database: str) -> None:
    """No row of it is left, its running flow stops writing, and on SQLite its words are not in the file any more."""
    time = Time()
    async with opened(tmp_path, database, time) as (store,):
        lease = await started(store, time)
        other = await started(store, time, 2, "kept")
        await store.keep(lease, FlowEvent(1, time.now, PhaseChanged(Phase.ROUTED)))
        await store.record(lease, (Checkpoint("a", "k", b"m"),))
        await store.questions.ask(lease, asked(time))
        assert await store.retention.delete_session(YOU, "s") == 0
        assert await store.retention.delete_session(ME, "s") == 1
        assert await store.records.read(lease.flow_run_id) is None
        assert await store.reads.events(lease.flow_run_id) == ()
        with pytest.raises(Superseded):
            await store.keep(lease, FlowEvent(2, time.now, PhaseChanged(Phase.ROUTED)))
        assert await store.reads.find(ME, other.flow_run_id) is not None
        assert await store.retention.delete_session(ME, "kept") == 1
    if database == "sqlite":
        with sqlite3.connect(tmp_path / "flows.db") as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        assert b"secret words" not in (tmp_path / "flows.db").read_bytes()


async def test_a_sweep_is_bounded_and_takes_the_oldest_ended(tmp_path: Path, database: str) -> None:
    """Flows that ended before an instant go, the oldest first and so many at a time; running ones stay."""
    time = Time()
    async with opened(tmp_path, database, time) as (store,):
        for number in range(1, 8):
            lease = await started(store, time, number)
            time.now += timedelta(days=1)
            if number != 3:
                await store.end(lease, FlowEvent(1, time.now, Cancelled("X")), Phase.CANCELLED, "", Usage())
        before = time.now
        assert await store.retention.sweep(before, flows_max=2) == 2
        left = [
            int(summary.flow_run_id[-2:])
            for summary in await store.reads.page(ME, session_id="", before="", flows_max=9)
        ]
        assert left == [7, 6, 5, 4, 3]
        assert await store.retention.sweep(before, flows_max=9) == 3
        left = [
            int(summary.flow_run_id[-2:])
            for summary in await store.reads.page(ME, session_id="", before="", flows_max=9)
        ]
        assert left == [7, 3]
