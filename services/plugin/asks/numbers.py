"""The numbers of a question, each by itself: its value, its unit, its bound, and the words around it.

`services.text.reading` reads sums, dates and areas as a router needs them, and asks where a unit is missing. What a
number is for is known only beside the words of its domain, so here every number is kept, bare ones too ("월세 120",
"전용 84", "연봉 6천").
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise
from typing import Final

from services.plugin.asks.bounds import BAND, Bound, bound_at
from services.text.near import just_before
from services.text.numbers.numerals import (
    ENGLISH_NUMBERS,
    NATIVE_NUMBERS,
    KoreanNumber,
    MalformedNumberError,
    english_words_value,
    scan_korean,
)
from services.text.patterns import Pattern

_UNITS: Final = (
    ("percentage_point", r"%\s?p\b|%\s?포인트|퍼센트\s?포인트|percentage points?|\bpp\b|\bpct points?"),
    ("percent", r"%|퍼센트|퍼(?![가-힣])|프로(?!젝|그|필)|per\s?cent\b|pct\b"),
    ("krw", r"원(?![가-힣]*룸)(?!/)|(?:korean\s)?won\b|KRW\b"),
    ("usd", r"달러|불(?=에|을|로|이|은|짜리|정도|까지|대|[^가-힣]|$)|(?:us\s)?dollars?\b|USD\b|bucks\b"),
    (
        "m2",
        r"㎡|m2\b|m²|제곱(?:\s?미터|(?!근|수|합|평))|평방\s?미터|헤베|타입(?=[은이의도으짜]|[^가-힣]|$)|sq(?:uare)?\.?\s?m(?:et(?:er|re)s?)?\b|sqm\b",
    ),
    ("pyeong", r"평(?!균|점|가|일|소|택|창)|pyeong\b"),
    ("age", r"살(?!던|고|아|면|만한|려|까|래)|세(?=\s|이고|인|$)|years?\sold\b|-year-old\b"),
    ("years", r"년(?:간|치|동안)?(?!\s?\d{1,2}\s?월)|years?\b|yrs?\b|-year\b"),
    ("months", r"개월(?:간|치)?|달(?!러|빛|래|라|랍|란|랬|고\s)(?:간|치)?|months?\b|-month\b"),
    ("weeks", r"주(?:간|일)?(?!택|식|소|문|인|방|담|세|고\s|면|기로|려|었|셨)|weeks?\b"),
    ("days", r"일(?:간|치)?(?!반|본|부|시|\s?때|\s?경우|까(?!지))|days?\b"),
    ("times", r"배(?!송|당|우|터)|times\b|x\b"),
    ("shares", r"주(?=\s?(?:사|살|샀|있|매|보유|$))|shares?\b"),
    ("ordinal", r"번째|등(?!록|급)|위(?!험|치|약|로|해|한)|st\b|nd\b|rd\b|th\b"),
    (
        "count",
        r"개(?!월|인|포|설)|대(?!출|출|비|구|전|략|금|략)(?=\s|만|로|를|면|씩|$|[은는이가를을의에]|중)|명|곳|채|켤레|자루|박스|세트|pieces?\b|units?\b|items?\b|pairs?\b",
    ),
    ("gb", r"-?GB\b|gigs?\b|기가(?:바이트)?|기가(?=\s|짜리|램)"),
    ("tb", r"TB\b|테라(?:바이트)?"),
    ("inch", r"인치|inch(?:es)?\b|-inch\b|\"|(?<=\d)in\b"),
    ("pixels", r"만?\s?화소|(?:mega)?pixels?\b|mp\b"),
    ("litre", r"리터|L\b|-?lit(?:er|re)s?\b"),
    ("kg", r"kg\b|킬로(?:그램)?(?!미터)"),
    ("gram", r"g\b|그램"),
    ("mm", r"mm\b|밀리(?:미터)?"),
    ("cm", r"-?cm\b|센티(?:미터)?"),
    ("hours", r"시간|hours?\b|hrs?\b"),
    ("rooms", r"룸(?![가-힣])|bed\s?rooms?\b|rooms?\b|-room\b"),
    ("points", r"점(?!심|검|유)|stars?\b|bp\b"),
)
_UNIT: Final = Pattern(r"\s?(?:" + "|".join(f"(?P<{name}>{words})" for name, words in _UNITS) + r")", re.IGNORECASE)
_EN_WORDS: Final = "|".join(
    sorted((*ENGLISH_NUMBERS, "hundred", "thousand", "million", "billion", "half a"), key=len, reverse=True)
)
_ENGLISH: Final = Pattern(
    rf"(?<![A-Za-z])(?:{_EN_WORDS})(?:[\s-](?:and\s)?(?:{_EN_WORDS}))*(?![A-Za-z])", re.IGNORECASE
)
_SCALE: Final = Pattern(
    r"\s?(?P<scale>trillion|billion|million|thousand|grand\b|bn|mn|[kmb](?![a-z0-9²]))", re.IGNORECASE
)
_SCALES: Final = {
    "trillion": 10**12,
    "billion": 10**9,
    "bn": 10**9,
    "b": 10**9,
    "million": 10**6,
    "mn": 10**6,
    "m": 10**6,
    "thousand": 10**3,
    "grand": 10**3,
    "k": 10**3,
}
_THOUSAND: Final = 1_000
_GRAND: Final = Pattern(r"\sgrand\b", re.IGNORECASE)
_NATIVE: Final = Pattern(
    r"(?<![가-힣0-9])(?P<number>" + "|".join(sorted(NATIVE_NUMBERS, key=len, reverse=True)) + r")\s?"
    r"(?=개(?!월)|대(?=\s|를|만|로|면|씩|$)|명|곳|달|주(?=\s|를|만|에|간|$)|번째|채|켤레|자루|배|살|시간)"
)
_TENS: Final = Pattern(
    r"(?P<tens>열|스물|서른|마흔|쉰|예순)\s?(?P<ones>한|하나|두|둘|세|셋|네|넷|다섯|여섯|일곱|여덟|아홉)?(?=\s?살|\s?개|\s?대|인데|이고|이에요|이예요|입니다|이라|이며|인\s)"
)
_AGED: Final = Pattern(
    r"(?P<tens>스물|서른|마흔|쉰|예순)\s?(?P<ones>하나|둘|셋|넷|다섯|여섯|일곱|여덟|아홉)(?=[\s,.?!]|$|인데|이고|이에요|이예요|입니다|이라|이며)"
)
"""Years of age as people say them, without their unit: "스물여덟 무주택 직장인"."""
_YEAR: Final = Pattern(r"(?P<half>반\s?년|half\s+a\s+year|half[\s-]year)|\ba\s(?:full|whole)\syear\b", re.IGNORECASE)
_JOINT: Final = Pattern(r"\s?(?:에서|부터|~|-|–|to|and)\s?")
_SCALE_END: Final = Pattern(r"(?P<digits>\d[\d,.]*)\s?(?:thousand|grand|k)$", re.IGNORECASE)
"""The upper end of a range whose scale is that of the lower one as well: "50 to 70 thousand"."""
_RANGE_END: Final = Pattern(r"\s?(?:사이|까지|대|정도)")
_APART: Final = Pattern(r"\s(?=[0-9])")
_OTHER_UNIT: Final = Pattern(
    r"\s?(?:%|퍼센트|프로|년|개월|평|㎡|개(?!인)|대(?!출|비|구|전|략|금)|명(?!의|목)|살(?!려|까|래|고)|세(?!\s?식구|금|입|후|전)|주(?!식|고|면|려|었|셨|기|는|시|어|라|신)|채|가구|인(?=분|용|가구|\s?가족|$)|순위|층|룸)"
)
_CURRENCY_BEFORE: Final = Pattern(r"(?:(?P<krw>₩|KRW|won)|(?P<usd>US\$|\$|USD))\s?$", re.IGNORECASE)
_START: Final = Pattern(r"[0-9일이삼사오육륙칠팔구십백천만억]")
_WORD_BEFORE: Final = Pattern(r"[가-힣]")
_WON_FROM: Final = 100_000
_MILLION: Final = 1_000_000
_IDENTIFIER: Final = Pattern(r"[A-Za-z]-?[0-9]|(?<![0-9])[0-9]+[A-Za-z]+[0-9]|[0-9]-[0-9]{2,}-")


@dataclass(frozen=True, slots=True)
class Number:
    """One number of a question."""

    value: Decimal
    """Its value in its unit: 5억 is 500000000, 4 % is 4, 30평 is 30."""
    unit: str
    """krw, usd, percent, percentage_point, m2, pyeong, years, months, weeks, days, times, shares, ordinal, count, gb, tb,
    inch, pixels, litre, kg, gram, mm, cm, hours, rooms, points; empty where none is said."""
    bound: Bound
    """How it bounds what it is about."""
    start: int
    """Where its words begin, in code points of the normalised text."""
    end: int
    """Where they end, exclusive; unit and bound included."""
    words: str
    """Its words with unit and bound."""
    thousands: bool = False
    """Whether it ends in 천 or 백 without 만 ("6천"): as a sum of homes or incomes it counts in 만원."""

    @property
    def is_bare(self) -> bool:
        """Whether no unit is said."""
        return not self.unit

    @property
    def as_won(self) -> Decimal:
        """The sum that it means where it is money: a bare one below a hundred thousand counts in 만원, as people speak."""
        if self.unit == "krw" or (self.is_bare and self.value >= _WON_FROM):
            return self.value
        return self.value * 10_000 if self.is_bare else self.value

    @property
    def as_m2(self) -> Decimal:
        """The floor area that it means in square metres: a 평 is 400/121 ㎡."""
        return self.value * 400 / 121 if self.unit == "pyeong" else self.value

    @property
    def as_months(self) -> Decimal:
        """The term that it means in months, where its unit is one of time."""
        return self.value * {"years": 12, "months": 1}.get(self.unit, 0)


def numbers_in(text: str, taken: Collection[tuple[int, int]] = ()) -> tuple[Number, ...]:
    """Return the numbers of a normalised text in its order; parts of codes are none.

    Args:
        text: The text.
        taken: Spans that are read already, those of dates for example; no number begins in one.
    """
    return _numbers_in(text, tuple(taken))


@lru_cache(maxsize=128)
def _numbers_in(text: str, taken: tuple[tuple[int, int], ...]) -> tuple[Number, ...]:
    # The readers of a question ask for its numbers a dozen times.
    found: list[Number] = []
    covered = bytearray(len(text))
    for start, end in taken:
        covered[start:end] = b"\x01" * len(covered[start:end])
    at = 0
    while at < len(text):
        number = None if covered[at] else _number_at(text, at)
        if number is None or _is_word_behind_count(number, found, text):
            at += 1 if number is None else len(number.words)
            continue
        found.append(number)
        at = max(number.end, at + 1)
    return tuple(found)


def _is_word_behind_count(number: Number, found: list[Number], text: str) -> bool:
    """Tell whether a number in words is a noun that is counted: the 구 of "3개 구만"."""
    counted = bool(found) and found[-1].unit == "count" and text[found[-1].end : number.start] == " "
    return counted and _COUNTED_NOUN.fullmatch(number.words) is not None


_COUNTED_NOUN: Final = Pattern(r"[구조]만?")


_PART_OF_A_POINT: Final = Pattern(
    r"(?:(?P<half>half)|(?P<quarter>(?:a\s)?quarter)|a\s(?:full|whole))(?:\s(?:of\s)?a)?\s(?:percentage\s)?point\b|half\s(?:of\s)?(?:a\s|one\s)?per\s?cent\b",
    re.IGNORECASE,
)
"""A step of a rate in words: "half a point", "a quarter point"."""


def _step_of_rate(text: str, at: int) -> Number | None:
    match = _PART_OF_A_POINT.match(text, at)
    if match is None or (at and text[at - 1].isalnum()):
        return None
    value = Decimal("0.25") if match["quarter"] else Decimal("0.5") if match.group()[0] in "hH" else Decimal(1)
    return _made(text, value, "percentage_point", match.start(), match.end())


def _number_at(text: str, at: int) -> Number | None:
    if year := _YEAR.match(text, at):
        return _made(text, Decimal(6 if year["half"] else 12), "months", year.start(), year.end())
    if (said := _step_of_rate(text, at) or _tens_at(text, at)) is not None:
        return said
    if native := _NATIVE.match(text, at):
        return _with_unit(text, Decimal(NATIVE_NUMBERS[native["number"]]), native.start(), native.end())
    if (english := _ENGLISH.match(text, at)) and not (at and text[at - 1].isalpha()):
        return _english(text, english)
    if _START.match(text, at):
        return _digits_or_korean(text, at)
    return None


_COUNTED: Final = Pattern(r"\s?(?:살|개|대(?![가-힣])|명|채|곳|번|가지|마리|권|장|평)")


def _tens_at(text: str, at: int) -> Number | None:
    """Return what native Korean words of tens say: years of age where no unit follows."""
    if _follows_hangul(text, at):
        return None
    if (aged := _AGED.match(text, at)) and not _COUNTED.match(text, aged.end()):
        value = NATIVE_NUMBERS[aged["tens"]] + NATIVE_NUMBERS[aged["ones"]]
        return _made(text, Decimal(value), "age", aged.start(), aged.end())
    tens = _TENS.match(text, at)
    if tens is None:
        return None
    ones = NATIVE_NUMBERS.get(tens["ones"] or "", 0)
    return _with_unit(text, Decimal(NATIVE_NUMBERS[tens["tens"]] + ones), tens.start(), tens.end())


def _english(text: str, match: re.Match[str]) -> Number | None:
    value = english_words_value(match.group())
    if value is None or (match.group().lower() == "one" and not _UNIT.match(text, match.end())):
        return None
    money = "krw" if value >= _MILLION else ""
    end = match.end()
    if value < _THOUSAND and (grand := _GRAND.match(text, end)):
        value, end = value * _THOUSAND, grand.end()
    number = _with_unit(text, value, match.start(), end, money)
    return None if number.is_bare and value < 2 else number


def _digits_or_korean(text: str, at: int) -> Number | None:
    before = text[at - 1] if at else " "
    if text[at].isdigit() and (
        (before.isalnum() and before.isascii()) or (before == "-" and _IDENTIFIER.search(text[max(0, at - 6) : at + 8]))
    ):
        return None
    if not text[at].isdigit() and _follows_hangul(text, at):
        return None
    try:
        read = scan_korean(text, at, len(text))
        apart = [match.start() for match in _APART.finditer(text, at, read.end)] if read is not None else []
        another = _OTHER_UNIT.match(text, read.end) or text.startswith("억", read.end) if read is not None else None
        if read is not None and apart and another and not _is_band(read, text):
            # "2억5천 30년" is a sum and a term, "2억 6억5천" are two sums.
            read = scan_korean(text, at, apart[-1])
    except MalformedNumberError:
        return None
    if read is None:
        return None
    counts = _unit_follows(text, read.end) or _IN_PAIR.match(text, at) is not None
    if not (read.has_digits or counts or (read.last_big > 1 and read.end - at > 1)):
        return None
    value, end, banded = read.value, read.end, _is_band(read, text)
    if read.last_big >= 10**8 and read.tail and (read.tail < 10_000):
        # Behind 억 a tail counts in 만: "4억2천" and "3억 1,500".
        value = value - read.tail + read.tail * 10_000
    elif (scale := _SCALE.match(text, end)) and text[at].isdigit() and read.last_big == 1 and not read.has_small:
        value, end = value * _SCALES[scale["scale"].lower()], scale.end()
    if read.last_big >= 10**8 and not read.tail and (part := _PART.match(text, end)):
        # "3억 중반까지" reaches to six tenths of the next 억.
        value, end, banded = value + _PARTS[part["part"]] * read.last_big // 10, part.end(), False
    thousands = read.has_small and read.last_big == 1
    money = (read.last_big >= 10**4 or value >= _MILLION > read.value) and not _unit_follows(text, end)
    number = _made(text, value, "krw", at, end) if banded else _with_unit(text, value, at, end, "krw" if money else "")
    return Number(number.value, number.unit, number.bound, number.start, number.end, number.words, thousands=thousands)


_IN_PAIR: Final = Pattern(r"[천백](?:에|/)\s?(?:월(?:세)?\s?)?[0-9]")
"""A multiplier alone that is the first of a pair of sums: "천에 75", "천에 월 75"."""
_PART: Final = Pattern(r"\s?(?P<part>초반|중반|후반)대?")
_PARTS: Final = {"초반": 3, "중반": 6, "후반": 9}
"""How many tenths of the next whole 억 a part of it reaches."""


def _is_band(read: KoreanNumber, text: str) -> bool:
    """Tell whether 대 behind a number says "and so many more" and counts no machines: "3억대"."""
    return read.last_big >= 10**8 and BAND.match(text, read.end) is not None


_AND_HALF: Final = Pattern(
    r"\s?반(?![가-힣])|\s?반(?=이|동안|짜리|간|만|을|은|정도|쯤|씩|계약)|\sand a half\b", re.IGNORECASE
)


def _with_unit(text: str, value: Decimal, start: int, end: int, unit: str = "") -> Number:
    if match := _UNIT.match(text, end):
        unit, end = str(match.lastgroup), match.end()
        if unit == "years" and (half := _AND_HALF.match(text, end)):
            value, unit, end = value * 12 + 6, "months", half.end()
    elif currency := just_before(_CURRENCY_BEFORE, text, start):
        unit, start = str(currency.lastgroup), currency.start()
    return _made(text, value, unit, start, end)


def _made(text: str, value: Decimal, unit: str, start: int, end: int) -> Number:
    bound, first, last = bound_at(text, start, end)
    return Number(value, unit, bound, first, last, text[first:last].strip())


def _unit_follows(text: str, end: int) -> bool:
    return _UNIT.match(text, end) is not None


def _follows_hangul(text: str, at: int) -> bool:
    return at > 0 and _WORD_BEFORE.match(text[at - 1]) is not None


_NOUN: Final = Pattern(r"([가-힣]{2,}?|[A-Za-z]{3,})(?:은|는|이|가|을|를|도|만)?\s(?:to |of |is |at )?$")
_LIKE: Final = (Decimal(1), Decimal(1_000), Decimal(10_000), Decimal(1_000_000))
"""What a bare number may count in beside a sum of the same thing: as it stands, thousands, 만, millions."""
_APART_MOST: Final = 2


def like_before(numbers: tuple[Number, ...], text: str) -> tuple[Number, ...]:
    """Return numbers of which a bare one behind a noun that a sum stands behind too counts as that sum does.

    In "월세 65만원인데 월세 70 달래요" the seventy are 만원: so they come near the sum before.
    """
    sums: dict[str, Decimal] = {}
    found = []
    for one in numbers:
        noun = just_before(_NOUN, text, one.start)
        own = noun[1].lower() if noun else ""
        if own and one.unit == "krw":
            sums[own] = one.value
        found.append(_scaled(one, sums[own]) if one.is_bare and own in sums else one)
    return tuple(found)


def _scaled(one: Number, near: Decimal) -> Number:
    scale = next((by for by in _LIKE if near / _APART_MOST < one.value * by < near * _APART_MOST), None)
    return one if scale is None else replace(one, value=one.value * scale, unit="krw")


def ranges(numbers: tuple[Number, ...], text: str, *, moves: bool = True) -> Iterator[tuple[Number, Number]]:
    """Yield neighbours that write a range: "5억에서 7억 사이", "3~4억", "between 100 and 200 million"; units are shared.

    Args:
        numbers: The numbers of the text.
        text: The text.
        moves: Whether what they measure may go from one to the other: else "20 to 30 litres" is a range as well.
    """
    for left, right in pairwise(numbers):
        between, before = text[left.end : right.start], text[max(0, left.start - 12) : left.start].lower()
        joined = _JOINT.fullmatch(between)
        scaled = left.is_bare and right.is_bare and left.value < right.value and _SCALE_END.search(right.words)
        ends = "between" in before or _RANGE_END.match(text, right.end) or "~" in between or "-" in between
        spans = not moves and left.value < right.value and "and" not in between
        if joined and (ends or scaled or spans):
            yield _in_scale_of(left, right), right


def _in_scale_of(left: Number, right: Number) -> Number:
    """Return the lower end in the unit of the upper one: "100 and 200 million won", "3~4억"."""
    if left.is_bare and (shared := _SCALE_END.search(right.words)) and left.value < right.value:
        return replace(left, value=left.value * right.value / Decimal(shared["digits"].replace(",", "")))
    if not left.is_bare or right.is_bare:
        return left
    scale = Decimal(1)
    if right.unit == "krw" and left.value < right.value:
        while left.value * scale * 10 <= right.value:
            scale *= 10
    return replace(left, value=left.value * scale, unit=right.unit)
