"""Makers that people ask for and that sell nothing here; the words stand in makers.yaml."""

from functools import cache
from typing import Any

from services.contract.asks import Said
from services.plugin.asks.sheet import Sheet
from services.plugin.documents import read_yaml


@cache
def _makers() -> tuple[dict[str, Any], ...]:
    document = read_yaml(__package__ or "", "makers.yaml")
    if not isinstance(document, dict):
        raise TypeError("makers.yaml is a mapping")
    return tuple(document["makers"])


def maker_missing(sheet: Sheet) -> Said | None:
    """Return a maker that a question names and that sells nothing here; None where it names none."""
    return next((Said(one["ko"], one["en"]) for one in _makers() if sheet.says(one["words"])), None)
