"""Single figures of money: where a number in the text is an amount of won, and where it cannot be told."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from services.text.claims import Claims
from services.text.entities import AskReason
from services.text.near import just_before
from services.text.numbers.numerals import (
    KoreanNumber,
    MalformedNumberError,
    english_words_value,
    match_digits,
    parse_digits,
    scan_korean,
)
from services.text.numbers.sums import SumPatterns, patterns_of
from services.text.patterns import Pattern

_FIELD = "amounts"
_HANGUL_NUMERALS = "일이삼사오육륙칠팔구십백천만억조"
_START = Pattern(rf"[0-9]|(?<![가-힣0-9])[{_HANGUL_NUMERALS}]|(?:₩|KRW\s?)(?=[0-9])")
_WON = Pattern(
    r"\s*(?:원(?!룸|인은|인이|인을|화(?!로)|격|래|본|고|하[는시지면다던세]|해|할|한)|won\b|KRW\b)", re.IGNORECASE
)
_SIGN = Pattern(r"(?:₩|KRW)\s?")
_NEGATIVE = Pattern(r"(?:(?:^|[\s(])-\s?|마이너스\s*|minus\s+)(?:₩|KRW\s?)?$", re.IGNORECASE)
_COUNTERS = (
    "개|명|인분|인실|인용|인가구|사람|권|대(?![출표략])|km|보(?![증다])|회|번|가구|세대|호|부(?![터동산])|주(?!세요|시|담|택|고|는)"
    "|톤|건|표|점|년|시간|평|㎡|쪽|페이지|자(?!금|기)|자루|포인트|장|벌|켤레|팩|박스|병|세트|층|월(?!세)|일(?!대|시|반)|분|초(?!과)|배"
    "|퍼센트|프로|%|명의|mAh|dpi|그램|g\\b|kg|ml|리터|와트|볼트|조(?=\\s|$)|항|호선|인치|단지"
)
_COUNTER = Pattern(rf"\s*(?:{_COUNTERS})")
_FOREIGN = Pattern(
    r"\s*(?:달러|불(?![가-힣])|엔(?![가-힣])|유로|위안|파운드|dollars?|usd|yen|euros?|eur|yuan|pounds?)", re.IGNORECASE
)
_FOREIGN_SIGN = Pattern(
    r"(?:[$€£¥]|USD|EUR|JPY|CNY)\s?[0-9][0-9,]*(?:\.[0-9]+)?(?:\s?(?:[kmb]|bn|million|billion)\b)?", re.IGNORECASE
)
_ENGLISH_SCALE = Pattern(
    r"\s?(?:(?P<k>k|thousand)|(?P<m>m|mn|mil|million)|(?P<b>b|bn|billion)|(?P<t>tn|trillion))\b", re.IGNORECASE
)
_SCALE_VALUES = {"k": 10**3, "m": 10**6, "b": 10**9, "t": 10**12}
_NUMBER_WORD = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen"
    "|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion|trillion|half a|a"
)
_ENGLISH_WORDS = Pattern(
    rf"(?<![0-9.]\s)\b(?!hundred|thousand|million|billion|trillion)(?P<words>(?:{_NUMBER_WORD})(?:(?:\s|-)(?:{_NUMBER_WORD}|and)){{0,12}})\s{{1,8}}(?:won|KRW)\b",
    re.IGNORECASE,
)
_VAGUE = Pattern(
    r"(?:수|몇|여러)\s*(?:십|백|천)?\s*(?:만|억|조|백|천)(?:\s*(?:몇\s*)?[십백천]?만)?\s*원?(?:대|쯤|정도)?"
    r"|(?<![가-힣0-9.,])(?<![0-9]\s)억\s?대(?![출표])"
    r"|\b(?:several|a few|some)\s+(?:thousand|million|billion)s?(?:\s+of)?\s+won\b",
    re.IGNORECASE,
)
_NOT_A_NUMBER = Pattern(
    r"(?<![A-Za-z])[+-]?(?:NaN|inf(?:inity)?|무한대|null|undefined)\s?(?:천만|만|억|조)?\s?(?:원|won\b)|^[+-]?(?:NaN|inf(?:inity)?)$",
    re.IGNORECASE,
)
# A text that is only a number of three digits or more, and no year, may be a sum; nobody can tell of what.
_ONLY_A_NUMBER = Pattern(r"(?!(?:19|20)[0-9]{2}$)(?![0-9]{6}$)[0-9][0-9,]{2,}")
# "제7조", "민법 제3조": articles, no trillions.
_ARTICLE_BEFORE = Pattern(r"제\s?$|법\s?(?:제\s?)?$|령\s?(?:제\s?)?$|조항\s?$")
_ENDS_FIGURE = Pattern(
    r"\s*(?:$|[^가-힣A-Za-z0-9%㎡/]|이[면고나에래라야지다]?|으?로|에(?!서)|은|는|을|를|가|정도|쯤|까지|이하|이상|미만|초과|짜리|대|도|만)"
)


@dataclass(frozen=True, slots=True)
class MoneyFigure:
    """One figure of money."""

    value: int
    """The amount in KRW."""
    chain: int
    """What the units behind its first number multiply that by, for "6~8억"."""
    last_big: int
    """The last of 만, 억, 조 that it names, as a number; 1 when none."""
    start: int
    """Where it begins in the text."""
    end: int
    """Where it ends, exclusive."""


def note_unreadable_money(claims: Claims) -> None:
    """Ask about money that names no figure, is in another currency, or is no number at all."""
    for pattern, reason in (
        (_NOT_A_NUMBER, AskReason.NOT_A_NUMBER),
        (_FOREIGN_SIGN, AskReason.FOREIGN_CURRENCY),
        (_VAGUE, AskReason.VAGUE),
    ):
        for match in claims.free_matches(pattern):
            claims.ask(_FIELD, reason, *match.span())


def find_figures(claims: Claims) -> list[MoneyFigure]:
    """Find the figures of money in the order of the text; what is nearly one is asked about."""
    found = [*_pairs(claims), *_english_words(claims)]
    for start in _starts(claims):
        if claims.is_free(start, start + 1):
            found.extend(_figures_at(claims, start))
    return sorted(found, key=lambda figure: figure.start)


def _starts(claims: Claims) -> Iterator[int]:
    for match in _START.finditer(claims.text):
        if claims.text[: match.start()].endswith("제"):
            continue
        if not (match.group()[0].isdigit() and _continues_number(claims.text, match.start())):
            yield match.start()


def _continues_number(text: str, at: int) -> bool:
    """Tell whether the digit at `at` is inside a number or a Latin word, so that none begins there."""
    return at > 0 and (text[at - 1].isdigit() or (text[at - 1].isascii() and text[at - 1].isalpha()))


def _figures_at(claims: Claims, start: int) -> Iterator[MoneyFigure]:
    sign = _SIGN.match(claims.text, start)
    first = sign.end() if sign else start
    try:
        number = scan_korean(claims.text, first, _free_end(claims, first))
        if number is None:
            return
        figure = _korean(claims, number, signed=sign is not None) or _english(claims, first, signed=sign is not None)
    except MalformedNumberError:
        _ask_malformed(claims, start, first, signed=sign is not None)
        return
    if figure is None:
        return
    if just_before(_NEGATIVE, claims.text, figure.start):
        claims.ask(_FIELD, AskReason.NEGATIVE, figure.start, figure.end)
        return
    claims.take(start, figure.end)
    yield figure
    second = sum_patterns(claims).second.match(claims.text, figure.end)
    if second and figure.value >= 10**6:
        claims.take(*second.span())
        yield MoneyFigure(int(second["small"]) * 10**4, 10**4, 10**4, second.start("small"), second.end())


def sum_patterns(claims: Claims) -> SumPatterns:
    """Return how the trades that a text may be of say their sums."""
    return patterns_of(claims.sums, _COUNTERS)


def _free_end(claims: Claims, start: int) -> int:
    return claims.free_end(start)


def _korean(claims: Claims, number: KoreanNumber, *, signed: bool) -> MoneyFigure | None:
    """Make a figure of a Korean number, ask about it, or return None when it is no money."""
    text = claims.text
    won = _WON.match(text, number.end)
    if not (won or signed) and not _can_stand_without_won(text, number):
        return None
    if won or signed:
        if _ENGLISH_SCALE.match(text, number.end):
            return None
        return _exact(claims, number, number.value, won.end() if won else number.end)
    if _FOREIGN.match(text, number.end):
        claims.ask(_FIELD, AskReason.FOREIGN_CURRENCY, number.start, _FOREIGN.match(text, number.end).end())  # type: ignore[union-attr]
        return None
    if number.last_big > 1:
        return _in_big_units(claims, number)
    if _is_bare_money(claims, number) and not _COUNTER.match(text, number.end):
        claims.ask(_FIELD, AskReason.NO_UNIT, number.start, number.end)
    return None


def _can_stand_without_won(text: str, number: KoreanNumber) -> bool:
    if number.last_big == 10**12 and just_before(_ARTICLE_BEFORE, text, number.start):
        return False
    return number.has_digits or _is_hangul_figure(text, number)


def _is_hangul_figure(text: str, number: KoreanNumber) -> bool:
    """Tell whether Hangul alone writes a figure here ("일억 오천") and not part of a word ("만들어", "조심")."""
    if number.end - number.start == 1 or not _ENDS_FIGURE.match(text, number.end):
        return False
    return number.last_big in {10**4, 10**8} or number.has_small


def _is_bare_money(claims: Claims, number: KoreanNumber) -> bool:
    """Tell whether a number without 만, 억, 조 and 원 is still meant as money: "5천", "예산 3000"."""
    text = claims.text
    if not _ENDS_FIGURE.match(text, number.end):
        return False
    if _ONLY_A_NUMBER.fullmatch(text):
        return True
    if number.has_small and number.has_digits:
        return True
    alone = text[: number.start].strip() in {"", "한", "약"} and _ENDS_FIGURE.match(text, number.end) is not None
    if number.has_small and alone and len(text) - number.end <= 3:
        return True
    return number.value >= 100 and just_before(sum_patterns(claims).noun, text, number.start) is not None


def _in_big_units(claims: Claims, number: KoreanNumber) -> MoneyFigure | None:
    """Read a number in 만, 억 or 조 without 원; a tail without its unit is in the next lower one."""
    text, value, end = claims.text, number.value, number.end
    if number.tail and not number.tail_has_unit and _belongs_to_next_word(text, number):
        value, end = number.value - number.tail, number.tail_at
    elif number.tail and number.last_big > 10**4:
        if number.tail < 100:
            claims.ask(_FIELD, AskReason.NO_UNIT, number.start, number.end)
            return None
        value = number.value - number.tail + number.tail * (number.last_big // 10**4)
    if _COUNTER.match(text, end) and not re.match(r"대(?![출표략])", text[end:]):
        return None
    return _exact(claims, number, value, end)


def _belongs_to_next_word(text: str, number: KoreanNumber) -> bool:
    """Tell whether the last digits count something else: "3억 5층"."""
    return _COUNTER.match(text, number.end) is not None or not _ENDS_FIGURE.match(text, number.end)


def _exact(claims: Claims, number: KoreanNumber, value: Decimal, end: int) -> MoneyFigure | None:
    if value != value.to_integral_value():
        claims.ask(_FIELD, AskReason.MALFORMED, number.start, end)
        return None
    while end > number.start and claims.text[end - 1] == " ":
        end -= 1
    return MoneyFigure(int(value), number.chain, number.last_big, number.start, end)


def _english(claims: Claims, start: int, *, signed: bool) -> MoneyFigure | None:
    """Read digits with an English scale: "3.4 billion won", "₩3.5m"."""
    digits = match_digits(claims.text, start)
    scale = _ENGLISH_SCALE.match(claims.text, digits.end()) if digits else None
    if digits is None or scale is None:
        return None
    size = _SCALE_VALUES[str(scale.lastgroup)]
    won = _WON.match(claims.text, scale.end())
    if won is None and not signed:
        foreign = _FOREIGN.match(claims.text, scale.end())
        if foreign:
            claims.ask(_FIELD, AskReason.FOREIGN_CURRENCY, start, foreign.end())
        elif start == 0 and scale.end() == len(claims.text):
            claims.ask(_FIELD, AskReason.NO_UNIT, start, scale.end())
        return None
    value = parse_digits(digits.group()) * size
    end = won.end() if won else scale.end()
    if value != value.to_integral_value():
        claims.ask(_FIELD, AskReason.MALFORMED, start, end)
        return None
    return MoneyFigure(int(value), size, size, start, end)


def _ask_malformed(claims: Claims, start: int, first: int, *, signed: bool) -> None:
    """Ask about digits that write no number, where money is meant."""
    digits = Pattern(r"[0-9][0-9,.]*").match(claims.text, first)
    end = digits.end() if digits else first + 1
    unit = Pattern(r"\s*[십백천만억조]*\s*원?").match(claims.text, end)
    if signed or (unit and unit.group().strip()):
        claims.ask(_FIELD, AskReason.MALFORMED, start, unit.end() if unit else end)


def _pairs(claims: Claims) -> Iterator[MoneyFigure]:
    """Read two sums that are said as one, in 만원; a small pair needs a sign beside it, else it may be a date."""
    patterns = sum_patterns(claims)
    has_sign = patterns.sign.search(claims.text) is not None
    found = [*claims.free_matches(patterns.slashed)]
    for pattern in patterns.spoken if has_sign else ():
        found += claims.free_matches(pattern)
    for match in found:
        large = parse_digits(match["large"]) if re.fullmatch(r"[0-9]+|[0-9]{1,3}(,[0-9]{3})+", match["large"]) else None
        if large is None or not (has_sign or large >= 100):
            continue
        claims.take(*match.span())
        yield MoneyFigure(int(large) * 10**4, 10**4, 10**4, match.start("large"), match.end("large"))
        end = match.end("small") if match.start("small") < match.start("large") else match.end()
        yield MoneyFigure(int(match["small"]) * 10**4, 10**4, 10**4, match.start("small"), end)


def _english_words(claims: Claims) -> Iterator[MoneyFigure]:
    for match in claims.free_matches(_ENGLISH_WORDS):
        value = english_words_value(match["words"])
        if value and value == value.to_integral_value():
            claims.take(*match.span())
            yield MoneyFigure(int(value), 1, 1, *match.span())
