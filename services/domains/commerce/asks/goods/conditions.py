"""The conditions, order and quantities that a question on goods names."""

import re
from collections.abc import Iterator
from decimal import ROUND_DOWN, Decimal
from typing import Final

from services.contract.asks import AskCondition, AskQuantity
from services.domains.commerce.asks.goods.features import attributes_of
from services.domains.commerce.asks.goods.words import (
    CHEAP,
    DEAR,
    HOW_MUCH,
    IN_STOCK,
    MOST_REVIEWS,
    ON_SALE,
    RATED,
    RATING,
    REVIEW_COUNT,
    SIZES,
    SORTED,
    TOTAL,
    UNKNOWN,
)
from services.domains.commerce.rules import FREE_SHIPPING_FROM_KRW
from services.plugin.asks.numbers import Number, ranges
from services.plugin.asks.sheet import Sheet


def pieces_in(sheet: Sheet) -> int:
    """Return how many pieces are bought; 0 where nobody says."""
    for one in sheet.numbers:
        if (
            one.unit == "count"
            and not one.bound
            and not REVIEW_COUNT.search(sheet.text[max(0, one.start - 6) : one.start])
        ):
            return int(one.value)
    if sheet.says(r"\bboth of\b|두\s?(?:개|대|켤레)"):
        return 2
    match = sheet.find(r"(?:\b(?P<en>two|three|four|five|six)\b|(?P<ko>한|두|세|네|다섯|여섯)\s?(?:개|대|켤레|벌))")
    words = {
        "two": 2,
        "three": 3,
        "four": 4,
        "five": 5,
        "six": 6,
        "한": 1,
        "두": 2,
        "세": 3,
        "네": 4,
        "다섯": 5,
        "여섯": 6,
    }
    return words.get(match["en"] or match["ko"], 0) if match and not sheet.says(r"which of the two") else 0


def figure_conditions(sheet: Sheet, pieces: int) -> Iterator[AskCondition]:
    """Yield the conditions on price, rating, reviews, discount and stock."""
    money = [one for one in sheet.numbers if _is_price(one, sheet)]
    between = next(((low, high) for low, high in ranges(sheet.numbers, sheet.text) if high.unit == "krw"), None)
    if between is not None:
        low, high = between
        yield AskCondition("price_krw", "ge", f"{low.as_won:f}", "krw", f"{low.words}~{high.words}")
        yield AskCondition("price_krw", "le", f"{high.as_won:f}", "krw", f"{low.words}~{high.words}")
    elif money:
        yield from _price(money[0], sheet, pieces)
    for one in sheet.numbers:
        if one.unit in {"", "points"} and one.value <= 5 and _near(RATING, one, sheet):
            operator = one.bound if one.bound in {"lt", "le", "gt", "ge"} else "ge"
            yield AskCondition("rating", operator, f"{one.value:f}", "points", one.words)
        elif one.unit in {"", "count"} and one.value >= 5 and _near(REVIEW_COUNT, one, sheet):
            operator = one.bound if one.bound in {"lt", "le", "gt", "ge"} else "ge"
            yield AskCondition("review_count", operator, f"{one.value:f}", "count", one.words)
        elif one.unit == "percent" and sheet.says(r"할인|세일|\boff\b|discount|sale"):
            operator = one.bound if one.bound in {"lt", "le", "gt", "ge"} else "ge"
            yield AskCondition("discount_percent", operator, f"{one.value:f}", "percent", one.words)
    if sheet.says(ON_SALE) and not any(one.unit == "percent" for one in sheet.numbers):
        yield AskCondition("discount_percent", "gt", "0", "percent", "")
    if sheet.says(IN_STOCK):
        yield AskCondition("stock", "gt", "0", "count", "")
    if sheet.says(r"무료\s?배송|배송비?\s?(?:무료|없는|공짜)|free (?:shipping|delivery)") and not sheet.says(HOW_MUCH):
        yield AskCondition("price_krw", "ge", str(FREE_SHIPPING_FROM_KRW), "krw", "free_shipping")


def _is_price(one: Number, sheet: Sheet) -> bool:
    if sheet.says(r"쿠폰|coupon") and not one.bound:
        return False
    if one.unit == "krw":
        return one.value >= 1000
    return one.is_bare and bool(one.bound) and one.value >= 1000 and not _near(REVIEW_COUNT, one, sheet)


def _near(words: re.Pattern[str], one: Number, sheet: Sheet) -> bool:
    return bool(words.search(sheet.text[max(0, one.start - 10) : one.end + 8]))


def _price(one: Number, sheet: Sheet, pieces: int) -> Iterator[AskCondition]:
    amount = one.value if one.unit == "krw" else one.as_won
    if one.is_bare and one.value >= 1000:
        amount = one.value
    in_all = pieces > 1 and sheet.says(TOTAL)
    if in_all:
        amount = (amount / pieces).quantize(Decimal(1), rounding=ROUND_DOWN)
    words = one.words
    if one.bound == "band" or re.match(r"대\s?(?:까지|이하|안쪽|아래|로|의|$)", sheet.text[one.end :]):
        digits = 10 ** (len(str(int(amount))) - 1)
        width = digits if amount % digits == 0 else digits // 10
        if not re.match(r"대?\s?(?:까지|이하|안쪽|아래)", sheet.text[one.end :]):
            yield AskCondition("price_krw", "ge", f"{amount:f}", "krw", words)
        yield AskCondition("price_krw", "lt", f"{amount + width:f}", "krw", words)
        return
    if one.bound == "about":
        yield AskCondition("price_krw", "ge", f"{amount * Decimal('0.8'):f}", "krw", words)
        yield AskCondition("price_krw", "le", f"{amount * Decimal('1.2'):f}", "krw", words)
        return
    operator = one.bound if one.bound in {"lt", "le", "gt", "ge"} else "le"
    yield AskCondition("price_krw", operator, f"{amount:f}", "krw", words)


def unknown_conditions(sheet: Sheet, category: str) -> Iterator[AskCondition]:
    """Yield what is asked for and no row says."""
    for name, (words, label) in UNKNOWN.items():
        if sheet.says(words):
            yield AskCondition(f"unknown.{name}", "eq", "", "", label.ko)
    if category == "sneakers" and (size := SIZES.search(sheet.text)):
        yield AskCondition("unknown.size", "eq", "", "", size.group())
    if (
        category
        and sheet.says(r"블랙|검은|검정|까만|화이트|흰색|하얀|\bblack\b|\bwhite\b")
        and not any(one.name == "colour" for one in attributes_of(category))
    ):
        yield AskCondition("unknown.colour", "eq", "", "", "색")


_ORDERS: Final = (
    (r"할인\s?(?:율|폭|을|이)?|biggest discount", ("discount_percent", True)),
    (DEAR, ("price_krw", True)),
    (rf"{CHEAP}|(?:가격|값|price)(?:이|은)?\s?(?:낮은\s?)?(?:순|order)|by price", ("price_krw", False)),
    (r"재고.*(?:적|least|fewest)", ("stock", False)),
    (r"재고|stock", ("stock", True)),
    (r"좋|나은|괜찮|\bbest\b", ("rating", True)),
)
"""What superlatives and words of sorting order goods by, the first that is found."""


def order_in(sheet: Sheet) -> tuple[str, bool]:
    """Return the figure by which goods are ordered and whether the greatest comes first; empty where none is."""
    superlative, ordered = sheet.superlative, sheet.says(SORTED)
    if sheet.says(MOST_REVIEWS) and (
        superlative or ordered or sheet.says(r"많은|인기|popular|best[- ]?sell|잘\s?(?:팔|나가)")
    ):
        return "review_count", True
    better = sheet.says(r"더\s?(?:높|좋)|(?:higher|better)[- ]rated|rated (?:higher|better)|better rat")
    if sheet.says(RATED) and (
        superlative or ordered or better or sheet.says(r"(?:높|좋)은\s?(?:거|것|순|건)|(?:best|top|highly)[- ]rated")
    ):
        return "rating", not (superlative is not None and not superlative.is_most)
    if superlative or ordered or sheet.says(r"최저가|cheapest"):
        return next((order for words, order in _ORDERS if sheet.says(words)), ("", False))
    return "", False


def quantities_in(sheet: Sheet, pieces: int) -> Iterator[AskQuantity]:
    if pieces:
        yield AskQuantity("pieces", str(pieces), "count", str(pieces))
    if sheet.says(TOTAL) and pieces > 1:
        for one in sheet.numbers:
            if one.unit == "krw" and one.bound:
                yield AskQuantity("budget", f"{one.value:f}", "krw", one.words)
    if sheet.says(r"쿠폰|coupon"):
        for one in sheet.numbers:
            if one.unit == "percent":
                yield AskQuantity("coupon_percent", f"{one.value:f}", "percent", one.words)
            elif one.unit == "krw" or (one.is_bare and one.value >= 100):
                yield AskQuantity("coupon_krw", f"{one.value:f}", "krw", one.words)
