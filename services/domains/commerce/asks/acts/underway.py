"""The act that a conversation is about: what was asked of it, what came of it, and what it lacks. Pure."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import AnswerState, Ask, AskAnswer, AskedBefore, Said

SLOTS: Final = {
    "quantity": Said("수량", "the number of pieces"),
    "product": Said("상품", "the product"),
    "order": Said("주문", "the order"),
    "method": Said("결제 수단", "the way to pay"),
    "address": Said("배송지", "the shipping address"),
    "points": Said("포인트", "the points to use"),
    "reason": Said("사유", "the reason"),
    "rating": Said("별점", "the stars"),
    "body": Said("후기 내용", "the text of the review"),
    "price": Said("판매가", "the price"),
}
"""What an act may lack, as a person is told it; an answer that asks for something names it so."""
PREFIX: Final = "commerce.act_"
"""What the full ids of the answerers of acts begin with."""


def under_way(before: Sequence[AskedBefore]) -> tuple[Ask, AskAnswer | None, int] | None:
    """Return the act that was spoken of last, with what came of it and how many messages ago."""
    for at, message in enumerate(before):
        own = [ask for ask in message.asks if ask.answerer.startswith(PREFIX)]
        if own:
            answer = next((one for one in message.answers if one.ask_id == own[-1].ask_id), None)
            return _as_it_was(own[-1]), answer, at
    return None


def _as_it_was(act: Ask) -> Ask:
    """Return an act that stands as it did before a message on it which was not understood."""
    return replace(act, answerer=act.notes["was"]) if act.notes.get("was") else act


def asked_slot(answer: AskAnswer | None) -> str:
    """Return the slot that an answer asked for; empty where it asked for none."""
    if answer is None or answer.state is not AnswerState.ASKING:
        return ""
    return next((slot for slot, name in SLOTS.items() if name in answer.missing), "")
