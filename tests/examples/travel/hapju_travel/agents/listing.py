"""What both agents do with their rows: the first ones told, each with its figures, and the first free one booked."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from hapju.plugin import Asking, Findings, Reading, action_request, evidence


def listed(
    readings: tuple[Reading, ...],
    asking: Asking,
    told: Callable[[Any], str],
    kinds: Mapping[str, str],
    booked: str = "",
) -> Findings:
    """Returns findings on rows: each said by `told`, its figures by `kinds`, and the wish to have `booked` booked."""
    metrics, pieces, sentences = [], [], []
    rows: list[tuple[Reading, Any]] = [(reading, row) for reading in readings for row in reading.rows]
    for reading, row in rows[:3]:
        sentences.append(told(row))
        pieces.append(evidence(reading, [row], title=row.subject(asking.locale), excerpt=sentences[-1]))
        about, as_of = asking.subject(row.subject(asking.locale), pieces[-1].evidence_id), asking.day_of(row.as_of)
        metrics += [
            about.figure(kind, Decimal(getattr(row, field)), as_of)
            for kind, field in kinds.items()
            if hasattr(row, field)
        ]
    wish = (action_request("BOOK_TRIP", "trip_book", item_id=booked),) if booked else ()
    return Findings(" ".join(sentences), tuple(metrics), tuple(pieces), rows_used=len(rows), actions=wish)
