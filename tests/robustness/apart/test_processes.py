"""Each fault of a process, to each service, over SQLite and PostgreSQL: every flow ends once, in time and honestly.

pytest -m slow tests/robustness/apart        prints a table by fault and service and keeps it beside the run

FAULT_SERVICES and FAULTS, names with commas between them, choose some of its columns and rows.
"""

import asyncio
import os
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import sqlalchemy as sa

from services.tool_gateway.data.copying import copy_database
from tests.support.apart.client import Told, ask, asked, cell
from tests.support.apart.faults import OF_PROCESSES, Fault, database_away
from tests.support.apart.link import Link, linked
from tests.support.apart.processes import SERVICES, Processes, apart
from tests.support.stores import STORES, postgres_url

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3_600), pytest.mark.xdist_group("postgres")]
MOMENTS = (0.0, 0.4, 1.2, 2.4)
"""When flows are begun: just before the fault, and while it lasts."""
CALM_SECONDS = 150.0
"""How long it may take until everything is answered again, on a busy machine."""
WARM_SECONDS = 120.0
"""How long the first answer may take, for which each service loads what it needs."""


@dataclass
class Table:
    """What came of each fault at each service."""

    faults: tuple[str, ...]
    """Its rows, in order."""
    cells: dict[tuple[str, str], str] = field(default_factory=dict)
    """By fault and service."""
    wrong: list[str] = field(default_factory=list)
    """What went wrong, in words."""

    def take(self, fault: str, service: str, told: list[Told]) -> None:
        """Takes in what the flows of one case came to."""
        self.cells[fault, service] = cell(told)
        self.wrong += [f"{fault} of {service}: {problem}" for one in told for problem in one.faults()]

    def lines(self) -> Iterator[str]:
        """Yields the table as Markdown."""
        services = list(dict.fromkeys(service for _, service in self.cells))
        yield f"| fault | {' | '.join(services)} |"
        yield f"|---|{'---|' * len(services)}"
        for fault in self.faults:
            yield f"| {fault} | {' | '.join(self.cells.get((fault, one), '') for one in services)} |"


async def _case(processes: Processes, fault: Fault, service: str) -> list[Told]:
    """Does a fault to a service while flows run, and waits until all is well again."""
    await fault.before(processes.services[service])
    await _answers(processes, CALM_SECONDS)
    asking = asyncio.create_task(asked(processes.door, MOMENTS))
    await asyncio.sleep(0.2)
    await fault.harm(processes.services[service])
    told = await asking
    await fault.after(processes.services[service])
    return told


async def _answers(processes: Processes, seconds: float) -> None:
    """Waits until a question is answered whole; says what was heard instead where none is."""
    told = Told()
    try:
        async with asyncio.timeout(seconds):
            while (told := await ask(processes.door)).outcome != "answered":
                await asyncio.sleep(0.3)
    except TimeoutError:
        last = str(told.events[-1])[:300] if told.events else "nothing"
        raise AssertionError(f"no answer within {seconds:g} s: {told.outcome} {told.status}, at last {last}") from None


def _chosen(variable: str) -> tuple[str, ...]:
    return tuple(filter(None, os.environ.get(variable, "").split(",")))


@dataclass
class Databases:
    """Where the flows and the data are kept."""

    flows: Link | None = None
    """The way to the flows' server; None where they are kept in a file."""
    data: Link | None = None
    """The way to the data's."""
    environment: dict[str, str] = field(default_factory=dict)
    """What the services are started with."""


async def _databases(stack: AsyncExitStack, database: str) -> Databases:
    """Opens a way to each database; of PostgreSQL both are of one server, with the sample rows in one."""
    if database == "sqlite":
        return Databases()
    flows, flows_url = await _over_a_link(stack, sa.make_url(postgres_url()))
    direct = sa.make_url(postgres_url())
    await _filled(direct)
    data, data_url = await _over_a_link(stack, direct)
    return Databases(flows, data, {"HAPJU_STORE_URL": flows_url, "HAPJU_SQL_URL": data_url})


async def _over_a_link(stack: AsyncExitStack, url: sa.URL) -> tuple[Link, str]:
    link = await stack.enter_async_context(linked(f"{url.query['host']}/.s.PGSQL.5432"))
    over_it = url.difference_update_query(["host"]).set(
        drivername="postgresql+psycopg", host="127.0.0.1", port=link.port
    )
    return link, over_it.render_as_string(hide_password=False)


async def _filled(url: sa.URL) -> None:
    """Loads the sample rows into a database, as whoever installs hapju does."""
    there = url.set(drivername="postgresql+psycopg").render_as_string(hide_password=False)
    command = (sys.executable, "-m", "services.cli", "seed", "--url", there)
    seeding = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.DEVNULL)
    assert await seeding.wait() == 0


@pytest.mark.asyncio
@pytest.mark.parametrize("database", STORES)
async def test_every_fault_of_every_service(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str], database: str
) -> None:
    """One case after another; what went wrong is named with its fault and its service."""
    pytest.importorskip("libfaketime")
    file = tmp_path / "data.db"
    columns, rows = _chosen("FAULT_SERVICES") or SERVICES, _chosen("FAULTS")
    copy_database(data, file)
    async with AsyncExitStack() as stack:
        databases = await _databases(stack, database)
        started = apart(tmp_path, file, straight=False, **databases.environment)
        processes = await stack.enter_async_context(started)
        await _answers(processes, WARM_SECONDS)
        flows = database_away(tmp_path / "flows.db", databases.flows)
        of_store = Fault("database away", flows, frozenset({"orchestrator"}))
        of_data = Fault("data away", database_away(file, databases.data), frozenset({"tool_gateway"}))
        faults = [one for one in (of_store, of_data, *OF_PROCESSES) if not rows or one.name in rows]
        table = Table(tuple(one.name for one in faults))
        for service in columns:
            for fault in faults:
                if not fault.only or service in fault.only:
                    table.take(fault.name, service, await _case(processes, fault, service))
                    with capsys.disabled():
                        print(f"{database}: {fault.name}: {service}: {table.cells[fault.name, service]}", flush=True)  # noqa: T201
    told = "\n".join((*table.lines(), *table.wrong))
    (tmp_path / "process_faults.md").write_text(told)
    with capsys.disabled():
        print(f"\n{database}, load average {os.getloadavg()[0]:.1f}\n{told}")  # noqa: T201
    assert table.wrong == []
