"""The rows of the shop that actions lock and change. Rows of a user are reached through their owner only."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Row, Table, and_, func, select
from sqlalchemy.exc import IntegrityError

from services.contract.asks import Said
from services.contract.tool import EffectKind
from services.domains.commerce.actions import refusals, wording
from services.domains.commerce.data.tables import (
    COUPONS,
    LISTINGS,
    OFFERS,
    ORDER_EVENTS,
    ORDER_ITEMS,
    ORDERS,
    PAYMENTS,
    POINT_ENTRIES,
    PRODUCTS,
    SHOP_USERS,
)
from services.plugin.asks.telling import day_said, filled
from services.plugin.tools.effect import Missing, NotTheirs, RuleViolated, Scope

_LINES_MAX: Final = 100


def owned(table: Table, scope: Scope) -> Any:
    """Return the condition that a row is the caller's."""
    return and_(table.c.tenant == scope.caller.tenant, table.c.user_id == scope.caller.user_id)


def lock_user(scope: Scope) -> Row[Any]:
    """Return the caller's row of the shop, made at their first action, and hold it: a user acts one after another."""
    query = select(SHOP_USERS).where(owned(SHOP_USERS, scope)).with_for_update()
    row = scope.connection.execute(query).first()
    if row is not None:
        return row
    new = {**scope.owner, "nickname": "", "shipping_address": "", "points_krw": 0, "cart_coupon_id": None}
    try:
        with scope.connection.begin_nested():
            scope.connection.execute(SHOP_USERS.insert(), {**new, "as_of": scope.moment, "dataset_id": _shop(scope)})
    except IntegrityError:
        # Another action of the same user was faster; its row is as good.
        pass
    return scope.connection.execute(query).one()


def _shop(scope: Scope) -> str:
    dataset: str | None = scope.connection.execute(select(PRODUCTS.c.dataset_id).limit(1)).scalar()
    if dataset is None:
        raise RuleViolated("", "the shop has no products")
    return dataset


@dataclass(frozen=True, slots=True)
class OrderLine:
    """One product and how many of it."""

    product_id: str
    """The product."""
    quantity: int
    """How many, 1 to 100."""


def lock_offers(scope: Scope, product_ids: Sequence[str]) -> Mapping[str, Row[Any]]:
    """Return each product's offer with its name, held in the order of their ids so that nobody waits in a circle.

    Raises:
        Missing: A product does not exist.
    """
    query = (
        select(OFFERS, PRODUCTS.c.name_ko, PRODUCTS.c.name_en)
        .join(PRODUCTS, PRODUCTS.c.product_id == OFFERS.c.product_id)
        .where(OFFERS.c.product_id.in_(product_ids))
        .order_by(OFFERS.c.offer_id)
        .with_for_update(of=OFFERS)
    )
    offers: dict[str, Row[Any]] = {}
    for row in scope.connection.execute(query):
        kept = offers.get(row.product_id)
        if kept is None or row.price_krw < kept.price_krw:
            offers[row.product_id] = row
    for product_id in product_ids:
        if product_id not in offers:
            raise Missing("product_id", f"there is no product {product_id}")
    return offers


def check_on_sale(scope: Scope, product_ids: Sequence[str]) -> None:
    """Refuse products whose seller has paused them.

    Raises:
        RuleViolated: One is paused.
    """
    paused = select(LISTINGS.c.product_id).where(LISTINGS.c.product_id.in_(product_ids), LISTINGS.c.status == "paused")
    product_id = scope.connection.execute(paused.limit(1)).scalar()
    if product_id is not None:
        said = Said(
            "그 상품은 지금 판매가 중지되어 살 수 없습니다.", "That product is not on sale now, so it cannot be bought."
        )
        raise RuleViolated("product_id", f"{product_id} is not on sale now", said)


def move_stock(scope: Scope, offer_id: str, delta: int) -> bool:
    """Change an offer's stock; return False, and change nothing, where it would fall below zero."""
    change = OFFERS.update().where(OFFERS.c.offer_id == offer_id, OFFERS.c.stock + delta >= 0)
    return scope.connection.execute(change.values(stock=OFFERS.c.stock + delta)).rowcount == 1


def lock_order(scope: Scope, order_id: str) -> Row[Any]:
    """Return an order of the caller and hold it.

    Raises:
        NotTheirs: There is none of that id, or it is somebody else's.
    """
    query = select(ORDERS).where(ORDERS.c.order_id == order_id, owned(ORDERS, scope)).with_for_update()
    row = scope.connection.execute(query).first()
    if row is None:
        raise NotTheirs("order_id", f"there is no order {order_id}", refusals.no_such_order(order_id))
    return row


def order_pieces(scope: Scope, order_id: str) -> int:
    """Return how many pieces an order has."""
    query = select(func.sum(ORDER_ITEMS.c.quantity)).where(ORDER_ITEMS.c.order_id == order_id)
    return int(scope.connection.execute(query).scalar() or 0)


def goods_of(scope: Scope, order_id: str) -> Said:
    """Return what an order holds, in a few words."""
    query = (
        select(PRODUCTS.c.name_ko, PRODUCTS.c.name_en, ORDER_ITEMS.c.quantity)
        .join(OFFERS, OFFERS.c.offer_id == ORDER_ITEMS.c.offer_id)
        .join(PRODUCTS, PRODUCTS.c.product_id == OFFERS.c.product_id)
        .where(ORDER_ITEMS.c.order_id == order_id)
        .order_by(OFFERS.c.offer_id)
    )
    rows = scope.connection.execute(query.limit(_LINES_MAX)).all()
    return wording.goods([wording.pieces(Said(row.name_ko, row.name_en), row.quantity) for row in rows])


def set_order(scope: Scope, order_id: str, dataset_id: str, status: str, **values: Any) -> None:
    """Change an order's state and write it into the order's history."""
    changed = {"status": status, "as_of": scope.moment, **values}
    scope.connection.execute(ORDERS.update().where(ORDERS.c.order_id == order_id).values(changed))
    add_event(scope, order_id, dataset_id, status)


def add_event(scope: Scope, order_id: str, dataset_id: str, status: str) -> None:
    """Append a state to an order's history; the order's row is held."""
    last = select(func.max(ORDER_EVENTS.c.sequence)).where(ORDER_EVENTS.c.order_id == order_id)
    event = {
        "order_id": order_id,
        "sequence": (scope.connection.execute(last).scalar() or 0) + 1,
        "status": status,
        "as_of": scope.moment,
        "dataset_id": dataset_id,
    }
    scope.connection.execute(ORDER_EVENTS.insert(), event)


def put_back(scope: Scope, order: Row[Any]) -> None:
    """Give back what an order took: stock, coupon, points."""
    for item in scope.connection.execute(select(ORDER_ITEMS).where(ORDER_ITEMS.c.order_id == order.order_id)).all():
        move_stock(scope, item.offer_id, item.quantity)
    if order.coupon_id:
        mine = and_(COUPONS.c.coupon_id == order.coupon_id, COUPONS.c.used_order_id == order.order_id)
        scope.connection.execute(COUPONS.update().where(mine).values(used_order_id=None))
    if order.points_used_krw:
        move_points(scope, order.points_used_krw, "returned", order.order_id, order.dataset_id)


def move_points(scope: Scope, delta_krw: int, reason: str, order_id: str, dataset_id: str) -> bool:
    """Change the caller's points; return False, and change nothing, where they do not suffice."""
    enough = and_(owned(SHOP_USERS, scope), SHOP_USERS.c.points_krw + delta_krw >= 0)
    values = {"points_krw": SHOP_USERS.c.points_krw + delta_krw, "as_of": scope.moment}
    if scope.connection.execute(SHOP_USERS.update().where(enough).values(values)).rowcount == 0:
        return False
    entry = {
        "entry_id": f"{scope.effect_key}-{reason[:6]}",
        **scope.owner,
        "delta_krw": delta_krw,
        "reason": reason,
        "order_id": order_id,
        "as_of": scope.moment,
        "expires_on": None,
        "dataset_id": dataset_id,
    }
    scope.connection.execute(POINT_ENTRIES.insert(), entry)
    return True


def request_payment(scope: Scope, kind: EffectKind, amount_krw: int, order_id: str, dataset_id: str) -> None:
    """Write down that money is to be moved for an order."""
    payment = {
        "payment_id": f"{scope.effect_key}-{kind.lower()}",
        "order_id": order_id,
        "kind": kind.lower(),
        "amount_krw": amount_krw,
        "status": "requested",
        "as_of": scope.moment,
        "dataset_id": dataset_id,
    }
    scope.connection.execute(PAYMENTS.insert(), payment)


def is_being_paid(scope: Scope, order_id: str) -> bool:
    """Return whether money of an order is on its way; its outcome decides what becomes of the order."""
    open_payment = and_(PAYMENTS.c.order_id == order_id, PAYMENTS.c.status == "requested")
    return scope.connection.execute(select(PAYMENTS.c.payment_id).where(open_payment).limit(1)).first() is not None


def end_payment(scope: Scope, kind: EffectKind, *, done: bool) -> None:
    """Write down whether the money of this effect was moved."""
    own = PAYMENTS.c.payment_id == f"{scope.effect_key}-{kind.lower()}"
    values = {"status": "done" if done else "failed", "as_of": scope.moment}
    scope.connection.execute(PAYMENTS.update().where(own).values(values))


def coupon_discount_krw(coupon: Row[Any], goods_krw: int) -> int:
    """Return what a coupon takes off goods of that price; never more than they cost."""
    off = goods_krw * coupon.value // 100 if coupon.kind == "percent" else coupon.value
    return int(min(off, coupon.discount_max_krw, goods_krw))


def lock_coupon(scope: Scope, coupon_id: str, goods_krw: int) -> Row[Any]:
    """Return a coupon of the caller that may be used for goods of that price, and hold it.

    Raises:
        NotTheirs: There is none of that id, or it is somebody else's.
        RuleViolated: It is used, over, or asks for more goods.
    """
    query = select(COUPONS).where(COUPONS.c.coupon_id == coupon_id, owned(COUPONS, scope)).with_for_update()
    coupon = scope.connection.execute(query).first()
    if coupon is None:
        raise NotTheirs("coupon_id", f"there is no coupon {coupon_id}")
    name = Said(coupon.name_ko, coupon.name_en)
    if coupon.used_order_id is not None:
        used = filled("{c} 쿠폰은 이미 썼습니다.", "The coupon “{c}” was used already.", c=name)
        raise RuleViolated("coupon_id", f"the coupon was used for order {coupon.used_order_id}", used)
    if coupon.valid_until < scope.moment:
        until = coupon.valid_until.date().isoformat()
        over = filled(
            "{c} 쿠폰은 {day}에 만료되어 쓸 수 없습니다.",
            "The coupon “{c}” expired on {day} and cannot be used.",
            c=name,
            day=day_said(until),
        )
        raise RuleViolated("coupon_id", f"the coupon was valid until {until}", over)
    if goods_krw < coupon.order_min_krw:
        least = filled(
            "{c} 쿠폰은 상품 {n} 이상이어야 쓸 수 있습니다. 지금은 {goods}입니다.",
            "The coupon “{c}” needs goods of at least {n}; these come to {goods}.",
            c=name,
            n=wording.won(coupon.order_min_krw),
            goods=wording.won(goods_krw),
        )
        message = f"the coupon asks for goods of {coupon.order_min_krw} KRW; there are {goods_krw}"
        raise RuleViolated("coupon_id", message, least)
    return coupon
