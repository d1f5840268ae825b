"""Seeding the graph: put in place whole, left as it was where the seed fails, missed where it is gone."""

import sqlite3
from pathlib import Path

import pytest

from services.plugin.data.graph import GraphRows
from services.tool_gateway.data.graph.engines import FILE_NAME, embedded_folder, open_graph
from services.tool_gateway.data.graph.loading import is_present, loaded
from services.tool_gateway.data.seed.state import ensure_seeded

COUNT = "MATCH (n) RETURN count(n) AS nodes"


class Broken(Exception):
    """What goes wrong between writing a graph and putting it in place."""


@pytest.mark.long
@pytest.mark.asyncio
async def test_a_failed_seed_leaves_the_graph_as_it_was(tmp_path: Path, sample_rows: GraphRows) -> None:
    """A graph that is not put in place leaves no file behind, and the one before it is read on."""
    url = f"ladybug://{tmp_path}/graph"
    with loaded(url, [sample_rows]) as put_in_place:
        assert not is_present(url)
        put_in_place()
    assert is_present(url)
    graph = open_graph(url)
    before = await graph.fetch(COUNT, {}, 10)
    with pytest.raises(Broken), loaded(url, [GraphRows(sample_rows.schema, sample_rows.origin)]):
        raise Broken
    assert await graph.fetch(COUNT, {}, 10) == before
    assert [path.name for path in (tmp_path / "graph").iterdir()] == [FILE_NAME]
    await graph.close()


@pytest.mark.asyncio
async def test_what_a_killed_seed_has_left_is_swept(tmp_path: Path, sample_rows: GraphRows) -> None:
    """A draft that a killed seed left does not stop the next one."""
    folder = tmp_path / "graph"
    folder.mkdir()
    (folder / f"next-{FILE_NAME}").write_bytes(b"half a database")
    with loaded(f"ladybug://{folder}", [sample_rows]) as put_in_place:
        put_in_place()
    graph = open_graph(f"ladybug://{folder}")
    assert (await graph.fetch(COUNT, {}, 10))[0]["nodes"] == sum(len(nodes) for nodes in sample_rows.nodes.values())
    await graph.close()


@pytest.mark.slow
@pytest.mark.timeout(180)
@pytest.mark.asyncio
async def test_a_graph_that_is_gone_is_seeded_again(tmp_path: Path) -> None:
    """Where the database is seeded and its graph is not there, both are loaded anew."""
    url = f"sqlite+aiosqlite:///{tmp_path}/data.db"
    assert (await ensure_seeded(url)).loaded is True
    assert (await ensure_seeded(url)).loaded is False
    folder = embedded_folder(f"ladybug://{tmp_path}/graph")
    assert folder is not None
    (folder / FILE_NAME).unlink()
    assert (await ensure_seeded(url)).loaded is True
    assert is_present(f"ladybug://{tmp_path}/graph")
    with sqlite3.connect(tmp_path / "data.db") as connection:
        assert connection.execute("SELECT COUNT(*) FROM seed_state").fetchone() == (1,)


@pytest.mark.slow
@pytest.mark.asyncio
async def test_a_second_load_replaces_only_its_own(bolt_url: str, sample_rows: GraphRows) -> None:
    """On a server a second load leaves as many nodes as the first, and an uncommitted one changes nothing."""
    graph = open_graph(bolt_url)
    before = await graph.fetch(COUNT, {}, 20)
    with loaded(bolt_url, [sample_rows]) as put_in_place:
        put_in_place()
    assert await graph.fetch(COUNT, {}, 20) == before
    with pytest.raises(Broken), loaded(bolt_url, [GraphRows(sample_rows.schema, sample_rows.origin)]):
        raise Broken
    assert await graph.fetch(COUNT, {}, 20) == before
    await graph.close()
