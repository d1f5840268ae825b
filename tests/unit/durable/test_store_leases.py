"""Leases and fences: of any number of replicas one drives a flow, and only that one writes."""

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from services.contract.events import Cancelled, FlowEvent, Phase, PhaseChanged
from services.contract.flow import Question, Usage
from services.durable.checkpoints import VERSION, Checkpoint
from services.durable.store import FlowStore, NewFlow
from services.durable.writer import Lease
from services.runtime.errors import FailedPrecondition
from services.runtime.identity import Caller
from services.runtime.streams import Superseded
from tests.support.stores import STORES, Time, opened

ME = Caller("me", roles=frozenset({"evaluator", "a,b"}))
pytestmark = [pytest.mark.asyncio, pytest.mark.parametrize("database", STORES)]


def flow(number: int, time: Time, **fields: Any) -> NewFlow:
    """Returns a flow to write down."""
    return NewFlow(
        flow_run_id=f"00000000-0000-7000-8000-{number:012d}",
        caller=ME,
        question=Question(f"question {number}", "ko", session_id="s", now=time.now),
        request_digest="d",
        traceparent="00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        start_time=time.now,
        expire_time=time.now + timedelta(minutes=1),
        **fields,
    )


def phase(sequence: int, time: Time) -> FlowEvent:
    """Returns an event to keep."""
    return FlowEvent(sequence, time.now, PhaseChanged(Phase.ROUTED))


async def added(store: FlowStore, new: NewFlow) -> Lease:
    """Writes a flow down and returns the lease."""
    lease = await store.add(new)
    assert lease is not None
    return lease


async def test_a_lease_that_runs_out_goes_to_one_other(tmp_path: Path, database: str) -> None:
    """Nobody takes a lease that holds; when it runs out, of many replicas one gets it, under the next token."""
    time = Time()
    async with opened(tmp_path, database, time, replicas=4) as (first, *others):
        lease = await added(first, flow(1, time))
        assert [await other.leases.take(5) for other in others] == [(), (), ()]
        time.now += timedelta(seconds=9)
        assert await first.leases.renew() == {lease.flow_run_id: 1}
        time.now += timedelta(seconds=9)
        assert [await other.leases.take(5) for other in others] == [(), (), ()]
        time.now += timedelta(seconds=2)
        taken = await asyncio.gather(*(other.leases.take(5) for other in others))
        assert [lease for some in taken for lease in some] == [Lease(lease.flow_run_id, 2)]
        assert await first.leases.renew() == {}


async def test_a_superseded_driver_writes_nothing(tmp_path: Path, database: str) -> None:
    """After a takeover every write of the former driver is refused, and of two ends the first is the only one."""
    time = Time()
    async with opened(tmp_path, database, time, replicas=2) as (first, second):
        old = await added(first, flow(1, time))
        await first.keep(old, phase(1, time))
        time.now += timedelta(seconds=11)
        (new,) = await second.leases.take(5)
        end = FlowEvent(2, time.now, Cancelled("CLIENT_CANCELLED"))
        for write in (
            first.keep(old, phase(2, time)),
            first.record(old, (Checkpoint("route", "k", b"m"),)),
            first.end(old, end, Phase.CANCELLED, "", Usage()),
        ):
            with pytest.raises(Superseded):
                await write
        await second.end(new, end, Phase.CANCELLED, "", Usage())
        with pytest.raises(Superseded):
            await second.end(new, FlowEvent(3, time.now, Cancelled("X")), Phase.CANCELLED, "", Usage())
        with pytest.raises(Superseded):
            await second.keep(new, phase(3, time))
        assert [event.sequence for event in await first.reads.events(new.flow_run_id)] == [1, 2]
        time.now += timedelta(hours=1)
        assert await first.leases.take(5) == ()


async def test_a_stale_write_in_a_batch_spoils_no_other(tmp_path: Path, database: str) -> None:
    """Writes that share a transaction each get their own outcome: the good ones are kept, the stale one is refused."""
    time = Time()
    async with opened(tmp_path, database, time) as (store,):
        leases = [await added(store, flow(number, time)) for number in range(20)]
        stale = Lease(leases[7].flow_run_id, 9)
        writes = [store.keep(lease, phase(1, time)) for lease in (*leases[:7], stale, *leases[8:])]
        outcomes = await asyncio.gather(*writes, return_exceptions=True)
        assert [type(outcome) for outcome in outcomes if outcome is not None] == [Superseded]
        counts = [await store.reads.last_sequence(lease.flow_run_id) for lease in leases]
        assert counts == [0 if number == 7 else 1 for number in range(20)]


async def test_checkpoints_are_kept_all_or_none(tmp_path: Path, database: str) -> None:
    """Of checkpoints that belong together none is there where one of them cannot be."""
    time = Time()
    async with opened(tmp_path, database, time) as (store,):
        lease = await added(store, flow(1, time))
        await store.record(lease, (Checkpoint("a", "k", b"1"),))
        with pytest.raises(Exception, match=r"(?i)unique"):
            await store.record(lease, (Checkpoint("b", "k", b"2"), Checkpoint("a", "k", b"3")))
        record = await store.records.read(lease.flow_run_id)
        assert record is not None
        assert dict(record.checkpoints) == {"a": Checkpoint("a", "k", b"1")}
        assert (record.caller, record.checkpoint_version) == (ME, VERSION)
        assert (record.question, record.start_time) == (flow(1, time).question, time.now)


async def test_a_flow_that_is_handed_over_is_free_at_once(tmp_path: Path, database: str) -> None:
    """Whoever looks next takes it, and what its former driver left running writes nothing more."""
    time = Time()
    async with opened(tmp_path, database, time, replicas=2) as (first, second):
        lease = await added(first, flow(1, time))
        await first.leases.release(lease)
        with pytest.raises(Superseded):
            await first.keep(lease, phase(1, time))
        (taken,) = await second.leases.take(5)
        assert taken.token > lease.token
        await second.keep(taken, phase(1, time))


async def test_a_cancellation_reaches_the_driver(tmp_path: Path, database: str) -> None:
    """What is asked for at one replica is read at the one that drives the flow; the first reason stays."""
    time = Time()
    async with opened(tmp_path, database, time, replicas=2) as (first, second):
        lease = await added(first, flow(1, time))
        await second.request_cancel(lease.flow_run_id, "CLIENT_CANCELLED")
        await second.request_cancel(lease.flow_run_id, "LATER")
        assert await first.leases.cancellations() == {lease.flow_run_id: "CLIENT_CANCELLED"}
        assert await second.leases.cancellations() == {}


async def test_one_flow_holds_a_conversation(tmp_path: Path, database: str) -> None:
    """Of flows that hold one conversation, started at two replicas at once, one runs; the next is who came next."""
    time = Time()
    async with opened(tmp_path, database, time, replicas=2) as stores:
        starts = [stores[number % 2].add(flow(number, time, holds_session=True)) for number in range(10)]
        outcomes = await asyncio.gather(*starts, return_exceptions=True)
        held = [outcome for outcome in outcomes if isinstance(outcome, Lease)]
        refused = [outcome for outcome in outcomes if isinstance(outcome, FailedPrecondition)]
        assert (len(held), len(refused)) == (1, 9)
        assert {error.reason for error in refused} == {"SESSION_BUSY"}
        assert {error.metadata["flow_run_id"] for error in refused} == {held[0].flow_run_id}
        queued = await stores[0].add(flow(50, time))
        assert queued is not None
        assert not await stores[0].turns.take(queued, ME, "s")
        owner = stores[int(held[0].flow_run_id[-2:]) % 2]
        await owner.end(held[0], FlowEvent(1, time.now, Cancelled("X")), Phase.CANCELLED, "", Usage())
        with pytest.raises(FailedPrecondition):
            await stores[1].add(flow(51, time, holds_session=True))
        later = await stores[1].add(flow(51, time))
        assert later is not None
        assert not await stores[1].turns.take(later, ME, "s")
        assert await stores[0].turns.take(queued, ME, "s")
        assert await stores[0].turns.before(ME, "s", later.flow_run_id) == (queued.flow_run_id,)
