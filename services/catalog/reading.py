"""Reads a question with every kind of entity that the installed domains declare."""

from datetime import datetime

from services.plugin.entities import installed_kinds, installed_sums
from services.plugin.vocabulary import installed_speech
from services.text.language import Language
from services.text.reading import TextReading, read


def read_question(text: str, *, now: datetime, time_zone: str = "Asia/Seoul", locale: str = "") -> TextReading:
    """Read one question.

    Args:
        text: The question as the user wrote it.
        now: The moment of the question, time-zone aware.
        time_zone: The user's IANA time zone.
        locale: The language in which entities are told; by default the question's own.

    Raises:
        ValueError: `now` is naive, or `time_zone` is not a known zone.
    """
    kinds = tuple(installed_kinds().values())
    labels = _language(locale) if locale else None
    return read(
        text, now=now, time_zone=time_zone, kinds=kinds, labels=labels, sums=installed_sums(), speech=installed_speech()
    )


def _language(locale: str) -> Language:
    return "en" if locale.lower().startswith("en") else "ko"
