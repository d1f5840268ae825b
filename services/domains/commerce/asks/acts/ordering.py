"""Buying: what is meant is found, what is missing is asked for, and the rest is proposed as an action."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any, Final

from services.contract.asks import AnswerState, Ask, AskAnswer, Said
from services.domains.commerce.actions.wording import won
from services.domains.commerce.asks.acts import goods, places
from services.domains.commerce.asks.acts.coupons import coupon_calls, coupon_of, discount
from services.domains.commerce.asks.acts.lines import (
    Lines,
    cart_calls,
    goods_said,
    is_part,
    shop_lines,
    uncountable,
)
from services.domains.commerce.asks.acts.proposing import OWN, lacking, prepared
from services.domains.commerce.asks.goods.saying import full_name, price_of, stock_said
from services.domains.commerce.asks.rows_own import evidence_ids_of, proofs_of
from services.plugin.asks.answering import Answerer, Call, Found, Outcome, answered, declined
from services.plugin.asks.telling import QueryRow, exact_won, filled, listed, query, rows_of, sentences
from services.plugin.findings import action_request

AGENTS: Final = ("commerce.order_flow",)
"""Who buys."""


def _order_calls(ask: Ask) -> Sequence[Call]:
    calls = [
        *(cart_calls(ask) if ask.notes.get("cart") else goods.shop_calls(ask)),
        query("own_points", ("points_krw", "shipping_address"), mode="rows", tool=OWN, limit=1),
    ]
    if ask.notes.get("coupon", "none") != "none" or _offers_coupon(ask):
        calls += coupon_calls()
    return calls


def _order(ask: Ask, found: Found) -> Outcome:
    if any(one.kind == "order_id" for one in ask.subjects):
        return Outcome(declined(ask, _MADE))
    lines = _cart_lines(ask, found) if ask.notes.get("cart") else shop_lines(ask, found)
    if isinstance(lines, Outcome):
        return lines
    lines = [(row, count) for row, count in lines if not goods.is_left_out(ask, row)] or lines
    lines = [(row, goods.counted_anew(ask, row) or count) for row, count in lines]
    if uncounted := uncountable(ask, lines):
        return uncounted
    rows = [row for row, _ in lines]
    person = next(iter(rows_of(found.readings, "own_points")), None)
    total = sum(((row.number("price_krw") or Decimal(0)) * count for row, count in lines), Decimal(0))
    if (open_ := _lacks(ask, lines, person, _offered(ask, found, total))) is not None:
        return open_
    address = ask.notes.get("address", "")
    coupon = coupon_of(ask, found, total)
    if isinstance(coupon, AskAnswer):
        return Outcome(replace(coupon, told=goods.told_of(rows)))
    less = discount(coupon, total) if coupon is not None else Decimal(0)
    whole = bool(ask.notes.get("cart")) and not is_part(ask) and not ask.notes.get("without")
    arguments: dict[str, Any] = {
        "payment_method": ask.notes["method"],
        "items": [] if whole else [{"product_id": row.text("product_id"), "quantity": count} for row, count in lines],
        **({"from_cart": True} if ask.notes.get("cart") and not whole else {}),
        **({} if address in {"", places.DEFAULT} else {"shipping_address": address}),
        **({} if coupon is None else {"coupon_id": coupon.text("coupon_id")}),
        **({"without_coupon": True} if ask.notes.get("coupon") == "none" and whole else {}),
    }
    if points := _points(ask, person, total - less):
        arguments["points_krw"] = points
    return prepared(ask, [action_request("CREATE_ORDER", "order_create", **arguments)], rows)


_MADE: Final = Said(
    "이미 만든 주문은 여기서 결제하거나 다시 주문할 수 없습니다. 결제 대기 중이면 취소하고 상품을 새로 주문할 수 있습니다. 결제된 것은 없습니다.",
    "An order that is made already cannot be paid or placed again here. If it awaits payment, cancel it and order the goods anew. Nothing was paid.",
)


def _offers_coupon(ask: Ask) -> bool:
    """Tell whether a coupon may be spoken of while it is asked how an order is paid: none was, and none was refused."""
    return not (ask.notes.get("method") or ask.notes.get("coupon"))


def _offered(ask: Ask, found: Found, total: Decimal) -> Said | None:
    """Return which coupon takes the most off, where it is asked how an order is paid; it is used only if it is asked for."""
    if not _offers_coupon(ask):
        return None
    coupon = coupon_of(replace(ask, notes={**ask.notes, "coupon": "best"}), found, total)
    if coupon is None or isinstance(coupon, AskAnswer):
        return None
    return filled(
        "쓰겠다고 하시면 {name} 쿠폰으로 {off}이 할인됩니다.",
        "Your coupon “{name}” would take {off} off, if you want it used.",
        name=Said(coupon.text("name_ko"), coupon.text("name_en")),
        off=won(int(discount(coupon, total))),
    )


def _lacks(ask: Ask, lines: Lines, person: QueryRow | None, offered: Said | None) -> Outcome | None:
    """Return the question for what an order lacks: how it is paid, where it goes, how many points; None for nothing."""
    rows, address = [row for row, _ in lines], ask.notes.get("address", "")
    if not ask.notes.get("method"):
        return lacking(ask, "method", sentences(_how_to_pay(goods_said(lines)), offered), rows)
    if address in {"", places.DEFAULT} and not (person is not None and person.text("shipping_address")):
        return lacking(ask, "address", _WHERE, rows)
    if address.startswith(places.UNKNOWN):
        return lacking(ask, "address", _where_is(address.removeprefix(places.UNKNOWN)), rows)
    return lacking(ask, "points", _how_many(person), rows) if ask.notes.get("points") == "ask" else None


def _points(ask: Ask, person: QueryRow | None, payable: Decimal) -> int:
    said = ask.notes.get("points", "")
    if said == "all":
        return int(min((person.number("points_krw") or Decimal(0)) if person is not None else Decimal(0), payable))
    return int(said) if said.isdigit() else 0


def _how_to_pay(what: Said) -> Said:
    return filled(
        "{what:을/를} 어떤 방법으로 결제하시겠어요? 카드, 계좌이체, 간편결제 중에서 골라 주세요.",
        "How would you like to pay for {what}? By card, bank transfer or mobile pay?",
        what=what,
    )


def _where_is(place: str) -> Said:
    return filled(
        "{place} 주소를 알려 주세요. 등록된 배송지는 따로 있어, 말씀해 주시기 전에는 보내지 않습니다.",
        "What is the address ({place})? The one on file is another, and nothing is sent before you say.",
        place=place,
    )


def _how_many(person: QueryRow | None) -> Said:
    held = (person.number("points_krw") if person is not None else None) or Decimal(0)
    return filled(
        "포인트를 몇 점 쓸까요? {n}점이 있습니다.", "How many points shall I use? You have {n}.", n=f"{held:,.0f}"
    )


_WHERE: Final = Said(
    "등록된 배송지가 없습니다. 어디로 보내 드릴까요?", "There is no address on file. Where shall it be sent?"
)


def _cart_lines(ask: Ask, found: Found) -> Lines | Outcome:
    rows = rows_of(found.readings, "own_cart")
    if not rows:
        empty = Said(
            "장바구니가 비어 있습니다. 무엇을 살지 알려주세요.", "Your cart is empty. What would you like to buy?"
        )
        return lacking(ask, "product", empty)
    if is_part(ask):
        fitting = goods.named_in(ask, rows)
        if not fitting:
            return Outcome(declined(ask, Said(_NOT_IN_CART.ko, _NOT_IN_CART.en)))
        rows = goods.best(ask, fitting).rows
    return [(row, int(row.number("quantity") or 1)) for row in rows]


_NOT_IN_CART: Final = Said(
    "장바구니에 그 상품이 없어 주문하지 않았습니다.", "Your cart does not hold that, so nothing was ordered."
)


def _dropped(ask: Ask, _found: Found) -> Outcome:
    """Tell that what was under way is let be; nothing of it was done."""
    of = ask.notes.get("of", "")
    sentence = next((said for part, said in _LET_BE if part in of), _LET_BE[-1][1])
    return Outcome(answered(ask, sentence))


_LET_BE: Final = (
    (
        "order",
        Said(
            "알겠습니다. 주문하지 않았고, 결제된 것도 없습니다.", "All right. Nothing was ordered and nothing was paid."
        ),
    ),
    (
        "cancel",
        Said(
            "알겠습니다. 취소하지 않았고, 주문은 그대로입니다.",
            "All right. Nothing was cancelled; the order stays as it is.",
        ),
    ),
    (
        "refund",
        Said(
            "알겠습니다. 환불을 요청하지 않았고, 주문은 그대로입니다.",
            "All right. No refund was made; the order stays as it is.",
        ),
    ),
    (
        "exchange",
        Said(
            "알겠습니다. 아무것도 바꾸지 않았고, 주문은 그대로입니다.",
            "All right. Nothing was changed; the order stays as it is.",
        ),
    ),
    (
        "",
        Said("알겠습니다. 진행하지 않았고, 바뀐 것은 없습니다.", "All right, it was not done and nothing was changed."),
    ),
)


_UNREAD: Final = Said(
    "그 질문에는 답할 자료를 찾지 못했습니다. 보여 드린 주문이 있으면 그대로 두었고, 결제된 것은 없습니다.",
    "I found nothing that answers this. An order that I showed you stands as it was, and nothing was paid.",
)


def _how(ask: Ask, _found: Found) -> Outcome:
    """Tell how one buys here; of a question that is not about buying, that it could not be answered."""
    if ask.notes.get("of"):
        return Outcome(declined(ask, _UNREAD))
    sentence = Said(
        "상품과 개수, 결제 수단(카드, 계좌이체, 간편결제)을 말씀해 주시면 금액과 배송지를 먼저 보여 드리고, 승인하신 뒤에만 결제합니다. 장바구니에 담은 것은 “장바구니 카드로 결제해줘”라고 하시면 됩니다.",
        "Name the product, how many and how you pay (card, bank transfer, mobile pay): I show the sum and the address first, and pay only after your yes. For what is in your cart say “check out my cart by card”.",
    )
    return Outcome(answered(ask, sentence))


_LOG_IN: Final = Said("주문과 장바구니는 로그인한 뒤에 됩니다.", "Log in to order or to put it into your cart.")
_GOODS: Final = Said("상품과 판매가", "Products and offers")


def _before_login(ask: Ask, found: Found) -> Outcome:
    """Return what goods cost to somebody who is not logged in, or which are meant; nothing is proposed."""
    lines = shop_lines(ask, found)
    if isinstance(lines, Outcome):
        # Nobody has to log in for what is not sold here.
        is_sold = lines.answer.state is not AnswerState.DECLINED
        return Outcome(declined(ask, sentences(lines.answer.sentence, _LOG_IN if is_sold else None)))
    pieces = proofs_of(found, _GOODS, "product")
    told = declined(ask, sentences(listed([_offer(row, count) for row, count in lines]), _LOG_IN))
    own = replace(told, evidence_ids=evidence_ids_of(pieces), told=goods.told_of([row for row, _ in lines]))
    return Outcome(own, evidence=pieces)


def _offer(row: QueryRow, count: int) -> Said:
    whole = exact_won(price_of(row) * count)
    return filled(
        "{name} {n}개는 {price}({stock})입니다.",
        "{n} × {name} comes to {price} ({stock}).",
        name=full_name(row),
        n=str(count),
        price=whole,
        stock=stock_said(row),
    )


ANSWERERS: Final = (
    Answerer("act_before_login", ("commerce.product_search",), _before_login, goods.shop_calls),
    Answerer("act_how", (*AGENTS, "commerce.product_search"), _how),
    Answerer("act_order", AGENTS, _order, _order_calls),
    Answerer("act_dropped", (*AGENTS, "commerce.after_sales"), _dropped),
)
