"""Named statements: typed headers, fixed text, bound values only."""

import re
from datetime import date
from typing import Any

import pytest
from sqlalchemy import event

from services.domains.finance.tools.equity_prices import EquityPricesRow
from services.plugin.tools.reads import PROVENANCE_COLUMNS
from services.tool_gateway.data.reader import Reader
from services.tool_gateway.reads import GatewayReads
from services.tool_gateway.statements import Statement, StatementError, load_statements, statement_from_text

INJECTIONS = (
    "'; DROP TABLE products; --",
    "' OR '1'='1",
    '" OR 1=1 --',
    "x' UNION SELECT url FROM datasets --",
    "1); DELETE FROM offers; --",
    ":row_limit",
    "%' ESCAPE '\\",
    "\\'; ATTACH DATABASE '/tmp/x' AS x; --",
    "이어폰'; UPDATE offers SET price_krw = 1; --",
    "?",
    "{0}",
    "\x00",
)
# Statements that look up what is covered or indexed; their records are no rows of a tool.
LOOK_UP = re.compile(r"list|words|_newest_|_ids\.|_topics\.|^search_|^schema_|^seed_state\.")
PLAIN = {"text": "zz", "integer": 1, "date": date(2026, 1, 1)}
HEADER = "-- id: t.v1\n-- table: t\n-- param: row_limit integer\n"


def _values(statement: Statement, **changed: Any) -> dict[str, Any]:
    values = {
        name: [PLAIN[parameter.kind]] if parameter.size else PLAIN[parameter.kind]
        for name, parameter in statement.parameters.items()
    }
    return {**values, **changed}


@pytest.mark.parametrize("template_id", sorted(load_statements()))
@pytest.mark.asyncio
async def test_every_template_runs_on_the_real_schema(reader, template_id) -> None:
    """Each statement runs against the migrated and seeded database; the ones that tools return name provenance."""
    statement = load_statements()[template_id]
    rows = await reader.fetch(statement.clause, statement.bind(_values(statement)), 5)
    assert isinstance(rows, list)
    head = statement.text.rpartition("FROM")[0]
    assert all(column in head for column in PROVENANCE_COLUMNS) or LOOK_UP.search(template_id)


@pytest.mark.parametrize("template_id", sorted(load_statements()))
@pytest.mark.asyncio
async def test_hostile_values_change_neither_statement_nor_data(url, template_id) -> None:
    """Whatever text is bound, the database gets the same statement, and every table keeps its rows."""
    opened = Reader.open(url, connections_max=1)
    sent: list[str] = []
    event.listen(opened.engine, "before_cursor_execute", lambda *args: sent.append(args[2]))
    statement = load_statements()[template_id]
    texts = [name for name, parameter in statement.parameters.items() if parameter.kind == "text"]
    for name in texts:
        for hostile in INJECTIONS:
            changed = {name: [hostile] if statement.parameters[name].size else hostile}
            await opened.fetch(statement.clause, statement.bind(_values(statement, **changed)), 5)
    assert len(set(sent)) == min(1, len(texts))
    count = load_statements()["product_search.v1"]
    whole = _values(count, tokens=[""], word_numbers=[0], word_count=0, category="", brand="", row_limit=10_000)
    rows = await opened.fetch(count.clause, count.bind({**whole, "price_min_krw": 0, "price_max_krw": 10**9}), 5)
    assert len(rows) == 648
    await opened.close()


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("-- table: t\n-- param: row_limit integer\nSELECT 1 LIMIT :row_limit", "lacks id"),
        ("-- id: t.v1\n-- param: row_limit integer\nSELECT 1 LIMIT :row_limit", "lacks table"),
        (HEADER + "VACUUM LIMIT :row_limit", "one SELECT"),
        (HEADER + "SELECT 1; SELECT 2 LIMIT :row_limit", "one SELECT"),
        (HEADER + "SELECT 1", "ends with LIMIT"),
        (HEADER + "SELECT :other LIMIT :row_limit", "other"),
        (HEADER + "-- param: unused text\nSELECT 1 LIMIT :row_limit", "unused"),
        (HEADER + "-- param: bad blob\nSELECT :bad LIMIT :row_limit", "bad blob"),
    ],
)
def test_a_malformed_statement_is_refused(content, problem) -> None:
    """A file whose header is incomplete, or whose SQL is no single bound SELECT, fails by its name."""
    with pytest.raises(StatementError, match=rf"bad\.sql.*{re.escape(problem)}"):
        statement_from_text("bad.sql", content)


def test_values_must_fit_the_statement() -> None:
    """Missing, unknown, empty and overlong values are refused; a short list is filled with its last value."""
    statement = load_statements()["macro_observations.v1"]
    values = _values(statement, series_ids=["A", "B"])
    bound = statement.bind(values)
    assert [bound[f"series_ids_{n}"] for n in range(1, 9)] == ["A", *["B"] * 7]
    for wrong in (
        {**values, "series_ids": []},
        {**values, "series_ids": ["A"] * 9},
        {**values, "more": 1},
        {name: value for name, value in values.items() if name != "date_to"},
    ):
        with pytest.raises(StatementError, match=r"macro_observations\.v1"):
            statement.bind(wrong)


def test_no_template_names_the_other_market() -> None:
    """The statement of one market mentions no table of the other."""
    statements = load_statements()
    assert "kr_equity" not in statements["equity_prices_us.v1"].text
    assert "us_equity" not in statements["equity_prices_kr.v1"].text


@pytest.mark.asyncio
async def test_the_fingerprint_tells_reads_apart(reads: GatewayReads) -> None:
    """Equal reads have equal fingerprints; another value or other rows have another."""

    async def fingerprint(security_id: str, bars: int) -> str:
        values = {"security_id": security_id, "bars": bars}
        reading = await reads.read("equity_prices_us.v1", EquityPricesRow, values, rows_max=10, timeout_seconds=5)
        return reading.provenance.fingerprint

    first = await fingerprint("US:AAPL", 5)
    assert first == await fingerprint("US:AAPL", 5)
    assert len({first, await fingerprint("US:AAPL", 6), await fingerprint("US:MSFT", 5)}) == 3
    assert re.fullmatch(r"[0-9a-f]{64}", first)
