"""A data folder is copied as it is now, whoever has it open and writes."""

import sqlite3
from contextlib import closing
from pathlib import Path

from services.tool_gateway.data.copying import copy_folder


def test_what_is_only_in_the_log_of_writes_is_copied(tmp_path: Path) -> None:
    """Rows that no checkpoint has brought into the file are there, and the copy needs no file beside it."""
    source, target = tmp_path / "source", tmp_path / "target"
    (source / "graph").mkdir(parents=True)
    (source / "graph" / "nodes.bin").write_bytes(b"nodes")
    with closing(sqlite3.connect(source / "data.db", isolation_level=None)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("PRAGMA wal_autocheckpoint = 0")
        writer.execute("CREATE TABLE kept (n INTEGER)")
        writer.execute("INSERT INTO kept VALUES (7)")
        assert (source / "data.db-wal").stat().st_size > 0
        copy_folder(source, target)
        writer.execute("INSERT INTO kept VALUES (8)")
        with closing(sqlite3.connect(target / "data.db")) as copy:
            assert copy.execute("SELECT n FROM kept").fetchall() == [(7,)]
    assert (target / "graph" / "nodes.bin").read_bytes() == b"nodes"
