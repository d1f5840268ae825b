"""The faults of processes: each is done to one service, lasts a little and passes."""

import asyncio
import signal
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from services.runtime.calls import bare_channel
from services.runtime.probe import serving
from tests.support.apart.link import Link
from tests.support.apart.processes import SERVICES, Apart

LASTS_SECONDS = 3.0
"""How long each fault lasts."""
FROZEN_SECONDS = 27.0
"""How long one lasts that outlives every flow that meets it."""
NOTICED_SECONDS_MAX = 20.0
"""How long a full disk may go unnoticed: a service looks at its own every two seconds."""
Harm = Callable[[Apart], Awaitable[None]]


async def _nothing(_: Apart) -> None:
    """Needs nothing."""


@dataclass(frozen=True)
class Fault:
    """One kind of fault."""

    name: str
    """What it is called in the table."""
    harm: Harm
    """Does it to a service, waits, and undoes it."""
    only: frozenset[str] = frozenset()
    """The services that it can happen to; all where empty."""
    before: Harm = _nothing
    """What makes a service one to which it can be done, before flows are begun."""
    after: Harm = _nothing
    """What makes it an ordinary one again."""


async def freeze(one: Apart) -> None:
    """Stops the process without a word; every connection stays open."""
    one.send(signal.SIGSTOP)
    await asyncio.sleep(LASTS_SECONDS)
    one.send(signal.SIGCONT)


async def freeze_for_good(one: Apart) -> None:
    """Stops the process for longer than any flow lives: only the others can end it."""
    one.send(signal.SIGSTOP)
    await asyncio.sleep(FROZEN_SECONDS)
    one.send(signal.SIGCONT)


async def kill(one: Apart) -> None:
    """Kills the process; another is started."""
    one.send(signal.SIGKILL)
    await one.gone()
    await one.start()
    await one.ready()


async def restart(one: Apart) -> None:
    """Asks the process to stop, as a rollout does; another is started."""
    one.send(signal.SIGTERM)
    await one.gone()
    await one.start()
    await one.ready()


async def slow(one: Apart) -> None:
    """Everything to and from it comes late."""
    one.link.delay_seconds = 0.3
    await asyncio.sleep(LASTS_SECONDS)
    one.link.mend()


async def lossy(one: Apart) -> None:
    """Pieces are sent again, and now and then a connection breaks."""
    one.link.lost_share, one.link.reset_share = 0.2, 0.05
    await asyncio.sleep(LASTS_SECONDS)
    one.link.mend()


async def cut(one: Apart) -> None:
    """Nobody reaches it."""
    one.link.cut()
    await asyncio.sleep(LASTS_SECONDS)
    one.link.mend()


async def full_disk(one: Apart) -> None:
    """Its files grow no further; one that keeps any says so itself, that it is not ready, and a little longer."""
    one.fill(is_full=True)
    try:
        async with asyncio.timeout(NOTICED_SECONDS_MAX):
            while _keeps_files(one) and await serving(one.address, one.name, bare_channel(one.address)):
                await asyncio.sleep(0.2)
        await asyncio.sleep(LASTS_SECONDS)
    finally:
        one.fill(is_full=False)


def _keeps_files(one: Apart) -> bool:
    """Tells whether a service keeps what it has to in a file, where no server does that for it."""
    url = {"orchestrator": "HAPJU_STORE_URL", "tool_gateway": "HAPJU_SQL_URL"}.get(one.name)
    return url is not None and not one.environment.get(url, "").startswith("postgresql")


async def own_clock(one: Apart) -> None:
    """Gives it a clock that can be moved."""
    await one.again(with_own_clock=True)


async def common_clock(one: Apart) -> None:
    """Lets it run by the machine's clock again."""
    await one.again(with_own_clock=False)


async def clock_ahead(one: Apart) -> None:
    """Its clock is half an hour ahead."""
    one.move_clock("+1800")
    await asyncio.sleep(LASTS_SECONDS)
    one.move_clock("+0")


async def clock_back(one: Apart) -> None:
    """Its clock is half an hour behind."""
    one.move_clock("-1800")
    await asyncio.sleep(LASTS_SECONDS)
    one.move_clock("+0")


def database_away(file: Path, link: Link | None) -> Harm:
    """Returns the fault of a database: a server that is not reached, or a file that another process holds."""

    async def away(_: Apart) -> None:
        if link is not None:
            link.cut()
            await asyncio.sleep(LASTS_SECONDS)
            link.mend()
            return
        with closing(sqlite3.connect(file, isolation_level=None, check_same_thread=False)) as other:
            other.execute("BEGIN EXCLUSIVE")
            await asyncio.sleep(LASTS_SECONDS)
            other.execute("ROLLBACK")

    return away


OF_PROCESSES = (
    Fault("freeze", freeze),
    Fault("freeze for good", freeze_for_good, frozenset(SERVICES) - {"gateway"}),
    Fault("kill", kill),
    Fault("restart", restart),
    Fault("slow link", slow),
    Fault("lossy link", lossy),
    Fault("cut link", cut),
    Fault("full disk", full_disk),
    Fault("clock +30 min", clock_ahead, before=own_clock),
    Fault("clock -30 min", clock_back, before=own_clock, after=common_clock),
)
"""Those that need no database of their own."""
