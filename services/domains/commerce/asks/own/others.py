"""What belongs to somebody else."""

from services.contract.asks import Ask, Said
from services.plugin.asks.answering import Found, Outcome, declined


def tell_others(ask: Ask, found: Found) -> Outcome:
    """Decline to tell of what belongs to other people."""
    del found
    return Outcome(
        declined(
            ask,
            Said(
                "다른 사람의 주문·포인트·쿠폰·주소는 보여 드리거나 바꿀 수 없습니다. 본인의 것만 됩니다.",
                "I cannot show or change what belongs to another person; only your own orders, points, coupons and address can be looked up.",
            ),
        )
    )
