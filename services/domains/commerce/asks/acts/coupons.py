"""Which coupon is meant, whether it can be used, and what it takes off. Pure."""

import re
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskAnswer, Said
from services.domains.commerce.asks.acts.proposing import OWN
from services.domains.commerce.asks.bills import COUPON_FIELDS, named_coupons
from services.plugin.asks.answering import Call, Found, declined
from services.plugin.asks.telling import QueryRow, filled, listed, query, rows_of, sentences


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
    if said.startswith("said:") and re.search(_NAMES_ONE, said):
        return declined(ask, _no_such(fresh, total, found))
    # Of several that the words name alike none but these is taken.
    usable = [row for row in named or fresh if usable_on(row, total, found.asking.now)]
    if not usable:
        return declined(
            ask, Said("지금 이 주문에 쓸 수 있는 쿠폰이 없습니다.", "You have no coupon that this order could use.")
        )
    return max(usable, key=lambda row: discount(row, total))


_NAMES_ONE: Final = r"\b[A-Z]{2,6}-[A-Z0-9-]{3,}|\d\s?(?:%|퍼|프로|percent)|\d\s?(?:천|만)?\s?원\s?(?:짜리|할인|쿠폰)|\d\s?won (?:coupon|voucher|off)"
"""Says what a coupon takes off, which names one."""


def _no_such(fresh: Sequence[QueryRow], total: Decimal, found: Found) -> Said:
    """Tell that there is no coupon like the one that was named, and which there are."""
    there = [Said(row.text("name_ko"), row.text("name_en")) for row in fresh if usable_on(row, total, found.asking.now)]
    no_such = Said("말씀하신 쿠폰은 없습니다.", "You have no such coupon.")
    if not there:
        return no_such
    others = filled("쓸 수 있는 것은 {names}입니다.", "Those that you can use: {names}.", names=listed(there))
    return sentences(no_such, others)


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
