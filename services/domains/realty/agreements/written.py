"""How the value of a contract's field is written, in the language of the contract. Pure."""

from datetime import date
from decimal import Decimal
from typing import Final

from services.domains.realty.agreements.forms import Kind
from services.text.ko.written import number
from services.text.saying import day, figure

DAY_OF_MONTH_MAX: Final = 28
"""The last day that every month has."""
_UNITS: Final[dict[Kind, tuple[str, str]]] = {"area": ("{}㎡", "{} m²"), "day_of_month": ("{}일", "day {}")}


def written(kind: Kind, value: str | int | Decimal | date, locale: str) -> str:
    """Return a value as a contract writes it: "2억원", "2027년 3월 1일", "84.9㎡"; a text as it is.

    Args:
        kind: What stands in the field.
        value: A whole sum in won, an area in square metres, a day, a day of the month, or a text.
        locale: "ko", else English.
    """
    if isinstance(value, date):
        return day(value, locale)
    if isinstance(value, str):
        return value
    if kind == "money":
        return figure(Decimal(value), "krw", locale)
    ko, en = _UNITS[kind]
    size = number(Decimal(value), decimals=2) if kind == "area" else str(value)
    return (ko if locale == "ko" else en).format(size)
