"""Conditional requests: what is a condition and what only sounds like one."""

import pytest

from services.planner.conditions import Conditional, conditionals


@pytest.mark.parametrize(
    ("text", "condition", "consequence"),
    [
        ("전세가율이 80%를 넘으면 위험한지 알려줘", "전세가율이 80%를 넘으면", "위험한지 알려줘"),
        ("집값이 떨어져 계약을 망치면 어떻게 대응해?", "집값이 떨어져 계약을 망치면", "어떻게 대응해"),
        ("if the deposit is too high, tell me what to do", "the deposit is too high", "tell me what to do"),
    ],
)
def test_a_fact_with_what_is_then_asked_for(text: str, condition: str, consequence: str) -> None:
    """The part that a condition closes, and the request behind it."""
    assert conditionals(text, ("tell",)) == (Conditional(condition, consequence),)


@pytest.mark.parametrize(
    "text",
    [
        "작년 시세에 비하면 지금이 싼 편이야?",
        "옆 동네와 견주면 괜찮은 값일까?",
        "등기부에 따르면 누구 집이야?",
        "평당으로 치면 얼마야?",
        "집을 사려면 얼마가 필요해?",
    ],
)
def test_what_has_become_a_postposition_is_no_condition(text: str) -> None:
    """What says "compared with", "according to" and "in order to" ends as a condition does and states none."""
    assert conditionals(text, ()) == ()
