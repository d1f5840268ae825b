"""A lost orchestrator: another process goes on with its flows, what they do is done once, and nobody hears it twice.

The flow asks where to look, runs an agent that wants an order, shows that order, has it approved and places it.
"""

import asyncio
import re
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from time import time

import pytest

from observability import attributes as names
from services.durable.store import FlowStore
from services.tool_gateway.data.copying import copy_database
from tests.support.otlp_receiver import OtlpReceiver
from tests.support.replicas import Client, Heard, Replica, Replicas, replicas
from tests.support.stores import STORES, store_url
from tests.support.wishing_agent import wishing_agent

pytestmark = pytest.mark.long

HOUSES = "아파트 매물 찾아줘"
"""Asks where, and then calls the agent."""
ANSWERS = ("서울 강남구", "네")
"""Where, and the word on the order."""
AGENT = "realty.search"
"""In whose place the wishing agent stands."""
USER = "mina"
"""Who buys."""
AT_ONCE = 4
"""How many processes die side by side."""
OUTSIDE = ("preview_action", "approve_action", "execute_action")
"""Calls after whose answer, and before its record, a process dies too."""
RESUME_SECONDS_MAX = 8.0
"""A lease of 1.5 s, the wait for the next look, and the work that was under way, on a busy machine."""


@dataclass
class Stage:
    """Replicas, the shop that they act on, and a flow that nothing happened to."""

    replicas: Replicas
    survivor: Replica
    shop: Path
    reference: Heard
    writes: int
    waits: list[float]
    """From the loss of each driver to the next event, in seconds."""

    def rows(self, query: str, *values: str) -> list[tuple[object, ...]]:
        """Reads the shop behind everybody's back."""
        with sqlite3.connect(f"file:{self.shop}?mode=ro", uri=True) as connection:
            return connection.execute(query, values).fetchall()

    async def survived(self, moment: int | str) -> bool:
        """Asks a replica that dies at a moment, goes on at one that lives, checks everything; tells whether it died."""
        mortal = await self.replicas.start(dies_after=moment)
        client = Client(mortal, self.survivor, ANSWERS)
        asking = asyncio.create_task(client.ask(HOUSES, interactive=True))
        dying = asyncio.create_task(mortal.process.wait())
        await asyncio.wait((dying, asking), return_when=asyncio.FIRST_COMPLETED)
        lost = time()
        heard = await asking
        if not await mortal.has_died():
            return False
        later = [
            at - lost
            for event in heard.events
            if event.HasField("sequence") and (at := event.emit_time.ToNanoseconds() / 1e9) > lost
        ]
        # Heartbeats of whoever tells the flow meanwhile bear no sequence; after the last write nothing is left to do.
        self.waits += later[:1]
        assert len(client.answered) == len(ANSWERS), moment
        check(heard, self.reference, moment)
        done = self.rows("SELECT status FROM effects WHERE flow_run_id = ?", client.flow_run_id)
        assert done == [("SUCCEEDED",)], moment
        return True


@asynccontextmanager
async def staged(tmp_path: Path, data: Path, database: str) -> AsyncIterator[Stage]:
    """Sets the stage on a database of flows."""
    shop, url = tmp_path / "shop.db", store_url(tmp_path, database)
    copy_database(data, shop)
    with sqlite3.connect(shop) as connection:
        query = "SELECT product_id FROM offers WHERE stock > 100 AND price_krw > 30000 ORDER BY offer_id LIMIT 1"
        (product_id,) = connection.execute(query).fetchone()
    connection.close()
    order = {"items": [{"product_id": product_id, "quantity": 1}], "payment_method": "card"}
    async with (
        wishing_agent(tmp_path, AGENT, order) as wishing,
        replicas(tmp_path, shop, url, elsewhere={AGENT: wishing}, user=USER) as all_of_them,
    ):
        survivor = await all_of_them.start()
        client = Client(survivor, survivor, ANSWERS)
        reference = await client.ask(HOUSES, interactive=True)
        assert [settled.outcome for settled in reference.of("action_settled")] == [1], reference.events[-1]
        writes = await writes_of(url, reference, client.flow_run_id)
        yield Stage(all_of_them, survivor, shop, reference, writes, [])


def outline(heard: Heard) -> list[tuple[str, str]]:
    """Returns what a flow decided and did, without what differs from run to run."""
    decisions = [("decision", f"{made.decision.service}/{made.decision.kind}") for made in heard.of("decision_made")]
    steps = [("step", f"{settled.step_id}/{settled.outcome}") for settled in heard.of("agent_settled")]
    actions = [("action", f"{settled.action_type}/{settled.outcome}") for settled in heard.of("action_settled")]
    phases = [("phase", str(changed.phase)) for changed in heard.of("phase_changed")]
    questions = [("question", f"{asked.kind}") for asked in heard.of("question_asked")]
    plans = [("plan", str(len(planned.plan.steps))) for planned in heard.of("planned")]
    return sorted(decisions + steps + actions + phases + questions + plans)


def check(heard: Heard, reference: Heard, moment: int | str) -> None:
    """Compares a flow whose driver died with one whose driver did not."""
    assert heard.sequences == list(range(1, len(heard.sequences) + 1)), moment
    assert heard.ends == ["finished"], moment
    assert outline(heard) == outline(reference), moment
    ours, theirs = heard.events[-1].finished.answer, reference.events[-1].finished.answer
    # An order's number comes from its flow.
    texts = [re.sub(r"ORD-\d+", "ORD", one.final_response) for one in (ours, theirs)]
    assert texts[0] == texts[1], moment
    assert len(ours.decisions) == len(theirs.decisions), moment
    assert [one.outcome for one in ours.actions] == [one.outcome for one in theirs.actions], moment
    assert ours.usage == theirs.usage, moment


async def writes_of(store_url: str, reference: Heard, flow_run_id: str) -> int:
    """Returns how many writes a flow makes: its events, checkpoints and questions."""
    store = await FlowStore.open(store_url)
    record = await store.records.read(flow_run_id)
    await store.close()
    assert record is not None
    # What belongs to one attempt of a step, or to one choice of its calls, is one write.
    names = [name for name in record.checkpoints if not name.endswith(("/spent", "/calls", "/rows"))]
    return len(reference.sequences) + len(names) + len(record.questions)


# A busy machine renews no lease of 1.5 s in time: the survivor goes on with the flow, and the mortal never dies of it.
@pytest.mark.timed
@pytest.mark.asyncio
@pytest.mark.timeout(120)
async def test_killed_at_some_moments(tmp_path: Path, data: Path) -> None:
    """Killed early, while an agent runs, between an effect and its record, and at the very end, a flow finishes."""
    async with staged(tmp_path, data, "sqlite") as stage:
        moments: tuple[int | str, ...] = (3, stage.writes // 2, "execute_action", stage.writes)
        assert all(await asyncio.gather(*map(stage.survived, moments)))
        assert max(stage.waits) < RESUME_SECONDS_MAX


@pytest.mark.asyncio
@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("database", STORES)
async def test_killed_at_every_moment(tmp_path: Path, data: Path, database: str) -> None:
    """Killed after any write of a flow, or between a call and its record, it finishes elsewhere with all of it once."""
    async with staged(tmp_path, data, database) as stage:
        assert all(await asyncio.gather(*map(stage.survived, OUTSIDE)))
        died: list[bool] = []
        # How many writes there are depends on how many rows a database is given in one go: until one is never reached.
        while all(died):
            died += await asyncio.gather(*map(stage.survived, range(len(died) + 1, len(died) + 1 + AT_ONCE)))
            print(f"killed and finished: {sum(died)}", flush=True)  # noqa: T201 - progress
        assert died.index(False) >= stage.writes // 2, died
        waits = sorted(stage.waits)
        median, most = waits[len(waits) // 2], waits[-1]
        print(f"killed and finished: {sum(died)} and {len(OUTSIDE)} on {database}")  # noqa: T201 - the run's figures
        print(f"to the next event after a loss: median {median:.2f} s, at most {most:.2f} s")  # noqa: T201 - as above


@pytest.mark.timed
@pytest.mark.asyncio
@pytest.mark.timeout(120)
async def test_the_next_drivers_trace_links_to_the_first_ones(tmp_path: Path, data: Path) -> None:
    """The span of a flow that is gone on with names the span under which it was begun; both are of one flow."""
    with OtlpReceiver() as receiver:
        async with replicas(tmp_path, data, traces=receiver.endpoint) as all_of_them:
            survivor = await all_of_them.start()
            mortal = await all_of_them.start(dies_after="route")
            client = Client(mortal, survivor)
            assert (await client.ask(HOUSES)).ends == ["finished"]
            survivor.process.terminate()
            await survivor.process.wait()
        spans = await asyncio.to_thread(
            receiver.wait_for, lambda found: any(span.name == names.SPAN_FLOW for span in found), 5.0
        )
    store = await FlowStore.open(f"sqlite:///{tmp_path / 'flows.db'}")
    record = await store.records.read(client.flow_run_id)
    await store.close()
    assert record is not None
    _, trace_id, span_id, _ = record.traceparent.split("-")
    (flow,) = [span for span in spans if span.name == names.SPAN_FLOW]
    assert flow.attributes[names.FLOW_RUN_ID] == client.flow_run_id
    assert (flow.links, flow.trace_id != trace_id) == ((span_id,), True)
