"""The conditions, order and quantities that a question on goods names."""

import re
from collections.abc import Iterator
from decimal import ROUND_DOWN, Decimal
from typing import Final

from services.contract.asks import AskCondition, AskQuantity
from services.domains.commerce.asks.goods.features import Value, attributes_of
from services.domains.commerce.asks.goods.qualities import SAID, UNKNOWN, qualities_in
from services.domains.commerce.asks.goods.words import (
    EACH,
    FOR_SO_MANY,
    HAS_MONEY,
    HOW_MANY_FOR,
    HOW_MUCH,
    IN_STOCK,
    ON_SALE,
    RATING,
    REVIEW_COUNT,
    SIZES,
    STOCKED,
    TO_FREE,
    TOTAL,
    WELL_RATED,
)
from services.domains.commerce.rules import FREE_SHIPPING_FROM_KRW
from services.plugin.asks.numbers import Number, ranges
from services.plugin.asks.sheet import Sheet
from services.plugin.entities import AMOUNT
from services.text.patterns import Pattern

_WELL_FROM: Final = "4"
"""The rating from which goods are well rated, of five."""
_RATING_SAID: Final = r"[1-5](?:\.\d)?\s?(?:점|stars?\b)"
_BOUNDS: Final = frozenset({"lt", "le", "gt", "ge"})


def figure_conditions(sheet: Sheet, pieces: int) -> Iterator[AskCondition]:
    """Yield the conditions on price, rating, reviews, discount and stock."""
    yield from _prices(sheet, pieces)
    for one in sheet.numbers:
        scored = one.unit == "points" and one.bound in _BOUNDS and not sheet.says(r"포인트|적립|\bpoints\b")
        if one.unit in {"", "points"} and one.value <= 5 and (scored or _near(RATING, one, sheet)):
            operator = one.bound if one.bound in _BOUNDS else "ge"
            yield AskCondition("rating", operator, f"{one.value:f}", "points", one.words)
        elif (
            one.unit in {"", "count"} and one.value >= 5 and _near(REVIEW_COUNT, one, sheet) and not _is_of_screen(one)
        ):
            operator = one.bound if one.bound in _BOUNDS else "ge"
            yield AskCondition("review_count", operator, f"{one.value:f}", "count", one.words)
        elif _is_stock(one, sheet):
            yield AskCondition(
                "stock", one.bound if one.bound in _BOUNDS else "ge", f"{one.value:f}", "count", one.words
            )
        elif one.unit == "percent" and sheet.says(r"할인|세일|\boff\b|discount|sale"):
            operator = one.bound if one.bound in _BOUNDS else "ge"
            yield AskCondition("discount_percent", operator, f"{one.value:f}", "percent", one.words)
    if (well := sheet.find(WELL_RATED)) and sheet.superlative and not sheet.find(_RATING_SAID):
        # What has the least price, or the most of something, is looked for among those that were rated well.
        yield AskCondition("rating", "ge", _WELL_FROM, "points", well.group())
    if sheet.says(ON_SALE) and not any(one.unit == "percent" for one in sheet.numbers):
        yield AskCondition("discount_percent", "gt", "0", "percent", "")
    counted = [one for one in sheet.numbers if _is_stock(one, sheet)]
    if sheet.says(IN_STOCK) and not counted:
        yield AskCondition("stock", "gt", "0", "count", "")
    if sheet.says(r"무료\s?배송|배송비?\s?(?:무료|없는|공짜)|free (?:shipping|delivery)") and not sheet.says(
        rf"{HOW_MUCH}|{TO_FREE}"
    ):
        yield AskCondition("price_krw", "ge", str(FREE_SHIPPING_FROM_KRW), "krw", "free_shipping")


def _is_of_screen(one: Number) -> bool:
    """Tell whether a number is what a screen shows: 4K counts nothing."""
    return re.fullmatch(r"[248]\s?k", one.words, re.IGNORECASE) is not None


def _prices(sheet: Sheet, pieces: int) -> Iterator[AskCondition]:
    """Yield the conditions on the price: a range, each bound that is said, or the first sum."""
    money = [one for one in sheet.numbers if _is_price(one, sheet)]
    between = next(((low, high) for low, high in ranges(sheet.numbers, sheet.text) if _is_sum(high)), None)
    if between is not None:
        low, high = between
        least, most = (one.value if one.is_bare and high.is_bare else one.as_won for one in (low, high))
        if high.is_bare and least < _SUM_FROM:
            least *= _SUM_FROM
        yield AskCondition("price_krw", "ge", f"{least:f}", "krw", f"{low.words}~{high.words}")
        yield AskCondition("price_krw", "le", f"{most:f}", "krw", f"{low.words}~{high.words}")
        return
    if (whole := _whole_range(sheet)) is not None:
        yield from whole
        return
    bounded = [one for one in money if one.bound in _BOUNDS]
    ways = {one.bound[0] for one in bounded}
    for one in bounded if len(ways) > 1 else money[:1]:
        yield from _price(one, sheet, pieces)


def _is_sum(high: Number) -> bool:
    """Tell whether the end of a range is one of money: prices of goods that are told without a unit begin at a thousand."""
    return high.unit == "krw" or (high.is_bare and high.value >= _SUM_FROM)


_SUM_FROM: Final = 1000
_SCALED: Final = Pattern(r"\d\s?(?:[만천]|k|grand|thousand)\s*$", re.IGNORECASE)
"""A sum as people write it without its unit: "500k", "20만"."""
_SCALED_FROM: Final = 10_000
"""From here on it is one; 4K is what a screen shows."""


def _whole_range(sheet: Sheet) -> tuple[AskCondition, ...] | None:
    """Return a range of prices that is said in other words than its ends: "5만원대부터 10만원까지"."""
    for one in sheet.of_kind(AMOUNT):
        low, _, high = one.value.partition("..")
        if low.isdigit() and high.isdigit() and 0 < int(low) < int(high) and _RANGED.search(one.words):
            ends = (("ge", low), ("le", high))
            return tuple(AskCondition("price_krw", way, end, "krw", one.words) for way, end in ends)
    return None


_RANGED: Final = Pattern(r"부터|에서|사이|~|-|\bto\b|\band\b|between", re.IGNORECASE)


def _is_price(one: Number, sheet: Sheet) -> bool:
    if _is_of_screen(one) or (sheet.says(r"쿠폰|coupon") and not one.bound):
        return False
    if one.unit == "krw":
        return one.value >= 1000
    is_said = bool(one.bound) or is_in_all(sheet) or (one.value >= _SCALED_FROM and bool(_SCALED.search(one.words)))
    counted = _near(REVIEW_COUNT, one, sheet) or _is_stock(one, sheet)
    if _in_tens_of_thousands(one, sheet):
        return not counted and not _near(RATING, one, sheet)
    return one.is_bare and is_said and one.value >= _SUM_FROM and not counted


def _is_stock(one: Number, sheet: Sheet) -> bool:
    """Tell whether a number bounds the stock; one of thousands beside it is a price: "in stock under 60k"."""
    is_many = one.is_bare and one.value >= _SUM_FROM
    return one.unit in {"", "count"} and bool(one.bound) and not is_many and _near(STOCKED, one, sheet)


def _in_tens_of_thousands(one: Number, sheet: Sheet) -> bool:
    """Tell whether a number bounds a price as people speak, who leave 만원 out: "의자 40 안쪽"."""
    is_said = one.is_bare and one.bound in {"lt", "le"} and _TENS_FROM <= one.value < _SUM_FROM
    return is_said and sheet.language == "ko" and _IN_TENS.search(one.words) is not None


_TENS_FROM: Final = 5
_IN_TENS: Final = Pattern(r"안쪽|안으로|안에서|밑으로|언더")


def _near(words: Pattern, one: Number, sheet: Sheet) -> bool:
    return bool(words.search(sheet.text[max(0, one.start - 10) : one.end + 8]))


def _price(one: Number, sheet: Sheet, pieces: int) -> Iterator[AskCondition]:
    amount = one.value if one.unit == "krw" else one.as_won
    if one.is_bare and one.value >= 1000:
        amount = one.value
    if pieces > 1 and is_in_all(sheet):
        amount = (amount / pieces).quantize(Decimal(1), rounding=ROUND_DOWN)
    words = one.words
    if one.bound == "band" or re.match(r"대\s?(?:까지|이하|안쪽|아래|로|의|$)", sheet.text[one.end :]):
        digits = 10 ** (len(str(int(amount))) - 1)
        width = digits if amount % digits == 0 else digits // 10
        if not re.match(r"대?\s?(?:까지|이하|안쪽|아래)", sheet.text[one.end :]):
            yield AskCondition("price_krw", "ge", f"{amount:f}", "krw", words)
        yield AskCondition("price_krw", "lt", f"{amount + width:f}", "krw", words)
        return
    worth = not one.bound and pieces <= 1 and _WORTH.match(sheet.text, one.end)
    if one.bound == "about" or worth or (not one.bound and re.search(_WORTH_SAID, one.words)):
        yield AskCondition("price_krw", "ge", f"{amount * Decimal('0.8'):f}", "krw", words)
        yield AskCondition("price_krw", "le", f"{amount * Decimal('1.2'):f}", "krw", words)
        return
    operator = one.bound if one.bound in _BOUNDS else "le"
    yield AskCondition("price_krw", operator, f"{amount:f}", "krw", words)


_WORTH: Final = Pattern(r"\s?(?:짜리|선(?=으로|에서|의|\s|$))")
"""Behind a price that goods are to have more or less: "5만원짜리 키보드"."""
_WORTH_SAID: Final = r"(?:짜리|선)$"


def unknown_conditions(sheet: Sheet, category: str) -> Iterator[AskCondition]:
    """Yield what is asked for and no row says."""
    for one in qualities_in(sheet, category):
        number = next((it.words for it in sheet.numbers if one.words.search(sheet.text[it.start : it.end + 2])), "")
        yield AskCondition(one.field, "eq", number, "", one.label.ko)
    yield from _compounds(sheet, category)
    if category == "sneakers" and (size := SIZES.search(sheet.text)):
        yield AskCondition("unknown.size", "eq", "", "", size.group())
    if (
        category
        and sheet.says(r"블랙|검은|검정|까만|화이트|흰색|하얀|\bblack\b|\bwhite\b")
        and not any(one.name == "colour" for one in attributes_of(category))
    ):
        yield AskCondition("unknown.colour", "eq", "", "", "색")


def _compounds(sheet: Sheet, category: str) -> Iterator[AskCondition]:
    """Yield what stands glued before a Korean noun of goods and says which no row knows: the 안마 of 안마의자."""
    for one in sheet.of_kind("category"):
        match = _GLUED.before(sheet.text, one.start) if one.value == category and one.end else None
        if match is None or any(re.search(it.words, match.group(), re.IGNORECASE) for it in _values_of(category)):
            continue
        if not _PLAIN.search(match.group()):
            yield AskCondition(f"{UNKNOWN}{SAID}", "eq", "", "", match.group())


def _values_of(category: str) -> Iterator[Value]:
    return (value for attribute in attributes_of(category) for value in attribute.values)


_GLUED: Final = Pattern(r"(?<![가-힣])[가-힣]{2,4}$")
_PLAIN: Final = Pattern(r"(?:용|형|식|급|색|은|는|한|된|인|큰|싼|운|의|랑|고|좀|게이밍|게임|중|개|대|원|만|천)$")
"""Ends what stands before goods and names no kind of them: a use, a form, an adjective, a particle, a count."""


def is_in_all(sheet: Sheet) -> bool:
    """Tell whether a sum is for all pieces together: it is what a person has, or is said to be in all."""
    return (sheet.says(TOTAL) or sheet.says(HAS_MONEY) or sheet.says(FOR_SO_MANY)) and not sheet.says(EACH)


def quantities_in(sheet: Sheet, pieces: int) -> Iterator[AskQuantity]:
    """Yield the pieces that are bought, the money for all of them, and a coupon."""
    if pieces:
        yield AskQuantity("pieces", str(pieces), "count", str(pieces))
    if sheet.says(HOW_MANY_FOR) and len(sums := [one for one in sheet.numbers if _is_sum(one)]) == 1:
        money = sums[0].value if sums[0].unit == "krw" or sums[0].value >= _SUM_FROM else sums[0].as_won
        yield AskQuantity("money", f"{money:f}", "krw", sums[0].words)
    if pieces > 1 and is_in_all(sheet):
        for one in sheet.numbers:
            if _is_sum(one):
                yield AskQuantity("budget", f"{one.value:f}", "krw", one.words)
    if sheet.says(r"쿠폰|coupon"):
        for one in sheet.numbers:
            if one.unit == "percent":
                yield AskQuantity("coupon_percent", f"{one.value:f}", "percent", one.words)
            elif one.unit == "krw" or (one.is_bare and one.value >= 100):
                yield AskQuantity("coupon_krw", f"{one.value:f}", "krw", one.words)
