"""Both ends agree on how often a connection may be probed: a long silence is not taken for abuse."""

import asyncio
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc._cython import cygrpc  # type: ignore[attr-defined]  # a compiled module
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1.health import aio as health_aio

from services.catalog.topology import topology
from services.runtime.calls import CHANNEL_OPTIONS
from services.runtime.environment import load
from services.runtime.server import SERVER_OPTIONS, server_options
from services.runtime.settings import Settings

FASTER = 20
"""The probes of this test come so many times as often, and may."""
SILENCE_SECONDS = 5.0
"""Five probes: a server that permits none takes the third for abuse."""
PACED = ("grpc.keepalive_time_ms", "grpc.http2.min_ping_interval_without_data_ms")


def faster(options: tuple[tuple[str, Any], ...]) -> list[tuple[str, Any]]:
    """Returns options with the probes' pace raised, and none of them held back."""
    paced = [(name, value // FASTER if name in PACED else value) for name, value in options]
    return [*paced, ("grpc.http2.max_pings_without_data", 0)]


def aging(seconds: int) -> Settings:
    """Returns settings under which connections grow old."""
    return load(topology(), {"HAPJU_CONNECTION_SECONDS_MAX": str(seconds)})


def test_every_option_is_known_to_grpc() -> None:
    """An option that grpc does not know is ignored without a word, so each name must stand in its library."""
    library = Path(cygrpc.__file__).read_bytes()
    names = {name for name, _ in (*server_options(aging(1)), *CHANNEL_OPTIONS)}
    assert {name for name in names if name.encode() + b"\0" not in library} == set()


@pytest.mark.long
@pytest.mark.asyncio
async def test_a_silent_stream_outlives_its_probes() -> None:
    """A watch that says nothing is still open after more probes than a server forgives."""
    server = grpc.aio.server(options=faster(SERVER_OPTIONS))
    health_pb2_grpc.add_HealthServicer_to_server(health_aio.HealthServicer(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=faster(CHANNEL_OPTIONS)) as channel:
        watch = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest())
        assert (await watch.read()).status == health_pb2.HealthCheckResponse.SERVING
        silence = asyncio.create_task(watch.read())
        done, _ = await asyncio.wait({silence}, timeout=SILENCE_SECONDS)
        assert not done, "the stream was cut"
        watch.cancel()
        await asyncio.wait({silence})
    await server.stop(0)


@pytest.mark.asyncio
async def test_a_connection_grows_old_and_its_call_goes_on() -> None:
    """Whoever called before calls over a new connection later, while a call that ran then is not cut off."""
    server = grpc.aio.server(options=server_options(aging(1)))
    health_pb2_grpc.add_HealthServicer_to_server(health_aio.HealthServicer(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        running = stub.Watch(health_pb2.HealthCheckRequest())
        await running.read()
        states = []
        async with asyncio.timeout(20):
            while grpc.ChannelConnectivity.IDLE not in states:
                states.append(channel.get_state())
                await asyncio.sleep(0.05)
        assert not running.done()
        answer = await stub.Check(health_pb2.HealthCheckRequest())
        assert answer.status == health_pb2.HealthCheckResponse.SERVING
        running.cancel()
    await server.stop(0)
