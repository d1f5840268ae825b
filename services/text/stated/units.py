"""What the words and signs behind a number say that it counts, and how large one in its last written place is."""

import re
from decimal import Decimal
from enum import StrEnum

from services.text.patterns import Pattern


class FigureUnit(StrEnum):
    """What a figure counts; the names are those of a metric's unit where a metric has it."""

    NONE = ""
    """Nothing is said: the figure may be of any unit."""
    PERCENT = "percent"
    PERCENTAGE_POINT = "percentage_point"
    BASIS_POINT = "basis_point"
    KRW = "krw"
    USD = "usd"
    INDEX = "index"
    RATIO = "ratio"
    COUNT = "count"
    PERSONS = "persons"
    DAYS = "days"
    WEEKS = "weeks"
    MONTHS = "months"
    YEARS = "years"
    HOURS = "hours"
    M2 = "m2"
    PYEONG = "pyeong"
    SCORE = "score"
    ARTICLE = "article"
    """An article of law; the value of article 7-2 is 7.002."""
    DATE = "date"
    """A day or period; `when` holds it."""
    UNREADABLE = "unreadable"
    """Digits that write no number, such as 5,0000 or 1.2.3; nothing supports them."""


_UNITS = tuple(
    (unit, Pattern(pattern, re.IGNORECASE))
    for unit, pattern in (
        (
            FigureUnit.PERCENTAGE_POINT,
            r"\s?(?:%\s?p(?![a-z])|%\s?포인트|퍼센트\s?포인트|percentage[\s-]points?|ppts?\b|pp\b)",
        ),
        (FigureUnit.BASIS_POINT, r"\s?(?:bps?\b|basis[\s-]points?|베이시스\s?포인트)"),
        (FigureUnit.PERCENT, r"\s?(?:%|퍼센트|프로(?![가-힣])|per\s?cent\b)"),
        (FigureUnit.KRW, r"\s?(?:원|won\b|KRW\b)"),
        (FigureUnit.USD, r"\s?(?:달러|불(?![가-힣])|(?:US\s)?dollars?\b|USD\b)"),
        (FigureUnit.M2, r"\s?(?:㎡|m²|제곱미터|sq\.?\s?m\b|square\smet(?:er|re)s?)|m2\b"),
        (FigureUnit.PYEONG, r"\s?(?:평|pyeong\b)"),
        (FigureUnit.WEEKS, r"[\s-]?(?:주(?=간|일|\s|$|[.,)])|weeks?\b)"),
        (FigureUnit.MONTHS, r"[\s-]?(?:개월|달(?!러)|months?\b)"),
        (FigureUnit.DAYS, r"[\s-]?(?:거래일|영업일|일(?![가-힣]*원)|(?:trading\s|business\s)?(?:days?|sessions?)\b)"),
        (FigureUnit.YEARS, r"[\s-]?(?:년|years?\b)"),
        (FigureUnit.HOURS, r"[\s-]?(?:시간|hours?\b)"),
        (FigureUnit.PERSONS, r"\s?(?:명|인(?=[^가-힣]|$)|사람|persons?\b|people\b|jobs?\b)"),
        (FigureUnit.SCORE, r"\s?(?:점|stars?\b|points?\sout\sof)"),
        (FigureUnit.RATIO, r"\s?(?:배|times\b|x\b)"),
        (FigureUnit.INDEX, r"\s?(?:포인트|points?\b|pts?\b)"),
        (
            FigureUnit.COUNT,
            (
                r"\s?(?:개|건|가구|세대|채|곳|종|회|번|대|주|장|권|units?\b|deals?\b|transactions?\b|reviews?\b|items?\b"
                r"|pieces?\b|shares?\b|listings?\b|households?\b|cases?\b|times\b)"
            ),
        ),
    )
)
_ENGLISH_SCALE = Pattern(
    r"\s?(?P<word>thousand|million|billion|trillion)\b|(?P<short>k|mn|m|bn|b|tn|t)\b", re.IGNORECASE
)
_SCALES = {"k": 10**3, "thousand": 10**3, "m": 10**6, "mn": 10**6, "million": 10**6, "b": 10**9, "bn": 10**9}
_SCALES |= {"billion": 10**9, "t": 10**12, "tn": 10**12, "trillion": 10**12}
_PLACES = {"십": 10, "백": 100, "천": 10**3, "만": 10**4, "억": 10**8, "조": 10**12}
_LAST_PART = Pattern(r"(?P<digits>[0-9][0-9,]*(?:\.(?P<fraction>[0-9]+))?)\s?(?P<places>(?:[십백천만억조]\s?)*)$")


def unit_after(text: str, end: int) -> tuple[FigureUnit, int]:
    """Return the unit that is written at `end`, and where it ends; NONE where there is none."""
    for unit, pattern in _UNITS:
        match = pattern.match(text, end)
        if match:
            return unit, match.end()
    return FigureUnit.NONE, end


def scale_after(text: str, end: int, *, abbreviated: bool) -> tuple[int, int]:
    """Return the size of the English scale word at `end`, and where it ends; 1 where there is none.

    Args:
        text: The text.
        end: Where the digits end.
        abbreviated: Whether "k", "m", "bn" may stand for the word, as behind a currency sign.
    """
    match = _ENGLISH_SCALE.match(text, end)
    if match is None or not (match["word"] or abbreviated):
        return 1, end
    return _SCALES[match.group().strip().lower()], match.end()


def places_of(surface: str) -> Decimal:
    """Return what the Korean scale behind the last digits multiplies them by: 10^7 for "3억 5천만"."""
    match = _LAST_PART.search(surface)
    size = Decimal(1)
    for place in (match["places"] if match else "").replace(" ", ""):
        size *= _PLACES[place]
    return size


def step_of(surface: str) -> Decimal:
    """Return what one in the last written place of a number is worth: 0.1 for "4.1", 10^4 for "12억 3,400만"."""
    match = _LAST_PART.search(surface)
    fraction = (match["fraction"] or "") if match else ""
    return Decimal(1).scaleb(-len(fraction)) * places_of(surface)
