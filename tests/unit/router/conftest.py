"""The router over sockets, without a model and with a scriptable one."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from tests.support.model_server import ModelServer
from tests.support.understanding import Understanding, understanding


@pytest_asyncio.fixture
async def server() -> AsyncIterator[ModelServer]:
    """A scriptable endpoint."""
    async with ModelServer() as started:
        yield started


@pytest_asyncio.fixture
async def ruled(tmp_path: Path) -> AsyncIterator[Understanding]:
    """The router without a model."""
    async with understanding(tmp_path, "router") as started:
        yield started


@pytest_asyncio.fixture
async def advised(tmp_path: Path, server: ModelServer) -> AsyncIterator[Understanding]:
    """The router with a model."""
    async with understanding(tmp_path, "router", model_url=server.base_url) as started:
        yield started
