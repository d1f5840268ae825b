"""The graph on each engine: every template runs, nothing can be written, a statement stops, a new file is noticed."""

import asyncio
import os
import shutil
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from services.tool_gateway.data.graph.access import Graph, GraphWriteRefused
from services.tool_gateway.data.graph.engines import (
    FILE_NAME,
    check_graph_url,
    default_graph_url,
    embedded_folder,
    open_graph,
)
from services.tool_gateway.data.graph.statements import (
    graph_statement_from_text,
    load_graph_statements,
)
from services.tool_gateway.data.reader import DatabaseUnavailable, ReadTimeout
from services.tool_gateway.statements import StatementError
from tests.unit.tool_gateway.search.attacks import ATTACKS

SUBJECTS = ["FEDFUNDS", "DGS10", "KR:005930", "US:NVDA", "11350"]
COUNT = "MATCH (n) RETURN count(n) AS nodes"
WRITES = (
    "CREATE (n:Company {id: 'x'}) RETURN n.id",
    "MATCH (n:Company) SET n.name_ko = 'x' RETURN n.id",
    "MATCH (n:Company) DETACH DELETE n",
    "MERGE (n:MacroTheme {id: 'x'}) RETURN n.id",
)
ENDLESS = "UNWIND range(1, 4000) AS a UNWIND range(1, 4000) AS b UNWIND range(1, 4000) AS c RETURN sum(a * b * c) AS s"
HEADER = "// id: t.v1\n// table: Company\n// param: row_limit integer\n"


def _values(statement: Any, ids: list[str]) -> dict[str, Any]:
    return {"row_limit": 100, **({"ids": ids} if "ids" in statement.parameters else {})}


@pytest.mark.parametrize("template_id", sorted(load_graph_statements()))
@pytest.mark.asyncio
async def test_every_template_returns_rows(graph: Graph, template_id) -> None:
    """Each statement returns rows of the sample graph for known subjects, and none for unknown ones."""
    statement = load_graph_statements()[template_id]
    rows = await graph.fetch(statement.text, statement.bind(_values(statement, SUBJECTS)), 10)
    assert rows
    if "ids" in statement.parameters:
        assert await graph.fetch(statement.text, statement.bind(_values(statement, ["nobody"])), 10) == []


@pytest.mark.xdist_group("bolt")
@pytest.mark.long
@pytest.mark.parametrize("template_id", sorted(load_graph_statements()))
@pytest.mark.asyncio
async def test_both_engines_return_the_same(embedded_url, bolt_url, template_id) -> None:
    """One statement text gives equal rows on ladybug and over Bolt."""
    statement = load_graph_statements()[template_id]
    found = []
    for url in (embedded_url, bolt_url):
        graph = open_graph(url)
        found.append(await graph.fetch(statement.text, statement.bind(_values(statement, SUBJECTS)), 20))
        await graph.close()
    assert found[0] == found[1]


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.asyncio
async def test_a_write_fails_and_changes_nothing(graph: Graph, write) -> None:
    """Were a statement's text a write, the read path would refuse it and leave the graph as it is."""
    before = await graph.fetch(COUNT, {}, 10)
    with pytest.raises(GraphWriteRefused):
        await graph.fetch(write, {}, 10)
    assert await graph.fetch(COUNT, {}, 10) == before
    assert await graph.fetch("MATCH (n:Company) WHERE n.name_ko = 'x' RETURN n.id AS id", {}, 10) == []


@pytest.mark.asyncio
async def test_values_never_become_cypher(graph: Graph) -> None:
    """Each attack string is bound as a value: no rows come back, and the graph is as before."""
    before = await graph.fetch(COUNT, {}, 10)
    statement = load_graph_statements()["graph_known.v1"]
    for attack in ATTACKS:
        if "\x00" not in attack:
            assert await graph.fetch(statement.text, statement.bind(_values(statement, [attack])), 10) == []
    assert await graph.fetch(COUNT, {}, 10) == before


@pytest.mark.parametrize("ids", [[], ["a"] * 17, "FEDFUNDS", [1], [None], [True]])
def test_values_that_do_not_fit_are_refused(ids) -> None:
    """A list that is empty, too long, or holds something else is refused before anything runs."""
    statement = load_graph_statements()["graph_known.v1"]
    with pytest.raises(StatementError, match="ids"):
        statement.bind({"ids": ids, "row_limit": 5})
    with pytest.raises(StatementError, match="row_limit"):
        statement.bind({"ids": ["a"], "row_limit": "5 DETACH DELETE n"})


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("// table: Company\nMATCH (n:Company) RETURN n.id LIMIT $row_limit", "lacks id"),
        (HEADER + "MATCH (n:Company) RETURN n.id", "not both declared and used"),
        (HEADER + "MATCH (n:Company) WHERE n.id = $id RETURN n.id LIMIT $row_limit", "not both declared and used"),
        (HEADER + "// param: id blob\nMATCH (n:Company) RETURN n.id LIMIT $row_limit", "is not `name text"),
        (HEADER + "MATCH (n:Company) DETACH DELETE n", "begins no read clause"),
    ],
)
def test_a_malformed_template_stops_the_start(content, problem) -> None:
    """A template that writes, or whose parameters differ from its header, is refused when it is read."""
    with pytest.raises(ValueError, match=problem):
        graph_statement_from_text("t.cypher", content)


@pytest_asyncio.fixture
async def embedded(embedded_url) -> AsyncIterator[Graph]:
    """Return the sample graph on ladybug."""
    opened = open_graph(embedded_url)
    yield opened
    await opened.close()


@pytest.mark.asyncio
async def test_a_statement_stops_when_its_time_is_up(embedded: Graph) -> None:
    """An endless statement ends soon after its timeout, and the next read is served."""
    began = time.monotonic()
    with pytest.raises(ReadTimeout):
        await embedded.fetch(ENDLESS, {}, 0.3)
    assert await embedded.fetch("RETURN 1 AS one", {}, 5) == [{"one": 1}]
    assert time.monotonic() - began < 5


# A statement that goes on until its own time is up takes longer than the test may.
@pytest.mark.timeout(50)
@pytest.mark.asyncio
@pytest.mark.parametrize("seconds", [0.1, 0.0])
async def test_a_cancelled_read_stops_its_statement(embedded: Graph, seconds: float) -> None:
    """Cancelling the caller interrupts the statement, also before it has begun; every place is free again."""
    assert await embedded.fetch("RETURN 1 AS one", {}, 5) == [{"one": 1}]
    for _ in range(6):
        task = asyncio.create_task(embedded.fetch(ENDLESS, {}, 60))
        await asyncio.sleep(seconds)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert await embedded.fetch("RETURN 1 AS one", {}, 5) == [{"one": 1}]


@pytest.mark.asyncio
async def test_a_new_file_is_noticed(embedded_url, tmp_path) -> None:
    """A file that a seed puts in place is read at the next statement; without one the error says how to load."""
    folder = embedded_folder(embedded_url)
    assert folder is not None
    graph = open_graph(f"ladybug://{tmp_path}/graph")
    with pytest.raises(DatabaseUnavailable, match="hapju seed"):
        await graph.fetch(COUNT, {}, 5)
    (tmp_path / "graph").mkdir()
    shutil.copy(folder / FILE_NAME, tmp_path / "graph" / FILE_NAME)
    first = await graph.fetch(COUNT, {}, 5)
    await asyncio.to_thread(_replace_with_smaller, tmp_path / "graph" / FILE_NAME)
    assert (await graph.fetch(COUNT, {}, 5))[0]["nodes"] < first[0]["nodes"]
    await graph.close()


def _replace_with_smaller(path: Path) -> None:
    import ladybug  # noqa: PLC0415 - no service writes one

    draft = path.with_name("draft.lbug")
    shutil.copy(path, draft)
    with ladybug.Database(draft, max_db_size=1 << 30) as database, ladybug.Connection(database) as connection:
        connection.execute("MATCH (n:Evidence) DETACH DELETE n")
    os.replace(draft, path)  # noqa: PTH105 - as the seed does it


@pytest.mark.asyncio
async def test_many_reads_at_once(embedded: Graph) -> None:
    """Forty reads at once over few connections all return their own rows."""
    statement = load_graph_statements()["graph_known.v1"]

    async def one(subject: str) -> list[dict[str, Any]]:
        return await embedded.fetch(statement.text, {"ids": [subject], "row_limit": 5}, 20)

    wanted = SUBJECTS * 8
    found = await asyncio.gather(*(one(subject) for subject in wanted))
    assert [[row["id"] for row in rows] for rows in found] == [[subject] for subject in wanted]


@pytest.mark.asyncio
async def test_a_server_that_is_not_there_is_said_to_be_away() -> None:
    """A Bolt URL where nobody listens ends as unavailable, not as a crash."""
    graph = open_graph("bolt://127.0.0.1:1/graph")
    with pytest.raises(DatabaseUnavailable):
        await graph.fetch(COUNT, {}, 5)
    await graph.close()


@pytest.mark.parametrize("url", ["", "http://host", "bolt://", "ladybug://", "ladybug://host/x", "mysql://host/db"])
def test_an_unusable_url_is_refused_by_name(url) -> None:
    """A URL of no graph is refused with the setting's name."""
    with pytest.raises(ValueError, match="HAPJU_GRAPH_URL"):
        check_graph_url(url)


def test_the_graph_of_a_database_file_lies_beside_it() -> None:
    """Without a setting the graph is a folder beside an SQLite file; another database has none."""
    assert default_graph_url("sqlite+aiosqlite:////data/data.db") == "ladybug:///data/graph"
    assert default_graph_url("postgresql://host/db") == ""
