"""Rows that are computed from the arguments alone: no table is read, and provenance says so."""

import hashlib
import json
from typing import Any, Final

from services.contract.flow import Provenance
from services.tool_gateway.reads import Reading, Row

SOURCE: Final = "computed from the arguments"


def computed(template_id: str, values: dict[str, Any], row: Row) -> Reading:
    """Return one computed row with its provenance: the formula's id, the arguments, no table and no time."""
    rows_json = b"[" + row.model_dump_json().encode() + b"]"
    filters = json.dumps(values, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    fingerprint = hashlib.sha256(b"\x00".join((template_id.encode(), filters, rows_json))).hexdigest()
    provenance = Provenance(
        source=SOURCE,
        dataset="",
        table="",
        filters_json=filters,
        as_of_time=None,
        row_count=1,
        template_id=template_id,
        fingerprint=fingerprint,
        sample=False,
    )
    return Reading((row,), rows_json, truncated=False, provenance=provenance)
