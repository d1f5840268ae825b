"""How the orders of the person who asks stand, and which of them are meant."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import cache
from typing import Final

from services.contract.asks import Ask, Ground, Said, Told
from services.domains.commerce.asks.goods.saying import full_name, short_name
from services.domains.commerce.asks.rows_own import OWN_TOOL, day_of, evidence_ids_of, proofs_of
from services.plugin.asks.answering import Call, Found, Outcome, answered
from services.plugin.asks.telling import (
    QueryRow,
    day_said,
    decimal,
    exact_won,
    filled,
    listed,
    query,
    rows_of,
    sentences,
)
from services.plugin.documents import read_yaml

STATES: Final = {
    "pending": Said("결제 대기", "awaiting payment"),
    "paid": Said("결제 완료(상품 준비 전)", "paid, not yet being prepared"),
    "preparing": Said("상품 준비 중", "being prepared"),
    "shipped": Said("배송 중", "shipped, on its way"),
    "delivered": Said("배송 완료", "delivered"),
    "cancel_requested": Said("취소 요청 중", "cancellation requested"),
    "cancelled": Said("취소됨", "cancelled"),
    "refund_requested": Said("환불 요청 중", "refund requested"),
    "refunded": Said("환불 완료", "refunded"),
}


_ORDER_FIELDS: Final = (
    *("order_id", "status", "product_id", "name_ko", "name_en", "category", "quantity", "unit_price_krw", "goods_krw"),
    *(
        "shipping_krw",
        "paid_krw",
        "refunded_krw",
        "ordered_at",
        "shipped_at",
        "delivered_at",
        "carrier",
        "tracking_number",
    ),
)


def orders_calls(_: Ask) -> Sequence[Call]:
    """Return the look-up of the asker's own orders."""
    return [query("own_orders", _ORDER_FIELDS, mode="rows", tool=OWN_TOOL, order_by="ordered_at", limit=ROWS_MAX)]


Order = tuple[QueryRow, ...]
"""The rows of one order, one for each product."""


def orders_of(found: Found) -> list[Order]:
    """Return the orders that were found, each with its rows."""
    orders: dict[str, list[QueryRow]] = {}
    for row in rows_of(found.readings, "own_orders"):
        orders.setdefault(row.text("order_id"), []).append(row)
    return [tuple(rows) for rows in orders.values()]


def in_period(orders: Sequence[Order], ask: Ask, found: Found) -> list[Order]:
    """Return the orders that were placed in the days of an ask; all where it names none."""
    if not ask.start_date:
        return list(orders)
    first, last = date.fromisoformat(ask.start_date), date.fromisoformat(ask.end_date)
    return [order for order in orders if (day := day_of(order[0], "ordered_at", found)) and first <= day <= last]


def meant_orders(ask: Ask, orders: Sequence[Order]) -> list[Order]:
    """Return the orders that are meant: by number, by what is in them, by state; all where nothing says."""
    ids = [one.value for one in ask.subjects if one.kind == "order_id"] + list(
        filter(None, [ask.notes.get("order", "")])
    )
    if ids:
        return [order for order in orders if order[0].text("order_id") in ids]
    categories = [one.value for one in ask.subjects if one.kind == "category"]
    states = list(filter(None, ask.notes.get("states", "").split("|")))
    kept = [order for order in orders if not categories or any(row.text("category") in categories for row in order)]
    # Of goods of several kinds the orders that hold all of them, where there is one.
    whole = [order for order in kept if {row.text("category") for row in order} >= set(categories)]
    kept = whole or kept
    return [order for order in kept if not states or order[0].text("status") in states]


ROWS_MAX: Final = 200
"""The rows of orders that are read, the newest first; a row is one product of an order."""
ORDERS_TITLE: Final = Said("내 주문", "Your orders")


def items_said(order: Order, *, whole: bool = False) -> Said:
    """Say what an order holds, each product with its count."""
    name = full_name if whole else short_name
    return listed(
        [
            filled(
                "{name} {n}개", "{n} × {name}", name=_kind(row, name(row)), n=decimal(row.number("quantity") or 1, 0)
            )
            for row in order
        ]
    )


def _kind(row: QueryRow, name: Said) -> Said:
    """Return a product's short name with its kind: "미를렌 오크 D70 책상"."""
    if name == full_name(row):
        return name
    last = [word for word in row.text("name_ko").split() if word not in {"블랙", "화이트", "네이비", "베이지"}][-1]
    english = row.text("category").replace("_", " ")
    return Said(f"{name.ko} {last}", f"{name.en} {english}")


def _total(order: Order) -> Decimal:
    return (order[0].number("goods_krw") or Decimal(0)) + (order[0].number("shipping_krw") or Decimal(0))


def _order_said(order: Order, found: Found) -> Said:
    """Return an order in one sentence: its number, state, goods, sum, and where it is."""
    head, status = order[0], order[0].text("status")
    ordered = day_of(head, "ordered_at", found)
    more = Said("", "")
    if status == "shipped":
        carrier, number = carrier_said(head.text("carrier")), head.text("tracking_number")
        more = Said(f", {carrier.ko} 송장번호 {number}", f", carrier {carrier.en}, tracking number {number}")
    elif (delivered := day_of(head, "delivered_at", found)) is not None:
        more = Said(f", {day_said(delivered).ko} 도착", f", delivered on {day_said(delivered).en}")
    day = day_said(ordered) if ordered else Said("", "")
    return filled(
        "{id} {state}: {items}, {total}, {day} 주문{more}",
        "{id} {state}: {items}, {total}, ordered on {day}{more}",
        id=head.text("order_id"),
        state=STATES[status],
        items=items_said(order),
        total=exact_won(_total(order)),
        day=day,
        more=more,
    )


def told_order(order: Order) -> Told:
    """Return an order as what was told of it, so that a later message can point at it."""
    return Told("order", order[0].text("order_id"), order[0].text("order_id"), {"status": order[0].text("status")})


def no_such_order(ask: Ask, orders: Sequence[Order]) -> Outcome:
    """Say that none of the asker's own orders is the one that was meant."""
    if any(one.kind == "order_id" for one in ask.subjects):
        ids = ", ".join(one.value for one in ask.subjects if one.kind == "order_id")
        sentence = filled(
            "본인의 주문 가운데 {ids:은/는} 없습니다.", "There is no order {ids} among your own orders.", ids=ids
        )
    elif not orders:
        sentence = Said("주문한 것이 없습니다.", "You have no orders.")
    else:
        sentence = Said("말씀하신 조건에 맞는 본인의 주문은 없습니다.", "None of your own orders is like that.")
    return Outcome(answered(ask, sentence))


def tell_orders(ask: Ask, found: Found) -> Outcome:
    """Return how the person's orders stand."""
    orders = orders_of(found)
    placed = in_period(orders, ask, found)
    meant = meant_orders(ask, placed) or _otherwise(ask, placed)
    if not meant:
        return no_such_order(ask, orders)
    if ask.notes.get("latest"):
        meant = meant[:1]
    named = ask.subjects or ask.notes.get("order")
    open_ones = [order for order in meant if order[0].text("status") not in {"cancelled", "refunded", "delivered"}]
    if named and not ask.notes.get("states"):
        meant = open_ones or meant
    if ask.notes.get("coming") and not ask.notes.get("states"):
        meant = _on_the_way(meant)
    if by := ask.notes.get("by_sum"):
        meant = [max(meant, key=lambda order: _total(order) if by == "most" else -_total(order))]
    pieces = proofs_of(found, ORDERS_TITLE, "order")
    told = tuple(map(told_order, meant))
    if len(meant) == 1:
        sentence = sentences(_lead(ask, meant[0]), _one_order(meant[0], ask, found))
        return Outcome(answered(ask, sentence, evidence_ids=evidence_ids_of(pieces), told=told), evidence=pieces)
    states = [order[0].text("status") for order in meant]
    counts = listed(
        [
            Said(f"{STATES[one].ko} {states.count(one)}건", f"{states.count(one)} {STATES[one].en}")
            for one in dict.fromkeys(states)
        ]
    )
    first = listed([_brief(order) for order in meant[:3]])
    orders_said = filled(
        "주문은 {n}건입니다({counts}): {first}.",
        "There are {n} orders ({counts}): {first}.",
        n=str(len(meant)),
        counts=counts,
        first=first,
    )
    sentence = sentences(_lead(ask, meant[0]), orders_said)
    grounds = tuple(Ground(_order_said(order, found), evidence_ids_of(pieces)[:1]) for order in meant)
    return Outcome(
        answered(ask, sentence, evidence_ids=evidence_ids_of(pieces), told=told, grounds=grounds[:10]), evidence=pieces
    )


def _lead(ask: Ask, first: Order) -> Said | None:
    """Return what comes before the orders that are told: that no day of arrival is known, or which is the dearest."""
    if by := ask.notes.get("by_sum"):
        way = Said("큰", "largest") if by == "most" else Said("작은", "smallest")
        return filled(
            "금액이 가장 {way} 주문은 {total}입니다.",
            "The order of the {way} sum comes to {total}.",
            way=way,
            total=exact_won(_total(first)),
        )
    return _NO_DAY if ask.notes.get("due") else None


_NO_DAY: Final = Said(
    "어느 날 도착하는지는 자료에 없고, 아직 오지 않은 주문은 알 수 있습니다.",
    "The data has no day of arrival; what has not come yet is known.",
)
_ENDED: Final = frozenset({"delivered", "cancelled", "refunded"})


def _otherwise(ask: Ask, orders: Sequence[Order]) -> list[Order]:
    """Return the orders of goods that are named which are still open in another state than the one that is asked for."""
    if not ask.subjects:
        return []
    of_goods = meant_orders(replace(ask, notes={**ask.notes, "states": ""}), orders)
    return [order for order in of_goods if order[0].text("status") not in _ENDED]


_COMING: Final = (("shipped",), ("paid", "preparing"))
"""The states of what is still to come, the nearest first."""


def _on_the_way(meant: list[Order]) -> list[Order]:
    """Return the orders that are on their way; those still to be sent where none is; all where nothing is to come."""
    found = ([order for order in meant if order[0].text("status") in states] for states in _COMING)
    return next((orders for orders in found if orders), meant)


def _brief(order: Order) -> Said:
    return filled(
        "{id} {items} {total}",
        "{id} {items} {total}",
        id=order[0].text("order_id"),
        items=items_said(order),
        total=exact_won(_total(order)),
    )


def _one_order(order: Order, ask: Ask, found: Found) -> Said:
    head, status = order[0], order[0].text("status")
    said = ask.notes.get("said", "")
    ordered = day_of(head, "ordered_at", found)
    items, state = items_said(order, whole=True), STATES[status]
    if (
        ordered
        and any(word in said for word in ("언제 주문", "주문했", "언제 샀", "when did", "ordered"))
        and ask.notes.get("order")
    ):
        return filled(
            "{id:은/는} {day}에 주문했습니다: {items}, 지금 {state}입니다.",
            "{id} was ordered on {day}: {items}; it is {state}.",
            id=head.text("order_id"),
            day=day_said(ordered),
            items=items,
            state=state,
        )
    parts = [
        filled(
            "{items} 주문({id}, {total})은 {state}입니다.",
            "Your order {id} of {items} ({total}) is {state}.",
            items=items,
            id=head.text("order_id"),
            state=state,
            total=exact_won(_total(order)),
        )
    ]
    if status == "shipped":
        if (shipped := day_of(head, "shipped_at", found)) is not None:
            parts.append(filled("{day}에 발송했습니다.", "It was sent off on {day}.", day=day_said(shipped)))
        parts.append(
            filled(
                "택배사는 {carrier}, 송장번호는 {number}입니다.",
                "The carrier is {carrier}, the tracking number {number}.",
                carrier=carrier_said(head.text("carrier")),
                number=head.text("tracking_number"),
            )
        )
    if (delivered := day_of(head, "delivered_at", found)) is not None:
        parts.append(filled("{day}에 도착했습니다.", "It was delivered on {day}.", day=day_said(delivered)))
    if ordered:
        parts.append(filled("{day}에 주문했습니다.", "It was ordered on {day}.", day=day_said(ordered)))
    return sentences(*parts)


@cache
def _names() -> Mapping[str, str]:
    document = read_yaml("services.domains.commerce.data", "carriers.yaml")
    return {one["ko"]: one["en"] for one in document} if isinstance(document, list) else {}


def carrier_said(name: str) -> Said:
    """Return a carrier as a reader is told of it; one that the list does not hold keeps its name."""
    return Said(name, _names().get(name, name))
