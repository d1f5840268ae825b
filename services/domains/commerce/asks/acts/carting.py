"""The cart: putting in, taking out, another number, a coupon."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskAnswer, Said
from services.domains.commerce.actions import wording
from services.domains.commerce.asks.acts import goods
from services.domains.commerce.asks.acts.coupons import coupon_calls, coupon_of
from services.domains.commerce.asks.acts.lines import cart_calls, is_part, shop_lines, uncountable
from services.domains.commerce.asks.acts.proposing import lacking, prepared
from services.domains.commerce.asks.goods.saying import full_name
from services.plugin.asks.answering import Answerer, Call, Found, Outcome, answered, declined
from services.plugin.asks.telling import QueryRow, filled, listed, rows_of
from services.plugin.findings import action_request

AGENTS: Final = ("commerce.order_flow",)
"""Who keeps the cart."""


def _add(ask: Ask, found: Found) -> Outcome:
    lines = shop_lines(ask, found)
    if isinstance(lines, Outcome):
        return lines
    if uncounted := uncountable(ask, lines):
        return uncounted
    rows = [row for row, _ in lines]
    if not ask.notes.get("quantity") and not ask.notes.get("lines"):
        name = listed([full_name(row) for row in rows])
        how_many = filled("{name:을/를} 몇 개 담을까요?", "How many of {name} shall I put into your cart?", name=name)
        return lacking(ask, "quantity", how_many, rows)
    return prepared(
        ask,
        [
            action_request("ADD_TO_CART", "order_add_to_cart", product_id=row.text("product_id"), quantity=count)
            for row, count in lines
        ],
        rows,
    )


def _in_cart(ask: Ask, found: Found) -> tuple[QueryRow, ...] | Outcome:
    """Return what of the cart an ask means; an answer where nothing of it is meant."""
    rows = rows_of(found.readings, "own_cart")
    if not rows:
        return Outcome(answered(ask, Said("장바구니는 이미 비어 있습니다.", "Your cart is empty already.")))
    if kept := goods.listed_in(ask, "kept"):
        return _beside_kept(ask, rows, kept)
    if ask.notes.get("all") and not is_part(ask):
        return rows
    if not is_part(ask) and not ask.notes.get("goods"):
        return rows if len(rows) == 1 else lacking(ask, "product", _which_of_cart(rows), rows)
    fitting = goods.named_in(ask, rows)
    if not fitting:
        return Outcome(declined(ask, filled(_NOT_THERE.ko, _NOT_THERE.en, items=_cart_said(rows))))
    meant = goods.best(ask, fitting)
    return (
        meant.rows
        if meant.one is not None or ask.notes.get("ids")
        else lacking(ask, "product", _which_of_cart(meant.rows), rows)
    )


def _beside_kept(ask: Ask, rows: Sequence[QueryRow], kept: Sequence[str]) -> tuple[QueryRow, ...]:
    """Return what goes where some goods are said to stay: what is named beside them, else all the rest."""
    rest = tuple(row for row in rows if row.text("category") not in kept)
    named = [kind for kind in goods.categories(ask) if kind not in kept]
    return tuple(row for row in rest if row.text("category") in named) or rest


_NOT_THERE: Final = Said(
    "장바구니에 그 상품이 없습니다. 담긴 것은 {items}입니다.", "Your cart does not hold that. It holds {items}."
)


def _cart_said(rows: Sequence[QueryRow]) -> Said:
    return wording.goods([wording.pieces(full_name(row), int(row.number("quantity") or 1)) for row in rows])


def _which_of_cart(rows: Sequence[QueryRow]) -> Said:
    return filled(
        "장바구니의 어떤 상품인가요? {items}이 있습니다.",
        "Which of your cart do you mean? It holds {items}.",
        items=_cart_said(rows),
    )


def _remove(ask: Ask, found: Found) -> Outcome:
    rows = _in_cart(ask, found)
    if isinstance(rows, Outcome):
        return rows
    if uncounted := uncountable(ask, [(rows[0], int(ask.notes.get("quantity") or 1))]):
        return uncounted
    count = {"quantity": int(ask.notes["quantity"])} if ask.notes.get("quantity") and len(rows) == 1 else {}
    return prepared(
        ask,
        [
            action_request("REMOVE_FROM_CART", "order_remove_from_cart", product_id=row.text("product_id"), **count)
            for row in rows
        ],
        rows,
    )


def _recount(ask: Ask, found: Found) -> Outcome:
    rows = _in_cart(ask, found)
    if isinstance(rows, Outcome):
        return rows
    if uncounted := uncountable(ask, [(rows[0], int(ask.notes.get("quantity") or 1))]):
        return uncounted
    if not ask.notes.get("quantity") or len(rows) != 1:
        many = Said("몇 개로 바꿀까요?", "How many shall it be?")
        return lacking(ask, "quantity", many, rows)
    row, wanted = rows[0], int(ask.notes["quantity"])
    change = wanted - int(row.number("quantity") or 0)
    if not change:
        same = filled("이미 {n}개 담겨 있습니다.", "The cart holds {n} already.", n=str(wanted))
        return Outcome(answered(ask, same))
    name, tool = ("ADD_TO_CART", "order_add_to_cart") if change > 0 else ("REMOVE_FROM_CART", "order_remove_from_cart")
    wish = action_request(name, tool, product_id=row.text("product_id"), quantity=abs(change))
    return prepared(ask, [wish], rows)


def _coupon_calls(ask: Ask) -> Sequence[Call]:
    return [*cart_calls(ask), *coupon_calls()]


def _coupon(ask: Ask, found: Found) -> Outcome:
    rows = rows_of(found.readings, "own_cart")
    if not rows:
        return Outcome(
            declined(
                ask,
                Said("장바구니가 비어 있어 쿠폰을 쓸 수 없습니다.", "Your cart is empty, so no coupon can be used."),
            )
        )
    total = sum(((row.number("price_krw") or Decimal(0)) * (row.number("quantity") or 1) for row in rows), Decimal(0))
    coupon = coupon_of(replace(ask, notes={"coupon": "best", **ask.notes}), found, total)
    if coupon is None or isinstance(coupon, AskAnswer):
        return Outcome(coupon or declined(ask, Said("쓸 쿠폰이 없습니다.", "There is no coupon to use.")))
    return prepared(ask, [action_request("APPLY_COUPON", "order_apply_coupon", coupon_id=coupon.text("coupon_id"))])


ANSWERERS: Final = (
    Answerer("act_add", AGENTS, _add, goods.shop_calls),
    Answerer("act_remove", AGENTS, _remove, cart_calls),
    Answerer("act_recount", AGENTS, _recount, cart_calls),
    Answerer("act_coupon", AGENTS, _coupon, _coupon_calls),
)
