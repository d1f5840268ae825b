"""ADD_TO_CART, REMOVE_FROM_CART, APPLY_COUPON: the cart of the calling user."""

from typing import Final

from pydantic import Field
from sqlalchemy import and_, func, select

from services.contract.asks import Said
from services.contract.tool import SideEffect, ToolCost
from services.domains.commerce.actions import refusals, wording
from services.domains.commerce.actions.labels import LABELS
from services.domains.commerce.actions.shop import (
    check_on_sale,
    coupon_discount_krw,
    lock_coupon,
    lock_offers,
    lock_user,
    owned,
)
from services.domains.commerce.data.tables import CART_ITEMS, OFFERS, SHOP_USERS
from services.plugin.asks.telling import filled
from services.plugin.tools.effect import (
    KEY_PARTS,
    Applied,
    Effect,
    Missing,
    RuleViolated,
    Scope,
    money_krw,
    quantity,
    target,
)
from services.plugin.tools.fields import QUANTITY_MAX, Identifier, Quantity, WholeNumber
from services.plugin.tools.reads import Row
from services.plugin.tools.tool import Arguments, Tool

CART_LINES_MAX: Final = 50
_NOT_THERE: Final = Said("장바구니에 그 상품이 없습니다.", "Your cart does not hold that product.")


class AddToCartArguments(Arguments):
    """What is put into the cart."""

    product_id: Identifier = Field(description="Id of the product, as product_search returns it.")
    quantity: WholeNumber = Field(default=1, ge=1, le=QUANTITY_MAX, description="Pieces to add.")


class RemoveFromCartArguments(Arguments):
    """What is taken out of the cart."""

    product_id: Identifier = Field(description="Id of the product.")
    quantity: Quantity | None = Field(default=None, description="Pieces to take out; all where absent.")


class ApplyCouponArguments(Arguments):
    """Which coupon the cart uses."""

    coupon_id: Identifier = Field(description="Id of the coupon, as rewards returns it.")


class CartRow(Row):
    """The cart's line after the change."""

    product_id: str
    """Id of the product."""
    name_ko: str
    """Name for Korean readers."""
    name_en: str
    """Name for English readers."""
    quantity: int
    """Pieces of it in the cart now."""
    price_krw: int
    """Price of one piece now."""
    cart_pieces: int
    """Pieces in the cart in all."""
    cart_krw: int = 0
    """What all of them cost."""
    changed: int = 0
    """Pieces that were put in or taken out."""


class CouponRow(Row):
    """The coupon that the cart uses now."""

    coupon_id: str
    """Id of the coupon."""
    name_ko: str
    """Name for Korean readers."""
    name_en: str
    """Name for English readers."""
    goods_krw: int
    """Price of the goods in the cart."""
    discount_krw: int
    """What the coupon takes off."""


def _add(arguments: AddToCartArguments, scope: Scope) -> Applied:
    lock_user(scope)
    offer = lock_offers(scope, [arguments.product_id])[arguments.product_id]
    check_on_sale(scope, [arguments.product_id])
    line = and_(owned(CART_ITEMS, scope), CART_ITEMS.c.offer_id == offer.offer_id)
    present = scope.connection.execute(select(CART_ITEMS.c.quantity).where(line)).scalar()
    wanted = (present or 0) + arguments.quantity
    if wanted > QUANTITY_MAX:
        most = filled(
            "장바구니에 이미 {n}개가 있습니다. 한 상품은 모두 {most}개까지 담을 수 있습니다.",
            "The cart holds {n} of it already; a cart takes {most} of one product at most.",
            n=str(present or 0),
            most=str(QUANTITY_MAX),
        )
        raise RuleViolated("quantity", f"the cart holds {present} of it; together at most {QUANTITY_MAX}", most)
    if wanted > offer.stock:
        few = refusals.too_few(offer.stock, wanted, Said(offer.name_ko, offer.name_en))
        raise RuleViolated("quantity", f"{offer.stock} are in stock; the cart would hold {wanted}", few)
    if present is None:
        _check_room(scope)
        new = {**scope.owner, "offer_id": offer.offer_id, "quantity": wanted, "dataset_id": offer.dataset_id}
        scope.connection.execute(CART_ITEMS.insert(), {**new, "as_of": scope.moment})
    else:
        scope.connection.execute(CART_ITEMS.update().where(line).values(quantity=wanted, as_of=scope.moment))
    row = CartRow(
        product_id=offer.product_id,
        name_ko=offer.name_ko,
        name_en=offer.name_en,
        quantity=wanted,
        price_krw=offer.price_krw,
        **_whole(scope),
        changed=arguments.quantity,
    )
    product = target("product", offer.product_id, offer.name_ko)
    return Applied(row, (product, quantity("quantity", arguments.quantity), money_krw("price_krw", offer.price_krw)))


def _check_room(scope: Scope) -> None:
    lines = scope.connection.execute(select(func.count()).select_from(CART_ITEMS).where(owned(CART_ITEMS, scope)))
    if lines.scalar_one() >= CART_LINES_MAX:
        raise RuleViolated("product_id", f"a cart holds at most {CART_LINES_MAX} products")


def _remove(arguments: RemoveFromCartArguments, scope: Scope) -> Applied:
    lock_user(scope)
    offer = lock_offers(scope, [arguments.product_id])[arguments.product_id]
    line = and_(owned(CART_ITEMS, scope), CART_ITEMS.c.offer_id == offer.offer_id)
    present = scope.connection.execute(select(CART_ITEMS.c.quantity).where(line)).scalar()
    if present is None:
        raise Missing("product_id", f"the cart holds no product {arguments.product_id}", _NOT_THERE)
    taken = present if arguments.quantity is None else arguments.quantity
    if taken > present:
        held = filled("장바구니에는 {n}개만 있습니다.", "The cart holds only {n} of it.", n=str(present))
        raise RuleViolated("quantity", f"the cart holds {present} of it", held)
    if taken == present:
        scope.connection.execute(CART_ITEMS.delete().where(line))
    else:
        scope.connection.execute(CART_ITEMS.update().where(line).values(quantity=present - taken, as_of=scope.moment))
    row = CartRow(
        product_id=offer.product_id,
        name_ko=offer.name_ko,
        name_en=offer.name_en,
        quantity=present - taken,
        price_krw=offer.price_krw,
        **_whole(scope),
        changed=taken,
    )
    return Applied(row, (target("product", offer.product_id, offer.name_ko), quantity("quantity", taken)))


def _whole(scope: Scope) -> dict[str, int]:
    """Return how many pieces the cart holds, and what they cost."""
    number, cost = CART_ITEMS.c.quantity, CART_ITEMS.c.quantity * OFFERS.c.price_krw
    joined = select(func.sum(number), func.sum(cost)).join(OFFERS, OFFERS.c.offer_id == CART_ITEMS.c.offer_id)
    pieces, won = scope.connection.execute(joined.where(owned(CART_ITEMS, scope))).one()
    return {"cart_pieces": int(pieces or 0), "cart_krw": int(won or 0)}


def _apply_coupon(arguments: ApplyCouponArguments, scope: Scope) -> Applied:
    lock_user(scope)
    goods_krw = _whole(scope)["cart_krw"]
    coupon = lock_coupon(scope, arguments.coupon_id, goods_krw)
    if goods_krw == 0:
        empty = Said("장바구니가 비어 있어 쿠폰을 쓸 수 없습니다.", "Your cart is empty, so no coupon can be used.")
        raise RuleViolated("coupon_id", "the cart is empty", empty)
    discount_krw = coupon_discount_krw(coupon, goods_krw)
    values = {"cart_coupon_id": coupon.coupon_id, "as_of": scope.moment}
    scope.connection.execute(SHOP_USERS.update().where(owned(SHOP_USERS, scope)).values(values))
    row = CouponRow(
        coupon_id=coupon.coupon_id,
        name_ko=coupon.name_ko,
        name_en=coupon.name_en,
        goods_krw=goods_krw,
        discount_krw=discount_krw,
    )
    shown = (target("coupon", coupon.coupon_id, coupon.name_ko), money_krw("discount_krw", discount_krw))
    return Applied(row, shown)


TOOLS: Final = (
    Tool(
        name="order_add_to_cart",
        description_ko="상품을 장바구니에 담습니다.",
        description_en="Puts a product into the user's cart.",
        arguments=AddToCartArguments,
        row=CartRow,
        effect=Effect(
            "ADD_TO_CART",
            _add,
            labels=LABELS,
            confirmation_required=False,
            note="undone by REMOVE_FROM_CART",
            asks=wording.asks_add,
            tells=wording.tells_add,
            words=("담아", "담기", "담을게", "담을게요", "담", "넣어", "넣기", "추가", "add", "put", "in"),
        ),
        domain="commerce",
        data_type="order",
        cost=ToolCost.LOW,
        typical_seconds=0.2,
        quality_prior=0.95,
        timeout_seconds=5,
        concurrency_max=16,
        side_effect=SideEffect.REVERSIBLE,
        idempotency_key=KEY_PARTS,
    ),
    Tool(
        name="order_remove_from_cart",
        description_ko="장바구니에서 상품을 뺍니다.",
        description_en="Takes a product out of the user's cart.",
        arguments=RemoveFromCartArguments,
        row=CartRow,
        effect=Effect(
            "REMOVE_FROM_CART",
            _remove,
            labels=LABELS,
            confirmation_required=False,
            note="undone by ADD_TO_CART",
            asks=wording.asks_remove,
            tells=wording.tells_remove,
            words=("빼", "삭제", "제거", "비우기", "remove", "take", "out"),
        ),
        domain="commerce",
        data_type="order",
        cost=ToolCost.LOW,
        typical_seconds=0.2,
        quality_prior=0.95,
        timeout_seconds=5,
        concurrency_max=16,
        side_effect=SideEffect.REVERSIBLE,
        idempotency_key=KEY_PARTS,
    ),
    Tool(
        name="order_apply_coupon",
        description_ko="장바구니에 쿠폰을 적용합니다.",
        description_en="Has the user's cart use a coupon.",
        arguments=ApplyCouponArguments,
        row=CouponRow,
        effect=Effect(
            "APPLY_COUPON",
            _apply_coupon,
            labels=LABELS,
            confirmation_required=False,
            note="another coupon takes its place",
            asks=wording.asks_coupon,
            tells=wording.tells_coupon,
            words=("적용", "쿠폰", "apply", "use", "coupon"),
        ),
        domain="commerce",
        data_type="order",
        cost=ToolCost.LOW,
        typical_seconds=0.2,
        quality_prior=0.95,
        timeout_seconds=5,
        concurrency_max=16,
        side_effect=SideEffect.REVERSIBLE,
        idempotency_key=KEY_PARTS,
    ),
)
