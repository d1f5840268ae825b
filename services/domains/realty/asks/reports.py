"""What a report on the homes of a place holds beside their prices: what to check before a contract, and loans."""

from typing import Final

from services.contract.asks import Said
from services.domains.homes.asks import reports as homes
from services.domains.homes.asks.homes_named import deal_types
from services.domains.realty.asks import offers
from services.domains.realty.asks.law import answers as law
from services.plugin.asks.answering import Claim
from services.plugin.asks.reports import ReportPart, asks_report, parts_named, report_claims
from services.plugin.asks.sheet import Sheet

_LAW: Final = r"법|유의|조심|주의|위험|안전|리스크|사기|보증금\s?보호|\blaws?\b|\blegal|\brisk|\bsafe|\bcaution|pitfall"
_LOANS: Final = r"대출|융자|자금|\bloans?\b|mortgage|financing|borrow"
_LEASE: Final = (
    ReportPart(
        Said("계약 전에 확인할 것", "Before you sign"),
        Said("전세사기 안 당하려면 계약 전에 뭘 확인해야 해?", "What should I check before I sign a jeonse lease?"),
        _LAW,
    ),
    ReportPart(
        Said("전세대출", "Jeonse loans"), Said("전세대출 상품 뭐 있어?", "Which jeonse loans are there?"), _LOANS
    ),
)
_PURCHASE: Final = (
    ReportPart(
        Said("계약 전에 확인할 것", "Before you sign"),
        Said("아파트 매매 계약 전에 뭘 확인해야 해?", "What should I check before I sign to buy a flat?"),
        _LAW,
    ),
    ReportPart(
        Said("주택담보대출", "Mortgages"), Said("주택담보대출 상품 뭐 있어?", "Which mortgages are there?"), _LOANS
    ),
)


def read(sheet: Sheet) -> tuple[Claim, ...]:
    """Return the parts of a report on homes that are realty's; a report on the market alone has none of them."""
    if not asks_report(sheet) or not sheet.of_kind("region"):
        return ()
    parts = _PURCHASE if deal_types(sheet) == ("sale",) else _LEASE
    named = parts_named(sheet, parts)
    if not named and parts_named(sheet, homes.PARTS):
        return ()
    return report_claims(sheet, named or parts, (), lambda part: law.read(part, ()) or offers.read(part, ()))
