"""The lines of an order or a cart: which products, how many of each, and what has to be asked before that is certain."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import Ask, Said
from services.domains.commerce.actions import wording
from services.domains.commerce.asks.acts import goods
from services.domains.commerce.asks.acts.proposing import OWN, lacking, unusable
from services.domains.commerce.asks.goods.saying import full_name
from services.domains.commerce.rules import RULES
from services.plugin.asks.answering import Call, Found, Outcome, declined
from services.plugin.asks.telling import QueryRow, filled, query, rows_of

_CART_FIELDS: Final = ("product_id", "name_ko", "name_en", "category", "quantity", "price_krw", "stock")


def cart_calls(_ask: Ask) -> Sequence[Call]:
    """Return the query for what is in the cart."""
    return [query("own_cart", _CART_FIELDS, mode="rows", tool=OWN, limit=100)]


Lines = list[tuple[QueryRow, int]]
"""Products with how many of each."""


def goods_said(lines: Lines) -> Said:
    """Return the lines of an order in a few words."""
    return wording.goods([wording.pieces(full_name(row), count) for row, count in lines])


def is_part(ask: Ask) -> bool:
    """Tell whether an ask names goods, and so means a part of the cart."""
    return bool(goods.categories(ask) or goods.listed_in(ask, "codes") or goods.listed_in(ask, "ids"))


def shop_lines(ask: Ask, found: Found) -> Lines | Outcome:
    """Return the products of the shop that an ask means with how many of each, or what has to be asked or told."""
    if lines := goods.listed_in(ask, "lines"):
        return _several(ask, found, lines)
    meant = goods.of_shop(ask, found)
    if not meant.rows:
        return Outcome(declined(ask, goods.not_sold(ask))) if _names(ask) else lacking(ask, "product", _WHAT)
    if meant.one is None and (ask.notes.get("picked") or not goods.listed_in(ask, "ids")):
        return lacking(ask, "product", goods.which(meant.rows), meant.rows[:3])
    count = int(ask.notes.get("quantity") or 1)
    return [(row, count) for row in meant.rows]


def uncountable(ask: Ask, lines: Lines) -> Outcome | None:
    """Ask how many it shall be where what is said is no number, or none that one order may hold; None where it is."""
    most, said = RULES.orders.quantity_max, ask.notes.get("uncounted", "")
    wrong = next(((row, count) for row, count in lines if said or not 1 <= count <= most), None)
    if wrong is None:
        return None
    row, count = wrong
    sentence = filled(
        "{name:은/는} 한 번에 1개부터 {most}개까지 됩니다. {n:으로/로}는 할 수 없고, 바뀐 것은 없습니다. 몇 개로 할까요?",
        "Of {name}, 1 to {most} can be had at once: {n} cannot be done, and nothing was changed. How many shall it be?",
        name=full_name(row),
        most=str(most),
        n=Said(said, said) if said else Said(f"{count}개", str(count)),
    )
    if ask.notes.get("lines"):
        return Outcome(replace(declined(ask, sentence), told=goods.told_of([row])))
    return unusable(lacking(ask, "quantity", sentence, [row]), "quantity", said or str(count))


def _names(ask: Ask) -> bool:
    return bool(ask.notes.get("goods") or is_part(ask))


_WHAT: Final = Said("어떤 상품인지 알려주세요.", "Which product do you mean?")


def _several(ask: Ask, found: Found, lines: Sequence[str]) -> Lines | Outcome:
    rows, chosen = rows_of(found.readings, "products"), []
    for line in lines:
        code, _, count = line.partition("=")
        meant = goods.by_code(ask, code, rows)
        if not meant.rows:
            return Outcome(declined(ask, goods.not_sold(replace(ask, notes={"codes": code}))))
        if meant.one is None:
            return lacking(ask, "product", goods.which(meant.rows), meant.rows[:3])
        chosen.append((meant.one, int(count)))
    return chosen
