"""How figures of shares and series are said: in their unit, to their decimals, under their quarter."""

from decimal import Decimal
from typing import Final

from services.contract.asks import Said
from services.domains.finance.asks.vocabulary import SERIES
from services.plugin.asks.telling import decimal, percent
from services.text.ko.written import money_ko

_QUARTERS: Final = 4
_DECIMALS: Final = {"operating_margin": 1, "net_margin": 1, "roe": 1, "per": 1}
"""Measures that are told to fewer decimals than two."""


def decimals_of(measure: str) -> int:
    """Return to how many decimals a share or a multiple is told."""
    return _DECIMALS.get(measure, 2)


def is_rate(subject: str) -> bool:
    """Tell whether changes of a subject are told in percentage points."""
    return subject in SERIES and SERIES[subject].unit in {"percent", "points"}


def series_said(series_id: str, value: Decimal) -> Said:  # noqa: PLR0911 - one for each unit
    """Return a level of a series in its unit."""
    match SERIES[series_id].unit:
        case "percent":
            return percent(value, 2)
        case "points":
            return Said(f"{decimal(value, 2)}%p", f"{decimal(value, 2)} percentage points")
        case "won":
            return Said(f"{decimal(value, 1)}원", f"KRW {decimal(value, 1)}")
        case "count":
            return Said(f"{int(value):,}채", f"{int(value):,} homes")
        case "thousands":
            return Said(
                f"{money_ko(int(value) * 1000).removesuffix('원')}명", f"{decimal(value / 1000, 2)} million people"
            )
        case "musd":
            return dollars(value * 10**6)
    return Said(decimal(value, 2), decimal(value, 2))


def share_won(value: Decimal) -> Said:
    """Return a price in won to the won, as prices of shares are written."""
    text = decimal(value, 0 if abs(value) >= 100 else 2)
    return Said(f"{text}원", f"KRW {text}")


def dollars(value: Decimal) -> Said:
    """Return a sum of dollars."""
    size = abs(value)
    for scale, en, ko in ((10**12, "trillion", 10**12), (10**9, "billion", 10**8), (10**6, "million", 10**4)):
        if size >= scale:
            name = {10**12: "조", 10**8: "억", 10**4: "만"}[ko]
            return Said(f"{decimal(value / ko, 2)}{name} 달러", f"${decimal(value / scale, 2)} {en}")
    text = f"{value:,.2f}" if size < 10**5 else f"{value:,.0f}"
    text = text.removesuffix(".00")
    return Said(f"{text}달러", f"${text}")


def times(value: Decimal, decimals: int) -> Said:
    """Return a multiple."""
    text = decimal(value, decimals)
    return Said(f"{text}배", f"{text} times")


def year_said(year: str, count: int) -> Said:
    """Return a year of accounts, with how many of its quarters the data has."""
    if count < _QUARTERS:
        return Said(
            f"{year}년 가운데 자료에 있는 {count}개 분기", f"{year}, of which the data has {count} of 4 quarters,"
        )
    return Said(f"{year}년({count}개 분기 합)", f"{year} ({count} quarters)")


def quarter_said(period: str) -> Said:
    """Return a fiscal quarter in both languages."""
    year, _, number = period.partition("Q")
    return Said(f"{year}년 {number}분기", f"Q{number} {year}")
