"""Writes a graph: a new embedded file beside the old one, or one transaction on a server. Only the seed does this."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from services.plugin.data.graph import FLAG, NUMBER, TEXT, GraphRows
from services.tool_gateway.data.graph.engines import FILE_NAME, bolt_address, embedded_folder
from services.tool_gateway.data.graph.schema import LABELS, RELATIONS

_BUFFER_POOL_BYTES = 64 * 1024 * 1024
_SPACE_BYTES_MAX = 1 << 30
_LADYBUG_TYPES = {TEXT: "STRING", NUMBER: "DOUBLE", FLAG: "BOOL"}


@dataclass(frozen=True)
class PreparedGraph:
    """A graph that is written and waits to be put in place."""

    put_in_place: Callable[[], None]
    """Makes readers see it."""
    discard: Callable[[], None]
    """Leaves the graph as it was."""


@contextlib.contextmanager
def loaded(url: str, rows: Sequence[GraphRows]) -> Iterator[Callable[[], None]]:
    """Write a graph and yield what puts it in place; leaving without that call leaves the graph as it was.

    Raises:
        ValueError: The URL names no graph that hapju knows.
    """
    folder = embedded_folder(url)
    prepared = _prepare_on_server(url, rows) if folder is None else _prepare_file(folder, rows)
    try:
        yield prepared.put_in_place
    finally:
        prepared.discard()


def is_present(url: str) -> bool:
    """Return whether an embedded graph's file is there; a server is asked at the first read."""
    folder = embedded_folder(url)
    return folder is None or (folder / FILE_NAME).exists()


def _prepare_file(folder: Path, rows: Sequence[GraphRows]) -> PreparedGraph:
    # Imported here: a process that seeds a server does not need it.
    import ladybug  # noqa: PLC0415

    folder.mkdir(parents=True, exist_ok=True)
    # One name: whoever seeds holds the data database's write lock, so what a killed seed has left is swept away.
    draft = folder / f"next-{FILE_NAME}"
    _remove(draft)
    with (
        ladybug.Database(
            draft, buffer_pool_size=_BUFFER_POOL_BYTES, max_num_threads=1, max_db_size=_SPACE_BYTES_MAX
        ) as database,
        ladybug.Connection(database) as connection,
    ):
        for statement in embedded_ddl():
            connection.execute(statement)
        for statement, parameters in _inserts(rows):
            connection.execute(statement, {"rows": parameters})
            # What is not in the file yet takes 200 MB of memory for a few hundred relations; nobody reads a draft.
            connection.execute("CHECKPOINT")
    return PreparedGraph(lambda: _put(draft, folder / FILE_NAME), lambda: _remove(draft))


def _put(draft: Path, place: Path) -> None:
    draft.replace(place)


def _remove(draft: Path) -> None:
    for path in (draft, draft.with_name(f"{draft.name}.wal")):
        path.unlink(missing_ok=True)


def _prepare_on_server(url: str, rows: Sequence[GraphRows]) -> PreparedGraph:
    import neo4j  # noqa: PLC0415 - see _prepare_file

    address = bolt_address(url)
    driver = neo4j.GraphDatabase.driver(address.uri, auth=address.auth)
    stack = contextlib.ExitStack()
    stack.callback(driver.close)
    session = stack.enter_context(driver.session(database=address.database))
    for statement in bolt_ddl():
        session.run(statement).consume()
    transaction = session.begin_transaction()
    for label in LABELS:
        # Only what a seed has written: a server may hold the operator's own nodes under these labels.
        swept = f"MATCH (n:{label}) WHERE n.dataset_id = $dataset_id DETACH DELETE n"
        for one in rows:
            transaction.run(swept, {"dataset_id": one.origin["dataset_id"]}).consume()
    for statement, parameters in _inserts(rows):
        transaction.run(statement, {"rows": parameters}).consume()

    def discard() -> None:
        if not transaction.closed():
            transaction.rollback()
        stack.close()

    return PreparedGraph(transaction.commit, discard)


def _inserts(rows: Sequence[GraphRows]) -> Iterator[tuple[str, list[dict[str, object]]]]:
    """Yield what is written: the nodes of every data set before the relations of any."""
    for one in rows:
        for label, nodes in one.nodes.items():
            yield create_nodes(label), list(nodes.values())
    for one in rows:
        for (relation, source, target), edges in one.edges_by_kind().items():
            yield create_edges(relation, source, target), edges


def create_nodes(label: str) -> str:
    """Return the statement that creates the nodes `$rows` of a label."""
    return f"UNWIND $rows AS row CREATE (:{label} {{{_assigned(sorted(LABELS[label]))}}})"


def create_edges(relation: str, source: str, target: str) -> str:
    """Return the statement that creates the relations `$rows` between nodes of two labels."""
    return (
        f"UNWIND $rows AS row MATCH (a:{source} {{id: row.source}}) MATCH (b:{target} {{id: row.target}}) "
        f"CREATE (a)-[:{relation} {{{_assigned(sorted(RELATIONS[relation].properties))}}}]->(b)"
    )


def _assigned(names: Sequence[str]) -> str:
    return ", ".join(f"{name}: row.{name}" for name in names)


def embedded_ddl() -> Iterator[str]:
    """Yield the statements that make an empty ladybug database ready."""
    for label, properties in LABELS.items():
        yield f"CREATE NODE TABLE {label}({_columns(properties)}, PRIMARY KEY(id))"
    for name, relation in RELATIONS.items():
        pairs = ", ".join(f"FROM {source} TO {target}" for source, target in relation.pairs)
        yield f"CREATE REL TABLE {name}({pairs}, {_columns(relation.properties)})"


def bolt_ddl() -> Iterator[str]:
    """Yield the statements that make a Neo4j database ready; all of them may be repeated."""
    for label in LABELS:
        yield (f"CREATE CONSTRAINT hapju_{label.lower()}_id IF NOT EXISTS FOR (n:{label}) REQUIRE n.id IS UNIQUE")


def _columns(properties: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {_LADYBUG_TYPES[kind]}" for name, kind in properties.items())
