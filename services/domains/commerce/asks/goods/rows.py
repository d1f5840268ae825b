"""The rows of goods that an ask is about: those that meet all of its conditions, in order."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Final

from services.contract.asks import Ask, AskCondition, AskForm, Said
from services.domains.commerce.asks.goods.counts import parts_of_models
from services.domains.commerce.asks.goods.features import ATTRIBUTE, LINE, dimension_of, meets, number_of, properties
from services.domains.commerce.asks.goods.qualities import NAMED, SAID, UNKNOWN
from services.domains.commerce.asks.goods.subjects import category_of, codes_of, ids_of
from services.domains.commerce.asks.goods.words import DENIED, DENIED_EN, MODEL
from services.plugin.asks.answering import Call, Found
from services.plugin.asks.telling import QueryRow, query, rows_of, where

FIELDS: Final = (
    *("product_id", "name_ko", "name_en", "brand_ko", "brand_en", "category", "attributes", "price_krw"),
    *("list_price_krw", "discount_percent", "rating", "review_count", "stock"),
)
"""What is read of a product."""


DATA: Final = Said("상품과 판매가", "Products and offers")


_ROWS_MAX: Final = 200
EXTREMES: Final = frozenset({"most", "least"})
"""Operators that keep those of the greatest, or the smallest, figure."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What of the goods was found."""

    rows: tuple[QueryRow, ...]
    """Those that meet every condition, in order: what is in stock before what is not, where no order is asked for."""
    all: tuple[QueryRow, ...]
    """All of the category, or of the models."""
    conditions: tuple[AskCondition, ...]
    """The conditions, each applied, or not with the reason."""
    brands: Said | None
    """The makers that were named."""
    is_cut: bool = False
    """Whether there are more goods than one reading holds, so that not all of them were looked at."""

    @property
    def in_stock(self) -> tuple[QueryRow, ...]:
        """Those that can be bought."""
        return tuple(row for row in self.rows if (row.number("stock") or 0) > 0)


def goods_calls(ask: Ask) -> Sequence[Call]:
    """Return the queries for the goods of an ask: of a category all, of models those of their codes."""
    category = category_of(ask)
    own = [where("category", category)] if category else []
    if ids := ids_of(ask):
        return [query("products", FIELDS, mode="rows", filters=[where("product_id", ids, "in")], limit=_ROWS_MAX)]
    if codes := codes_of(ask):
        return [
            query(
                "products",
                FIELDS,
                mode="rows",
                filters=[where("name_ko", f" {code} ", "contains"), *own],
                limit=_ROWS_MAX,
            )
            for code in codes
        ]
    if not category:
        return []
    whole = query("products", FIELDS, mode="rows", filters=own, order_by="price_krw", descending=False, limit=_ROWS_MAX)
    bounds, by = _bounds_of(ask), _held_as(ask.order_by)
    # Of a class of more goods than one reading holds those that meet the bounds come first, in the order that is asked;
    # and of a name that may be a maker's those of that maker.
    order: dict[str, Any] = {"order_by": by or "price_krw", "descending": ask.descending, "limit": _ROWS_MAX}
    read = [[*own, *bounds]] if bounds or ask.order_by not in {"", "price_krw"} or ask.descending else []
    named = [[*own, *bounds, maker]] if (maker := _maker_of(ask)) else []
    first, of_maker = (
        [query("products", FIELDS, mode="rows", filters=one, **order) for one in filters] for filters in (read, named)
    )
    return [*first, whole, *of_maker]


def _maker_of(ask: Ask) -> dict[str, object] | None:
    """Return the filter on the maker that a word before the noun of goods may name; None where no word stands there."""
    names = ask.notes.get("names", "").split()
    latin = [one.capitalize() for one in names if one.isascii()]
    korean = [one for one in names if not one.isascii()]
    if not names:
        return None
    return where("brand_ko", korean, "in") if korean else where("brand_en", latin, "in")


_SAID: Final = frozenset({f"{UNKNOWN}{SAID}", NAMED})
_FIGURES: Final = frozenset({"price_krw", "rating", "review_count", "discount_percent", "stock"})
"""The figures of goods that a query can hold bounds on, beside their properties."""


def _held_as(field: str) -> str:
    """Return what a query calls a figure of goods, that of a property as well; empty where it can hold no bound on it."""
    name = field.removeprefix(ATTRIBUTE)
    is_number = field in _FIGURES or (field.startswith(ATTRIBUTE) and properties().get(name) == "number")
    return "" if not is_number else name if field in _FIGURES else dimension_of(name)


def _bounds_of(ask: Ask) -> list[dict[str, object]]:
    """Return the conditions of an ask as the query itself holds them: of numbers their bounds, of words what they are."""
    own = (one for one in ask.conditions if one.operator not in EXTREMES)
    return [bound for one in own if (bound := _bound_of(one)) is not None][:_BOUNDS_MAX]


def _bound_of(one: AskCondition) -> dict[str, object] | None:
    """Return a condition as a filter; None where a query cannot hold it, or its kind of goods may not have it."""
    several = one.value.split("|")
    if name := _held_as(one.field):
        return where(
            name, [float(each) for each in several] if one.operator == "in" else float(one.value), one.operator
        )
    if one.field == LINE:
        return where("name_ko", f" {one.value} ", "contains") if one.operator == "eq" else None
    name = one.field.removeprefix(ATTRIBUTE)
    if not one.field.startswith(ATTRIBUTE):
        return None
    if one.value in _DENIED:
        truth = one.value if one.operator == "eq" else _DENIED[one.value]
        return where("attributes", f'"{name}": {truth}', "contains")
    said = several if one.operator == "in" else one.value
    return where(dimension_of(name), said, one.operator) if name in properties() else None


_BOUNDS_MAX: Final = 15
"""So many filters a query has room for beside the kind of goods; the rows are held against every condition anyway."""
_DENIED: Final = {"true": "false", "false": "true"}
"""A truth, and what it is where it is denied."""


def chosen(ask: Ask, found: Found, dataset: str = "products") -> Choice:
    """Return the goods of a data set that meet every condition of an ask."""
    rows = tuple({row.text("product_id"): row for row in rows_of(found.readings, dataset)}.values())
    if ids := ids_of(ask):
        rows = tuple(sorted(rows, key=lambda row: ids.index(row.text("product_id"))))
    kept, brands = _of_brands(rows, ask)
    conditions, known = [], []
    for one in ask.conditions:
        if one.field in _SAID and any(one.words in f"{row.text('name_ko')} {row.text('name_en')}" for row in rows):
            # A maker or a model line, which the rows themselves hold.
            continue
        told = _applied(one, rows)
        conditions.append(told)
        known += [one] if told.applied else []
    fitting = [
        row for row in _of_lines(kept, ask) if all(meets(row, one) for one in known if one.operator not in EXTREMES)
    ]
    for one in known:
        if one.operator in EXTREMES:
            fitting = _extreme(fitting, one)
    if not any(stock_left(row) for row in fitting) and (wider := _without_least(ask)) is not None:
        return chosen(wider, found, dataset)
    makers = ask.notes.get("names", "").casefold().split()
    own = all({row.text("brand_ko"), row.text("brand_en").casefold()} & set(makers) for row in kept) and bool(kept)
    is_cut = any(one.truncated for one in (found.readings[-1:] if own and makers else found.readings[:1]))
    return Choice(tuple(_ordered(fitting, ask)), rows, tuple(conditions), brands, is_cut)


def stock_left(row: QueryRow) -> int:
    """Return how many pieces of a product are left."""
    return int(row.number("stock") or 0)


def _without_least(ask: Ask) -> Ask | None:
    """Return an ask for goods of about a price without its lower end, which nobody set; None where a range was said."""
    by_words: dict[str, dict[str, AskCondition]] = {}
    for one in ask.conditions:
        if one.field == "price_krw":
            by_words.setdefault(one.words, {})[one.operator] = one
    for ends in by_words.values():
        least, most = ends.get("ge"), ends.get("le")
        if least is not None and most is not None and Decimal(most.value) * 2 == Decimal(least.value) * 3:
            return replace(ask, conditions=tuple(one for one in ask.conditions if one is not least))
    return None


def _applied(one: AskCondition, rows: Sequence[QueryRow]) -> AskCondition:
    if one.operator in EXTREMES:
        known = any(number_of(row, one.field) is not None for row in rows)
        return replace(one, applied=known, reason="" if known else "not in the data")
    if one.field.startswith("unknown.") or (rows and all(meets(row, one) is None for row in rows)):
        return replace(one, applied=False, reason="not in the data")
    return replace(one, applied=True)


def _of_brands(rows: Sequence[QueryRow], ask: Ask) -> tuple[tuple[QueryRow, ...], Said | None]:
    """Return the goods of the makers that the newest message that names any wants."""
    names = list(dict.fromkeys((row.text("brand_ko"), row.text("brand_en")) for row in rows))
    for said in ask.notes.get("said", "").split("\n"):
        wanted: list[tuple[str, str]] = []
        denied: list[tuple[str, str]] = []
        for ko, en in names:
            match = re.search(rf"{re.escape(ko)}|\b{re.escape(en)}\b", said, re.IGNORECASE)
            if match is None:
                continue
            is_denied = re.match(DENIED, said[match.end() :]) or re.search(
                DENIED_EN, said[: match.start()], re.IGNORECASE
            )
            (denied if is_denied else wanted).append((ko, en))
        if wanted or denied:
            kept = tuple(
                row
                for row in rows
                if (
                    (row.text("brand_ko"), row.text("brand_en")) in wanted
                    if wanted
                    else (row.text("brand_ko"), row.text("brand_en")) not in denied
                )
            )
            label = (
                Said("·".join(ko for ko, _ in wanted), " or ".join(en for _, en in wanted))
                if wanted
                else Said(f"{'·'.join(ko for ko, _ in denied)} 아닌 것", f"not {' or '.join(en for _, en in denied)}")
            )
            return kept, label
    return tuple(rows), None


def _of_lines(rows: Sequence[QueryRow], ask: Ask) -> tuple[QueryRow, ...]:
    """Return the goods of the model lines that are named right behind a maker or right before the kind of goods."""
    kinds = [re.escape(one.words) for one in ask.subjects if one.kind == "category" and one.words]
    before_kind = rf"\s?(?:{'|'.join(kinds)})" if kinds else r"(?!)"
    for said in ask.notes.get("said", "").split("\n"):
        kept = tuple(row for row in rows if any(_names_line(row, one, before_kind, said) for one in ("ko", "en")))
        if kept:
            return kept
    return tuple(rows)


def _names_line(row: QueryRow, language: str, before_kind: str, said: str) -> bool:
    line = line_of(row, language)
    if not line:
        return False
    maker = re.escape(row.text(f"brand_{language}"))
    word = rf"(?<![가-힣A-Za-z]){re.escape(line)}"
    return re.search(rf"{maker}\s{re.escape(line)}(?![A-Za-z])|{word}{before_kind}", said, re.IGNORECASE) is not None


def line_of(row: QueryRow, language: str) -> str:
    """Return a product's model line: what stands between maker and model code in its name."""
    name, maker = row.text(f"name_{language}"), row.text(f"brand_{language}")
    match = MODEL.search(name)
    return name[len(maker) : match.start()].strip() if match and name.startswith(maker) else ""


def _extreme(rows: Sequence[QueryRow], one: AskCondition) -> list[QueryRow]:
    """Return those of the greatest, or the smallest, figure among what can be bought."""
    figures = [figure for row in rows if row.number("stock") and (figure := number_of(row, one.field)) is not None]
    if not figures:
        return list(rows)
    best = max(figures) if one.operator == "most" else min(figures)
    return [row for row in rows if number_of(row, one.field) == best]


def _ordered(rows: Iterable[QueryRow], ask: Ask) -> list[QueryRow]:
    by = ask.order_by or ("" if ids_of(ask) else "price_krw")
    if not by:
        return list(rows)
    sign = -1 if ask.descending else 1
    stock_first = by == "price_krw" or by.startswith(ATTRIBUTE) or ask.form is AskForm.LIST

    def place(row: QueryRow) -> tuple[bool, Decimal, Decimal, str]:
        sold_out = stock_first and not (row.number("stock") or 0)
        figure, price = number_of(row, by) or Decimal(0), row.number("price_krw") or Decimal(0)
        return (sold_out, sign * figure, price, row.text("product_id"))

    return sorted(rows, key=place)


def named_models(ask: Ask, choice: Choice) -> list[QueryRow]:
    """Return the models that were named: of several of one code those that the words beside it name best."""
    codes = codes_of(ask)
    if not codes:
        return list(choice.rows or choice.all)
    return [row for code in codes for row in models_of(code, ask, choice)]


def models_of(code: str, ask: Ask, choice: Choice) -> list[QueryRow]:
    """Return the models of one code that the words beside it name best."""
    own = [row for row in choice.all if f" {code} " in f" {row.text('name_ko')} "]
    said = ask.notes.get("said", ask.words)
    near = _beside(code, said)
    kinds = {one.value for one in ask.subjects if one.kind == "category"}
    # A kind that stands right at the code is that model's; one named elsewhere in the question may be another's.
    scores = [
        (2 * _likeness(row, near) + (row.text("category") in kinds) + _likeness(row, said.casefold()) / 100, row)
        for row in own
    ]
    best = max((score for score, _ in scores), default=0)
    return [row for score, row in scores if score == best]


def _beside(code: str, said: str) -> str:
    """Return the words around a code, as far as what joins it to the next one."""
    parts = (said[start:end] for one, start, end in parts_of_models(said) if one == code)
    return next(parts, said).casefold()


def _is_said(word: str, said: str) -> bool:
    """Tell whether a word of a name stands in a text: as a word of its own where Latin letters or digits write it."""
    if word not in said or not word.isascii():
        return word in said
    return re.search(rf"(?<![a-z0-9]){re.escape(word)}(?:e?s)?(?![a-z0-9])", said) is not None


def _likeness(row: QueryRow, said: str) -> int:
    words = {word.casefold() for name in ("name_ko", "name_en") for word in row.text(name).split() if len(word) > 1}
    # "the S40 watch" is a smartwatch, and a phone a smartphone.
    ends = {one.removesuffix("s") for one in re.findall(r"[a-z]{4,}", said)}
    return sum(_is_said(word, said) or any(word != one and word.endswith(one) for one in ends) for word in words)
