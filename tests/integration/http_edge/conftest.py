"""One ensemble with its HTTP edge for the tests of this folder: starting it costs more than any of them."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from gateway.servicer import register
from services.runtime.server import start
from services.runtime.settings import Settings
from tests.support.cluster import Cluster, embedded
from tests.support.http_client import HttpClient, http_client


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of the ensemble."""
    return tmp_path_factory.mktemp("http")


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def cluster(folder: Path, data: Path) -> AsyncIterator[Cluster]:
    """An ensemble whose gateway serves HTTP too, at a free port."""
    async with embedded(
        folder, data, http_listen="127.0.0.1:0", typed_asks=True, http_stalled_seconds_max=1.0
    ) as found:
        yield found


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def http(cluster: Cluster) -> AsyncIterator[HttpClient]:
    """An anonymous client of the edge."""
    async with http_client(cluster.doors["http"]) as client:
        yield client


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def beside(cluster: Cluster, folder: Path) -> AsyncIterator[Cluster]:
    """A second gateway over the same services and the same store."""
    settings = Settings(data_dir=folder, log_level="error", http_listen="127.0.0.1:0")
    running = await start("gateway", register, settings, listen="127.0.0.1:0", addresses=dict(cluster.addresses))
    found = Cluster(running.address, cluster.addresses, cluster.data, dict(running.doors))
    async with found.channel:
        yield found
    await running.stop(0)
