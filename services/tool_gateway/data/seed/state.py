"""Whether the sample data is in a database, and loading it where it is not."""

import asyncio
from datetime import UTC, datetime
from typing import Final

from sqlalchemy.exc import DBAPIError

from services.plugin.data.sample import GENERATOR_VERSION
from services.plugin.installed import installed_domains
from services.tool_gateway.data.graph.engines import default_graph_url
from services.tool_gateway.data.graph.loading import is_present
from services.tool_gateway.data.reader import AWAY, DatabaseUnavailable, Reader
from services.tool_gateway.data.schema import newest_revisions
from services.tool_gateway.data.seed.children import Progress, load_in_child
from services.tool_gateway.data.seed.messages import SeedReport, SeedRequest
from services.tool_gateway.data.seed.plan import loaded_domains
from services.tool_gateway.reads import GatewayReads

NOT_MIGRATED: Final = "the database has not this version's schema; `hapju migrate` makes it, `hapju seed` fills it too"
_STATE_SECONDS_MAX: Final = 10.0
_BRANCHES_MAX: Final = 200


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
    # One process: whoever asks a question waits for it, and has the memory.
    return await load_in_child(
        SeedRequest(url=url, graph_url=graph, as_of=datetime.now(UTC), any_date=True), on_progress
    )


async def seeded(url: str) -> SeedReport | None:
    """Return the report of the seed in the database at `url`; None where there is none of this version and schema."""
    reader = Reader.open(url, connections_max=1)
    try:
        return await seeded_through(GatewayReads(reader))
    finally:
        await reader.close()


async def schema_lacking(reads: GatewayReads) -> str:
    """Return why the database cannot be used; empty where it has this version's schema, whatever lies in its tables."""
    try:
        return "" if await _revisions(reads) >= newest_revisions() else NOT_MIGRATED
    except DatabaseUnavailable as away:
        return AWAY if str(away) == AWAY else NOT_MIGRATED
    except DBAPIError:
        return NOT_MIGRATED


async def seeded_through(reads: GatewayReads) -> SeedReport | None:
    """Return what `seeded` returns, over connections that are open already."""
    try:
        rows = await reads.records("seed_state.v1", {}, rows_max=1, timeout_seconds=_STATE_SECONDS_MAX)
        revisions = await _revisions(reads)
    except (DatabaseUnavailable, DBAPIError):
        # No file yet, or a file without our tables: both mean that nothing is loaded.
        return None
    if not rows or rows[0]["generator_version"] != GENERATOR_VERSION or not newest_revisions() <= revisions:
        return None
    report = SeedReport.model_validate_json(rows[0]["report"]).model_copy(update={"loaded": False})
    return report if {one.name for one in installed_domains()} <= set(loaded_domains(report)) else None


async def _revisions(reads: GatewayReads) -> frozenset[str]:
    rows = await reads.records("schema_revisions.v1", {}, rows_max=_BRANCHES_MAX, timeout_seconds=_STATE_SECONDS_MAX)
    return frozenset(row["version_num"] for row in rows)
