"""What goods come to: goods, then one coupon, then points, then the way; and which coupon takes off the most. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from services.contract.asks import Said
from services.domains.commerce.asks.rows_own import OWN_TOOL, day_of, today_of
from services.domains.commerce.rules import FREE_SHIPPING_FROM_KRW, SHIPPING_KRW
from services.plugin.asks.answering import Call, Found
from services.plugin.asks.telling import QueryRow, exact_won, query, rows_of

COUPON_FIELDS: Final = (
    *("coupon_id", "name_ko", "name_en", "kind", "value", "order_min_krw", "discount_max_krw"),
    *("valid_until", "used_order_id"),
)
"""What is read of a coupon."""


def shipping_rule() -> Said:
    """Return what shipping costs, and from what sum it is free."""
    free, fee = exact_won(FREE_SHIPPING_FROM_KRW), exact_won(SHIPPING_KRW)
    return Said(
        f"배송비는 상품 합계가 {free.ko} 이상이면 없고, 그보다 적으면 {fee.ko}입니다.",
        f"Shipping is free from {free.en} of goods, else {fee.en}.",
    )


@dataclass(frozen=True, slots=True)
class Bill:
    """What a purchase comes to."""

    goods: Decimal
    """The goods at their prices."""
    coupon: Decimal = Decimal(0)
    """What a coupon takes off."""
    points: Decimal = Decimal(0)
    """What points pay."""

    @property
    def shipping(self) -> Decimal:
        """What the way costs: it goes by the goods before the coupon."""
        return Decimal(0) if self.goods >= FREE_SHIPPING_FROM_KRW else Decimal(SHIPPING_KRW)

    @property
    def total(self) -> Decimal:
        """What is left to pay."""
        return self.goods - self.coupon - self.points + self.shipping

    @property
    def way(self) -> Said:
        """What a reader is told of the way."""
        fee = exact_won(self.shipping)
        return Said(f"배송비 {fee.ko}", f"shipping {fee.en}") if self.shipping else Said("무료배송", "free shipping")


def bill_of(goods: Decimal, coupon: Decimal = Decimal(0), points: Decimal = Decimal(0)) -> Bill:
    """Return what goods come to; neither coupon nor points pay for more than there is, nor for the way."""
    less = min(coupon, goods)
    return Bill(goods, less, min(points, goods - less))


def coupons_calls() -> Sequence[Call]:
    """Return the query for the caller's coupons, those first that lapse first."""
    return [
        query(
            "own_coupons", COUPON_FIELDS, mode="rows", tool=OWN_TOOL, order_by="valid_until", descending=False, limit=50
        )
    ]


def points_call() -> Call:
    """Return the query for the caller's points."""
    return query("own_points", ["points_krw"], mode="rows", tool=OWN_TOOL, limit=1)


def points_in(found: Found) -> Decimal:
    """Return how many points the caller has."""
    return next((row.number("points_krw") or Decimal(0) for row in rows_of(found.readings, "own_points")), Decimal(0))


def usable_coupons(found: Found) -> list[QueryRow]:
    """Return the coupons that are neither used nor over."""
    return [
        row
        for row in rows_of(found.readings, "own_coupons")
        if not row.text("used_order_id") and (day := day_of(row, "valid_until", found)) and day >= today_of(found)
    ]


def taken_off(row: QueryRow, goods: Decimal) -> Decimal:
    """Return what a coupon takes off goods; nothing where they cost less than it is for."""
    if goods < (row.number("order_min_krw") or 0):
        return Decimal(0)
    value = row.number("value") or Decimal(0)
    off = goods * value // 100 if row.text("kind") == "percent" else value
    return min(off, row.number("discount_max_krw") or off, goods)


def named_coupons(rows: Sequence[QueryRow], said: str) -> list[QueryRow]:
    """Return the coupons whose name a message says: those with the most of its words."""
    plain = said.lower().replace(",", "")
    scores = [(max(_hits(row.text("name_ko"), plain), _hits(row.text("name_en").lower(), plain)), row) for row in rows]
    most = max((score for score, _ in scores), default=0)
    return [row for score, row in scores if score == most] if most else []


def _hits(name: str, said: str) -> int:
    words = [word.strip("%") for word in name.replace(",", "").split() if word not in _COMMON]
    return sum(re.search(rf"(?<!\d){re.escape(word)}(?!\d)", said) is not None for word in words)


_COMMON: Final = frozenset({"할인", "쿠폰", "off", "the", "of", "a", "discount", "won"})


def best_coupon(rows: Sequence[QueryRow], goods: Decimal) -> QueryRow | None:
    """Return the coupon that takes off the most, of two equal ones that which lapses first; None where none applies."""
    best = max(rows, key=lambda row: taken_off(row, goods), default=None)
    return best if best is not None and taken_off(best, goods) else None
