"""A container or pod that is started anew has another address under its name: whoever calls finds it there."""

import asyncio
import socket
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1.health import aio as health_aio

from hapju.policy.v1 import policy_service_pb2, policy_service_pb2_grpc
from services.runtime import deadlines
from services.runtime.calls import Peers
from services.runtime.identity import Assertions, Caller, acting_for
from tests.support.ports import free_ports

FORMER, LATER = "127.0.0.1", "127.0.0.2"
A_RECORD = 1


class Names(asyncio.DatagramProtocol):
    """A DNS server that knows one address for every name, and nothing of other kinds."""

    def __init__(self) -> None:
        self.address = FORMER
        self._transport: asyncio.DatagramTransport | None = None

    def connection_made(self, transport: asyncio.DatagramTransport) -> None:  # type: ignore[override]  # its own kind
        """Takes the socket."""
        self._transport = transport

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        """Answers one question, for no second longer than now."""
        end = data.index(b"\0", 12) + 5
        found = int.from_bytes(data[end - 4 : end - 2], "big") == A_RECORD
        head = data[:2] + b"\x81\x80" + data[4:6] + bytes([0, int(found)]) + bytes(4)
        record = b"\xc0\x0c\0\x01\0\x01" + bytes(4) + b"\0\x04" + socket.inet_aton(self.address)
        assert self._transport is not None
        self._transport.sendto(head + data[12:end] + (record if found else b""), addr)


class Policy(policy_service_pb2_grpc.PolicyServiceServicer):
    """Lets everything through."""

    async def CheckPolicy(self, request: object, context: object) -> policy_service_pb2.CheckPolicyResponse:
        """Say so."""
        return policy_service_pb2.CheckPolicyResponse()


async def served(address: str) -> grpc.aio.Server:
    """Start a policy there."""
    server, health = grpc.aio.server(options=(("grpc.so_reuseport", 0),)), health_aio.HealthServicer()
    await health.set("policy", health_pb2.HealthCheckResponse.SERVING)
    policy_service_pb2_grpc.add_PolicyServiceServicer_to_server(Policy(), server)
    health_pb2_grpc.add_HealthServicer_to_server(health, server)
    server.add_insecure_port(address)
    await server.start()
    return server


@pytest.mark.asyncio
async def test_a_target_that_comes_back_elsewhere_is_found() -> None:
    """A call that is made while it moves is answered from its new address within the patience that calls have."""
    loop = asyncio.get_running_loop()
    names = Names()
    resolver, _ = await loop.create_datagram_endpoint(lambda: names, local_addr=("127.0.0.1", 0))
    port = free_ports(1)[0]
    target = f"dns://127.0.0.1:{resolver.get_extra_info('sockname')[1]}/policy.hapju.test:{port}"
    peers = Peers("orchestrator", {"policy": target}, Assertions("k" * 32))
    stub: Any = peers.stub(policy_service_pb2_grpc.PolicyServiceStub, "policy")
    server = await served(f"{FORMER}:{port}")
    with acting_for(Caller("u")), deadlines.within(60):
        await stub.CheckPolicy(policy_service_pb2.CheckPolicyRequest())
        await server.stop(0)
        names.address = LATER
        waiting = asyncio.create_task(_checked(stub))
        server = await served(f"{LATER}:{port}")
        await waiting
    await peers.close()
    await server.stop(0)
    resolver.close()


async def _checked(stub: Any) -> None:
    await stub.CheckPolicy(policy_service_pb2.CheckPolicyRequest())
