"""Seeding a database server: whole or not at all, the same rows as on SQLite, once where two ask for it."""

import asyncio
from collections.abc import Iterator

import pytest
import sqlalchemy as sa

from services.plugin.data.tables import METADATA
from services.tool_gateway.data.seed.children import seed
from services.tool_gateway.data.seed.state import seeded as state_of
from tests.support.databases import SERVERS, fresh_database
from tests.support.shop import reading as connected
from tests.unit.tool_gateway.seeded_data import AS_OF

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]


@pytest.fixture(params=SERVERS)
def empty_url(request: pytest.FixtureRequest) -> Iterator[str]:
    """Return the URL of an empty database on each server in turn."""
    with fresh_database(request.getfixturevalue(request.param)) as url:
        yield url


def _counts(url: str) -> dict[str, int]:
    with connected(url) as connection:
        counted = sa.func.count()
        return {
            table.name: connection.execute(sa.select(counted).select_from(table)).scalar_one()
            for table in METADATA.sorted_tables
        }


@pytest.mark.asyncio
async def test_a_server_is_seeded_whole_or_not_at_all(empty_url, url, seeded) -> None:
    """A seed that is stopped leaves nothing; of two at once one loads; each table holds as many rows as SQLite's."""
    begun = asyncio.Event()
    stopped = asyncio.create_task(
        seed(empty_url, as_of=AS_OF, on_progress=lambda done: begun.set() if done.done == 6 else None)
    )
    await begun.wait()
    stopped.cancel()
    with pytest.raises(asyncio.CancelledError):
        await stopped
    assert await state_of(empty_url) is None
    reports = await asyncio.gather(seed(empty_url, as_of=AS_OF), seed(empty_url, as_of=AS_OF))
    assert sorted(report.loaded for report in reports) == [False, True]
    assert {report.rows for report in reports} == {seeded[1].rows}
    assert _counts(empty_url) == _counts(url)
    assert (await seed(empty_url, as_of=AS_OF)).loaded is False
