"""Several services in one process, over real gRPC: callees first, those of one level side by side.

    level 0    policy, router, planner, tool_gateway                  call nobody of the ensemble
    level 1    the agents, the synthesizer                            call the tool gateway
    level 2    the orchestrator                                       calls all of them
    level 3    the gateway

The levels are derived from the catalog's topology. Every service keeps its own server, channels, telemetry and health:
nothing but the process is shared.
"""

import asyncio
import gc
import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Final, Self

from services.catalog.topology import Topology
from services.runtime.server import Register, RunningService, start
from services.runtime.settings import Settings

BROKEN_DRAIN_SECONDS: Final = 2.0
"""How long services that end with work in hand may take to write down that it was cancelled."""


def levels(names: Iterable[str], topology: Topology) -> tuple[tuple[str, ...], ...]:
    """Returns services in levels: each calls, among the given ones, only those of the levels before its own.

    Raises:
        ValueError: Where they call each other in a circle.
    """
    left = list(names)
    made: list[tuple[str, ...]] = []
    while left:
        level = tuple(name for name in left if not set(topology.calls(name)).intersection(left))
        if not level:
            raise ValueError(f"these services call each other in a circle: {', '.join(left)}")
        made.append(level)
        left = [name for name in left if name not in level]
    return tuple(made)


@dataclass(frozen=True, slots=True)
class Layout:
    """Which services run in this process, and where all of them listen."""

    names: tuple[str, ...]
    """The services that run here."""
    listen: Callable[[str], str]
    """Returns where one of them listens, host:port; port 0 takes a free one."""
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    """Where the others listen, by name."""
    drain_seconds: float = 0.0
    """How long running calls are waited for at the end; after an error BROKEN_DRAIN_SECONDS counts."""


class Ensemble:
    """Services that run in this process for the body of an `async with`.

    Args:
        settings: The settings that they share.
        topology: The catalog's services.
        layout: Which of them run here, and where.
    """

    def __init__(self, settings: Settings, topology: Topology, layout: Layout) -> None:
        self._settings = settings
        self._topology = topology
        self._layout = layout
        self._levels = levels(layout.names, topology)
        self._running: dict[str, RunningService] = {}
        self.addresses = dict(layout.elsewhere)
        """Where each service listens, by name."""

    async def __aenter__(self) -> Self:
        """Starts the services; where one cannot be started, those that run are stopped and its error is raised."""
        # What is imported stays: looking for garbage among it would take a tenth of the start, then and at each search.
        gc.disable()
        registers = await asyncio.to_thread(_registers, self._levels, self._topology)
        gc.freeze()
        gc.enable()
        try:
            for level in self._levels:
                await _all(self._start(name, registers[name]) for name in level)
        except BaseException:
            await self._stop(0.0)
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stops the services, callers first."""
        await self._stop(self._layout.drain_seconds if error is None else BROKEN_DRAIN_SECONDS)

    async def _start(self, name: str, register: Register) -> None:
        running = await start(
            name, register, self._settings, listen=self._layout.listen(name), addresses=self.addresses
        )
        self._running[name] = running
        # The same mapping is every service's address book, and a service is dialled only by those of a later level.
        self.addresses[name] = running.address

    async def _stop(self, drain_seconds: float) -> None:
        for level in reversed(self._levels):
            await _all(self._running[name].stop(drain_seconds) for name in level if name in self._running)


def _registers(found: tuple[tuple[str, ...], ...], topology: Topology) -> dict[str, Register]:
    return {name: _register(topology.process(name).module) for level in found for name in level}


def _register(module: str) -> Register:
    register: Register = importlib.import_module(f"{module}.servicer").register
    return register


async def _all(coroutines: Iterable[object]) -> None:
    """Runs coroutines side by side, lets each of them end, and then raises the first error."""
    ended = await asyncio.gather(*coroutines, return_exceptions=True)  # type: ignore[call-overload]  # each is awaitable
    for result in ended:
        if isinstance(result, BaseException):
            raise result
