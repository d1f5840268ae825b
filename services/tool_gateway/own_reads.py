"""Reads of what belongs to the calling user: the owner is bound from the caller's token, never from an argument."""

from collections.abc import Mapping
from typing import Any

from services.runtime.identity import Caller
from services.tool_gateway.reads import Reading, Reads, Row, reading_of


async def read_own(  # noqa: PLR0913 - what a read takes, and whose rows it reads
    reads: Reads,
    template_id: str,
    row: type[Row],
    values: Mapping[str, Any],
    *,
    caller: Caller,
    rows_max: int,
    timeout_seconds: float,
) -> Reading:
    """Run a statement that binds `tenant` and `user_id`; its provenance names the other values only.

    Raises:
        ReadTimeout, DatabaseUnavailable, StatementError, RowTooLarge: See `Reads.read`.
    """
    bound = {**values, "tenant": caller.tenant, "user_id": caller.user_id}
    found = await reads.records(template_id, bound, rows_max=rows_max + 1, timeout_seconds=timeout_seconds)
    return reading_of(reads.origin(template_id), row, values, found, rows_max=rows_max)
