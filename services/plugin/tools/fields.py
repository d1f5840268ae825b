"""Types of arguments that more than one tool takes: numbers written in several ways, ids, free text."""

from typing import Annotated, Any, Final

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints

from services.plugin.tools.effect import cleaned
from services.text.patterns import Pattern

_WHOLE: Final = Pattern(r"([0-9０-９]{1,15})(?:\.0+)?")
_FULL_WIDTH: Final = str.maketrans("０１２３４５６７８９", "0123456789")
_EXACT_MAX: Final = 2**53


def _whole(value: Any) -> Any:
    """Read a whole number exactly, from a JSON number or its digits; whatever else stays for the type to refuse."""
    if isinstance(value, float) and value.is_integer() and abs(value) <= _EXACT_MAX:
        return int(value)
    if isinstance(value, str) and (match := _WHOLE.fullmatch(value.strip())):
        return int(match[1].translate(_FULL_WIDTH))
    return value


def _without_invisible(value: Any) -> Any:
    return cleaned(value).strip() if isinstance(value, str) else value


WHOLE: Final = BeforeValidator(_whole)
"""Reads a whole number. In an alias its range stands in front, `Annotated[int, Field(ge=1), WHOLE]`: behind it, the
JSON Schema would lack the range."""
WholeNumber = Annotated[int, WHOLE]
"""A whole number: 2, 2.0, "2", "2.0" and "２" are 2; true, null, "²", "2e9", "두 개" and 0.5 are refused."""
Identifier = Annotated[
    str,
    StringConstraints(strip_whitespace=True, pattern=r"^[A-Za-z0-9][A-Za-z0-9-]{0,39}$"),
    AfterValidator(str.upper),
]
"""The id of a row; ids compare without regard to case."""
FreeText = Annotated[str, BeforeValidator(_without_invisible)]
"""Text of a user without control, direction and other invisible characters; its length is counted without them."""
PRICE_KRW_MAX: Final = 100_000_000
"""The highest price and amount."""
QUANTITY_MAX: Final = 100
"""The highest quantity of one action."""
PriceKrw = Annotated[int, Field(ge=1, le=PRICE_KRW_MAX), WHOLE]
"""A price or amount in won."""
Quantity = Annotated[int, Field(ge=1, le=QUANTITY_MAX), WHOLE]
"""Pieces of one action."""
