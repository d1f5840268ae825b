"""A bare name behind an unrelated turn goes on from the question that it is like, and what was left open stays open."""

import asyncio

import pytest

from services.catalog.loader import catalog
from services.contract.asks import AnswerState, AskAnswer, AskedBefore
from services.contract.flow import RouteDecision, Speaker, Turn
from services.contract.router import RouteRequest
from services.llm.build import decider_from
from services.router.routing import Routing
from services.runtime import ledger
from services.runtime.identity import acting_for
from services.runtime.model_settings import LlmSettings
from tests.support.understanding import CONSUMER, run_context

TALKS = (
    (("마포구 빌라 월세 시세 알려줘", "무선 이어폰 5만원 이하 찾아줘", "은평구는?"), "homes", "은평구"),
    (("노원구 아파트 매매가 알려줘", "미국 실업률 알려줘", "도봉구는요?"), "homes", "도봉구"),
    (
        ("jeonse prices of apartments in Gangnam-gu", "show me keyboards under 50,000 won", "and Mapo-gu?"),
        "homes",
        "Mapo-gu",
    ),
    (("엔비디아 주가 알려줘", "운동화 10만원 이하 찾아줘", "애플은?"), "finance", "애플"),
    (("전세 시세 알려줘", "확정일자는 어디서 받아?", "관악구요"), "homes", "관악구"),
    (("how much is it to rent an apartment?", "what does jeonse mean?", "in Songpa-gu"), "homes", "Songpa-gu"),
)


@pytest.fixture(scope="module")
def routing(tmp_path_factory: pytest.TempPathFactory) -> Routing:
    """The router's own reading, without a model."""
    decider = decider_from(LlmSettings(), "router")
    return Routing(catalog(), decider, decider, tmp_path_factory.mktemp("routing"))


async def _routed(routing: Routing, turns: tuple[str, ...]) -> RouteDecision:
    """Returns the route of the last of some turns; those before it are answered as far as they were read."""
    before, history = tuple[AskedBefore, ...](), tuple[Turn, ...]()
    for text in turns:
        with acting_for(CONSUMER), ledger.opened():
            asked = RouteRequest(run_context(), text, history, "", None, (), before)
            decision = await routing.route(asked, CONSUMER)
        answers = tuple(AskAnswer(one.ask_id, one.form, AnswerState.ANSWERED) for one in decision.asks)
        before = (AskedBefore(decision.asks, answers, text=text), *before)
        history = (*history, Turn(Speaker.USER, text), Turn(Speaker.ASSISTANT, "."))
    return decision


@pytest.mark.parametrize(("turns", "domain", "subject"), TALKS)
def test_a_bare_name_goes_on_from_what_it_is_like(
    routing: Routing, turns: tuple[str, ...], domain: str, subject: str
) -> None:
    """What was put in between neither takes the name for its own nor makes it forgotten."""
    decision = asyncio.run(_routed(routing, turns))
    told = [(one.domain, [it.words for it in one.subjects]) for one in decision.asks]
    assert told == [(domain, [subject])]
