"""What a purchase costs: goods, then a coupon, then points, then the way."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskInput, Ground, Origin, Said
from services.domains.commerce.asks.bills import Bill, bill_of, coupons_calls, points_call, points_in, shipping_rule
from services.domains.commerce.asks.goods.coupons import coupon_used
from services.domains.commerce.asks.goods.models import no_such_model
from services.domains.commerce.asks.goods.outcomes import evidence_ids_of, proofs_of
from services.domains.commerce.asks.goods.rows import Choice, chosen, goods_calls, models_of
from services.domains.commerce.asks.goods.saying import full_name, price_of, short_name, stock_of, told_of
from services.domains.commerce.asks.goods.subjects import codes_of, ids_of
from services.domains.commerce.asks.goods.words import ENOUGH, TO_FREE
from services.domains.commerce.rules import FREE_SHIPPING_FROM_KRW, RULES, UNUSUAL_PIECES
from services.plugin.asks.answering import Call, Found, Outcome, answered, asking_back
from services.plugin.asks.roles import of_role
from services.plugin.asks.telling import QueryRow, decimal, exact_won, filled, listed, sentences


@dataclass(frozen=True, slots=True)
class _Line:
    row: QueryRow
    number: int

    @property
    def price(self) -> Decimal:
        return price_of(self.row) * self.number


def total_calls(ask: Ask) -> Sequence[Call]:
    """Return the queries for the goods, and for the coupons and points that the question takes from the person."""
    wants = ask.notes.get("pays", "")
    coupons = coupons_calls() if "coupon" in wants or ask.notes.get("coupon") else ()
    points = [points_call()] if "points" in wants else []
    return [*goods_calls(ask), *coupons, *points]


def total_goods(ask: Ask, found: Found) -> Outcome:
    """Return what a purchase costs, with what is taken off in order."""
    choice = chosen(ask, found)
    lines, unclear = _lines(ask, choice)
    missing = [
        code for code in codes_of(ask) if not any(f" {code} " in f" {row.text('name_ko')} " for row in choice.all)
    ]
    if missing or not (lines or unclear):
        return no_such_model(ask, found, missing)
    if unclear:
        return _asked_which(ask, unclear)
    if (money := of_role(ask.quantities, "money")) is not None and len(lines) == 1:
        return _bought_for(ask, found, lines[0].row, Decimal(money.value))
    goods = sum((line.price for line in lines), Decimal(0))
    used = coupon_used(ask, goods, found)
    bill = bill_of(goods, used.off, points_in(found))
    pieces = proofs_of(found)
    short = [] if not bill.shipping else [_to_free(bill)]
    told = _of_one(lines[0], bill, used.name) if len(lines) == 1 else _of_several(lines, bill, used.name)
    first = short if re.search(TO_FREE, ask.words, re.IGNORECASE) else []
    sentence = sentences(used.refusal, _covered(ask, bill, points_in(found)), *first, told)
    given = Origin.GIVEN if any(one.role.startswith("pieces") for one in ask.quantities) else Origin.ASSUMED
    inputs = (AskInput("pieces", Said("수량", "pieces"), str(sum(one.number for one in lines)), "count", given),)
    answer = answered(
        ask,
        sentence,
        evidence_ids=evidence_ids_of(pieces),
        inputs=inputs,
        told=tuple(told_of(line.row) for line in lines),
        grounds=tuple(
            Ground(one, evidence_ids_of(pieces)[:1]) for one in (*(short if not first else ()), shipping_rule())
        ),
        cautions=(*_warnings(lines), *([_AS_SAID] if used.is_unchecked else [])),
    )
    return Outcome(answer, evidence=pieces)


def _covered(ask: Ask, bill: Bill, points: Decimal) -> Said | None:
    """Return whether points pay for goods, where that is asked; None where it is not."""
    if not re.search(ENOUGH, ask.words, re.IGNORECASE):
        return None
    left, enough = bill.goods - bill.coupon - bill.points, not bill.goods - bill.coupon - bill.points
    return filled(
        "네, 포인트 {points}점이 상품값 {goods}보다 적지 않습니다."
        if enough
        else "아니요, 포인트 {points}점은 상품값 {goods}보다 {left} 적습니다.",
        "Yes, {points} points cover the goods at {goods}."
        if enough
        else "No, {points} points are {left} short of the goods at {goods}.",
        points=decimal(points, 0),
        goods=exact_won(bill.goods - bill.coupon),
        left=exact_won(left),
    )


def _to_free(bill: Bill) -> Said:
    """Return for how much more goods go free."""
    return filled(
        "{more}어치를 더 담으면 무료로 배송됩니다.",
        "With {more} more of goods shipping is free.",
        more=exact_won(FREE_SHIPPING_FROM_KRW - bill.goods),
    )


def _bought_for(ask: Ask, found: Found, row: QueryRow, money: Decimal) -> Outcome:
    """Return how many pieces of a product a sum buys, shipping included, and what they cost."""
    price, most = price_of(row), RULES.orders.quantity_max
    affordable = (number for number in range(most, 0, -1) if bill_of(price * number, Decimal(0)).total <= money)
    number = min(next(affordable, 0), stock_of(row))
    bill, pieces = bill_of(price * max(number, 1), Decimal(0)), proofs_of(found)
    sentence = filled(
        "{money:으로/로} {name:을/를} {n}개까지 살 수 있습니다: {price} × {n} = {total}({way})."
        if number
        else "{money:으로/로}는 {name:을/를} 살 수 없습니다: 1개에 {total}입니다({way}).",
        "{money} buys up to {n} of the {name}: {price} × {n} = {total} ({way})."
        if number
        else "{money} does not buy one {name}: it comes to {total} ({way}).",
        money=exact_won(money),
        name=short_name(row),
        n=str(number),
        price=exact_won(price),
        total=exact_won(bill.total),
        way=bill.way,
    )
    short = filled(
        "재고가 {n}개라 그보다 많이는 살 수 없습니다.", "There are {n} in stock, so no more can be had.", n=str(number)
    )
    inputs = (AskInput("money", Said("금액", "the sum"), f"{money:f}", "krw", Origin.GIVEN),)
    answer = answered(
        ask,
        sentences(sentence, short if number and number == stock_of(row) else None),
        evidence_ids=evidence_ids_of(pieces),
        inputs=inputs,
        told=(told_of(row),),
        grounds=(Ground(shipping_rule(), evidence_ids_of(pieces)[:1]),),
    )
    return Outcome(answer, evidence=pieces)


def _lines(ask: Ask, choice: Choice) -> tuple[list[_Line], list[QueryRow]]:
    """Return the lines of a purchase, and the models of a code that the words do not tell apart."""
    whole = of_role(ask.quantities, "pieces")
    if ids_of(ask) or not codes_of(ask):
        return [_Line(row, int(whole.value) if whole else 1) for row in choice.all], []
    lines: list[_Line] = []
    unclear: list[QueryRow] = []
    for code in codes_of(ask):
        said = of_role(ask.quantities, f"pieces.{code}") or whole
        own = models_of(code, ask, choice)
        if len(own) > 1:
            unclear += own
        lines += [_Line(row, int(said.value) if said else 1) for row in own[:1]]
    return lines, unclear


def _asked_which(ask: Ask, rows: Sequence[QueryRow]) -> Outcome:
    sentence = filled(
        "어느 상품인가요? {names:이/가} 있습니다.",
        "Which of these do you mean: {names}?",
        names=listed([full_name(row) for row in rows[:4]]),
    )
    return Outcome(asking_back(ask, sentence, Said("상품", "the product")))


def _of_one(line: _Line, bill: Bill, coupon: Said | None) -> Said:
    return filled(
        "{name} {n}개는 배송비까지 모두 {total}입니다({price} × {n} = {goods}{less}, {way}).",
        "{n} × {name} comes to {total} in all ({price} × {n} = {goods}{less}, {way}).",
        name=short_name(line.row),
        n=str(line.number),
        total=exact_won(bill.total),
        price=exact_won(price_of(line.row)),
        goods=exact_won(bill.goods),
        less=_less(bill, coupon),
        way=bill.way,
    )


def _of_several(lines: Sequence[_Line], bill: Bill, coupon: Said | None) -> Said:
    parts = [
        filled(
            "{name} {n}개 {price}",
            "{n} × {name} {price}",
            name=short_name(one.row),
            n=str(one.number),
            price=exact_won(one.price),
        )
        for one in lines
    ]
    return filled(
        "합계는 배송비까지 모두 {total}입니다({parts}{less}, {way}).",
        "Together they come to {total} in all ({parts}{less}, {way}).",
        total=exact_won(bill.total),
        parts=listed(parts),
        less=_less(bill, coupon),
        way=bill.way,
    )


def _less(bill: Bill, coupon: Said | None) -> Said:
    """Return what is taken off, in order: coupon, then points."""
    off, points = exact_won(bill.coupon), exact_won(bill.points)
    named = coupon or Said("", "")
    ko = f" - 쿠폰{f'({named.ko})' if named.ko else ''} {off.ko}" if bill.coupon else ""
    en = f" less {f'“{named.en}”' if named.en else 'the coupon of'} {off.en}" if bill.coupon else ""
    ko += f" - 포인트 {points.ko}" if bill.points else ""
    en += f" less points {points.en}" if bill.points else ""
    return Said(ko, en)


_AS_SAID: Final = Said(
    "말씀하신 쿠폰을 쓸 수 있을 때의 값입니다. 최소 주문 금액이나 기한 때문에 못 쓸 수 있습니다.",
    "This is what it costs if the coupon can be used: it may need a minimum order, or have expired.",
)


def _warnings(lines: Sequence[_Line]) -> list[Said]:
    """Return what stands in the way of buying: too few in stock, and that so many pieces have to be confirmed."""
    short = [
        filled(
            "{name}의 재고가 {left}개뿐이라 {n}개를 살 수 없습니다.",
            "Only {left} of the {name} are in stock, fewer than {n}.",
            name=short_name(line.row),
            left=str(stock_of(line.row)),
            n=str(line.number),
        )
        for line in lines
        if stock_of(line.row) < line.number
    ]
    many = Said(
        f"한 번에 {UNUSUAL_PIECES}개 이상은 평소와 다른 수량이라 주문할 때 확인이 필요합니다.",
        f"{UNUSUAL_PIECES} pieces or more at once are unusual and have to be confirmed when ordering.",
    )
    return [*short, *([many] if sum(line.number for line in lines) >= UNUSUAL_PIECES else [])]
