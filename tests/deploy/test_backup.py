"""A drill: both stores are backed up in use, and what was said and shown goes on where they are restored."""

import shutil
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from hapju.gateway.v1 import gateway_service_pb2 as pb
from services.runtime.settings import dev_key
from services.tool_gateway.data.copying import copy_database
from tests.support.cluster import Cluster, embedded
from tests.support.commands import hapju
from tests.support.databases import fresh_database, postgres, postgres_url  # noqa: F401 - fixtures are found by name
from tests.support.tokens import token

BUYER = "mina"
ORDER = "ORD-10002"
ASKED = f"주문 {ORDER} 취소해줘"


@dataclass(frozen=True)
class Drill:
    """Two places of one deployment, and the way from one to the other."""

    before: dict[str, Any]
    """Settings of the place that is backed up."""
    after: dict[str, Any]
    """Settings of the place that it is restored to."""
    back_up: Callable[[], Any]
    """Backs up while the services run."""
    restore: Callable[[], Any]
    """Restores, with no service running."""


@pytest.fixture
def embedded_stores(tmp_path: Path, data: Path) -> Drill:
    """Both stores as files of SQLite, by the command."""
    here, there, kept = tmp_path / "here", tmp_path / "there", tmp_path / "kept"
    here.mkdir()
    copy_database(data, here / "data.db")
    return Drill(
        {"data_dir": here, "data": here / "data.db"},
        {"data_dir": there, "data": there / "data.db"},
        lambda: hapju("backup", str(kept), HAPJU_DATA_DIR=str(here)),
        lambda: shutil.copytree(kept, there),
    )


@pytest.fixture
def one_postgresql(
    tmp_path: Path,
    postgres: sa.URL,  # noqa: F811 - as pytest has it
    postgres_url: str,  # noqa: F811 - as pytest has it
) -> Iterator[Drill]:
    """Both stores in one PostgreSQL, by its own tools: one dump holds flows and data of one moment."""
    import pgserver  # noqa: PLC0415 - the fixture above skips where it is not there

    tools = Path(pgserver.__file__).parent / "pginstall" / "bin"
    dump = tmp_path / "hapju.dump"

    def run(tool: str, *arguments: str) -> None:
        subprocess.run([str(tools / tool), *arguments], check=True, capture_output=True)

    def plain(url: str) -> str:
        return sa.make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)

    with fresh_database(postgres) as other:
        places = [
            {"data_dir": tmp_path, "data": tmp_path / "none.db", "sql_url": url, "store_url": url}
            for url in (postgres_url, other)
        ]
        yield Drill(
            places[0],
            places[1],
            lambda: run("pg_dump", "--format=custom", f"--file={dump}", plain(postgres_url)),
            lambda: run("pg_restore", "--no-owner", "--exit-on-error", f"--dbname={plain(other)}", str(dump)),
        )


@asynccontextmanager
async def running(place: dict[str, Any]) -> AsyncIterator[Cluster]:
    """Run the services over one place."""
    settings = dict(place)
    folder, file = settings.pop("data_dir"), settings.pop("data")
    async with embedded(folder, file, typed_asks=True, **settings) as cluster:
        yield cluster


def status_of(place: dict[str, Any]) -> str:
    """Return what the data says of the order."""
    url = place.get("sql_url") or f"sqlite:///{place['data']}"
    engine = sa.create_engine(url)
    try:
        with engine.connect() as connection:
            query = sa.text("SELECT status FROM orders WHERE order_id = :id")
            return str(connection.scalar(query, {"id": ORDER}))
    finally:
        engine.dispose()


@pytest.fixture(
    params=[
        "embedded_stores",
        pytest.param("one_postgresql", marks=[pytest.mark.xdist_group("postgres"), pytest.mark.long]),
    ]
)
def drill(request: pytest.FixtureRequest) -> Drill:
    """Each kind of store in turn."""
    made: Drill = request.getfixturevalue(request.param)
    return made


@pytest.mark.asyncio
async def test_a_restored_deployment_goes_on_where_it_was_backed_up(drill: Drill) -> None:
    """A conversation is there; an act that was shown and not approved is approved there, and is done there and once."""
    who: dict[str, Any] = {"token": token(dev_key(drill.before["data_dir"]), BUYER, user_type="consumer", seconds=600)}
    async with running(drill.before) as cluster:
        shown = await cluster.ask(ASKED, session_id="cancel", **who)
        assert ORDER in shown.answer.final_response
        done = drill.back_up()
        if done is not None:
            assert (await done).code == 0
        # What is done behind the backup is no part of it.
        await cluster.ask("아니요", session_id="cancel", **who)
    waiting = status_of(drill.before)
    drill.restore()
    assert status_of(drill.after) == waiting
    who = {"token": token(dev_key(drill.after["data_dir"]), BUYER, user_type="consumer", seconds=600)}
    async with running(drill.after) as cluster:
        metadata = (("authorization", f"Bearer {who['token']}"),)
        said = await cluster.stub.GetSession(pb.GetSessionRequest(session_id="cancel"), timeout=10, metadata=metadata)
        assert said.turns[0].text == ASKED
        await cluster.ask("네", session_id="cancel", **who)
        moved = status_of(drill.after)
        assert moved != waiting
        await cluster.ask("네", session_id="cancel", **who)
        assert status_of(drill.after) == moved
    assert status_of(drill.before) == waiting


@pytest.mark.asyncio
async def test_a_backup_replaces_nothing(tmp_path: Path) -> None:
    """A folder that is there is left alone, and where no database is the command says so; keys are not copied."""
    taken = await hapju("backup", str(tmp_path), HAPJU_DATA_DIR=str(tmp_path))
    assert (taken.code, "is there already" in taken.errors) == (2, True)
    empty = await hapju("backup", str(tmp_path / "kept"), HAPJU_DATA_DIR=str(tmp_path))
    assert (empty.code, "holds no database" in empty.errors) == (1, True)
