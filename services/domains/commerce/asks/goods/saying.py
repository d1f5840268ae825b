"""How a reader is told of goods, their figures and the conditions on them."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskCondition, Said, Told
from services.domains.commerce.asks.goods.features import (
    ATTRIBUTE,
    CODE_FIELD,
    attributes_of,
    label_of,
    rating_said,
    value_said,
)
from services.domains.commerce.asks.goods.qualities import NAMED, SAID, qualities
from services.domains.commerce.asks.goods.rows import EXTREMES, Choice
from services.domains.commerce.asks.goods.subjects import category_of
from services.domains.commerce.asks.goods.words import MODEL
from services.domains.commerce.rules import FREE_SHIPPING_FROM_KRW
from services.plugin.asks.telling import QueryRow, exact_won, listed
from services.plugin.entities import name_rows

_NAMES: Final = {
    row.id: Said(row.name.ko, row.name.en) for row in name_rows("services.domains.commerce", "data/categories.yaml")
}


_FIGURES: Final = {
    "price_krw": Said("값", "price"),
    "rating": Said("평점", "rating"),
    "review_count": Said("리뷰", "reviews"),
    "discount_percent": Said("할인", "discount"),
}


_BOUNDS: Final = {
    "lt": ("미만", "under"),
    "le": ("이하", "at most"),
    "gt": ("초과", "over"),
    "ge": ("이상", "at least"),
    "eq": ("", ""),
}


def category_said(ask: Ask, rows: Sequence[QueryRow] = ()) -> Said:
    """Return what the goods are called."""
    return kind_said(category_of(ask) or (rows[0].text("category") if rows else ""))


def kind_said(category: str) -> Said:
    """Return what goods of a kind are called."""
    return _NAMES.get(category, Said("상품", "products"))


def limits_said(choice: Choice, ask: Ask) -> Said:
    """Return the conditions that were applied, as a reader is told of them; empty where there are none."""
    category = category_of(ask) or (choice.all[0].text("category") if choice.all else "")
    parts = [choice.brands] if choice.brands else []
    parts += [_condition_said(one, category) for one in choice.conditions if one.applied]
    prices = [one for one in choice.conditions if one.applied and one.field == "price_krw"]
    if len(prices) > 1 and all(one.words == prices[0].words for one in prices):
        low, high = (exact_won(Decimal(one.value)) for one in prices[:2])
        parts = [one for one in parts if one not in [_condition_said(two, category) for two in prices]]
        parts.append(Said(f"{low.ko}~{high.ko}", f"{low.en} to {high.en}"))
    return listed(list(dict.fromkeys(parts)))


def _condition_said(one: AskCondition, category: str) -> Said:
    if one.field.startswith(ATTRIBUTE):
        return label_of(one, category)
    if one.field == CODE_FIELD:
        return Said(f"{one.value} 아닌 것", f"not the {one.value}")
    if one.field == "stock":
        ko, en = _BOUNDS[one.operator]
        some = Said("재고 있음", "in stock")
        return (
            some if one.value == "0" else Said(f"재고 {one.value}개 {ko}".strip(), f"{en} {one.value} in stock".strip())
        )
    if one.words == "free_shipping":
        free = exact_won(FREE_SHIPPING_FROM_KRW)
        return Said(f"무료배송({free.ko} 이상)", f"free shipping (from {free.en})")
    return _extreme_said(one) if one.operator in EXTREMES else _figure_said(one)


def _extreme_said(one: AskCondition) -> Said:
    label = _FIGURES[one.field]
    ko, en = ("가장 높은", "highest") if one.operator == "most" else ("가장 낮은", "lowest")
    return Said(f"{ko} {label.ko}", f"the {en} {label.en}")


def _figure_said(one: AskCondition) -> Said:
    ko, en = _BOUNDS[one.operator]
    label = _FIGURES[one.field]
    if one.field == "price_krw":
        value = exact_won(Decimal(one.value))
        return Said(f"{value.ko} {ko}".strip(), f"{en} {value.en}".strip())
    if one.field == "discount_percent":
        return Said(
            f"할인 {one.value}% {ko}" if one.value != "0" else "할인 중",
            f"{en} {one.value}% off" if one.value != "0" else "discounted",
        )
    return Said(f"{label.ko} {one.value} {ko}".strip(), f"{label.en} {en} {one.value}")


def unapplied_said(choice: Choice, ask: Ask) -> Said | None:
    """Return which conditions the data cannot tell of; None where all were applied."""
    names = [one for one in choice.conditions if not one.applied]
    if not names:
        return None
    labels = []
    category = category_of(ask)
    for one in names:
        key = one.field.partition(".")[2]
        if key in qualities():
            labels.append(qualities()[key].label)
        elif one.field == NAMED or key == SAID:
            labels.append(Said(f"‘{one.words}’", f"“{one.words}”"))
        elif key == "size":
            labels.append(Said(f"사이즈({one.words})", f"the size ({one.words})"))
        else:
            attribute = next((two.label for two in attributes_of(category) if two.name == key), Said("색", "colour"))
            labels.append(attribute)
    names_said = listed(list(dict.fromkeys(labels)))
    return Said(
        f"{names_said.ko} 조건은 상품 자료에 없어 따지지 못했습니다.",
        f"The data says nothing of {names_said.en}, so that condition was not applied.",
    )


def short_name(row: QueryRow) -> Said:
    """Return a product's name up to its model code."""
    parts = []
    for name in (row.text("name_ko"), row.text("name_en")):
        match = MODEL.search(name)
        parts.append(name[: match.end()] if match else name)
    return Said(*parts)


def full_name(row: QueryRow) -> Said:
    """Return a product's whole name."""
    return Said(row.text("name_ko"), row.text("name_en"))


def price_of(row: QueryRow) -> Decimal:
    """Return what a product costs."""
    return row.number("price_krw") or Decimal(0)


def stock_of(row: QueryRow) -> int:
    """Return how many pieces are left."""
    return int(row.number("stock") or 0)


def figure_said(row: QueryRow, by: str) -> Said:
    """Return the figure that goods are ranked by."""
    match by:
        case "rating":
            rating = rating_said(row)
            return Said(f"평점 {rating}", f"rated {rating}")
        case "review_count":
            count = f"{int(row.number('review_count') or 0):,}"
            return Said(f"리뷰 {count}개", f"{count} reviews")
        case "discount_percent":
            percent = int(row.number("discount_percent") or 0)
            return Said(f"{percent}% 할인", f"{percent}% off")
        case "stock":
            return Said(f"재고 {stock_of(row)}개", f"{stock_of(row)} in stock")
        case "price_krw":
            return exact_won(price_of(row))
        case _:
            attribute = next(one for one in attributes_of(row.text("category")) if one.field == by)
            return value_said(row, attribute)


def stock_said(row: QueryRow) -> Said:
    """Return how many are left, or that it is sold out."""
    left = stock_of(row)
    return Said(f"재고 {left}개", f"{left} in stock") if left else Said("품절", "sold out")


def line_said(row: QueryRow) -> Said:
    """Return a product in one line: name, price, rating with reviews, stock."""
    name, price, left, rating = full_name(row), exact_won(price_of(row)), stock_said(row), rating_said(row)
    count = f"{int(row.number('review_count') or 0):,}"
    return Said(
        f"{name.ko}: {price.ko}, 평점 {rating}(리뷰 {count}), {left.ko}",
        f"{name.en}: {price.en}, rated {rating} ({count}), {left.en}",
    )


def told_of(row: QueryRow) -> Told:
    """Return a product as one of a set that later words may point to."""
    figures = {name: row.text(name) for name in ("price_krw", "rating", "review_count", "stock")}
    return Told("product", row.text("product_id"), row.text("name_ko"), figures)


def priced_name(row: QueryRow) -> Said:
    """Say a product by its name and price, and whether it is sold out."""
    price, out = exact_won(price_of(row)), Said("", "") if stock_of(row) else Said("(품절)", " (sold out)")
    name = full_name(row)
    return Said(f"{name.ko} {price.ko}{out.ko}", f"{name.en} {price.en}{out.en}")


def named_with(row: QueryRow, by: str) -> Said:
    """Say a product by its short name with one figure behind it."""
    name, figure = short_name(row), figure_said(row, by)
    return Said(f"{name.ko}({figure.ko})", f"{name.en} ({figure.en})")


def in_stock_said(count: int, total: int) -> Said:
    """Return how many of so many goods can be bought, as the end of a sentence."""
    if count == total:
        return Said("입니다", "")
    return Said(f"이고 재고가 있는 것은 {count}개입니다", f", {count} of them in stock")
