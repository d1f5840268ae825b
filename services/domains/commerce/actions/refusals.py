"""Why an action cannot be done, in both languages."""

from services.contract.asks import Said
from services.plugin.asks.telling import day_said, filled


def too_few(stock: int, wanted: int, name: Said) -> Said:
    """Tell that less is in stock than is wanted."""
    if not stock:
        return filled("{name:은/는} 품절이라 살 수 없습니다.", "{name} is sold out and cannot be bought.", name=name)
    return filled(
        "{name:은/는} 재고가 {n}개라 {wanted}개는 살 수 없습니다. {n}개까지 가능합니다.",
        "Only {n} of {name} are in stock, so {wanted} cannot be bought. Up to {n} can.",
        name=name,
        n=f"{stock:,}",
        wanted=f"{wanted:,}",
    )


def no_such_order(order_id: str) -> Said:
    """Tell that the person has no order of that number; whether somebody else has is not told."""
    return filled(
        "{id} 주문은 찾을 수 없습니다. 주문번호를 다시 확인해 주세요.",
        "There is no order {id} of yours. Please check the number.",
        id=order_id.upper(),
    )


def not_cancelled(status: str, order_id: str) -> Said:
    """Tell why an order cannot be cancelled."""
    why = {
        "shipped": Said(
            "이미 배송 중이라 취소할 수 없습니다. 받은 뒤 7일 안에는 환불을 요청할 수 있습니다.",
            "has shipped and is on its way, so it cannot be cancelled."
            " Once it is delivered it can be refunded within 7 days.",
        ),
        "delivered": Said(
            "이미 배송이 끝나 취소할 수 없습니다. 받은 날부터 7일 안이라면 환불을 요청할 수 있습니다.",
            "was delivered already, so it cannot be cancelled. It can be refunded within 7 days of delivery.",
        ),
        "cancelled": Said("이미 취소되어 더 할 일이 없습니다.", "is cancelled already; there is nothing left to do."),
        "cancel_requested": Said(
            "이미 취소를 요청해 두었습니다. 판매자의 동의를 기다리고 있습니다.",
            "was asked to be cancelled already; it waits for the seller, so no second request can be made.",
        ),
    }
    done = Said("이미 환불되어 취소할 수 없습니다.", "was refunded already, so it cannot be cancelled.")
    return filled("{id} 주문은 {why}", "Order {id} {why}", id=order_id, why=why.get(status, done))


def refund_over(order_id: str, until: str) -> Said:
    """Tell that the time in which an order could be refunded is over."""
    return filled(
        "{id} 주문은 환불할 수 없습니다. 받은 날부터 7일 안에만 환불되는데, 그 기간이 {day}에 지났습니다.",
        "Order {id} can no longer be refunded: refunds are made within 7 days of delivery, which ended on {day}.",
        id=order_id,
        day=day_said(until),
    )


def not_refunded(order_id: str, status: str) -> Said:
    """Tell why an order in this state cannot be refunded."""
    why = {
        "pending": Said(
            "아직 결제 전이라 환불할 수 없습니다. 취소할 수 있습니다.",
            "is not paid yet, so there is nothing to refund. It can be cancelled.",
        ),
        "paid": Said(
            "아직 배송 전이라 환불이 아니라 취소할 수 있습니다.",
            "has not shipped yet, so it cannot be refunded; it can be cancelled.",
        ),
        "preparing": Said(
            "아직 준비 중이라 환불할 수 없습니다. 취소를 요청할 수 있습니다.",
            "is being prepared, so it cannot be refunded; its cancellation can be requested.",
        ),
        "shipped": Said(
            "배송 중이라 아직 환불할 수 없습니다. 받은 뒤 7일 안에 환불을 요청할 수 있습니다.",
            "is on its way, so it cannot be refunded yet. It can within 7 days of delivery.",
        ),
        "refunded": Said(
            "이미 환불되어 다시 환불할 수 없습니다.", "was refunded already, so it cannot be refunded again."
        ),
        "refund_requested": Said(
            "이미 환불을 요청해 처리하고 있어 다시 요청할 수 없습니다.",
            "is being refunded already, so no second request can be made.",
        ),
    }
    done = Said("이미 취소되어 환불할 수 없습니다.", "is cancelled, so it cannot be refunded.")
    return filled("{id} 주문은 {why}", "Order {id} {why}", id=order_id, why=why.get(status, done))
