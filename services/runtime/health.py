"""grpc.health.v1 driven by readiness checks, each with a reason.

The empty service name is liveness: SERVING for as long as the loop runs, whatever the peers do. The service's own name
is readiness: NOT_SERVING while a check fails, and at once on SIGTERM.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import structlog
from grpc_health.v1 import health_pb2
from grpc_health.v1.health import aio as health_aio

Check = Callable[[], Awaitable[str]]
"""Returns why the service cannot work now, or an empty text when it can."""

CHECK_SECONDS: Final = 2.0
"""How often the checks run, and how long each may take."""
_SERVING: Final = health_pb2.HealthCheckResponse.SERVING
_NOT_SERVING: Final = health_pb2.HealthCheckResponse.NOT_SERVING

_log = structlog.get_logger(__name__)


class Health:
    """The health of one service."""

    def __init__(self, service: str) -> None:
        self.servicer = health_aio.HealthServicer()
        self._service = service
        self._checks: dict[str, Check] = {}
        self._reasons: dict[str, str] = {}
        self._stopping = False

    def ready_when(self, name: str, check: Check) -> None:
        """Add a check; the service is ready when all of them return an empty text."""
        self._checks[name] = check

    @property
    def reasons(self) -> dict[str, str]:
        """Why the service is not ready, by check; empty when it is."""
        return dict(self._reasons)

    @property
    def stopping(self) -> bool:
        """True once the service is about to stop."""
        return self._stopping

    async def start(self) -> None:
        """Run the checks once and tell the first state."""
        await self.servicer.set("", _SERVING)
        await self.refresh()

    async def refresh(self) -> None:
        """Run the checks and tell the state where it has changed, with its reasons in the log."""
        if self._stopping:
            return
        reasons = {name: reason for name, check in self._checks.items() if (reason := await self._run(check))}
        if reasons != self._reasons:
            _log.info("readiness changed", ready=not reasons, reasons=reasons)
        self._reasons = reasons
        await self.servicer.set(self._service, _NOT_SERVING if reasons else _SERVING)

    async def watch(self) -> None:
        """Keep the state true until cancelled."""
        while self._checks:
            await asyncio.sleep(CHECK_SECONDS)
            await self.refresh()

    async def stop(self) -> None:
        """Tell at once that the service is about to stop; it stays alive until it has drained."""
        self._stopping = True
        self._reasons = {"stopping": "the service drains"}
        await self.servicer.set(self._service, _NOT_SERVING)

    @staticmethod
    async def _run(check: Check) -> str:
        try:
            async with asyncio.timeout(CHECK_SECONDS):
                return await check()
        except Exception as error:  # noqa: BLE001 - whatever a check raises means that it did not hold
            return type(error).__name__
