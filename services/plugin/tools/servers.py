"""Tools that read from an MCP server which the deployment has mounted.

The domain says all that an agent and a user see of it: name, description, arguments and the form of a row. The server
says rows alone, and a row that does not have that form is none.
"""

import hashlib
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from pydantic import ValidationError

from services.contract.flow import Provenance
from services.plugin.tools.mounted import Answer, ServerFailed
from services.plugin.tools.reads import ReadResult, Reads, Row, within_limit
from services.plugin.tools.tool import ROWS_MAX, Arguments


def by_mcp(server: str, tool: str, row: type[Row]) -> Callable[[Any, Reads, float], Awaitable[ReadResult]]:
    """Return the read of a tool whose arguments a mounted server's tool takes; `limit` bounds the rows here.

    Args:
        server: The server, as `HAPJU_MCP_SERVERS` names it.
        tool: Its tool.
        row: The model of a row; what the server says beside its fields is left out.
    """

    async def read(arguments: Arguments, reads: Reads, timeout_seconds: float) -> ReadResult:
        values = arguments.model_dump(mode="json", exclude_none=True)
        rows_max = int(values.pop("limit", ROWS_MAX))
        answer = await reads.servers.call(server, tool, values, timeout_seconds)
        return _reading(f"mcp.{server}.{tool}", answer, row, values, rows_max)

    return read


def _reading(template_id: str, answer: Answer, row: type[Row], values: Mapping[str, Any], rows_max: int) -> ReadResult:
    try:
        found = [row.model_validate(_part(one, row), strict=False) for one in answer.documents[:rows_max]]
    except ValidationError as wrong:
        fault = wrong.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(map(str, fault["loc"]))
        raise ServerFailed(f"{template_id}: a row is not as it should be: {where}", retryable=False) from None
    documents, rows = within_limit(found)
    rows_json = b"[" + b",".join(documents) + b"]"
    filters = json.dumps(values, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    provenance = Provenance(
        source=answer.source,
        dataset="",
        table="",
        filters_json=filters,
        as_of_time=max((moment for one in rows if (moment := getattr(one, AS_OF, None)) is not None), default=None),
        row_count=len(rows),
        template_id=template_id,
        fingerprint=hashlib.sha256(b"\x00".join((template_id.encode(), filters, rows_json))).hexdigest(),
        sample=False,
    )
    return ReadResult(rows, rows_json, truncated=len(rows) < len(answer.documents), provenance=provenance)


AS_OF: Final = "as_of"
"""The field of a row, a `UtcTime`, that says up to when it stands; a row may lack it."""


def _part(document: Mapping[str, Any], row: type[Row]) -> dict[str, Any]:
    return {name: value for name, value in document.items() if name in row.model_fields}
