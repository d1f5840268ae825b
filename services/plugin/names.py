"""The names that a sentence may give: those of the installed domains' kinds, and the countries."""

import functools

from services.plugin.entities import installed_kinds
from services.text.stated.names import NamedThing, NameTable

__all__ = ["NamedThing", "name_keys", "names_in"]


def names_in(text: str) -> tuple[NamedThing, ...]:
    """Return the names of a text in its order, the longest at each place."""
    return _table().names_in(text)


def name_keys(text: str) -> frozenset[str]:
    """Return what a text names."""
    return frozenset(thing.key for thing in names_in(text))


@functools.cache
def _table() -> NameTable:
    return NameTable(name for kind in installed_kinds().values() for name in kind.stated())
