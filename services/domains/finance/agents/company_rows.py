"""What a company's quarters are called. Pure."""

from typing import Final

from services.text.patterns import Pattern

_FISCAL: Final = Pattern(r"([0-9]{4})Q([1-4])")


def quarter_name(fiscal_period: str, locale: str) -> str:
    """Return a fiscal quarter as people call it: "2026년 3분기", "Q3 2026"; another name stays as it is."""
    match = _FISCAL.fullmatch(fiscal_period)
    if match is None:
        return fiscal_period
    return f"{match[1]}년 {match[2]}분기" if locale == "ko" else f"Q{match[2]} {match[1]}"
