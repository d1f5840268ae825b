"""Asks that a model tells apart: the rules' readers type its words, and nothing that it adds gets through."""

import json

import pytest

from services.contract.asks import AskForm
from tests.support.model_server import ModelServer, Reply
from tests.support.understanding import Understanding

PLACE = "마포 쪽에 들어가려면 얼마쯤 쥐고 있어야 해?"
LOAN = "은행에서 8억짜리 집 잡히면 얼마 땡길 수 있어? 연 6천 벌어"
pytestmark = pytest.mark.asyncio


def said(*asks: tuple[str, str, str]) -> Reply:
    """Return a model's reading: words, form and request of each ask."""
    things = [{"words": words, "form": form, "request": request} for words, form, request in asks]
    return Reply(text=json.dumps({"asks": things, "reasoning": "in plain words"}, ensure_ascii=False))


async def test_a_request_in_plain_words_is_typed_by_the_readers(advised: Understanding, server: ModelServer) -> None:
    """What no rule reads is answered as the model says it; the ask rests on the person's own words."""
    server.script("question_asks", said((PLACE, "LEVEL", "마포구 매매 시세 얼마야?")))
    route = (await advised.route(PLACE)).route
    (ask,) = route.asks
    assert (ask.answerer, ask.form, ask.words) == ("homes.market_level", AskForm.LEVEL, PLACE)
    assert [one.value for one in ask.subjects] == ["11440"]


async def test_numbers_keep_their_values(advised: Understanding, server: ModelServer) -> None:
    """The numbers of the question get their roles by the words that the model puts around them."""
    server.script("question_asks", said((LOAN, "AMOUNT", "8억 집을 담보로 대출 얼마까지 받을 수 있어? 연소득 6천")))
    (ask,) = (await advised.route(LOAN)).route.asks
    assert {one.role: one.value for one in ask.quantities} == {"price": "800000000", "income_year": "60000000"}


@pytest.mark.parametrize(
    "lie",
    [
        (LOAN, "AMOUNT", "9억 집을 담보로 대출 얼마까지 받을 수 있어? 연소득 6천"),
        (LOAN, "AMOUNT", "8억 집을 담보로 대출 얼마까지 받을 수 있어?"),
        (LOAN, "AMOUNT", "8억 이하 집을 담보로 대출 얼마까지 받을 수 있어? 연소득 6천"),
        (LOAN, "AMOUNT", "강남구 8억 집을 담보로 대출 얼마까지 받을 수 있어? 연소득 6천"),
        (LOAN, "VERDICT", "8억 집을 담보로 대출 얼마까지 받을 수 있어? 연소득 6천"),
        ("아무 말", "AMOUNT", "8억 집을 담보로 대출 얼마까지 받을 수 있어? 연소득 6천"),
    ],
    ids=["another number", "a number is lost", "another bound", "a place is added", "another form", "words not said"],
)
async def test_what_the_person_did_not_say_is_no_ask(
    advised: Understanding, server: ModelServer, lie: tuple[str, str, str]
) -> None:
    """A request that changes, loses or adds what was said is dropped: what the words alone mean is left."""
    server.always(said(lie))
    (ask,) = (await advised.route(LOAN)).route.asks
    assert {one.role: one.value for one in ask.quantities} == {"price": "800000000", "income_year": "60000000"}
    assert (ask.words, ask.form, ask.subjects) == (LOAN, AskForm.AMOUNT, ())


async def test_what_the_rules_read_is_not_asked(advised: Understanding, server: ModelServer) -> None:
    """A question whose asks are certain costs no call."""
    await advised.route("송파구 아파트 시세 알려줘")
    assert "question_asks" not in {call.kind for call in server.calls}
