"""CANCEL_ORDER and REFUND_ORDER: an order of the caller taken back.

cancel   pending, paid: yes, and what was paid goes back      preparing: asked of the seller      shipped: no
refund   delivered and within 7 days; the return costs 6,000 KRW once, taken off the first refund of an order
"""

from datetime import timedelta
from typing import Any, Final

from pydantic import Field
from sqlalchemy import Row as SqlRow
from sqlalchemy import select

from services.contract.asks import Said
from services.contract.tool import EffectKind, SideEffect, ToolCost
from services.domains.commerce.actions import refusals, wording
from services.domains.commerce.actions.labels import LABELS
from services.domains.commerce.actions.shop import (
    end_payment,
    goods_of,
    is_being_paid,
    lock_order,
    lock_user,
    order_pieces,
    put_back,
    request_payment,
    set_order,
)
from services.domains.commerce.data.tables import ORDERS
from services.domains.commerce.rules import REFUND_DAYS_MAX, RETURN_SHIPPING_KRW, RULES
from services.plugin.tools.effect import (
    KEY_PARTS,
    Applied,
    Effect,
    Money,
    RuleViolated,
    Scope,
    money_krw,
    quantity,
    target,
    text,
)
from services.plugin.tools.fields import FreeText, Identifier, PriceKrw
from services.plugin.tools.reads import Row
from services.plugin.tools.tool import Arguments, Tool

_CANCELLABLE: Final = frozenset(state for state, may in RULES.orders.cancel.items() if may != "no")


class CancelOrderArguments(Arguments):
    """Which order is cancelled."""

    order_id: Identifier = Field(description="Id of the order.")
    reason: FreeText = Field(default="", max_length=500, description="Why, in the user's words.")


class RefundOrderArguments(Arguments):
    """Which order is refunded, and how much of it."""

    order_id: Identifier = Field(description="Id of the order.")
    reason: FreeText = Field(max_length=500, description="Why, in the user's words; empty where they do not say it.")
    amount_krw: PriceKrw | None = Field(
        default=None, description="How much of what was paid; all that is left where absent."
    )


class ReturnedRow(Row):
    """The order after it was taken back."""

    order_id: str
    """Id of the order."""
    status: str
    """cancelled, refunded, delivered (refunded in part), or cancel_requested where the seller is asked."""
    previous_status: str
    """Its state before."""
    amount_krw: int
    """How much of what was paid is taken back."""
    return_shipping_krw: int
    """What the return costs, taken off."""
    refund_krw: int
    """What the user gets."""
    refunded_krw: int
    """How much of the order is taken back in all."""
    paid_krw: int
    """What was paid for the order."""
    goods_ko: str = ""
    """What it holds, for Korean readers."""
    goods_en: str = ""
    """The same for English readers."""
    pieces: int = 0
    """How many pieces it holds."""

    @property
    def is_whole_of_several(self) -> bool:
        """Tell whether all of an order of several pieces is taken back, of which a person may have meant one."""
        return self.pieces > 1 and self.amount_krw in {0, self.paid_krw}


def _cancel(arguments: CancelOrderArguments, scope: Scope) -> Applied:
    lock_user(scope)
    order = lock_order(scope, arguments.order_id)
    if order.status not in _CANCELLABLE:
        told = refusals.not_cancelled(order.status, order.order_id)
        raise RuleViolated("order_id", _why_not_cancelled(order), told)
    if is_being_paid(scope, order.order_id):
        paying = Said(
            "그 주문은 지금 결제가 처리되고 있습니다. 결과가 나온 뒤에 취소할 수 있습니다.",
            "That order is being paid just now; it can be cancelled once the outcome is known.",
        )
        raise RuleViolated("order_id", "its payment is being made; try again when that is known", paying)
    moves = order.status == "paid" and order.paid_krw > 0
    row = _row(
        scope, order, amount_krw=order.paid_krw if moves else 0, return_shipping_krw=0, status="cancel_requested"
    )
    set_order(scope, order.order_id, order.dataset_id, "cancel_requested", refunded_krw=row.refunded_krw)
    if moves:
        request_payment(scope, EffectKind.REFUND, row.refund_krw, order.order_id, order.dataset_id)
    shown = (
        target("order", order.order_id),
        quantity("pieces", row.pieces),
        money_krw("refund_krw", row.refund_krw),
        text("status", order.status),
        text("reason", arguments.reason),
    )
    return Applied(row, shown, Money(EffectKind.REFUND, row.refund_krw, order.order_id) if moves else None)


def _why_not_cancelled(order: SqlRow[Any]) -> str:
    match order.status:
        case "shipped":
            return "the order is on its way; it can be refunded once it is delivered"
        case "delivered" | "refund_requested":
            return f"the order was delivered; it can be refunded within {REFUND_DAYS_MAX} days"
        case _:
            return f"the order is {order.status} already, since {order.as_of.date().isoformat()}"


def _refund(arguments: RefundOrderArguments, scope: Scope) -> Applied:
    lock_user(scope)
    order = lock_order(scope, arguments.order_id)
    left_krw = order.paid_krw - order.refunded_krw
    _check_refundable(order, left_krw, scope)
    amount_krw = left_krw if arguments.amount_krw is None else arguments.amount_krw
    if amount_krw > left_krw:
        raise RuleViolated("amount_krw", f"{left_krw} KRW of the order can still be refunded")
    fee_krw = 0 if order.refunded_krw else RETURN_SHIPPING_KRW
    if amount_krw <= fee_krw:
        raise RuleViolated("amount_krw", f"the return costs {fee_krw} KRW; nothing would be left to refund")
    row = _row(scope, order, amount_krw=amount_krw, return_shipping_krw=fee_krw, status="refund_requested")
    set_order(scope, order.order_id, order.dataset_id, "refund_requested", refunded_krw=row.refunded_krw)
    request_payment(scope, EffectKind.REFUND, row.refund_krw, order.order_id, order.dataset_id)
    shown = (
        target("order", order.order_id),
        quantity("pieces", row.pieces),
        money_krw("return_shipping_krw", fee_krw),
        money_krw("refund_krw", row.refund_krw),
        text("reason", arguments.reason),
    )
    return Applied(row, shown, Money(EffectKind.REFUND, row.refund_krw, order.order_id))


def _check_refundable(order: SqlRow[Any], left_krw: int, scope: Scope) -> None:
    if order.status == "refunded":
        since = order.as_of.date().isoformat()
        told = refusals.not_refunded(order.order_id, order.status)
        raise RuleViolated("order_id", f"the order was refunded already: {order.refunded_krw} KRW on {since}", told)
    if order.status == "refund_requested":
        told = refusals.not_refunded(order.order_id, order.status)
        raise RuleViolated("order_id", "a refund of the order is being made", told)
    if order.status != "delivered" or order.delivered_at is None:
        told = refusals.not_refunded(order.order_id, order.status)
        raise RuleViolated("order_id", f"the order is {order.status}; only a delivered one can be refunded", told)
    last = order.delivered_at + timedelta(days=REFUND_DAYS_MAX)
    if scope.moment > last:
        until = last.date().isoformat()
        told = refusals.refund_over(order.order_id, until)
        raise RuleViolated("order_id", f"it could be refunded within {REFUND_DAYS_MAX} days, until {until}", told)
    if left_krw <= 0:
        raise RuleViolated("order_id", "nothing was paid for the order")


def _row(scope: Scope, order: SqlRow[Any], *, amount_krw: int, return_shipping_krw: int, status: str) -> ReturnedRow:
    goods = goods_of(scope, order.order_id)
    return ReturnedRow(
        goods_ko=goods.ko,
        goods_en=goods.en,
        order_id=order.order_id,
        status=status,
        previous_status=order.status,
        amount_krw=amount_krw,
        return_shipping_krw=return_shipping_krw,
        refund_krw=amount_krw - return_shipping_krw,
        refunded_krw=order.refunded_krw + amount_krw,
        paid_krw=order.paid_krw,
        pieces=order_pieces(scope, order.order_id),
    )


def _settle_cancel(row: ReturnedRow, scope: Scope, done: bool) -> ReturnedRow:  # noqa: FBT001 - see Effect
    if row.previous_status == "preparing":
        # The seller is asked; until they agree nothing goes back.
        return row
    return _settled(row, scope, "cancelled", done=done)


def _settle_refund(row: ReturnedRow, scope: Scope, done: bool) -> ReturnedRow:  # noqa: FBT001 - see Effect
    return _settled(row, scope, "refunded" if row.refunded_krw == row.paid_krw else "delivered", done=done)


def _settled(row: ReturnedRow, scope: Scope, final: str, *, done: bool) -> ReturnedRow:
    order = scope.connection.execute(select(ORDERS).where(ORDERS.c.order_id == row.order_id).with_for_update()).one()
    end_payment(scope, EffectKind.REFUND, done=done)
    if not done:
        refunded_krw = order.refunded_krw - row.amount_krw
        set_order(scope, row.order_id, order.dataset_id, row.previous_status, refunded_krw=refunded_krw)
        return row.model_copy(update={"status": row.previous_status, "refunded_krw": refunded_krw})
    if final in {"cancelled", "refunded"}:
        put_back(scope, order)
    set_order(scope, row.order_id, order.dataset_id, final)
    return row.model_copy(update={"status": final})


TOOLS: Final = (
    Tool(
        name="order_cancel",
        description_ko="배송 전 주문을 취소합니다. 사용자의 승인이 필요합니다.",
        description_en="Cancels an order before it is shipped. Needs the user's approval.",
        arguments=CancelOrderArguments,
        row=ReturnedRow,
        effect=Effect(
            "CANCEL_ORDER",
            _cancel,
            labels=LABELS,
            confirmation_required=True,
            settle=_settle_cancel,
            note="not undone: order anew",
            asks=wording.asks_cancel,
            tells=wording.tells_cancel,
            declined=wording.NOT_MOVED,
            words=(
                *("취소", "주문취소", "주문", "요청", "무르", "물러", "철회", "전체"),
                *("cancel", "order", "whole", "entire", "request", "ask", "them", "undo", "revoke"),
            ),
        ),
        domain="commerce",
        data_type="order",
        cost=ToolCost.MEDIUM,
        typical_seconds=0.5,
        quality_prior=0.95,
        timeout_seconds=15,
        concurrency_max=16,
        side_effect=SideEffect.IRREVERSIBLE,
        idempotency_key=KEY_PARTS,
    ),
    Tool(
        name="order_refund",
        description_ko="배송 완료 후 7일 이내의 주문을 환불합니다. 사용자의 승인이 필요합니다.",
        description_en="Refunds an order within 7 days after delivery. Needs the user's approval.",
        arguments=RefundOrderArguments,
        row=ReturnedRow,
        effect=Effect(
            "REFUND_ORDER",
            _refund,
            labels=LABELS,
            confirmation_required=True,
            settle=_settle_refund,
            note="not undone: order anew",
            asks=wording.asks_refund,
            tells=wording.tells_refund,
            declined=wording.NOT_MOVED,
            words=(
                "환불",
                "반품",
                "요청",
                "접수",
                "신청",
                "전체",
                "refund",
                "return",
                "request",
                "order",
                "whole",
                "entire",
                "send",
                "back",
            ),
        ),
        domain="commerce",
        data_type="order",
        cost=ToolCost.MEDIUM,
        typical_seconds=0.5,
        quality_prior=0.95,
        timeout_seconds=15,
        concurrency_max=16,
        side_effect=SideEffect.IRREVERSIBLE,
        idempotency_key=KEY_PARTS,
    ),
)
