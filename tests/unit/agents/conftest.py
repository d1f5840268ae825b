"""A really seeded database for the agents, made once a run."""

from pathlib import Path

import pytest

from tests.support.seeding import seeded_in, shared_folder
from tests.unit.agents.loopback import NOW


@pytest.fixture(scope="session")
def seeded_dir(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """Return a data directory whose database holds the sample data up to the tests' now."""
    folder = shared_folder(tmp_path_factory.getbasetemp(), worker_id, "agents_data")
    seeded_in(folder, NOW)
    return folder
