"""The coupon that a question on what goods cost speaks of: whether the person has it and may use it, what it takes off."""

from dataclasses import dataclass
from decimal import Decimal

from services.contract.asks import Ask, Said
from services.domains.commerce.asks.bills import best_coupon, named_coupons, taken_off, usable_coupons
from services.domains.commerce.asks.goods.saying import full_name
from services.domains.commerce.asks.rows_own import day_of, today_of
from services.plugin.asks.answering import Found
from services.plugin.asks.roles import of_role
from services.plugin.asks.telling import QueryRow, day_said, exact_won, filled, rows_of


@dataclass(frozen=True, slots=True)
class Used:
    """What a coupon does to a bill."""

    off: Decimal = Decimal(0)
    """What it takes off."""
    name: Said | None = None
    """What it is called; None for one that was only said."""
    refusal: Said | None = None
    """Why it cannot be used; None where it can, or where none is meant."""
    is_unchecked: bool = False
    """Whether nobody knows that the person has it."""


def coupon_used(ask: Ask, goods: Decimal, found: Found) -> Used:
    """Return what the coupon takes off that is named or said, or the best of the person's own where that is asked."""
    own = [row for row in rows_of(found.readings, "own_coupons") if not row.text("used_order_id")]
    meant = _meant(ask, own)
    if meant is not None:
        refusal = _refused(meant, goods, found)
        return Used(refusal=refusal) if refusal is not None else Used(taken_off(meant, goods), full_name(meant))
    if (flat := of_role(ask.quantities, "coupon_krw")) is not None:
        return Used(Decimal(flat.value), is_unchecked=True)
    if (share := of_role(ask.quantities, "coupon_percent")) is not None:
        return Used(goods * Decimal(share.value) // 100, is_unchecked=True)
    best = best_coupon(usable_coupons(found), goods) if "coupon" in ask.notes.get("pays", "") else None
    return Used(taken_off(best, goods), full_name(best)) if best is not None else Used()


def _meant(ask: Ask, own: list[QueryRow]) -> QueryRow | None:
    """Return the one of the person's own coupons that a question says by its value or names; None where it is unclear."""
    for role, kind in (("coupon_krw", "amount"), ("coupon_percent", "percent")):
        if (said := of_role(ask.quantities, role)) is not None:
            of_value = [row for row in own if row.text("kind") == kind and row.number("value") == Decimal(said.value)]
            return of_value[0] if len(of_value) == 1 else None
    named = named_coupons(own, ask.notes.get("said", "")) if ask.notes.get("coupon") else []
    return named[0] if len(named) == 1 else None


def _refused(row: QueryRow, goods: Decimal, found: Found) -> Said | None:
    """Return why a coupon cannot be used for goods; None where it can."""
    until, least = day_of(row, "valid_until", found), row.number("order_min_krw") or Decimal(0)
    if until is not None and until < today_of(found):
        return filled(
            "‘{name}’ 쿠폰은 {day}에 끝나 쓸 수 없습니다.",
            "The coupon “{name}” ended on {day} and cannot be used.",
            name=full_name(row),
            day=day_said(until),
        )
    if goods >= least:
        return None
    return filled(
        "‘{name}’ 쿠폰은 상품 합계 {least}부터 쓸 수 있어 {goods}에는 쓸 수 없습니다.",
        "The coupon “{name}” is for {least} of goods or more, so not for {goods}.",
        name=full_name(row),
        least=exact_won(least),
        goods=exact_won(goods),
    )
