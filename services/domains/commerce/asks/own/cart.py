"""The cart of the person who asks."""

from collections.abc import Sequence
from decimal import Decimal

from services.contract.asks import Ask, AskForm, Said, Told
from services.domains.commerce.asks.goods.saying import full_name
from services.domains.commerce.asks.own.orders import OWN_TOOL, evidence_ids_of, proofs_of
from services.domains.commerce.asks.own.rewards import coupons_calls, usable_coupons
from services.domains.commerce.rules import FREE_SHIPPING_FROM_KRW, SHIPPING_KRW
from services.plugin.asks.answering import Call, Found, Outcome, answered
from services.plugin.asks.roles import of_role
from services.plugin.asks.telling import QueryRow, decimal, exact_won, filled, listed, query, rows_of


def cart_calls(ask: Ask) -> Sequence[Call]:
    fields = ("product_id", "name_ko", "name_en", "category", "quantity", "price_krw", "stock")
    return [
        query("own_cart", fields, mode="rows", tool=OWN_TOOL, limit=100),
        *(coupons_calls(ask) if ask.quantities or "쿠폰" in ask.words or "coupon" in ask.words.lower() else ()),
    ]


def tell_cart(ask: Ask, found: Found) -> Outcome:
    """Return what is in the cart and what it comes to, with a coupon where one is named."""
    rows = rows_of(found.readings, "own_cart")
    pieces = proofs_of(found, Said("내 장바구니", "Your cart"), "order")
    if not rows:
        return Outcome(answered(ask, Said("장바구니가 비어 있습니다.", "Your cart is empty.")))
    total = sum(((row.number("price_krw") or Decimal(0)) * (row.number("quantity") or 1) for row in rows), Decimal(0))
    shipping = Decimal(0) if total >= FREE_SHIPPING_FROM_KRW else Decimal(SHIPPING_KRW)
    less, coupon = _coupon_of_cart(ask, found, total)
    way = (
        Said("무료배송", "free shipping")
        if not shipping
        else Said(f"배송비 {exact_won(shipping).ko}", f"shipping {exact_won(shipping).en}")
    )
    items = listed(
        [
            filled(
                "{name} {n}개 {p}",
                "{n} × {name} {p}",
                name=full_name(row),
                n=decimal(row.number("quantity") or 1, 0),
                p=exact_won(row.number("price_krw") or 0),
            )
            for row in rows[:4]
        ]
    )
    if coupon is not None:
        sentence = filled(
            "{coupon} 쿠폰을 쓰면 {less}이 할인되어 {sum}입니다(상품 {total}, {way}).",
            "With the coupon “{coupon}” {less} comes off: {sum} to pay (goods {total}, {way}).",
            coupon=full_name(coupon),
            less=exact_won(less),
            sum=exact_won(total - less + shipping),
            total=exact_won(total),
            way=way,
        )
    elif ask.form is AskForm.AMOUNT:
        sentence = filled(
            "장바구니 합계는 {total}이고 {way}이라 모두 {sum}입니다.",
            "The cart comes to {total}; {way}, so {sum} in all.",
            total=exact_won(total),
            way=way,
            sum=exact_won(total + shipping),
        )
    else:
        sentence = filled(
            "장바구니에는 {n}개 상품이 있습니다: {items}. 합계는 {total}입니다({way}).",
            "There are {n} products in your cart: {items}. They come to {total} ({way}).",
            n=str(len(rows)),
            items=items,
            total=exact_won(total),
            way=way,
        )
    told = tuple(
        Told("product", row.text("product_id"), row.text("name_ko"), {"price_krw": row.text("price_krw")})
        for row in rows
    )
    return Outcome(answered(ask, sentence, evidence_ids=evidence_ids_of(pieces), told=told), evidence=pieces)


def _coupon_of_cart(ask: Ask, found: Found, total: Decimal) -> tuple[Decimal, QueryRow | None]:
    """Return what the coupon that is named takes off the cart; none where it is not named or does not apply."""
    said = of_role(ask.quantities, "coupon_percent")
    for row in usable_coupons(found):
        value = row.number("value") or Decimal(0)
        is_percent = row.text("kind") == "percent"
        named = said is not None and is_percent and value == Decimal(said.value)
        named = named or (not is_percent and said is None and total >= (row.number("order_min_krw") or 0))
        if named and total >= (row.number("order_min_krw") or 0):
            off = total * value // 100 if is_percent else value
            return min(off, row.number("discount_max_krw") or off), row
    return Decimal(0), None
