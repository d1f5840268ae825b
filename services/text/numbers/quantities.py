"""Numbers of pieces that a person wants: "3개", "두 켤레", "one of these", "300 notebooks".

Sizes, ages, durations, floors and scores are no quantities; without a counter a number counts only beside a verb of
buying or of the cart.
"""

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from services.text.claims import Claims
from services.text.entities import AskReason, Quantity
from services.text.near import just_before
from services.text.numbers import approximate
from services.text.numbers.numerals import (
    ENGLISH_NUMBERS,
    NATIVE_NUMBERS,
    MalformedNumberError,
    english_words_value,
    scan_korean,
)
from services.text.patterns import Pattern
from services.text.speech import Speech, any_of

QUANTITY_MAX = 10**9
"""The greatest number of pieces that is read; the rules of each action are far below it."""

_NATIVE = "|".join(sorted(NATIVE_NUMBERS, key=len, reverse=True))
_TENS = "|".join(word for word, value in NATIVE_NUMBERS.items() if value >= 10)
_COUNTERS = (
    "(?<=[0-9])게(?=[\\s만로씩]|$)|개(?!월|년|국|인|사|당|월간|선|발|별)|권(?!리|한|총)|벌(?![어었고면는며니])|켤레|자루|박스|상자|팩|병(?!원)|세트|셋트|봉지|봉(?![사투])|캔|통(?![화장신계])"
    "|포대|포(?![인함트])|묶음|쌍|송이|그루|잔|컵|알(?!려|아|고|림|바)|정(?=[^가-힣]|$)|매(?![매장물출입])|롤|다스|줄(?!이|여|일|어)"
    "|판(?![매단])|단(?=[^가-힣]|$)|족|마리|인분|모(?=[^가-힣]|$)|장(?![바기소점기단])|대(?![출표략상신학기형])|건(?=[^가-힣]|$)"
)
# These count other things too (a line of text, a page); they count goods only beside a verb of buying.
_WEAK_COUNTERS = frozenset(
    ("줄", "판", "단", "모", "장", "건", "알", "정", "통", "매", "권", "잔", "컵", "인분", "쌍", "마리")
)
# A multiplier alone counts with a space or 개 behind it ("백 팩", "백개"); else it is the head of a name ("천막").
_NO_NAME = r"(?![십백천만](?=[가-힣])(?![일이삼사오육칠팔구십백천만개]))"
_KOREAN = (
    rf"(?:(?P<sign>(?<!\S)-)|(?<![0-9A-Za-z.,\-]))(?:(?P<native>(?<![가-힣])(?:(?:{_TENS})\s?)?(?:{_NATIVE}))"
    rf"|(?P<number>[0-9][0-9,]*(?:\.[0-9]+)?[십백천만]*|(?<![가-힣]){_NO_NAME}(?=[가-힣]?[십백천만])[일이삼사오육칠팔구십백천만]+))"
    r"\s?"
)
_ALONE = Pattern(
    r"(?<![가-힣])(?P<native>하나|둘|셋|넷|다섯|여섯|일곱|여덟|아홉|열)"
    r"(?P<unit>)(?=만|씩|를|을|\s|$)"
)
_LABELLED = Pattern(r"(?:구매\s?)?수량\s?(?:은|을|는|:)?\s?(?P<number>[0-9][0-9,]*)(?P<unit>)(?![0-9.가-힣])")
_NO_PIECES_BEFORE = r"방|룸|화장실|욕실|베란다|(?<![가-힣])별"
"""Rooms and stars are no pieces."""
_WANTS = (
    r"담[아을자고]|담기|넣어|주문(?!번호|\s?번호)|결제|구매|구입|살게|살래|사줘|사\s?주|사고\s?싶|사려|살\s?거|추가"
    r"|빼\s?[줘주]|보내"
)
_NOT_WANTED = Pattern(r"추천|만들|비교|판매글|등록")
_AGED = r"초반|중반|후반|여성|남성|여자|남자|직장인|부부|아빠|엄마|청년|이상|에게|를 위한|용"
_ENGLISH_NUMBER = "|".join(sorted(ENGLISH_NUMBERS, key=len, reverse=True))
_ENGLISH_VALUE = (
    rf"(?P<number>[0-9][0-9,]*|(?:(?:{_ENGLISH_NUMBER}|a)\s)?hundred|a dozen"
    rf"|(?:{_ENGLISH_NUMBER})(?:[- ](?:{_ENGLISH_NUMBER}))?)"
)
_ENGLISH_COUNTERS = (
    r"units?|pieces?|pcs|boxes|box|packs?|pairs?|sets?|bottles?|copies|items?|cartons?|cans?|rolls?|sheets?"
)
_ENGLISH_WANTED = Pattern(
    r"\b(?:add|order|buy|purchase|put|get|want|need|take|remove|reorder|checkout|check out"
    r"|throw|toss|drop|grab|save|send|pop|stick)\b"
    rf"(?:\s(?!order\b)[a-z']+){{0,3}}?\s(?P<sign>-)?{_ENGLISH_VALUE}(?P<unit>)\s"
    r"(?:more\s)?(?:of\s(?:these|those|them|the|this|that|your|my)\b|(?!(?:stars?|won|years?|months?|days?|people|persons?|minutes?|hours?"
    r"|inch(?:es)?|points?|percent|weeks?|million|billion|thousand|degrees?|dollars?|and|to|or|of)\b)[a-z\-]+(?:\s[a-z\-]+)?s\b)",
    re.IGNORECASE,
)


_ENGLISH_ONE = Pattern(
    r"\b(?:order(?:\sfor)?|buy|purchase|add|get|take)\s(?P<number>one|1)(?P<unit>)\s"
    r"(?!of\b|more\b|day|week|month|year|hour|minute|thing|question|time|point|star|more|million|billion|hundred|thousand"
    r"|won\b|person|and\b|to\b|or\b)[a-z]",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Patterns:
    """What counts, with the words of the trades."""

    korean: Pattern
    """A number with a Korean counter."""
    about: tuple[Pattern, ...]
    """About so many, in each language."""
    english: tuple[Pattern, ...]
    """What counts in English."""
    wants: Pattern
    """That pieces are wanted."""
    no_pieces: Pattern
    """What stands before a number that counts no pieces."""
    aged: Pattern
    """What stands behind the age of a person."""


@functools.lru_cache(maxsize=8)
def _patterns(speech: Speech) -> _Patterns:
    korean = rf"(?P<unit>{_COUNTERS}|{any_of(speech.counters)})(?!당)"
    english = rf"\s(?P<unit>{_ENGLISH_COUNTERS}|{any_of(speech.counters)})\b"
    counted = Pattern(rf"(?<![\w.,\-])(?P<sign>-)?{_ENGLISH_VALUE}{english}", re.IGNORECASE)
    return _Patterns(
        korean=Pattern(_KOREAN + korean),
        about=(
            Pattern(rf"(?P<number>{approximate.NATIVE_OR_DIGITS})\s?{korean}"),
            Pattern(rf"(?P<number>{approximate.ENGLISH}){english}", re.IGNORECASE),
        ),
        english=(counted, _ENGLISH_WANTED, _ENGLISH_ONE),
        wants=Pattern(rf"{_WANTS}|{any_of(speech.wanted)}"),
        no_pieces=Pattern(rf"(?:{_NO_PIECES_BEFORE}|{any_of(speech.scored)})(?:이|은|을)?\s?$"),
        aged=Pattern(rf"\s?(?:{_AGED}|{any_of(speech.aged)})"),
    )


def read_quantities(claims: Claims) -> tuple[Quantity, ...]:
    """Read the quantities in the order of the text; ask about the ones that no one can deliver, or that are not one."""
    patterns = _patterns(claims.speech)
    wants = patterns.wants.search(claims.text) is not None
    for match in (one for about in patterns.about for one in about.finditer(claims.text)):
        if claims.is_free(*match.span()):
            _ask_how_many(claims, match, wants=wants)
    found = [*_korean(claims, patterns, wants=wants), *_english(claims, patterns)]
    return tuple(sorted(found, key=lambda quantity: quantity.start))


def _ask_how_many(claims: Claims, match: re.Match[str], *, wants: bool) -> None:
    """Ask about "두세 개"; rooms, and what counts no goods here, are left aside, and none of their numbers is read."""
    is_goods = match["unit"] not in _WEAK_COUNTERS or wants
    if is_goods and not just_before(_patterns(claims.speech).no_pieces, claims.text, match.start()):
        claims.ask("quantities", AskReason.VAGUE, *match.span())
    else:
        claims.take(*match.span())


def _korean(claims: Claims, patterns: _Patterns, *, wants: bool) -> Iterator[Quantity]:
    for match in claims.free_matches(_LABELLED):
        yield from _quantity(claims, match, _korean_value(match))
    for match in claims.free_matches(patterns.korean):
        if (match["unit"] in _WEAK_COUNTERS and not wants) or just_before(
            patterns.no_pieces, claims.text, match.start()
        ):
            continue
        if match["unit"] == "대" and not _counts_machines(claims, match, wants=wants):
            continue
        yield from _quantity(claims, match, _korean_value(match))
    if wants and not _NOT_WANTED.search(claims.text):
        for match in claims.free_matches(_ALONE):
            if just_before(patterns.no_pieces, claims.text, match.start()):
                continue
            yield from _quantity(claims, match, _korean_value(match))


def _counts_machines(claims: Claims, match: re.Match[str], *, wants: bool) -> bool:
    """Tell "노트북 2대" from "30대 남성" and from "세대", a household."""
    if match.group() == "세대":
        return False
    value = _korean_value(match)
    is_age = value is not None and 10 <= value <= 90 and value % 10 == 0
    return not is_age or (wants and not _patterns(claims.speech).aged.match(claims.text, match.end()))


def _korean_value(match: re.Match[str]) -> Decimal | None:
    groups = match.groupdict()
    if groups.get("native"):
        parts = re.findall(_NATIVE, match["native"])
        return Decimal(sum(NATIVE_NUMBERS[part] for part in parts))
    try:
        number = scan_korean(match["number"], 0, len(match["number"]))
    except MalformedNumberError:
        return None
    return number.value if number and number.end == len(match["number"]) else None


def _english(claims: Claims, patterns: _Patterns) -> Iterator[Quantity]:
    for pattern in patterns.english:
        for match in pattern.finditer(claims.text):
            if claims.is_free(*match.span("number")):
                yield from _quantity(claims, match, _english_value(match["number"].lower()))


def _english_value(text: str) -> Decimal | None:
    if text == "a dozen":
        return Decimal(12)
    if text[0].isdigit():
        return Decimal(text.replace(",", "")) if re.fullmatch(r"[0-9]+|[0-9]{1,3}(?:,[0-9]{3})+", text) else None
    return english_words_value(text)


def _quantity(claims: Claims, match: re.Match[str], value: Decimal | None) -> Iterator[Quantity]:
    start = match.start("native") if match.groupdict().get("native") else match.start("number")
    end = match.end("unit") if match["unit"] else match.end("native" if match.groupdict().get("native") else "number")
    reason = _problem(match, value)
    if reason is not None:
        claims.ask("quantities", reason, start, end)
        return
    surface = claims.take(start, end)
    yield Quantity(value=int(value or 0), unit=match["unit"], surface=surface, start=start, end=end)


def _problem(match: re.Match[str], value: Decimal | None) -> AskReason | None:
    if value is None or value != value.to_integral_value():
        return AskReason.MALFORMED
    if match.groupdict().get("sign"):
        return AskReason.NEGATIVE
    if value < 1:
        return AskReason.IMPOSSIBLE
    return AskReason.TOO_LARGE if value > QUANTITY_MAX else None
