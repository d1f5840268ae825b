"""Numbers as Korean and English write them, in digits, in words and in both mixed: 7천8백만, 백이십만, 1.2 billion."""

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from services.text.patterns import Pattern

_HANGUL_DIGITS = {mark: Decimal(value) for value, mark in enumerate("영일이삼사오육칠팔구")} | {"륙": Decimal(6)}
_SMALL = {"십": 10, "백": 100, "천": 1_000}
_BIG = {"만": 10**4, "억": 10**8, "조": 10**12}
_NUMBER = Pattern(r"[0-9][0-9,]*(?:\.[0-9]+)*")
_GROUPED = Pattern(r"(?:[0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)(?:\.[0-9]+)?")
_AFTER_PARTICLE = frozenset("래고면나라에지야다었던니며는가 ")
_GAP_AFTER_UNIT = Pattern(r"\s*하고도?\s*|\s*")
_HALF = Pattern(r"\s*반(?![가-힣])")
NATIVE_NUMBERS = {
    "하나": 1,
    "둘": 2,
    "셋": 3,
    "넷": 4,
    "한": 1,
    "두": 2,
    "세": 3,
    "네": 4,
    "석": 3,
    "넉": 4,
    "다섯": 5,
    "여섯": 6,
    "일곱": 7,
    "여덟": 8,
    "아홉": 9,
    "열": 10,
    "스무": 20,
    "스물": 20,
    "서른": 30,
    "마흔": 40,
    "쉰": 50,
    "예순": 60,
    "일흔": 70,
    "여든": 80,
    "아흔": 90,
}
"""Native Korean numbers, as they stand before a counter and alone."""
ENGLISH_NUMBERS = {
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
    "thirteen": 13,
    "fourteen": 14,
    "fifteen": 15,
    "sixteen": 16,
    "seventeen": 17,
    "eighteen": 18,
    "nineteen": 19,
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
}
"""English numbers up to ninety; larger ones are built from these."""
_ENGLISH_SCALES = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}


class MalformedNumberError(ValueError):
    """Digits that are written as no number is: "3,000,00", "1.2.3"."""


@dataclass(frozen=True, slots=True)
class KoreanNumber:
    """A number in the Korean scale of 만, 억 and 조, with digits or Hangul or both."""

    value: Decimal
    """What it amounts to, as written; a tail without its unit counts as written too ("6억 7000" is 600_007_000)."""
    tail: Decimal
    """The part behind the last of 만, 억, 조; zero when there is none."""
    last_big: int
    """The last of 10^4, 10^8, 10^12 that was named; 1 when none was."""
    chain: int
    """What the units behind the first number multiply it by: 10^7 for "7천만", 1 for a bare number."""
    has_digits: bool
    """Whether digits were used and not Hangul alone."""
    has_small: bool
    """Whether 십, 백 or 천 was named."""
    tail_has_unit: bool
    """Whether the tail ends in 십, 백 or 천 ("1억 5천")."""
    tail_at: int
    """Where the tail begins; `end` when there is none."""
    start: int
    """Where the number begins in the text."""
    end: int
    """Where it ends, exclusive."""


@dataclass(slots=True)
class _Sum:
    """The running state of `scan_korean`."""

    total: Decimal = Decimal(0)
    section: Decimal = Decimal(0)
    current: Decimal | None = None
    last_small: int = 10**4
    last_big: int = 10**16
    chain: int = 1
    chain_open: bool = True
    has_digits: bool = False
    has_small: bool = False
    ends_in_unit: bool = False

    def number(self, value: Decimal) -> bool:
        if self.current is not None:
            return False
        if self.section or self.total:
            self.chain_open = False
        self.current, self.ends_in_unit = value, False
        return True

    def small(self, size: int) -> bool:
        if size >= self.last_small:
            return False
        self.section += (Decimal(1) if self.current is None else self.current) * size
        self.current, self.last_small, self.has_small, self.ends_in_unit = None, size, True, True
        self._extend_chain(size)
        return True

    def big(self, size: int) -> bool:
        if size >= self.last_big:
            return False
        amount = self.section + (self.current or 0)
        if amount == 0 and self.current is None:
            amount = Decimal(1)
        self.total += amount * size
        self.section, self.current, self.last_small, self.last_big = Decimal(0), None, 10**4, size
        self.ends_in_unit = True
        self._extend_chain(size)
        return True

    def _extend_chain(self, size: int) -> None:
        if self.chain_open:
            self.chain *= size


def parse_digits(text: str) -> Decimal:
    """Return the number that plain digits write.

    Raises:
        MalformedNumberError: the thousands separators or points stand where no number has them.
    """
    if not _GROUPED.fullmatch(text):
        raise MalformedNumberError(f"{text!r} is not written as a number is")
    return Decimal(text.replace(",", ""))


def match_digits(text: str, at: int) -> re.Match[str] | None:
    """Match a run of digits, commas between digits and points at `at`; a closing comma belongs to the sentence."""
    match = _NUMBER.match(text, at)
    if match and match.group().endswith(","):
        return Pattern(r"[0-9]+(?:,[0-9]+)*").match(text, at)
    return match


def scan_korean(text: str, at: int, stop: int) -> KoreanNumber | None:
    """Read the longest number that begins at `at` and ends before `stop`, or None when none begins there.

    Raises:
        MalformedNumberError: digits that are written as no number is.
    """
    state, position, end, tail_at = _Sum(), at, at, at
    while position < stop:
        step = _step(text, position, state)
        if step is None or step > stop:
            break
        position = end = step
        if state.section == 0 and state.current is None:
            half = _HALF.match(text, end)
            if half and state.last_big == 10**8:
                state.total += state.last_big // 2
                end = tail_at = half.end()
                break
            tail_at = end
        position = _skip_gap(text, end, state)
    if end == at:
        return None
    tail = state.section + (state.current or 0)
    named_big = state.last_big if state.last_big < 10**16 else 1
    return KoreanNumber(
        value=state.total + tail,
        tail=tail,
        last_big=named_big,
        chain=state.chain,
        has_digits=state.has_digits,
        has_small=state.has_small,
        tail_has_unit=bool(tail) and state.ends_in_unit,
        tail_at=tail_at if named_big > 1 else at,
        start=at,
        end=end,
    )


_TERM_END = Pattern(r"(?<= )만기(?![가-힣]*원)")
"""The end of a term, whose first syllable is no ten thousand: "4.5 만기 30년"."""


def _step(text: str, position: int, state: _Sum) -> int | None:
    """Take one number or unit at `position`; return where it ends, or None when it does not continue the number."""
    digits = match_digits(text, position)
    if digits:
        state.has_digits = True
        return digits.end() if state.number(parse_digits(digits.group())) else None
    mark = text[position]
    if mark in _HANGUL_DIGITS:
        if not _is_digit_here(text, position, state):
            return None
        return position + 1 if state.number(_HANGUL_DIGITS[mark]) else None
    if mark in _SMALL:
        return position + 1 if state.small(_SMALL[mark]) else None
    if mark in _BIG and not _TERM_END.match(text, position):
        return position + 1 if state.big(_BIG[mark]) else None
    return None


def _is_digit_here(text: str, position: int, state: _Sum) -> bool:
    """Tell the digits of "3천이백" and "오천이백이" from the word in "3억 사이" and the particle in "3천이래"."""
    following = text[position + 1 : position + 2]
    if following in {*_SMALL, *_BIG}:
        return True
    if state.has_digits:
        return False
    return not (text[position] == "이" and state.ends_in_unit and following in _AFTER_PARTICLE)


def _skip_gap(text: str, end: int, state: _Sum) -> int:
    """Skip what may stand between the parts: a space after a unit, or between digits and their unit."""
    if state.ends_in_unit:
        gap = _GAP_AFTER_UNIT.match(text, end)
        return gap.end() if gap else end
    after = end + 1 if text[end : end + 1] == " " and text[end - 1].isdigit() else end
    return after if text[after : after + 1] in {*_SMALL, *_BIG} else end


def english_words_value(text: str) -> Decimal | None:
    """Return what English number words write ("five hundred thousand", "half a million"), or None."""
    total, current = Decimal(0), Decimal(0)
    tokens = text.lower().replace("-", " ").split()
    if tokens[:2] == ["half", "a"]:
        tokens, current = tokens[2:], Decimal("0.5")
    for word in tokens:
        if word in ENGLISH_NUMBERS:
            current += ENGLISH_NUMBERS[word]
        elif word == "a":
            current += 1
        elif word == "hundred":
            current = (current or Decimal(1)) * 100
        elif word in _ENGLISH_SCALES:
            total, current = total + (current or Decimal(1)) * _ENGLISH_SCALES[word], Decimal(0)
        elif word != "and":
            return None
    return total + current


_NATIVE_LONGEST_FIRST: Final = sorted(NATIVE_NUMBERS, key=len, reverse=True)


def korean_value(surface: str) -> Decimal | None:
    """Return what a Korean numeral writes, native words before a place too: "열두만", "스물다섯", "백이십"."""
    plain, rest = "", surface.replace(" ", "")
    while rest:
        word = next((one for one in _NATIVE_LONGEST_FIRST if rest.startswith(one)), "")
        if not word:
            plain, rest = plain + rest[0], rest[1:]
            continue
        value = 0
        while word:
            value, rest = value + NATIVE_NUMBERS[word], rest[len(word) :]
            word = next((one for one in _NATIVE_LONGEST_FIRST if rest.startswith(one)), "")
        plain += str(value)
    number = scan_korean(plain, 0, len(plain))
    return number.value if number is not None and number.end == len(plain) else None
