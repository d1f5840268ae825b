"""What an intent needs is asked for one slot a turn, over the planner's socket; each call carries all that is known."""

import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from services.catalog.loader import catalog
from services.contract.flow import DecisionSource, ExecutionPlan, SlotValue
from services.contract.planner import DraftPlanResponse, SlotAnswer
from services.planner.rules import checked, planning_rules
from services.runtime.errors import InvalidRequest
from tests.support.model_server import ModelServer, Reply
from tests.support.understanding import CONSUMER, SELLER, Understanding, said, understanding


@pytest_asyncio.fixture
async def server() -> AsyncIterator[ModelServer]:
    """A scriptable endpoint."""
    async with ModelServer() as started:
        yield started


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def ruled(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Understanding]:
    """Router and planner without a model, the same for all tests: they keep nothing."""
    async with understanding(tmp_path_factory.mktemp("ruled"), "router", "planner", typed_asks=False) as started:
        yield started


@pytest_asyncio.fixture
async def advised(tmp_path: Path, server: ModelServer) -> AsyncIterator[Understanding]:
    """Router and planner with a model."""
    async with understanding(tmp_path, "router", "planner", model_url=server.base_url, typed_asks=False) as started:
        yield started


@dataclass
class Talk:
    """A flow that waits for its user, as the orchestrator leads it."""

    by: Understanding
    question: str
    intent: str
    locale: str = "ko"
    history: Sequence[Any] = ()
    asked: list[str] = field(default_factory=list)
    slots: tuple[SlotValue, ...] = ()
    last: DraftPlanResponse | None = None

    async def begin(self) -> "Talk":
        """Plan the question."""
        return await self._draft(None)

    async def say(self, text: str) -> "Talk":
        """Answer the question that is pending."""
        return await self._draft(SlotAnswer(self.asked[-1], text))

    async def _draft(self, answer: SlotAnswer | None) -> "Talk":
        caller = SELLER if self.intent in {"seller_analytics", "simulate_pricing", "create_listing"} else CONSUMER
        route = await self.by.route(
            self.question, intent_hint=self.intent, locale=self.locale, history=self.history, caller=caller
        )
        self.last = await self.by.plan(
            self.question,
            route.route,
            locale=self.locale,
            history=self.history,
            slots=self.slots,
            asked_slots=self.asked,
            answer=answer,
        )
        self.slots = self.last.plan.slots
        if self.plan.slot_question is not None:
            self.asked.append(self.plan.slot_question.slot)
        return self

    @property
    def plan(self) -> ExecutionPlan:
        """The latest plan."""
        assert self.last is not None
        return self.last.plan

    @property
    def obstacle(self) -> str:
        """The latest obstacle."""
        assert self.last is not None
        return self.last.obstacle

    @property
    def known(self) -> dict[str, Any]:
        """What is known."""
        return {slot.slot: json.loads(slot.value_json) for slot in self.slots}


REQUIRED = {
    "purchase": ("items", "shipping_address", "payment_method"),
    "add_to_cart": ("product", "quantity"),
    "refund_request": ("order_id", "reason"),
    "cancel_order": ("order_id",),
    "compare_price": ("products",),
    "simulate_pricing": ("product", "new_price"),
    "seller_analytics": ("period",),
    "create_listing": ("name", "price", "category"),
    "write_review": ("product", "rating"),
    "MARKET_INQUIRY": ("region",),
    "get_recommendation": (),
}


@pytest.mark.parametrize(("intent", "slots"), REQUIRED.items())
def test_the_required_slots_are_the_specs(intent: str, slots: tuple[str, ...]) -> None:
    """Each intent asks for what it needs, in the order declared, and each slot has its question in both languages."""
    assert catalog().intent(intent).required_slots == slots
    rules = checked(planning_rules(), catalog())
    assert all(rules.slots[slot].of("ko") != rules.slots[slot].of("en") for slot in slots)


CONVERSATIONS = [
    (
        "purchase",
        "ko",
        "결제 진행해 주세요",
        [("items", "원목 의자 하나"), ("shipping_address", "기본 배송지요"), ("payment_method", "카드로 할게요")],
        {"shipping_address": "default", "payment_method": "card"},
    ),
    (
        "purchase",
        "en",
        "please check out",
        [("items", "the oak chair"), ("shipping_address", "12 Hangang-daero, Yongsan-gu"), ("payment_method", "2")],
        {"shipping_address": "12 Hangang-daero, Yongsan-gu", "payment_method": "bank_transfer"},
    ),
    ("add_to_cart", "ko", "장바구니에 담아줘", [("product", "파란 머그컵"), ("quantity", "세 개요")], {"quantity": 3}),
    ("add_to_cart", "ko", "마우스 장바구니에 담아줘", [("quantity", "둘")], {"product": "마우스", "quantity": 2}),
    ("add_to_cart", "en", "put the kettle in my cart", [("quantity", "three")], {"quantity": 3}),
    (
        "refund_request",
        "ko",
        "환불해주세요",
        [("order_id", "20261103-0007"), ("reason", "뚜껑에 금이 가 있어요")],
        {"order_id": "20261103-0007", "reason": "뚜껑에 금이 가 있어요"},
    ),
    (
        "refund_request",
        "en",
        "refund order ORD-20261103-0007",
        [("reason", "it arrived broken")],
        {"order_id": "ORD-20261103-0007", "reason": "defective"},
    ),
    ("cancel_order", "ko", "주문 취소할래요", [("order_id", "ORD-20261103-0009요")], {"order_id": "ORD-20261103-0009"}),
    ("compare_price", "ko", "가격 비교해줘", [("products", "키보드랑 마우스")], {"products": ["키보드", "마우스"]}),
    ("simulate_pricing", "ko", "내 상품 머그컵 가격 시뮬레이션 해줘", [("new_price", "12000")], {"new_price": 12000}),
    ("simulate_pricing", "en", "simulate a 7% price cut on my mug", [], {"new_price": "-7%"}),
    ("seller_analytics", "ko", "우리 가게 매출 보여줘", [("period", "지난달")], {"period": "2026-10-01/2026-10-31"}),
    (
        "create_listing",
        "ko",
        "새 상품 등록할게요",
        [("name", "밤 향 비누"), ("price", "8,500원"), ("category", "생활용품")],
        {"name": "밤 향 비누", "price": 8500, "category": "생활용품"},
    ),
    ("write_review", "ko", "의자 리뷰 쓸게", [("rating", "4점")], {"product": "의자", "rating": 4}),
    ("write_review", "en", "write a review for the kettle, 5 stars", [], {"rating": 5}),
    ("MARKET_INQUIRY", "ko", "아파트 시세 알려줘", [("region", "부산 해운대구요")], {"region_code": "26350"}),
    (
        "MARKET_INQUIRY",
        "ko",
        "아파트 시세 알려줘",
        [("region", "중구"), ("region_choice", "서울")],
        {"region_code": "11140"},
    ),
    ("MARKET_INQUIRY", "ko", "동구 아파트 시세 알려줘", [("region_choice", "대전")], {"region_code": "30110"}),
    ("MARKET_INQUIRY", "en", "apartment prices in Dong-gu", [("region_choice", "the second one")], {}),
]


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(("intent", "locale", "question", "turns", "known"), CONVERSATIONS)
async def test_a_conversation_to_completion(  # noqa: PLR0917 - one argument a column
    ruled: Understanding,
    intent: str,
    locale: str,
    question: str,
    turns: list[tuple[str, str]],
    known: dict[str, Any],
) -> None:
    """One question a turn in the order declared, none twice, until the plan has steps and every value."""
    talk = await Talk(ruled, question, intent, locale).begin()
    for slot, answer in turns:
        assert (talk.asked[-1:], talk.obstacle, talk.plan.steps) == ([slot], "MISSING_REQUIRED_SLOTS", ())
        await talk.say(answer)
    assert (talk.obstacle, talk.plan.slot_question, bool(talk.plan.steps)) == ("", None, True)
    assert {name: talk.known[name] for name in known} == known
    assert talk.asked == [slot for slot, _ in turns]


UNREADABLE = [
    ("add_to_cart", "마우스 담아줘", "글쎄요"),
    ("add_to_cart", "마우스 담아줘", "-3개"),
    ("add_to_cart", "마우스 담아줘", "2.5"),
    ("add_to_cart", "마우스 담아줘", "NaN"),
    ("add_to_cart", "마우스 담아줘", "٣개"),
    ("add_to_cart", "마우스 담아줘", "²"),
    ("add_to_cart", "마우스 담아줘", "99999999999999"),
    ("write_review", "의자 리뷰 쓸게", "9점"),
    ("write_review", "의자 리뷰 쓸게", "0"),
    ("cancel_order", "주문 취소할래요", "그냥 어제 산 거"),
    ("cancel_order", "주문 취소할래요", "   "),
    ("create_listing", "상품 등록할게, 이름은 '비누'", "5천"),
    ("MARKET_INQUIRY", "아파트 시세 알려줘", "저기 어디더라"),
    ("MARKET_INQUIRY", "동구 아파트 시세 알려줘", "경남"),
    ("purchase", "결제 진행해 주세요", "아니 그냥 강남구 아파트 시세 알려줘"),
    ("refund_request", "ORD-20261103-0007 환불해줘", "됐고 노트북 추천해줘"),
]


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(("intent", "question", "answer"), UNREADABLE)
async def test_an_unreadable_answer_is_not_guessed(
    ruled: Understanding, intent: str, question: str, answer: str
) -> None:
    """What cannot be read exactly, or asks for something else, fills nothing, and the slot is not asked for again."""
    talk = await Talk(ruled, question, intent).begin()
    before = talk.known
    await talk.say(answer)
    assert (talk.obstacle, talk.plan.slot_question, talk.plan.steps) == ("INVALID_SLOT_VALUE", None, ())
    assert talk.known == before


@pytest.mark.asyncio(loop_scope="module")
async def test_five_questions_at_the_most(ruled: Understanding) -> None:
    """A sixth question is none: TOO_MANY_QUESTIONS."""
    route = (await ruled.route("새 상품 등록할게요", caller=SELLER, intent_hint="create_listing")).route
    asked = ("region", "period", "order_id", "reason", "rating")
    four = await ruled.plan("새 상품 등록할게요", route, asked_slots=asked[:4])
    five = await ruled.plan("새 상품 등록할게요", route, asked_slots=asked)
    assert (four.obstacle, four.plan.slot_question is not None) == ("MISSING_REQUIRED_SLOTS", True)
    assert (five.obstacle, five.plan.slot_question, five.plan.steps) == ("TOO_MANY_QUESTIONS", None, ())


@pytest.mark.asyncio(loop_scope="module")
async def test_a_slot_is_never_asked_for_twice(ruled: Understanding) -> None:
    """A slot that was asked for and is still missing is an obstacle, no question."""
    route = (await ruled.route("주문 취소할래요", intent_hint="cancel_order")).route
    drafted = await ruled.plan("주문 취소할래요", route, asked_slots=("order_id",))
    assert (drafted.obstacle, drafted.plan.slot_question) == ("INVALID_SLOT_VALUE", None)


@pytest.mark.asyncio(loop_scope="module")
async def test_what_was_said_before_is_not_asked(ruled: Understanding) -> None:
    """A place and goods of earlier turns fill their slots; a count of another request does not."""
    turns = said("해운대구에 관심 있어요", "네", "대출 금리도 궁금해요", "네")
    talk = await Talk(ruled, "오피스텔 시세 알려줘", "MARKET_INQUIRY", history=turns).begin()
    assert (talk.known["region_code"], talk.obstacle) == ("26350", "")
    talk = await Talk(
        ruled, "장바구니에 담아줘", "add_to_cart", history=said("무선 마우스 3개 주문했었지", "네")
    ).begin()
    assert (talk.known["product"], talk.asked) == ("무선 마우스", ["quantity"])


@pytest.mark.asyncio(loop_scope="module")
async def test_a_profile_fills_what_nobody_says(ruled: Understanding) -> None:
    """A profile's value holds until the question names another."""
    profile = (
        SlotValue("region", '"서울 마포구"'.encode(), "profile"),
        SlotValue("region_code", b'"11440"', "profile"),
    )
    for question, code in (("아파트 시세 알려줘", "11440"), ("송파구 아파트 시세 알려줘", "11710")):
        route = (await ruled.route(question, intent_hint="MARKET_INQUIRY")).route
        drafted = await ruled.plan(question, route, slots=profile)
        known = {slot.slot: json.loads(slot.value_json) for slot in drafted.plan.slots}
        assert (known["region_code"], drafted.obstacle) == (code, "")


@pytest.mark.asyncio(loop_scope="module")
async def test_answers_reach_the_tools(ruled: Understanding) -> None:
    """The place of an answer is the argument of the call, and the question made whole says it."""
    talk = await Talk(ruled, "빌라 전세 시세 알려줘", "MARKET_INQUIRY").begin()
    await talk.say("도봉구")
    call = talk.plan.steps[0].suggested_calls[0]
    expected = {"region_code": "11320", "property_type": "villa", "deal_type": "jeonse"}
    assert (call.tool, json.loads(call.arguments_json)) == ("market_data", expected)
    assert "도봉구" in talk.plan.normalised_question


@pytest.mark.asyncio(loop_scope="module")
async def test_malformed_requests_name_their_field(ruled: Understanding) -> None:
    """A slot that is no JSON, and an answer for no slot, are refused by name."""
    route = (await ruled.route("주문 취소할래요", intent_hint="cancel_order")).route
    with pytest.raises(InvalidRequest, match=r"slots\.0\.value_json"):
        await ruled.plan("주문 취소할래요", route, slots=(SlotValue("order_id", b"{", "answer"),))
    with pytest.raises(InvalidRequest, match=r"answer\.slot"):
        await ruled.plan("주문 취소할래요", route, answer=SlotAnswer("shoe_size", "270"))


def extraction(value: str, confidence: float, *, other: bool = False) -> Reply:
    """Return a model's reading of an answer."""
    output = {"value": value, "is_another_request": other, "confidence": confidence, "reasoning": "r"}
    return Reply(text=json.dumps(output))


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("answer", "reply", "obstacle", "value"),
    [
        ("커플이라 우리 둘이 하나씩", extraction("2", 0.95), "", 2),
        ("커플이라 우리 둘이 하나씩", extraction("2", 0.4), "INVALID_SLOT_VALUE", None),
        ("커플이라 우리 둘이 하나씩", extraction("-2", 0.99), "INVALID_SLOT_VALUE", None),
        ("커플이라 우리 둘이 하나씩", extraction("", 0.99, other=True), "INVALID_SLOT_VALUE", None),
        ("커플이라 우리 둘이 하나씩", Reply(status=500), "INVALID_SLOT_VALUE", None),
        ("커플이라 우리 둘이 하나씩", Reply(text="two!"), "INVALID_SLOT_VALUE", None),
    ],
)
async def test_a_model_reads_what_the_text_layer_cannot(  # noqa: PLR0917 - one argument a column
    advised: Understanding, server: ModelServer, answer: str, reply: Reply, obstacle: str, value: int | None
) -> None:
    """A sure model's value is read like the user's own words; an unsure, wrong or failing one fills nothing."""
    talk = await Talk(advised, "마우스 담아줘", "add_to_cart").begin()
    server.script("slot_extraction", reply, reply)
    await talk.say(answer)
    assert (talk.obstacle, talk.known.get("quantity")) == (obstacle, value)


@pytest.mark.asyncio
async def test_a_model_cannot_invent_an_order_number(advised: Understanding, server: ModelServer) -> None:
    """A number that is not in the answer is no value."""
    talk = await Talk(advised, "주문 취소할래요", "cancel_order").begin()
    server.script("slot_extraction", extraction("ORD-20261103-0009", 0.99))
    await talk.say("아까 그 주문이요")
    assert (talk.obstacle, "order_id" in talk.known) == ("INVALID_SLOT_VALUE", False)


@pytest.mark.asyncio
async def test_what_the_text_layer_reads_asks_no_model(advised: Understanding, server: ModelServer) -> None:
    """A plain answer is recorded as a RULE decision and costs no call."""
    talk = await Talk(advised, "마우스 담아줘", "add_to_cart").begin()
    await talk.say("3개")
    assert talk.last is not None
    made = [one for one in talk.last.spent.decisions if one.kind == "slot_extraction"]
    assert [(one.source, one.fallback_reason) for one in made] == [(DecisionSource.RULE, "")]
    assert server.count("slot_extraction") == 0
