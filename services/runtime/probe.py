"""Asks a service for its health: python -m services.runtime.probe ADDRESS [SERVICE]. Exits 0 when it is SERVING."""

import asyncio
import sys
from typing import Final

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from services.runtime.calls import bare_channel

PROBE_SECONDS_MAX: Final = 2.0
"""How long an answer may take."""


async def serving(address: str, service: str = "") -> bool:
    """Returns whether the service at an address says that it is SERVING; an empty name asks for liveness."""
    async with bare_channel(address) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        try:
            answer = await stub.Check(health_pb2.HealthCheckRequest(service=service), timeout=PROBE_SECONDS_MAX)
        except grpc.aio.AioRpcError:
            return False
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


def main() -> int:
    """Returns the exit code: 0 SERVING, 1 not, 2 wrong usage."""
    if len(sys.argv) not in {2, 3}:
        sys.stderr.write(f"{__doc__}\n")
        return 2
    return 0 if asyncio.run(serving(*sys.argv[1:])) else 1


if __name__ == "__main__":
    sys.exit(main())
