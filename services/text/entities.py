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
    """It fits several things: a district name that several cities have."""
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
class Ask:
    """Something that could not be read exactly; it is asked, never guessed (spec 1.6.9)."""

    field: str
    """The field of `Reading` that it would have filled: amounts, dates, areas, quantities, regions or securities."""
    surface: str
    """The words in question."""
    reason: AskReason
    """Why they were not read."""
    start: int
    """Where the words begin."""
    end: int
    """Where they end, exclusive."""


@dataclass(frozen=True, slots=True)
class District:
    """A province, city, county or district of Korea."""

    code: str
    """The first 5 digits of the legal-dong code; 2 digits for a province."""
    name: str
    """Its short full name in Korean: "서울 강남구", "경기 성남시 분당구", "서울"."""
    name_en: str
    """The same in English: "Gangnam-gu, Seoul"."""


@dataclass(frozen=True, slots=True)
class Region:
    """A place named in the text. Ambiguous ones have no code and at least two alternatives."""

    code: str | None
    """The district's code (5 digits, 2 for a province); None when the name fits several."""
    name: str
    """The short full name with its dong where one was named ("서울 송파구 잠실동"); the surface when ambiguous."""
    name_en: str
    """The name in English; the surface when ambiguous."""
    surface: str
    """The words that name it."""
    start: int
    """Where they begin."""
    end: int
    """Where they end, exclusive."""
    alternatives: tuple[District, ...] = ()
    """The districts that the name fits, when it fits several; empty otherwise."""


@dataclass(frozen=True, slots=True)
class Security:
    """A listed company or its share, named by company, alias or ticker."""

    id: str
    """Market and code: "US:AAPL", "KR:005930"."""
    name_ko: str
    """The company's usual name in Korean."""
    name_en: str
    """The company's usual name in English."""
    country: str
    """"US" or "KR"."""
    covered: bool
    """Whether it belongs to the covered universe (spec 1.6.10)."""
    surface: str
    """The words that name it."""
    start: int
    """Where they begin."""
    end: int
    """Where they end, exclusive."""

    @property
    def code(self) -> str:
        """The id without its market: "AAPL", "005930"."""
        return self.id.partition(":")[2]


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
class Code:
    """An order number or a product code, in upper case."""

    value: str
    """The code: "ORD-20261126-0004", "P-1200"."""
    surface: str
    """The code as written."""
    start: int
    """Where it begins."""
    end: int
    """Where it ends, exclusive."""


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
