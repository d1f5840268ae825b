"""The seeded graph on ladybug, and the same rows on a real Bolt server."""

import asyncio
import contextlib
import os
import shutil
import subprocess
import tempfile
import time
import warnings
from collections.abc import AsyncIterator, Iterator
from importlib import import_module
from pathlib import Path

import pytest
import pytest_asyncio
from neo4j.exceptions import Neo4jError

from services.domains.finance.data.sample.companies import companies_block
from services.domains.finance.data.sample.graph import graph_block
from services.domains.finance.data.sample.macro import macro_block
from services.domains.finance.data.sample.news import Sources, news_block
from services.domains.homes.data.sample.deals import deals_block
from services.domains.homes.data.sample.market import realty_block
from services.domains.homes.data.sample.monthly import monthly_block
from services.domains.homes.data.sample.sessions import closed_sessions
from services.plugin.data.graph import GraphRows
from services.tool_gateway.data.graph.access import Graph
from services.tool_gateway.data.graph.engines import default_graph_url, open_graph
from services.tool_gateway.data.graph.loading import loaded
from services.tool_gateway.data.reader import DatabaseUnavailable, Reader, ReadTimeout
from services.tool_gateway.graph_reads import GatewayGraphReads
from services.tool_gateway.reads import GatewayReads
from tests.support.ports import free_ports
from tests.unit.tool_gateway.seeded_data import AS_OF

_START_SECONDS_MAX = 60
_PASSWORD = "only-for-this-test-server"


@pytest.fixture(scope="session")
def sample_rows() -> GraphRows:
    """Return the nodes and relations of the sample graph, as the seed makes them."""
    with warnings.catch_warnings():
        # The exchange calendars use what pandas will drop.
        warnings.simplefilter("ignore")
        sessions = {market: closed_sessions(market, AS_OF, 560) for market in ("US", "KR")}
    macro, realty = macro_block(AS_OF, sessions), realty_block(sessions["KR"][-1].close)
    sources = Sources(
        companies=companies_block(sessions), macro=macro, monthly=monthly_block(deals_block(realty, AS_OF))
    )
    rows = graph_block(AS_OF, sources, news_block(AS_OF, sources)).graph
    assert rows is not None
    return rows


@pytest.fixture(scope="session")
def bolt_url(sample_rows) -> Iterator[str]:
    """Return the URL of a real Bolt server that holds the sample graph; skipped where none is installed."""
    try:
        server = Path(str(import_module("arcadedb_embedded").__file__)).parent
    except ModuleNotFoundError:
        if os.environ.get("CI"):
            raise
        pytest.skip("no Bolt server here: pip install arcadedb-embedded")
    folder = Path(tempfile.mkdtemp(prefix="hapju-bolt-"))
    port, other = free_ports(2)
    child = subprocess.Popen(
        [
            *(str(server / "jre/bin/java"), "-Xmx384m", "-cp", str(server / "jars/*")),
            "-Darcadedb.server.plugins=Bolt:com.arcadedb.bolt.BoltProtocolPlugin",
            *("-Darcadedb.bolt.host=127.0.0.1", f"-Darcadedb.bolt.port={port}"),
            *("-Darcadedb.server.httpIncomingHost=127.0.0.1", f"-Darcadedb.server.httpIncomingPort={other}"),
            *(f"-Darcadedb.server.rootPassword={_PASSWORD}", "-Darcadedb.server.defaultDatabases=graph[root]"),
            *(f"-Darcadedb.server.rootPath={folder}", f"-Darcadedb.server.databaseDirectory={folder}/databases"),
            "com.arcadedb.server.ArcadeDBServer",
        ],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    url = f"bolt://root:{_PASSWORD}@127.0.0.1:{port}/graph"
    try:
        asyncio.run(_answering(url, child))
        with loaded(url, [sample_rows]) as put_in_place:
            put_in_place()
        yield url
    finally:
        child.terminate()
        child.wait(timeout=30)
        shutil.rmtree(folder, ignore_errors=True)


async def _answering(url: str, child: "subprocess.Popen[bytes]") -> None:
    """Wait until the server answers a statement."""
    began = time.monotonic()
    while time.monotonic() - began < _START_SECONDS_MAX and child.poll() is None:
        graph = open_graph(url)
        try:
            with contextlib.suppress(DatabaseUnavailable, ReadTimeout, Neo4jError):
                await graph.fetch("RETURN 1 AS one", {}, 5)
                return
        finally:
            await graph.close()
        await asyncio.sleep(0.3)
    raise RuntimeError(f"the Bolt server did not answer within {_START_SECONDS_MAX} s")


@pytest.fixture
def embedded_url(url) -> str:
    """Return the URL of the graph that the seed has written beside the database."""
    return default_graph_url(url)


@pytest.fixture(params=["embedded", pytest.param("bolt", marks=[pytest.mark.xdist_group("bolt"), pytest.mark.long])])
def graph_url(request) -> str:
    """Return the URL of the sample graph on each engine in turn."""
    return str(request.getfixturevalue(f"{request.param}_url"))


@pytest_asyncio.fixture
async def graph(graph_url) -> AsyncIterator[Graph]:
    """Return the sample graph on each engine in turn."""
    opened = open_graph(graph_url)
    yield opened
    await opened.close()


@pytest_asyncio.fixture
async def reads(reader: Reader, graph_url) -> AsyncIterator[GatewayReads]:
    """Return the packaged statements over the seeded database and its graph."""
    graph_reads = GatewayGraphReads(open_graph(graph_url))
    yield GatewayReads(reader, None, graph_reads)
    await graph_reads.close()
