"""Which product is meant: of the shop, of the cart, of an order, or of what an answer told of. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from services.contract.asks import Ask, Said, Told
from services.domains.commerce.actions.wording import won
from services.domains.commerce.asks.acts import choosing
from services.domains.commerce.asks.goods.saying import full_name
from services.plugin.asks.answering import Call, Found
from services.plugin.asks.telling import QueryRow, filled, listed, query, rows_of, where

FIELDS: Final = (
    *("product_id", "name_ko", "name_en", "brand_ko", "brand_en", "category", "attributes", "price_krw"),
    *("discount_percent", "stock", "rating", "review_count"),
)
_ROWS_MAX: Final = 100
_OFFERED_MAX: Final = 3


@dataclass(frozen=True, slots=True)
class GoodsMeant:
    """The products that words mean."""

    rows: tuple[QueryRow, ...]
    """One where it is certain; several where the words fit several; none where nothing fits."""

    @property
    def one(self) -> QueryRow | None:
        """The product, where it is certain."""
        return self.rows[0] if len(self.rows) == 1 else None


def listed_in(ask: Ask, name: str) -> tuple[str, ...]:
    """Return the values of a note that holds several."""
    return tuple(filter(None, ask.notes.get(name, "").split("|")))


def is_left_out(ask: Ask, row: QueryRow) -> bool:
    """Tell whether a product was said to be left out of what is under way."""
    if only := listed_in(ask, "only"):
        return not (row.text("category") in only or any(f" {one} " in f" {row.text('name_ko')} " for one in only))
    left = listed_in(ask, "without")
    return row.text("category") in left or any(f" {one} " in f" {row.text('name_ko')} " for one in left)


def counted_anew(ask: Ask, row: QueryRow) -> int:
    """Return how many of a product of a kind were asked for anew; 0 where none were."""
    counts = dict(one.split("=") for one in listed_in(ask, "counts"))
    return int(counts.get(row.text("category"), 0))


def named_in(ask: Ask, rows: Sequence[QueryRow]) -> list[QueryRow]:
    """Return those of a person's own rows that an ask names: by what was told of, by code, by kind, or by a word of the name."""
    kinds, codes, ids = categories(ask), listed_in(ask, "codes"), listed_in(ask, "ids")
    named = bool(kinds or codes or ids) or not ask.notes.get("goods")
    words = [] if named else re.findall(r"[a-z]{4,}|[가-힣]{2,}", ask.notes.get("said", "").lower().split("\n")[-1])
    return [
        row
        for row in rows
        if row.text("product_id") in ids
        or any(f" {code} " in f" {row.text('name_ko')} " for code in codes)
        or (not codes and row.text("category") in kinds)
        or any(word in row.text(name).lower() for word in words for name in ("name_ko", "name_en"))
    ]


def categories(ask: Ask) -> tuple[str, ...]:
    """Return the kinds of goods that an ask names."""
    return tuple(dict.fromkeys(one.value for one in ask.subjects if one.kind == "category"))


def shop_calls(ask: Ask) -> Sequence[Call]:
    """Return the queries for the goods that an ask names: by id, by code, by kind, or by their words."""
    if ids := listed_in(ask, "ids"):
        return [_rows(where("product_id", ids, "in"))]
    if codes := listed_in(ask, "codes"):
        return [_rows(where("name_ko", f" {code} ", "contains")) for code in codes]
    if kinds := categories(ask):
        return [_rows(where("category", kind)) for kind in kinds[:2]]
    if words := ask.notes.get("goods", ""):
        return [_rows(where(field, words, "contains")) for field in ("name_ko", "name_en")]
    return []


def _rows(condition: dict[str, object]) -> Call:
    ordered: dict[str, Any] = {"order_by": "rating", "descending": True}
    return query("products", FIELDS, mode="rows", filters=[condition], limit=_ROWS_MAX, **ordered)


def of_shop(ask: Ask, found: Found) -> GoodsMeant:
    """Return the products of the shop that an ask means."""
    return best(ask, rows_of(found.readings, "products"))


def best(ask: Ask, rows: Sequence[QueryRow]) -> GoodsMeant:
    """Return the products whose names the words say best; of equal ones all."""
    unique = tuple({row.text("product_id"): row for row in rows}.values())
    picked = ask.notes.get(choosing.PICKED, "")
    if ids := listed_in(ask, "ids"):
        told = tuple(
            sorted(
                (row for row in unique if row.text("product_id") in ids),
                key=lambda row: ids.index(row.text("product_id")),
            )
        )
        return GoodsMeant(choosing.chosen(ask.notes, told, picked) if picked else told)
    kinds = categories(ask)
    fitting = [row for row in unique if not kinds or row.text("category") in kinds] or list(unique)
    said = picked or ask.notes.get("said", "")
    if ask.notes.get(choosing.MARKS) or ask.notes.get(choosing.ORDERED):
        return GoodsMeant(choosing.chosen(ask.notes, fitting, said))
    scores = [(_score(row, said), row) for row in fitting]
    most = max((score for score, _ in scores), default=0)
    return GoodsMeant(tuple(row for score, row in scores if score == most))


def by_code(ask: Ask, code: str, rows: Sequence[QueryRow]) -> GoodsMeant:
    """Return the products of a model code that the words say best."""
    return best(ask, [row for row in rows if f" {code} " in f" {row.text('name_ko')} "])


def _score(row: QueryRow, said: str) -> int:
    """Return how many words of a product's name a message says; its colour counts like the others."""
    korean = sum(word in said for word in set(row.text("name_ko").split()))
    plain = said.lower()
    english = sum(
        re.search(rf"\b{re.escape(word)}\b", plain) is not None for word in set(row.text("name_en").lower().split())
    )
    return max(korean, english)


def which(rows: Sequence[QueryRow]) -> Said:
    """Ask which of several products is meant, with those that can be bought first."""
    there = [row for row in rows if (row.number("stock") or 0) > 0] or list(rows)
    offered = listed([_offered(row) for row in there[:_OFFERED_MAX]])
    more = len(rows) - min(_OFFERED_MAX, len(there))
    rest = Said(f" 외 {more}개", f" and {more} more") if more > 0 else Said("", "")
    return filled(
        "어떤 상품인가요? {offered:이/가} 있습니다.",
        "Which product do you mean? There are {offered}.",
        offered=Said(f"{offered.ko}{rest.ko}", f"{offered.en}{rest.en}"),
    )


def _offered(row: QueryRow) -> Said:
    return filled("{name} {price}", "{name} {price}", name=full_name(row), price=won(int(row.number("price_krw") or 0)))


def told_of(rows: Sequence[QueryRow]) -> tuple[Told, ...]:
    """Return products as what later messages may point to."""
    return tuple(
        Told("product", row.text("product_id"), row.text("name_ko"), {"price_krw": row.text("price_krw")})
        for row in rows
    )


def not_sold(ask: Ask) -> Said:
    """Tell that the shop does not sell what was named, or that none of what was told of is as was said."""
    if ask.notes.get("ids"):
        return Said("보여 드린 것 중에는 말씀하신 상품이 없습니다.", "None of those that I showed you is as you say.")
    if ask.notes.get(choosing.MARKS):
        return Said(
            "말씀하신 조건에 맞는 상품이 이 쇼핑몰에 없습니다.", "This shop has no product that is all you say."
        )
    named = ask.notes.get("goods", "") or " ".join(listed_in(ask, "codes"))
    if not named:
        return Said("그런 상품은 이 쇼핑몰에 없습니다.", "This shop has no such product.")
    return filled("‘{name}’ 상품은 이 쇼핑몰에서 찾지 못했습니다.", "This shop has no product “{name}”.", name=named)
