"""Statutes by name, how an article is cited, and the figures that an article's words hold. Pure.

An article is cited only where a row of data holds it; a cap or rate is read from the row's words, never known here.
"""

import re
from decimal import Decimal
from typing import Final, Protocol

from services.text.patterns import Pattern

ACT: Final = "주택임대차보호법"
"""The Housing Lease Protection Act, as rows name it."""
DECREE: Final = "주택임대차보호법 시행령"
"""Its enforcement decree."""
CIVIL: Final = "민법"
"""The Civil Act."""
HOUSING: Final = "공동주택관리법"
"""The Multi-Family Housing Management Act."""
RISE_LAW: Final = ((ACT, "7"), (DECREE, "8"))
"""The articles that cap a rise of rent or deposit."""
_NUMERALS: Final = dict(zip("일이삼사오육칠팔구십", range(1, 11), strict=True))
_FIFTH: Final = Pattern(r"(?:이십|20)\s?분의\s?(?:일|1)|one twentieth", re.IGNORECASE)
_HUNDREDTHS: Final = Pattern(r"(?:백|100)\s?분의\s?(?P<value>[일이삼사오육칠팔구]|[0-9]+)")
_TENTHS_A_YEAR: Final = Pattern(r"연\s?(?P<value>[일이삼사오육칠팔구]|[0-9])\s?할")
_PERCENT: Final = Pattern(r"(?P<value>[일이삼사오육칠팔구십]|[0-9]+(?:\.[0-9]+)?)\s?(?:퍼센트|%)")


class Worded(Protocol):
    """An article with what it says."""

    @property
    def summary_ko(self) -> str:
        """What it says, in Korean."""

    @property
    def summary_en(self) -> str:
        """What it says, in English."""


def citation(statute: str, article: str, locale: str) -> str:
    """Return how an article is cited: "주택임대차보호법 제7조의2", "Housing Lease Protection Act, Article 7-2".

    Args:
        statute: The statute's name in the language of the citation.
        article: The article's number: 7, or 7-2.
        locale: "ko", else English.
    """
    if locale != "ko":
        return f"{statute}, Article {article}"
    number, _, branch = article.partition("-")
    return f"{statute} 제{number}조" + (f"의{branch}" if branch else "")


def rise_cap_percent(row: Worded) -> Decimal | None:
    """Return the cap of a rise that an article's words hold, in percent: "이십분의 일" is 5."""
    for text in (row.summary_ko, row.summary_en):
        if _FIFTH.search(text):
            return Decimal(5)
        if (match := _HUNDREDTHS.search(text)) is not None:
            return _numeral(match["value"])
    return None


def conversion_rates(row: Worded) -> tuple[Decimal, Decimal] | None:
    """Return the decree's rate and the margin over the base rate in percent, as the article's words hold them."""
    tenths, margin = _TENTHS_A_YEAR.search(row.summary_ko), _PERCENT.search(row.summary_ko)
    if tenths is None or margin is None:
        return None
    return _numeral(tenths["value"]) * 10, _numeral(margin["value"])


def _numeral(text: str) -> Decimal:
    return Decimal(_NUMERALS[text]) if text in _NUMERALS else Decimal(text)
