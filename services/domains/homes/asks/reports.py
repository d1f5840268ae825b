"""What a report on the homes of a place holds: what they cost now, how that moved, the jeonse ratio."""

from typing import Final

from services.contract.asks import Said
from services.domains.homes.asks import market
from services.plugin.asks.answering import Claim
from services.plugin.asks.reports import ReportPart, asks_report, parts_named, report_claims
from services.plugin.asks.sheet import Sheet

KINDS: Final = ("region", "property_type", "deal_type")
"""What a report on homes is about."""
RATIO: Final = "jeonse_ratio"
"""What the part that tells the jeonse ratio is called."""
_MARKET: Final = r"시장|동향|\bmarket\b"
PARTS: Final = (
    ReportPart(
        Said("지금 시세", "Prices now"), Said("시세", "prices"), rf"{_MARKET}|시세|가격|값|price|level|\bcosts?\b"
    ),
    ReportPart(
        Said("1년 동안의 변화", "Over the last year"),
        Said("시세 추이", "price trend"),
        rf"{_MARKET}|추이|추세|변화|흐름|trend|\bchang|\bmove",
    ),
    ReportPart(
        Said("전세가율", "Jeonse ratio"),
        Said("전세가율", "jeonse ratio"),
        rf"{_MARKET}|전세가율|위험|안전|리스크|깡통|\bratio\b|\brisk|\bsafe",
        RATIO,
    ),
)
"""The parts of a report on homes."""


def read(sheet: Sheet) -> tuple[Claim, ...]:
    """Return the parts of a report that is asked for on the homes of places; none where none is, or no place is named."""
    if not asks_report(sheet) or not sheet.of_kind("region"):
        return ()
    return report_claims(sheet, parts_of(sheet), KINDS, lambda part: market.read(part, ()))


def parts_of(sheet: Sheet) -> tuple[ReportPart, ...]:
    """Return the parts that a report on homes has: those that it names, else all."""
    return parts_named(sheet, PARTS) or PARTS
