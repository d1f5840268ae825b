"""A domain that stumbles over what it is given leaves that open; nobody else notices."""

from datetime import UTC, datetime
from typing import NoReturn

import pytest
from structlog.testing import capture_logs

from services.catalog.answerers import answerer_of, ask_domains
from services.catalog.asks import read_asks
from services.catalog.division import ASKS_MAX
from services.contract.asks import AnswerState, Ask, AskedBefore
from services.plugin.asks.answering import Found
from services.plugin.findings import Asking
from services.plugin.installed import installed_domains
from tests.unit.catalog.test_leaning_messages import sheet_of

ASKING = Asking("애플 주가", "ko", datetime(2026, 11, 28, 3, tzinfo=UTC), "Asia/Seoul", "", (), (), ())
UNHEARD_OF = "zz_of_another_release"


def _all_answerers() -> list[tuple[str, str]]:
    return [(name, one) for name, domain in ask_domains().items() for one in domain.answerers]


@pytest.mark.parametrize(("domain", "answerer"), _all_answerers())
def test_every_answerer_bears_an_ask_of_another_release(domain: str, answerer: str) -> None:
    """Measures, an order, notes and days that nobody here has heard of: a call or none, and an answer that says so."""
    ask = Ask(
        ask_id="q1",
        words="애플 주가",
        domain=domain,
        answerer=answerer,
        measures=(UNHEARD_OF,),
        order_by=UNHEARD_OF,
        start_date=UNHEARD_OF,
        end_date=UNHEARD_OF,
        notes=dict.fromkeys(("kind", "measure", "class", "of", "name", "state", "form"), UNHEARD_OF),
    )
    found = answerer_of(ask)
    assert found is not None
    with capture_logs():
        assert all(call.tool for call in found.calls(ask))
        answer = found.answer(ask, Found((), ASKING, ())).answer
    assert (answer.ask_id, isinstance(answer.state, AnswerState)) == ("q1", True)


@pytest.mark.parametrize("domain", ask_domains())
def test_every_reader_bears_a_conversation_of_another_release(domain: str) -> None:
    """What was asked before was typed elsewhere: a message behind it is read or not, and nothing breaks."""
    ids = list(ask_domains()[domain].answerers)
    before = tuple(
        AskedBefore((Ask(words="애플 주가", domain=domain, answerer=one, measures=(UNHEARD_OF,), order_by=UNHEARD_OF),))
        for one in ids[:8]
    )
    with capture_logs():
        for message in ("그럼 테슬라는?", "더 싼 걸로", "작년이랑 비교하면?", "2억으로 바꿔줘"):
            assert len(read_asks(sheet_of(message), before)) <= ASKS_MAX


def test_a_stumble_stands_in_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the domain and the part that has stumbled; the reading of the others counts."""

    def stumbles(*_: object) -> NoReturn:
        raise KeyError(UNHEARD_OF)

    module = next(one for one in installed_domains() if one.name == "commerce").module("asks")
    monkeypatch.setattr(module, "READ", stumbles)
    ask_domains.cache_clear()
    try:
        with capture_logs() as lines:
            (claim,) = read_asks(sheet_of("애플 PER 알려줘"), ())
    finally:
        monkeypatch.undo()
        ask_domains.cache_clear()
    assert claim.ask.domain == "finance"
    assert {(one["event"], one["domain"], one["part"]) for one in lines} == {
        ("a domain has stumbled", "commerce", "READ")
    }
