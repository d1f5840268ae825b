"""Dates that a question names and no calendar has: told, and never answered as if nothing had been named."""

from typing import Final

from services.runtime.threads import is_short
from services.text.entities import AskReason
from services.text.patterns import Pattern
from services.text.reading import TextReading

DATE_IMPOSSIBLE: Final = "DATE_IMPOSSIBLE"
"""The reason of a route that asks which date is meant."""
_NO_DATE: Final = Pattern(r"[0-9]+|[0-9]+\s?월")
"""A code of eight digits, or a month alone, which names other things as well ("13월의 월급")."""


def impossible_date(reading: TextReading) -> str:
    """Return the words of a date that there is none of; empty where a date is named that there is, or in a document."""
    if reading.dates or not is_short(reading.text):
        return ""
    named = (one.surface for one in reading.asks if one.field == "dates" and one.reason is AskReason.IMPOSSIBLE)
    return next((words for words in named if not _NO_DATE.fullmatch(words)), "")
