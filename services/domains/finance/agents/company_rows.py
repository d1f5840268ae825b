"""What the agents read of a company's quarters and announcements, and what its quarters are called. Pure."""

import re
from datetime import date
from decimal import Decimal
from typing import Final, Literal

from pydantic import Field

from services.plugin.reads import Row, UtcTime

_FISCAL: Final = re.compile(r"([0-9]{4})Q([1-4])")


class CompanyRow(Row):
    """What rows of one company share."""

    as_of: UtcTime
    """When the row's figures were published or read."""

    security_id: str
    """Market and ticker; never shown."""
    name_ko: str
    """Its name in Korean."""
    name_en: str
    """Its name in English."""

    def subject(self, locale: str) -> str:
        """Returns the company's name."""
        return self.name_ko if locale == "ko" else self.name_en


class FinancialsRow(CompanyRow):
    """One item of one fiscal quarter."""

    fiscal_period: str
    """The quarter, "2026Q3"."""
    period_end: date
    """Its last day."""
    item: str
    """What the value is."""
    value: Decimal
    """The value."""
    unit: str
    """Its unit as the data writes it: USD, KRW, USD/share, KRW/share, shares."""


class AnnouncementRow(CompanyRow):
    """One earnings announcement."""

    fiscal_period: str
    """The quarter that was announced."""
    day: date = Field(validation_alias="event_date")
    """The day of the announcement."""
    eps_actual: Decimal
    """Earnings a share as announced."""
    eps_estimate: Decimal
    """Earnings a share as expected."""
    surprise_percent: Decimal
    """The difference of the two in percent of the estimate's size."""
    currency: Literal["USD", "KRW"]
    """The currency of earnings a share."""


def quarter_name(fiscal_period: str, locale: str) -> str:
    """Returns a fiscal quarter as people call it: "2026년 3분기", "Q3 2026"; another name stays as it is."""
    match = _FISCAL.fullmatch(fiscal_period)
    if match is None:
        return fiscal_period
    return f"{match[1]}년 {match[2]}분기" if locale == "ko" else f"Q{match[2]} {match[1]}"
