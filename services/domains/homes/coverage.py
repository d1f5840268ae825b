"""Tells a district that the data does not cover from one that has no rows."""

from __future__ import annotations

from typing import Final

from services.plugin.tools.reads import Reads
from services.plugin.tools.tool import UnknownIdentifier

_REGIONS_MAX: Final = 400


async def require_region(reads: Reads, region_code: str, timeout_seconds: float) -> None:
    """Return if a district (5 digits) or a province (2 digits) is covered.

    Raises:
        UnknownIdentifier: It is not; the text names what is covered near it.
    """
    regions = await reads.records("regions_list.v1", {}, rows_max=_REGIONS_MAX, timeout_seconds=timeout_seconds)
    if any(region_code in (region["region_code"], region["province_code"]) for region in regions):
        return
    near = {r["region_code"]: r["name_en"] for r in regions if r["province_code"] == region_code[:2]}
    provinces = {region["province_code"]: region["province_en"] for region in regions}
    names = ", ".join(f"{code} {name}" for code, name in (near or provinces).items())
    raise UnknownIdentifier("region_code", f"{region_code} is not covered; covered: {names}")
