"""The seeded data, made once for all workers of a test run."""

import asyncio
from pathlib import Path

import pytest

from services.tool_gateway.data.seeding import ensure_seeded


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A data file with the sample data set; workers share it, since seeding is safe for several at once."""
    base = tmp_path_factory.getbasetemp()
    folder = (base if worker_id == "master" else base.parent) / "seeded"
    folder.mkdir(exist_ok=True)
    asyncio.run(ensure_seeded(f"sqlite+aiosqlite:///{folder / 'data.db'}"))
    return folder / "data.db"
