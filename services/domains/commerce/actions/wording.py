"""How actions are told: the question before one, and what was done, in both languages.

Every sentence is made of the action's own row, which the ledger keeps: nothing can be told that was not done.
"""

from typing import Any, Final

from services.contract.asks import Said
from services.plugin.asks.telling import filled, listed, sentences

METHODS: Final = {
    "card": Said("카드", "card"),
    "bank_transfer": Said("계좌이체", "bank transfer"),
    "mobile": Said("간편결제", "mobile pay"),
}
"""What people call the ways to pay."""


def won(amount: int) -> Said:
    """Return a sum to the won, as a bill writes it."""
    return Said(f"{amount:,}원", f"KRW {amount:,}")


def pieces(name: Said, quantity: int) -> Said:
    """Return a product with how many of it."""
    return Said(f"{name.ko} {quantity:,}개", f"{quantity:,} × {name.en}")


def goods(parts: list[Said]) -> Said:
    """Return the lines of an order in a few words: two by name, of the rest how many."""
    if len(parts) <= 2:
        return listed(parts)
    rest = len(parts) - 2
    return Said(f"{listed(parts[:2]).ko} 외 {rest}건", f"{listed(parts[:2]).en} and {rest} more")


def asks_order(row: Any) -> Said:
    """Ask for the user's word on an order."""
    return filled(
        "{goods:을/를} {method:으로/로} {sum}에 주문할까요? ({bill}, 배송지 {address})",
        "Shall I order {goods} for {sum}, paid by {method}? ({bill}, to {address})",
        goods=Said(row.goods_ko, row.goods_en),
        method=METHODS[row.payment_method],
        sum=won(row.paid_krw),
        bill=_bill(row),
        address=row.shipping_address[:60],
    )


def _bill(row: Any) -> Said:
    """Return the parts of a bill in the order in which they are taken off."""
    parts = [filled("상품 {n}", "goods {n}", n=won(row.goods_krw))]
    if row.coupon_discount_krw:
        name = Said(row.coupon_ko, row.coupon_en)
        parts.append(filled("{name} 쿠폰 -{n}", "coupon “{name}” -{n}", name=name, n=won(row.coupon_discount_krw)))
    if row.points_used_krw:
        parts.append(filled("포인트 -{n}", "points -{n}", n=won(row.points_used_krw)))
    free = Said("무료배송", "free shipping")
    parts.append(filled("배송비 {n}", "shipping {n}", n=won(row.shipping_krw)) if row.shipping_krw else free)
    return listed(parts)


def tells_order(row: Any) -> Said:
    """Tell what became of an order."""
    if row.status == "cancelled":
        return ORDER_DECLINED
    said = {"goods": Said(row.goods_ko, row.goods_en), "id": row.order_id, "sum": won(row.paid_krw), "bill": _bill(row)}
    return filled(
        "주문이 완료되었습니다. {goods:을/를} {method:으로/로} {sum} 결제했습니다(주문번호 {id}, {bill}).",
        "Your order is placed and paid: {goods}, {sum} by {method} (order {id}; {bill}).",
        method=METHODS[row.payment_method],
        **said,
    )


ORDER_DECLINED: Final = Said(
    "결제가 승인되지 않아 주문하지 않았습니다. 재고와 쿠폰, 포인트는 그대로입니다.",
    "The payment was declined, so nothing was ordered. Stock, coupon and points are as they were.",
)


def asks_cancel(row: Any) -> Said:
    """Ask for the user's word on a cancellation."""
    goods_said = Said(row.goods_ko, row.goods_en)
    if row.previous_status == "preparing":
        return filled(
            "{id} 주문({goods})은 이미 준비 중이라 판매자가 동의해야 취소됩니다. 취소를 요청할까요?"
            " 동의하면 {sum}을 돌려받습니다.",
            "Order {id} ({goods}) is being prepared already, so its seller has to agree. Shall I ask them to cancel it?"
            " If they do, {sum} goes back to you.",
            id=row.order_id,
            goods=goods_said,
            sum=won(row.paid_krw),
        )
    back = (
        filled("{sum:을/를} 돌려받습니다.", "{sum} goes back to you.", sum=won(row.refund_krw))
        if row.refund_krw
        else Said("아직 결제 전이라 돌려받을 금액은 없습니다.", "Nothing was paid yet, so nothing goes back.")
    )
    return filled(
        "{id} 주문 전체({goods})를 취소할까요? 일부만 취소되지는 않습니다. {back}"
        if row.is_whole_of_several
        else "{id} 주문({goods})을 취소할까요? {back}",
        "Shall I cancel the whole of order {id} ({goods})? A part of it cannot be. {back}"
        if row.is_whole_of_several
        else "Shall I cancel order {id} ({goods})? {back}",
        id=row.order_id,
        goods=goods_said,
        back=back,
    )


def tells_cancel(row: Any) -> Said:
    """Tell what became of a cancellation."""
    goods_said = Said(row.goods_ko, row.goods_en)
    if row.status == "cancel_requested":
        return filled(
            "{id} 주문({goods})의 취소를 판매자에게 요청했습니다. 판매자가 동의해야 취소되고, 그때 {sum}이 환불됩니다.",
            "The seller was asked to cancel order {id} ({goods}). Once they agree, {sum} goes back to you.",
            id=row.order_id,
            goods=goods_said,
            sum=won(row.paid_krw),
        )
    if row.status != "cancelled":
        return NOT_MOVED
    back = (
        filled("{sum}이 결제 수단으로 환불됩니다.", "{sum} goes back to how you paid.", sum=won(row.refund_krw))
        if row.refund_krw
        else Said("결제된 금액이 없어 환불할 금액은 없습니다.", "Nothing was paid, so nothing goes back.")
    )
    return filled(
        "{id} 주문({goods})이 취소되었습니다. {back}",
        "Order {id} ({goods}) is cancelled. {back}",
        id=row.order_id,
        goods=goods_said,
        back=back,
    )


NOT_MOVED: Final = Said(
    "환불이 처리되지 않아 주문은 그대로입니다.", "The money could not be moved back, so the order is as it was."
)


def asks_refund(row: Any) -> Said:
    """Ask for the user's word on a refund; of an order of several pieces, told that it is of all of them."""
    whole = row.is_whole_of_several
    head = filled(
        "{id} 주문 전체({goods})를 환불할까요? 일부만 환불되지는 않습니다."
        if whole
        else "{id} 주문({goods})을 환불할까요?",
        "Shall I refund the whole of order {id} ({goods})? A part of it cannot be."
        if whole
        else "Shall I refund order {id} ({goods})?",
        id=row.order_id,
        goods=Said(row.goods_ko, row.goods_en),
    )
    back = filled(
        "{amount}에서 반품 배송비 {fee:을/를} 뺀 {sum:을/를} 돌려받습니다.",
        "{amount} less {fee} return shipping: {sum} goes back to you.",
        amount=won(row.amount_krw),
        fee=won(row.return_shipping_krw),
        sum=won(row.refund_krw),
    )
    return sentences(head, back)


def tells_refund(row: Any) -> Said:
    """Tell what became of a refund."""
    if row.refunded_krw < row.amount_krw:
        return NOT_MOVED
    return filled(
        "{id} 주문({goods})의 환불이 접수되어 {sum}이 환불됩니다({amount}에서 반품 배송비 {fee} 제외).",
        "Order {id} ({goods}) is refunded: {sum} goes back to you ({amount} less {fee} return shipping).",
        id=row.order_id,
        goods=Said(row.goods_ko, row.goods_en),
        amount=won(row.amount_krw),
        fee=won(row.return_shipping_krw),
        sum=won(row.refund_krw),
    )


def asks_add(row: Any) -> Said:
    """Ask for the user's word on what goes into the cart."""
    name = Said(row.name_ko, row.name_en)
    return filled(
        "장바구니에 {goods:을/를} 담을까요?", "Shall I put {goods} into your cart?", goods=pieces(name, row.changed)
    )


def tells_add(row: Any) -> Said:
    """Tell what was put into the cart."""
    now = filled(", 이 상품은 이제 {n}개", ", now {n} of it", n=f"{row.quantity:,}")
    return filled(
        "장바구니에 {goods:을/를} 담았습니다(한 개 {price}{now}). 장바구니에는 모두 {all}개({sum})가 있습니다.",
        "{goods} went into your cart ({price} each{now}). It holds {all:piece/pieces} in all ({sum}).",
        now=now if row.quantity != row.changed else "",
        goods=pieces(Said(row.name_ko, row.name_en), row.changed),
        price=won(row.price_krw),
        all=f"{row.cart_pieces:,}",
        sum=won(row.cart_krw),
    )


def asks_remove(row: Any) -> Said:
    """Ask for the user's word on what leaves the cart."""
    name = Said(row.name_ko, row.name_en)
    return filled(
        "장바구니에서 {goods:을/를} 뺄까요?", "Shall I take {goods} out of your cart?", goods=pieces(name, row.changed)
    )


def tells_remove(row: Any) -> Said:
    """Tell what was taken out of the cart."""
    left = (
        filled("{n}개가 남았습니다.", "{n} of it left there.", n=f"{row.quantity:,}")
        if row.quantity
        else filled(
            "장바구니에는 {n}개({sum})가 남아 있습니다.",
            "The cart holds {n:piece/pieces} now ({sum}).",
            n=f"{row.cart_pieces:,}",
            sum=won(row.cart_krw),
        )
    )
    return filled(
        "장바구니에서 {goods:을/를} 뺐습니다. {left}",
        "Taken out of your cart: {goods}. {left}",
        goods=pieces(Said(row.name_ko, row.name_en), row.changed),
        left=left,
    )


def asks_coupon(row: Any) -> Said:
    """Ask for the user's word on a coupon for the cart."""
    return filled(
        "장바구니에 {name} 쿠폰을 적용할까요? {off}이 할인됩니다.",
        "Shall the cart use the coupon “{name}”? It takes {off} off.",
        name=Said(row.name_ko, row.name_en),
        off=won(row.discount_krw),
    )


def tells_coupon(row: Any) -> Said:
    """Tell which coupon the cart uses."""
    return filled(
        "장바구니에 {name} 쿠폰을 적용했습니다. 상품 {goods}에서 {off}이 할인되어 {sum}입니다.",
        "The cart uses the coupon “{name}” now: {off} off goods of {goods}, which makes {sum}.",
        name=Said(row.name_ko, row.name_en),
        goods=won(row.goods_krw),
        off=won(row.discount_krw),
        sum=won(row.goods_krw - row.discount_krw),
    )


def asks_review(row: Any) -> Said:
    """Ask for the user's word on a review."""
    return filled(
        "{name}의 후기를 별점 {n}점으로 등록할까요? “{body}”",
        "Shall I post this review of {name} with {n} stars? “{body}”",
        name=Said(row.name_ko, row.name_en),
        n=str(row.rating),
        body=row.body[:120],
    )


def tells_review(row: Any) -> Said:
    """Tell that a review was written."""
    return filled(
        "{name}의 후기를 별점 {n}점으로 등록했습니다(주문 {id}).",
        "Your review of {name} is posted with {n} stars (order {id}).",
        name=Said(row.name_ko, row.name_en),
        n=str(row.rating),
        id=row.order_id,
    )


def asks_listing(row: Any) -> Said:
    """Ask for the user's word on a listing as it would be."""
    return filled(
        "{name} 판매 상품을 이렇게 바꿀까요? ({what})",
        "Shall I change your listing {name} to this? ({what})",
        name=Said(row.name, row.name_en or row.name),
        what=_listing(row),
    )


def tells_listing(row: Any) -> Said:
    """Tell how a listing stands."""
    return filled(
        "{name} 판매 상품은 이제 {what}입니다.",
        "The listing {name} now stands at {what}.",
        name=Said(row.name, row.name_en or row.name),
        what=_listing(row),
    )


def _listing(row: Any) -> Said:
    state = {"on_sale": Said("판매 중", "on sale"), "paused": Said("판매 중지", "paused")}[row.status]
    return filled(
        "판매가 {price}, 재고 {stock}개, {state}",
        "{price}, {stock} in stock, {state}",
        price=won(row.price_krw),
        stock=f"{row.stock:,}",
        state=state,
    )


def asks_new_listing(row: Any) -> Said:
    """Ask for the user's word on a product that is offered for the first time."""
    return filled(
        "{name:을/를} 새 상품으로 등록할까요? ({what})",
        "Shall I list {name} for sale? ({what})",
        name=row.name,
        what=_listing(row),
    )


def tells_new_listing(row: Any) -> Said:
    """Tell that a product is offered."""
    return filled(
        "{name:을/를} 새 상품으로 등록했습니다(상품 번호 {id}, {what}).",
        "{name} is listed now (listing {id}; {what}).",
        name=row.name,
        id=row.listing_id,
        what=_listing(row),
    )


def asks_profile(row: Any) -> Said:
    """Ask for the user's word on each part of the profile that changes, beside what stands there now."""
    name = filled("별명을 {n:으로/로} 바꿀까요?", "Shall your nickname be {n}?", n=row.nickname)
    address = filled(
        "등록된 배송지를 {a:으로/로} 바꿀까요? 지금은 {b}입니다."
        if row.address_before
        else "배송지를 {a:으로/로} 등록할까요?",
        "Shall the shipping address on file be {a}?" + (" It is {b} now." if row.address_before else ""),
        a=row.shipping_address[:80],
        b=(row.address_before or "")[:80],
    )
    return _of_parts(row, name, address)


def tells_profile(row: Any) -> Said:
    """Tell each part of the profile that has changed, and how a change of address is undone."""
    name = filled("별명은 이제 {n}입니다.", "Your nickname is {n} now.", n=row.nickname)
    undone = (
        (" 되돌리려면 배송지를 {b:으로/로} 바꾸면 됩니다.", " To undo this, have it be {b} again.")
        if row.address_before
        else ("", "")
    )
    address = filled(
        "등록된 배송지는 이제 {a}입니다. 이미 만든 주문은 그대로입니다." + undone[0],
        "The shipping address on file is {a} now; orders made already keep theirs." + undone[1],
        a=row.shipping_address[:80],
        b=(row.address_before or "")[:80],
    )
    return _of_parts(row, name, address)


def _of_parts(row: Any, name: Said, address: Said) -> Said:
    """Return what is said of the parts of a profile that change."""
    return sentences(
        *([name] if row.nickname_before is not None else []), *([address] if row.address_before is not None else [])
    )
