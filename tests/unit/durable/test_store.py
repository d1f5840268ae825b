"""The flow store: rows of one caller only, and a schema that is as new as its code."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory

import services.durable
from services.contract.events import Cancelled, FlowEvent, Phase, PhaseChanged
from services.contract.flow import Question, Usage
from services.durable.engines import NEWEST_REVISION
from services.durable.store import FlowStore, NewFlow
from services.durable.writer import Lease
from services.runtime.errors import UnknownFlow, UnknownSession
from services.runtime.identity import Caller

NOW = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
ME, YOU = Caller("me"), Caller("you")


def flow(number: int, caller: Caller = ME, session_id: str = "s", request_id: str = "") -> NewFlow:
    """Returns a flow to write down."""
    return NewFlow(
        flow_run_id=f"00000000-0000-7000-8000-{number:012d}",
        caller=caller,
        question=Question(f"question {number}", "ko", session_id=session_id, request_id=request_id, now=NOW),
        request_digest="d",
        traceparent="",
        start_time=NOW,
        expire_time=NOW + timedelta(minutes=1),
    )


def lease(number: int, token: int = 1) -> Lease:
    """Returns the lease under which a flow is written."""
    return Lease(flow(number).flow_run_id, token)


async def opened(tmp_path: Path) -> FlowStore:
    """Opens a store in a folder that does not exist yet."""
    return await FlowStore.open(f"sqlite+aiosqlite:///{tmp_path / 'new' / 'flows.db'}")


def test_the_newest_revision_is_that_of_the_scripts() -> None:
    """The constant that saves a start from loading Alembic names the scripts' head."""
    config = Config()
    config.set_main_option("script_location", str(Path(services.durable.__file__).parent / "migrations"))
    assert ScriptDirectory.from_config(config).get_heads() == [NEWEST_REVISION]


@pytest.mark.asyncio
async def test_a_store_is_opened_again_as_it_was_left(tmp_path: Path) -> None:
    """A second open finds the first one's rows and migrates nothing."""
    first = await opened(tmp_path)
    assert await first.add(flow(1))
    await first.close()
    second = await opened(tmp_path)
    kept = await second.reads.find(ME, flow(1).flow_run_id)
    assert kept is not None
    assert (kept.summary.question, kept.summary.phase) == ("question 1", Phase.ADMITTED)
    await second.close()


@pytest.mark.asyncio
async def test_events_and_end_are_read_back(tmp_path: Path) -> None:
    """Events come back in sequence, and the end stands in the flow's row."""
    store = await opened(tmp_path)
    await store.add(flow(1))
    told = (
        FlowEvent(1, NOW, PhaseChanged(Phase.ROUTED)),
        FlowEvent(2, NOW + timedelta(seconds=2), Cancelled("CLIENT_CANCELLED", Usage(3))),
    )
    await store.keep(lease(1), told[0])
    await store.end(lease(1), told[1], Phase.CANCELLED, "", Usage(3))
    assert told == await store.reads.events(flow(1).flow_run_id)
    assert told[1:] == await store.reads.events(flow(1).flow_run_id, 1)
    summary = (await store.reads.page(ME, session_id="", before="", flows_max=5))[0]
    assert (Phase.CANCELLED, timedelta(seconds=2), Usage(3)) == (summary.phase, summary.latency, summary.usage)
    await store.close()


@pytest.mark.asyncio
async def test_another_callers_rows_are_not_there(tmp_path: Path) -> None:
    """Every read names the caller; a conversation is its first user's; tenants are apart."""
    store = await opened(tmp_path)
    await store.add(flow(1))
    assert await store.reads.find(YOU, flow(1).flow_run_id) is None
    assert await store.reads.page(YOU, session_id="", before="", flows_max=5) == ()
    assert await store.reads.history(YOU, "s", flow(9).flow_run_id) == ()
    with pytest.raises(UnknownSession):
        await store.add(flow(2, YOU))
    assert await store.reads.find(YOU, flow(2).flow_run_id) is None
    assert await store.add(flow(3, Caller("you", tenant="other")))
    with pytest.raises(UnknownFlow):
        await store.add(flow(1, YOU, session_id="yours"))
    await store.close()


@pytest.mark.asyncio
async def test_a_request_id_is_its_users_own(tmp_path: Path) -> None:
    """The second flow of a request is not written; another user, of the tenant or of another, has ids of their own."""
    store = await opened(tmp_path)
    assert await store.add(flow(1, request_id="r"))
    assert not await store.add(flow(2, request_id="r"))
    assert await store.reads.find(ME, flow(2).flow_run_id) is None
    assert await store.reads.by_request(YOU, "r") is None
    assert await store.add(flow(3, YOU, session_id="yours", request_id="r"))
    assert await store.add(flow(4, Caller("me", tenant="other"), request_id="r"))
    for caller, number in ((ME, 1), (YOU, 3), (Caller("me", tenant="other"), 4)):
        kept = await store.reads.by_request(caller, "r")
        assert kept is not None
        assert kept.summary.flow_run_id == flow(number).flow_run_id
    await store.close()


@pytest.mark.asyncio
@pytest.mark.parametrize("holds_session", [False, True])
async def test_a_flow_is_written_once(tmp_path: Path, holds_session: bool) -> None:
    """A flow that is there already is not begun again, whether or not it holds its conversation."""
    store = await opened(tmp_path)
    new = replace(flow(1), holds_session=holds_session)
    assert await store.add(new)
    assert await store.add(new) is None
    await store.close()


@pytest.mark.asyncio
async def test_pages_go_backwards_without_gap(tmp_path: Path) -> None:
    """Pages are the newest first and join without a gap."""
    store = await opened(tmp_path)
    for number in range(1, 6):
        await store.add(flow(number))
    first = await store.reads.page(ME, session_id="", before="", flows_max=3)
    second = await store.reads.page(ME, session_id="", before=first[-1].flow_run_id, flows_max=3)
    assert [int(summary.flow_run_id[-2:]) for summary in (*first, *second)] == [5, 4, 3, 2, 1]
    await store.close()


@pytest.mark.asyncio
@pytest.mark.parametrize("url", ["mysql://h/x", "sqlite+aiosqlite://"])
async def test_a_database_that_cannot_be_used_is_named(url: str) -> None:
    """An unknown database, or one in memory that every connection would have for itself, is refused by the variable."""
    with pytest.raises(ValueError, match="HAPJU_STORE_URL"):
        await FlowStore.open(url)
