"""The same statements on a real PostgreSQL, over the same seed: equal rows, and no write."""

import asyncio
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from services.tool_gateway.data.reader import Reader
from services.tool_gateway.data.seeding import seed
from services.tool_gateway.reads import Reads
from services.tool_gateway.statements import load_statements
from tests.unit.tool_gateway.search.attacks import ATTACKS
from tests.unit.tool_gateway.search.sample_values import values_for
from tests.unit.tool_gateway.seeded_data import AS_OF

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

EVER = {"date_from": date.min, "date_to": date.max}
ASKED: dict[str, dict[str, Any]] = {
    "equity_financials.v1": {"security_id": "US:AAPL", "periods": 3},
    "earnings_events.v1": {"security_id": "KR:005930", "date_to": date.max},
    "corporate_events.v1": {"security_id": "KR:005930", **EVER},
    "realty_trend.v1": {"region_code": "11", "property_type": "", "deal_type": "sale", **EVER},
    "realty_listings.v1": {
        "region_code": "11",
        "property_type": "",
        "deal_type": "",
        "price_min_krw": 0,
        "price_max_krw": 10**12,
    },
    "macro_brief.v1": {"date_to": date.max},
    "news_ids.v1": {
        "subject_ids": ["KR:005930", "UNRATE"],
        "date_from": date.min,
        "date_before": date.max,
        "country": "",
    },
    "news_articles.v1": {"ids": ["NEWS-0001", "NEWS-0050"]},
    "glossary_terms.v1": {"ids": ["fixed_date", "ltv"]},
    "glossary_ids.v1": {"domain": "realty"},
    "law_articles.v1": {"ids": ["HLPA-7", "HLPD-8"]},
    "law_ids.v1": {"topic": "rent"},
    "law_topics.v1": {},
    "search_terms.v1": {"collection": "law", "tokens": ["전세금", "올리", "~전세", "nothing"]},
    "search_words.v1": {"collection": "law", "tokens": ["전세금", "올리", "~전세"]},
    "search_vectors.v1": {"collection": "glossary"},
}


@pytest.fixture(scope="session")
def postgres_seeded(postgres: sa.URL) -> str:
    """Return the URL of a PostgreSQL database that holds the whole seed."""
    engine = sa.create_engine(postgres, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql("CREATE DATABASE seeded")
    engine.dispose()
    url = postgres.set(database="seeded").render_as_string(hide_password=False)
    asyncio.run(seed(url, as_of=AS_OF))
    return url


def _plain(value: Any) -> Any:
    """Return a value as both databases mean it: times and dates as text, decimals as floats, bytes as bytes."""
    if isinstance(value, datetime):
        return value.isoformat(" ", "seconds")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, str) and len(value) == 26 and value[10] == " ":
        return value[:19]
    if isinstance(value, (float, Decimal)):
        return pytest.approx(float(value), rel=1e-9)
    return bytes(value) if isinstance(value, memoryview) else value


async def _rows(url: str, template_id: str) -> list[dict[str, Any]]:
    reader = Reader.open(url)
    try:
        found = await Reads(reader).records(template_id, ASKED[template_id], rows_max=200, timeout_seconds=20)
    finally:
        await reader.close()
    return [{name: _plain(value) for name, value in row.items()} for row in found]


@pytest.mark.parametrize("template_id", sorted(ASKED))
@pytest.mark.asyncio
async def test_both_databases_return_the_same(url, postgres_seeded, template_id) -> None:
    """One statement text gives equal rows, in the same order, on SQLite and on PostgreSQL."""
    on_sqlite, on_postgres = await _rows(url, template_id), await _rows(postgres_seeded, template_id)
    assert on_sqlite
    assert [dict(row) for row in on_sqlite] == [dict(row) for row in on_postgres]


@pytest.mark.asyncio
async def test_every_statement_runs(postgres_seeded) -> None:
    """Each packaged statement runs on PostgreSQL over the seeded schema."""
    reader = Reader.open(postgres_seeded)
    for statement in load_statements().values():
        assert isinstance(await reader.fetch(statement.clause, statement.bind(values_for(statement)), 20), list)
    await reader.close()


@pytest.mark.asyncio
async def test_values_never_become_sql(postgres_seeded) -> None:
    """Attack strings are bound: no rows of theirs come back, and the tables hold what they held."""
    reader = Reader.open(postgres_seeded)
    count = sa.text("SELECT (SELECT COUNT(*) FROM products) + (SELECT COUNT(*) FROM offers) AS rows")
    before = await reader.fetch(count, {}, 10)
    statements = [one for one in load_statements().values() if "security_id" in one.parameters]
    for number, attack in enumerate(ATTACKS):
        statement = statements[number % len(statements)]
        values = {**values_for(statement), "security_id": attack.replace("\x00", "")}
        assert await reader.fetch(statement.clause, statement.bind(values), 10) == []
    assert await reader.fetch(count, {}, 10) == before
    await reader.close()


@pytest.mark.parametrize(
    "write", ["DELETE FROM law_articles", "DROP TABLE news_articles", "CREATE TABLE x (a INTEGER)"]
)
@pytest.mark.asyncio
async def test_a_write_fails(postgres_seeded, write) -> None:
    """A write through a read connection is refused by the server."""
    reader = Reader.open(postgres_seeded)
    with pytest.raises(DBAPIError, match="read-only"):
        await reader.fetch(sa.text(write), {}, 10)
    await reader.close()


@pytest.mark.asyncio
async def test_search_finds_the_same(url, postgres_seeded) -> None:
    """A question finds the same articles in the same order on both."""
    found = []
    for each in (url, postgres_seeded):
        reader = Reader.open(each)
        hits = await Reads(reader).finder.find("law", "전세금을 얼마까지 올릴 수 있나요", timeout_seconds=20)
        found.append([(hit.document_id, hit.score) for hit in hits])
        await reader.close()
    assert found[0] == found[1]
    assert found[0][0][0] in {"HLPA-7", "HLPD-8"}
