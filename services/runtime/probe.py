"""Asks a service for its health: python -m services.runtime.probe ADDRESS [SERVICE]. Exits 0 when it is SERVING."""

import asyncio
import sys
from typing import Final

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from services.runtime.calls import CHANNEL_OPTIONS
from services.runtime.environment import tls_files
from services.runtime.transport import Certificates, Transport

PROBE_SECONDS_MAX: Final = 2.0
"""How long an answer may take."""


async def serving(address: str, service: str = "", channel: grpc.aio.Channel | None = None) -> bool:
    """Return whether the service at an address says that it is SERVING; an empty name asks for liveness.

    Args:
        address: Where it listens.
        service: Its name.
        channel: The way there, which is closed afterwards; by the certificate of this process by default.
    """
    async with channel or _own_channel(address) as way:
        stub = health_pb2_grpc.HealthStub(way)
        try:
            answer = await stub.Check(health_pb2.HealthCheckRequest(service=service), timeout=PROBE_SECONDS_MAX)
        except grpc.aio.AioRpcError:
            return False
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


def _own_channel(address: str) -> grpc.aio.Channel:
    """Return a channel to a service of this machine, by the certificate that it shows under its own name."""
    files = tls_files()
    return Transport(Certificates(*files) if any(files) else None).own_channel(address, CHANNEL_OPTIONS)


def main() -> int:
    """Return the exit code: 0 SERVING, 1 not, 2 wrong usage."""
    if len(sys.argv) not in {2, 3}:
        sys.stderr.write(f"{__doc__}\n")
        return 2
    address, service = sys.argv[1], "".join(sys.argv[2:])
    return 0 if asyncio.run(serving(address, service)) else 1


if __name__ == "__main__":
    sys.exit(main())
