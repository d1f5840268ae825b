"""A lost orchestrator: another process goes on with its flows, and nobody hears anything twice or not at all."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.orchestrator.store import FlowStore
from tests.support.replicas import Client, Heard, Replica, Replicas, replicas

HOUSES = "아파트 매물 찾아줘"
"""Asks where, and then searches."""
WHERE = "서울 강남구"
AT_ONCE = 4
"""How many processes die side by side."""


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yields the URL of a PostgreSQL server that lives as long as this module's tests."""
    pgserver = pytest.importorskip("pgserver")
    server = pgserver.get_server(tmp_path_factory.mktemp("pg"), cleanup_mode="stop")
    yield server.get_uri()
    server.cleanup()


def outline(heard: Heard) -> list[tuple[str, str]]:
    """Returns what a flow decided and did, without what differs from run to run."""
    decisions = [("decision", f"{made.decision.service}/{made.decision.kind}") for made in heard.of("decision_made")]
    steps = [("step", f"{settled.step_id}/{settled.outcome}") for settled in heard.of("agent_settled")]
    phases = [("phase", str(changed.phase)) for changed in heard.of("phase_changed")]
    plans = [("plan", str(len(planned.plan.steps))) for planned in heard.of("planned")]
    return sorted(decisions + steps + phases + plans)


async def survived(all_of_them: Replicas, survivor: Replica, write: int) -> Heard:
    """Asks a replica that dies after a write, and goes on at one that lives."""
    mortal = await all_of_them.start(dies_after=write)
    client = Client(mortal, survivor, (WHERE,))
    heard = await client.ask(HOUSES, interactive=True)
    await asyncio.wait_for(mortal.process.wait(), 5)
    assert mortal.process.returncode == -9, write
    assert len(client.answered) == 1, write
    return heard


async def unharmed(survivor: Replica) -> Heard:
    """Asks the same where nothing dies."""
    return await Client(survivor, survivor, (WHERE,)).ask(HOUSES, interactive=True)


def check(heard: Heard, reference: Heard, write: int) -> None:
    """Compares a flow whose driver died with one whose driver did not."""
    assert heard.sequences == list(range(1, len(heard.sequences) + 1)), write
    assert heard.ends == ["finished"], write
    assert outline(heard) == outline(reference), write
    ours, theirs = heard.events[-1].finished.answer, reference.events[-1].finished.answer
    assert ours.final_response == theirs.final_response, write
    assert len(ours.decisions) == len(theirs.decisions), write
    assert ours.usage == theirs.usage, write


async def writes_of(store_url: str, reference: Heard, flow_run_id: str) -> int:
    """Returns how many writes a flow makes: its events, checkpoints and questions."""
    store = await FlowStore.open(store_url)
    record = await store.records.read(flow_run_id)
    await store.close()
    assert record is not None
    # What belongs to one attempt of a step, or to one choice of its calls, is one write.
    names = [name for name in record.checkpoints if not name.endswith(("/spent", "/calls", "/rows"))]
    return len(reference.sequences) + len(names) + len(record.questions)


@pytest.mark.asyncio
@pytest.mark.timeout(120)
async def test_killed_at_some_writes(tmp_path: Path, data: Path) -> None:
    """Killed early, while a person is asked, while an agent runs and at its very end, a flow finishes elsewhere."""
    async with replicas(tmp_path, data) as all_of_them:
        survivor = await all_of_them.start()
        client = Client(survivor, survivor, (WHERE,))
        reference = await client.ask(HOUSES, interactive=True)
        writes = await writes_of(f"sqlite:///{tmp_path / 'flows.db'}", reference, client.flow_run_id)
        chosen = (3, writes // 2, writes - 8, writes)
        heard = await asyncio.gather(*(survived(all_of_them, survivor, write) for write in chosen))
        for write, one in zip(chosen, heard, strict=True):
            check(one, reference, write)


@pytest.mark.asyncio
@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("database", ["sqlite", "postgres"])
async def test_killed_at_every_write(tmp_path: Path, data: Path, database: str, request: pytest.FixtureRequest) -> None:
    """Killed after any write of a flow, that flow finishes at another replica with everything once."""
    url = "" if database == "sqlite" else request.getfixturevalue("postgres")
    async with replicas(tmp_path, data, url) as all_of_them:
        survivor = await all_of_them.start()
        client = Client(survivor, survivor, (WHERE,))
        reference = await client.ask(HOUSES, interactive=True)
        writes = await writes_of(url or f"sqlite:///{tmp_path / 'flows.db'}", reference, client.flow_run_id)
        for begin in range(1, writes + 1, AT_ONCE):
            some = range(begin, min(begin + AT_ONCE, writes + 1))
            heard = await asyncio.gather(*(survived(all_of_them, survivor, write) for write in some))
            for write, one in zip(some, heard, strict=True):
                check(one, reference, write)
            print(f"killed and finished after writes {some[0]} to {some[-1]}", flush=True)  # noqa: T201 - progress
        print(f"killed and finished: {writes} of {writes} on {database}")  # noqa: T201 - the run's figure
