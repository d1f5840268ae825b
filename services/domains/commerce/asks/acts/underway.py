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


QUESTIONS: Final = "questions"
"""The note of how often an act was asked for what it lacks."""
QUESTIONS_MAX: Final = 5


def counted(ask: Ask, before: Sequence[AskedBefore]) -> Ask:
    """Return an act that goes on with the count of the questions that it was asked; one that is asked for anew has none."""
    found = under_way(before[:1])
    act = (ask.notes.get("was") or ask.answerer).removeprefix(PREFIX)
    answer = found[1] if found is not None else None
    if found is None or answer is None or answer.state is not AnswerState.ASKING or not answer.missing:
        return ask
    if found[0].answerer.removeprefix(PREFIX) != act:
        return ask
    return replace(ask, notes={**ask.notes, QUESTIONS: str(int(found[0].notes.get(QUESTIONS) or 0) + 1)})


def under_way(before: Sequence[AskedBefore]) -> tuple[Ask, AskAnswer | None, int] | None:
    """Return the act that was spoken of last, with what came of it and how many messages ago."""
    for at, message in enumerate(before):
        own = [ask for ask in message.asks if ask.answerer.startswith(PREFIX)]
        if own:
            answers = {one.ask_id: one for one in message.answers}
            # Of two acts that one is under way which waits for a word, and what is done already is not.
            waits = [one for one in own if (it := answers.get(one.ask_id)) and it.state is AnswerState.ASKING]
            act = (waits or own)[-1]
            return _as_it_was(act), answers.get(act.ask_id), at
    return None


def _as_it_was(act: Ask) -> Ask:
    """Return an act that stands as it did before a message on it which was not understood."""
    return replace(act, answerer=act.notes["was"]) if act.notes.get("was") else act


def asked_slot(answer: AskAnswer | None) -> str:
    """Return the slot that an answer asked for; empty where it asked for none."""
    if answer is None or answer.state is not AnswerState.ASKING:
        return ""
    return next((slot for slot, name in SLOTS.items() if name in answer.missing), "")
