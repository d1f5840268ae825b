"""By what goods are ordered: what superlatives and words of sorting say, one for each that a question has."""

import re
from collections.abc import Iterator
from typing import Final

from services.contract.asks import AskForm
from services.domains.commerce.asks.goods.features import attributes_of
from services.domains.commerce.asks.goods.qualities import ranked_by
from services.domains.commerce.asks.goods.words import (
    CHEAP,
    DEAR,
    HIGHLY,
    MOST_REVIEWS,
    PLACED,
    POPULAR,
    RATED,
    SORTED,
    TOP,
    WELL_RATED,
)
from services.plugin.asks.forms import Superlative, superlatives_in
from services.plugin.asks.sheet import Sheet
from services.text.patterns import Pattern

Order = tuple[str, bool]
"""The figure by which goods are ordered, and whether the greatest comes first."""
_A_CHEAP_ONE: Final = r"(?<!더\s)(?<!제일\s)(?:싼|저렴한|값싼)\s?(?:걸로|거로|것으로|거|것|걸|놈|녀석)|\b(?:a|something|one that's|the) cheap(?: one)?\b|싸게\s?(?:하나|살)"
"""Wishes for one that costs little, and sets no bound."""
_BETTER: Final = r"더\s?(?:높|좋)|(?:higher|better)[- ]rated|rated (?:higher|better)|better rat"
_BOUND_OF_RATING: Final = rf"(?:{RATED})\s?[이가은는]?\s?(?:(?:of|at least|over|above)\s)?[0-9]|[0-9]\s?점?\s?(?:(?:or more|plus|\+)\s?)?(?:{RATED})"
"""A rating that is asked for, and so none to order by: "평점 4점 이상", "at least 4 stars"."""
_FIGURES: Final[tuple[tuple[str, Order], ...]] = (
    (r"할인|discount", ("discount_percent", True)),
    (DEAR, ("price_krw", True)),
    (rf"{CHEAP}|(?:가격|값|price)(?:이|은)?\s?(?:낮은\s?)?(?:순|order)|by price", ("price_krw", False)),
    (r"재고.*(?:적|least|fewest)|(?:least|fewest).*(?:stock|left)", ("stock", False)),
    (r"재고|stock", ("stock", True)),
    (r"좋|나은|괜찮|\bbest\b", ("rating", True)),
)
"""What superlatives and words of sorting order goods by, the first that is found."""


def orders_in(sheet: Sheet, category: str) -> tuple[Order, ...]:
    """Return by what goods are ordered, first things first: "the cheapest of the largest" is by size, then by price."""
    if (quality := ranked_by(sheet, category)) is not None:
        return ((quality.field, True),)
    if found := tuple(dict.fromkeys(_by_superlatives(sheet, category))):
        return found
    order = _by_words(sheet)
    return (order,) if order is not None else ()


def _by_words(sheet: Sheet) -> Order | None:
    """Return by what goods are ordered where no superlative says it."""
    placed = sheet.find(PLACED)
    ordered = sheet.says(SORTED) or placed is not None
    if placed is not None and re.match("리뷰|후기|상품평", placed.group()):
        return "review_count", True
    if sheet.says(MOST_REVIEWS) and (ordered or sheet.says(POPULAR)):
        return "review_count", True
    if sheet.says(WELL_RATED) or (sheet.says(RATED) and (ordered or sheet.says(_BETTER) or sheet.says(HIGHLY))):
        return "rating", True
    if sheet.says(_A_CHEAP_ONE) and sheet.wants(AskForm.RECOMMEND):
        return "price_krw", False
    if ordered or sheet.says(TOP) or sheet.says(r"최저가|cheapest"):
        return next((order for words, order in _FIGURES if sheet.says(words)), None)
    return None


def _by_superlatives(sheet: Sheet, category: str) -> Iterator[Order]:
    """Yield the order of each superlative; the words up to the next one say what it is of."""
    places = superlatives_in(sheet.text)
    start = 0
    for one, following in zip(places, [*places[1:], None], strict=False):
        end = following.start if following is not None else len(sheet.text)
        words = re.sub(_BOUND_OF_RATING, " ", sheet.text[start:end], flags=re.IGNORECASE)
        order = _named_beside(one, words) or _priced(one, sheet.text) or _of(one, words, category)
        start = one.end
        if order is not None:
            yield order


def _priced(one: Superlative, text: str) -> Order | None:
    """Return the order of a superlative that says by itself that it is of the price, whatever bounds follow."""
    adjective = _ADJECTIVE.match(text, one.end) if one.words.casefold() in {"most", "least"} else None
    said = f"{one.words}{adjective.group()}" if adjective is not None else one.words
    is_of_price = re.search(rf"{CHEAP}|{DEAR}", said, re.IGNORECASE) is not None
    return ("price_krw", re.search(DEAR, said, re.IGNORECASE) is not None) if is_of_price else None


_ADJECTIVE: Final = Pattern(r"\s[A-Za-z]+")


def _of(one: Superlative, words: str, category: str) -> Order | None:
    def says(pattern: str) -> bool:
        return re.search(pattern, words, re.IGNORECASE) is not None

    if says(MOST_REVIEWS):
        return "review_count", one.is_most
    if says(RATED):
        return "rating", one.is_most
    own = [attribute for attribute in attributes_of(category) if attribute.is_of(one.words, words, most=one.is_most)]
    named = [attribute for attribute in own if attribute.is_named(words)]
    if own:
        return (named or own)[0].field, one.is_most
    of_price = says(rf"{CHEAP}|{DEAR}")
    figure = next((field for pattern, field in _COUNTED if says(pattern)), "")
    # "The cheapest laptop in stock" is by its price.
    if figure and not (of_price and figure == "stock"):
        return figure, one.is_most
    return next((order for pattern, order in _FIGURES if says(pattern)), None)


def _named_beside(one: Superlative, words: str) -> Order | None:
    """Return the order of a superlative beside which a figure's noun stands: "재고 제일 많은", "the biggest discount"."""
    said = re.escape(one.words)
    for noun, field in _NOUNS:
        beside = re.search(
            rf"(?:{noun})[율률액폭]?[이가은는을를도]?\s?{said}|{said}\s(?:{noun})\b", words, re.IGNORECASE
        )
        # The best reviews are the best rated, and no number of them.
        if beside and (field != "review_count" or re.search(_SO_MANY, one.words, re.IGNORECASE)):
            return field, one.is_most
    return None


_NOUNS: Final = (
    (r"할인|세일|discounts?|price cuts?", "discount_percent"),
    (r"재고|stock", "stock"),
    (r"(?:리뷰|후기|상품평)\s?(?:개수|갯수|건수|수)?|reviews?", "review_count"),
)
_SO_MANY: Final = r"많|적|most|least|few"
_COUNTED: Final = (
    (r"할인|세일|discount", "discount_percent"),
    (
        r"(?:리뷰|후기|reviews?).{0,12}(?:많|적|most|least|few|수)|(?:most|fewest|least)\s(?:\w+\s)?review",
        "review_count",
    ),
    (r"재고|\bstock|\bleft\b", "stock"),
)
"""The figures that are counted: of each the most, or the least, comes first."""
