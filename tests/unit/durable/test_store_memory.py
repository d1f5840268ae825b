"""What is remembered of conversations: by recency, within a bound, for their own user alone, and not after deletion."""

from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select

from services.contract.events import FinalAnswer, Finished, FlowEvent, Phase
from services.contract.flow import DecisionSource, MemoryTier, Question, Speaker, Usage
from services.durable.memory import SUMMARY_CHARACTERS_MAX, TOKENS_MAX, summarised
from services.durable.schema import FLOW_CHECKPOINTS, FLOW_EVENTS, FLOW_QUESTIONS, FLOWS, SESSIONS
from services.durable.store import FlowStore, NewFlow
from services.runtime.errors import UnknownSession
from services.runtime.identity import Caller
from services.runtime.ledger import tokens_of
from tests.support.stores import STORES, Time, opened

ME, YOU = Caller("me"), Caller("you")
pytestmark = [pytest.mark.asyncio, pytest.mark.parametrize("database", STORES)]


async def said(store: FlowStore, time: Time, session_id: str, words: str, answer: str) -> str:
    """Asks and answers in a conversation; returns the flow."""
    time.now += timedelta(seconds=1)
    flow_run_id = f"00000000-0000-7000-8000-{int(time.now.timestamp()):012d}"
    question = Question(words, "ko", session_id=session_id, now=time.now)
    until = time.now + timedelta(minutes=1)
    lease = await store.add(NewFlow(flow_run_id, ME, question, "d", "", time.now, until, holds_session=True))
    assert lease is not None
    told = Finished(FinalAnswer(flow_run_id, DecisionSource.RULE, answer))
    await store.end(lease, FlowEvent(1, time.now, told), Phase.FINISHED, answer, Usage())
    return flow_run_id


async def test_the_tiers_go_by_recency(tmp_path: Path, database: str) -> None:
    """Of 23 conversations the last 5 are there in full up to 10 messages, the next 15 as summaries, the rest not."""
    time = Time()
    async with opened(tmp_path, database, time) as (store,):
        for number in range(23):
            for turn in range(7 if number == 22 else 1):
                await said(store, time, f"talk{number}", f"질문 {number}.{turn}", f"답 {number}.{turn}.\n자세한 말")
        found = await store.memory.recall(ME, "now")
        assert [one.session_id for one in found] == [f"talk{number}" for number in range(22, 2, -1)]
        assert [one.tier for one in found] == [MemoryTier.SHORT] * 5 + [MemoryTier.MID] * 5 + [MemoryTier.LONG] * 10
        assert [turn.text for turn in found[0].turns][:2] == ["질문 22.2", "답 22.2.\n자세한 말"]
        assert [turn.speaker for turn in found[0].turns] == [Speaker.USER, Speaker.ASSISTANT] * 5
        assert (found[5].turns, found[5].summary) == ((), "질문 17.0 → 답 17.0.")
        assert "talk22" not in [one.session_id for one in await store.memory.recall(ME, "talk22")]


async def test_it_takes_no_more_than_its_tokens(tmp_path: Path, database: str) -> None:
    """What lies further back is left out first, whole messages and lines at a time."""
    time = Time()
    async with opened(tmp_path, database, time) as (store,):
        for number in range(20):
            await said(store, time, f"talk{number}", f"질문 {number}", "가" * 390)
        found = await store.memory.recall(ME, "now")
        texts = [turn.text for one in found for turn in one.turns] + [one.summary for one in found if one.summary]
        assert TOKENS_MAX - 400 < sum(map(tokens_of, texts)) <= TOKENS_MAX
        assert [one.session_id for one in found[:4]] == ["talk19", "talk18", "talk17", "talk16"]


async def test_a_summary_keeps_to_its_length(tmp_path: Path, database: str) -> None:
    """The newest lines stay."""
    del tmp_path, database
    summary = ""
    for number in range(60):
        summary = summarised(summary, f"질문 {number} " + "말" * 200, "답 " * 200)
    assert len(summary) <= SUMMARY_CHARACTERS_MAX
    assert summary.splitlines()[-1].startswith("질문 59 ")


async def test_nobody_sees_anothers(tmp_path: Path, database: str) -> None:
    """Lists, reads, memory and deletion of another user's conversation find nothing, and change nothing."""
    time = Time()
    async with opened(tmp_path, database, time) as (store,):
        await said(store, time, "mine", "비밀 질문", "비밀 답")
        other_tenant = Caller(ME.user_id, tenant="elsewhere")
        for stranger in (YOU, other_tenant):
            assert await store.memory.recall(stranger, "now") == ()
            assert await store.memory.sessions(stranger, "", 20) == ()
            with pytest.raises(UnknownSession):
                await store.memory.session(stranger, "mine", "", 20)
            assert await store.retention.delete_session(stranger, "mine") == 0
        summary, turns, token = await store.memory.session(ME, "mine", "", 20)
        assert (summary.summary, [turn.text for turn in turns], token) == (
            "비밀 질문 → 비밀 답",
            ["비밀 질문", "비밀 답"],
            "",
        )


async def test_conversations_come_in_pages(tmp_path: Path, database: str) -> None:
    """Pages meet without a gap, over conversations and within one."""
    time = Time()
    async with opened(tmp_path, database, time) as (store,):
        for number in range(5):
            await said(store, time, "talk", f"질문 {number}", "답")
            await said(store, time, f"talk{number}", "질문", "답")
        first = await store.memory.sessions(ME, "", 4)
        rest = await store.memory.sessions(ME, first[-1][1], 4)
        assert [one.session_id for one, _ in (*first, *rest)] == ["talk4", "talk", "talk3", "talk2", "talk1", "talk0"]
        _, newest, token = await store.memory.session(ME, "talk", "", 3)
        _, oldest, end = await store.memory.session(ME, "talk", token, 3)
        assert [turn.text for turn in (*oldest, *newest)][::2] == [f"질문 {number}" for number in range(5)]
        assert end == ""


async def test_what_is_deleted_is_gone(tmp_path: Path, database: str) -> None:
    """A deleted conversation, and one whose flows are swept, leave no row and no memory."""
    time = Time()
    async with opened(tmp_path, database, time) as (store,):
        await said(store, time, "old", "질문", "답")
        border = time.now + timedelta(milliseconds=1)
        await said(store, time, "mine", "질문", "답")
        assert await store.retention.delete_session(ME, "mine") == 1
        with pytest.raises(UnknownSession):
            await store.memory.session(ME, "mine", "", 20)
        assert await store.retention.sweep(border) == 1
        assert await store.memory.recall(ME, "now") == ()
        tables = (FLOWS, FLOW_EVENTS, FLOW_CHECKPOINTS, FLOW_QUESTIONS, SESSIONS)
        counts = await store.writer.transact(
            lambda connection: [connection.scalar(select(func.count()).select_from(table)) for table in tables]
        )
        assert counts == [0] * len(tables)
