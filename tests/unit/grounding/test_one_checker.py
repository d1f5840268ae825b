"""One check for what an agent's model and the synthesizer's model write: the same verdict for the same reason."""

from dataclasses import replace
from decimal import Decimal
from functools import cache
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.agents.registry import spec_of
from services.agents.summary import basis_of
from services.contract.drops import Dropped, DropPlace, DropReason
from services.contract.flow import AgentResult, CausalChain
from services.grounding.checking import checked
from services.grounding.grounds import Grounds
from services.grounding.verdict import TEXT_CHARACTERS_MAX, Wrong, dropped
from services.plugin.findings import Asking
from services.synthesizer.gate import Gate
from tests.unit.synthesizer.answer_parts import NOW, request
from tests.unit.synthesizer.planted_market import market

_PLACES = {"share": 0, "series": 2, "homes": 4}
_AGENTS = {"share": "finance.equity", "series": "finance.macro", "homes": "realty.search"}


@cache
def _result(what: str, locale: str) -> AgentResult:
    """Return what is found about Apple's share, American unemployment or homes, with one relation of cause."""
    found = market(locale).results[_PLACES[what]]
    chain = CausalChain(("기준금리", "환율") if locale == "ko" else ("base rate", "exchange rate"))
    return replace(found, step_id="s1", causes=(chain,))


@cache
def _of_agent(what: str, locale: str) -> Grounds:
    asking = Asking("?", locale, NOW, "Asia/Seoul", "", (), (), ())
    return Grounds(basis_of(spec_of(_AGENTS[what]), asking, (), _result(what, locale)))


@cache
def _of_answer(what: str, locale: str) -> Grounds:
    return Grounds.of(request([_result(what, locale)], locale=locale, question="?"))


def _by_agent(what: str, locale: str, sentence: str) -> tuple[Dropped, ...]:
    return checked(sentence, _of_agent(what, locale), DropPlace.AGENT_SUMMARY, "s1").dropped


def _by_answer(what: str, locale: str, sentence: str) -> tuple[Dropped, ...]:
    grounds = _of_answer(what, locale)
    gate = Gate(grounds.judge)
    for piece in (sentence[at : at + 3] for at in range(0, len(sentence), 3)):
        gate.feed(piece)
    gate.finish()
    return tuple(gate.dropped)


HOLDS = (
    ("share", "ko", "애플의 2026년 11월 26일 종가는 262.1달러로, 직전 거래일보다 0.81% 올랐습니다."),
    ("share", "ko", "애플의 11월 25일 종가는 260달러였습니다."),
    ("share", "ko", "애플의 종가와 20일 이동평균은 각각 262.1달러와 255.3달러입니다."),
    ("share", "ko", "애플의 최대 낙폭은 12.5%입니다."),
    ("share", "ko", "애플은 8월 6일에 골든크로스가 나왔고 단기 추세는 상승세입니다."),
    ("share", "ko", "이 움직임의 원인은 확인되지 않았습니다."),
    ("share", "ko", "기준금리가 오른 영향으로 환율이 움직일 수 있습니다."),
    ("share", "ko", "매수를 권하는 것은 아닙니다."),
    ("series", "ko", "미국 실업률은 10월 4.1%로 전월 4.3%에서 0.2%p 내렸습니다."),
    ("series", "ko", "미국 실업률이 4.3%에서 4.1%로 내렸습니다."),
    ("homes", "ko", "강남구의 최고 매매가는 33억원이고 거래는 196건입니다."),
    ("share", "en", "Apple closed at $262.1 on November 26, 2026, up 0.81% from the session before."),
    ("share", "en", "Apple is in an uptrend after the golden cross of August 6."),
    ("share", "en", "Over 5 sessions Apple gained 2.4%."),
    ("series", "en", "US unemployment fell from 4.3% to 4.1%."),
    ("share", "en", "The exchange rate moved because of the base rate."),
)
FAILS = (
    ("share", "ko", "애플 종가는 삼백삼십 달러입니다.", "UNKNOWN_FIGURE"),
    ("share", "en", "Apple closed at twofold its price.", "UNKNOWN_FIGURE"),
    ("share", "ko", "애플 매수 주문을 완료했습니다.", "UNKNOWN_ACT"),
    ("share", "en", "Your order for Apple has been placed.", "UNKNOWN_ACT"),
    ("share", "ko", "애플 주가는 곧 오를 것입니다.", "PREDICTION"),
    ("share", "en", "Apple is expected to recover.", "PREDICTION"),
    ("homes", "ko", "강남구가 가장 좋은 곳입니다.", "SUPERLATIVE"),
    ("homes", "en", "Gangnam-gu is the best of all.", "SUPERLATIVE"),
    ("share", "ko", "애플의 수익은 보장됩니다.", "PROMISE"),
    ("share", "en", "Returns of Apple are guaranteed.", "PROMISE"),
    ("share", "ko", "한빛연구소에 따르면 애플의 종가는 262.1달러입니다.", "UNKNOWN_SOURCE"),
    ("share", "en", "Analysts say that Apple is fine.", "UNKNOWN_SOURCE"),
    ("homes", "ko", "네, 올려도 됩니다.", "VERDICT"),
    ("homes", "en", "No, it is not allowed.", "VERDICT"),
    ("share", "ko", "열쇠는 sk-test1234abcd5678입니다.", "SECRET"),
    ("share", "ko", "자세한 내용은 shop-notice.co.kr에 있습니다.", "ADDRESS"),
    ("share", "ko", "자료를 보면 그렇고 " * 60 + "그렇습니다.", "TOO_LONG"),
    ("share", "ko", "애플 종가는 333달러입니다.", "UNKNOWN_FIGURE"),
    ("share", "ko", "애플 종가는 262.1원입니다.", "UNKNOWN_FIGURE"),
    ("share", "ko", "주택임대차보호법 제7조에 따릅니다.", "UNKNOWN_FIGURE"),
    ("series", "ko", "연말 미국 실업률은 오 퍼센트입니다.", "UNKNOWN_FIGURE"),
    ("share", "en", "Apple fell seven percent.", "UNKNOWN_FIGURE"),
    ("share", "ko", "애플의 20일 이동평균은 262.1달러입니다.", "OTHER_NAME"),
    ("share", "ko", "애플의 60일 이동평균은 255.3달러입니다.", "OTHER_NAME"),
    ("share", "ko", "애플은 20거래일 동안 2.4% 올랐습니다.", "OTHER_NAME"),
    ("share", "ko", "애플 종가는 52주 최고가인 275.5달러입니다.", "OTHER_NAME"),
    ("share", "ko", "애플의 시가총액은 262.1달러입니다.", "OTHER_NAME"),
    ("homes", "ko", "강남구의 평균 매매가는 33억원입니다.", "OTHER_NAME"),
    ("homes", "ko", "강남구의 보증금은 23억원입니다.", "OTHER_NAME"),
    ("share", "en", "Apple's 52-week low is $262.1.", "OTHER_NAME"),
    ("homes", "en", "The highest price in Gangnam-gu is KRW 2.3 billion.", "OTHER_NAME"),
    ("homes", "ko", "강남구의 거래는 31건입니다.", "OTHER_SUBJECT"),
    ("share", "ko", "애플의 11월 25일 종가는 262.1달러였습니다.", "OTHER_DAY"),
    ("series", "ko", "9월 미국 실업률은 4.1%입니다.", "OTHER_DAY"),
    ("series", "ko", "미국 실업률은 최근 4.3%입니다.", "OTHER_DAY"),
    ("share", "en", "Apple closed at $262.1 today.", "OTHER_DAY"),
    ("series", "en", "US unemployment was 4.1% in September.", "OTHER_DAY"),
    ("share", "ko", "애플 자료는 2025년 3월 2일 기준입니다.", "UNKNOWN_DAY"),
    ("series", "en", "The next release is on January 9, 2027.", "UNKNOWN_DAY"),
    ("share", "ko", "애플은 직전 거래일보다 0.81% 내렸습니다.", "WRONG_MOVEMENT"),
    ("series", "ko", "미국 실업률은 전월보다 0.2%p 올랐습니다.", "WRONG_MOVEMENT"),
    ("series", "ko", "미국 실업률이 올랐습니다.", "WRONG_MOVEMENT"),
    ("series", "ko", "미국 실업률이 4.1%에서 4.3%로 올랐습니다.", "WRONG_MOVEMENT"),
    ("series", "en", "US unemployment rose from 4.1% to 4.3%.", "WRONG_MOVEMENT"),
    ("series", "en", "US unemployment is rising.", "WRONG_MOVEMENT"),
    ("share", "ko", "금리 인상 때문에 애플이 올랐습니다.", "UNSUPPORTED_CAUSE"),
    ("share", "ko", "애플은 실적 호조의 영향으로 올랐습니다.", "UNSUPPORTED_CAUSE"),
    ("share", "ko", "환율은 수출 부진 탓에 움직였습니다.", "UNSUPPORTED_CAUSE"),
    ("share", "en", "Apple rose because of strong demand.", "UNSUPPORTED_CAUSE"),
    ("share", "en", "The move was driven by chip demand.", "UNSUPPORTED_CAUSE"),
    ("share", "ko", "애플에 데드크로스가 나타났습니다.", "SIGNAL"),
    ("share", "ko", "애플의 골든크로스는 11월 26일에 나왔습니다.", "SIGNAL"),
    ("share", "ko", "애플은 하락 추세입니다.", "SIGNAL"),
    ("share", "ko", "애플의 RSI는 과매수 구간입니다.", "SIGNAL"),
    ("share", "ko", "목표가를 상향할 만합니다.", "SIGNAL"),
    ("share", "en", "The trend is bearish.", "SIGNAL"),
    ("share", "ko", "지금 매수하세요.", "DIRECTIVE"),
    ("share", "ko", "분할 매수를 고려할 만합니다.", "DIRECTIVE"),
    ("share", "en", "You should buy now.", "DIRECTIVE"),
    ("share", "en", "Don't miss this chance.", "DIRECTIVE"),
    ("share", "ko", "근거는 ev-0123456789abcdef입니다.", "INTERNAL_ID"),
    ("share", "ko", "finance.equity가 계산했습니다.", "INTERNAL_ID"),
    ("series", "ko", "UNRATE 기준입니다.", "INTERNAL_ID"),
    ("homes", "ko", "지역 코드는 11680입니다.", "INTERNAL_ID"),
    ("share", "en", "The equity_prices tool says so.", "INTERNAL_ID"),
    ("share", "ko", "자세한 내용은 https://evil.example/a 를 보세요.", "ADDRESS"),
    ("share", "en", "See www.evil.example for details.", "ADDRESS"),
    ("share", "ko", "테슬라 종가는 262.1달러입니다.", "UNKNOWN_NAME"),
    ("homes", "ko", "송파구 아파트 매매가는 평균 23억원입니다.", "UNKNOWN_NAME"),
    ("share", "en", "The gain was shared by Zentrica Holdings.", "UNKNOWN_NAME"),
)


def test_there_are_enough() -> None:
    """Sixty sentences and more go both ways, in either language, and every reason of a sentence is among them."""
    assert len(HOLDS) + len(FAILS) >= 60
    assert {reason for *_, reason in FAILS} == set(DropReason) - {DropReason.UNKNOWN_CITATION, DropReason.REPEATED}


@pytest.mark.parametrize(("what", "locale", "sentence"), HOLDS)
def test_what_holds_passes_in_both_places(what: str, locale: str, sentence: str) -> None:
    """A sentence that the result holds must leave agent and synthesizer as it was written."""
    assert (_by_agent(what, locale, sentence), _by_answer(what, locale, sentence)) == ((), ())


@pytest.mark.parametrize(("what", "locale", "sentence", "reason"), FAILS)
def test_what_fails_is_refused_in_both_places_for_one_reason(
    what: str, locale: str, sentence: str, reason: DropReason
) -> None:
    """A sentence that does not hold must leave neither, and both must tell the same of it but for its place."""
    (agents,), (answers,) = _by_agent(what, locale, sentence), _by_answer(what, locale, sentence)
    assert (agents.reason, agents.place, agents.step_id) == (reason, DropPlace.AGENT_SUMMARY, "s1")
    assert answers == replace(agents, place=DropPlace.ANSWER, step_id="")
    assert agents.part in sentence


_HELD = {Decimal(part) for one in _result("share", "ko").metrics if (part := one.value)}


@given(st.decimals(min_value=1, max_value=10**6, places=2), st.sampled_from(["달러", "%", "배", "건", "원"]))
def test_a_figure_that_no_row_has_passes_in_neither_place(value: Decimal, unit: str) -> None:
    """Whatever its unit, a value that is none of the rows' and rounds to none of them must not leave."""
    rows = (Decimal(number) for number in ("261", "263.4", "259.9", "262.1", "258", "260.8", "257.1", "260"))
    held = {abs(one) for one in (*_HELD, *rows, Decimal(51_000_200), Decimal(40_000_100))}
    if any(abs(one - value) <= Decimal("0.01") for one in held):
        return
    sentence = f"애플의 값은 {value}{unit}입니다."
    agents, answers = _by_agent("share", "ko", sentence), _by_answer("share", "ko", sentence)
    assert (len(agents), len(answers)) == (1, 1)
    assert agents[0].reason is answers[0].reason


@given(st.text(min_size=1, max_size=600))
def test_no_more_of_a_text_is_kept_than_a_record_needs(text: str) -> None:
    """What is kept of a text that was left out must be short, and the text itself where that is short."""
    kept = dropped(DropPlace.ANSWER, Wrong(DropReason.SIGNAL, text), text)
    assert max(len(kept.text), len(kept.part)) <= TEXT_CHARACTERS_MAX
    assert len(text) > TEXT_CHARACTERS_MAX or kept.text == " ".join(text.split())


def test_a_zone_of_its_own_tells_the_day() -> None:
    """The day of a text is that of its reader, whoever wrote it."""
    assert (
        _of_agent("share", "ko")._today
        == _of_answer("share", "ko")._today
        == NOW.astimezone(ZoneInfo("Asia/Seoul")).date()
    )


def test_texts_are_read_only_where_rows_do_not_hold_a_figure() -> None:
    """A figure of the rows is judged by them alone; one that only a text has is found there."""
    grounds = Grounds.of(request([_result("share", "ko")], locale="ko", question="?"))
    assert grounds.judge(HOLDS[0][2]).wrong is None
    assert "_written" not in vars(grounds)
    assert grounds.judge("애플 종가는 987.6달러입니다.").wrong is not None
    assert "_written" in vars(grounds)
