"""The figures of a statement, Korean or English, and whether a known value supports one.

`amounts.py` and its neighbours read what a question asks for; here a finished sentence is read, so that every number in
it can be held against the rows that it rests on. Values are compared with their units and with the
rounding that the text shows, never as strings: 4.1% is supported by 4.12 and not by 4.16.
"""

import functools
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from services.text.marks import MARK
from services.text.near import just_before
from services.text.numbers.numerals import MalformedNumberError, english_words_value, match_digits, scan_korean
from services.text.patterns import Pattern
from services.text.stated.dates import When, named_dates
from services.text.stated.units import FigureUnit, places_of, scale_after, step_of, unit_after


@dataclass(frozen=True, slots=True)
class StatedFigure:
    """One figure of a text."""

    value: Decimal
    """The number, with its sign where one is written; 0 for a date."""
    unit: FigureUnit
    """What it counts."""
    step: Decimal
    """The value of one in its last written place: 0.1 for "4.1", 10,000 for "12억 3,400만"."""
    signed: bool
    """Whether a plus or minus is written."""
    surface: str
    """The words and digits as they stand in the text."""
    start: int
    """Where it begins, in code points of the composed (NFC) text."""
    end: int
    """Where it ends, exclusive."""
    when: When | None = None
    """The date; None for other figures."""


@dataclass(frozen=True, slots=True)
class Known:
    """A value that may stand in a text, with its unit."""

    value: Decimal
    """The exact value."""
    unit: FigureUnit = FigureUnit.NONE
    """Its unit; NONE where the source does not say."""


_READ_MAX = 1024
"""How many texts are kept read: a check reads a sentence, and the labels that it is held against, again and again."""
_SIGN_BEFORE = Pattern(
    r"(?:(?<![0-9A-Za-z가-힣%\])])(?P<minus>-)|(?P<plus>\+)|(?P<word>마이너스\s|minus\s))\s?$", re.IGNORECASE
)
_CURRENCY_BEFORE = Pattern(r"(?:(?P<krw>₩|KRW)|(?P<usd>(?:US)?\$|USD))\s?(?P<minus>-)?$", re.IGNORECASE)
_ENUMERATION = Pattern(r"^[ \t>*\-]*\(?[0-9]{1,2}[.)](?=\s|$)", re.MULTILINE)
_ORDINAL = Pattern(r"(?<![0-9A-Za-z.,])[0-9]{1,3}(?:st|nd|rd|th)\b", re.IGNORECASE)
_ARTICLE = Pattern(
    r"제\s?(?P<ko>[0-9]{1,4})\s?조(?:의\s?(?P<ko_branch>[0-9]{1,2}))?(?:\s?제\s?[0-9]{1,2}\s?항)?"
    r"|\bart(?:icle|\.)?\s(?P<en>[0-9]{1,4})(?:-(?P<en_branch>[0-9]{1,2}))?",
    re.IGNORECASE,
)
_DIGIT_START = Pattern(r"(?<![0-9A-Za-z_])(?<![0-9][.,])[0-9]")
_HANGUL_START = Pattern(
    r"(?<![가-힣0-9])(?=[일이삼사오육칠팔구십백천만억조]{1,12}\s?(?:퍼센트|프로(?![가-힣])|%|포인트|달러))[일이삼사오육칠팔구십백천만억조]"
    r"|(?<![가-힣0-9])(?=[일이삼사오육칠팔구]?[십백천만억조][일이삼사오육칠팔구십백천만억조\s]{0,16}원)[일이삼사오육칠팔구십백천만억조]"
)
_NUMBER_WORD = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen"
    "|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion|trillion"
)
_ENGLISH_WORDS = Pattern(rf"\b(?:{_NUMBER_WORD})(?:[\s-](?:{_NUMBER_WORD}|and\s(?:{_NUMBER_WORD})))*\b", re.IGNORECASE)
_RANGE_JOINT = Pattern(r"\s?(?:~|-|에서|to|and)\s?", re.IGNORECASE)
FIGURE_WORDS_KO = ("퍼센트", "프로", "포인트", "달러", "원", "월")
"""A Korean text without digits and without "%" holds one of these where it has a figure."""
_HINT = Pattern("|".join(("[0-9%]", *FIGURE_WORDS_KO)))
_HINT_EN = Pattern(
    rf"{_NUMBER_WORD}|quarter|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec",
    re.IGNORECASE,
)
"""Each figure holds one of these; most sentences hold none, which is quickly told."""
_LETTERS = Pattern(r"[A-Za-z]{3}")
_WHOLE_SYLLABLES = Pattern(r"[ -~\n가-힣]*")
"""A text of these alone is folded already."""
_FOLDED_SIGNS = str.maketrans(
    {"−": "-", "‐": "-", "‑": "-", "–": "-", "∼": "~", "〜": "~", "～": "~", "￦": "₩", "％": "%"}
)
_CONVERSIONS = {
    (FigureUnit.PERCENT, FigureUnit.RATIO): Decimal(100),
    (FigureUnit.BASIS_POINT, FigureUnit.PERCENTAGE_POINT): Decimal(100),
    (FigureUnit.PERCENTAGE_POINT, FigureUnit.BASIS_POINT): Decimal("0.01"),
}
_SAME = ({FigureUnit.COUNT, FigureUnit.PERSONS}, {FigureUnit.INDEX, FigureUnit.SCORE})
_MONEY = {FigureUnit.KRW, FigureUnit.USD}
_MONEY_APART_MAX = Decimal("0.05")
"""A sum may be rounded by so much of it: "3백 달러" is not 262, whatever its last place is worth."""
_COUNTED = {FigureUnit.KRW, FigureUnit.USD, FigureUnit.COUNT, FigureUnit.PERSONS}


@functools.lru_cache(maxsize=_READ_MAX)
def figures(text: str) -> tuple[StatedFigure, ...]:
    """Return the figures and dates of a text, in its order.

    The number of a list item ("1.", "2)"), a citation mark ("[3]"), an ordinal ("3rd") and digits inside a Latin word
    ("M2") are no figures.
    """
    plain = _folded(text)
    if _HINT.search(plain) is None and (_LETTERS.search(plain) is None or _HINT_EN.search(plain) is None):
        return ()
    taken = bytearray(len(plain))
    for pattern in (_ENUMERATION, MARK):
        for match in pattern.finditer(plain):
            _take(taken, *match.span())
    found = [*_dates(plain, taken), *_articles(plain, taken)]
    for match in _ORDINAL.finditer(plain):
        _take(taken, *match.span())
    for reader in (_in_digits, _in_hangul, _in_english_words):
        found.extend(reader(plain, taken))
    return tuple(_with_ranges(plain, sorted(found, key=lambda figure: figure.start)))


def supports(known: Known, figure: StatedFigure, *, falling: bool = False) -> bool:
    """Tell whether a value supports a figure; `falling` says that the words call a fall by its size."""
    value = _in_unit(known, figure.unit)
    if value is None:
        return False
    if falling and not figure.signed and value < 0:
        value = -value
    apart = abs(value - figure.value)
    rounded = figure.unit in _MONEY and apart > _MONEY_APART_MAX * abs(value)
    return apart * 2 <= figure.step and not rounded


def may_support(known: Known, figure: StatedFigure) -> bool:
    """Tell whether a value supports a figure if no sign is minded."""
    value = _in_unit(known, figure.unit)
    return value is not None and abs(abs(value) - abs(figure.value)) * 2 <= figure.step


def _in_unit(known: Known, unit: FigureUnit) -> Decimal | None:
    if unit is FigureUnit.UNREADABLE:
        return None
    if unit is known.unit or FigureUnit.NONE in {unit, known.unit} or any({unit, known.unit} <= same for same in _SAME):
        return known.value
    factor = _CONVERSIONS.get((unit, known.unit))
    return known.value * factor if factor is not None else None


def _folded(text: str) -> str:
    """Return the composed text with plain digits and signs, one character for each."""
    composed = unicodedata.normalize("NFC", text).translate(_FOLDED_SIGNS)
    if _WHOLE_SYLLABLES.fullmatch(composed) is not None:
        return composed
    return "".join(_plain(character) for character in composed)


def _plain(character: str) -> str:
    if character.isdecimal():
        return str(unicodedata.decimal(character))
    if character.isspace() and character != "\n":
        return " "
    narrow = unicodedata.normalize("NFKC", character) if "\uff01" <= character <= "\uff5e" else character
    return narrow if len(narrow) == 1 else character


def _take(taken: bytearray, start: int, end: int) -> None:
    taken[start:end] = b"\x01" * (end - start)


def _dates(text: str, taken: bytearray) -> Iterator[StatedFigure]:
    for named in named_dates(text):
        if not any(taken[named.start : named.end]):
            _take(taken, named.start, named.end)
            figure = _unsigned(text, (named.start, named.end), Decimal(0), FigureUnit.DATE)
            yield replace(figure, when=named.when)


def _articles(text: str, taken: bytearray) -> Iterator[StatedFigure]:
    for match in _ARTICLE.finditer(text):
        if any(taken[match.start() : match.end()]):
            continue
        _take(taken, *match.span())
        branch = int(match["ko_branch"] or match["en_branch"] or 0)
        value = Decimal(match["ko"] or match["en"]) + Decimal(branch) / 1000
        yield replace(_unsigned(text, match.span(), value, FigureUnit.ARTICLE), step=Decimal("0.001"))


def _unsigned(text: str, span: tuple[int, int], value: Decimal, unit: FigureUnit) -> StatedFigure:
    start, end = span
    return StatedFigure(value, unit, Decimal(1), signed=False, surface=text[start:end], start=start, end=end)


def _in_digits(text: str, taken: bytearray) -> Iterator[StatedFigure]:
    for match in _DIGIT_START.finditer(text):
        if not taken[match.start()]:
            figure = _numeral(text, match.start())
            _take(taken, figure.start, figure.end)
            yield figure


def _in_hangul(text: str, taken: bytearray) -> Iterator[StatedFigure]:
    for match in _HANGUL_START.finditer(text):
        if not taken[match.start()]:
            figure = _numeral(text, match.start())
            _take(taken, figure.start, figure.end)
            yield figure


def _in_english_words(text: str, taken: bytearray) -> Iterator[StatedFigure]:
    for match in _ENGLISH_WORDS.finditer(text):
        unit, end = unit_after(text, match.end())
        value = english_words_value(match.group())
        if unit is FigureUnit.NONE or value is None or any(taken[match.start() : match.end()]):
            continue
        _take(taken, match.start(), end)
        yield _unsigned(text, (match.start(), end), value, unit)


def _numeral(text: str, at: int) -> StatedFigure:
    """Read the number that begins at `at`, with its scale, unit and sign."""
    try:
        number = scan_korean(text, at, len(text))
    except MalformedNumberError:
        digits = match_digits(text, at)
        end = digits.end() if digits else at + 1
        return _unsigned(text, (at, end), Decimal(0), FigureUnit.UNREADABLE)
    if number is None:
        raise AssertionError("a numeral begins with a digit")
    value, end = number.value, _without_gap(text, number.start, number.end)
    unit, unit_end = unit_after(text, end)
    if number.tail and number.last_big > 1 and text[number.tail_at] == " " and unit not in _COUNTED:
        value, end = value - number.tail, _without_gap(text, at, number.tail_at)
        unit, unit_end = FigureUnit.NONE, end
    return _placed(text, (at, end), value, (unit, unit_end))


def _placed(text: str, span: tuple[int, int], value: Decimal, unit_there: tuple[FigureUnit, int]) -> StatedFigure:
    """Give a number what stands around it: currency sign, English scale, sign."""
    (at, end), (unit, unit_end) = span, unit_there
    step = step_of(text[at:end])
    currency = just_before(_CURRENCY_BEFORE, text, at)
    size, scale_end = scale_after(text, end, abbreviated=currency is not None)
    if size > 1:
        value, step = value * size, step * size
        unit, unit_end = unit_after(text, scale_end)
    start = at
    if currency:
        start = currency.start()
        unit = FigureUnit.KRW if currency["krw"] else FigureUnit.USD
    sign = just_before(_SIGN_BEFORE, text, start)
    if sign:
        start = sign.start()
    if (sign and not sign["plus"]) or (currency and currency["minus"]):
        value = -value
    signed = bool(sign) or bool(currency and currency["minus"])
    return StatedFigure(value, unit, step, signed=signed, surface=text[start:unit_end], start=start, end=unit_end)


def _without_gap(text: str, start: int, end: int) -> int:
    while end > start + 1 and text[end - 1] == " ":
        end -= 1
    return end


def _with_ranges(text: str, found: list[StatedFigure]) -> Iterator[StatedFigure]:
    """Give the left end of a range what it shares with its right one: "3.5~3.75%", "2~3억원"."""
    for position, figure in enumerate(found):
        following = found[position + 1] if position + 1 < len(found) else None
        joined = following and _RANGE_JOINT.fullmatch(text, figure.end, following.start)
        if following is None or not joined or figure.unit is not FigureUnit.NONE or following.unit is FigureUnit.DATE:
            yield figure
            continue
        size = places_of(following.surface.removesuffix("원").rstrip())
        scaled = figure.step <= 1 and size > 1 and figure.value < following.value
        yield replace(
            figure,
            unit=following.unit,
            value=figure.value * size if scaled else figure.value,
            step=figure.step * size if scaled else figure.step,
        )


def stated_at(text: str, span: tuple[int, int], value: Decimal, unit: FigureUnit, step: str = "1") -> StatedFigure:
    """Return an unsigned figure that stands at a place of a text."""
    start, end = span
    return StatedFigure(value, unit, Decimal(step), signed=False, surface=text[start:end], start=start, end=end)
