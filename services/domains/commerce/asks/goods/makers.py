"""Makers that people ask for and that sell nothing here; the words stand in makers.yaml."""

import re
from functools import cache
from typing import Any

from services.contract.asks import AskCondition, Said
from services.domains.commerce.asks.goods.features import ATTRIBUTE
from services.domains.commerce.asks.goods.words import DENIED, DENIED_EN
from services.plugin.asks.sheet import Sheet
from services.plugin.documents import read_yaml


@cache
def _makers() -> tuple[dict[str, Any], ...]:
    document = read_yaml(__package__ or "", "makers.yaml")
    if not isinstance(document, dict):
        raise TypeError("makers.yaml is a mapping")
    return tuple(document["makers"])


def maker_missing(sheet: Sheet) -> Said | None:
    """Return a maker that a question wants and that sells nothing here; None where it names none, or puts it aside."""
    return next((Said(one["ko"], one["en"]) for one in _makers() if _is_wanted(sheet, one["words"])), None)


def instead_of(sheet: Sheet) -> tuple[str, tuple[AskCondition, ...]]:
    """Return the kind of goods that a name of such a maker stands for, with what it is known for; empty where none."""
    named = (one for maker in _makers() for one in maker.get("goods", ()) if sheet.says(one["words"]))
    meant = next(named, None)
    if meant is None:
        return "", ()
    has = (AskCondition(f"{ATTRIBUTE}{name}", "eq", value) for name, value in meant.get("has", {}).items())
    return meant["category"], tuple(has)


def _is_wanted(sheet: Sheet, words: str) -> bool:
    match = sheet.find(words)
    if match is None:
        return False
    before = re.search(DENIED_EN, sheet.text[: match.start()], re.IGNORECASE)
    return re.match(DENIED, sheet.text[match.end() :]) is None and before is None
