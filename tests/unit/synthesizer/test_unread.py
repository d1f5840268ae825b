"""A question in which no request was read: its answer says so, and is not what happened to be found."""

from dataclasses import replace

import pytest

from services.contract.flow import AgentResult
from services.contract.synthesizer import SynthesizeRequest
from services.grounding.grounds import Grounds
from services.synthesizer import unread
from services.synthesizer.layout import length_of, pieces
from services.text.language import Language
from tests.unit.synthesizer.answer_parts import equity, macro, nothing, request


def _text(asked: SynthesizeRequest, language: Language) -> str:
    sections = unread.compose(asked, Grounds.of(asked), language)
    return "".join(line.text for line in pieces(sections, begun=False))


@pytest.mark.parametrize(
    ("language", "says"),
    [("ko", "질문에 바로 답할 수 있는 자료를 찾지 못했습니다."), ("en", "I found nothing that answers this directly.")],
)
def test_it_opens_with_that_and_tells_the_nearest_shortly(language: Language, says: str) -> None:
    """The first sentence says that it is no answer; of what was found first a few lines stand, of the rest none."""
    question = "애플 주식 어떻게 하지" if language == "ko" else "what should become of Apple"
    asked = request([equity(language), macro(language)], locale=language, question=question, cautions=["x 없음"])
    text = _text(asked, language)
    assert unread.applies(asked)
    assert text.startswith(says)
    assert ("애플" if language == "ko" else "Apple") in text
    assert "x 없음" not in text
    assert length_of(unread.compose(asked, Grounds.of(asked), language)) < 600


@pytest.mark.parametrize(
    ("intent", "agent", "is_unread"),
    [
        ("general_macro", "finance.macro", True),
        ("COMPREHENSIVE", "realty.search", False),
        ("purchase", "commerce.order_flow", False),
        ("general_macro", "travel.hotels", False),
    ],
)
def test_reports_actions_and_agents_without_requests_answer_as_they_do(
    intent: str, agent: str, is_unread: bool
) -> None:
    """A report asks for nothing in particular, an action is done, and some agents answer no typed request at all."""
    found: AgentResult = replace(equity(), agent=agent)
    assert unread.applies(request([found], intent=intent)) is is_unread


def test_what_shares_no_word_with_the_question_is_not_told() -> None:
    """What was found by likeness alone lies far, and only the honest sentence stands."""
    asked = request([equity()], question="물티슈 세 개에 얼마예요")
    assert _text(asked, "ko").strip() == "질문에 바로 답할 수 있는 자료를 찾지 못했습니다."


def test_where_nothing_was_found_each_agent_says_what_it_has() -> None:
    """Then the answer is theirs, and names what can be asked."""
    asked = request([nothing()])
    assert _text(asked, "ko")
    assert "가까운" not in _text(asked, "ko")
