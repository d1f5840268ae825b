"""How many pieces a message changes what stands to. Pure."""

import re
from collections.abc import Iterator
from typing import Final

from services.contract.asks import Ask
from services.domains.commerce.asks.acts import parts, places, words
from services.plugin.asks.edits import short
from services.plugin.asks.sheet import Sheet
from services.text.patterns import Pattern

_COUNT_WORDS_MAX: Final = 5
"""A message of more words that says a bare number may count something else."""
_WIDE_WORDS_MAX: Final = 16
"""A longer message speaks of more than how many."""


def count_said(sheet: Sheet, last: Ask) -> str:
    """Return the count that a message changes an order to; "한 개 더" adds to what stands."""
    counts = parts.quantities(sheet)
    bare = re.search(
        r"(?<![A-Za-z\d,.])(?P<n>\d{1,3})\s?(?:으로|로)\s?(?:바꿔|변경|해|할)|make (?:it|that) (?P<en>\w+)",
        sheet.text,
        re.IGNORECASE,
    )
    number = counts[-1][0] if counts else None
    if number is None and (bare is not None or (short(sheet.text, 4) and sheet.says(words.MORE))):
        number = parts.bare_count(sheet)
    if number is None and short(sheet.text, _COUNT_WORDS_MAX):
        number = _only_count(sheet)
    if number is None:
        return ""
    stands = int(last.notes.get("quantity") or 1)
    if not sheet.says(TO_A_COUNT) and sheet.says(r"(?:개|하나|병|대|권)\s?(?:만\s?)?더|\bmore\b|\banother\b|추가"):
        return str(stands + number)
    if not sheet.says(TO_A_COUNT) and sheet.says(_LESS):
        return str(stands - number)
    return str(number)


TO_A_COUNT: Final = (
    r"(?:개|대|병|권|켤레|하나|둘|셋)\s?(?:으로|로)(?=\s|[.!~요]|$)|\b(?:to|make (?:it|that)|total of) \w+"
)
"""A count that an order is changed to, whatever is added for it."""


def _only_count(sheet: Sheet) -> int | None:
    """Return the number of a short message that says one and nothing of what it counts: "then just 10"."""
    if sheet.says(words.POINTS_WORD):
        return None
    found = [one for one in sheet.numbers if not one.unit and not one.bound and one.value == int(one.value)]
    return int(found[0].value) if len(found) == 1 and len(sheet.numbers) == 1 and found[0].value >= 1 else None


def wide_count(sheet: Sheet, last: Ask) -> str:
    """Return the count that a message says of an order that stands, in whatever words: "five is overkill, three will do".

    A number of an address, of money, of a time, of points or of a coupon counts no pieces.
    """
    count, more = _wide(sheet)
    if not count:
        return ""
    stands = int(last.notes.get("quantity") or 1)
    if sheet.says(_LESS) and not sheet.says(TO_A_COUNT):
        return str(stands - count)
    return str(count + (stands if more else 0))


def more_said(sheet: Sheet) -> str:
    """Return how many pieces a message says that are to come to those that there are: "하나 더", "another one"."""
    count, more = _wide(sheet)
    return str(count) if count and more else ""


def _wide(sheet: Sheet) -> tuple[int, bool]:
    """Return the count that a message says, 0 for none, and whether it comes to what there is."""
    if words.asks_something(sheet) or not short(sheet.text, _WIDE_WORDS_MAX):
        return 0, False
    text = _of_pieces(sheet)
    read = (_NUMBERS.get(match[match.lastgroup or 0].lower().lstrip("0"), 0) for match in _COUNTED.finditer(text))
    found = [number for number in read if number]
    adds = re.search(_ADDS, text, re.IGNORECASE) is not None and not sheet.says(TO_A_COUNT)
    return (found[-1], adds) if found else (0, False)


_NATIVE: Final = ("하나", "둘", "셋", "넷", "다섯", "여섯", "일곱", "여덟", "아홉", "열")
_COUNTING: Final = ("한", "두", "세", "네")
_ENGLISH: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBERS: Final = {
    **{str(number): number for number in range(1, 100)},
    **{word: number for said in (_NATIVE, _COUNTING, _ENGLISH) for number, word in enumerate(said, start=1)},
}
_PIECE: Final = r"(?:개|대|병|권|켤레|벌|통|세트|자루)"
_END_KO: Final = r"(?:만|이면|면|로|으로|씩|는|은|를|을|이|도|쯤)?요?(?=[\s.,!~]|더|필요|$)"
_COUNTED: Final = Pattern(
    rf"(?<![가-힣A-Za-z0-9.,-])(?P<digits>\d{{1,2}})\s?{_PIECE}?{_END_KO}"
    rf"|(?<![가-힣])(?P<native>{'|'.join(_NATIVE)})\s?{_PIECE}?{_END_KO}"
    rf"|(?<![가-힣])(?P<counting>{'|'.join(_COUNTING)})\s?{_PIECE}{_END_KO}"
    rf"|\b(?P<english>{'|'.join(_ENGLISH[1:])}|(?:(?<=just )|(?<=just the )|(?<=only )|(?<=to )|(?<=another ))one|one(?= (?:more|less|fewer|will|is|would|should)))\b",
    re.IGNORECASE,
)
_LESS: Final = rf"(?:하나|둘|셋|{_PIECE})\s?(?:만\s?)?(?:덜|줄여|줄일|빼)|\b(?:one|two|three|four|five|\d{{1,2}}) (?:less|fewer)\b|\bby (?:one|two|three|\d{{1,2}}) (?:less|fewer)"
"""So many pieces less than what stands."""
_ADDS: Final = r"더(?!라|니)|추가|\bmore\b|\banother\b|\bextra\b|\badd\b"
_PIECES_MAX: Final = 100
_NO_PIECES: Final = (
    rf"(?:{words.POINTS_WORD}|{words.COUPON_WORD}).{{0,12}}|(?:첫|두|세|네)\s?번째|\d+\s?번|(?:한|두|세)\s?(?:번|달|주|시간|명)"
    r"|하나도|\bone of\b|\bthat one\b|\bof (?:the )?(?:two|three|four)\b|\bthe (?:two|three|four) (?:[\w-]+ )?ones\b"
)


def _of_pieces(sheet: Sheet) -> str:
    """Return the text of a message with blanks for the numbers that count no pieces."""
    marks = list(sheet.text)
    for start, end in _others(sheet):
        marks[start:end] = " " * (end - start)
    return "".join(marks)


def _others(sheet: Sheet) -> Iterator[tuple[int, int]]:
    """Yield where numbers stand that are of something else than pieces."""
    written = places.address(sheet)
    if (start := sheet.text.find(written)) >= 0 and written:
        yield start, start + len(written)
    yield from (
        (one.start, one.end) for one in sheet.numbers if one.unit not in {"", "count"} or one.value >= _PIECES_MAX
    )
    yield from (match.span() for match in parts.CODE.finditer(sheet.text))
    yield from (match.span() for match in parts.ASIDE.finditer(sheet.text))
    yield from (match.span() for match in re.finditer(_NO_PIECES, sheet.text, re.IGNORECASE))
