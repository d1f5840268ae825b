"""What a text says in figures, in Korean and English, however they are written."""

import re
from collections.abc import Iterable
from typing import Final

NUMBER: Final = r"\d[\d,]*(?:\.\d+)?"
_KOREAN: Final = {"조": 10**12, "억": 10**8, "천만": 10**7, "백만": 10**6, "만": 10**4, "천": 10**3, "백": 100}
_KOREAN_UNITS: Final = "|".join(_KOREAN)
_BESIDE_DOLLARS: Final = "조|억|천만|백만|만|천"
_ENGLISH: Final = {"trillion": 1e12, "billion": 1e9, "bn": 1e9, "million": 1e6, "m": 1e6, "thousand": 1e3}
_SHORT: Final = {"b": 1e9, "k": 1e3}
_DOLLAR_SCALES: Final = "trillion|billion|million|thousand|bn|m"
_WON_SCALES: Final = f"{_DOLLAR_SCALES}|b|k"

_KOREAN_SUM: Final = re.compile(rf"(?:{NUMBER}\s*(?:{_KOREAN_UNITS})\s*)+(?:{NUMBER})?\s*(?:만\s*)?원?|{NUMBER}\s*원")
_KOREAN_PART: Final = re.compile(rf"({NUMBER})\s*({_KOREAN_UNITS})?")
_WON: Final = (
    re.compile(rf"(?:KRW|₩|won)\s*({NUMBER})\s*({_WON_SCALES})?\b", re.IGNORECASE),
    re.compile(rf"({NUMBER})\s*({_WON_SCALES})?\s*(?:won|KRW)\b", re.IGNORECASE),
)
_DOLLARS: Final = (
    re.compile(rf"(?:US\$|\$|USD)\s*({NUMBER})\s*({_DOLLAR_SCALES})?\b", re.IGNORECASE),
    re.compile(rf"({NUMBER})\s*({_DOLLAR_SCALES})?\s*(?:USD|dollars?)\b", re.IGNORECASE),
)
_KOREAN_DOLLARS: Final = re.compile(rf"((?:{NUMBER}\s*(?:{_BESIDE_DOLLARS})?\s*)+)달러")
_KOREAN_DOLLAR_PART: Final = re.compile(rf"({NUMBER})\s*({_BESIDE_DOLLARS})?")
_PERCENT: Final = re.compile(rf"([-−+]?{NUMBER})\s*(?:%p?|퍼센트|프로|percent)")
_PLAIN: Final = re.compile(rf"[-−]?{NUMBER}")
_GROUPED: Final = re.compile(rf"(?:{NUMBER}\s*(?:조|억|만)\s*)+(?:{NUMBER})?")


def won(text: str) -> list[float]:
    """Return the sums in won that a text says."""
    korean = [_korean_sum(found.group()) for found in _KOREAN_SUM.finditer(text)]
    return korean + [_scaled(*found) for pattern in _WON for found in pattern.findall(text)]


def dollars(text: str) -> list[float]:
    """Return the sums in dollars that a text says."""
    english = [_scaled(*found) for pattern in _DOLLARS for found in pattern.findall(text)]
    return english + [_parts(_KOREAN_DOLLAR_PART.findall(found)) for found in _KOREAN_DOLLARS.findall(text)]


def percentages(text: str) -> list[float]:
    """Return the percentages and point that a text says, with their sign where it is written."""
    return [_number(found.replace("+", "")) for found in _PERCENT.findall(text)]


def numbers(text: str) -> list[float]:
    """Return every number that a text says, also without its sign, and sums in 조, 억 and 만."""
    plain = [_number(found) for found in _PLAIN.findall(text)]
    return plain + [abs(one) for one in plain] + [_korean_sum(found.group()) for found in _GROUPED.finditer(text)]


def _korean_sum(text: str) -> float:
    """Return a Korean sum; after 억 a bare 천 or 백, or a bare rest, counts in 만 (2억 5천, 3억1,500)."""
    total, above = 0.0, False
    for digits, unit in _KOREAN_PART.findall(text):
        factor = _KOREAN.get(unit, 1)
        if above and unit in ("천", "백") and not text.rsplit(unit, maxsplit=1)[-1].startswith("만"):
            factor *= 10**4
        elif above and not unit and "원" not in text and _number(digits) < 10**4:
            factor = 10**4
        total += _number(digits) * factor
        above = above or unit == "억"
    return total


def _parts(found: Iterable[tuple[str, str]]) -> float:
    return sum((_number(digits) * _KOREAN.get(unit, 1) for digits, unit in found), 0.0)


def _scaled(digits: str, scale: str) -> float:
    return _number(digits) * (_ENGLISH | _SHORT).get(scale.lower(), 1)


def _number(digits: str) -> float:
    return float(digits.replace(",", "").replace("−", "-"))
