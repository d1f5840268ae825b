"""WRITE_REVIEW and UPDATE_PROFILE: what a user says of what they bought, and of themselves."""

from typing import Any, Final

from pydantic import Field, model_validator
from sqlalchemy import Row as SqlRow
from sqlalchemy import and_, exists, select

from services.contract.asks import Said
from services.contract.tool import SideEffect, ToolCost
from services.domains.commerce.actions import wording
from services.domains.commerce.actions.labels import LABELS
from services.domains.commerce.actions.shop import lock_offers, lock_user, owned
from services.domains.commerce.data.tables import OFFERS, ORDER_ITEMS, ORDERS, REVIEWS, SHOP_USERS
from services.plugin.tools.effect import (
    KEY_PARTS,
    Applied,
    Effect,
    NotTheirs,
    RuleViolated,
    Scope,
    quantity,
    target,
    text,
)
from services.plugin.tools.fields import FreeText, Identifier, WholeNumber
from services.plugin.tools.reads import Row
from services.plugin.tools.tool import Arguments, Tool


class WriteReviewArguments(Arguments):
    """What is said of a product."""

    product_id: Identifier = Field(description="Id of the product.")
    order_id: Identifier | None = Field(
        default=None, description="Order in which it was bought; the latest unreviewed one where absent."
    )
    rating: WholeNumber = Field(ge=1, le=5, description="Stars, 1 to 5.")
    body: FreeText = Field(min_length=5, max_length=2_000, description="What the user says.")


class UpdateProfileArguments(Arguments):
    """What the user changes about themselves."""

    nickname: FreeText | None = Field(default=None, min_length=2, max_length=40, description="Name that others see.")
    shipping_address: FreeText | None = Field(default=None, min_length=5, max_length=200, description="Where goods go.")

    @model_validator(mode="after")
    def _something(self) -> "UpdateProfileArguments":
        if self.nickname is None and self.shipping_address is None:
            raise ValueError("nickname and shipping_address are both absent")
        return self


class ReviewRow(Row):
    """The review that was written."""

    review_id: str
    """Id of the review."""
    product_id: str
    """Id of the product."""
    order_id: str
    """Order in which it was bought."""
    rating: int
    """Stars."""
    body: str
    """What it says."""
    name_ko: str = ""
    """Name of the product for Korean readers."""
    name_en: str = ""
    """Name for English readers."""


class ProfileRow(Row):
    """The user's profile now."""

    nickname: str
    """Name that others see."""
    shipping_address: str
    """Where goods go."""
    nickname_before: str | None = None
    """What others saw until now; None where that is not changed."""
    address_before: str | None = None
    """Where goods went until now, empty for nowhere; None where that is not changed."""


def _review(arguments: WriteReviewArguments, scope: Scope) -> Applied:
    lock_user(scope)
    offer = lock_offers(scope, [arguments.product_id])[arguments.product_id]
    bought = _bought(arguments, scope)
    row = ReviewRow(
        review_id=f"R-{scope.effect_key}",
        product_id=arguments.product_id,
        order_id=bought.order_id,
        rating=arguments.rating,
        body=arguments.body,
        name_ko=offer.name_ko,
        name_en=offer.name_en,
    )
    new = {
        **row.model_dump(exclude={"name_ko", "name_en"}),
        **scope.owner,
        "as_of": scope.moment,
        "dataset_id": bought.dataset_id,
    }
    scope.connection.execute(REVIEWS.insert(), new)
    _rate(offer, arguments.rating, scope)
    shown = (
        target("product", arguments.product_id, offer.name_ko),
        quantity("rating", arguments.rating),
        text("text", arguments.body),
    )
    return Applied(row, shown)


def _bought(arguments: WriteReviewArguments, scope: Scope) -> SqlRow[Any]:
    """Return the caller's delivered order of the product that bears no review yet."""
    reviewed = exists().where(
        and_(REVIEWS.c.order_id == ORDERS.c.order_id, REVIEWS.c.product_id == arguments.product_id)
    )
    query = (
        select(ORDERS.c.order_id, ORDERS.c.status, ORDERS.c.dataset_id, reviewed.label("reviewed"))
        .join(ORDER_ITEMS, ORDER_ITEMS.c.order_id == ORDERS.c.order_id)
        .join(OFFERS, OFFERS.c.offer_id == ORDER_ITEMS.c.offer_id)
        .where(owned(ORDERS, scope), OFFERS.c.product_id == arguments.product_id)
        .order_by(ORDERS.c.ordered_at.desc())
    )
    if arguments.order_id is not None:
        query = query.where(ORDERS.c.order_id == arguments.order_id)
    orders = scope.connection.execute(query.limit(100)).all()
    if arguments.order_id is not None and not orders:
        raise NotTheirs("order_id", f"there is no order {arguments.order_id} with this product")
    delivered = [order for order in orders if order.status == "delivered"]
    if not delivered:
        said = Said(
            "받아 본 상품에만 후기를 쓸 수 있습니다. 이 상품을 받은 주문이 없습니다.",
            "A review can be written only of what you bought and received; no such order has this product.",
        )
        raise RuleViolated("product_id", "only who bought a product and has received it may review it", said)
    free = [order for order in delivered if not order.reviewed]
    if not free:
        said = Said(
            "이 상품의 후기는 이미 쓰셨습니다. 등록한 후기는 여기서 고치거나 지울 수 없습니다.",
            "You have written a review of this product already; it cannot be changed or deleted here.",
        )
        raise RuleViolated("product_id", "the user has reviewed this product already", said)
    return free[0]


def _rate(offer: SqlRow[Any], rating: int, scope: Scope) -> None:
    count = offer.review_count + 1
    values = {"rating": round((offer.rating * offer.review_count + rating) / count, 4), "review_count": count}
    scope.connection.execute(OFFERS.update().where(OFFERS.c.offer_id == offer.offer_id).values(values))


def _profile(arguments: UpdateProfileArguments, scope: Scope) -> Applied:
    user = lock_user(scope)
    row = ProfileRow(
        nickname=user.nickname if arguments.nickname is None else arguments.nickname,
        shipping_address=user.shipping_address if arguments.shipping_address is None else arguments.shipping_address,
        nickname_before=None if arguments.nickname is None else user.nickname,
        address_before=None if arguments.shipping_address is None else user.shipping_address,
    )
    values = {"nickname": row.nickname, "shipping_address": row.shipping_address, "as_of": scope.moment}
    scope.connection.execute(SHOP_USERS.update().where(owned(SHOP_USERS, scope)).values(values))
    return Applied(row, (text("nickname", row.nickname), text("address", row.shipping_address)))


TOOLS: Final = (
    Tool(
        name="review_write",
        description_ko="구매해 받은 상품의 후기를 씁니다.",
        description_en="Writes a review of a product that the user bought and received.",
        arguments=WriteReviewArguments,
        row=ReviewRow,
        effect=Effect(
            "WRITE_REVIEW",
            _review,
            labels=LABELS,
            confirmation_required=False,
            note="removed by the shop's support",
            asks=wording.asks_review,
            tells=wording.tells_review,
            words=("등록", "올려", "올리기", "남겨", "써", "작성", "post", "submit", "write", "review", "publish"),
        ),
        domain="commerce",
        data_type="review",
        cost=ToolCost.LOW,
        typical_seconds=0.2,
        quality_prior=0.95,
        timeout_seconds=5,
        concurrency_max=16,
        side_effect=SideEffect.REVERSIBLE,
        idempotency_key=KEY_PARTS,
    ),
    Tool(
        name="account_update_profile",
        description_ko="사용자의 별명이나 배송지를 바꿉니다.",
        description_en="Changes the user's nickname or shipping address.",
        arguments=UpdateProfileArguments,
        row=ProfileRow,
        effect=Effect(
            "UPDATE_PROFILE",
            _profile,
            labels=LABELS,
            confirmation_required=True,
            note="undone by another UPDATE_PROFILE",
            asks=wording.asks_profile,
            tells=wording.tells_profile,
            words=("변경", "바꿔", "수정", "주소", "배송지", "change", "update", "address"),
        ),
        domain="commerce",
        data_type="account",
        cost=ToolCost.LOW,
        typical_seconds=0.2,
        quality_prior=0.95,
        timeout_seconds=5,
        concurrency_max=16,
        side_effect=SideEffect.IDEMPOTENT,
        idempotency_key=KEY_PARTS,
    ),
)
