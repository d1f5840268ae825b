"""A disk that is full and secrets in a statement: the store says what people may know, and no more."""

import logging
from datetime import UTC, datetime
from pathlib import Path

import pytest
import sqlalchemy as sa
from google.rpc.error_details_pb2 import RetryInfo
from google.rpc.status_pb2 import Status
from sqlalchemy.exc import DBAPIError

from services.durable.engines import reading_engine, store_url, writing_engine
from services.durable.store import FlowStore
from services.runtime.errors import Draining, HapjuError, InvalidRequest, Overloaded, Unavailable, status_of
from services.tool_gateway.data.reader import Reader
from services.tool_gateway.data.writer import DataWriter
from tests.unit.durable.test_store import flow

NOW = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
CANARY = "canary-of-a-person"


def fill_up(store: FlowStore) -> None:
    """Lets the file grow no further, as on a full disk."""

    def stop(connection: object, _: object) -> None:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]  # type: ignore[attr-defined]
        connection.execute(f"PRAGMA max_page_count = {pages}")  # type: ignore[attr-defined]

    sa.event.listen(store.writer.engine, "connect", stop)
    store.writer.engine.dispose()


async def _many(store: FlowStore) -> None:
    for number in range(2, 200):
        await store.add(flow(number))


@pytest.mark.asyncio
async def test_a_full_disk_is_unavailable_and_readable(tmp_path: Path) -> None:
    """A flow that cannot be written down is refused as UNAVAILABLE; what was written is told as ever."""
    store = await FlowStore.open(f"sqlite:///{tmp_path / 'flows.db'}")
    assert await store.add(flow(1))
    fill_up(store)
    with pytest.raises(Unavailable) as refused:
        await _many(store)
    assert refused.value.reason == "STORE_UNAVAILABLE"
    assert await store.reads.find(flow(1).caller, flow(1).flow_run_id) is not None
    await store.close()


@pytest.mark.asyncio
async def test_readiness_is_told_by_a_write(tmp_path: Path) -> None:
    """A store that can be read and not written is not ready; the version it holds stays what it was."""
    store = await FlowStore.open(f"sqlite:///{tmp_path / 'flows.db'}")
    assert await store.check() == ""

    def refuse(connection: object, _: object) -> None:
        connection.execute("PRAGMA query_only = ON")  # type: ignore[attr-defined]

    sa.event.listen(store.writer.engine, "connect", refuse)
    store.writer.engine.dispose()
    with pytest.raises(Unavailable):
        await store.check()
    await store.close()


def test_no_engine_tells_what_a_statement_was_given(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Whatever level is logged, an error names its statement and not what a person said in it."""
    url = store_url(f"sqlite:///{tmp_path / 'flows.db'}")
    made = DataWriter.open(f"sqlite:///{tmp_path / 'flows.db'}")._engine
    server = "postgresql://u:p@127.0.0.1:1/x"
    engines = [writing_engine(url), reading_engine(url).sync_engine, made, Reader.open(str(url)).engine]
    engines += [DataWriter.open(server)._engine, Reader.open(server).engine]
    engines += [writing_engine(store_url(server)), reading_engine(store_url(server)).sync_engine]
    assert all(engine.hide_parameters for engine in engines)
    saying = sa.text("INSERT INTO nowhere VALUES (:said)")
    with caplog.at_level(logging.DEBUG), engines[0].connect() as connection, pytest.raises(DBAPIError) as failed:
        connection.execute(saying, {"said": CANARY})
    assert CANARY not in f"{failed.value}{caplog.text}"
    for engine in engines:
        engine.dispose()


@pytest.mark.parametrize(
    ("error", "seconds"),
    [(Overloaded("full"), True), (Unavailable("away"), True), (Draining("stops"), True), (InvalidRequest("no"), False)],
)
def test_what_is_worth_asking_again_says_when(error: HapjuError, seconds: bool) -> None:
    """Refusals that pass bear RetryInfo; those that do not bear none."""
    status: Status = status_of(error)
    delays = [detail for detail in status.details if detail.Is(RetryInfo.DESCRIPTOR)]
    assert bool(delays) == seconds
