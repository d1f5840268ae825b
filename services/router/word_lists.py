"""The router's own word lists, typed and read once from words.yaml."""

from functools import cache
from importlib import resources

import yaml
from pydantic import BaseModel, ConfigDict


class WordLists(BaseModel):
    """Words that the router looks for beside the catalog's cues."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    graph: frozenset[str]
    """Ask for reasons, relations, outlook or risk."""
    back: frozenset[str]
    """Point back at the turn before."""
    asking: frozenset[str]
    """Are no part of the name of goods."""


@cache
def word_lists() -> WordLists:
    """Return the lists of the installed router.

    Raises:
        pydantic.ValidationError: The file is malformed; the text names the entry.
    """
    text = resources.files("services.router").joinpath("words.yaml").read_text(encoding="utf-8")
    return WordLists.model_validate(yaml.safe_load(text))
