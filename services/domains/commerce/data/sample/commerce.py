"""Generated shop life: carts, points and coupons of people, orders in every state, reviews, sellers and their sales."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import numpy as np

from services.domains.commerce.data.tables import (
    CART_ITEMS,
    COUPONS,
    LISTINGS,
    OFFERS,
    ORDER_EVENTS,
    ORDER_ITEMS,
    ORDERS,
    PAYMENTS,
    POINT_ENTRIES,
    REVIEWS,
    SALES_FACTS,
    SELLERS,
    SHOP_USERS,
)
from services.domains.commerce.rules import FREE_SHIPPING_FROM_KRW, SHIPPING_KRW
from services.plugin.data.sample import Block, Row, generated, load_yaml, naive_utc, stream

TENANT = "default"
_SHOPPERS = 40
_SALES_DAYS = 180
_SALES_PRODUCTS_PER_SELLER = 8
_AHEAD_OF_UTC = timedelta(hours=9)
"""A day of sales is one of those who sell, in Seoul, where the sun never moves the clock."""
_DESCRIPTION = (
    "예시 상품입니다. 실제로 판매되는 상품이 아니며 사진과 설명은 예시입니다. "
    "색상과 구성은 주문 시점에 따라 다를 수 있습니다."
)


@dataclass(frozen=True)
class Course:
    """An order's way: the states it went through, each with the days before the data's moment."""

    states: tuple[tuple[str, float], ...]
    """State and how many days ago, oldest first."""

    @property
    def status(self) -> str:
        """Where it stands."""
        return self.states[-1][0]

    def ago(self, status: str) -> float | None:
        """Return how many days ago it reached a state; None where it did not."""
        return next((days for name, days in self.states if name == status), None)


COURSES = (
    Course((("pending", 0.1),)),
    Course((("pending", 0.3), ("paid", 0.29))),
    Course((("pending", 1.2), ("paid", 1.19), ("preparing", 0.8))),
    Course((("pending", 3.0), ("paid", 2.99), ("preparing", 2.5), ("shipped", 1.5))),
    Course((("pending", 6.0), ("paid", 5.99), ("preparing", 5.5), ("shipped", 4.0), ("delivered", 2.0))),
    Course((("pending", 9.0), ("paid", 8.99), ("preparing", 8.5), ("shipped", 7.0), ("delivered", 5.0))),
    Course((("pending", 30.0), ("paid", 29.9), ("preparing", 29.0), ("shipped", 27.0), ("delivered", 25.0))),
    Course((("pending", 12.0), ("paid", 11.9), ("cancelled", 11.5))),
    Course((("pending", 2.0), ("paid", 1.9), ("preparing", 1.5), ("cancel_requested", 0.5))),
    Course(
        (
            *(("pending", 20.0), ("paid", 19.9), ("preparing", 19.0), ("shipped", 18.0), ("delivered", 16.0)),
            *(("refund_requested", 13.0), ("refunded", 12.0)),
        )
    ),
)
"""One order in each way, for each consumer, in this order of ids."""
_RECEIVED = COURSES[6]


class _Shop:
    """Collects the rows of the block."""

    def __init__(self, as_of: datetime, offers: Sequence[Row]) -> None:
        self.now = naive_utc(as_of)
        self.offers = [offer for offer in offers if offer["stock"] > 0]
        self.rows: dict[Any, list[Row]] = {table: [] for table in _TABLES}
        self.random = stream("commerce")

    def ago(self, days: float) -> datetime:
        return (self.now - timedelta(days=days)).replace(microsecond=0)

    def add(self, table: Any, **row: Any) -> None:
        self.rows[table].append({**row, "as_of": row.get("as_of", self.now)})

    def some_offers(self, count: int) -> list[Row]:
        chosen = self.random.choice(len(self.offers), size=count, replace=False)
        return [self.offers[int(place)] for place in sorted(chosen)]


_TABLES = (
    *(SHOP_USERS, SELLERS, LISTINGS, CART_ITEMS, COUPONS, POINT_ENTRIES),
    *(ORDERS, ORDER_ITEMS, ORDER_EVENTS, PAYMENTS, REVIEWS, SALES_FACTS),
)


def commerce_block(as_of: datetime, products: Block) -> Block:
    """Return the shop as of `as_of` over the products of `products`."""
    content = load_yaml(__package__, "commerce.yaml")
    shop = _Shop(as_of, products.rows[OFFERS])
    for user_id, person in content["consumers"].items():
        _consumer(shop, user_id, person, content)
    for number in range(1, _SHOPPERS + 1):
        _shopper(shop, f"shopper-{number:02d}", 90_000 + number * 10, content["reviews"])
    _sellers(shop, content["sellers"], products.rows[OFFERS])
    dataset = generated("sample_commerce", "쇼핑몰 회원·주문·판매(예시 데이터)", "Shop life (sample)", as_of)
    return Block(dataset, shop.rows)


def _consumer(shop: _Shop, user_id: str, person: Mapping[str, Any], content: Mapping[str, Any]) -> None:
    owner = {"tenant": TENANT, "user_id": user_id}
    shop.add(
        SHOP_USERS,
        **owner,
        nickname=person["nickname"],
        shipping_address=person["address"],
        points_krw=person["points"],
        cart_coupon_id=None,
    )
    _points(shop, owner, person["points"])
    for coupon in content["coupons"]:
        _coupon(shop, owner, coupon)
    for offer in shop.some_offers(2):
        shop.add(CART_ITEMS, **owner, offer_id=offer["offer_id"], quantity=1)
    for place, course in enumerate(COURSES):
        order_id = f"ORD-{person['orders_from'] + place}"
        items = _order(shop, owner, order_id, course, person["address"])
        if course is _RECEIVED:
            _review(shop, owner, order_id, items[0], content["reviews"])


def _points(shop: _Shop, owner: Mapping[str, str], points_krw: int) -> None:
    """Write how the points came: half of them lapse after a year from when they were earned."""
    for part, (share, days) in enumerate(((0.5, 60), (0.5, 20))):
        earned = shop.ago(days)
        shop.add(
            POINT_ENTRIES,
            entry_id=f"P-{owner['user_id']}-{part}",
            **owner,
            delta_krw=round(points_krw * share),
            reason="earned",
            order_id=None,
            expires_on=(earned + timedelta(days=365)).date(),
            as_of=earned,
        )


def _coupon(shop: _Shop, owner: Mapping[str, str], coupon: Mapping[str, Any]) -> None:
    shop.add(
        COUPONS,
        coupon_id=f"CPN-{owner['user_id'].upper()}-{coupon['suffix']}",
        **owner,
        name_ko=coupon["ko"],
        name_en=coupon["en"],
        kind=coupon["kind"],
        value=coupon["value"],
        order_min_krw=coupon["order_min"],
        discount_max_krw=coupon["discount_max"],
        valid_until=shop.ago(-coupon["valid_days"]),
        used_order_id=None,
    )


def _order(shop: _Shop, owner: Mapping[str, str], order_id: str, course: Course, address: str) -> list[Row]:
    """Write an order with its items, history and payments, and return the offers that it holds."""
    offers = shop.some_offers(int(shop.random.integers(1, 3)))
    lines = [(offer, int(shop.random.integers(1, 3))) for offer in offers]
    goods_krw = sum(offer["price_krw"] * quantity for offer, quantity in lines)
    shipping_krw = 0 if goods_krw >= FREE_SHIPPING_FROM_KRW else SHIPPING_KRW
    paid_krw = goods_krw + shipping_krw if course.ago("paid") is not None else 0
    given_back = course.status in {"cancelled", "refunded"}
    delivered = course.ago("delivered")
    sent = course.ago("shipped") is not None
    shop.add(
        ORDERS,
        order_id=order_id,
        **owner,
        status=course.status,
        goods_krw=goods_krw,
        coupon_discount_krw=0,
        points_used_krw=0,
        shipping_krw=shipping_krw,
        paid_krw=paid_krw,
        refunded_krw=paid_krw if given_back else 0,
        coupon_id=None,
        payment_method="card",
        shipping_address=address,
        ordered_at=shop.ago(course.states[0][1]),
        delivered_at=None if delivered is None else shop.ago(delivered),
        carrier="예시택배" if sent else "",
        tracking_number=f"7{order_id.removeprefix('ORD-'):0>11}" if sent else "",
        as_of=shop.ago(course.states[-1][1]),
    )
    for offer, quantity in lines:
        item = {"order_id": order_id, "offer_id": offer["offer_id"], "quantity": quantity}
        shop.add(ORDER_ITEMS, **item, unit_price_krw=offer["price_krw"], as_of=shop.ago(course.states[0][1]))
    for sequence, (status, days) in enumerate(course.states, start=1):
        shop.add(ORDER_EVENTS, order_id=order_id, sequence=sequence, status=status, as_of=shop.ago(days))
    _payments(shop, order_id, course, paid_krw, given_back=given_back)
    return offers


def _payments(shop: _Shop, order_id: str, course: Course, paid_krw: int, *, given_back: bool) -> None:
    moves = [("charge", course.ago("paid"))] if paid_krw else []
    moves += [("refund", course.states[-1][1])] if paid_krw and given_back else []
    for kind, days in moves:
        payment = {"payment_id": f"{order_id}-{kind}", "order_id": order_id, "kind": kind, "amount_krw": paid_krw}
        shop.add(PAYMENTS, **payment, status="done", as_of=shop.ago(days or 0))


def _review(
    shop: _Shop, owner: Mapping[str, str], order_id: str, offer: Row, texts: Sequence[Mapping[str, Any]]
) -> None:
    said = texts[int(shop.random.integers(len(texts)))]
    shop.add(
        REVIEWS,
        review_id=f"R-{order_id}",
        **owner,
        product_id=offer["product_id"],
        order_id=order_id,
        rating=said["rating"],
        body=said["body"],
        as_of=shop.ago(float(shop.random.uniform(1, 20))),
    )


def _shopper(shop: _Shop, user_id: str, orders_from: int, texts: Sequence[Mapping[str, Any]]) -> None:
    """Write somebody who bought and reviewed; they fill the shop, and nobody logs in as them."""
    owner = {"tenant": TENANT, "user_id": user_id}
    address = "경기도 수원시 예시구 보기로 1"
    shop.add(SHOP_USERS, **owner, nickname=user_id, shipping_address=address, points_krw=0, cart_coupon_id=None)
    for place in range(3):
        order_id = f"ORD-{orders_from + place}"
        _review(shop, owner, order_id, _order(shop, owner, order_id, _RECEIVED, address)[0], texts)


def _sellers(shop: _Shop, sellers: Mapping[str, Mapping[str, Any]], offers: Sequence[Row]) -> None:
    """Give every product a seller in turn, and each seller's first products a history of sales."""
    people = list(sellers.items())
    for user_id, seller in people:
        names = {"seller_id": seller["seller_id"], "name_ko": seller["ko"], "name_en": seller["en"]}
        shop.add(SELLERS, tenant=TENANT, user_id=user_id, **names)
    for place, offer in enumerate(offers):
        seller_id = people[place % len(people)][1]["seller_id"]
        unit_cost_krw = round(offer["price_krw"] * float(shop.random.uniform(0.45, 0.85)) / 100) * 100
        shop.add(
            LISTINGS,
            listing_id=f"L-{offer['product_id']}",
            seller_id=seller_id,
            product_id=offer["product_id"],
            status="on_sale",
            description=_DESCRIPTION,
            image_urls='["https://images.example/sample.jpg"]',
            unit_cost_krw=unit_cost_krw,
            created_at=shop.ago(_SALES_DAYS),
        )
        if place < len(people) * _SALES_PRODUCTS_PER_SELLER:
            shop.rows[SALES_FACTS].extend(_sales(shop, seller_id, offer, unit_cost_krw))


def _sales(shop: _Shop, seller_id: str, offer: Row, unit_cost_krw: int) -> Iterator[Row]:
    """Yield one row a day: busier at weekends, with a trend of the product's own."""
    random = stream(f"sales/{offer['product_id']}")
    level, drift = float(random.uniform(1, 9)), float(random.uniform(-0.003, 0.004))
    last = (shop.now + _AHEAD_OF_UTC - timedelta(days=1)).date()
    for number in range(_SALES_DAYS):
        day = last - timedelta(days=_SALES_DAYS - 1 - number)
        weekend = 1.35 if day.weekday() >= 5 else 1.0
        units = int(random.poisson(level * weekend * float(np.exp(drift * number))))
        orders = max(units - int(random.integers(0, 2)), 1) if units else 0
        yield {
            "seller_id": seller_id,
            "product_id": offer["product_id"],
            "date": day,
            "units": units,
            "orders": orders,
            "cancelled_orders": int(random.binomial(orders, 0.04)),
            "returned_orders": int(random.binomial(orders, 0.03)),
            "visitors": orders * int(random.integers(12, 30)) + int(random.integers(3, 40)),
            "revenue_krw": units * offer["price_krw"],
            "cost_krw": units * unit_cost_krw,
            "as_of": shop.now,
        }
