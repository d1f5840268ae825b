"""How agents write numbers and texts in the reader's language; services.text.saying says figures and days."""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, localcontext
from typing import Final, Literal

Locale = Literal["ko", "en"]
"""The languages that a user reads."""


@dataclass(frozen=True, slots=True)
class Text:
    """One text in both languages."""

    ko: str
    """In Korean, as a person would say it."""
    en: str
    """In English."""

    def said(self, locale: str, **values: str) -> str:
        """Return the Korean text for `ko`, else the English one, with the values in their places."""
        text = self.ko if locale == "ko" else self.en
        return text.format(**values) if values else text


WORDS: Final = {
    "up": Text("상승", "up"),
    "down": Text("하락", "down"),
    "flat": Text("보합", "flat"),
}
"""What the directions that stand in a metric are called; the words of a domain's own are its signals."""


def rounded(value: Decimal, decimals: int) -> Decimal:
    """Return `value` with that many digits after the point, half away from zero as people round; however long it is."""
    with localcontext() as context:
        context.prec = max(context.prec, value.adjusted() + decimals + 2)
        return value.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP)


def plain(value: Decimal) -> str:
    """Return a decimal in plain notation without trailing zeros: "262.1", never "2.621E+2" and never "-0"."""
    text = f"{value:f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
