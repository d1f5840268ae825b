"""How figures, days and periods are said in the reader's language; agents and synthesizer say them alike."""

from datetime import date
from decimal import Decimal
from typing import Final

from services.text.ko.written import money_ko, number

DECIMALS_SHOWN_MAX: Final = 4
"""Digits after the point that are said; what a method computed beyond them says nothing to a reader."""

_EN_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_ENDINGS: Final = {
    "percent": ("%", "%"),
    "percentage_point": ("%p", " percentage points"),
    "days": ("일", " days"),
    "count": ("건", ""),
    "ratio": ("배", " times"),
    "m2": ("㎡", " m²"),
}
_SUMS_KO: Final = {"krw": "원", "persons": "명", "usd": "달러"}
_SUMS_EN: Final = {"krw": ("KRW ", ""), "usd": ("$", ""), "persons": ("", " people")}
_MAGNITUDE_DECIMALS: Final = 3
_MAGNITUDES: Final = (("trillion", Decimal(10) ** 12), ("billion", Decimal(10) ** 9))


def day(value: date, language: str) -> str:
    """Return a day: "2026년 11월 26일" or "November 26, 2026"."""
    if language == "ko":
        return f"{value.year}년 {value.month}월 {value.day}일"
    return f"{_EN_MONTHS[value.month - 1]} {value.day}, {value.year}"


def period(value: date, frequency: str, language: str) -> str:
    """Return the period that begins on a day: a month, a quarter, or the day itself for any other frequency."""
    if frequency == "monthly":
        return f"{value.year}년 {value.month}월" if language == "ko" else f"{_EN_MONTHS[value.month - 1]} {value.year}"
    if frequency == "quarterly":
        quarter = (value.month + 2) // 3
        return f"{value.year}년 {quarter}분기" if language == "ko" else f"Q{quarter} {value.year}"
    return day(value, language)


def figure(value: Decimal, unit: str, language: str, *, signed: bool = False) -> str:
    """Return a value with its unit as people write it: "12억 3,400만원", "$262.1", "+0.3%p", "1억 5,990만명".

    Args:
        value: A finite value; digits beyond the fourth after the point are rounded away.
        unit: A unit of `hapju.flow.v1.Metric`; one without a word of its own is said bare.
        language: "ko", else English.
        signed: Write "+" before a positive value.
    """
    shown = _trimmed(value)
    if unit in _SUMS_KO:
        return _sum(shown, unit, language, "+" if signed and shown > 0 else "")
    ko, en = _ENDINGS.get(unit, ("", ""))
    return number(shown, signed=signed) + (ko if language == "ko" else en)


def _trimmed(value: Decimal) -> Decimal:
    exponent = value.as_tuple().exponent
    too_long = isinstance(exponent, int) and -exponent > DECIMALS_SHOWN_MAX
    return round(value, DECIMALS_SHOWN_MAX) if too_long else value


def _magnitude(size: Decimal) -> str:
    """Return a great sum as English says it, "114.301 billion"; empty where three decimals do not hold every digit."""
    for name, unit in _MAGNITUDES:
        scaled = size / unit
        if scaled >= 1 and scaled == round(scaled, _MAGNITUDE_DECIMALS):
            return f"{number(scaled)} {name}"
    return ""


def _sum(value: Decimal, unit: str, language: str, plus: str) -> str:
    """Return a sum of money or a number of people; in Korean whole ones go by 조, 억 and 만."""
    sign = "-" if value < 0 else plus
    size = number(abs(value))
    if language != "ko":
        before, after = _SUMS_EN[unit]
        return f"{sign}{before}{_magnitude(abs(value)) or size}{after}"
    if value == value.to_integral_value():
        size = money_ko(abs(int(value))).removesuffix("원")
    return f"{sign}{size}{_SUMS_KO[unit]}"
