"""What can be read in a question: one frozen dataclass a kind, each with the words it was read from.

`start` and `end` count code points of the normalised text, `end` exclusive; `surface` is that slice.
"""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum


class AskReason(StrEnum):
    """Why something was not read and has to be asked."""

    AMBIGUOUS = "ambiguous"
    """It fits several things: a name that several bear."""
    NO_UNIT = "no_unit"
    """A bare number whose unit is anyone's guess ("5천")."""
    VAGUE = "vague"
    """It names no figure or day ("수천만 원", "조만간")."""
    MALFORMED = "malformed"
    """Written in a way that no number or date is ("3,000,00원")."""
    IMPOSSIBLE = "impossible"
    """There is no such day, month, quarter or code ("6월 31일")."""
    NEGATIVE = "negative"
    """Below zero where that has no meaning."""
    NOT_A_NUMBER = "not_a_number"
    """NaN, infinity."""
    FOREIGN_DIGITS = "foreign_digits"
    """Arabic-Indic, superscript or other digits than 0 to 9."""
    TOO_LARGE = "too_large"
    """Beyond any figure that the field can hold."""
    FOREIGN_CURRENCY = "foreign_currency"
    """Money in another currency than won."""


@dataclass(frozen=True, slots=True)
class Unclear:
    """Something that could not be read exactly; it is asked, never guessed."""

    field: str
    """What it would have been: amounts, dates, areas, quantities, or the id of a domain's kind."""
    surface: str
    """The words in question."""
    reason: AskReason
    """Why they were not read."""
    start: int
    """Where the words begin."""
    end: int
    """Where they end, exclusive."""


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount of money in won, exact or a range; both bounds are inclusive."""

    low: int
    """The least amount in KRW; equal to `high` for an exact amount, 0 when only the upper end was named."""
    high: int | None
    """The greatest amount in KRW; None when it is open."""
    named: tuple[int, ...]
    """The figures in KRW as they were said: "30만원 이하" names 300_000, "6~8억" names two."""
    approximate: bool
    """Whether the words say about (정도, 안팎, around)."""
    per: str | None
    """"m2" or "pyeong" when the amount is a price for one ㎡ or 평; None otherwise."""
    surface: str
    """The words read."""
    start: int
    """Where they begin."""
    end: int
    """Where they end, exclusive."""

    @property
    def is_exact(self) -> bool:
        """Whether it is one figure and no range."""
        return self.low == self.high


@dataclass(frozen=True, slots=True)
class Period:
    """Days in the user's time zone, both ends inclusive."""

    start: date
    """The first day."""
    end: date
    """The last day; equal to `start` for one day."""
    surface: str
    """The words read."""
    start_at: int
    """Where the words begin."""
    end_at: int
    """Where they end, exclusive."""


@dataclass(frozen=True, slots=True)
class Area:
    """A floor area in square metres, exact or a range; both bounds are inclusive and None is open."""

    low_m2: Decimal | None
    """The least area in ㎡; equal to `high_m2` for an exact one. A 평 is 400/121 ㎡."""
    high_m2: Decimal | None
    """The greatest area in ㎡."""
    surface: str
    """The words read."""
    start: int
    """Where they begin."""
    end: int
    """Where they end, exclusive."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number of pieces that a person wants to buy, put in the cart or take out of it."""

    value: int
    """How many, 1 or more."""
    unit: str
    """The counter as written ("개", "켤레", "units"); empty when there is none."""
    surface: str
    """The words read."""
    start: int
    """Where they begin."""
    end: int
    """Where they end, exclusive."""


@dataclass(frozen=True, slots=True)
class Country:
    """A country or bloc named in the text."""

    code: str
    """ISO 3166 alpha-2, or "EU" for the euro area: "US", "KR", "CN"."""
    surface: str
    """The words that name it."""
    start: int
    """Where they begin."""
    end: int
    """Where they end, exclusive."""
