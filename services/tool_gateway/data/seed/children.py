"""Loads the sample data set from any process: starts the seeding children, follows them, stops them when cancelled.

A deployment loads it within a limit of memory: rows are generated, indexed and loaded one after the other, each in a
process that ends before the next begins, and the one that starts them imports no database.
"""

import asyncio
import contextlib
import json
import sys
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

from services.runtime.environment import process_environment
from services.tool_gateway.data.seed.messages import SeedFailed, SeedProgress, SeedReport, SeedRequest
from services.tool_gateway.data.seed.parcels import INDEX_PARTS

_ERROR_CHARACTERS_MAX: Final = 2_000
_LOADING: Final = ("services.tool_gateway.data.seed.child",)
_PREPARING: Final = "services.tool_gateway.data.seed.preparing"
_INDEXING: Final = "services.tool_gateway.data.seed.indexing"

Progress = Callable[[SeedProgress], None]


async def seed(  # noqa: PLR0913 - what is loaded, where, up to when
    url: str,
    *,
    graph_url: str = "",
    domain: str = "",
    as_of: datetime | None = None,
    force: bool = False,
    on_progress: Progress | None = None,
) -> SeedReport:
    """Load the sample data set as of a moment (default: now); data of the same day and version is left as it is.

    Args:
        url: The database.
        graph_url: The graph; where empty, the folder beside an SQLite database, and none beside another.
        domain: Only this domain and what it requires; by default all that are installed.
        as_of: An aware moment; rows run to the last business day or published month before it.
        force: Load anew even if the same is there.
        on_progress: Called after each data set.

    Raises:
        SeedFailed: A child failed; the database is as it was.
        ValueError: The URL names no database that hapju knows, `as_of` has no time zone, or the domain is unknown.
    """
    moment = as_of or datetime.now(UTC)
    request = SeedRequest(url=url, graph_url=graph_url, domain=domain, as_of=moment, force=force)
    # In the temporary folder of this user alone, for what is read back from it is trusted.
    with tempfile.TemporaryDirectory(prefix="hapju-seed-") as folder:
        checked = await _child((_PREPARING, folder), request)
        request = SeedRequest.model_validate(checked["request"])
        if request.prepared:
            for part in INDEX_PARTS:
                await _child((_INDEXING, part, folder), request)
        return await load_in_child(request, on_progress)


async def load_in_child(request: SeedRequest, on_progress: Progress | None = None) -> SeedReport:
    """Load what a request wants in one child, which generates what is not prepared.

    Raises:
        SeedFailed: The child failed; the database is as it was.
    """
    return SeedReport.model_validate((await _child(_LOADING, request, on_progress))["report"])


async def _child(command: tuple[str, ...], request: SeedRequest, on_progress: Progress | None = None) -> dict[str, Any]:
    """Run one child to its end and return the last that it said.

    Raises:
        SeedFailed: It failed.
        ValueError: It refuses the request; in its own words.
    """
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=process_environment(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1"),
    )
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(_send(child, request))
            said = group.create_task(_follow(child, on_progress))
            errors = group.create_task(_tail(child))
        code = await child.wait()
    finally:
        await _stop(child)
    if "refused" in said.result():
        raise ValueError(said.result()["refused"])
    if code != 0 or not said.result():
        raise SeedFailed(f"seeding ended with code {code}: {errors.result()}")
    return said.result()


async def _send(child: asyncio.subprocess.Process, request: SeedRequest) -> None:
    if child.stdin is None:
        raise RuntimeError("the child has no standard input")
    # The URL may hold a password, which an argument would show to every user of the machine.
    child.stdin.write(request.model_dump_json().encode())
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        await child.stdin.drain()
        child.stdin.close()
        await child.stdin.wait_closed()


async def _follow(child: asyncio.subprocess.Process, on_progress: Progress | None) -> dict[str, Any]:
    """Return the last line that is no progress; empty where there was none."""
    if child.stdout is None:
        raise RuntimeError("the child has no standard output")
    said: dict[str, Any] = {}
    async for line in child.stdout:
        message = json.loads(line)
        if "progress" not in message:
            said = message
        elif on_progress is not None:
            on_progress(SeedProgress.model_validate(message["progress"]))
    return said


async def _tail(child: asyncio.subprocess.Process) -> str:
    """Return the end of the child's error output; all of it is read, so that the child never blocks on it."""
    if child.stderr is None:
        raise RuntimeError("the child has no standard error")
    kept = ""
    async for line in child.stderr:
        kept = (kept + line.decode(errors="replace"))[-_ERROR_CHARACTERS_MAX:]
    return kept.strip()


async def _stop(child: asyncio.subprocess.Process) -> None:
    """Kill the child if it still runs: its transaction is undone by the database."""
    if child.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            child.kill()
    await child.wait()
