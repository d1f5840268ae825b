"""Rows that earlier flows of the conversation have read, as readings of the same calls."""

import json
from collections.abc import Mapping
from typing import Any

from services.contract.agent import RunRequest
from services.plugin.agent import AgentSpec
from services.plugin.findings import Reading

_DEFAULTS: Mapping[str, Any] = {"mode": "groups", "descending": True, "limit": 50, "newest": False, "minimum": 0}


def call_key(tool: str, arguments: Mapping[str, Any]) -> str:
    """Return what tells a call from others: its tool and its arguments, defaults left out."""
    said = {
        name: value for name, value in arguments.items() if _DEFAULTS.get(name) != value and value not in ([], None)
    }
    if isinstance(filters := said.get("filters"), list):
        said["filters"] = [
            {name: value for name, value in one.items() if (name, value) != ("op", "eq")} for one in filters
        ]
    return tool + json.dumps(_plain(said), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def held_readings(spec: AgentSpec, asked: RunRequest) -> dict[str, Reading]:
    """Return the readings of reused results by the calls that they were read with."""
    found: dict[str, Reading] = {}
    sources = {source.rows_schema_id: source for source in spec.sources}
    pieces = (piece for one in asked.prior_results if one.reused_flow_run_id for piece in one.evidence)
    for piece in pieces:
        source = sources.get(piece.rows_schema_id)
        if source is None:
            continue
        arguments = json.loads(piece.provenance.filters_json)
        rows = tuple(source.row.returned(document) for document in json.loads(piece.rows_json))
        if len(rows) != piece.provenance.row_count:
            continue  # Some were too long to keep.
        reading = Reading(
            tool=source.tool,
            data_type=piece.data_type,
            arguments=arguments,
            rows=rows,
            rows_schema_id=piece.rows_schema_id,
            provenance=piece.provenance,
            truncated=False,
            partial=False,
        )
        found[call_key(source.tool, arguments)] = reading
    return found


def _plain(value: Any) -> Any:
    """Return a value with whole numbers as such: 3.0 and 3 ask for the same."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, Mapping):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value
