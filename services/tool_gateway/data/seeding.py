"""Loads the sample data set from any process: starts the seeding child, follows it, and stops it when cancelled.

The command line calls `ensure_seeded` before its first question and `seed` for `hapju seed`.
"""

import asyncio
import contextlib
import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field
from sqlalchemy.exc import DBAPIError

from services.plugin.installed import installed_domains, is_own, packaged_domains
from services.plugin.sample import GENERATOR_VERSION
from services.runtime.settings import process_environment
from services.tool_gateway.data.graph.engines import check_graph_url, default_graph_url
from services.tool_gateway.data.graph.loading import is_present
from services.tool_gateway.data.reader import DatabaseUnavailable, Reader
from services.tool_gateway.data.schema import newest_revisions
from services.tool_gateway.reads import GatewayReads

_STATE_SECONDS_MAX: Final = 10.0
_BRANCHES_MAX: Final = 200
_ERROR_CHARACTERS_MAX: Final = 2_000
_MODULE: Final = "services.tool_gateway.data.seed"


class SeedFailed(RuntimeError):
    """The seeding child failed; the database is as it was before. The text holds the end of its error output."""


class _Message(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SeedRequest(_Message):
    """What the child is to do."""

    url: str
    """URL of the database."""
    graph_url: str = ""
    """URL of the graph; empty for a deployment that has none."""
    as_of: AwareDatetime
    """The moment up to which rows are generated."""
    domain: str = ""
    """The domain to be loaded with all that it requires; empty for all that are installed."""
    any_date: bool = False
    """True where data of another date is as good."""
    force: bool = False
    """True to load anew whatever is there."""


class SeedProgress(_Message):
    """One data set is loaded (and committed with all others at the end)."""

    dataset: str
    """Its English title."""
    rows: int
    """Its rows."""
    done: int
    """Data sets loaded so far."""
    total: int
    """Data sets in all, when every optional package is installed."""


class SeededDataset(_Message):
    """One data set of a report."""

    dataset_id: str
    """Its id."""
    domain: str = ""
    """The domain that it belongs to; empty where an earlier version has loaded it."""
    title_ko: str
    """Title for Korean readers."""
    title_en: str
    """Title for English readers."""
    source: str
    """Who published or generated it."""
    licence: str
    """Its licence."""
    sample: bool
    """True where it is generated."""
    as_of: AwareDatetime
    """Newest moment that it speaks of."""
    rows: int
    """Its rows."""


class SeedReport(_Message):
    """What a seed did."""

    loaded: bool
    """False where the database already held what was asked for."""
    as_of: AwareDatetime
    """The moment up to which rows were generated."""
    rows: int
    """Rows over all data sets."""
    seconds: float
    """How long the load took, without starting the child."""
    datasets: tuple[SeededDataset, ...]
    """The data sets."""
    left_out: tuple[str, ...] = Field(default=())
    """A sentence for each published data set whose package is not installed."""
    domains: dict[str, AwareDatetime] = Field(default={})
    """The moment up to which the rows of each loaded domain were generated."""
    notes: tuple[str, ...] = Field(default=())
    """Sentences on what else was done to the database."""


Progress = Callable[[SeedProgress], None]


def loaded_domains(report: SeedReport) -> dict[str, datetime]:
    """Return the moment of each loaded domain; an earlier version has loaded all of hapju's own at one."""
    return report.domains or {one.name: report.as_of for one in packaged_domains() if is_own(one)}


async def ensure_seeded(url: str, on_progress: Progress | None = None, *, graph_url: str = "") -> SeedReport:
    """Load the sample data set unless the database at `url` holds one of this version, of whatever date.

    Args:
        url: The database.
        on_progress: Called after each data set.
        graph_url: The graph; where empty, the folder beside an SQLite database, and none beside another.

    Raises:
        SeedFailed: The child failed.
        ValueError: The URL names no database that hapju knows.
    """
    graph = graph_url or default_graph_url(url)
    present = await seeded(url)
    if present is not None and (not graph or await asyncio.to_thread(is_present, graph)):
        return present
    return await _run(SeedRequest(url=url, graph_url=graph, as_of=datetime.now(UTC), any_date=True), on_progress)


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
        graph_url: The graph; see `ensure_seeded`.
        domain: Only this domain and what it requires; by default all that are installed.
        as_of: An aware moment; rows run to the last business day or published month before it.
        force: Load anew even if the same is there.
        on_progress: Called after each data set.

    Raises:
        SeedFailed: The child failed; the database is as it was.
        ValueError: The URL names no database that hapju knows, `as_of` has no time zone, or the domain is unknown.
    """
    graph = graph_url or default_graph_url(url)
    moment = as_of or datetime.now(UTC)
    known = [one.name for one in installed_domains()]
    if domain and domain not in known:
        raise ValueError(f"no domain is named {domain!r}; installed are {', '.join(sorted(known))}")
    request = SeedRequest(url=url, graph_url=graph, domain=domain, as_of=moment, force=force)
    return await _run(request, on_progress)


async def seeded(url: str) -> SeedReport | None:
    """Return the report of the seed in the database at `url`; None where there is none of this version and schema."""
    reader = Reader.open(url, connections_max=1)
    try:
        return await seeded_through(GatewayReads(reader))
    finally:
        await reader.close()


async def seeded_through(reads: GatewayReads) -> SeedReport | None:
    """Return what `seeded` returns, over connections that are open already."""
    try:
        rows = await reads.records("seed_state.v1", {}, rows_max=1, timeout_seconds=_STATE_SECONDS_MAX)
        versions = await reads.records(
            "schema_revisions.v1", {}, rows_max=_BRANCHES_MAX, timeout_seconds=_STATE_SECONDS_MAX
        )
    except (DatabaseUnavailable, DBAPIError):
        # No file yet, or a file without our tables: both mean that nothing is loaded.
        return None
    revisions = {row["version_num"] for row in versions}
    if not rows or rows[0]["generator_version"] != GENERATOR_VERSION or not newest_revisions() <= revisions:
        return None
    report = SeedReport.model_validate_json(rows[0]["report"]).model_copy(update={"loaded": False})
    return report if {one.name for one in installed_domains()} <= set(loaded_domains(report)) else None


async def _run(request: SeedRequest, on_progress: Progress | None) -> SeedReport:
    Reader.open(request.url)  # refuses an unusable URL here, with its own text, and connects to nothing
    if request.graph_url:
        check_graph_url(request.graph_url)
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        _MODULE,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=process_environment(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1"),
    )
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(_send(child, request))
            report = group.create_task(_follow(child, on_progress))
            errors = group.create_task(_tail(child))
        code = await child.wait()
    finally:
        await _stop(child)
    if code != 0 or report.result() is None:
        raise SeedFailed(f"seeding ended with code {code}: {errors.result()}")
    return SeedReport.model_validate(report.result())


async def _send(child: asyncio.subprocess.Process, request: SeedRequest) -> None:
    if child.stdin is None:
        raise RuntimeError("the child has no standard input")
    # The URL may hold a password, which an argument would show to every user of the machine.
    child.stdin.write(request.model_dump_json().encode())
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        await child.stdin.drain()
        child.stdin.close()
        await child.stdin.wait_closed()


async def _follow(child: asyncio.subprocess.Process, on_progress: Progress | None) -> Any:
    if child.stdout is None:
        raise RuntimeError("the child has no standard output")
    report = None
    async for line in child.stdout:
        message = json.loads(line)
        if "progress" in message and on_progress is not None:
            on_progress(SeedProgress.model_validate(message["progress"]))
        report = message.get("report", report)
    return report


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
