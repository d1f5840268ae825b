"""Money in won: exact figures, ranges and bounds. What is not exact is asked.

`money.py` finds single figures; here neighbouring figures and words make ranges and bounds of them.
"""

import re
from dataclasses import replace

from services.text.claims import Claims
from services.text.entities import Amount, AskReason
from services.text.near import just_before
from services.text.numbers.money import MoneyFigure, find_figures, note_unreadable_money
from services.text.numbers.numerals import match_digits, parse_digits
from services.text.patterns import Pattern

AMOUNT_KRW_MAX = 10**16 - 1
"""The greatest amount that is read; beyond it the user is asked."""

_APPROXIMATE_AFTER = Pattern(r"\s*(?:정도|쯤|가량|안팎|내외|언저리|전후|선(?=[에으이 ]|$)|or so)")
_APPROXIMATE_BEFORE = Pattern(r"(?:약|대략|한|얼추|about|around|roughly|approximately|some)\s*$", re.IGNORECASE)
_AT_MOST_AFTER = Pattern(
    r"\s*(?:으로|에서)?\s*(?:이하|이내|까지|안쪽|안으로|안에서|아래|or less|or below|at most|or under|max(?:imum)?\b)"
)
_BELOW_AFTER = Pattern(r"\s*(?:미만|밑(?:으로|에서)?|보다\s*(?:싼|적은|낮은|저렴한|아래))")
_AT_LEAST_AFTER = Pattern(r"\s*(?:이상|부터|or more|or above|or over|at least|min(?:imum)?\b|and up)")
_ABOVE_AFTER = Pattern(r"\s*(?:초과|을?\s*넘(?:는|게|으면|어)|보다\s*(?:비싼|많은|높은|위))")
_AT_MOST_BEFORE = Pattern(
    r"(?:최대|최고|많아도|비싸도|up to|at most|no more than|within|maximum(?: of)?)\s*$", re.IGNORECASE
)
_BELOW_BEFORE = Pattern(r"(?:under|below|less than|cheaper than|lower than)\s*$", re.IGNORECASE)
_AT_LEAST_BEFORE = Pattern(r"(?:최소|최저|적어도|못해도|at least|no less than|minimum(?: of)?)\s*$", re.IGNORECASE)
_ABOVE_BEFORE = Pattern(r"(?:over|above|more than|exceeding)\s*$", re.IGNORECASE)
_BAND_AFTER = Pattern(r"대(?![출표략상신학기형])")
_RANGE_JOINT = Pattern(r"\s*(?:[~-]|에서|부터|to|and|–)\s*", re.IGNORECASE)
_BARE_LEFT = Pattern(
    r"(?P<number>[0-9][0-9,.]{0,40})\s*(?P<unit>[십백천]?|thousand|million|billion|k|m)\s*(?:[~-]|에서|내지|to|and)\s*$",
    re.IGNORECASE,
)
_BETWEEN_BEFORE = Pattern(r"between\s*$", re.IGNORECASE)
_WAVE_AFTER = Pattern(r"\s?~(?!\s?[0-9일이삼사오육칠팔구])")
_WAVE_BEFORE = Pattern(r"(?:^|[\s(])~\s?$")
_BETWEEN_AFTER = Pattern(r"\s*(?:사이|정도|까지|쯤)")
_PER = Pattern(r"(?P<unit>평|㎡|제곱미터)\s*당\s*$")


def read_amounts(claims: Claims) -> tuple[Amount, ...]:
    """Read the amounts of money in the order of the text; ask about the ones that are not exact."""
    note_unreadable_money(claims)
    figures = [figure for figure in find_figures(claims) if _is_possible(claims, figure)]
    amounts: list[Amount] = []
    position = 0
    while position < len(figures):
        amount, used = _read_at(claims, figures, position)
        claims.take(amount.start, amount.end)
        amounts.append(amount)
        position += used
    return tuple(_join_bounds(claims.text, amounts))


def _is_possible(claims: Claims, figure: MoneyFigure) -> bool:
    if figure.value <= AMOUNT_KRW_MAX:
        return True
    claims.ask("amounts", AskReason.TOO_LARGE, figure.start, figure.end)
    return False


def _read_at(claims: Claims, figures: list[MoneyFigure], position: int) -> tuple[Amount, int]:
    """Read one amount that begins with the figure at `position`; return it and how many figures it used."""
    figure = figures[position]
    following = figures[position + 1] if position + 1 < len(figures) else None
    if following and _are_range(claims.text, figure, following):
        return _range(claims, figure.value, following, figure.start), 2
    left = _bare_left(claims, figure)
    if left:
        return _range(claims, left[0], figure, left[1]), 1
    return _bounded(claims, figure), 1


def _are_range(text: str, left: MoneyFigure, right: MoneyFigure) -> bool:
    joint = _RANGE_JOINT.fullmatch(text, left.end, right.start)
    if joint is None or left.value >= right.value:
        return False
    word = joint.group().strip().lower()
    if word == "and":
        return just_before(_BETWEEN_BEFORE, text, left.start) is not None
    return not (word == "부터" and not re.match(r"\s*까지", text[right.end :]))


def _bare_left(claims: Claims, figure: MoneyFigure) -> tuple[int, int] | None:
    """Read the number before "~8억" that shares its unit; return its value in KRW and where it begins."""
    match = just_before(_BARE_LEFT, claims.text, figure.start)
    if match is None or not claims.is_free(match.start("number"), figure.start):
        return None
    digits = match_digits(claims.text, match.start("number"))
    if digits is None or digits.end() != match.end("number"):
        return None
    multiplier = figure.chain
    if match.group("unit"):
        multiplier = _left_multiplier(match["unit"].lower(), figure)
    value = int(parse_digits(digits.group()) * multiplier)
    return (value, match.start("number")) if value < figure.value else None


def _left_multiplier(unit: str, figure: MoneyFigure) -> int:
    """Return what the unit of the left end is worth: "5천~7천만" lends it the 만 of the right end."""
    korean = {"십": 10, "백": 100, "천": 1_000}
    english = {"thousand": 10**3, "k": 10**3, "million": 10**6, "m": 10**6, "billion": 10**9}
    return figure.last_big * korean[unit] if unit in korean else english[unit]


def _range(claims: Claims, low: int, upper: MoneyFigure, start: int) -> Amount:
    """Make the range up to a figure; one that ends in a band ("3~4억대") reaches to that band's end."""
    band = _BAND_AFTER.match(claims.text, upper.end)
    end = band.end() if band else upper.end
    after = _BETWEEN_AFTER.match(claims.text, end)
    end = after.end() if after else end
    return Amount(
        low=low,
        high=upper.value + _band_width(upper.value) - 1 if band else upper.value,
        named=(low, upper.value),
        approximate=False,
        per=_per(claims.text, start),
        surface=claims.text[start:end],
        start=start,
        end=end,
    )


def _bounded(claims: Claims, figure: MoneyFigure) -> Amount:
    """Read what the words beside one figure make of it: a band, a bound, or an amount that is about so much."""
    text, value, end = claims.text, figure.value, figure.end
    band = _BAND_AFTER.match(text, end)
    low, high = value, value
    if band:
        low, high, end = value, value + _band_width(value) - 1, band.end()
    about = _APPROXIMATE_AFTER.match(text, end)
    if about:
        end = about.end()
    low_bound, high_bound, end = _bound(text, figure.start, end, low, high)
    if (low_bound, high_bound) == (value, value):
        low_bound, high_bound, end = _open_wave(text, figure.start, end, value)
    return Amount(
        low=low_bound,
        high=high_bound,
        named=(value,),
        approximate=about is not None or just_before(_APPROXIMATE_BEFORE, text, figure.start) is not None,
        per=_per(text, figure.start),
        surface=text[figure.start : end],
        start=figure.start,
        end=end,
    )


def _bound(text: str, start: int, end: int, low: int, high: int) -> tuple[int, int | None, int]:
    """Apply the bound words behind or before a figure; return the bounds and where the words behind end."""
    for after, ahead, bounds in (
        (_AT_MOST_AFTER, _AT_MOST_BEFORE, (0, high)),
        (_BELOW_AFTER, _BELOW_BEFORE, (0, max(low - 1, 0))),
        (_AT_LEAST_AFTER, _AT_LEAST_BEFORE, (low, None)),
        (_ABOVE_AFTER, _ABOVE_BEFORE, (high + 1, None)),
    ):
        match = after.match(text, end)
        if match:
            return bounds[0], bounds[1], match.end()
        if just_before(ahead, text, start):
            return bounds[0], bounds[1], end
    return low, high, end


def _open_wave(text: str, start: int, end: int, value: int) -> tuple[int, int | None, int]:
    """Read a wave with one end: "~3억" is up to 3억, "2억~" from 2억 on."""
    if (wave := _WAVE_AFTER.match(text, end)) is not None:
        return value, None, wave.end()
    if just_before(_WAVE_BEFORE, text, start) is not None:
        return 0, value, end
    return value, value, end


def _band_width(value: int) -> int:
    """Return how wide "대" makes a figure: as wide as its last named digit (60만원대 is 100,000 wide)."""
    width = 1
    while value and value % (width * 10) == 0:
        width *= 10
    return width


def _per(text: str, start: int) -> str | None:
    match = just_before(_PER, text, start)
    if match is None:
        return None
    return "pyeong" if match.group("unit") == "평" else "m2"


def _join_bounds(text: str, amounts: list[Amount]) -> list[Amount]:
    """Join a lower bound and the upper bound right behind it: "3억 초과 5억 이하" is one range."""
    joined: list[Amount] = []
    for amount in amounts:
        previous = joined[-1] if joined else None
        if (
            previous is not None
            and previous.high is None
            and amount.low == 0
            and amount.high is not None
            and previous.low <= amount.high
            and text[previous.end : amount.start].strip(" ,~에서") in {"", "and"}
        ):
            joined[-1] = replace(
                previous,
                high=amount.high,
                named=previous.named + amount.named,
                surface=text[previous.start : amount.end],
                end=amount.end,
            )
        else:
            joined.append(amount)
    return joined
