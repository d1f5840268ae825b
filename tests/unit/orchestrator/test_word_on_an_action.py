"""A yes is a message made of nothing but a yes: what may as well take leave, or say that all is over, is none."""

import pytest

from services.orchestrator.acts.word import word_on

DOING = ("결제", "주문", "pay", "order")


@pytest.mark.parametrize(
    "message", ["네", "좋아요 진행해 주세요", "그걸로 갈게요", "네 결제해 주세요", "yes please", "go ahead", "ok, pay"]
)
def test_a_plain_yes_approves(message: str) -> None:
    """It agrees, goes ahead, or names what is to be done."""
    word = word_on(message, DOING)
    assert word is not None
    assert word.approves


@pytest.mark.parametrize(
    "message",
    [
        "갈게요",
        "그럼 갈게요",
        "이제 됐네요",
        "done",
        "all done, thanks",
        "괜찮네요",
        "잘 봤어요",
        "thanks",
        "that's it",
        "네 3개요",
        "네?",
    ],
)
def test_what_may_mean_something_else_approves_nothing(message: str) -> None:
    """Whoever leaves, thanks or changes a number has bought nothing."""
    word = word_on(message, DOING)
    assert word is None or not word.approves
