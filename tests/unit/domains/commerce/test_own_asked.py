"""What a person asks of own orders and of the rules, and what is to be done with them."""

import pytest

from services.contract.asks import AnswerState, AskForm, AskVerdict
from services.domains.commerce.asks import READ
from services.plugin.asks.telling import QueryRow
from tests.unit.domains.commerce.asking import answer_of, ask_of, row_of, said_in, sheet_of


@pytest.mark.parametrize(
    "text",
    ["해외배송 해주나요?", "언니 카드로 결제해도 되나요", "can I get this gift-wrapped?", "is there a physical store?"],
)
def test_a_rule_that_the_shop_does_not_have_is_said_to_be_none(text: str) -> None:
    """What no rule of the shop says is answered so, with the rules that there are; nobody has to log in for it."""
    ask = ask_of(text, user_type="")
    assert ask.answerer.endswith("own_unsaid")
    assert "7" in said_in(answer_of(ask, {}))
    assert not READ(sheet_of("집주인이 수리 안 해줘도 되나요?", ""), ())


@pytest.mark.parametrize("text", ["show me what jun ordered", "did sora buy anything this week?", "mina가 뭐 샀어"])
def test_what_somebody_else_bought_is_not_told(text: str) -> None:
    """What a person who is named has bought is another's, however it is said."""
    assert ask_of(text).answerer.endswith("own_others")


@pytest.mark.parametrize(
    ("text", "answerer"),
    [
        ("가온 K20 키보드 두 개 장바구니에 담아줘", "act_add"),
        ("이 마우스 주문할게", "act_order"),
        ("ORD-77001 취소해줘", "act_cancel"),
        ("스피커 리뷰 써줘", "act_review"),
        ("add this keyboard to my cart", "act_add"),
        ("take the keyboard out of my cart", "act_remove"),
        ("I want my money back for order ORD-77001", "act_refund"),
        ("ORD-77001 다른 색으로 교환해줘", "act_exchange"),
    ],
)
def test_what_is_to_be_done_is_an_act(text: str, answerer: str) -> None:
    """A request to do something is typed as that act and as nothing else."""
    (claim,) = READ(sheet_of(text), ())
    assert (claim.ask.answerer, claim.ask.form, claim.is_whole) == (answerer, AskForm.ACT, True)


@pytest.mark.parametrize(
    "text",
    [
        "주문 취소할 수 있어?",
        "환불은 어떻게 해?",
        "결제 취소하지 말아줘",
        "취소한 주문 보여줘",
        "can I still cancel my order?",
        "what is the return policy?",
        "환불이든지 교환이든지 해줘",
        "전세 보증금 돌려받고 싶어",
        "don't cancel anything",
    ],
)
def test_what_only_speaks_of_doing_is_no_act(text: str) -> None:
    """Questions, reports, denials, choices and other matters do nothing."""
    assert not [claim for claim in READ(sheet_of(text), ()) if claim.ask.form is AskForm.ACT]


def _order(status: str, delivered: str = "") -> QueryRow:
    product = {
        "product_id": "CHAIR-0001",
        "name_ko": "가온 라인 C10 의자",
        "name_en": "Gaon C10 Chair",
        "category": "chair",
    }
    sums = {"quantity": 1, "unit_price_krw": 50_000, "goods_krw": 50_000, "shipping_krw": 0, "paid_krw": 50_000}
    days = {"ordered_at": "2026-05-01 01:00:00", "delivered_at": delivered, "carrier": "", "tracking_number": ""}
    return row_of(order_id="ORD-77001", status=status, **product, **sums, **days)


@pytest.mark.parametrize(
    ("status", "delivered", "verdict"),
    [
        ("delivered", "2026-05-14 01:00:00", AskVerdict.YES),
        ("delivered", "2026-05-10 01:00:00", AskVerdict.NO),
        ("shipped", "", AskVerdict.NO),
    ],
)
def test_refunds_go_by_days_after_delivery(status: str, delivered: str, verdict: AskVerdict) -> None:
    """A refund is possible within seven days of delivery and not before it."""
    assert answer_of(ask_of("내 의자 환불 가능해?"), {"own_orders": (_order(status, delivered),)}).verdict is verdict


@pytest.mark.parametrize(
    ("status", "verdict"),
    [("paid", AskVerdict.YES), ("preparing", AskVerdict.DEPENDS), ("shipped", AskVerdict.NO)],
)
def test_cancelling_goes_by_state(status: str, verdict: AskVerdict) -> None:
    """An order is cancelled before it is prepared, with the seller's word while it is, and not once it is shipped."""
    assert answer_of(ask_of("ORD-77001 아직 취소 가능해?"), {"own_orders": (_order(status),)}).verdict is verdict


def test_an_order_of_others_is_as_if_missing() -> None:
    """A number that is not among one's own is told as not there."""
    answer = answer_of(ask_of("ORD-99999 어디쯤이야?"), {"own_orders": (_order("paid"),)})
    assert "없습니다" in said_in(answer)
    assert "ORD-77001" not in said_in(answer)


def test_things_of_another_are_not_shown() -> None:
    """A named other person's orders are declined."""
    assert answer_of(ask_of("hong 주문 내역 보여줘"), {}).state is AnswerState.DECLINED


@pytest.mark.parametrize(
    ("text", "answerer"),
    [
        ("배송비 얼마예요", "own_shipping_rule"),
        ("How much is shipping?", "own_shipping_rule"),
        ("환불하면 돈 언제 들어와요", "own_money_back_rule"),
        ("내가 환불한 돈 언제 들어와요", "own_money_back"),
    ],
)
def test_a_rule_of_the_shop_is_nobodys_own(text: str, answerer: str) -> None:
    """What shipping costs and when money comes back needs no order, so that it is told without a log-in."""
    ask = ask_of(text)
    assert ask.answerer.rpartition(".")[2] == answerer
    assert (ask.intent == "search_product") is answerer.endswith("rule")


@pytest.mark.parametrize("text", ["지난번에 환불받은 금액이 얼마였죠", "have I got any money back yet?"])
def test_a_refund_that_was_made_is_told_of_its_order(text: str) -> None:
    """What came back is no question of what may go back."""
    ask = ask_of(text)
    assert (ask.answerer, ask.notes["states"]) == ("own_orders", "refunded|refund_requested")


def test_a_part_of_the_cart_is_paid() -> None:
    """Goods of the cart that are put aside stay in it; the cart itself is not put aside with them."""
    ask = ask_of("장바구니에 담긴 마우스 말고 의자만 결제할게")
    assert (ask.notes["cart"], ask.notes["without"]) == ("1", "mouse")


@pytest.mark.parametrize(
    ("text", "answerer"),
    [
        ("며칠 전에 받은 스피커 별로인데 돈 돌려받을 수 있나요", "own_refundable"),
        ("산 지 얼마 안 된 태블릿인데 반품 될까요", "own_refundable"),
        ("취소 신청해둔 주문은 처리됐나요", "own_orders"),
        ("I'd like to know if my desk order can be called off", "own_cancellable"),
        ("내일 받을 수 있는 백팩 있나요", "goods_list"),
    ],
)
def test_what_is_asked_of_what_was_bought_is_told_by_its_verb(text: str, answerer: str) -> None:
    """Money of goods is a refund, what was asked for is no request, and goods that could come are looked for."""
    assert ask_of(text).answerer == answerer
