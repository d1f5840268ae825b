"""What a report on a share or a series holds: where it stands, how it moved, what it is worth, how it earned."""

from collections.abc import Callable, Sequence
from typing import Final

from services.contract.asks import Said
from services.plugin.asks.answering import Claim
from services.plugin.asks.reports import ReportPart, asks_report, parts_named, report_claims
from services.plugin.asks.sheet import Sheet

_SHARE: Final = (
    ReportPart(Said("지금 주가", "Price now"), Said("주가", "share price"), r"주가|가격|시세|\bprice"),
    ReportPart(
        Said("올해의 움직임", "This year"),
        Said("올해 주가 얼마나 올랐어?", "how much has the share price changed this year?"),
        r"추이|추세|움직|흐름|수익률|변화|trend|\bmove|\bchang|\breturn",
    ),
    ReportPart(
        Said("밸류에이션", "Valuation"), Said("PER", "P/E"), r"밸류|PER\b|PBR\b|적정|저평가|고평가|valuation|multiple"
    ),
    ReportPart(
        Said("최근 실적", "Latest results"),
        Said("최근 분기 실적", "latest quarterly results"),
        r"실적|매출|이익|재무|earnings|results|revenue|profit|financials",
    ),
)
_SERIES: Final = (
    ReportPart(
        Said("지금 값", "Where it stands"), Said("지금 얼마야?", "what is it now?"), r"수준|현재|지금|level|\bnow\b"
    ),
    ReportPart(
        Said("1년 동안의 변화", "Over the last year"),
        Said("1년 동안 얼마나 변했어?", "how much has it changed over the last year?"),
        r"추이|추세|흐름|변화|동향|trend|\bchang|\bmove",
    ),
)


def read(sheet: Sheet, reader: Callable[[Sheet], Sequence[Claim]]) -> tuple[Claim, ...]:
    """Return the parts of a report that is asked for on a share or a series; none where none is, or several are named."""
    for kind, parts in (("security", _SHARE), ("series", _SERIES)):
        if asks_report(sheet) and len(sheet.values(kind)) == 1:
            return report_claims(sheet, parts_named(sheet, parts) or parts, (kind,), reader)
    return ()
