"""The rows of a piece of evidence, read back from their JSON."""

import functools
import json
from decimal import Decimal
from typing import Any, Final

from services.contract.flow import Evidence

_PARSED_MAX: Final = 32
"""How many pieces of evidence are kept parsed: an answer asks for its own several times."""


def rows_of(evidence: Evidence) -> list[dict[str, Any]]:
    """Return the rows of a piece of evidence, to be read only; none where they are not an array of objects."""
    return _parsed(evidence.rows_json)


@functools.lru_cache(maxsize=_PARSED_MAX)
def _parsed(rows_json: bytes) -> list[dict[str, Any]]:
    try:
        rows = json.loads(rows_json or b"[]", parse_float=Decimal)
    except ValueError:
        return []
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
