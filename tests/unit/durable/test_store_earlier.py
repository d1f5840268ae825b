"""What earlier flows of a conversation found: the caller's own, what had ended, nothing that was changed since."""

from datetime import timedelta
from pathlib import Path

import pytest

from services.contract.events import (
    ActionOutcome,
    ActionSettled,
    AgentOutcome,
    AgentSettled,
    Event,
    FinalAnswer,
    Finished,
    FlowEvent,
    Phase,
    Planned,
)
from services.contract.flow import (
    AgentResult,
    AgentStatus,
    DataNeed,
    DecisionSource,
    ExecutionPlan,
    Question,
    Strategy,
    Usage,
)
from services.durable.store import FlowStore, NewFlow
from services.durable.writer import Lease
from services.runtime.identity import Caller
from tests.support.stores import STORES, Time, opened

ME, YOU = Caller("me"), Caller("you")
NEED = DataNeed(("market",), (), (), ("시세",), points_back=False)
PLAN = ExecutionPlan("q", (), None, (), Strategy.SEQUENTIAL, timedelta(), None, (), NEED)
pytestmark = [pytest.mark.asyncio, pytest.mark.parametrize("database", STORES)]


async def _began(store: FlowStore, time: Time, caller: Caller = ME, session_id: str = "talk") -> Lease:
    time.now += timedelta(seconds=1)
    flow_run_id = f"00000000-0000-7000-8000-{int(time.now.timestamp()):012d}"
    question = Question("q", "ko", session_id=session_id, now=time.now)
    lease = await store.add(NewFlow(flow_run_id, caller, question, "d", "", time.now, time.now + timedelta(minutes=1)))
    assert lease is not None
    return lease


async def _ended(store: FlowStore, time: Time, lease: Lease, *events: Event) -> str:
    time.now += timedelta(seconds=1)
    for sequence, event in enumerate(events, 1):
        await store.keep(lease, FlowEvent(sequence, time.now, event))
    told = Finished(FinalAnswer(lease.flow_run_id, DecisionSource.RULE, "a"))
    await store.end(lease, FlowEvent(len(events) + 1, time.now, told), Phase.FINISHED, "a", Usage())
    return lease.flow_run_id


def _found(outcome: AgentOutcome = AgentOutcome.ANSWERED, reused: str = "") -> AgentSettled:
    result = AgentResult("realty.search", "s1", AgentStatus.ANSWERED, reused_flow_run_id=reused)
    return AgentSettled("s1", "realty.search", outcome, "", timedelta(), result)


async def test_what_was_looked_up_is_read_back(tmp_path: Path, database: str) -> None:
    """Newest first, with what the question was about and when; what was reused is marked with where it is from."""
    time = Time()
    async with opened(tmp_path, database, time) as (store,):
        first = await _ended(store, time, await _began(store, time), Planned(PLAN), _found())
        found_at = time.now
        second = await _ended(store, time, await _began(store, time), Planned(PLAN), _found(reused=first))
        earlier = await store.earlier.read(ME, "talk", (await _began(store, time)).flow_run_id)
        assert [(flow.flow_run_id, flow.need) for flow in earlier] == [(second, NEED), (first, NEED)]
        assert [[one.result.reused_flow_run_id for one in flow.found] for flow in earlier] == [[first], [""]]
        assert earlier[1].found[0].found_at == found_at


async def test_nothing_of_another_user_or_conversation(tmp_path: Path, database: str) -> None:
    """Neither what somebody else found, nor what was found in another conversation."""
    time = Time()
    async with opened(tmp_path, database, time) as (store,):
        await _ended(store, time, await _began(store, time, YOU, "yours"), Planned(PLAN), _found())
        await _ended(store, time, await _began(store, time, ME, "other"), Planned(PLAN), _found())
        mine = (await _began(store, time)).flow_run_id
        assert await store.earlier.read(ME, "talk", mine) == ()
        assert await store.earlier.read(ME, "yours", mine) == ()


async def test_it_is_the_same_for_every_driver(tmp_path: Path, database: str) -> None:
    """What began after a flow changes nothing for whoever goes on with it; what began before has ended by its turn."""
    time = Time()
    async with opened(tmp_path, database, time) as (store,):
        mine = (await _began(store, time)).flow_run_id
        later = await _began(store, time)
        assert await store.earlier.read(ME, "talk", mine) == ()
        await _ended(store, time, later, Planned(PLAN), _found())
        assert await store.earlier.read(ME, "talk", mine) == ()
        assert len(await store.earlier.read(ME, "talk", (await _began(store, time)).flow_run_id)) == 1


@pytest.mark.parametrize(
    ("outcome", "kept"),
    [(ActionOutcome.DONE, False), (ActionOutcome.IN_DOUBT, False), (ActionOutcome.REJECTED, True)],
)
async def test_what_an_action_may_have_changed_is_not_held(
    tmp_path: Path, database: str, outcome: ActionOutcome, kept: bool
) -> None:
    """Before something was done, or may have been, nothing is held any more; what was refused changes nothing."""
    time = Time()
    async with opened(tmp_path, database, time) as (store,):
        await _ended(store, time, await _began(store, time), Planned(PLAN), _found())
        action = ActionSettled("s1", 0, "CREATE_ORDER", outcome, "")
        await _ended(store, time, await _began(store, time), Planned(PLAN), action)
        earlier = await store.earlier.read(ME, "talk", (await _began(store, time)).flow_run_id)
        assert any(flow.found for flow in earlier) is kept
