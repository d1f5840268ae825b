"""How figures of shares and series are said: in their unit, to their decimals, under their quarter."""

from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, Said
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


def span_said(ask: Ask) -> Said:
    """Return what the time of a change is called."""
    kind, months = ask.notes.get("span", ""), int(ask.notes.get("months", "0") or 0)
    year = ask.against_date[:4]
    named = {
        "ytd": Said("올해", "this year"),
        "year_end": Said("작년 말 이후", "since the end of last year"),
        "month": Said("이번 달", "this month"),
        "week": Said("이번 주", "this week"),
        "month_before": Said("지난달(자료에 이번 달 거래일이 아직 없어)", "last month (the data has no trading day of this one yet)"),
        "week_before": Said("지난주(자료에 이번 주 거래일이 아직 없어)", "last week (the data has no trading day of this one yet)"),
        "ytd_before": Said("작년(자료에 올해 거래일이 아직 없어)", "last year (the data has no trading day of this one yet)"),
        "day": Said("하루 동안", "in one day"),
        "yoy": Said("1년 전보다", "against a year before"),
        "mom": Said("한 달 전보다", "against a month before"),
        "qoq": Said("전 분기보다", "against the quarter before"),
        "back": _back_said(months, int(ask.notes.get("days", "0") or 0)),
        "since": Said("그때 이후", "since then"),
        "since_own": Said("그때 이후", "since then"),
        "period": Said("그 기간", "over that time"),
    }  # fmt: skip
    del year
    return named.get(kind, Said("", ""))


def _back_said(months: int, days: int) -> Said:
    if months:
        return Said(f"최근 {_months_ko(months)}", f"over {_months_en(months)}")
    if days and days % 7 == 0:
        return Said(f"최근 {days // 7}주", f"over {days // 7} weeks" if days > 7 else "over one week")
    return Said(f"최근 {days}일", f"over {days} days" if days > 1 else "in one day") if days else _THAT_TIME


_THAT_TIME: Final = Said("그 기간", "over that time")


def _months_ko(months: int) -> str:
    return f"{months // 12}년" if months % 12 == 0 else f"{months}개월"


def _months_en(months: int) -> str:
    if months % 12 == 0:
        return "one year" if months == 12 else f"{months // 12} years"
    return "one month" if months == 1 else f"{months} months"
