"""Rows of what belongs to the person who asks: the tool that reads them, their days, the evidence of them."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Final
from zoneinfo import ZoneInfo

from services.contract.asks import Said
from services.contract.flow import Evidence
from services.plugin.asks.answering import Found
from services.plugin.asks.telling import QueryRow, proof

OWN_TOOL: Final = "query_own_data"
"""The tool that reads what belongs to the caller alone."""


def day_of(row: QueryRow, field: str, found: Found) -> date | None:
    """Return the user's day of a moment; None where there is none."""
    text = row.text(field)
    if not text:
        return None
    moment = datetime.fromisoformat(text.replace(" ", "T"))
    utc = moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo("UTC"))
    return utc.astimezone(ZoneInfo(found.asking.time_zone)).date()


def today_of(found: Found) -> date:
    """Return the user's day of the question."""
    return found.asking.now.astimezone(ZoneInfo(found.asking.time_zone)).date()


def proofs_of(found: Found, title: Said, data_type: str) -> tuple[Evidence, ...]:
    """Return the evidence of every reading that has rows, under one title."""
    return tuple(proof(one, title, found.asking.locale, data_type) for one in found.readings if one.rows)


def evidence_ids_of(pieces: Sequence[Evidence]) -> tuple[str, ...]:
    """Return the ids of pieces of evidence."""
    return tuple(piece.evidence_id for piece in pieces)
