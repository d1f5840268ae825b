"""Tells a security that the data does not cover from one that has no rows."""

from __future__ import annotations

from typing import Final

from services.plugin.tools.reads import Reads
from services.plugin.tools.tool import UnknownIdentifier

_SECURITIES_MAX: Final = 200


async def require_security(reads: Reads, security_id: str, timeout_seconds: float) -> None:
    """Return if a security is covered.

    Raises:
        UnknownIdentifier: It is not; the text names those that its market covers.
    """
    market = security_id.partition(":")[0]
    listed = await reads.records(
        "securities_list.v1", {"market": market}, rows_max=_SECURITIES_MAX, timeout_seconds=timeout_seconds
    )
    covered = {record["security_id"]: record["name_en"] for record in listed}
    if security_id not in covered:
        names = ", ".join(f"{known} {name}" for known, name in covered.items())
        raise UnknownIdentifier("ticker", f"{security_id} is not covered; covered in its market: {names}")
