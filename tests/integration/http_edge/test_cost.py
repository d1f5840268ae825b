"""What the edge costs beside the gateway that it stands at."""

import asyncio
import json
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

import psutil  # it publishes no types
import pytest

from hapju.flow.v1 import question_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb
from services.catalog.topology import topology
from services.runtime.environment import process_environment
from tests.support.cluster import Cluster, until_serving
from tests.support.http_client import HttpClient
from tests.support.ports import free_ports

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.xdist_group("http_edge")]

ASKED = "애플 주가 추세 분석해줘"
VAGUE = "이번 달 전세 시세 알려줘"
READERS = 300
READERS_MB_MAX = 30
ADDED_MS_MAX = 1.5


async def over_grpc(cluster: Cluster) -> float:
    """Returns how long the first event of a flow took over gRPC."""
    begin = perf_counter()
    call = cluster.stub.Ask(pb.AskRequest(question=question_pb2.Question(text=ASKED)), timeout=60)
    async for _ in call:
        took = perf_counter() - begin
        break
    call.cancel()
    return took


async def over_http(cluster: Cluster) -> float:
    """Returns how long the first event of a flow took over HTTP, for a client that costs nothing itself."""
    loop, (host, port) = asyncio.get_running_loop(), place_of(cluster)
    body = json.dumps({"text": ASKED, "on_disconnect": "ON_DISCONNECT_CANCEL"}).encode()
    head = f"POST /v1/ask HTTP/1.1\r\nhost: {host}:{port}\r\naccept: text/event-stream\r\n"
    head += f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    with socket.socket() as client:
        client.setblocking(False)
        await loop.sock_connect(client, (host, port))
        begin, heard = perf_counter(), b""
        await loop.sock_sendall(client, head.encode() + body)
        while b"event: accepted" not in heard:
            heard += await loop.sock_recv(client, 65_536)
        return perf_counter() - begin


def place_of(cluster: Cluster) -> tuple[str, int]:
    """Returns where the edge listens."""
    host, _, port = cluster.doors["http"].rpartition("/")[2].partition(":")
    return host, int(port)


@pytest.mark.timed
async def test_the_first_event_comes_hardly_later(cluster: Cluster) -> None:
    """Of flows asked in turn over gRPC and over HTTP, half have their first event at most 1.5 ms later."""
    direct, edge = [], []
    for place in range(60):
        # What a flow that is left still does is over before the next one is asked.
        direct.append(await over_grpc(cluster))
        await asyncio.sleep(0.05)
        edge.append(await over_http(cluster))
        await asyncio.sleep(0.05)
        if place == 9:  # connections and imports are warm
            direct.clear()
            edge.clear()
    added_ms = (median(edge) - median(direct)) * 1_000
    assert added_ms <= ADDED_MS_MAX, (quantiles(direct, n=4), quantiles(edge, n=4))


@pytest.mark.timed
async def test_idle_readers_are_cheap(http: HttpClient, cluster: Cluster, folder: Path) -> None:
    """300 streams of a flow that waits for a person cost the gateway's process no more than 30 MB."""
    status, started = await http.call("POST", "/v1/flows", {"text": VAGUE, "interactive": True})
    assert status == 202
    async with gateway_process(cluster, folder) as (gateway, port):
        head = f"GET /v1/flows/{started['flow_run_id']}/events HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n\r\n".encode()
        (await _reader("127.0.0.1", port, head)).close()
        before = gateway.memory_info().rss
        readers = [await _reader("127.0.0.1", port, head) for _ in range(READERS)]
        await asyncio.sleep(1)
        cost_mb = (gateway.memory_info().rss - before) / 2**20
        for reader in readers:
            reader.close()
    await http.call("POST", f"/v1/flows/{started['flow_run_id']}/cancel")
    assert cost_mb <= READERS_MB_MAX


@asynccontextmanager
async def gateway_process(cluster: Cluster, folder: Path) -> AsyncIterator[tuple[psutil.Process, int]]:
    """Runs a gateway as a process of its own over the cluster's services, and yields it with its HTTP port."""
    places = topology()
    listen, port = free_ports(2)
    addresses = {places.address_variable(name): address for name, address in cluster.addresses.items()}
    environment = process_environment(
        **addresses,
        HAPJU_DATA_DIR=str(folder),
        HAPJU_LOG_LEVEL="error",
        HAPJU_LISTEN=f"127.0.0.1:{listen}",
        HAPJU_HTTP_LISTEN=f"127.0.0.1:{port}",
        HAPJU_DRAIN_SECONDS_MAX="1",
    )
    child = await asyncio.create_subprocess_exec(sys.executable, "-m", "gateway", env=environment)
    try:
        await until_serving("gateway", f"127.0.0.1:{listen}")
        yield psutil.Process(child.pid), port
    finally:
        child.terminate()
        await child.wait()


async def _reader(host: str, port: int, request: bytes) -> socket.socket:
    loop = asyncio.get_running_loop()
    reader = socket.socket()
    reader.setblocking(False)
    await loop.sock_connect(reader, (host, port))
    await loop.sock_sendall(reader, request)
    assert (await loop.sock_recv(reader, 65_536)).startswith(b"HTTP/1.1 200")
    return reader
