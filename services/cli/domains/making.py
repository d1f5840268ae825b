"""Writes a small domain that runs; the files of `template/` are its own, with the domain's name in place of marks."""

import re
from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

NAME: Final = re.compile(r"[a-z][a-z0-9]{1,20}")
"""What a domain that is made may be called."""
_PACKAGE: Final = "package"


def made(name: str, folder: Path) -> Iterator[Path]:
    """Write a domain's project into a folder and yield each file that is written.

    Args:
        name: The domain's name.
        folder: The folder; it is made.
    """
    for place, text in _files(resources.files(__package__) / "template", ""):
        path = folder / _named(place.removesuffix(".txt").replace(_PACKAGE, f"hapju_{name}", 1), name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_named(text, name), encoding="utf-8")
        yield path


def _files(folder: Traversable, above: str) -> Iterator[tuple[str, str]]:
    for entry in sorted(folder.iterdir(), key=lambda one: one.name):
        place = f"{above}{entry.name}"
        if entry.is_dir():
            yield from _files(entry, f"{place}/")
        else:
            yield place, entry.read_text(encoding="utf-8")


def _named(text: str, name: str) -> str:
    return text.replace("~name~", name).replace("~Name~", name.capitalize())
