"""Reads the value of a slot: strictly from a question, and more freely from the answer to the slot's own question.

A question names a value outright or not at all. An answer may be short ("3", "card"), because what was asked says what
it is; what still cannot be read exactly is no value (spec 2.1.2).
"""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from services.catalog.loader import Catalog
from services.catalog.reading import read_question
from services.planner.rules import PlanningRules
from services.plugin.entities import values
from services.plugin.planning import SlotRule
from services.text.numerals import NATIVE_NUMBERS, english_words_value
from services.text.reading import Reading

Json = str | int | tuple[str, ...]
"""A slot's value: text, a whole number, or several texts."""
STARS_MAX = 5
PIECES_MAX = 10_000
PRICE_KRW_MAX = 10**12
TEXT_CHARS_MAX = 200

_BARE = re.compile(r"[^\d\-.,]{0,6}(?P<number>\d{1,3}(?:,\d{3})+|\d+)\s?[^\d.,\-]{0,6}")
_NATIVE_COUNT = re.compile(rf"(?P<number>{'|'.join(sorted(NATIVE_NUMBERS, key=len, reverse=True))})\s?[가-힣]{{0,4}}")
_STARS = re.compile(
    r"(?:별점|평점)\s?(?:은|을)?\s?(?P<a>[0-9]+)|(?P<b>[0-9]+)\s?점|별\s?(?P<c>[가-힣]{1,2}|[0-9]+)\s?개"
    r"|(?P<d>[0-9]+|one|two|three|four|five)[-\s]stars?",
    re.IGNORECASE,
)
_ADDRESS = re.compile(
    r"(?:배송지|주소|받는\s?곳)(?:는|은|를)?\s(?P<ko>\S.{3,80}?)(?:으로|로|에)(?=\s|$)|(?:ship|deliver|send)(?:\sit)?\sto\s(?P<en>[^,.?!]{4,80})",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"(?:이름|상품명|제품명|name|called)(?:은|는|이|\sis)?\s?[:：]?\s?['\"“](?P<name>[^'\"”]{1,80})['\"”]",
    re.IGNORECASE,
)
_CATEGORY = re.compile(
    r"(?:카테고리|분류|category)(?:는|은|가|\sis)?\s?[:：]?\s?(?P<name>[가-힣A-Za-z]{2,20}?)(?:이고|이에요|예요|입니다|로|으로)?(?=[\s,.]|$)",
    re.IGNORECASE,
)
_PERCENT = re.compile(r"(?P<number>\d{1,3}(?:\.\d+)?)\s?(?:%|퍼센트|프로|percent)", re.IGNORECASE)
_LOWER = ("내리-", "인하", "낮추-", "할인", "깎-", "줄이-", "cut", "lower", "decrease", "reduce", "discount", "drop")
_RAISE = ("올리-", "인상", "높이-", "raise", "increase")
_TO_PRICE = re.compile(r"\s?(?:으로|로|에)(?=\s|$|[가-힣])")
_ORDER_LABEL = "주문번호 "
_LETTERS = re.compile(r"[가-힣A-Za-z]")


class SlotReader:
    """Reads slots; made once."""

    def __init__(self, catalog: Catalog, rules: PlanningRules) -> None:
        self._catalog = catalog
        self._rules = rules
        self._strict: Mapping[str, Callable[[Reading, SlotRule], Json | None]] = {
            "products": lambda reading, _: _several(goods_and_codes(reading)),
            "product": lambda reading, _: _first(goods_and_codes(reading)),
            "items": self._items,
            "name": _name,
            "quantity": lambda reading, _: _only([one.value for one in reading.quantities]),
            "order_id": lambda reading, _: _only(values(reading.of("order_id"), "order_id")),
            "period": _period,
            "amount": _amount,
            "new_price": lambda reading, _: _new_price(reading),
            "rating": lambda reading, _: _rating(reading),
            "address": _address,
            "choice": _choice,
            "category": self._category,
        }
        self._free: Mapping[str, Callable[[Reading, SlotRule], Json | None]] = {
            "product": _text,
            "items": _text_alone,
            "name": _text,
            "quantity": lambda reading, _: _whole_number(reading, PIECES_MAX),
            "order_id": _bare_order_id,
            "amount": _bare_price,
            "new_price": _bare_price,
            "rating": lambda reading, _: _whole_number(reading, STARS_MAX),
            "address": _bare_address,
            "choice": _picked_or_text,
            "category": _picked_or_text,
        }

    def said(self, slot: str, reading: Reading) -> Json | None:
        """Return the value that a text names outright, None where it names none or more than one."""
        rule = self._rules.slots[slot]
        reader = self._strict.get(rule.kind)
        return reader(reading, rule) if reader is not None else None

    def answered(self, slot: str, reading: Reading) -> Json | None:
        """Return the value that the answer to the slot's question gives, None where it cannot be read."""
        rule = self._rules.slots[slot]
        found = self.said(slot, reading)
        reader = self._free.get(rule.kind)
        if found is not None or reader is None or self._says_nothing(reading):
            return found
        return reader(reading, rule)

    def _says_nothing(self, reading: Reading) -> bool:
        if _LETTERS.search(reading.text) is None and not any(mark.isdigit() for mark in reading.text):
            return True
        return len(reading.words) <= 4 and any(reading.has(words) for words in self._rules.no_answer)

    def _items(self, reading: Reading, _rule: SlotRule) -> Json | None:
        if any(reading.has(word) for word in self._catalog.group("cart")):
            return ("cart",)
        return goods_and_codes(reading) or None

    def _category(self, reading: Reading, _rule: SlotRule) -> Json | None:
        named = values(reading.of("category"), "category")
        if len(named) == 1:
            return named[0]
        match = _CATEGORY.search(reading.text)
        return match["name"] if match else None


def picked(text: str, options: Sequence[str]) -> str | None:
    """Return the option that an answer picks by its own words or its place ("2번", "the first one")."""
    plain = text.strip(" .!").casefold()
    same = [option for option in options if option.casefold() == plain]
    if same:
        return same[0]
    for place, names in enumerate(_PLACES[: len(options)]):
        if any(re.fullmatch(rf"{name}(?:\s?(?:번|번째|거|것|one))*(?:요|이요|으로|로)?", plain) for name in names):
            return options[place]
    return None


_PLACES = tuple(
    (str(number), korean, *([f"(?:the )?{english}"]))
    for number, korean, english in (
        (1, "첫\\s?(?:번째)?", "first"),
        (2, "두\\s?번째", "second"),
        (3, "세\\s?번째", "third"),
        (4, "네\\s?번째", "fourth"),
        (5, "다섯\\s?번째", "fifth"),
    )
)


def goods_and_codes(reading: Reading) -> tuple[str, ...]:
    """Return the goods that a text names, by words and by code, each once."""
    return tuple(dict.fromkeys(one.value for kind in ("product", "product_code") for one in reading.of(kind)))


def _several(found: Sequence[str]) -> Json | None:
    return tuple(found) if len(found) > 1 else None


def _first(found: Sequence[str]) -> Json | None:
    return found[0] if found else None


def _only(found: Sequence[str] | Sequence[int]) -> Json | None:
    return found[0] if len(set(found)) == 1 else None


def _name(reading: Reading, _rule: SlotRule) -> Json | None:
    match = _NAMED.search(reading.text)
    return match["name"].strip() if match else _first(goods_and_codes(reading))


def _period(reading: Reading, _rule: SlotRule) -> Json | None:
    if len(reading.dates) != 1:
        return None
    return f"{reading.dates[0].start.isoformat()}/{reading.dates[0].end.isoformat()}"


def _amount(reading: Reading, _rule: SlotRule) -> Json | None:
    exact = [one.low for one in reading.amounts if one.is_exact]
    return exact[0] if len(exact) == len(reading.amounts) == 1 and exact[0] > 0 else None


def _new_price(reading: Reading) -> Json | None:
    """Return a price in won, or a change of it such as "-10%"; of two sums the one that the price is set to."""
    match = _PERCENT.search(reading.text)
    if match is not None and (sign := _direction(reading)):
        return f"{sign}{match['number']}%"
    exact = [one for one in reading.amounts if one.is_exact and one.low > 0]
    aimed = [one for one in exact if _TO_PRICE.match(reading.text, one.end)]
    chosen = aimed or exact
    if len({one.low for one in chosen}) != 1:
        return None
    sign = _direction(reading)
    return chosen[0].low if aimed or not sign else f"{sign}{chosen[0].low}"


def _direction(reading: Reading) -> str:
    if any(reading.says(word) for word in _LOWER):
        return "-"
    return "+" if any(reading.says(word) for word in _RAISE) else ""


def _rating(reading: Reading) -> Json | None:
    match = _STARS.search(reading.text)
    if match is None:
        return None
    return _within(_number(next(group for group in match.groups() if group)), STARS_MAX)


def _address(reading: Reading, rule: SlotRule) -> Json | None:
    for choice in rule.choices:
        if any(reading.says(word) for word in choice.words):
            return choice.id
    match = _ADDRESS.search(reading.text)
    return (match["ko"] or match["en"]).strip() if match else None


def _choice(reading: Reading, rule: SlotRule) -> Json | None:
    named = [choice.id for choice in rule.choices if any(reading.says(word) for word in choice.words)]
    return named[0] if len(named) == 1 else None


def _picked_or_text(reading: Reading, rule: SlotRule) -> Json | None:
    """Return what an answer picks of the choices, else its own words where any will do."""
    for locale in ("ko", "en"):
        options = [choice.of(locale) for choice in rule.choices]
        option = picked(reading.text, options)
        if option is not None:
            return rule.choices[options.index(option)].id
    return _text(reading, rule) if rule.free else None


def _text(reading: Reading, _rule: SlotRule) -> Json | None:
    return reading.text[:TEXT_CHARS_MAX] if len(_LETTERS.findall(reading.text)) > 1 else None


def _text_alone(reading: Reading, rule: SlotRule) -> Json | None:
    text = _text(reading, rule)
    return (text,) if isinstance(text, str) else None


def _whole_number(reading: Reading, most: int) -> Json | None:
    if reading.asks:
        return None
    match = _BARE.fullmatch(reading.text)
    if match is not None:
        return _within(int(match["number"].replace(",", "")), most)
    native = _NATIVE_COUNT.fullmatch(reading.text)
    return _within(_number(native["number"] if native else reading.text), most)


def _number(text: str) -> int | None:
    if text.isascii() and text.isdigit():
        return int(text)
    if text in NATIVE_NUMBERS:
        return NATIVE_NUMBERS[text]
    value = english_words_value(text) if text.isascii() else None
    return int(value) if value is not None and value == value.to_integral_value() else None


def _within(number: int | None, most: int) -> int | None:
    return number if number is not None and 1 <= number <= most else None


def _bare_order_id(reading: Reading, _rule: SlotRule) -> Json | None:
    """Read the answer as what follows the words "order number"."""
    midday = datetime.fromisoformat(f"{reading.today.isoformat()}T12:00+00:00")
    labelled = read_question(_ORDER_LABEL + reading.text, now=midday, time_zone="UTC")
    return _only(values(labelled.of("order_id"), "order_id"))


def _bare_price(reading: Reading, _rule: SlotRule) -> Json | None:
    """Read plain digits as won; "5천" stays open, as everywhere (spec 1.6.9)."""
    match = _BARE.fullmatch(reading.text) if not reading.amounts else None
    return _within(int(match["number"].replace(",", "")), PRICE_KRW_MAX) if match and not _has_unit(reading) else None


def _has_unit(reading: Reading) -> bool:
    return any(mark in "십백천만억조%" for mark in reading.text)


def _bare_address(reading: Reading, rule: SlotRule) -> Json | None:
    option = _picked_or_text(reading, rule)
    if option is not None:
        return option
    places = bool(reading.of("region")) or any(mark.isdigit() for mark in reading.text)
    return _text(reading, rule) if places and len(_LETTERS.findall(reading.text)) > 3 else None
