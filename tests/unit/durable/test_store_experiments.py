"""Which variant a conversation runs under, and what each variant is told to have come to, on both databases."""

from collections import Counter
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
import pytest_asyncio

from services.contract.events import DataReuseDecision, FinalAnswer, Finished, FlowEvent, Phase
from services.contract.flow import DecisionSource, OnDisconnect, Question, Usage
from services.contract.recording import Assignment
from services.durable.experiments import DATA_REUSE, HYBRID, NO_REUSE, SUPERVISOR_ONLY, assigned
from services.durable.store import FlowStore, NewFlow
from services.durable.writer import Lease
from services.runtime.errors import InvalidRequest, UnknownFlow
from services.runtime.identity import Caller
from services.runtime.ids import new_flow_run_id
from services.runtime.streams import Superseded
from tests.support.stores import STORES, Time, opened

KIM, LEE = Caller("kim"), Caller("lee")
EVALUATOR, ELSEWHERE = (
    Caller("eva", roles=frozenset({"evaluator"})),
    Caller("eva", "other", roles=frozenset({"evaluator"})),
)
VARIANTS = (HYBRID, SUPERVISOR_ONLY, NO_REUSE)
pytestmark = pytest.mark.asyncio


@pytest.fixture(params=STORES)
def database(request: pytest.FixtureRequest) -> str:
    """Each database."""
    return str(request.param)


@pytest_asyncio.fixture
async def store(tmp_path: Path, database: str) -> AsyncIterator[FlowStore]:
    """An empty store."""
    async with opened(tmp_path, database, Time()) as (one,):
        yield one


async def _begun(store: FlowStore, caller: Caller, variant: str, session: str) -> Lease:
    question = Question("q", session_id=session, locale="ko", on_disconnect=OnDisconnect.CONTINUE)
    now = Time().now
    new = NewFlow(
        new_flow_run_id(),
        caller,
        question,
        "d",
        "",
        now,
        now + timedelta(minutes=2),
        (Assignment(DATA_REUSE, variant),),
    )
    lease = await store.add(new)
    assert lease is not None
    return lease


async def _ended(store: FlowStore, lease: Lease, seconds: float, use: str = "", calls: int = 0) -> None:
    usage = Usage(model_calls=calls)
    answer = FinalAnswer(lease.flow_run_id, DecisionSource.RULE, "a", usage=usage)
    end = FlowEvent(1, Time().now + timedelta(seconds=seconds), Finished(answer))
    reuse = DataReuseDecision("m", "chat_history", "r", 1.0, use, ()) if use else None
    await store.end(lease, end, Phase.FINISHED, "a", usage, reuse)


async def test_a_conversation_keeps_its_variant_and_all_are_shared_out() -> None:
    """The hash of its id decides, everywhere the same; of many conversations each variant gets about its part."""
    names = [f"s-{number}" for number in range(900)]
    once = [assigned(name, VARIANTS)[0].variant for name in names]
    assert once == [assigned(name, VARIANTS)[0].variant for name in names]
    assert all(240 < count < 360 for count in Counter(once).values())
    assert {assigned(name, (HYBRID,))[0].variant for name in names} == {HYBRID}


async def test_a_report_adds_up_what_flows_came_to(store: FlowStore) -> None:
    """Counts, shares, percentiles and cost, by variant; what is labelled is right or wrong by what was done."""
    for number in range(100):
        lease = await _begun(store, KIM, HYBRID, f"h{number}")
        use = "use" if number < 60 else "search" if number < 80 else ""
        await _ended(store, lease, number + 1, use, calls=2)
        if number < 4:
            label = "search" if number == 0 else "use"
            await store.experiments.label(KIM, lease.flow_run_id, DATA_REUSE, label)
        if number in {60, 61}:
            await store.experiments.label(KIM, lease.flow_run_id, DATA_REUSE, "use" if number == 60 else "search")
    await _ended(store, await _begun(store, KIM, NO_REUSE, "n"), 5, calls=7)
    await _begun(store, KIM, NO_REUSE, "running")
    hybrid, none = await store.experiments.report(KIM, DATA_REUSE)
    assert (hybrid.variant, none.variant) == (HYBRID, NO_REUSE)
    assert (hybrid.flows, hybrid.answered, hybrid.judged, hybrid.searches_avoided) == (100, 100, 80, 60)
    assert (hybrid.latency_p50, hybrid.latency_p99) == (timedelta(seconds=50), timedelta(seconds=99))
    assert (hybrid.usage.model_calls, hybrid.usage_where_use_was_right.model_calls) == (200, 8)
    assert (hybrid.labelled, hybrid.correct_skips, hybrid.incorrect_skips) == (6, 3, 1)
    assert (hybrid.correct_searches, hybrid.incorrect_searches) == (1, 1)
    assert (none.flows, none.usage.model_calls, none.judged) == (1, 7, 0)


async def test_each_sees_their_own_and_an_evaluator_the_tenants(store: FlowStore) -> None:
    """Neither another user nor another tenant's evaluator is told of a flow, or may label it."""
    lease = await _begun(store, KIM, HYBRID, "s1")
    await _ended(store, lease, 1, "use")
    assert await store.experiments.report(LEE, DATA_REUSE) == ()
    assert await store.experiments.report(ELSEWHERE, DATA_REUSE) == ()
    [seen] = await store.experiments.report(EVALUATOR, DATA_REUSE)
    assert seen.flows == 1
    for other in (LEE, ELSEWHERE):
        with pytest.raises(UnknownFlow):
            await store.experiments.label(other, lease.flow_run_id, DATA_REUSE, "use")
    await store.experiments.label(EVALUATOR, lease.flow_run_id, DATA_REUSE, "search")
    [labelled] = await store.experiments.report(KIM, DATA_REUSE)
    assert labelled.incorrect_skips == 1


@pytest.mark.parametrize(("experiment", "label", "field"), [("x", "use", "experiment"), (DATA_REUSE, "x", "label")])
async def test_what_there_is_not_is_refused_by_name(store: FlowStore, experiment: str, label: str, field: str) -> None:
    """An unknown experiment or label names its field and what there is."""
    with pytest.raises(InvalidRequest, match=field):
        await store.experiments.label(KIM, new_flow_run_id(), experiment, label)


async def test_the_next_driver_runs_under_the_same_variant(store: FlowStore) -> None:
    """A flow's row of its experiment is read with it, and deleted with it."""
    lease = await _begun(store, KIM, SUPERVISOR_ONLY, "s1")
    record = await store.records.read(lease.flow_run_id)
    assert record is not None
    assert record.assignments == (Assignment(DATA_REUSE, SUPERVISOR_ONLY),)
    with pytest.raises(Superseded):
        await _ended(store, Lease(lease.flow_run_id, 99), 1, "use")
    await _ended(store, lease, 1)
    [kept] = await store.experiments.report(KIM, DATA_REUSE)
    assert kept.judged == 0, "a driver without the lease has written nothing"
    await store.retention.delete_session(KIM, "s1")
    assert await store.experiments.report(KIM, DATA_REUSE) == ()
