"""Which situation of the law a question tells in whatever words, and which way its verdict goes."""

from datetime import UTC, date, datetime

import pytest

from services.catalog.reading import read_question
from services.contract.asks import AskVerdict
from services.domains.realty.asks.law.several import requests_of
from services.domains.realty.asks.law.situations import likeness, meaning, situations, situations_of
from services.domains.realty.asks.law.term_left import in_time
from services.plugin.asks.sheet import Sheet
from services.text.likeness import words_of

NOW = datetime(2026, 11, 28, 3, tzinfo=UTC)


def _sheet(text: str) -> Sheet:
    reading = read_question(text, now=NOW)
    return Sheet(reading.text, reading.language, date(2026, 11, 28), tuple(one for one in reading.entities if one.end))


@pytest.mark.parametrize(
    ("text", "situation"),
    [
        ("중개인이 이중계약서 비슷하게 금액 낮춰서 다운계약 하재요 따라도 될까요", "down_contract"),
        ("주인이 전입신고를 한 달만 늦춰주면 안 되냐고 하는데 괜찮을까요", "delay_move_in"),
        ("등기부등본 뗐는데 어디를 확인해야 안전한 전세인지", "read_register"),
        ("가게 월세 두 번 밀렸는데 건물주가 계약 해지하겠대요", "shop_arrears"),
        ("집주인이 고장 난 보일러를 석 달째 안 고쳐주는데 방법이 없을까요", "landlord_will_not_repair"),
        ("돈을 돌려받기 전까지는 집을 안 비워줘도 되는지", "keep_the_home"),
        ("아파트 매매했으면 며칠 안에 실거래 신고하나요", "sale_report"),
        ("살던 집이 팔렸는데 보증금은 누가 돌려주나요", "new_owner_deposit"),
        ("확정일자는 받아 뒀는데 전입을 못 했어요 대항력이 있을까요", "fixed_date_alone"),
        ("4월 말에 전세가 끝나면 이사 갈 건데 주인한테 언제 얘기해야 하죠", "tenant_notice"),
        ("4월 말에 전세가 끝나는데 갱신 요구는 언제까지 해야 하죠", "renewal_window"),
        ("월세를 두 달 못 냈는데 집주인이 나가라고 할 수 있어요?", "arrears_two"),
        ("월세 한 달 못 냈다고 나가래요", "arrears_one"),
        ("1년 계약이 자동 연장되면 거기서 2년 더 살 수 있나요", "one_year_then_silence"),
        ("1년 계약이 말없이 지나갔으면 1년 더 살아도 되나요", "short_term"),
        ("where do I get mediation for a dispute with my landlord", "mediation"),
        ("계약이 넉 달 남았는데 집주인 번호가 바뀌어서 연락이 안 닿아요 뭘 해야 하죠", "unreachable_landlord"),
        ("계약 만료가 3주 뒤인데 이제야 재계약 안 한다며 나가래요", "late_refusal"),
        ("told ten days before it expires that I must get out, do I have to", "late_refusal"),
        ("our contract ends in July and we want to move out, latest day to tell the owner?", "tenant_notice"),
    ],
)
def test_a_question_in_other_words_tells_its_situation(text: str, situation: str) -> None:
    """Examples decide where no set phrase is said."""
    found, _ = situations_of(_sheet(text))
    assert [one.id for one in found] == [situation]


@pytest.mark.parametrize(
    "text", ["강남구 아파트 전세 얼마야", "2억 대출 한 달 이자", "오늘 날씨 어때", "이어폰 추천해줘"]
)
def test_other_questions_tell_no_situation_by_examples(text: str) -> None:
    """A price, a sum, the weather and goods are near to no example."""
    _, nearness = situations_of(_sheet(text))
    assert nearness == 0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("벽지값을 세입자가 물어야 하나요 그리고 중개수수료는 누가 내나요", ["restoration", "who_pays_broker"]),
        (
            "보일러가 낡아 멈췄는데 누가 고치고 집주인이 안 고쳐 주면 어떻게 해야 하나요",
            ["repairs", "landlord_will_not_repair"],
        ),
        ("월세가 두 달 밀렸어요. 나가라고 하는데 나가야 하나요?", []),
        ("집이 팔렸는데 나가야 하나요? 괜찮은 건가요?", []),
    ],
)
def test_several_requests_of_law_are_told_each(text: str, told: list[str]) -> None:
    """Parts that ask of situations of their own are requests of their own; what leans on another is none."""
    sheet = _sheet(text)
    assert [one.told[0].id for one in requests_of(sheet, situations_of(sheet)[0]) if one.told] == told


@pytest.mark.parametrize(
    ("situation", "text", "verdict"),
    [
        ("new_owner", "집이 팔렸는데 나가야 하나요", AskVerdict.NO),
        ("new_owner", "집이 팔려도 계속 살 수 있나요", AskVerdict.YES),
        ("terms_against_tenant", "불리한 특약도 유효한가요", AskVerdict.NO),
        ("terms_against_tenant", "불리한 특약은 무효인가요", AskVerdict.YES),
        ("new_owner_deposit", "새 주인한테 보증금을 달라고 할 수 있나요", AskVerdict.YES),
        ("refuse_residence", "집주인 아들이 산다며 거절할 수 있나요", AskVerdict.YES),
        ("refuse_residence", "집주인 아들이 산다는데 갱신할 수 있나요", AskVerdict.NO),
        ("refuse_residence", "계속 살고 싶은데 집주인 딸이 들어온대요. 거절할 수 있는 건가요?", AskVerdict.YES),
        (
            "refuse_residence",
            "We hope to remain here but she wants it for her parents. May she refuse us?",
            AskVerdict.YES,
        ),
    ],
)
def test_the_verdict_goes_the_way_that_is_asked(situation: str, text: str, verdict: AskVerdict) -> None:
    """Whether one must leave and whether one may stay have opposite answers."""
    (found,) = (one for one in situations() if one.id == situation)
    assert found.verdict_on(text) is verdict


@pytest.mark.parametrize(
    ("text", "judged", "situation"),
    [
        ("만기가 넉 달 남았는데 재계약 요구를 지금 해도 되나요", True, "renewal_right_general"),
        ("만기까지 3주 남았는데 이제 갱신을 요구할 수 있나요", True, "renewal_too_late"),
        ("두 달도 안 남았는데 갱신 요구할 수 있나요", True, "renewal_too_late"),
        ("my lease ends in eleven months, can I ask for the renewal now", True, "renewal_too_early"),
        ("계약이 9개월 남았는데 갱신 요구는 언제부터 하죠", False, "renewal_window"),
        ("두 달 전에 갱신을 요구했는데 답이 없어요", True, "renewal_window"),
    ],
)
def test_the_time_that_is_left_decides_whether_a_renewal_may_be_asked_for(
    text: str, situation: str, *, judged: bool
) -> None:
    """Between six and two months before the end it may; who asks when it may is told that."""
    (window,) = (one for one in situations() if one.id == "renewal_window")
    assert in_time(window, _sheet(text), judged=judged).id == situation


@pytest.mark.parametrize(
    "text", ["집주인이 세탁기를 새로 샀대요", "집주인이 월세를 카드로는 안 받겠대요 그래도 되나요"]
)
def test_what_states_no_fact_of_a_situation_is_told_none(text: str) -> None:
    """A neighbour's verdict is worse than none: nobody has sold anything here, nor owes any rent."""
    assert not situations_of(_sheet(text))[0]


def test_a_usual_verdict_is_what_its_text_begins_with() -> None:
    """A text that says yes or no says the verdict that is declared."""
    for one in situations():
        lead = one.ko.partition(",")[0].partition(".")[0]
        told = {"네": "yes", "아니요": "no", "경우에 따라 다릅니다": "depends"}.get(lead)
        assert told is None or told == one.verdict, one.id


def test_the_vectors_are_of_the_examples() -> None:
    """`python -m services.domains.realty.asks.encoding` writes them anew when examples change."""
    assert likeness().ships
    assert meaning().ships
    assert likeness().words == [words_of(text) for text in likeness().texts]


@pytest.mark.parametrize(
    ("name", "text", "verdict"),
    [
        ("entry_unasked", "마음대로 못 들어오죠?", AskVerdict.YES),
        ("new_owner", "집이 팔렸는데 나가야 하나요?", AskVerdict.NO),
        ("new_owner_deposit", "주인이 바뀌면 보증금은 못 받죠?", None),
        ("new_owner_deposit", "새 주인이 보증금은 자기 책임이 아니래요. 맞나요?", AskVerdict.NO),
        ("repairs", "수리비는 못 받는 거죠?", None),
    ],
)
def test_a_denial_to_be_confirmed_gets_no_yes_to_its_opposite(name: str, text: str, verdict: AskVerdict | None) -> None:
    """Yes is said only to what the law denies; what it grants is told by itself."""
    (situation,) = (one for one in situations() if one.id == name)
    assert situation.verdict_on(text) is verdict
