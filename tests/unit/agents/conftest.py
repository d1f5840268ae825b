"""A really seeded database for the agents, made once a run."""

from pathlib import Path

import pytest

from tests.support.seeding import folder_as_of
from tests.unit.agents.loopback import NOW


@pytest.fixture(scope="session")
def seeded_dir(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """Return a data directory whose database holds the sample data up to the tests' now."""
    return folder_as_of(tmp_path_factory.getbasetemp(), worker_id, NOW)
