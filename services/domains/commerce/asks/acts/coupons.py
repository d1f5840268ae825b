"""Which coupon is meant, whether it can be used, and what it takes off. Pure."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal

from services.contract.asks import Ask, AskAnswer, Said
from services.domains.commerce.asks.acts.proposing import OWN
from services.domains.commerce.asks.bills import COUPON_FIELDS, named_coupons
from services.plugin.asks.answering import Call, Found, declined
from services.plugin.asks.telling import QueryRow, query, rows_of


def coupon_calls() -> Sequence[Call]:
    """Return the query for the person's coupons."""
    return [query("own_coupons", COUPON_FIELDS, mode="rows", tool=OWN, limit=100)]


def coupon_of(ask: Ask, found: Found, total: Decimal) -> QueryRow | AskAnswer | None:
    """Return the coupon that is meant; why none can be used where one was asked for; None where none was."""
    said = ask.notes.get("coupon", "none")
    if said == "none":
        return None
    rows = rows_of(found.readings, "own_coupons")
    fresh = [row for row in rows if not row.text("used_order_id")]
    named = named_coupons(fresh, said.removeprefix("said:")) if said.startswith("said:") else []
    if len(named) == 1:
        return named[0]
    usable = [row for row in fresh if usable_on(row, total, found.asking.now)]
    if not usable:
        return declined(
            ask, Said("지금 이 주문에 쓸 수 있는 쿠폰이 없습니다.", "You have no coupon that this order could use.")
        )
    return max(usable, key=lambda row: discount(row, total))


def usable_on(row: QueryRow, total: Decimal, now: datetime) -> bool:
    """Tell whether a coupon may be used for goods of that price."""
    until = datetime.fromisoformat(row.text("valid_until").replace(" ", "T"))
    until = until if until.tzinfo else until.replace(tzinfo=now.tzinfo)
    return until >= now and total >= (row.number("order_min_krw") or 0)


def discount(row: QueryRow, total: Decimal) -> Decimal:
    """Return what a coupon takes off goods of that price."""
    value = row.number("value") or Decimal(0)
    off = total * value // 100 if row.text("kind") == "percent" else value
    return min(off, row.number("discount_max_krw") or off, total)
