"""What a purchase costs: goods, then a coupon, then the way."""

from decimal import Decimal

from services.contract.asks import Ask, AskInput, Ground, Origin, Said
from services.domains.commerce.asks.goods.models import no_such_model
from services.domains.commerce.asks.goods.outcomes import evidence_ids_of, proofs_of
from services.domains.commerce.asks.goods.rows import chosen, named_models
from services.domains.commerce.asks.goods.saying import price_of, short_name, stock_of, told_of
from services.domains.commerce.asks.goods.subjects import codes_of
from services.domains.commerce.rules import FREE_SHIPPING_FROM_KRW, SHIPPING_KRW
from services.plugin.asks.answering import Found, Outcome, answered
from services.plugin.asks.roles import of_role
from services.plugin.asks.telling import exact_won, filled


def total_goods(ask: Ask, found: Found) -> Outcome:
    """Return what a purchase costs: goods, then a coupon, then the way."""
    choice = chosen(ask, found)
    rows = named_models(ask, choice) if codes_of(ask) else list(choice.all)
    if not rows:
        return no_such_model(ask, found)
    row = rows[0]
    said = of_role(ask.quantities, "pieces")
    number = int(said.value) if said is not None else 1
    goods = price_of(row) * number
    coupon = _coupon(ask, goods)
    shipping = Decimal(0) if goods >= FREE_SHIPPING_FROM_KRW else Decimal(SHIPPING_KRW)
    total = goods - coupon + shipping
    way = (
        Said("무료배송", "free shipping")
        if not shipping
        else Said(f"배송비 {exact_won(shipping).ko}", f"shipping {exact_won(shipping).en}")
    )
    less = filled(" - 쿠폰 {c}", " less the coupon of {c}", c=exact_won(coupon)) if coupon else Said("", "")
    sentence = filled(
        "{name} {n}개는 배송비까지 모두 {total}입니다({price} × {n} = {goods}{less}, {way}).",
        "{n} × {name} comes to {total} in all ({price} × {n} = {goods}{less}, {way}).",
        name=short_name(row),
        n=str(number),
        total=exact_won(total),
        price=exact_won(price_of(row)),
        goods=exact_won(goods),
        less=less,
        way=way,
    )
    free = exact_won(FREE_SHIPPING_FROM_KRW)
    rule = Said(
        f"배송비는 상품 합계가 {free.ko} 이상이면 없고, 그보다 적으면 {exact_won(SHIPPING_KRW).ko}입니다.",
        f"Shipping is free from {free.en} of goods, else {exact_won(SHIPPING_KRW).en}.",
    )
    short_of = stock_of(row) < number
    warning = (
        (
            filled(
                "재고가 {left}개뿐이라 {n}개를 살 수 없습니다.",
                "Only {left} are in stock, fewer than {n}.",
                left=str(stock_of(row)),
                n=str(number),
            ),
        )
        if short_of
        else ()
    )
    pieces = proofs_of(found)
    inputs = (
        AskInput("pieces", Said("수량", "pieces"), str(number), "count", Origin.GIVEN if said else Origin.ASSUMED),
    )
    answer = answered(
        ask,
        sentence,
        evidence_ids=evidence_ids_of(pieces),
        inputs=inputs,
        told=(told_of(row),),
        grounds=(Ground(rule, evidence_ids_of(pieces)[:1]),),
        cautions=warning,
    )
    return Outcome(answer, evidence=pieces)


def _coupon(ask: Ask, goods: Decimal) -> Decimal:
    if (flat := of_role(ask.quantities, "coupon_krw")) is not None:
        return min(Decimal(flat.value), goods)
    if (share := of_role(ask.quantities, "coupon_percent")) is not None:
        return goods * Decimal(share.value) // 100
    return Decimal(0)
