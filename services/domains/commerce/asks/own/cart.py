"""The cart of the person who asks: what is in it, what it comes to, with a coupon, and whether it can all be bought."""

from collections.abc import Sequence
from decimal import Decimal

from services.contract.asks import Ask, AskForm, AskVerdict, Said, Told
from services.domains.commerce.asks.bills import (
    Bill,
    best_coupon,
    bill_of,
    coupons_calls,
    points_call,
    points_in,
    taken_off,
    usable_coupons,
)
from services.domains.commerce.asks.goods.saying import full_name, kind_said, stock_of, stock_said
from services.domains.commerce.asks.rows_own import OWN_TOOL, evidence_ids_of, proofs_of
from services.plugin.asks.answering import Call, Found, Outcome, answered, ruled
from services.plugin.asks.roles import of_role
from services.plugin.asks.telling import QueryRow, decimal, exact_won, filled, listed, query, rows_of, sentences


def cart_calls(ask: Ask) -> Sequence[Call]:
    """Return the queries for the cart, and for the coupons where one is spoken of."""
    fields = ("product_id", "name_ko", "name_en", "category", "quantity", "price_krw", "stock")
    return [
        query("own_cart", fields, mode="rows", tool=OWN_TOOL, limit=100),
        *([points_call()] if ask.notes.get("points") else ()),
        *(coupons_calls() if ask.quantities or ask.notes.get("wants") == "coupon" else ()),
    ]


def tell_cart(ask: Ask, found: Found) -> Outcome:
    """Return what is in the cart and what it comes to, with a coupon where one is spoken of."""
    without = ask.notes.get("without", "").split()
    rows = [row for row in rows_of(found.readings, "own_cart") if row.text("category") not in without]
    pieces = proofs_of(found, Said("내 장바구니", "Your cart"), "order")
    if not rows:
        return Outcome(answered(ask, _NOTHING_ELSE if without else _EMPTY))
    total = sum((_price(row) * _number(row) for row in rows), Decimal(0))
    figures = ("price_krw",)
    told = tuple(
        Told("product", row.text("product_id"), row.text("name_ko"), {name: row.text(name) for name in figures})
        for row in rows
    )
    if ask.notes.get("wants") == "stock":
        verdict, sentence = _stock_verdict(rows)
        return Outcome(ruled(ask, verdict, sentence, evidence_ids=evidence_ids_of(pieces), told=told), evidence=pieces)
    coupon = _coupon(ask, found, total)
    bill = bill_of(total, taken_off(coupon, total) if coupon is not None else Decimal(0))
    if coupon is not None:
        sentence = _with_coupon(coupon, bill, best=not ask.quantities)
    elif ask.notes.get("wants") == "coupon":
        sentence = _without_coupon(bill)
    else:
        sentence = _summed(bill) if ask.form is AskForm.AMOUNT else _listed(rows, bill)
    sentence = sentences(*(_aside_said(without),) if without else (), sentence)
    if ask.notes.get("points"):
        paid = bill_of(total, bill.coupon, points_in(found))
        sentence = sentences(*((sentence, _with_points(paid)) if bill.coupon else (_with_points(paid), sentence)))
    return Outcome(answered(ask, sentence, evidence_ids=evidence_ids_of(pieces), told=told), evidence=pieces)


_EMPTY = Said("장바구니가 비어 있습니다.", "Your cart is empty.")
_NOTHING_ELSE = Said("그 상품 말고는 장바구니에 담긴 것이 없습니다.", "Your cart holds nothing else.")


def _aside_said(kinds: Sequence[str]) -> Said:
    """Return which goods of the cart are left out of what is told; nothing is taken out of it."""
    what = listed([kind_said(one) for one in kinds])
    return filled("{what:을/를} 뺀다면 이렇습니다.", "Without the {what} it is as follows.", what=what)


def _price(row: QueryRow) -> Decimal:
    return row.number("price_krw") or Decimal(0)


def _number(row: QueryRow) -> Decimal:
    return row.number("quantity") or Decimal(1)


def _stock_verdict(rows: Sequence[QueryRow]) -> tuple[AskVerdict, Said]:
    """Return whether all that is in the cart can be bought as it stands."""
    short = [row for row in rows if stock_of(row) < _number(row)]
    each = listed([filled("{n} {s}", "{n} {s}", n=full_name(row), s=stock_said(row)) for row in short or rows])
    if short:
        return AskVerdict.NO, filled("아니요, 재고가 모자랍니다: {each}.", "No, these are short: {each}.", each=each)
    return AskVerdict.YES, filled(
        "네, 장바구니의 상품은 모두 재고가 있습니다: {each}.", "Yes, all of it is in stock: {each}.", each=each
    )


def _with_coupon(coupon: QueryRow, bill: Bill, *, best: bool) -> Said:
    return filled(
        "{best}{coupon} 쿠폰을 쓰면 {less}이 할인되어 {sum}입니다(상품 {total}, {way}).",
        "{best}With the coupon “{coupon}” {less} comes off: {sum} to pay (goods {total}, {way}).",
        best=Said("가장 많이 할인되는 쿠폰은 이것입니다. ", "The best coupon for it: ") if best else Said("", ""),
        coupon=full_name(coupon),
        less=exact_won(bill.coupon),
        sum=exact_won(bill.total),
        total=exact_won(bill.goods),
        way=bill.way,
    )


def _with_points(bill: Bill) -> Said:
    return filled(
        "포인트 {points}점까지 다 쓰면 {sum}을 냅니다.",
        "With all the points that can be used, {points}, {sum} is left to pay.",
        points=decimal(bill.points, 0),
        sum=exact_won(bill.total),
    )


def _without_coupon(bill: Bill) -> Said:
    return filled(
        "장바구니에 쓸 수 있는 쿠폰이 없습니다. 합계는 {sum}입니다(상품 {total}, {way}).",
        "None of your coupons applies to the cart. It comes to {sum} (goods {total}, {way}).",
        sum=exact_won(bill.total),
        total=exact_won(bill.goods),
        way=bill.way,
    )


def _summed(bill: Bill) -> Said:
    return filled(
        "장바구니 합계는 {total}이고 {way}이라 모두 {sum}입니다.",
        "The cart comes to {total}; {way}, so {sum} in all.",
        total=exact_won(bill.goods),
        way=bill.way,
        sum=exact_won(bill.total),
    )


def _listed(rows: Sequence[QueryRow], bill: Bill) -> Said:
    items = [
        filled(
            "{name} {n}개 {p}",
            "{n} × {name} {p}",
            name=full_name(row),
            n=decimal(_number(row), 0),
            p=exact_won(_price(row)),
        )
        for row in rows[:4]
    ]
    return filled(
        "장바구니에는 {n}개 상품이 있습니다: {items}. 합계는 {total}입니다({way}).",
        "Your cart holds {n:product/products}: {items}. The total is {total} ({way}).",
        n=str(len(rows)),
        items=listed(items),
        total=exact_won(bill.goods),
        way=bill.way,
    )


def _coupon(ask: Ask, found: Found, total: Decimal) -> QueryRow | None:
    """Return the coupon that is named by its percentage, else the one that takes off the most."""
    usable = usable_coupons(found)
    said = of_role(ask.quantities, "coupon_percent")
    if said is not None:
        usable = [row for row in usable if row.text("kind") == "percent" and row.number("value") == Decimal(said.value)]
    return best_coupon(usable, total)
