"""Flow stores for tests, on both databases, with a clock that a test moves."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from uuid import uuid4

import pytest

from services.durable.store import FlowStore

STORES = ("sqlite", "postgres")
"""The databases that every promise of the store holds on."""


@dataclass
class Time:
    """A clock that stands still until it is moved."""

    now: datetime = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
    """The present instant."""

    def __call__(self) -> datetime:
        """Returns it."""
        return self.now


def store_url(tmp_path: Path, database: str) -> str:
    """Returns the URL of a store that is empty."""
    return f"sqlite:///{tmp_path / 'flows.db'}" if database == "sqlite" else postgres_url()


def postgres_url() -> str:
    """Returns the URL of an empty PostgreSQL database; its server ends with the tests' process."""
    server = _server()
    name = f"t{uuid4().hex}"
    server.psql(f"CREATE DATABASE {name};")
    return str(server.get_uri(name))


@cache
def _server() -> Any:
    pgserver = pytest.importorskip("pgserver")
    return pgserver.get_server(mkdtemp(prefix="hapju-pg-"), cleanup_mode="delete")


@asynccontextmanager
async def opened(tmp_path: Path, database: str, time: Time, replicas: int = 1) -> AsyncIterator[tuple[FlowStore, ...]]:
    """Opens one store as several replicas."""
    url = store_url(tmp_path, database)
    async with AsyncExitStack() as stack:
        stores = []
        for _ in range(replicas):
            store = await FlowStore.open(url, time)
            stack.push_async_callback(store.close)
            stores.append(store)
        yield tuple(stores)
