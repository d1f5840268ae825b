"""A really seeded database for the agents, made once a session."""

import asyncio
from pathlib import Path

import pytest

from services.tool_gateway.data.seeding import seed
from tests.unit.agents.loopback import NOW


@pytest.fixture(scope="session")
def seeded_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a data directory whose database holds the sample data up to the tests' now."""
    folder: Path = tmp_path_factory.mktemp("agents_data")
    asyncio.run(seed(f"sqlite+aiosqlite:///{folder / 'data.db'}", as_of=NOW))
    return folder
