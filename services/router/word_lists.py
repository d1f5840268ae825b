"""The router's own word lists, typed and read once from words.yaml."""

from functools import cache

from pydantic import BaseModel, ConfigDict

from services.plugin.documents import read_yaml


class WordLists(BaseModel):
    """Words that the router looks for beside the catalog's cues."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    bare: frozenset[str]
    """Ask for a reason and say not of what."""
    back: frozenset[str]
    """Point back at the turn before."""


@cache
def word_lists() -> WordLists:
    """Return the lists of the installed router.

    Raises:
        pydantic.ValidationError: The file is malformed; the text names the entry.
    """
    return WordLists.model_validate(read_yaml("services.router", "words.yaml"))
