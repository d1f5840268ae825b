"""Terms that are held against each other are each told; a difference of their values is another question."""

import pytest

from services.domains.general.asks import terms
from tests.unit.catalog.test_leaning_messages import sheet_of


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("단리하고 복리는 뭐가 다른가요", ["단리", "복리"]),
        ("재개발이랑 재건축 차이 좀 알려주세요", ["재개발", "재건축"]),
        ("원리금균등이랑 원금균등은 어떻게 달라", ["원리금균등상환", "원금균등상환"]),
        ("how do futures differ from options", ["선물", "옵션"]),
    ],
)
def test_both_terms_are_told(text: str, told: list[str]) -> None:
    """In the order of the question, each as an ask of its own."""
    assert [one.ask.notes["term"] for one in terms.read(sheet_of(text))] == told


@pytest.mark.parametrize("text", ["예금 금리랑 적금 금리 지금 차이 얼마야", "PER 낮은 종목이랑 PBR 낮은 종목 차이"])
def test_the_difference_of_values_is_no_definition(text: str) -> None:
    """What they are now, or which shares have them, is data."""
    assert terms.read(sheet_of(text)) == ()


@pytest.mark.parametrize("text", ["확정일자가 뭐야?", "what is a basis point?", "explain short selling"])
def test_a_definition_alone_is_the_whole_message(text: str) -> None:
    """Who only asks what a term is wants no rule that has the term in it."""
    (claim,) = terms.read(sheet_of(text))
    assert claim.is_whole


def test_the_level_of_a_series_is_no_definition_alone() -> None:
    """What it stands at is asked in the same words."""
    assert not any(claim.is_whole for claim in terms.read(sheet_of("what is the base rate?")))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("what does DSR stand for when I take out a loan", 1),
        ("대출 받을 때 거치기간이 무슨 뜻이에요", 1),
        ("DSR 대출이 뭐 있어", 0),
    ],
)
def test_a_term_is_defined_beside_what_others_tell_of(text: str, told: int) -> None:
    """Where the word right behind it asks what it means."""
    assert len(terms.read(sheet_of(text))) == told


@pytest.mark.parametrize(
    "text",
    ["코픽스가 뭐고 제 대출하고는 무슨 관계예요?", "what is averaging down and what does it mean for my account"],
)
def test_what_a_term_has_to_do_with_ones_own_is_told_by_its_meaning(text: str) -> None:
    """One's own affairs beside a term are no other ask."""
    assert len(terms.read(sheet_of(text))) == 1
