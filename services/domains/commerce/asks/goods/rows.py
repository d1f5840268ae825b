"""The rows of goods that an ask is about: those that meet all of its conditions, in order."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskCondition, Said
from services.domains.commerce.asks.goods.features import meets
from services.domains.commerce.asks.goods.subjects import category_of, codes_of, ids_of
from services.domains.commerce.asks.goods.words import DENIED, DENIED_EN
from services.plugin.asks.answering import Call, Found
from services.plugin.asks.telling import QueryRow, query, rows_of, where

FIELDS: Final = (
    *("product_id", "name_ko", "name_en", "brand_ko", "brand_en", "category", "attributes", "price_krw"),
    *("list_price_krw", "discount_percent", "rating", "review_count", "stock"),
)
"""What is read of a product."""


DATA: Final = Said("상품과 판매가", "Products and offers")


_ROWS_MAX: Final = 200


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
    return [
        query("products", FIELDS, mode="rows", filters=own, order_by="price_krw", descending=False, limit=_ROWS_MAX)
    ]


def chosen(ask: Ask, found: Found) -> Choice:
    """Return the goods that meet every condition of an ask."""
    rows = tuple({row.text("product_id"): row for row in rows_of(found.readings, "products")}.values())
    if ids := ids_of(ask):
        rows = tuple(sorted(rows, key=lambda row: ids.index(row.text("product_id"))))
    kept, brands = _of_brands(rows, ask)
    conditions, known = [], []
    for one in ask.conditions:
        told = _applied(one, rows)
        conditions.append(told)
        known += [one] if told.applied else []
    fitting = [row for row in kept if all(meets(row, one) for one in known)]
    return Choice(tuple(_ordered(fitting, ask)), rows, tuple(conditions), brands)


def _applied(one: AskCondition, rows: Sequence[QueryRow]) -> AskCondition:
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


def _ordered(rows: Iterable[QueryRow], ask: Ask) -> list[QueryRow]:
    by = ask.order_by or ("" if ids_of(ask) else "price_krw")
    if not by:
        return list(rows)
    sign = -1 if ask.descending else 1
    is_price = by == "price_krw"

    def place(row: QueryRow) -> tuple[bool, Decimal, Decimal, str]:
        sold_out = is_price and not (row.number("stock") or 0)
        return (
            sold_out,
            sign * (row.number(by) or Decimal(0)),
            row.number("price_krw") or Decimal(0),
            row.text("product_id"),
        )

    return sorted(rows, key=place)


def named_models(ask: Ask, choice: Choice) -> list[QueryRow]:
    """Return the models that were named: of several of one code the one whose maker, line or kind the words name."""
    codes = codes_of(ask)
    if not codes:
        return list(choice.rows or choice.all)
    found = []
    said = ask.notes.get("said", ask.words).casefold()
    for code in codes:
        own = [row for row in choice.all if f" {code} " in f" {row.text('name_ko')} "]
        best = max(own, key=lambda row: _likeness(row, said), default=None)
        if best is not None:
            score = _likeness(best, said)
            found += [row for row in own if _likeness(row, said) == score]
    return found


def _likeness(row: QueryRow, said: str) -> int:
    words = {word.casefold() for name in ("name_ko", "name_en") for word in row.text(name).split() if len(word) > 1}
    return sum(word in said for word in words)
