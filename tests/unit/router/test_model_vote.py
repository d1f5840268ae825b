"""The model's vote: how it weighs in, when it is not asked, and that a lying or failing one leads to no action."""

import json

import pytest

from services.contract.flow import DecisionSource, NextAction
from tests.support.model_server import ModelServer, Reply
from tests.support.understanding import Understanding

VAGUE = "그거 알아서 좀 처리해봐"


def _vote(domain: str, intent: str, confidence: object = 0.95) -> Reply:
    answer = {
        "domain": domain,
        "intent": intent,
        "confidence": confidence,
        "alternatives": [],
        "sql_need": True,
        "graph_need": False,
        "reasoning": "it says so",
    }
    return Reply(text=json.dumps(answer))


@pytest.mark.asyncio
async def test_agreement_costs_no_call(advised: Understanding, server: ModelServer) -> None:
    """Where keyword and scope agree at .85 or more, the model is not asked, and the record says so."""
    answer = await advised.route("송파구 아파트 시세 알려줘")
    llm = next(one for one in answer.route.voter_scores if one.voter == "llm")
    assert (server.calls, llm.weight, llm.reason) == ([], 0.0, "skipped: keyword and scope agree")
    assert [(one.kind, one.source) for one in answer.spent.decisions] == [("intent_analysis", DecisionSource.RULE)]


@pytest.mark.asyncio
async def test_the_mean_is_weighted(advised: Understanding, server: ModelServer) -> None:
    """A keyword vote of .96 and a model's .80 for the same intent: (96 + 1.2 * 80) / 2.2 = 87.3, which is 87."""
    server.script("intent_analysis", _vote("commerce", "get_recommendation", 0.80))
    route = (await advised.route("권할 만한 물건")).route
    scores = {one.voter: (one.intent, one.score, one.weight) for one in route.voter_scores}
    assert scores["llm"] == ("get_recommendation", 0.80, 1.2)
    assert scores["keyword"] == ("get_recommendation", 0.96, 1.0)
    assert route.confidence == 0.87


@pytest.mark.asyncio
async def test_dissent_is_clarified(advised: Understanding, server: ModelServer) -> None:
    """A model that is sure of something else than the words say leads to a clarifying question, not to its choice."""
    server.script("intent_analysis", _vote("commerce", "purchase", 0.99))
    route = (await advised.route("권할 만한 물건")).route
    assert route.next_action is NextAction.CLARIFY
    assert route.target_agents == ()


@pytest.mark.asyncio
@pytest.mark.parametrize("intent", ["purchase", "cancel_order", "add_to_cart", "create_listing"])
async def test_a_lying_model_leads_to_no_action(advised: Understanding, server: ModelServer, intent: str) -> None:
    """What acts on the account never proceeds on the model's word alone: at most it is confirmed first."""
    server.script("intent_analysis", _vote("commerce", intent, 0.99))
    route = (await advised.route(VAGUE)).route
    assert (route.intent, route.next_action) == (intent, NextAction.CONFIRM)
    assert route.confidence < 0.85


@pytest.mark.asyncio
@pytest.mark.parametrize("confidence", ["sehr sicher", 85, -0.2, True, None])
async def test_a_confidence_that_cannot_be_read_is_no_vote(
    advised: Understanding, server: ModelServer, confidence: object
) -> None:
    """Anything but a number from 0 to 1 leaves the vote to the others."""
    server.always(_vote("commerce", "purchase", confidence))
    route = (await advised.route(VAGUE)).route
    assert (route.intent, route.next_action) == ("UNCLEAR", NextAction.CLARIFY)


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "reply",
    [
        Reply(status=500),
        Reply(status=429),
        Reply(hang=True),
        Reply(text="purchase!"),
        Reply(text='{"domain": "commerce", "intent": "buy_everything"}'),
        Reply(body="<html>", content_type="text/html"),
    ],
)
async def test_a_failing_model_leaves_the_rule(advised: Understanding, server: ModelServer, reply: Reply) -> None:
    """Errors, silence and unknown intents give FALLBACK; CLARIFY stays CLARIFY and a clear question stays clear."""
    server.always(reply)
    vague = await advised.route(VAGUE)
    clear = await advised.route("두 가지 커피머신 중에 뭐가 더 저렴한지 비교해줘")
    assert vague.route.next_action is NextAction.CLARIFY
    assert vague.spent.decisions[0].source is DecisionSource.FALLBACK
    assert (clear.route.intent, clear.route.next_action) == ("compare_price", NextAction.PROCEED)


@pytest.mark.asyncio
async def test_a_models_vote_alone_gives_way_to_what_a_reader_likely_read(
    advised: Understanding, server: ModelServer
) -> None:
    """A product by its model and its discount are goods, whatever a model takes them for."""
    server.script("intent_analysis", _vote("realty", "MARKET_INQUIRY", 0.97))
    route = (await advised.route("하람텍 L90 원래 얼마짜리고 지금 몇 퍼센트 빠졌어")).route
    assert (route.domain, route.route_source) == ("commerce", "asks")


@pytest.mark.asyncio
async def test_thanks_are_thanks_without_a_conversation(advised: Understanding, server: ModelServer) -> None:
    """A close is no question, so that no model is asked about it."""
    route = (await advised.route("Lovely, thanks!")).route
    assert (route.domain, route.route_source, server.calls) == ("general", "shortcut", [])
