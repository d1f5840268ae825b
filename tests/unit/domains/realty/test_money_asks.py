"""What a question about money of homes is read as, and what it is answered with."""

from datetime import UTC, date, datetime

import pytest

from services.catalog.answerers import answerer_of
from services.catalog.asks import read_asks
from services.catalog.reading import read_question
from services.contract.asks import AnswerState, Ask, AskAnswer, AskedBefore, AskVerdict, Origin
from services.domains.realty.asks.rents.conversions import _rises
from services.plugin.asks.answering import Found
from services.plugin.asks.sheet import Sheet
from services.plugin.findings import Asking

NOW = datetime(2026, 11, 28, 3, tzinfo=UTC)


def _asks(text: str, before: tuple[AskedBefore, ...] = ()) -> tuple[Ask, ...]:
    reading = read_question(text, now=NOW)
    own = tuple(one for one in reading.entities if one.end)
    sheet = Sheet(reading.text, reading.language, date(2026, 11, 28), own)
    return tuple(claim.ask for claim in read_asks(sheet, before))


def _answered(ask: Ask, locale: str = "ko") -> AskAnswer:
    answerer = answerer_of(ask)
    assert answerer is not None
    return answerer.answer(ask, Found((), Asking(ask.words, locale, NOW, "Asia/Seoul", "", (), (), ()))).answer


def _said(text: str, *before: str) -> AskAnswer:
    """Return the answer to the last of some messages of one conversation."""
    known: tuple[AskedBefore, ...] = ()
    for message in before:
        asks = _asks(message, known)
        known = (AskedBefore(asks, tuple(_answered(one) for one in asks), text=message), *known)
    (ask,) = _asks(text, known)
    return _answered(ask)


@pytest.mark.parametrize(
    ("text", "roles"),
    [
        (
            "연봉 7천이고 8억짜리 아파트인데 LTV 60% DSR 40%, 금리 4.3%에 35년이면 대출 얼마까지 나와?",
            {"income_year": "70000000", "price": "800000000", "ltv": "60", "dsr": "40", "rate": "4.3", "months": "35"},
        ),
        ("전세 2억6천인데 800만원 올려달래요", {"deposit": "260000000", "raise_by": "8000000"}),
        ("월세 45만원을 48만원으로 올려달래", {"rent": "450000", "raised_to": "480000"}),
        ("보증금 2000에 월세 65 복비 얼마야", {"deposit": "20000000", "rent": "650000"}),
        ("보증금 2천에 월세 90인데 보증금을 5천으로 올리면 월세 얼마야? 전환율 5%", {"deposit_to": "50000000"}),
        ("how much rent at most if 25 million won of the deposit gets converted to rent", {"deposit_by": "25000000"}),
        (
            "My rent is 800,000 won. If I put down another 15 million at a 5% conversion rate, what is the rent?",
            {"deposit_by": "15000000"},
        ),
        (
            "현금 1억 5천에 전세금 1억 돌려받는데 4억 집을 LTV 50%로 살 수 있을까? 모자라?",
            {"savings": "250000000", "price": "400000000", "ltv": "50"},
        ),
        (
            "전세 2억 5천인데 내 돈은 1억 7천이고 나머지는 5%로 빌려요. 한 달 이자 얼마?",
            {"savings": "170000000", "loan": "80000000"},
        ),
        ("월급 350만원, DSR 40%, 금리 4%, 30년이면 대출 한도 얼마", {"income_month": "3500000"}),
        ("8억 4천 20년 원리금균등 대출 4%면 한 달에 얼마 갚아", {"loan": "840000000", "months": "20"}),
        (
            "연봉 5천이고 마이너스통장 2천 있는데 4억 집 대출 얼마까지 돼",
            {"income_year": "50000000", "other_debt": "20000000"},
        ),
        ("이 집 계약해도 될까? 시세 5억인데 전세 4억8천이래", {"price": "500000000", "deposit": "480000000"}),
        ("시세 4억 빌라 전세 3억9천 계약할까 말까", {"price": "400000000", "deposit": "390000000"}),
        (
            "보증금 1억 월세 80을 월세 50으로 낮추려면 보증금 얼마로 올려야 해? 전환율 5.5%",
            {"rent": "800000", "rent_by": "300000"},
        ),
        ("2년 계약 2025년 3월 15일부터면 언제 끝나?", {"months": "24"}),
        ("전세가율이 85프로인 집 들어가도 될까요", {"jeonse_ratio": "85"}),
        ("신용대출 5천 금리 5% 3년이면 한달에 얼마 갚아", {"loan": "50000000"}),
    ],
)
def test_numbers_are_bound_by_their_words(text: str, roles: dict[str, str]) -> None:
    """Each number has the role that its own words give, in whatever order they stand."""
    found = {one.role: one.value for ask in _asks(text) for one in ask.quantities}
    assert roles.items() <= found.items()


def test_a_debt_that_bears_on_a_limit_is_never_left_out() -> None:
    """The balance of a debt does not say what is paid on it, so that this is asked for before any limit is told."""
    answer = _said("연봉 7천인데 이미 마통 3천 있어요. 6억 집 사면 대출 어디까지 나올까요? 금리는 4.2프로 30년으로요")
    assert answer.state is AnswerState.ASKING
    assert answer.sentence is not None
    assert "연 상환액" in answer.sentence.ko


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("2억2천 대출 금리 4.1%로 25년 원리금균등이면 월 얼마 갚아?", "117만 3,423원"),
        ("주담대 1억 20년 4%인데 금리가 5%로 오르면 월 상환액 얼마나 늘어?", "5만 3,976원"),
        ("9억 집 LTV 50%면 대출 얼마까지 돼?", "4억 5,000만원"),
        ("월세 60만원인데 갱신할 때 얼마까지 올릴 수 있어?", "63만원"),
        ("아파트 매매 11억 중개수수료 얼마야", "550만원"),
        ("5억에 산 빌라를 6억에 팔면 수익률이 얼마야", "20%"),
        ("8억 4천에 산 1주택 취득세 얼마야", "2.6%"),
        ("보증금 1억 월세 40인데 보증금을 6천으로 낮추면 월세 얼마야? 전환율 6%", "60만원"),
    ],
)
def test_a_sum_stands_in_the_answer(text: str, words: str) -> None:
    """The sum that is asked for is told first."""
    answer = _said(text)
    assert answer.state is AnswerState.ANSWERED
    assert answer.sentence is not None
    assert words in answer.sentence.ko


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("보증금 2억을 2억1천으로 올려달라는데 한도 안인가요?", AskVerdict.YES),
        ("보증금 2억을 2억1천5백으로 올려달라는데 내야 하나요?", AskVerdict.NO),
        ("월세를 5%보다 더 많이 올려달라는데 거절해도 되나요?", AskVerdict.YES),
        ("갱신요구권은 이미 썼고 새로 계약하는데 12% 올리자는 게 불법인가요?", AskVerdict.DEPENDS),
        ("6억 집에 LTV 50%인데 3억5천 대출 나올까?", AskVerdict.NO),
        ("집값 8억에 대출 4억이면 LTV 60% 넘나요?", AskVerdict.NO),
        ("집값 8억에 대출 5억이면 LTV 60% 넘나요?", AskVerdict.YES),
        ("전세 3억 계약했는데 복비 80만원 달래요. 맞나요?", AskVerdict.YES),
        ("집값 3억에 전세 2억9천인데 안전한가요?", AskVerdict.NO),
        ("현금 3억 있고 LTV 50%로 7억 아파트 사려는데 대출 받으면 충분해?", AskVerdict.NO),
        ("계약한 지 5개월 됐는데 월세를 3% 올려달래요. 내야 해요?", AskVerdict.NO),
    ],
)
def test_a_verdict_is_of_what_is_asked(text: str, verdict: AskVerdict) -> None:
    """Yes and no answer the question as it is put: refusing, breaking a limit, being within it."""
    answer = _said(text)
    assert answer.verdict is verdict
    assert answer.sentence is not None
    assert answer.sentence.ko.startswith({"YES": "네", "NO": "아니요", "DEPENDS": "경우에"}[verdict.value])


@pytest.mark.parametrize(
    "text",
    [
        "연봉 5천인데 4억 아파트 사려고 해. 대출 얼마까지 나와?",
        "3억 대출받으면 한 달에 얼마 갚아?",
        "월세 100이고 300에서 400이면 5% 올리는 거 가능해?",
        "보증금 5천을 월세로 돌리면 얼마야?",
    ],
)
def test_nothing_is_computed_while_an_input_is_missing_or_unclear(text: str) -> None:
    """What is missing, or what a number means, is asked for."""
    assert _said(text).state is AnswerState.ASKING


@pytest.mark.parametrize(
    "text",
    [
        "최대출력 65와트 충전기 찾아줘",
        "카카오 주식 5만원에 사서 6만원에 팔면 수익률",
        "상가 월세 200만원인데 5% 넘게 올려도 되나요",
        "LTV가 뭐야",
        "대출 금리 오르면 집값은 어떻게 돼?",
    ],
)
def test_what_is_no_money_of_homes_is_left_alone(text: str) -> None:
    """Words that only look like it claim nothing."""
    assert not [ask for ask in _asks(text) if ask.domain == "realty"]


def test_an_edit_replaces_one_input() -> None:
    """A short message changes the one input that it names; the others are carried."""
    first = "3억 대출 연 4% 30년 원리금균등이면 월 얼마 갚아?"
    answer = _said("그럼 20년으로 하면?", first)
    assert answer.sentence is not None
    assert "181만 7,941원" in answer.sentence.ko
    answer = _said("금리 5%면?", first, "9억 집 LTV 50%면 대출 얼마까지 돼?", first)
    assert answer.sentence is not None
    assert "161만 465원" in answer.sentence.ko


def test_what_was_asked_for_is_taken_from_the_next_message() -> None:
    """A question back is answered with the number alone."""
    answer = _said("4%로 30년", "2억 대출받으면 한 달에 얼마 갚아?")
    assert answer.sentence is not None
    assert "95만 4,831원" in answer.sentence.ko


@pytest.mark.parametrize(
    "text", ["5만원 이하 이어폰 찾아줘", "카카오 10주 사줘", "송파구 4억 이하 전세 있어?", "7만원"]
)
def test_numbers_of_other_things_edit_nothing(text: str) -> None:
    """A message with words of its own, or with a sum that no loan has, leaves the last computation alone."""
    first = "3억 대출 연 4% 30년 원리금균등이면 월 얼마 갚아?"
    known = (AskedBefore(_asks(first), text=first),)
    assert not [ask for ask in _asks(text, known) if ask.answerer == "realty.loan_payment"]


def test_an_edit_that_names_the_other_deal_drops_the_first() -> None:
    """A fee of a sale, asked anew of a lease, is that of the lease alone."""
    answer = _said("전세 5억이면?", "매매 5억 아파트 복비 얼마야")
    assert answer.sentence is not None
    assert "150만원" in answer.sentence.ko


def test_an_edit_of_a_rise_is_of_what_was_to_change() -> None:
    """The new sum is the raised one, not the deposit that stands."""
    answer = _said("3억1천이면?", "집주인이 보증금 3억을 3억4천으로 올려달래")
    assert answer.sentence is not None
    assert (answer.verdict, "3.33%" in answer.sentence.ko) == (AskVerdict.YES, True)


@pytest.mark.parametrize(
    ("text", "roles"),
    [
        ("Deposit of 150 million; at the renewal they ask 159 million. Fine?", {"raised_to": "159000000"}),
        ("월세 70인데 재계약하면서 75로 하자네요", {"rent": "700000", "raised_to": "750000"}),
        (
            "3억 주고 산 빌라 월 90 받고 보증금 2천이면 수익률은",
            {"price": "300000000", "rent": "900000", "deposit": "20000000"},
        ),
        (
            "bought a flat at 500 million and sell at 540 million, what return?",
            {"price": "500000000", "sold": "540000000"},
        ),
        ("중개사가 8억 매매에 500만원 달래", {"fee": "5000000", "price": "800000000"}),
    ],
)
def test_sums_that_no_word_binds_have_the_one_role_that_fits(text: str, roles: dict[str, str]) -> None:
    """Relations between sums choose where the words leave it open: a raised sum is above the one that it was."""
    found = {one.role: one.value for ask in _asks(text) for one in ask.quantities}
    assert roles.items() <= found.items()


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("연봉 5천인데 2억을 4%로 30년 빌리면 DSR 40% 안 넘어?", AskVerdict.YES),
        ("연봉 5천인데 4억을 4%로 30년 빌리면 DSR 40% 안에 들어와?", AskVerdict.NO),
        ("연봉 5천인데 4억을 4%로 30년 빌리면 DSR 40% 넘나?", AskVerdict.YES),
    ],
)
def test_a_share_is_judged_the_way_that_is_asked(text: str, verdict: AskVerdict) -> None:
    """Within the limit and above it are asked for in opposite words."""
    assert _said(text).verdict is verdict


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("전세 계약 2026년 12월 1일부터 2년이면 언제 끝나?", "2028년 11월 30일"),
        ("My lease starts on 15 January 2027 for one year. When does it end?", "2028년 1월 14일"),
    ],
)
def test_a_lease_ends_the_day_before(text: str, said: str) -> None:
    """The first day counts."""
    answer = _said(text)
    assert answer.sentence is not None
    assert said in answer.sentence.ko


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("서울 전세 보증금 1억 6천인데 근저당이 2022년 3월이면 최우선변제 얼마?", "0원"),
        ("서울 전세 보증금 1억 6천인데 근저당이 2024년 3월이면 최우선변제 얼마?", "5,500만원"),
        ("부산 해운대구 보증금 8천이면 최우선변제금은?", "2,800만원"),
        ("부산 기장군 보증금 8천이면 최우선변제금은?", "0원"),
    ],
)
def test_what_small_tenants_are_paid_first(text: str, said: str) -> None:
    """Place and day of the mortgage decide; a county of a metropolitan city is none of its districts."""
    answer = _said(text)
    assert answer.sentence is not None
    assert said in answer.sentence.ko


def test_what_a_purchase_costs_beside_its_price_is_told_whole() -> None:
    """Tax and fee are asked in one breath: both are answered, each by its own rule."""
    tax, fee = _asks("9억짜리 아파트 매수하면 중개보수하고 취득세 다 해서 얼마 나가?")
    assert (tax.answerer, fee.answerer) == ("realty.acquisition_tax", "realty.brokerage_fee")
    assert {one.value for ask in (tax, fee) for one in ask.quantities} == {"900000000"}


@pytest.mark.parametrize(
    ("question", "sentence", "assumed"),
    [
        ("보증금 2억 전세인데 전세대출 얼마까지 나와요?", "80%이면 최대 1억 6,000만원", True),
        ("보증금 3억 5천인데 은행 전세대출 60%면 얼마 나와요?", "60%이면 최대 2억 1,000만원", False),
    ],
)
def test_what_is_lent_on_a_deposit(question: str, sentence: str, assumed: bool) -> None:
    """The share that is said counts; the usual one is told as assumed, and not as a rule of somebody."""
    (ask,) = _asks(question)
    answerer = answerer_of(ask)
    assert answerer is not None
    outcome = answerer.answer(ask, Found((), Asking(ask.words, "ko", NOW, "Asia/Seoul", "", (), (), ())))
    assert outcome.answer.sentence is not None
    assert sentence in outcome.answer.sentence.ko
    assert any(one.origin is Origin.ASSUMED for one in outcome.answer.inputs) is assumed
    assert any("가정" in one.provenance.source for one in outcome.evidence) is assumed
    assert not any("은행업감독" in one.provenance.source for one in outcome.evidence)


def test_what_cannot_be_a_rate_is_asked_for() -> None:
    """A percentage that no loan bears is not taken for its rate."""
    (ask,) = _asks("3억 대출 30년이면 70%에 매달 얼마 내요?")
    assert not any(one.role == "rate" for one in ask.quantities)


@pytest.mark.parametrize(
    ("text", "said", "nearest"),
    [
        ("신생아 특례대출은 소득이 얼마까지 되나요", "신생아 특례대출", ""),
        ("보금자리론 한도가 궁금해요", "보금자리론", "보금"),
        ("what does the didimdol loan require", "didimdol loan", "디딤"),
    ],
)
def test_a_programme_that_is_named_is_told_by_its_name(text: str, said: str, nearest: str) -> None:
    """What a programme gives is no list of loans, and no sum that lacks a price."""
    (ask,) = _asks(text)
    assert (ask.answerer, ask.notes["said"], ask.notes["programmes"]) == ("realty.programme_named", said, nearest)


@pytest.mark.parametrize(
    ("text", "of", "roles"),
    [
        ("양천구 제일 싼 전세 매물이랑 그거 복비 얼마인지", "first", "deposit"),
        ("광진구 아파트 매매 평균이 얼마고 그 값이면 취득세는 얼마예요", "mean", "price"),
        ("which is the cheapest flat for sale in Yangcheon, and what is the agent fee if I buy it?", "first", "price"),
    ],
)
def test_a_fee_is_of_the_home_that_the_message_asks_for_first(text: str, of: str, roles: str) -> None:
    """The second request of a message reads its sum as the first one does."""
    asks = _asks(text)
    assert [one.answerer.partition(".")[0] for one in asks] == ["homes", "realty"]
    assert (asks[1].notes["of"], asks[1].notes["roles"], asks[1].subjects[0].value) == (
        of,
        roles,
        asks[0].subjects[0].value,
    )


@pytest.mark.parametrize(
    "text",
    [
        "보증금 6천 중에 3천을 월세로 돌리면 매달 얼마 더 내요",
        "turn 30 million of my deposit into rent, what is added a month",
    ],
)
def test_what_becomes_rent_leaves_the_deposit(text: str) -> None:
    """More is paid each month, and no deposit is added."""
    (ask,) = _asks(text)
    assert not _rises(ask.words)


def test_what_a_loan_costs_is_told_beside_how_much_it_is() -> None:
    """In the first sentences where it is asked for, else below them."""
    asked, unasked = (
        _said("5억 집 LTV 60%면 대출 얼마고 20년 5%면 매달 얼마 내?"),
        _said("5억 집 LTV 60% 20년 5%면 대출 한도는?"),
    )
    assert asked.sentence is not None
    assert unasked.sentence is not None
    assert ("매달" in asked.sentence.ko, "매달" in unasked.sentence.ko) == (True, False)


@pytest.mark.parametrize(
    "text",
    [
        "구리 아파트 매매 평균 얼마고 그 값의 60%를 20년 4.5%로 빌리면 매달 얼마 내요?",
        "How much is jeonse for a villa in Guri, and what is the interest a month if I borrow 70% of it at 4%?",
    ],
)
def test_a_loan_on_what_the_message_asks_for_first(text: str) -> None:
    """The price is read, and the payment is of the share of it."""
    level, paid = _asks(text)
    roles = {one.role for one in paid.quantities}
    assert (level.answerer, paid.answerer) == ("homes.market_level", "realty.payment_on_told")
    assert {"ltv", "rate"} <= roles
    assert "" not in roles


@pytest.mark.parametrize("before", [("2억 10년 6% 원리금균등이면 월 얼마 내", "원금균등은?"), ()])
def test_two_ways_of_repaying_are_held_against_each_other(before: tuple[str, ...]) -> None:
    """Asked for in one message, or behind both of them."""
    text = (
        "어느 쪽이 총이자가 적나요"
        if before
        else "2억을 10년 6%로 빌리면 원리금균등하고 원금균등 중 총이자 어디가 적어요"
    )
    answer = _said(text, *before)
    assert answer.sentence is not None
    assert "원금균등이 6,050만원으로 원리금균등" in answer.sentence.ko


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("입주한 지 7개월 됐는데 월세 3만원 더 달래요. 내야 하나요?", AskVerdict.NO),
        ("올린 지 다섯 달 만에 보증금 500만원을 또 올려달라는데 거절해도 되나요?", AskVerdict.YES),
    ],
)
def test_a_rise_within_the_year_is_judged_whatever_it_is_of(text: str, verdict: AskVerdict) -> None:
    """What the lease is now bears on no rise that may not be claimed at all."""
    assert _said(text).verdict is verdict


def test_a_sum_and_a_verdict_of_law_in_one_message_are_both_read() -> None:
    """The part that has a use for the numbers is reckoned, the other one judged."""
    asks = _asks("전세 1억8천 갱신인데 최대 얼마까지 올려주면 되고 못 올려준다고 하면 쫓겨나나요?")
    assert [one.answerer for one in asks] == ["realty.rent_rise", "realty.law"]
    assert asks[1].notes["situation"] == "raise_refused"


@pytest.mark.parametrize(
    "text", ["LTV가 뭔지 알려주고 9억 집이면 50%일 때 대출 한도도 알려줘", "LTV가 뭐고 6억 집에 60%면 얼마?"]
)
def test_a_share_is_of_the_limit_that_was_just_asked_about(text: str) -> None:
    """Who asks what a limit means and reckons with a share says its name once."""
    asks = _asks(text)
    assert [one.answerer for one in asks] == ["general.define", "realty.loan_limit"]
    assert all(one.role for one in asks[1].quantities)


def test_an_income_that_rises_tells_how_much_more_may_be_borrowed() -> None:
    """Both incomes are roles of their own: none of them is a loan."""
    (ask,) = _asks("연봉이 4천에서 5천으로 오르면 DSR 40%, 4%, 30년일 때 얼마나 더 빌릴 수 있어?")
    said = _answered(ask).sentence
    assert said is not None
    assert "6,982만" in said.ko
