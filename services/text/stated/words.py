"""Figures that a statement writes without plain digits: in words, as parts of a whole, in other forms, by size alone.

    열두만 원 · 백이십 · twelve hundred      counted in words, with or without a unit
    절반 · 3분의 1 · ½ · half · two-thirds   a part: a ratio
    두 배 · 갑절 · twofold · doubled          a multiple: a ratio
    5e14 · 5×10¹⁴ · Ⅻ · 十二                other forms of digits
    수십 퍼센트 · 두 자릿수 · dozens of       a size that no number supports: UNREADABLE

Korean words are told apart by their parts of speech, not by lists: a numeral is what the grammar takes for one. Words
that count the sentence's own things ("두 가지", "one of them") state nothing.
"""

import re
import unicodedata
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from services.text.hints import Hints
from services.text.ko.morphemes import Morpheme, morphemes
from services.text.numbers.numerals import (
    ENGLISH_NUMBERS,
    NATIVE_NUMBERS,
    english_words_value,
    korean_value,
    scan_korean,
)
from services.text.patterns import Pattern
from services.text.stated.articles import NUMBER_WORDS, articles
from services.text.stated.figures import StatedFigure, figures, stated_at
from services.text.stated.units import FigureUnit, unit_after

_EXPONENT_MAX: Final = 30
HINTS_KO: Final = Hints(
    (
        *(f"제{digit}" for digit in "이삼사오육칠팔구십백"),
        *(f"{digit}{place}" for digit in "일이삼사오육칠팔구" for place in "십백천만억조"),
        *("십여", "백여", "천여", "여섯", "예닐곱", "너덧", "반의", "할"),
        *("십만", "백만", "천만", "만원", "억원", "조원", "백원", "천원", "백이", "백삼", "십이", "십오"),
        *(
            "하나",
            "둘",
            "두",
            "셋",
            "세",
            "넷",
            "네",
            "다섯",
            "여섯",
            "일곱",
            "여덟",
            "아홉",
            "열",
            "스물",
            "스무",
            "서른",
        ),
        *(
            "마흔",
            "쉰",
            "예순",
            "일흔",
            "여든",
            "아흔",
            "수십",
            "수백",
            "수천",
            "수만",
            "수억",
            "몇",
            "서너",
            "대여섯",
            "예닐곱",
        ),
        *(
            "절반",
            "반값",
            "반토막",
            "과반",
            "태반",
            "갑절",
            "곱절",
            "곱으로",
            "한두",
            "분의",
            "자릿수",
            "배로",
            "배가",
            "백가",
            "십퍼",
            "단위",
            "퍼센트",
            "달러",
            "구할",
        ),
    )
)
_COUNTS_OWN: Final = frozenset(
    [
        "가지",
        "번",
        "번째",
        "곳",
        "쪽",
        "군데",
        "단계",
        "항목",
        "부분",
        "마디",
        "차례",
        "사람",
        "나라",
        "지역",
        "회사",
        "자료",
        "경우",
        "점",
        "것",
    ]
)
"""What a sentence counts of its own: "두 가지", "두 지역"."""
_PLACES: Final = frozenset("십백천만억조")
_STATED_BY: Final = frozenset(
    (FigureUnit.KRW, FigureUnit.USD, FigureUnit.PERCENT, FigureUnit.PERCENTAGE_POINT, FigureUnit.RATIO)
)
"""Units that nothing but a number stands before."""
_SMALL_COUNT_MAX: Final = 4
_VAGUE_KO: Final = Pattern(r"수(?=[십백천만억])|몇|한두|서너|너댓|대여섯|예닐곱|두어|서넛|여남은")
_PARTS_KO: Final = Pattern(
    r"(?P<of>[0-9]{1,3}|[일이삼사오육칠팔구십백]{1,3})\s?분의\s?(?P<part>[0-9]{1,3}|[일이삼사오육칠팔구십백]{1,3})"
    r"|(?P<half>절반|반값|반\s?토막|과반(?:수)?|태반|반수)|(?P<twice>갑절|곱절|두\s?곱)"
    r"|(?P<digits>(?:열|백|천)에\s?(?:하나|둘|셋|넷|다섯|여섯|일곱|여덟|아홉)|[십백천]여(?=\s?[가-힣])|대여섯|예닐곱|너덧|반의\s?반|[0-9일이삼사오육칠팔구]\s?할(?=[\s이가은는을를의로대쯤에도만,.]|$)(?!\s?(?:수|것|때|일|말|필요|만|듯))|(?:[한두세네]|다섯|여섯|[0-9])\s?자리(?:수|(?=[로가이]?\s|입|[.,!]|$))|(?:[한두세네]|다섯|여섯|[0-9])\s?자릿수)"
)
_PARTS_EN: Final = Pattern(
    r"\b(?:(?P<half>(?<!first\s)(?<!second\s)(?<!latter\s)half(?![\s-]year)|halv(?:e|es|ed|ing))"
    r"|(?P<part>(?:a|an|one|two|three|four|five|[0-9])[\s-](?:third|quarter|fifth|sixth|seventh|eighth|ninth|tenth)s?"
    r"(?!\sof\s(?:20|19)[0-9]{2}))"
    r"|(?P<twice>twice|doubl(?:e[sd]?|ing)(?![\s-](?:check|click|digit))|two-?fold)"
    r"|(?P<thrice>thrice|tripl(?:e[sd]?|ing)|treble[sd]?|three-?fold)"
    r"|(?P<more>quadrupl\w+|quintupl\w+|(?:\w+|[0-9]+)-?fold)"
    r"|(?P<digits>(?:single|double|triple|two|three|four|five|six|[0-9])[\s-]digits?)"
    r"|(?P<dozen>(?:a|one|two|three|half\sa|several|[0-9]+)\s(?:dozen|score)|(?:dozens|scores|tens|hundreds|thousands|millions|billions|trillions)"
    r"\sof)|(?P<vague>(?:a\s)?couple\sof|(?:twen|thir|for|fif|six|seven|eigh|nine)ties|(?:[0-9]+|\w+)\sgrand|(?:a|tiny|small)\sfraction\sof|[0-9]+0s(?=\s|$)|(?:hundreds|thousands)(?!\sof)|(?:six|seven|eight|nine)[\s-](?:tenths|eighths)|(?:a|the|vast)\smajority|(?:full|whole|entire)\s(?:percentage\s)?point|(?:several|a\sfew|many|countless|some)\s(?:dozen|hundred|thousand|million|billion|trillion))"
    r"|(?P<ratio>(?:one|two|three|four|five|six|seven|eight|nine|ten|[0-9]+)\s(?:in|out\sof)\s"
    r"(?:two|three|four|five|six|seven|eight|nine|ten|twenty|[0-9]+)))\b",
    re.IGNORECASE,
)
_WORDS_EN: Final = Pattern(rf"\b(?:{NUMBER_WORDS})(?:(?:[\s-]|\sand\s)(?:{NUMBER_WORDS}))*\b", re.IGNORECASE)
_PLAIN_MAX_EN: Final = 12
"""Up to this an English number word alone counts the sentence's own things."""
_POWER: Final = Pattern(
    r"(?<![0-9A-Za-z_.])(?P<mantissa>[0-9][0-9,]*(?:\.[0-9]+)?)(?:[eE]\s?(?P<e>[+\-]?[0-9]{1,9})(?![0-9A-Za-z])"
    r"|\s?[x×*·]\s?10\s?(?:\^|\*\*)?\s?(?P<power>-?[0-9⁰¹²³⁴⁵⁶⁷⁸⁹⁻]{1,9}))"
)
_OTHER_BASE: Final = Pattern(r"(?<![0-9A-Za-z_])0[xXbBoO][0-9A-Fa-f]+\b")
_OTHER_DIGITS: Final = Pattern(
    "[0-9,.]{0,40}[\u00bc-\u00be\u2150-\u2189\u2460-\u249b\u24ea-\u24ff\u2776-\u2793\u3220-\u3229\u3248-\u324f\u3251-\u325f\u3280-\u3289\u32b1-\u32bf]"
)
_HANJA: Final = dict(
    zip("〇零一二三四五六七八九十百千萬万億亿兆壹貳參拾", "영영일이삼사오육칠팔구십백천만만억억조일이삼십", strict=True)
)
_HANJA_RUN: Final = Pattern(f"[{''.join(_HANJA)}]+")
_ENUMERATES: Final = Pattern(r"(?:^|\n)[ \t>*\-]*$")
_DIGIT: Final = Pattern(r"[0-9]")
_EN_HINT: Final = Pattern(r"[A-Za-z]{3}")
_RATIO_OF: Final = {
    "third": 3,
    "quarter": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
    "ninth": 9,
    "tenth": 10,
}


def all_figures(text: str) -> tuple[StatedFigure, ...]:
    """Return every figure of a composed text, however it is written, in its order; of two at one place the wider."""
    read = figures(text)
    widest: list[StatedFigure] = []
    for one in sorted((*_read(text), *read), key=lambda figure: (figure.start - figure.end, figure.when is None)):
        if not any(one.start < other.end and other.start < one.end for other in widest):
            widest.append(one)
    return tuple(sorted(widest, key=lambda figure: figure.start))


def _read(text: str) -> Iterator[StatedFigure]:
    yield from articles(text)
    if not text.isascii():
        yield from _forms(text)
        if HINTS_KO.stand_in(text):
            yield from _parts_ko(text)
            yield from _numerals_ko(text)
    if _DIGIT.search(text) is not None:
        yield from _powers(text)
        for match in _OTHER_BASE.finditer(text):
            yield stated_at(text, match.span(), Decimal(0), FigureUnit.UNREADABLE)
    if _EN_HINT.search(text) is not None:
        yield from _parts_en(text)
        yield from _numerals_en(text)


def _powers(text: str) -> Iterator[StatedFigure]:
    """Yield numbers with a power of ten; one beyond every amount is unreadable."""
    for match in _POWER.finditer(text):
        exponent = int(unicodedata.normalize("NFKC", match["e"] or match["power"]).replace("\u2212", "-"))
        unit, end = unit_after(text, match.end())
        mantissa = Decimal(match["mantissa"].replace(",", ""))
        is_readable = abs(exponent) <= _EXPONENT_MAX
        value = mantissa.scaleb(exponent) if is_readable else Decimal(0)
        yield stated_at(text, (match.start(), end), value, unit if is_readable else FigureUnit.UNREADABLE)


def _forms(text: str) -> Iterator[StatedFigure]:
    """Yield fractions and encircled numbers of one character, and runs of Chinese numerals."""
    for match in _OTHER_DIGITS.finditer(text):
        sign = match.group()[-1]
        before = match.group()[:-1].replace(",", "")
        unit, end = unit_after(text, match.end())
        is_listed = _ENUMERATES.search(text[: match.start()]) or text[match.end() : match.end() + 1] == " "
        if unit is FigureUnit.NONE and is_listed and not unicodedata.name(sign, "").startswith("VULGAR"):
            # "① 서류를 준비합니다" numbers a list.
            continue
        value = Decimal(str(unicodedata.numeric(sign))) + (Decimal(before) if before.isdigit() else 0)
        yield stated_at(text, (match.start(), end), value, unit, step="0.01")
    for match in re.finditer("(?<![A-Za-z㎡])[⁰¹²³⁴⁵⁶⁷⁸⁹]+", text):
        unit, end = unit_after(text, match.end())
        if unit is not FigureUnit.NONE:
            yield stated_at(text, (match.start(), end), Decimal(unicodedata.normalize("NFKC", match.group())), unit)
    for match in re.finditer("[\u2160-\u2188]+", text):
        unit, end = unit_after(text, match.end())
        values = [unicodedata.numeric(sign) for sign in match.group()]
        yield stated_at(text, (match.start(), end), Decimal(str(sum(values))), unit)
    for match in _HANJA_RUN.finditer(text):
        unit, end = unit_after(text, match.end())
        hangul = "".join(_HANJA[sign] for sign in match.group())
        number = scan_korean(hangul, 0, len(hangul))
        alone = len(match.group()) == 1 and unit is FigureUnit.NONE
        if number is not None and number.end == len(hangul) and not alone:
            yield stated_at(text, (match.start(), end), number.value, unit)


def _parts_ko(text: str) -> Iterator[StatedFigure]:
    for match in _PARTS_KO.finditer(text):
        if "가" <= text[match.start() - 1 : match.start()] <= "힣" and not match["digits"]:
            continue
        if match["digits"]:
            yield stated_at(text, match.span(), Decimal(0), FigureUnit.UNREADABLE)
            continue
        value = Decimal("0.5") if match["half"] else Decimal(2)
        if match["of"]:
            of, part = (_plain_ko(match[name]) for name in ("of", "part"))
            value = part / of if of else Decimal(0)
        yield stated_at(text, match.span(), value, FigureUnit.RATIO, step="0.01")


def _plain_ko(text: str) -> Decimal:
    number = scan_korean(text, 0, len(text))
    return Decimal(0) if number is None else number.value


def _numerals_ko(text: str) -> Iterator[StatedFigure]:
    """Yield the numerals of a Korean text: runs of words that the grammar takes for numbers, with what they count."""
    found = morphemes(text)
    at = 0
    while at < len(found):
        stop = at
        while stop < len(found) and _continues(found, at, stop):
            stop += 1
        if stop > at and not _is_place_of_digits(text, found[at:stop]):
            figure = _counted(text, found[at:stop], found[stop] if stop < len(found) else None)
            if figure is not None:
                yield figure
        at = max(stop, at + 1)


def _is_place_of_digits(text: str, run: tuple[Morpheme, ...]) -> bool:
    """Tell whether a run is the places of a number in digits, "억" of "23억", which is read as that number."""
    before = text[max(run[0].start - 1, 0) : run[0].start].strip() if run[0].start else ""
    return before.isdecimal() and _PLACES.issuperset(text[run[0].start : run[-1].end])


def _continues(found: tuple[Morpheme, ...], first: int, at: int) -> bool:
    one = found[at]
    if one.surface == "점" and first < at < len(found) - 1 and found[at + 1].tags[0] == "NR":
        return True
    if one.tags[0] == "NR":
        return at == first or one.start - found[at - 1].end <= 1
    return at == first and one.tags[0] == "MM" and (one.surface in NATIVE_NUMBERS or bool(_VAGUE_KO.match(one.surface)))


def _counted(text: str, run: tuple[Morpheme, ...], behind: Morpheme | None) -> StatedFigure | None:
    """Return the figure of a run of numerals; None where it counts the sentence's own things, or is no number."""
    start, end = run[0].start, run[-1].end
    surface = text[start:end]
    unit, unit_end = unit_after(text, end)
    if _VAGUE_KO.match(surface):
        counted = behind is not None and behind.surface in _COUNTS_OWN
        return None if counted else stated_at(text, (start, max(end, unit_end)), Decimal(0), FigureUnit.UNREADABLE)
    value = korean_value(surface)
    alone = text[end:].startswith(" 단위")
    if value is None or (alone and _PLACES.issuperset(surface)):
        # Digits read out one by one, or a place alone: "이칠공 달러", "억 단위".
        is_stated = alone or unit in _STATED_BY
        return stated_at(text, (start, max(end, unit_end)), Decimal(0), FigureUnit.UNREADABLE) if is_stated else None
    own = behind is None or behind.surface in _COUNTS_OWN or unit is FigureUnit.NONE
    if value <= _SMALL_COUNT_MAX and own:
        return None
    if unit is FigureUnit.NONE and behind is not None and behind.surface in _COUNTS_OWN:
        return None
    joined = behind is not None and behind.start == end and behind.tags[0].startswith(("NN", "XS", "XR", "VV", "VA"))
    if unit is FigureUnit.NONE and (len(surface) == 1 or joined):
        # One syllable alone, or before another word without a space, is more often a part of a word or name.
        return None
    return stated_at(text, (start, max(end, unit_end)), value, unit)


def _parts_en(text: str) -> Iterator[StatedFigure]:
    for match in _PARTS_EN.finditer(text):
        kind = str(match.lastgroup)
        if kind in {"digits", "dozen", "vague", "ratio", "more"}:
            yield stated_at(text, match.span(), Decimal(0), FigureUnit.UNREADABLE)
            continue
        values = {"half": Decimal("0.5"), "twice": Decimal(2), "thrice": Decimal(3)}
        value = values[kind] if kind in values else _part_en(match.group())
        yield stated_at(text, match.span(), value, FigureUnit.RATIO, step="0.01")


def _part_en(surface: str) -> Decimal:
    count, _, of = surface.lower().replace("-", " ").partition(" ")
    many = 1 if count in {"a", "an"} else ENGLISH_NUMBERS.get(count) or int(count)
    return Decimal(many) / _RATIO_OF[of.removesuffix("s")]


def _numerals_en(text: str) -> Iterator[StatedFigure]:
    for match in _WORDS_EN.finditer(text):
        unit, end = unit_after(text, match.end())
        value = english_words_value(match.group().replace(" and ", " "))
        if value is not None and (unit is not FigureUnit.NONE or value > _PLAIN_MAX_EN):
            yield stated_at(text, (match.start(), max(match.end(), end)), value, unit)
