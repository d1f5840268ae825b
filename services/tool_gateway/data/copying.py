"""Copies of data folders, whoever has them open.

A database file is copied by SQLite itself: copied as any file, its last writes may be missing or half there, and a
process that has it open would lose its locks when it closes the copied file (sqlite.org/howtocorrupt.html, 2.2).
"""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

_BESIDE: Final = ("-wal", "-shm", "-journal")


def copy_database(source: Path, target: Path) -> None:
    """Write a SQLite database to another file as it is now; what was there is replaced."""
    whole = f"{source.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(whole, uri=True)) as read, closing(sqlite3.connect(target)) as written:
        read.backup(written)
        # The copy is read beside a writer as well.
        written.execute("PRAGMA journal_mode = WAL")


def copy_folder(source: Path, target: Path) -> None:
    """Write a data folder to another one, its databases as they are now."""
    target.mkdir(parents=True, exist_ok=True)
    for file in sorted(source.iterdir()):
        if file.is_dir():
            copy_folder(file, target / file.name)
        elif file.suffix == ".db":
            copy_database(file, target / file.name)
        elif not file.name.endswith(tuple(f".db{ending}" for ending in _BESIDE)):
            shutil.copy(file, target / file.name)
