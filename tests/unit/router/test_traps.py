"""What the router must not fall into: letters inside words, cancel words that buy, negation, other forms of writing."""

import asyncio
import unicodedata
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from services.catalog.loader import catalog
from services.contract.flow import NextAction, RouteDecision
from services.contract.router import RouteRequest
from services.llm.build import decider_from
from services.plugin.entities import values
from services.router.routing import Routing
from services.runtime import ledger, run
from services.runtime.identity import Caller
from services.runtime.model_settings import LlmSettings
from tests.support.understanding import CONSUMER, SELLER, run_context

BUYING = {"purchase", "add_to_cart"}
GOODS = ["의자", "로봇청소기", "텀블러", "무선 키보드"]


@pytest_asyncio.fixture
async def routing() -> AsyncIterator[Routing]:
    """The routing of the service, without a model."""
    decider = decider_from(LlmSettings(), "router")
    yield Routing(catalog(), decider, decider)
    await decider.aclose()


async def routed(routing: Routing, question: str, caller: Caller = CONSUMER) -> RouteDecision:
    """Route one question."""
    context = run_context(locale="ko")
    with ledger.opened(), run.use(context):
        return await routing.route(RouteRequest(context, question), caller)


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("question", "intent"),
    [
        ("OpenAI가 뭐 하는 회사야?", "general_knowledge"),
        ("성능 performance 좋은 노트북 추천해줘", "get_recommendation"),
        ("우리 집 전세대출 금리 알려줘", "LOAN_CONSULT"),
        ("하나 추천해줘, 가벼운 백팩으로", "get_recommendation"),
        ("AI 섹터 진입 시점 어때", "timing_scenario"),
        ("강남 아파트 시세", "MARKET_INQUIRY"),
        ("전세계에서 제일 큰 나라는 어디야?", "general_knowledge"),
        ("사과 한 상자 가격 비교해줘", "compare_price"),
        ("원피스 사이즈 큰 걸로 교환할래요", "exchange_request"),
        ("대출력 스피커 있어?", "search_product"),
        ("교환학생 자기소개서 써줘", "IRRELEVANT"),
        ("애플워치 찾아줘", "search_product"),
        ("카카오 99% 초콜릿 찾아줘", "search_product"),
        ("a laptop with high performance, recommend one", "get_recommendation"),
    ],
)
async def test_letters_inside_words(routing: Routing, question: str, intent: str) -> None:
    """A word that only contains a cue's letters is another word."""
    assert (await routed(routing, question)).intent == intent


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "form",
    [
        "{} 구매 취소",
        "{} 결제 취소해줘",
        "{} 주문한 거 취소할래",
        "{} 사지 말고 취소해줘",
        "어제 산 {} 구매 취소 부탁해요",
        "{} 결제했는데 취소하고 싶어요",
        "장바구니에서 {} 빼줘",
        "{} 장바구니에서 삭제해줘",
        "cancel my purchase of the {}",
        "please cancel the order for the {}",
        "remove the {} from my cart",
    ],
)
async def test_a_cancel_word_never_buys(routing: Routing, form: str) -> None:
    """Whatever the goods, nothing is bought or put into the cart where something is to be cancelled or taken out."""
    routes = await asyncio.gather(*(routed(routing, form.format(goods)) for goods in GOODS))
    assert {route.intent for route in routes} & BUYING == set()
    expected = "remove_from_cart" if "장바구니" in form or "cart" in form else "cancel_order"
    assert {route.intent for route in routes} == {expected}


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("question", "intent"),
    [
        ("취소하려다 그냥 결제할게, 이 의자", "purchase"),
        ("환불 말고 교환해 주세요", "exchange_request"),
        ("교환 말고 환불해 주세요", "refund_request"),
        ("계약서 검토 말고 새로 써줘", "CONTRACT_CREATION"),
        ("don't buy it, just show me where order ORD-20261101-0007 is", "track_delivery"),
    ],
)
async def test_what_is_put_aside_does_not_count(routing: Routing, question: str, intent: str) -> None:
    """The thing that the user does not mean casts no vote."""
    assert (await routed(routing, question)).intent == intent


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "question",
    ["용인 수지구 아파트 전세 시세", "엔비디아 주가 왜 떨어졌어", "노트북 추천해줘", "한국 기준금리 지금 얼마야"],
)
async def test_written_otherwise(routing: Routing, question: str) -> None:
    """Decomposed letters, zero-width characters and missing spaces give the same intent and the same entities."""
    plain = await routed(routing, question)
    forms = [unicodedata.normalize("NFD", question), "\u200b".join(question), question.replace(" ", "")]
    for form in forms:
        other = await routed(routing, form)
        assert (other.intent, other.next_action) == (plain.intent, plain.next_action), form
        for kind in ("region", "security"):
            assert values(other.entities, kind) == values(plain.entities, kind)


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("question", "graph"),
    [
        ("미국 실업률 최근값", False),
        ("환율이 왜 올랐어", True),
        ("애플 주가", False),
        ("애플 주가가 움직인 이유", True),
    ],
)
async def test_reasons_read_the_graph(routing: Routing, question: str, graph: bool) -> None:
    """Value words read tables; why, cause and outlook words read the graph too."""
    route = await routed(routing, question)
    assert (route.sql_need, route.graph_need) == (True, graph)


@pytest.mark.asyncio
async def test_really_both_is_asked(routing: Routing) -> None:
    """Two things that exclude each other: which one is asked, and nothing acts."""
    route = await routed(routing, "환불하든지 교환하든지 해주세요")
    assert (route.next_action, route.reason) == (NextAction.CLARIFY, "MULTIPLE_INTENTS_CONFLICT")


@pytest.mark.long
@pytest.mark.asyncio
async def test_every_intent_is_reached_by_its_own_examples(routing: Routing) -> None:
    """The catalog's examples, which users are shown, lead to their intent; at most one in fifteen goes astray."""
    wrong, asked = [], 0
    for intent in catalog().intents.values():
        for example in (text for texts in intent.examples.values() for text in texts):
            asked += 1
            caller = SELLER if intent.priority == 7 else CONSUMER
            route = await routed(routing, example, caller)
            if route.intent != intent.id:
                wrong.append((example, intent.id, route.intent))
    assert len(wrong) * 15 <= asked, wrong
