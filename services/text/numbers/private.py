"""Numbers of phones, residents and cards: nobody's amount, date or code."""

from services.text.claims import Claims
from services.text.patterns import Pattern

_PRIVATE = (
    Pattern(r"(?<![0-9])0[0-9]{1,2}-[0-9]{3,4}-[0-9]{4}(?![0-9])"),
    Pattern(r"(?<![0-9])[0-9]{6}-[0-9]{7}(?![0-9])"),
    Pattern(r"(?<![0-9])(?:[0-9]{4}-){3}[0-9]{4}(?![0-9])"),
)


def keep_private_numbers(claims: Claims) -> None:
    """Take the numbers of phones, residents and cards out of everyone's reach."""
    for pattern in _PRIVATE:
        for match in claims.free_matches(pattern):
            claims.take(*match.span())
