"""Several services in one process, over real gRPC: callees first, those of one level side by side.

    level 0    policy, router, planner, tool_gateway                  call nobody of the ensemble
    level 1    the agents, the synthesizer                            call the tool gateway
    level 2    the orchestrator                                       calls all of them
    level 3    the gateway

The levels are derived from the catalog's topology. A layout may have some of them come first, so that a question is
taken in while the others are still being loaded: then the others follow in the order of the topology's table, which is
that in which a question meets them, and a call to one that does not listen yet waits for it. Every service keeps its
own server, channels, telemetry and health: nothing but the process is shared.
"""

import asyncio
import gc
import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Final, Self

from services.catalog.topology import Topology
from services.runtime.garbage import settle
from services.runtime.server import Register, RunningService, start
from services.runtime.settings import Settings

BROKEN_DRAIN_SECONDS: Final = 2.0
"""How long services that end with work in hand may take to write down that it was cancelled."""


def levels(names: Iterable[str], topology: Topology) -> tuple[tuple[str, ...], ...]:
    """Return services in levels: each calls, among the given ones, only those of the levels before its own.

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
    """Returns where one of them listens; port 0 of host:port takes a free one, which needs callees first."""
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    """Where the others listen, by name."""
    first: tuple[str, ...] = ()
    """Those that the body needs; it begins when they listen. Empty: all, callees first."""
    drain_seconds: float = 0.0
    """How long running calls are waited for at the end; after an error BROKEN_DRAIN_SECONDS counts."""


class LocalServices:
    """Services that run in this process for the body of an `async with`.

    Where a service cannot be started, those that run are stopped and its error is raised, whether the body has begun
    (it is cancelled then) or not.

    Args:
        settings: The settings that they share.
        topology: The catalog's services.
        layout: Which of them run here, and where.
    """

    def __init__(self, settings: Settings, topology: Topology, layout: Layout) -> None:
        self._settings = settings
        self._topology = topology
        self._layout = layout
        self._running: dict[str, RunningService] = {}
        self._listening = {name: asyncio.Event() for name in layout.names}
        self._starting = asyncio.TaskGroup()
        self.addresses = dict(layout.elsewhere)
        """Where each service listens, by name."""

    @property
    def doors(self) -> dict[str, str]:
        """Where its services listen beside their own addresses, a URL by the name of what is served there."""
        return {door: url for running in self._running.values() for door, url in running.doors.items()}

    async def __aenter__(self) -> Self:
        """Start the services, and return when those that the body needs listen."""
        await self._starting.__aenter__()
        self._task = self._starting.create_task(self._start_all())
        try:
            for name in self._layout.first or self._layout.names:
                await self._listening[name].wait()
        except BaseException as error:
            # The start has failed, which cancels this task, or its caller has given up.
            await self.__aexit__(type(error), error, error.__traceback__)
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop the services, callers first."""
        self._task.cancel()
        cancelled = isinstance(error, asyncio.CancelledError)
        try:
            # An error of the body's own is on its way already; the group is told of what it may have caused itself.
            await self._starting.__aexit__(*((kind, error, trace) if cancelled else (None, None, None)))
        except BaseExceptionGroup as failed:
            raise failed.exceptions[0] from failed.exceptions[0].__cause__
        finally:
            for listening in self._listening.values():
                listening.set()  # calls to what will not start any more fail, where they would wait for ever
            await self._stop(self._layout.drain_seconds if error is None else BROKEN_DRAIN_SECONDS)

    async def _start_all(self) -> None:
        # What is imported stays: looking for garbage among it would take a tenth of the start, then and at each search.
        # A process that starts further ensembles has imported it by then; what the earlier ones leave is garbage.
        gc.disable()
        try:
            for step in self._order():
                registers = await asyncio.to_thread(_registers, step, self._topology)
                await _all(self._start(name, registers[name]) for name in step)
        finally:
            settle()
            gc.enable()

    def _order(self) -> tuple[tuple[str, ...], ...]:
        """Return what is started side by side, step by step."""
        if not self._layout.first:
            return levels(self._layout.names, self._topology)
        self.addresses.update({name: self._layout.listen(name) for name in self._layout.names})
        rest = (name for name in self._layout.names if name not in self._layout.first)
        return (self._layout.first, *((name,) for name in rest))

    async def _start(self, name: str, register: Register) -> None:
        running = await start(
            name,
            register,
            self._settings,
            listen=self._layout.listen(name),
            addresses=self.addresses,
            listening=self._until_listening,
        )
        self._running[name] = running
        # The same mapping is every service's address book.
        self.addresses[name] = running.address
        self._listening[name].set()

    async def _until_listening(self, peer: str) -> None:
        if peer in self._listening:
            await self._listening[peer].wait()

    async def _stop(self, drain_seconds: float) -> None:
        for level in reversed(levels(self._running, self._topology)):
            await _all(self._running[name].stop(drain_seconds) for name in level)


def _registers(names: tuple[str, ...], topology: Topology) -> dict[str, Register]:
    return {name: _register(topology.process(name).module) for name in names}


def _register(module: str) -> Register:
    register: Register = importlib.import_module(f"{module}.servicer").register
    return register


async def _all(coroutines: Iterable[object]) -> None:
    """Run coroutines side by side, let each of them end, and then raise the first error."""
    ended = await asyncio.gather(*coroutines, return_exceptions=True)  # type: ignore[call-overload]  # each is awaitable
    for result in ended:
        if isinstance(result, BaseException):
            raise result
