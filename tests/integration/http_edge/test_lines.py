"""Slow, idle, crowding and wordy clients: each is bounded, and the others are served meanwhile."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import pytest_asyncio
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from gateway.http import lines
from gateway.http.edge import _Server
from tests.support.cluster import Cluster

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.xdist_group("http_edge")]

STALLED_SECONDS = 1.0
HEAD = b"GET /v1/openapi.json HTTP/1.1\r\nhost: 127.0.0.1\r\n"


@asynccontextmanager
async def line(cluster: Cluster) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """Opens a connection to the edge, whose stalled time is one second."""
    host, _, port = cluster.doors["http"].rpartition("/")[2].partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


async def gone(reader: asyncio.StreamReader) -> bytes:
    """Returns what still comes until the edge lets go; fails where it does not."""
    async with asyncio.timeout(20 * STALLED_SECONDS):
        try:
            return await reader.read()
        except ConnectionResetError:
            return b""


async def test_who_says_nothing_is_let_go(cluster: Cluster) -> None:
    """A connection over which no request begins does not stay."""
    async with line(cluster) as (reader, _):
        assert await gone(reader) == b""


async def test_who_dribbles_a_head_is_let_go(cluster: Cluster) -> None:
    """A head that never ends is cut after its time, however lively its bytes come; the second on a line as well."""
    for begun in (b"", HEAD + b"\r\n"):
        async with line(cluster) as (reader, writer):
            writer.write(begun + HEAD)
            dribble = asyncio.create_task(_dribble(writer))
            said = await gone(reader)
            dribble.cancel()
            assert said.startswith(b"HTTP/1.1 200") if begun else said == b""


async def _dribble(writer: asyncio.StreamWriter) -> None:
    while not writer.is_closing():
        writer.write(b"x: y\r\n")
        await asyncio.sleep(0.05)


async def test_who_stops_within_a_body_is_told_so(cluster: Cluster) -> None:
    """A body that does not come within its time is refused as such."""
    async with line(cluster) as (reader, writer):
        writer.write(
            b"POST /v1/ask HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{"
        )
        async with asyncio.timeout(20 * STALLED_SECONDS):
            assert (await reader.readline()).startswith(b"HTTP/1.1 504")


async def test_endless_headers_are_refused(cluster: Cluster) -> None:
    """Headers above their size are answered with 431 and the line's end."""
    async with line(cluster) as (reader, writer):
        writer.write(HEAD + b"x: " + b"y" * (2 * lines.HEAD_BYTES_MAX) + b"\r\n")
        head, _, body = (await gone(reader)).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 431")
        assert json.loads(body)["reason"] == "PAYLOAD_TOO_LARGE"


@pytest_asyncio.fixture(loop_scope="session")
async def crowded() -> AsyncIterator[int]:
    """The port of a server of the same lines that keeps two of them."""

    async def served(_: Request) -> Response:
        return JSONResponse({})

    config = uvicorn.Config(
        Starlette(routes=[Route("/", served)]), http=lines.made(2, 30.0), port=0, log_config=None, lifespan="off"
    )
    server = _Server(config)
    serving = asyncio.create_task(server.serve())
    await server.serving.wait()
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    await serving


async def test_a_crowd_is_told_to_come_again(crowded: int) -> None:
    """A connection above the limit has a problem that names it; one that leaves makes room."""
    first, second = [await asyncio.open_connection("127.0.0.1", crowded) for _ in range(2)]
    reader, writer = await asyncio.open_connection("127.0.0.1", crowded)
    head, _, body = (await gone(reader)).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 503")
    assert b"retry-after: 1" in head
    problem = json.loads(body)
    assert (problem["reason"], problem["metadata"]["limit"]) == ("OVERLOADED", "HAPJU_HTTP_CONNECTIONS_MAX")
    for end in (writer, first[1]):
        end.close()
        await end.wait_closed()
    async with asyncio.timeout(10):
        while not (await _status_of(crowded)).startswith(b"HTTP/1.1 200"):
            await asyncio.sleep(0.05)
    second[1].close()


async def _status_of(port: int) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n")
    try:
        return await reader.readline()
    except ConnectionResetError:
        return b""
    finally:
        writer.close()
