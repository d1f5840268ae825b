"""CREATE_ORDER: the caller's cart, or named products, bought at the prices of this moment."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from pydantic import Field, model_validator
from sqlalchemy import Row as SqlRow
from sqlalchemy import select

from services.contract.asks import Said
from services.contract.tool import EffectKind, SideEffect, ToolCost
from services.domains.commerce.actions import refusals, wording
from services.domains.commerce.actions.labels import LABELS
from services.domains.commerce.actions.shop import (
    OrderLine,
    add_event,
    check_on_sale,
    coupon_discount_krw,
    end_payment,
    lock_coupon,
    lock_offers,
    lock_user,
    move_points,
    move_stock,
    owned,
    put_back,
    request_payment,
    set_order,
)
from services.domains.commerce.data.tables import CART_ITEMS, COUPONS, OFFERS, ORDER_ITEMS, ORDERS, SHOP_USERS
from services.domains.commerce.rules import FREE_SHIPPING_FROM_KRW, SHIPPING_KRW
from services.plugin.asks.telling import filled
from services.plugin.tools.effect import (
    KEY_PARTS,
    Applied,
    Effect,
    Money,
    RuleViolated,
    Scope,
    Shown,
    money_krw,
    quantity,
    target,
    text,
)
from services.plugin.tools.fields import PRICE_KRW_MAX, QUANTITY_MAX, FreeText, Identifier, WholeNumber
from services.plugin.tools.reads import Row
from services.plugin.tools.tool import Arguments, Tool


class OrderItem(Arguments):
    """One product of an order."""

    product_id: Identifier = Field(description="Id of the product, as product_search returns it.")
    quantity: WholeNumber = Field(ge=1, le=QUANTITY_MAX, description="Pieces.")


class CreateOrderArguments(Arguments):
    """What is bought and how it is paid."""

    items: tuple[OrderItem, ...] = Field(
        default=(), max_length=20, description="Products to buy; the whole cart where empty.", strict=False
    )
    from_cart: bool = Field(default=False, description="Whether the named products are taken out of the cart.")
    payment_method: Literal["card", "bank_transfer", "mobile"] = Field(description="How it is paid.")
    shipping_address: FreeText | None = Field(
        default=None, min_length=5, max_length=200, description="Where it goes; the user's own address where absent."
    )
    coupon_id: Identifier | None = Field(default=None, description="Coupon to use; the cart's own where absent.")
    without_coupon: bool = Field(default=False, description="Whether the coupon that the cart uses is left out.")
    points_krw: WholeNumber = Field(default=0, ge=0, le=PRICE_KRW_MAX, description="Points to use, one won each.")

    @model_validator(mode="after")
    def _once(self) -> "CreateOrderArguments":
        named = [item.product_id for item in self.items]
        if len(named) != len(set(named)):
            raise ValueError("items name a product twice; add its quantities up")
        return self


class OrderRow(Row):
    """The order that was made."""

    order_id: str
    """Id of the order."""
    status: str
    """paid once the money has moved; pending until then; cancelled where it was declined."""
    pieces: int
    """Pieces in all."""
    goods_krw: int
    """Price of the goods, discounts taken off."""
    coupon_discount_krw: int
    """What the coupon takes off."""
    points_used_krw: int
    """Points used."""
    shipping_krw: int
    """Shipping."""
    paid_krw: int
    """What is paid."""
    shipping_address: str
    """Where it goes."""
    payment_method: str = "card"
    """How it is paid."""
    goods_ko: str = ""
    """What it holds, for Korean readers."""
    goods_en: str = ""
    """The same for English readers."""
    coupon_ko: str = ""
    """The coupon that it uses, for Korean readers; empty for none."""
    coupon_en: str = ""
    """The same for English readers."""


@dataclass(frozen=True, slots=True)
class _Basket:
    """The lines of an order and the offer of each product."""

    lines: list[OrderLine]
    offers: Mapping[str, SqlRow[Any]]

    @property
    def goods_krw(self) -> int:
        return sum(self.offers[line.product_id].price_krw * line.quantity for line in self.lines)

    @property
    def pieces(self) -> int:
        return sum(line.quantity for line in self.lines)

    @property
    def said(self) -> Said:
        named = ((self.offers[line.product_id], line.quantity) for line in self.lines)
        return wording.goods([wording.pieces(Said(offer.name_ko, offer.name_en), count) for offer, count in named])

    @property
    def dataset_id(self) -> str:
        dataset_id: str = self.offers[self.lines[0].product_id].dataset_id
        return dataset_id


@dataclass(frozen=True, slots=True)
class _Bill:
    """What an order costs, in the order base and discount, coupon, points."""

    goods_krw: int
    coupon: SqlRow[Any] | None
    coupon_discount_krw: int
    points_krw: int
    shipping_krw: int

    @property
    def paid_krw(self) -> int:
        return self.goods_krw - self.coupon_discount_krw - self.points_krw + self.shipping_krw


def _create(arguments: CreateOrderArguments, scope: Scope) -> Applied:
    user = lock_user(scope)
    basket = _basket(arguments, scope)
    address = arguments.shipping_address or user.shipping_address
    if not address:
        where = Said(
            "등록된 배송지가 없습니다. 받을 주소를 알려주세요.", "There is no address on file. Where shall it be sent?"
        )
        raise RuleViolated("shipping_address", "the user has no address yet; give one", where)
    bill = _bill(arguments, user, basket, scope)
    row = _written(arguments, address, bill, basket, scope)
    _taken(row, bill, basket, scope)
    if arguments.from_cart:
        _take_out(basket, scope)
    if not arguments.items:
        scope.connection.execute(CART_ITEMS.delete().where(owned(CART_ITEMS, scope)))
        scope.connection.execute(SHOP_USERS.update().where(owned(SHOP_USERS, scope)).values(cart_coupon_id=None))
    money = Money(EffectKind.CHARGE, row.paid_krw, row.order_id) if row.paid_krw else None
    return Applied(row, _shown(arguments, row, basket), money)


def _take_out(basket: _Basket, scope: Scope) -> None:
    """Take what is bought out of the cart, as many pieces as are bought."""
    for line in basket.lines:
        own = owned(CART_ITEMS, scope) & (CART_ITEMS.c.offer_id == basket.offers[line.product_id].offer_id)
        scope.connection.execute(CART_ITEMS.delete().where(own, CART_ITEMS.c.quantity <= line.quantity))
        fewer = CART_ITEMS.update().where(own).values(quantity=CART_ITEMS.c.quantity - line.quantity)
        scope.connection.execute(fewer)


def _basket(arguments: CreateOrderArguments, scope: Scope) -> _Basket:
    lines = _lines(arguments, scope)
    offers = lock_offers(scope, [line.product_id for line in lines])
    check_on_sale(scope, list(offers))
    return _Basket(lines, offers)


def _lines(arguments: CreateOrderArguments, scope: Scope) -> list[OrderLine]:
    if arguments.items:
        return [OrderLine(item.product_id, item.quantity) for item in arguments.items]
    cart = (
        select(OFFERS.c.product_id, CART_ITEMS.c.quantity)
        .join(OFFERS, OFFERS.c.offer_id == CART_ITEMS.c.offer_id)
        .where(owned(CART_ITEMS, scope))
        .order_by(OFFERS.c.product_id)
    )
    lines = [OrderLine(row.product_id, row.quantity) for row in scope.connection.execute(cart)]
    if not lines:
        empty = Said("장바구니가 비어 있어 주문할 것이 없습니다.", "Your cart is empty, so there is nothing to order.")
        raise RuleViolated("items", "the cart is empty; name what to buy", empty)
    return lines


def _bill(arguments: CreateOrderArguments, user: SqlRow[Any], basket: _Basket, scope: Scope) -> _Bill:
    goods_krw = basket.goods_krw
    if goods_krw > PRICE_KRW_MAX:
        raise RuleViolated("items", f"an order is worth at most {PRICE_KRW_MAX} KRW; this is {goods_krw}")
    of_cart = "" if arguments.items or arguments.without_coupon else user.cart_coupon_id
    coupon_id = arguments.coupon_id or of_cart
    coupon = lock_coupon(scope, coupon_id, goods_krw) if coupon_id else None
    discount_krw = coupon_discount_krw(coupon, goods_krw) if coupon is not None else 0
    if arguments.points_krw > user.points_krw:
        short = filled(
            "포인트가 {n}점뿐이라 {wanted}점은 쓸 수 없습니다.",
            "You have {n} points, so {wanted} cannot be used.",
            n=f"{user.points_krw:,}",
            wanted=f"{arguments.points_krw:,}",
        )
        raise RuleViolated("points_krw", f"the user has {user.points_krw} points", short)
    if arguments.points_krw > goods_krw - discount_krw:
        left = goods_krw - discount_krw
        most = filled(
            "포인트는 상품 금액에만 쓸 수 있어 {n}점까지 쓸 수 있습니다.",
            "Points pay for goods only: up to {n} can be used.",
            n=f"{left:,}",
        )
        raise RuleViolated("points_krw", f"points pay for goods only, of which {left} KRW are left", most)
    shipping_krw = 0 if goods_krw >= FREE_SHIPPING_FROM_KRW else SHIPPING_KRW
    return _Bill(goods_krw, coupon, discount_krw, arguments.points_krw, shipping_krw)


def _written(arguments: CreateOrderArguments, address: str, bill: _Bill, basket: _Basket, scope: Scope) -> OrderRow:
    order_id = f"ORD-{scope.number}"
    order = {
        "order_id": order_id,
        **scope.owner,
        "status": "pending",
        "goods_krw": bill.goods_krw,
        "coupon_discount_krw": bill.coupon_discount_krw,
        "points_used_krw": bill.points_krw,
        "shipping_krw": bill.shipping_krw,
        "paid_krw": bill.paid_krw,
        "refunded_krw": 0,
        "coupon_id": None if bill.coupon is None else bill.coupon.coupon_id,
        "payment_method": arguments.payment_method,
        "shipping_address": address,
        "ordered_at": scope.moment,
        "delivered_at": None,
        "carrier": "",
        "tracking_number": "",
        "as_of": scope.moment,
        "dataset_id": basket.dataset_id,
    }
    scope.connection.execute(ORDERS.insert(), order)
    add_event(scope, order_id, basket.dataset_id, "pending")
    kept = {name: value for name, value in order.items() if name in OrderRow.model_fields}
    goods, coupon = basket.said, bill.coupon
    named = {} if coupon is None else {"coupon_ko": coupon.name_ko, "coupon_en": coupon.name_en}
    told = {"pieces": basket.pieces, "goods_ko": goods.ko, "goods_en": goods.en, **named}
    return OrderRow.model_validate({**kept, **told})


def _taken(row: OrderRow, bill: _Bill, basket: _Basket, scope: Scope) -> None:
    """Take stock, coupon, points, and write down that money is asked for."""
    for line in basket.lines:
        offer = basket.offers[line.product_id]
        if not move_stock(scope, offer.offer_id, -line.quantity):
            few = refusals.too_few(offer.stock, line.quantity, Said(offer.name_ko, offer.name_en))
            message = f"{offer.stock} of {line.product_id} are in stock; {line.quantity} are wanted"
            raise RuleViolated("items", message, few)
        item = {
            "order_id": row.order_id,
            "offer_id": offer.offer_id,
            "quantity": line.quantity,
            "unit_price_krw": offer.price_krw,
            "as_of": scope.moment,
            "dataset_id": offer.dataset_id,
        }
        scope.connection.execute(ORDER_ITEMS.insert(), item)
    if bill.coupon is not None:
        used = COUPONS.update().where(COUPONS.c.coupon_id == bill.coupon.coupon_id)
        scope.connection.execute(used.values(used_order_id=row.order_id, as_of=scope.moment))
    if bill.points_krw:
        move_points(scope, -bill.points_krw, "spent", row.order_id, basket.dataset_id)
    if row.paid_krw:
        request_payment(scope, EffectKind.CHARGE, row.paid_krw, row.order_id, basket.dataset_id)


def _shown(arguments: CreateOrderArguments, row: OrderRow, basket: _Basket) -> tuple[Shown, ...]:
    products: list[Shown] = []
    for line in basket.lines:
        products += (
            target("product", line.product_id, basket.offers[line.product_id].name_ko),
            quantity("quantity", line.quantity),
        )
    return (
        *products,
        quantity("pieces", row.pieces),
        money_krw("goods_krw", row.goods_krw),
        money_krw("discount_krw", row.coupon_discount_krw),
        money_krw("points_krw", row.points_used_krw),
        money_krw("shipping_krw", row.shipping_krw),
        money_krw("amount_krw", row.paid_krw),
        text("address", row.shipping_address),
        text("payment_method", arguments.payment_method),
    )


def _settle(row: OrderRow, scope: Scope, done: bool) -> OrderRow:  # noqa: FBT001 - the shape of every settle
    order = scope.connection.execute(select(ORDERS).where(ORDERS.c.order_id == row.order_id).with_for_update()).one()
    end_payment(scope, EffectKind.CHARGE, done=done)
    status = "paid" if done else "cancelled"
    if not done:
        put_back(scope, order)
    set_order(scope, row.order_id, order.dataset_id, status, **({} if done else {"paid_krw": 0}))
    return row.model_copy(update={"status": status, **({} if done else {"paid_krw": 0})})


_WORDS: Final = (
    *("결제", "주문", "구매", "구입", "살게", "살게요", "살래", "살래요", "사", "지불", "계산", "결재"),
    *("pay", "order", "buy", "purchase", "checkout", "check", "out", "place"),
)

_METHOD_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "card": ("신용카드", "체크카드", "카드", "card"),
    "bank_transfer": ("계좌이체", "무통장", "이체", "transfer"),
    "mobile": ("간편결제", "mobile"),
}
"""What people call the way to pay of an order that is shown; another one's name changes the order, and is no yes."""

TOOLS: Final = (
    Tool(
        name="order_create",
        description_ko="장바구니나 지정한 상품을 주문하고 결제합니다. 사용자의 승인이 필요합니다.",
        description_en="Orders and pays for the cart or named products. Needs the user's approval.",
        arguments=CreateOrderArguments,
        row=OrderRow,
        effect=Effect(
            "CREATE_ORDER",
            _create,
            labels=LABELS,
            confirmation_required=True,
            settle=_settle,
            note="CANCEL_ORDER until it is shipped",
            asks=wording.asks_order,
            tells=wording.tells_order,
            declined=wording.ORDER_DECLINED,
            words=_WORDS,
            words_of=lambda row: _METHOD_WORDS[row.payment_method],
        ),
        domain="commerce",
        data_type="order",
        cost=ToolCost.MEDIUM,
        typical_seconds=0.5,
        quality_prior=0.95,
        timeout_seconds=15,
        concurrency_max=16,
        side_effect=SideEffect.REVERSIBLE,
        idempotency_key=KEY_PARTS,
    ),
)
