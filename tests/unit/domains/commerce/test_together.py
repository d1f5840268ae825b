"""Two things asked for in one message; how often what an act lacks is asked for."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from services.catalog.reading import read_question
from services.contract.asks import AnswerState, Ask, AskAnswer, AskedBefore
from services.domains.commerce.asks import ANSWERERS, READ
from services.domains.commerce.asks.acts.underway import QUESTIONS_MAX, SLOTS
from services.plugin.asks.answering import Found
from services.plugin.asks.sheet import Sheet
from services.plugin.findings import Asking

_NOW = datetime(2026, 5, 20, 3, 0, tzinfo=UTC)
_BY_ID = {one.id: one for one in ANSWERERS}


def _read(text: str, *before: AskedBefore) -> list[Ask]:
    reading = read_question(text, now=_NOW)
    sheet = Sheet(reading.text, reading.language, reading.today, reading.entities, "consumer")
    return [claim.ask for claim in READ(sheet, before)]


@pytest.mark.parametrize(
    ("text", "answerers"),
    [
        ("키보드 빼고 마우스 하나 장바구니에 담아줘", ["act_add"]),
        ("장바구니에서 키보드 빼고 마우스 하나 담아줘", ["act_remove", "act_add"]),
        ("Drop the mouse from my basket and add one K60 keyboard", ["act_remove", "act_add"]),
        ("ORD-10002 취소하고 ORD-10005 환불해줘", ["act_cancel", "act_refund"]),
        ("Please refund ORD-10005. How many points do I have?", ["act_refund", "own_points"]),
        ("장바구니에 마우스 담고 결제해줘", ["act_order"]),
        ("ORD-10002 취소하고 환불해줘", ["act_cancel"]),
        ("마우스 두 개 카드로 주문하고 포인트 2000점 써줘", ["act_order"]),
    ],
)
def test_two_requests_are_both_heard_and_one_is_one(text: str, answerers: list[str]) -> None:
    """Each side that names things of its own is an act; one act that is said in two parts stays one."""
    assert [ask.answerer for ask in _read(text)] == answerers


def test_each_side_has_what_it_says_alone() -> None:
    """The model, the count and the way to pay of one act are none of the other's."""
    order, add = _read("K60 키보드 2개 카드로 주문하고 B90 백팩은 장바구니에 하나 담아줘")
    assert (order.notes["codes"], order.notes["quantity"], order.notes["method"]) == ("K60", "2", "card")
    assert (add.notes["codes"], add.notes["quantity"], add.notes.get("method", "")) == ("B90", "1", "")


def test_what_is_lacking_is_asked_for_so_often_and_no_more() -> None:
    """An act that was asked for what it lacks five times is let be, and says so."""
    (ask,) = _read("기본 배송지 바꿔줘")
    for number in range(QUESTIONS_MAX + 1):
        ask = replace(ask, ask_id="q1", domain="commerce", answerer="commerce.act_address")
        answer = (
            _BY_ID["act_address"].answer(ask, Found((), Asking("", "ko", _NOW, "Asia/Seoul", "", (), (), ()))).answer
        )
        assert (answer.state is AnswerState.ASKING) is (number < QUESTIONS_MAX)
        assert answer.missing == (SLOTS["address"],)
        before = AskedBefore((ask,), (AskAnswer("q1", ask.form, answer.state, missing=answer.missing),))
        (ask,) = _read("서울시 어딘가 12345", before)[:1] or (ask,)
        ask = replace(ask, notes={**ask.notes, "address": ""})


@pytest.mark.parametrize(
    ("text", "answerers"),
    [
        ("내 적립금이랑 쿠폰 보여줘", ["own_points", "own_coupons"]),
        ("How much is in my cart, and what coupons have I got?", ["own_cart", "own_coupons"]),
        ("할인권 뭐 있고 마지막 주문 언제 했지", ["own_coupons", "own_orders"]),
        ("장바구니 담은 거랑 쿠폰 적용하면 얼마야", ["own_cart"]),
        ("Can I still cancel the desk and chair order?", ["own_cancellable"]),
    ],
)
def test_two_own_things_are_both_told_and_one_is_one(text: str, answerers: list[str]) -> None:
    """Each of two things that are the person's own is asked of; what uses the one on the other is one question."""
    assert [ask.answerer for ask in _read(text)] == answerers
