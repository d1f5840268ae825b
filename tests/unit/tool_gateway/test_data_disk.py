"""A data file that can grow no further: what is done is refused as away, what is known is read, readiness says so."""

from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import OperationalError

from services.tool_gateway.data.reader import DatabaseUnavailable, Reader
from services.tool_gateway.data.writer import DataWriter, WriteBusy, _named, touched


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A small data file with its revision."""
    path = tmp_path / "data.db"
    with sa.create_engine(f"sqlite:///{path}").begin() as connection:
        connection.exec_driver_sql("CREATE TABLE alembic_version (version_num text)")
        connection.exec_driver_sql("INSERT INTO alembic_version VALUES ('x')")
        connection.exec_driver_sql("CREATE TABLE kept (said text)")
    return path


def _limited(writer: DataWriter, pragma: Callable[[int], str]) -> None:
    def limit(connection: object, _: object) -> None:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]  # type: ignore[attr-defined]
        connection.execute(pragma(pages))  # type: ignore[attr-defined]

    sa.event.listen(writer._engine, "connect", limit)


@pytest.mark.asyncio
async def test_a_full_disk_is_away_and_what_is_known_is_read(file: Path) -> None:
    """No room for a row: nothing is done and the caller may ask again; reading goes on."""
    writer, reader = DataWriter.open(f"sqlite:///{file}"), Reader.open(f"sqlite:///{file}")
    _limited(writer, lambda pages: f"PRAGMA max_page_count = {pages}")
    large = sa.text("INSERT INTO kept VALUES (:said)")
    with pytest.raises(DatabaseUnavailable, match="room"):
        await writer.transact(lambda connection: connection.execute(large, {"said": "x" * 100_000}))
    rows = await reader.fetch(sa.text("SELECT count(*) AS n FROM kept"), {}, timeout_seconds=5)
    assert rows == [{"n": 0}]
    await writer.close()
    await reader.close()


@pytest.mark.asyncio
async def test_readiness_writes(file: Path) -> None:
    """What is read as ever and takes no write is told by a write that changes nothing."""
    writer = DataWriter.open(f"sqlite:///{file}")
    await writer.transact(touched)
    await writer.close()
    refusing = DataWriter.open(f"sqlite:///{file}")
    _limited(refusing, lambda _: "PRAGMA query_only = ON")
    with pytest.raises(DatabaseUnavailable):
        await refusing.transact(touched)
    await refusing.close()


class _Told(Exception):
    def __init__(self, state: str | int) -> None:
        super().__init__(*((state, "said") if isinstance(state, int) else ("said",)))
        if isinstance(state, str):
            self.sqlstate = state


@pytest.mark.parametrize(
    ("state", "kind"),
    [
        ("53100", DatabaseUnavailable),
        ("53300", DatabaseUnavailable),
        ("58030", DatabaseUnavailable),
        ("25006", DatabaseUnavailable),
        (1021, DatabaseUnavailable),
        (1114, DatabaseUnavailable),
        ("40001", WriteBusy),
        (1205, WriteBusy),
    ],
)
def test_servers_without_room_are_away(state: str | int, kind: type[Exception]) -> None:
    """PostgreSQL and MariaDB say by number that there is no room, no connection, or only reading."""
    assert isinstance(_named(OperationalError("INSERT", {}, _Told(state))), kind)
