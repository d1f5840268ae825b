"""What a message says of an order: how many, which coupon, points, how it is paid, where it goes. Pure."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from services.domains.commerce.asks.acts import words
from services.plugin.asks.sheet import Sheet
from services.plugin.entities import QUANTITY

CODE: Final = re.compile(r"(?<![A-Za-z0-9-])(?P<code>[A-Za-z]\d{2,4})(?![A-Za-z0-9])")
_POINTS: Final = re.compile(
    r"(?:포인트|적립금|마일리지)(?:는|를|을|도|로|은)?\s?(?P<a>\d[\d,]*)\s?(?P<au>만|천)?\s?(?:점|원|포인트|P)?|(?P<b>\d[\d,]*)\s?(?P<bu>만|천)?\s?(?:점|포인트|원어치|원)?\s?(?:의\s?)?(?:포인트|적립금|point)",
    re.IGNORECASE,
)
_UNITS: Final = {"만": 10_000, "천": 1_000}
_NATIVE: Final = {"하나": 1, "둘": 2, "셋": 3, "넷": 4}
_ENGLISH: Final = {
    word: number
    for number, said in enumerate(
        ("a an one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
        start=1,
    )
    for word in said.split()
}
_BEFORE_NAME: Final = re.compile(
    rf"\b(?:buy|order|purchase|add|put|get|take|want|place)\s(?:me\s|an order for\s)?(?P<n>\d{{1,3}}|{'|'.join(_ENGLISH)})\s(?=[A-Za-z])",
    re.IGNORECASE,
)
_PLAIN_COUNT: Final = re.compile(r"^\D{0,8}?(?P<n>\d{1,3})\s?(?:으?로)?\D{0,8}$")


def quantities(sheet: Sheet) -> tuple[tuple[int, int], ...]:
    """Return the counts of pieces that a message names, each with its place; counts of coupons and stars are none."""
    found = []
    for one in sheet.of_kind(QUANTITY):
        behind, before = sheet.text[one.end : one.end + 4], sheet.text[max(0, one.start - 6) : one.start]
        is_other = re.match(r"\s?(?:점|별)", behind) or re.search(r"(?:쿠폰|별|별점)\s?$", before)
        if one.value.isdigit() and not is_other and not re.search(r"(?:장|점)$", one.words):
            found.append((int(one.value), one.start))
    return tuple(found) or tuple(_before_names(sheet.text))


def _before_names(text: str) -> Iterator[tuple[int, int]]:
    """Yield the English counts that stand between a verb and the name of goods: "buy two Velonik keyboards"."""
    for match in _BEFORE_NAME.finditer(text):
        number = match["n"].lower()
        yield int(number) if number.isdigit() else _ENGLISH.get(number, 1), match.start("n")


def bare_count(sheet: Sheet) -> int | None:
    """Return the count that a short answer is: "두 개", "3", "three"; None where it is none."""
    if counts := quantities(sheet):
        return counts[0][0]
    match = _PLAIN_COUNT.match(sheet.text.strip())
    if match is not None:
        return int(match["n"])
    said = re.findall(r"[a-z]+|[가-힣]+", sheet.text.lower())
    return next((_ENGLISH.get(one) or _NATIVE.get(one) for one in said if one in _ENGLISH or one in _NATIVE), None)


def codes(sheet: Sheet) -> tuple[tuple[str, int], ...]:
    """Return the model codes that a message names, each with its place."""
    return tuple((match["code"].upper(), match.start()) for match in CODE.finditer(sheet.text))


def bill_parts(sheet: Sheet) -> dict[str, str]:
    """Return what a message says of how an order is paid and where it goes; nothing of what it does not say."""
    said = {"method": method(sheet), "coupon": coupon(sheet), "points": points(sheet), "address": address(sheet)}
    return {name: value for name, value in said.items() if value}


def method(sheet: Sheet) -> str:
    """Return how a message wants to pay; empty where it does not say."""
    return next((name for name, pattern in words.METHODS if sheet.says(pattern)), "")


def coupon(sheet: Sheet) -> str:
    """Return "none", "best", or the words that name a coupon; empty where none is spoken of."""
    if sheet.says(words.NO_COUPON):
        return "none"
    if not sheet.says(words.COUPON_WORD):
        return ""
    return "best" if sheet.says(words.BEST) else f"said:{sheet.text}"


def points(sheet: Sheet) -> str:
    """Return how many points are to be used: a number, "all" or "none"; empty where none are spoken of."""
    if sheet.says(words.NO_POINTS):
        return "none"
    if not sheet.says(words.POINTS_WORD):
        return ""
    match = _POINTS.search(sheet.text)
    if match is not None:
        number, unit = match["a"] or match["b"], match["au"] or match["bu"]
        return str(int(number.replace(",", "")) * _UNITS.get(unit or "", 1))
    return "all" if sheet.says(words.ALL_POINTS) else ""


def address(sheet: Sheet) -> str:
    """Return "default" for the address on file, or the address that is written out; empty where none is said."""
    match = sheet.find(words.NEW_ADDRESS)
    if match is not None and (said := match["ko"] or match["town"] or match["en"]):
        text = said.strip(" .,")
        if any(mark.isdigit() for mark in text):
            return text
    return "default" if sheet.says(words.OWN_ADDRESS) else ""


def merged(before: Mapping[str, str], now: Mapping[str, str]) -> dict[str, str]:
    """Return the parts of an order with what a message says instead."""
    return {**before, **{name: value for name, value in now.items() if value}}
