"""The keyword vote: cues find the intent that a question means and keep off its look-alikes."""

from datetime import datetime

import pytest

from services.catalog.keywords import KeywordTable
from services.catalog.loader import catalog
from services.catalog.reading import read_question
from services.router.facts import understand
from services.text.reading import TextReading
from services.text.words import Vocabulary

_NOW = datetime.fromisoformat("2026-05-20T10:00:00+09:00")
_TABLE = KeywordTable(catalog())
_PHRASES = Vocabulary(_TABLE.phrases)
_IDIOMS = Vocabulary(catalog().lexicon.idioms)


def _facts(reading: TextReading) -> frozenset[str]:
    return understand(reading, user_type="").facts


def _best(text: str) -> str | None:
    reading = read_question(text, now=_NOW)
    scores = _TABLE.scores(reading.said(_PHRASES, _IDIOMS), _facts(reading))
    return scores[0].intent if scores and scores[0].score >= catalog().routing.gates.confirm else None


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("도봉구 빌라 전세 시세 알려줘", "MARKET_INQUIRY"),
        ("도봉구 빌라 전세 추이 알려줘", "real_estate_detail"),
        ("성수동 아파트값이 왜 빠졌는지", "real_estate_detail"),
        ("임차권등기명령은 언제 신청해", "LEGAL_CONSULT"),
        ("디딤돌 대출 자격이 궁금해", "LOAN_CONSULT"),
        ("월세 계약서 하나 써줘", "CONTRACT_CREATION"),
        ("특약이 이상한데 계약서 좀 살펴봐줘", "CONTRACT_REVIEW"),
        ("이 빌라 깡통전세 아닐까", "RISK_ANALYSIS"),
        ("테슬라가 급락한 이유", "explain_drop"),
        ("테슬라 주가 흐름", "us_single_stock"),
        ("기아 실적 알려줘", "kr_single_stock"),
        ("구글이랑 아마존 전망 비교", "compare_outlook"),
        ("한국 실업률 지금 몇 퍼센트", "indicator_lookup"),
        ("환율이 치솟는 배경", "fx_driver"),
        ("수혜 업종 추천 부탁", "sector_recommendation"),
        ("코스피 마감 시황", "market_summary"),
        ("물가가 금리에 주는 영향", "general_macro"),
        ("무선 마우스 찾아줘", "search_product"),
        ("캠핑 의자 추천해줘", "get_recommendation"),
        ("두 태블릿 가격 차이", "compare_price"),
        ("이 의자 카트에 담아줘", "add_to_cart"),
        ("카트에 있는 의자 삭제", "remove_from_cart"),
        ("이 의자 바로 결제할게", "purchase"),
        ("어제 주문한 책상 취소해줘", "cancel_order"),
        ("구매 취소 부탁", "cancel_order"),
        ("취소 말고 환불", "refund_request"),
        ("색상 교환 신청", "exchange_request"),
        ("택배 어디쯤 왔어", "track_delivery"),
        ("의자 후기 남길래", "write_review"),
        ("적립금 잔액 조회", "check_rewards"),
        ("우리 가게 지난달 매출", "seller_analytics"),
        ("판매가를 올리면 마진이 어떻게 돼", "simulate_pricing"),
        ("내 상품 효율 분석", "analyze_efficiency"),
        ("신상품 판매글 등록", "create_listing"),
        ("로그인 비밀번호를 잊었어요", "account_help"),
        ("모레 날씨 어때", "general_knowledge"),
        ("안녕하세요", "greeting"),
        ("파이썬 코드 짜줘", "IRRELEVANT"),
        ("cancel the order I placed this morning", "cancel_order"),
        ("current jeonse price in Mapo-gu for an officetel", "MARKET_INQUIRY"),
        ("why did Nvidia shares fall", "explain_drop"),
        ("what is the latest US CPI", "indicator_lookup"),
        ("recommend a desk for a small room", "get_recommendation"),
        ("put this keyboard in my cart", "add_to_cart"),
        ("where is my package", "track_delivery"),
    ],
)
def test_questions_find_their_intent(text: str, intent: str) -> None:
    """The strongest cue is the meant intent's."""
    assert _best(text) == intent


@pytest.mark.parametrize("text", ["그거 좀", "음 글쎄요", "please", "어떻게 하지", "!!!"])
def test_nothing_speaks_for_what_says_nothing(text: str) -> None:
    """A question without content gets no vote."""
    assert _best(text) is None


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("구매 취소해줘", "purchase"),
        ("결제 취소 부탁드려요", "purchase"),
        ("장바구니에서 의자 빼줘", "add_to_cart"),
        ("사지 말고 취소해줘", "purchase"),
        ("노이즈 캔슬링 이어폰", "cancel_order"),
        ("반품률 통계 보여줘", "refund_request"),
        ("교환학생 준비", "exchange_request"),
        ("전세계 증시 요약", "MARKET_INQUIRY"),
    ],
)
def test_lookalikes_are_not_voted_for(text: str, never: str) -> None:
    """Words that sound like an intent leave it without a vote."""
    reading = read_question(text, now=_NOW)
    assert never not in {score.intent for score in _TABLE.scores(reading.said(_PHRASES, _IDIOMS), _facts(reading))}


def test_evidence_names_what_was_found() -> None:
    """A reader sees the words that decided."""
    reading = read_question("테슬라 급락 원인", now=_NOW)
    best = _TABLE.scores(reading.said(_PHRASES, _IDIOMS), _facts(reading))[0]
    assert (best.intent, best.evidence) == ("explain_drop", ("#security", "급락", "원인"))


def test_one_by_one_is_the_same() -> None:
    """The table asks with a function what it is told with a set."""
    reading = read_question("도봉구 빌라 전세 시세 알려줘", now=_NOW)
    assert _TABLE.scores(reading.says, _facts(reading)) == _TABLE.scores(
        reading.said(_PHRASES, _IDIOMS), _facts(reading)
    )


def test_only_enabled_intents_are_voted_for() -> None:
    """A table of one domain knows no other."""
    table = KeywordTable(catalog(), catalog().domains["commerce"].intents)
    reading = read_question("도봉구 빌라 전세 시세와 의자 추천", now=_NOW)
    domains = {catalog().domain_of(score.intent) for score in table.scores(reading.says, _facts(reading))}
    assert domains <= {"commerce"}


def test_every_example_is_far_from_unclear() -> None:
    """Most example utterances of an intent with cues are found by its own cues."""
    missed = [
        (intent.id, example)
        for intent in catalog().intents.values()
        if intent.cues
        for examples in intent.examples.values()
        for example in examples
        if _best(example) != intent.id
    ]
    total = sum(len(found) for intent in catalog().intents.values() for found in intent.examples.values())
    assert len(missed) <= total // 5, missed
