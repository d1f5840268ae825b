"""How agents write figures, dates and sentences in the reader's language; a figure keeps every digit of its metric."""

from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Final, Literal

from services.text.korean import money_ko, number

Locale = Literal["ko", "en"]
"""The languages that a user reads."""

_EN_MONTHS: Final = (
    "January February March April May June July August September October November December".split()  # noqa: SIM905 - reads as the list that it is
)


@dataclass(frozen=True, slots=True)
class Text:
    """One text in both languages."""

    ko: str
    """In Korean, as a person would say it."""
    en: str
    """In English."""

    def said(self, locale: str) -> str:
        """Returns the Korean text for `ko`, else the English one."""
        return self.ko if locale == "ko" else self.en


WORDS: Final = {
    "up": Text("상승", "up"),
    "down": Text("하락", "down"),
    "flat": Text("보합", "flat"),
    "golden_cross": Text("골든크로스", "golden cross"),
    "dead_cross": Text("데드크로스", "dead cross"),
}
"""What the words that stand in a metric are called."""


def rounded(value: Decimal, decimals: int) -> Decimal:
    """Returns `value` with that many digits after the point, half away from zero as people round."""
    return value.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP)


def plain(value: Decimal) -> str:
    """Returns a decimal in plain notation without trailing zeros: "262.1", never "2.621E+2" and never "-0"."""
    text = f"{value:f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def day(value: date, locale: str) -> str:
    """Returns a day: "2026년 11월 26일" or "November 26, 2026"."""
    if locale == "ko":
        return f"{value.year}년 {value.month}월 {value.day}일"
    return f"{_EN_MONTHS[value.month - 1]} {value.day}, {value.year}"


def period(value: date, frequency: str, locale: str) -> str:
    """Returns the period that begins on a day: a month, a quarter, or the day itself."""
    if frequency == "monthly":
        return f"{value.year}년 {value.month}월" if locale == "ko" else f"{_EN_MONTHS[value.month - 1]} {value.year}"
    if frequency == "quarterly":
        quarter = (value.month + 2) // 3
        return f"{value.year}년 {quarter}분기" if locale == "ko" else f"Q{quarter} {value.year}"
    return day(value, locale)


def figure(value: Decimal, unit: str, locale: str, *, signed: bool = False) -> str:
    """Returns a value with its unit as people write it: "12억 3,400만원", "$262.1", "+0.3%p", "1억 5,990만명".

    Args:
        value: The value; every digit is written.
        unit: A unit of `hapju.flow.v1.Metric`.
        locale: "ko" or "en".
        signed: Write "+" before a positive value.
    """
    bare = number(value, signed=signed)
    match unit:
        case "percent":
            return f"{bare}%"
        case "percentage_point":
            return f"{bare}%p" if locale == "ko" else f"{bare} percentage points"
        case "krw" | "persons" | "usd":
            return _amount(value, unit, locale, "+" if signed and value > 0 else "")
        case "days":
            return f"{bare}일" if locale == "ko" else f"{bare} days"
        case _:
            return bare


_KO_ENDINGS: Final = {"krw": "원", "persons": "명", "usd": "달러"}


def _amount(value: Decimal, unit: str, locale: str, plus: str) -> str:
    """Returns a sum of money or a number of people; in Korean whole ones go by 조, 억 and 만."""
    sign = "-" if value < 0 else plus
    size = number(abs(value))
    if locale != "ko":
        before, after = {"krw": ("KRW ", ""), "usd": ("$", "")}.get(unit, ("", " people"))
        return f"{sign}{before}{size}{after}"
    if value == value.to_integral_value():
        size = money_ko(abs(int(value))).removesuffix("원")
    return f"{sign}{size}{_KO_ENDINGS[unit]}"
