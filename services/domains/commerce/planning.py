"""What shopping plans by that no table says: the words that goods are searched by, and its own kinds of slots."""

import re
from datetime import datetime
from typing import Final

from services.domains.commerce.entities import KINDS
from services.plugin.entities import values
from services.plugin.planning import SlotRule
from services.plugin.questions import PlannedQuestion, SlotReading, Value
from services.plugin.slots import (
    bare_amount,
    free_text,
    letters,
    number_in,
    only,
    picked_or_text,
    whole_number,
    within,
)
from services.text.patterns import Pattern
from services.text.reading import TextReading, read

STARS_MAX: Final = 5
CART: Final = "cart"
"""What is bought where the question says the cart."""
_CART_WORDS = ("장바구니", "카트", "쇼핑카트", "cart", "basket", "shopping cart", "shopping bag")
_GOODS = ("product", "product_code")
_GOODS_SLOTS = ("product", "items", "products", "name")
_CATEGORIES = frozenset(row.id for kind in KINDS if kind.id == "category" for row in kind.rows)
_ORDER_LABEL = "주문번호 "

_STARS = Pattern(
    r"(?:별점|평점)\s?(?:은|을)?\s?(?P<a>[0-9]+)|(?P<b>[0-9]+)\s?점|별\s?(?P<c>[가-힣]{1,2}|[0-9]+)\s?개"
    r"|(?P<d>[0-9]+|one|two|three|four|five)[-\s]stars?",
    re.IGNORECASE,
)
_ADDRESS = Pattern(
    r"(?:배송지|주소|받는\s?곳)(?:는|은|를)?\s(?P<ko>\S.{3,80}?)(?:으로|로|에)(?=\s|$)|(?:ship|deliver|send)(?:\sit)?\sto\s(?P<en>[^,.?!]{4,80})",
    re.IGNORECASE,
)
_NAMED = Pattern(
    r"(?:이름|상품명|제품명|name|called)(?:은|는|이|\sis)?\s?[:：]?\s?['\"“](?P<name>[^'\"”]{1,80})['\"”]",
    re.IGNORECASE,
)
_CATEGORY = Pattern(
    r"(?:카테고리|분류|category)(?:는|은|가|\sis)?\s?[:：]?\s?(?P<name>[가-힣A-Za-z]{2,20}?)(?:이고|이에요|예요|입니다|로|으로)?(?=[\s,.]|$)",
    re.IGNORECASE,
)
_PERCENT = Pattern(r"(?P<number>\d{1,3}(?:\.\d+)?)\s?(?:%|퍼센트|프로|percent)", re.IGNORECASE)
_LOWER = ("내리-", "인하", "낮추-", "할인", "깎-", "줄이-", "cut", "lower", "decrease", "reduce", "discount", "drop")
_RAISE = ("올리-", "인상", "높이-", "raise", "increase")
_TO_PRICE = Pattern(r"\s?(?:으로|로|에)(?=\s|$|[가-힣])")


def product_query(asked: PlannedQuestion) -> Value | None:
    """Return the words that goods are searched by: their names, else their category, else what a slot holds."""
    named = " ".join(values(asked.entities, "product"))
    if named:
        return named
    categories = asked.spoken.named("category")
    if len({one.value for one in categories}) == 1:
        return categories[0].label
    said = next((found for name in _GOODS_SLOTS if (found := asked.slots.get(name))), None)
    if said is None or said == [CART]:
        return None
    return said if isinstance(said, str) else " ".join(map(str, said)) if isinstance(said, list) else None


def category(asked: PlannedQuestion) -> Value | None:
    """Return the one category that a question names, or that its slot was filled with."""
    said = asked.slots.get("category")
    if isinstance(said, str) and said in _CATEGORIES:
        return said
    return only([one.value for one in asked.spoken.named("category")])


def goods_in(reading: TextReading) -> tuple[str, ...]:
    """Return the goods that a text names, by words and by code, each once."""
    return tuple(dict.fromkeys(one.value for kind in _GOODS for one in reading.of(kind)))


def _several(names: tuple[str, ...]) -> Value | None:
    return names if len(names) > 1 else None


def _first(names: tuple[str, ...]) -> Value | None:
    return names[0] if names else None


def _items(reading: TextReading, _rule: SlotRule) -> Value | None:
    return (CART,) if any(reading.has(word) for word in _CART_WORDS) else goods_in(reading) or None


def _text_alone(reading: TextReading, rule: SlotRule) -> Value | None:
    text = free_text(reading, rule)
    return (text,) if isinstance(text, str) else None


def _name(reading: TextReading, _rule: SlotRule) -> Value | None:
    match = _NAMED.search(reading.text)
    return match["name"].strip() if match else _first(goods_in(reading))


def _category(reading: TextReading, _rule: SlotRule) -> Value | None:
    named = values(reading.of("category"), "category")
    if len(named) == 1:
        return named[0]
    match = _CATEGORY.search(reading.text)
    return match["name"] if match else None


def _new_price(reading: TextReading, _rule: SlotRule) -> Value | None:
    """Return a price in won, or a change of it such as "-10%"; of two sums the one that the price is set to."""
    match = _PERCENT.search(reading.text)
    if match is not None and (sign := _direction(reading)):
        return f"{sign}{match['number']}%"
    exact = [one for one in reading.amounts if one.is_exact and one.low > 0]
    aimed = [one for one in exact if _TO_PRICE.match(reading.text, one.end)]
    prices = aimed or exact
    if len({one.low for one in prices}) != 1:
        return None
    sign = _direction(reading)
    return prices[0].low if aimed or not sign else f"{sign}{prices[0].low}"


def _direction(reading: TextReading) -> str:
    if any(reading.says(word) for word in _LOWER):
        return "-"
    return "+" if any(reading.says(word) for word in _RAISE) else ""


def _rating(reading: TextReading, _rule: SlotRule) -> Value | None:
    match = _STARS.search(reading.text)
    if match is None:
        return None
    return within(number_in(next(group for group in match.groups() if group)), STARS_MAX)


def _address(reading: TextReading, rule: SlotRule) -> Value | None:
    for choice in rule.choices:
        if any(reading.says(word) for word in choice.words):
            return choice.id
    match = _ADDRESS.search(reading.text)
    return (match["ko"] or match["en"]).strip() if match else None


def _bare_address(reading: TextReading, rule: SlotRule) -> Value | None:
    option = picked_or_text(reading, rule)
    if option is not None:
        return option
    places = bool(reading.of("region")) or any(mark.isdigit() for mark in reading.text)
    return free_text(reading, rule) if places and letters(reading.text) > 3 else None


def _order_id(reading: TextReading, _rule: SlotRule) -> Value | None:
    return only(values(reading.of("order_id"), "order_id"))


def _bare_order_id(reading: TextReading, rule: SlotRule) -> Value | None:
    """Read the answer as what follows the words "order number"."""
    midday = datetime.fromisoformat(f"{reading.today.isoformat()}T12:00+00:00")
    return _order_id(read(_ORDER_LABEL + reading.text, now=midday, time_zone="UTC", kinds=KINDS), rule)


SLOTS: Final = {
    "products": SlotReading(
        lambda reading, _: _several(goods_in(reading)),
        lasts=True,
        is_sure=False,
        names=_GOODS,
        of_names=_several,
        joins=True,
    ),
    "product": SlotReading(
        lambda reading, _: _first(goods_in(reading)),
        free_text,
        lasts=True,
        is_sure=False,
        names=_GOODS,
        of_names=_first,
    ),
    "items": SlotReading(
        _items, _text_alone, lasts=True, is_sure=False, names=_GOODS, of_names=lambda names: names or None
    ),
    "name": SlotReading(_name, free_text, lasts=True, is_sure=False, names=_GOODS, of_names=_first),
    "category": SlotReading(_category, picked_or_text, is_sure=False),
    "order_id": SlotReading(_order_id, _bare_order_id, lasts=True, is_one=True),
    "new_price": SlotReading(_new_price, bare_amount),
    "rating": SlotReading(_rating, lambda reading, _: whole_number(reading, STARS_MAX), is_counted=True),
    "address": SlotReading(_address, _bare_address, lasts=True),
}
"""How the kinds of slots are read that only shopping has."""
