"""Rows that are computed: from the arguments alone, or from the arguments over rows that were read."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any, Final

from services.contract.flow import Provenance
from services.plugin.reads import ReadResult, Row

SOURCE: Final = "computed from the arguments"


def computed(
    template_id: str, values: dict[str, Any], rows: Sequence[Row], *, over: Provenance | None = None
) -> ReadResult:
    """Return computed rows with their provenance: the formula's id and the arguments.

    Args:
        template_id: Id of the formula.
        values: The arguments as provenance shows them; a digest stands for what nobody else should read.
        rows: The rows.
        over: Where the rows come from that the formula worked with; without it no table and no time is named.
    """
    rows_json = b"[" + b",".join(row.model_dump_json().encode() for row in rows) + b"]"
    filters = json.dumps(values, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    read = b"" if over is None else over.fingerprint.encode()
    fingerprint = hashlib.sha256(b"\x00".join((template_id.encode(), filters, read, rows_json))).hexdigest()
    provenance = Provenance(
        source=SOURCE if over is None else f"{SOURCE} over: {over.source}",
        dataset="" if over is None else over.dataset,
        table="" if over is None else over.table,
        filters_json=filters,
        as_of_time=None if over is None else over.as_of_time,
        row_count=len(rows),
        template_id=template_id,
        fingerprint=fingerprint,
        sample=over is not None and over.sample,
    )
    return ReadResult(tuple(rows), rows_json, truncated=False, provenance=provenance)
