"""What a message does with the special terms of a draft, and what a letter asks for."""

import pytest

from services.domains.realty.agreements.special import edited, numbered
from services.domains.realty.agreements.terms import changed, said_values, terms_in

TERMS = ("반려견 한 마리 허용", "no smoking indoors", "the landlord repaints before move-in")


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("관리비는 월 5만원이고 수도 포함이라고 특약에 적어줘", "관리비는 월 5만원이고 수도 포함"),
        ("특약으로 잔금일까지 담보를 안 잡는다고 넣어주세요", "잔금일까지 담보를 안 잡는다"),
        ("벽에 못을 박지 않는다는 조항 추가", "벽에 못을 박지 않는다"),
        ("특약 하나 추가해줘: 흡연 금지", "흡연 금지"),
        ("add a clause saying the tenant may keep a cat", "the tenant may keep a cat"),
        ("put no pets in the special terms", "no pets"),
    ],
)
def test_a_term_is_added_as_it_is_said(text: str, term: str) -> None:
    """What is to be put in is the term, without the words that ask for it."""
    found = edited(text, ())
    assert found is not None
    assert found.items == (term,)


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("방금 넣은 특약은 빼주세요", 2),
        ("take out the smoking one", 1),
        ("특약 1번 삭제", 0),
        ("반려견 특약 지워줘", 0),
    ],
)
def test_a_term_is_struck_by_its_words_its_number_or_as_the_last(text: str, gone: int) -> None:
    """One term goes, and the others stay."""
    found = edited(text, TERMS)
    assert found is not None
    assert found.items == tuple(one for at, one in enumerate(TERMS) if at != gone)


def test_a_term_that_is_not_there_is_missed() -> None:
    """Nothing is struck in its place; what is about no term is none of it."""
    found = edited("drop the clause about parking", TERMS)
    assert found is not None
    assert (found.items, found.missed) == (TERMS, True)
    assert edited("임대인 이름 지워줘", TERMS) is None


def test_several_terms_bear_numbers() -> None:
    """One term stands as it is."""
    assert numbered(("하나",), "ko") == "하나"
    assert numbered(("하나", "둘"), "ko") == "① 하나 ② 둘"


@pytest.mark.parametrize(
    ("text", "form", "said"),
    [
        ("보증금 2억에서 2억 3천으로 올린 계약서", "jeonse", {"deposit": "230000000"}),
        ("2년 말고 1년만", "jeonse", {"term_months": "12"}),
        ("원룸 월세 계약서 300에 35", "monthly_rent", {"deposit": "3000000", "rent": "350000"}),
        ("매수인은 저 강다은이에요", "sale", {"buyer": "강다은"}),
        ("임대인 박기철이 보증금을 안 줘요", "deposit_demand", {"landlord": "박기철"}),
        ("월세 60만원에 관리비 7만원", "monthly_rent", {"rent": "600000", "special": "관리비는 월 7만원으로 한다"}),
        ("보일러를 열흘 안에 고쳐 달라고", "repair_request", {"fault": "보일러", "until": "10"}),
    ],
)
def test_what_is_taken_back_is_not_taken(text: str, form: str, said: dict[str, str]) -> None:
    """The last of two sums counts, and each sum is what its word says."""
    assert terms_in(text, form) == said


def test_a_fault_is_added_and_a_time_limit_is_written() -> None:
    """What is broken besides joins what was; a letter without a time limit gives seven days."""
    said = "창문도 추가해줘"
    assert changed({"fault": "보일러"}, terms_in(said, "repair_request"), said)["fault"] == "보일러, 창문"
    assert said_values({}, "repair_request", "ko")["until"] == "이 글을 받은 날부터 7일 안에"
    assert said_values({"until": "2026-12-20"}, "deposit_demand", "en")["until"] == "by December 20, 2026"
