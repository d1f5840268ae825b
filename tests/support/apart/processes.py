"""One process a service, which a test freezes, kills, restarts, fills up and whose clock it moves."""

import asyncio
import importlib.util
import resource
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from services.catalog.topology import topology
from services.runtime.environment import process_environment
from tests.support.apart.link import Link, linked
from tests.support.cluster import until_serving
from tests.support.ports import free_ports

SERVICES = (
    "gateway",
    "orchestrator",
    "policy",
    "router",
    "planner",
    "synthesizer",
    "tool_gateway",
    "finance.equity",
)
"""Whom a question for a share's price needs."""
QUIET = True
FROM_THE_START = "+0\n"
"""What a clock that nobody has moved is told."""


@dataclass
class Apart:
    """One service as a process."""

    name: str
    """Its name."""
    port: int
    """Where it listens."""
    environment: Mapping[str, str]
    """What it is started with."""
    clock: Path
    """The file that moves its clock."""
    link: Link
    """The way there that the others take."""
    child: asyncio.subprocess.Process | None = None
    """The process."""
    has_own_clock: bool = False
    """Whether its clock can be moved. What moves it makes threads hand over ten times as slowly: no other bears it."""

    @property
    def address(self) -> str:
        """Where it is reached past its link."""
        return f"127.0.0.1:{self.port}"

    async def start(self) -> None:
        """Starts it and returns at once."""
        process = topology().process(self.name)
        clock = clock_variables(self.clock) if self.has_own_clock else {}
        self.child = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            process.module,
            *process.arguments,
            env=process_environment(**self.environment, **clock, HAPJU_LISTEN=self.address),
            stderr=asyncio.subprocess.DEVNULL if QUIET else None,
        )

    async def ready(self) -> None:
        """Waits until it serves."""
        await until_serving(self.name, self.address)

    def send(self, number: signal.Signals) -> None:
        """Sends its process a signal."""
        assert self.child is not None
        if self.child.returncode is None:
            self.child.send_signal(number)

    async def gone(self) -> None:
        """Waits until its process has ended."""
        assert self.child is not None
        async with asyncio.timeout(30):
            await self.child.wait()

    async def again(self, *, with_own_clock: bool) -> None:
        """Has it run anew, with a clock of its own or with the machine's."""
        if self.has_own_clock != with_own_clock:
            self.has_own_clock = with_own_clock
            self.send(signal.SIGTERM)
            await self.gone()
            await self.start()
            await self.ready()

    def fill(self, *, is_full: bool) -> None:
        """Lets its files grow no further, as on a full disk, or again."""
        assert self.child is not None
        hard = resource.prlimit(self.child.pid, resource.RLIMIT_FSIZE)[1]
        resource.prlimit(self.child.pid, resource.RLIMIT_FSIZE, (1 if is_full else hard, hard))

    def move_clock(self, offset: str) -> None:
        """Moves its clock, which is its own: "+3600" or "-3600" seconds."""
        assert self.has_own_clock
        self.clock.write_text(f"{offset}\n")


@dataclass
class Processes:
    """All of them."""

    services: dict[str, Apart] = field(default_factory=dict)
    """By name."""

    @property
    def door(self) -> str:
        """The gateway's address, over its link."""
        return f"127.0.0.1:{self.services['gateway'].link.port}"


def clock_variables(file: Path) -> dict[str, str]:
    """Returns what a process is started with whose clock a file moves; pytest.importorskip names the package."""
    spec = importlib.util.find_spec("libfaketime")
    assert spec is not None
    assert spec.origin is not None
    return {
        "LD_PRELOAD": str(Path(spec.origin).parent / "vendor/libfaketime/src/libfaketime.so.1"),
        "FAKETIME_CACHE_DURATION": "1",
        "DONT_FAKE_MONOTONIC": "1",
        "FAKETIME_TIMESTAMP_FILE": str(file),
    }


@asynccontextmanager
async def apart(folder: Path, data: Path, *, straight: bool = False, **environment: str) -> AsyncIterator[Processes]:
    """Runs the services, each in a process of its own, which reach each other over links.

    Args:
        folder: Where they keep what they keep.
        data: The data file.
        straight: Whether nothing stands between them: where time is measured, for links are of the test's own process.
        environment: What they are started with beside the usual.
    """
    places, found = topology(), Processes()
    ports = free_ports(len(SERVICES))
    async with AsyncExitStack() as stack:
        if straight:
            links = [Link(("127.0.0.1", port), port) for port in ports]
        else:
            links = [await stack.enter_async_context(linked(("127.0.0.1", port))) for port in ports]
        away = {places.address_variable(name): "127.0.0.1:9" for name in places.names}
        ways = {
            places.address_variable(name): f"127.0.0.1:{link.port}" for name, link in zip(SERVICES, links, strict=True)
        }
        shared = {
            "HAPJU_DATA_DIR": str(folder),
            "HAPJU_SQL_URL": f"sqlite+aiosqlite:///{data}",
            "HAPJU_LOG_LEVEL": "error",
            "HAPJU_DRAIN_SECONDS_MAX": "3",
            "HAPJU_LEASE_SECONDS": "3",
            # As in an image, a start compiles nothing that an earlier one has.
            "PYTHONDONTWRITEBYTECODE": "",
            "PYTHONPYCACHEPREFIX": str(folder / "compiled"),
            **away,
            **ways,
            **environment,
        }
        for name, port, link in zip(SERVICES, ports, links, strict=True):
            clock = folder / f"{name}.clock"
            clock.write_text(FROM_THE_START)
            one = Apart(name, port, shared, clock, link)
            found.services[name] = one
            stack.push_async_callback(_ended, one)
            await one.start()
        for one in found.services.values():
            await one.ready()
        yield found


async def _ended(one: Apart) -> None:
    if one.child is not None and one.child.returncode is None:
        one.send(signal.SIGCONT)
        one.child.kill()
        await one.child.wait()
