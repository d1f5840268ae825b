"""CREATE_LISTING and UPDATE_LISTING: goods that the calling seller offers."""

import json
from typing import Annotated, Any, Final, Literal

from pydantic import Field, StringConstraints, model_validator
from sqlalchemy import Row as SqlRow
from sqlalchemy import select

from services.contract.asks import Said
from services.contract.tool import SideEffect, ToolCost
from services.domains.commerce.actions import wording
from services.domains.commerce.actions.labels import LABELS
from services.domains.commerce.actions.shop import owned
from services.domains.commerce.data.tables import LISTINGS, OFFERS, PRODUCT_TOKENS, PRODUCTS, SELLERS
from services.domains.commerce.product_words import index_tokens
from services.domains.commerce.rules import RULES
from services.domains.commerce.tools.product_search import Category
from services.plugin.tools.effect import (
    KEY_PARTS,
    Applied,
    Effect,
    NotTheirs,
    RuleViolated,
    Scope,
    money_krw,
    quantity,
    target,
    text,
)
from services.plugin.tools.fields import PRICE_KRW_MAX, WHOLE, FreeText, Identifier, PriceKrw, WholeNumber
from services.plugin.tools.reads import Row
from services.plugin.tools.tool import Arguments, Tool

SELLER: Final = "seller"
STOCK_MAX: Final = 100_000
_NAME: Final = RULES.listings.name_chars
_TEXT: Final = RULES.listings.description_chars
_IMAGES: Final = RULES.listings.images
ImageUrl = Annotated[str, StringConstraints(max_length=500, pattern=r"^https://[A-Za-z0-9.-]+(?:/[!-~]*)?$")]


class CreateListingArguments(Arguments):
    """What is offered."""

    name: FreeText = Field(min_length=_NAME[0], max_length=_NAME[1], description="Name of the product.")
    category: Category = Field(description="Category.")
    price_krw: WholeNumber = Field(ge=1, le=PRICE_KRW_MAX, description="Price in KRW.")
    unit_cost_krw: WholeNumber = Field(default=0, ge=0, le=PRICE_KRW_MAX, description="What a piece costs the seller.")
    stock: WholeNumber = Field(default=1, ge=0, le=STOCK_MAX, description="Pieces in stock.")
    description: FreeText = Field(min_length=_TEXT[0], max_length=_TEXT[1], description="What a buyer should know.")
    image_urls: tuple[ImageUrl, ...] = Field(
        min_length=_IMAGES[0], max_length=_IMAGES[1], description="Addresses of images, https.", strict=False
    )


class UpdateListingArguments(Arguments):
    """What is changed about a listing."""

    listing_id: Identifier = Field(description="Id of the listing, as its own data set tells it.")
    price_krw: PriceKrw | None = Field(default=None, description="Price in KRW.")
    stock: Annotated[int, Field(ge=0, le=STOCK_MAX), WHOLE] | None = Field(default=None, description="Pieces in stock.")
    description: FreeText | None = Field(
        default=None, min_length=_TEXT[0], max_length=_TEXT[1], description="Description."
    )
    status: Literal["on_sale", "paused"] | None = Field(default=None, description="Whether it is offered.")

    @model_validator(mode="after")
    def _something(self) -> "UpdateListingArguments":
        if all(getattr(self, name) is None for name in ("price_krw", "stock", "description", "status")):
            raise ValueError("price_krw, stock, description and status are all absent")
        return self


class ListingRow(Row):
    """The listing now."""

    listing_id: str
    """Id of the listing."""
    product_id: str
    """Id of the product under which buyers find it."""
    name: str
    """Its name."""
    name_en: str = ""
    """Its name in English, where it has one of its own."""
    price_krw: int
    """Its price."""
    stock: int
    """Pieces in stock."""
    status: str
    """on_sale or paused."""


def _seller(scope: Scope) -> SqlRow[Any]:
    seller = scope.connection.execute(select(SELLERS).where(owned(SELLERS, scope)).with_for_update()).first()
    if seller is None:
        said = Said("판매자 계정에만 있는 기능입니다.", "Only a seller's account can do that.")
        raise RuleViolated("", "the user has no shop", said)
    return seller


def _create(arguments: CreateListingArguments, scope: Scope) -> Applied:
    seller = _seller(scope)
    number = scope.number
    row = ListingRow(
        listing_id=f"L-{number}",
        product_id=f"LISTED-{number}",
        name=arguments.name,
        price_krw=arguments.price_krw,
        stock=arguments.stock,
        status="on_sale",
    )
    mark = {"as_of": scope.moment, "dataset_id": seller.dataset_id}
    _write_product(arguments, row, seller, scope)
    listing = {
        "listing_id": row.listing_id,
        "seller_id": seller.seller_id,
        "product_id": row.product_id,
        "status": row.status,
        "description": arguments.description,
        "image_urls": json.dumps(arguments.image_urls),
        "unit_cost_krw": arguments.unit_cost_krw,
        "created_at": scope.moment,
        **mark,
    }
    scope.connection.execute(LISTINGS.insert(), listing)
    shown = (
        # Its id is made of the key under which it is done and says nothing to a person.
        target("listing", row.name),
        money_krw("price_krw", row.price_krw),
        quantity("stock", row.stock),
        text("text", arguments.description),
    )
    return Applied(row, shown)


def _write_product(arguments: CreateListingArguments, row: ListingRow, seller: SqlRow[Any], scope: Scope) -> None:
    """Write the product, its offer and the words by which buyers find it."""
    product = {
        "product_id": row.product_id,
        "name_ko": row.name,
        "name_en": row.name,
        "brand_ko": seller.name_ko[:40],
        "brand_en": seller.name_en[:40],
        "category": arguments.category,
        "attributes": "{}",
        "dataset_id": seller.dataset_id,
    }
    offer = {
        "offer_id": f"{row.product_id}-1",
        "product_id": row.product_id,
        "list_price_krw": row.price_krw,
        "discount_percent": 0,
        "price_krw": row.price_krw,
        "rating": 0.0,
        "review_count": 0,
        "stock": row.stock,
        "as_of": scope.moment,
        "dataset_id": seller.dataset_id,
    }
    tokens = sorted(
        token for token in index_tokens(f"{row.name} {seller.name_ko} {seller.name_en}") if len(token) <= 40
    )
    scope.connection.execute(PRODUCTS.insert(), product)
    scope.connection.execute(OFFERS.insert(), offer)
    if tokens:
        words = [{"token": token, "product_id": row.product_id} for token in tokens]
        scope.connection.execute(PRODUCT_TOKENS.insert(), words)


def _update(arguments: UpdateListingArguments, scope: Scope) -> Applied:
    seller = _seller(scope)
    own = (LISTINGS.c.listing_id == arguments.listing_id) & (LISTINGS.c.seller_id == seller.seller_id)
    query = (
        select(LISTINGS, OFFERS.c.offer_id, OFFERS.c.price_krw, OFFERS.c.stock, PRODUCTS.c.name_ko, PRODUCTS.c.name_en)
        .join(OFFERS, OFFERS.c.product_id == LISTINGS.c.product_id)
        .join(PRODUCTS, PRODUCTS.c.product_id == LISTINGS.c.product_id)
        .where(own)
        .with_for_update()
    )
    listing = scope.connection.execute(query).first()
    if listing is None:
        raise NotTheirs("listing_id", f"there is no listing {arguments.listing_id}")
    row = ListingRow(
        listing_id=listing.listing_id,
        product_id=listing.product_id,
        name=listing.name_ko,
        name_en=listing.name_en,
        price_krw=listing.price_krw if arguments.price_krw is None else arguments.price_krw,
        stock=listing.stock if arguments.stock is None else arguments.stock,
        status=arguments.status or listing.status,
    )
    _write_changes(arguments, row, listing, scope)
    shown = (
        target("listing", row.listing_id, row.name),
        money_krw("price_krw", row.price_krw),
        quantity("stock", row.stock),
        text("status", row.status),
        text("text", arguments.description or ""),
    )
    return Applied(row, shown)


def _write_changes(arguments: UpdateListingArguments, row: ListingRow, listing: SqlRow[Any], scope: Scope) -> None:
    kept = {} if arguments.description is None else {"description": arguments.description}
    changed = {"status": row.status, "as_of": scope.moment, **kept}
    scope.connection.execute(LISTINGS.update().where(LISTINGS.c.listing_id == row.listing_id).values(changed))
    offer: dict[str, Any] = {"as_of": scope.moment}
    if arguments.stock is not None:
        offer["stock"] = row.stock
    if arguments.price_krw is not None:
        offer |= {"price_krw": row.price_krw, "list_price_krw": row.price_krw, "discount_percent": 0}
    scope.connection.execute(OFFERS.update().where(OFFERS.c.offer_id == listing.offer_id).values(offer))


TOOLS: Final = (
    Tool(
        name="seller_create_listing",
        description_ko="판매자의 새 상품을 등록합니다. 사용자의 승인이 필요합니다.",
        description_en="Offers a new product of the calling seller. Needs the user's approval.",
        arguments=CreateListingArguments,
        row=ListingRow,
        effect=Effect(
            "CREATE_LISTING",
            _create,
            labels=LABELS,
            confirmation_required=True,
            note="paused by UPDATE_LISTING",
            asks=wording.asks_new_listing,
            tells=wording.tells_new_listing,
            words=("등록", "올려", "판매", "list", "create", "post"),
        ),
        domain="commerce",
        data_type="seller_listing",
        cost=ToolCost.LOW,
        typical_seconds=0.3,
        quality_prior=0.95,
        timeout_seconds=5,
        concurrency_max=8,
        side_effect=SideEffect.REVERSIBLE,
        idempotency_key=KEY_PARTS,
        required_role=SELLER,
    ),
    Tool(
        name="seller_update_listing",
        description_ko="판매자 자신의 상품의 가격, 재고, 설명, 판매 상태를 바꿉니다. 사용자의 승인이 필요합니다.",
        description_en="Changes price, stock, description or state of the calling seller's listing. Needs approval.",
        arguments=UpdateListingArguments,
        row=ListingRow,
        effect=Effect(
            "UPDATE_LISTING",
            _update,
            labels=LABELS,
            confirmation_required=True,
            note="undone by another UPDATE_LISTING",
            asks=wording.asks_listing,
            tells=wording.tells_listing,
            words=(
                "변경",
                "바꿔",
                "수정",
                "적용",
                "올려",
                "내려",
                "낮춰",
                "중지",
                "change",
                "update",
                "set",
                "pause",
                "lower",
                "raise",
            ),
        ),
        domain="commerce",
        data_type="seller_listing",
        cost=ToolCost.LOW,
        typical_seconds=0.3,
        quality_prior=0.95,
        timeout_seconds=5,
        concurrency_max=8,
        side_effect=SideEffect.REVERSIBLE,
        idempotency_key=KEY_PARTS,
        required_role=SELLER,
    ),
)
