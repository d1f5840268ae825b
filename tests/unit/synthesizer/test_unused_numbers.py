"""The numbers of a question that its answer has no use for are told."""

import pytest

from services.contract.asks import AnswerState, Ask, AskAnswer, AskCondition, AskForm, AskQuantity
from services.contract.entities import Entity
from services.synthesizer.unused import unused_said

TOLD = "마포구 아파트의 평균 전세 보증금은 6억 1,517만원입니다(거래 166건 기준)."


def _said(question: str, told: str = TOLD, named: tuple[Entity, ...] = (), **parts: object) -> str:
    ask = Ask(ask_id="q1", words=question, form=AskForm.LEVEL, **parts)  # type: ignore[arg-type]
    answer = AskAnswer("q1", AskForm.LEVEL, AnswerState.ANSWERED)
    return unused_said(question, [(ask, answer)], named, told, "ko")


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("마포구 전세 얼마야 식구는 5명이야", "‘5명’"),
        ("4층인데 마포구 전세 얼마", "‘4층’"),
        ("70%면 얼마야", "‘70%’"),
    ],
)
def test_a_number_that_nothing_takes_is_told(question: str, words: str) -> None:
    """Also one whose digits stand in another figure of the answer."""
    assert words in _said(question)


@pytest.mark.parametrize("question", ["마포구 전세 얼마야", "2번째 거 보여줘", "3번으로 할게", "2호선 근처"])
def test_places_in_a_list_and_names_are_no_such_numbers(question: str) -> None:
    """They point to something."""
    assert _said(question) == ""


def test_what_an_ask_takes_is_used() -> None:
    """As a sum, a condition, a count, or as a part of a name."""
    assert (
        _said("6억 안쪽으로 3개만", count=3, conditions=(AskCondition("price", "le", "600000000", "krw", "6억"),)) == ""
    )
    assert _said("금리 4.5%면", quantities=(AskQuantity("rate", "4.5", "percent", "4.5%"),)) == ""
    named = (Entity("period", "2026-03-01/2026-03-31", "3월", "3월", 0, 2),)
    assert _said("3월 시세", named=named) == ""


def test_what_the_answer_tells_is_used() -> None:
    """Whatever the ask holds of it, the person sees it."""
    assert _said("15주 사려면", told="테슬라 15주의 값은 6,180달러입니다.") == ""
    assert _said("10년 동안 모으면", told="120개월 동안 모입니다.") == ""


def test_what_is_to_be_done_shows_its_numbers_itself() -> None:
    """An act is proposed with all that it takes."""
    ask = Ask(ask_id="q1", words="2개 담아줘", form=AskForm.ACT)
    answer = AskAnswer("q1", AskForm.ACT, AnswerState.ANSWERED)
    assert unused_said("2개 담아줘 7번 창고", [(ask, answer)], (), "담았습니다.", "ko") == ""
