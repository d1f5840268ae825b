"""Taking an order back: which order is meant, whether it can be, and the action that does it."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from services.contract.asks import AnswerState, Ask, AskAnswer, Said, Told
from services.contract.flow import ActionRequest
from services.domains.commerce.actions import refusals, wording
from services.domains.commerce.asks.acts import goods
from services.domains.commerce.asks.acts.proposing import OWN, prepared
from services.domains.commerce.asks.acts.slots import UNTOLD
from services.domains.commerce.asks.acts.underway import SLOTS
from services.domains.commerce.asks.goods.saying import short_name
from services.domains.commerce.rules import REFUND_DAYS_MAX, RETURN_SHIPPING_KRW
from services.plugin.asks.answering import Answerer, Call, Found, Outcome, asking_back, declined
from services.plugin.asks.telling import QueryRow, day_said, filled, listed, query, rows_of, sentences
from services.plugin.findings import action_request
from services.text.patterns import Pattern

AGENTS: Final = ("commerce.after_sales",)
"""Who takes orders back."""
_FIELDS: Final = (
    *("order_id", "status", "product_id", "name_ko", "name_en", "category", "quantity", "paid_krw", "refunded_krw"),
    *("ordered_at", "delivered_at"),
)
_CANCELLABLE: Final = ("pending", "paid", "preparing")
_OVER: Final = frozenset({"cancelled", "refunded"})
"""The states of orders that are not meant where another one fits the words as well."""
_OFFERED_MAX: Final = 3
_LENGTH: Final = Said("{id}({goods})", "{id} ({goods})")

Order = tuple[QueryRow, ...]
"""The rows of one order, one for each product."""


def calls(_ask: Ask) -> Sequence[Call]:
    """Return the query for the person's orders, the newest first."""
    more: dict[str, Any] = {"order_by": "ordered_at", "descending": True}
    return [query("own_orders", _FIELDS, mode="rows", tool=OWN, limit=100, **more)]


def orders_of(found: Found) -> list[Order]:
    """Return the person's orders."""
    orders: dict[str, list[QueryRow]] = {}
    for row in rows_of(found.readings, "own_orders"):
        orders.setdefault(row.text("order_id"), []).append(row)
    return [tuple(rows) for rows in orders.values()]


def meant(ask: Ask, orders: Sequence[Order], states: Sequence[str]) -> list[Order] | str:
    """Return the orders that an ask means, or the number that is none of the person's.

    Named by number or by what is in it an order is meant whatever its state: that it cannot be done is then told.
    Without a name it is one that can be.
    """
    number = ask.notes.get("order") or next((one.value for one in ask.subjects if one.kind == "order_id"), "")
    if number := number or _written_as_one(ask.notes.get("said", "")):
        return [order for order in orders if _is_numbered(order, number.upper())] or number
    if bare := [order for order in orders if _says_digits(ask.notes.get("said", ""), order)]:
        return bare
    kinds, codes = goods.categories(ask), goods.listed_in(ask, "codes")
    if said_states := goods.listed_in(ask, "states"):
        orders = [order for order in orders if order[0].text("status") in said_states]
    if kinds or codes:
        named = [order for order in orders if any(_is_named(row, kinds, codes) for row in order)]
        whole = [order for order in named if {row.text("category") for row in order} >= set(kinds)]
        named = _best_named(ask, whole or named)
        live = [order for order in named if order[0].text("status") not in _OVER]
        able = [order for order in named if order[0].text("status") in states]
        return able[:1] if able and ask.notes.get("recent") else able or live or named
    fitting = [order for order in orders if order[0].text("status") in states]
    return fitting[:1] if ask.notes.get("recent") else fitting


def _written_as_one(text: str) -> str:
    """Return what a text writes as the number of an order and is none: "ORD_20002"."""
    match = _NUMBER.search(text)
    return match.group() if match else ""


_NUMBER: Final = Pattern(r"(?<![A-Za-z0-9])ORD[-_#./]?(?=\S*\d)[0-9A-Z_#./-]*[0-9A-Z]", re.IGNORECASE)


def _is_numbered(order: Order, number: str) -> bool:
    """Tell whether a number is an order's, with or without the letters before it."""
    own = order[0].text("order_id")
    return number in {own, own.rpartition("-")[2]}


def _says_digits(text: str, order: Order) -> bool:
    return (
        re.search(rf"(?<![\d,.-]){re.escape(order[0].text('order_id').rpartition('-')[2])}(?![\d,.])", text) is not None
    )


def _is_named(row: QueryRow, kinds: Sequence[str], codes: Sequence[str]) -> bool:
    return any(f" {code} " in f" {row.text('name_ko')} " for code in codes) if codes else row.text("category") in kinds


def _best_named(ask: Ask, named: Sequence[Order]) -> list[Order]:
    rows = goods.best(ask, [row for order in named for row in order]).rows
    ids = {row.text("product_id") for row in rows}
    return [order for order in named if any(row.text("product_id") in ids for row in order)]


def said(order: Order) -> Said:
    """Return an order's number with what is in it."""
    items = wording.goods([short_name(row) for row in order])
    return filled(_LENGTH.ko, _LENGTH.en, id=order[0].text("order_id"), goods=items)


def _told(orders: Sequence[Order]) -> tuple[Told, ...]:
    return tuple(
        Told("order", order[0].text("order_id"), said(order).ko, {"paid_krw": order[0].text("paid_krw")})
        for order in orders
    )


def _no_such_order(ask: Ask, number: str, *wishes: ActionRequest) -> Outcome:
    """Tell that the person has no order of that number; the tool gateway refuses what was wished of it."""
    return Outcome(declined(ask, refusals.no_such_order(number)), actions=wishes)


def _which(ask: Ask, orders: Sequence[Order]) -> Outcome:
    offered = listed([said(order) for order in orders[:_OFFERED_MAX]])
    more = len(orders) - _OFFERED_MAX
    rest = Said(f" 외 {more}건", f" and {more} more") if more > 0 else Said("", "")
    sentence = filled(
        "어느 주문인가요? {offered}{rest}이 있습니다.",
        "Which order do you mean? There are {offered}{rest}.",
        offered=offered,
        rest=rest,
    )
    answer = asking_back(ask, sentence, SLOTS["order"])
    return Outcome(_with_told(answer, orders))


def _with_told(answer: AskAnswer, orders: Sequence[Order]) -> AskAnswer:
    return replace(answer, told=_told(orders))


Wish = Callable[[str], ActionRequest]
"""What is asked of the tool gateway for the order of a number."""


def _found(ask: Ask, found: Found, states: Sequence[str], none: Said, wish: Wish) -> Order | Outcome:
    orders = meant(ask, orders_of(found), states)
    if isinstance(orders, str):
        return _no_such_order(ask, orders, wish(orders))
    if not orders:
        return Outcome(declined(ask, none))
    return orders[0] if len(orders) == 1 else _which(ask, orders)


def _cancel(ask: Ask, found: Found) -> Outcome:
    none = Said("지금 취소할 수 있는 주문이 없습니다.", "You have no order that can be cancelled now.")
    why: dict[str, Any] = {"reason": ask.notes["reason"]} if ask.notes.get("reason") else {}

    def wish(order_id: str) -> ActionRequest:
        return action_request("CANCEL_ORDER", "order_cancel", order_id=order_id, **why)

    order = _found(ask, found, _CANCELLABLE, none, wish)
    if isinstance(order, Outcome):
        return order
    order_id, status = order[0].text("order_id"), order[0].text("status")
    if status not in _CANCELLABLE:
        return Outcome(_with_told(declined(ask, refusals.not_cancelled(status, order_id)), [order]))
    return prepared(ask, [wish(order_id)], told=_told([order]))


def _last_day(order: Order) -> datetime | None:
    text = order[0].text("delivered_at")
    if not text:
        return None
    moment = datetime.fromisoformat(text.replace(" ", "T"))
    return (moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo("UTC"))) + timedelta(days=REFUND_DAYS_MAX)


def _why_not(order: Order, found: Found) -> Said | None:
    """Return why an order cannot be refunded; None where it can."""
    order_id, status, last = order[0].text("order_id"), order[0].text("status"), _last_day(order)
    if status != "delivered" or last is None:
        return refusals.not_refunded(order_id, status)
    if found.asking.now > last:
        return refusals.refund_over(order_id, _local(last, found))
    return None


def _local(moment: datetime, found: Found) -> str:
    return moment.astimezone(ZoneInfo(found.asking.time_zone)).date().isoformat()


def _refund(ask: Ask, found: Found) -> Outcome:
    none = Said(
        "환불할 수 있는 주문이 없습니다. 받은 날부터 7일 안의 주문만 환불됩니다.",
        "You have no order that can be refunded: only those delivered within the last 7 days can.",
    )
    reason = ask.notes["reason"] if ask.notes.get("reason", UNTOLD) != UNTOLD else ""

    def wish(order_id: str) -> ActionRequest:
        return action_request("REFUND_ORDER", "order_refund", order_id=order_id, reason=reason)

    order = _found(ask, found, ("delivered",), none, wish)
    if isinstance(order, Outcome):
        order = _only_refundable(ask, found) or order
    if isinstance(order, Outcome):
        return order
    why_not = _why_not(order, found)
    if why_not is not None:
        return Outcome(_with_told(declined(ask, why_not), [order]))
    if not ask.notes.get("reason"):
        why = filled(
            "{order} 주문을 환불하려는 이유를 알려주세요. 예: 단순 변심, 불량, 다른 상품이 옴",
            "Why do you want order {order} refunded? For example: changed my mind, faulty, wrong item",
            order=said(order),
        )
        return Outcome(_with_told(asking_back(ask, why, SLOTS["reason"]), [order]))
    return prepared(ask, [wish(order[0].text("order_id"))], told=_told([order]))


def _only_refundable(ask: Ask, found: Found) -> Order | None:
    """Return the one order among several that can be refunded, where none was named by its number."""
    orders = meant(ask, orders_of(found), ("delivered",))
    if isinstance(orders, str):
        return None
    fitting = [order for order in orders if _why_not(order, found) is None]
    return fitting[0] if len(fitting) == 1 else None


def _exchange(ask: Ask, found: Found) -> Outcome:
    """Tell that nothing is exchanged, and whether the order that is meant can be refunded instead."""
    orders = meant(ask, orders_of(found), ("delivered",))
    if isinstance(orders, str):
        return _no_such_order(ask, orders)
    rule = Said("교환은 할 수 없습니다.", "Exchanges are not possible.")
    order = orders[0] if len(orders) == 1 else _only_refundable(ask, found)
    if order is None:
        instead = Said(
            "대신 받은 날부터 7일 안이면 환불(반품 배송비 6,000원)을 받고 다시 주문할 수 있습니다.",
            "Instead you can have it refunded within 7 days of delivery (KRW 6,000 return shipping) and order again.",
        )
    elif (why_not := _why_not(order, found)) is None and (last := _last_day(order)) is not None:
        instead = filled(
            "대신 {order} 주문은 {day}까지 환불(반품 배송비 {fee})을 받고 다시 주문할 수 있습니다. 환불을 원하시면 말씀해 주세요.",
            "Instead order {order} can be refunded until {day} ({fee} return shipping) and ordered again. Say so if you"
            " want the refund.",
            order=said(order),
            day=day_said(_local(last, found)),
            fee=wording.won(RETURN_SHIPPING_KRW),
        )
    else:
        instead = filled("환불도 어렵습니다. {why}", "Nor a refund: {why}", why=why_not or rule)
    sentence = Said(f"{rule.ko} {instead.ko}", f"{rule.en} {instead.en}")
    return Outcome(_with_told(declined(ask, sentence), [order] if order is not None else []))


Take = Callable[[Ask, Found], Outcome]
"""What takes one order back."""


def _each(take: Take) -> Take:
    """Take back every order that is named by its number: all of them are proposed, or why one of them cannot be is told."""

    def of_all(ask: Ask, found: Found) -> Outcome:
        numbers = dict.fromkeys(one for one in ask.subjects if one.kind == "order_id")
        if len(numbers) < _SEVERAL or ask.notes.get("order"):
            return take(ask, found)
        outcomes = [take(replace(ask, subjects=(number,)), found) for number in numbers]
        stopped = [one for one in outcomes if one.answer.state is not AnswerState.ANSWERED]
        if any(one.answer.state is AnswerState.ASKING for one in stopped):
            return next(one for one in stopped if one.answer.state is AnswerState.ASKING)
        if stopped:
            nothing = (
                Said("그래서 아무것도 하지 않았습니다.", "So nothing was done.")
                if len(stopped) < len(numbers)
                else None
            )
            return Outcome(declined(ask, sentences(*(one.answer.sentence for one in stopped), nothing)))
        told = [one for outcome in outcomes for one in outcome.answer.told]
        return prepared(ask, [action for outcome in outcomes for action in outcome.actions], told=told)

    return of_all


_SEVERAL: Final = 2

ANSWERERS: Final = (
    Answerer("act_cancel", AGENTS, _each(_cancel), calls),
    Answerer("act_refund", AGENTS, _each(_refund), calls),
    Answerer("act_exchange", AGENTS, _exchange, calls),
)
