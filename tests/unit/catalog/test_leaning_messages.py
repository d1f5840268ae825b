"""Messages that lean on what was said: asides, edits, answers to hapju's own question, lent subjects."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from services.catalog.asks import read_asks
from services.catalog.reading import read_question
from services.contract.asks import AnswerState, AskAnswer, AskedBefore, AskForm, Told
from services.plugin.asks.asides import without_asides
from services.plugin.asks.edits import ordinal
from services.plugin.asks.sheet import Sheet

NOW = datetime(2026, 11, 27, 0, tzinfo=UTC)


def sheet_of(text: str) -> Sheet:
    """Return a message as the readers see it."""
    read = read_question(text, now=NOW, time_zone="Asia/Seoul")
    return Sheet(read.text, read.language, read.today, tuple(one for one in read.entities if one.end))


def said(*messages: str) -> list[AskedBefore]:
    """Return what the messages of a conversation asked, the latest first; none of them has an answer yet."""
    before: list[AskedBefore] = []
    for message in messages:
        claims = read_asks(sheet_of(message), before)
        before.insert(0, AskedBefore(tuple(one.ask for one in claims)))
    return before


@pytest.mark.parametrize(
    ("message", "left"),
    [
        ("월세 말고 전세로 알려줘", "전세로 알려줘"),
        ("보증금이 2억이 아니라 3억이야", "보증금이 3억이야"),
        ("30만원대 의자 말고 20만원대로", "의자 20만원대로"),
        ("왜 자꾸 월세야 전세라니까", "전세라니까"),
        ("not the villa but the apartment", "the apartment"),
        ("at 4% instead of 5%", "at 4%"),
        ("officetels, not villas", "officetels"),
        ("그거 말고 매매로", "그거 말고 매매로"),
        ("이 가게 말고 다른 가게", "이 가게 말고 다른 가게"),
        ("걱정하지 말고 알려줘", "걱정하지 말고 알려줘"),
        ("매출 대신 순이익으로", "순이익으로"),
        ("집주인 대신 관리인이 서명해도 돼?", "집주인 대신 관리인이 서명해도 돼?"),
        ("보증금을 올리는 대신 월세를 낮추면", "보증금을 올리는 대신 월세를 낮추면"),
        ("is it not too late?", "is it not too late?"),
    ],
)
def test_what_is_put_aside_is_not_asked(message: str, left: str) -> None:
    """Words that a message puts aside go, with what they name; the places of the others stay as they are."""
    seen = sheet_of(message)
    plain = without_asides(seen)
    assert plain.text.split() == left.split()
    assert len(plain.text) == len(seen.text)
    assert all(plain.text[one.start : one.end].strip() for one in plain.entities)


def test_a_text_of_its_own_is_left_whole() -> None:
    """In a long message every word counts: it may hold a clause."""
    clause = "임대인이 아니라 임차인이 모든 수선비를 부담한다. " * 6
    assert without_asides(sheet_of(clause)).text == sheet_of(clause).text


@pytest.mark.parametrize("answer", ["대구 쪽이야", "대구요", "세 번째", "3번", "3"])
def test_a_name_of_several_places_is_told_apart_in_free_words_or_by_number(answer: str) -> None:
    """A city, or the place in the list that was asked with, answers "which of them?"; everything else stays."""
    before = said("서구 빌라 전세 시세 알려줘")
    (open_,) = before[0].asks[0].subjects
    third = open_.alternatives[2].value if "3" in answer or "세" in answer else "27170"
    (claim,) = read_asks(sheet_of(answer), before)
    assert [one.value for one in claim.ask.subjects] == [third]
    assert (claim.ask.measures, claim.ask.notes["property_type"]) == (("jeonse_deposit",), "villa")


def test_another_of_the_places_that_a_name_fits_is_chosen_anew() -> None:
    """A city corrects the answer that told a name apart; a district of its own is that district."""
    asked = said("서구 빌라 전세 시세 알려줘")
    chosen = read_asks(sheet_of("대구요"), asked)
    before = [
        AskedBefore(tuple(one.ask for one in chosen), (AskAnswer("q1", AskForm.LEVEL, AnswerState.ANSWERED),)),
        *asked,
    ]
    assert [one.value for one in read_asks(sheet_of("아니 부산"), before)[0].ask.subjects] == ["26140"]
    assert [one.value for one in read_asks(sheet_of("부산 해운대구는?"), before)[0].ask.subjects] == ["26350"]


def test_an_edit_is_surer_than_a_fresh_reading_of_the_same_words() -> None:
    """A ratio that a national series has as well is that of the district which was spoken of just before."""
    (claim,) = read_asks(sheet_of("전세가율은 몇 프로야"), said("금천구 아파트 매매 시세"))
    assert (claim.ask.domain, [one.value for one in claim.ask.subjects]) == ("homes", ["11545"])


@pytest.mark.parametrize("when", ["작년 말", "작년 12월", "지난달", "2025년"])
def test_another_subject_is_no_edit(when: str) -> None:
    """A message that names a thing of another domain is read for itself, though a day of it could edit the last one."""
    (claim,) = read_asks(sheet_of(f"{when} 환율은 얼마였어?"), said("금천구 아파트 매매 시세"))
    assert (claim.ask.domain, [one.value for one in claim.ask.subjects]) == ("finance", ["KR_USDKRW"])


@pytest.mark.parametrize(
    ("message", "answerer"), [("200만원이면 몇 주나 살 수 있어?", "finance.worth"), ("최근 기사 있어?", "finance.news")]
)
def test_a_request_without_a_subject_is_lent_the_last_one(message: str, answerer: str) -> None:
    """What is asked of no named thing is asked of what was spoken of just before."""
    (claim,) = read_asks(sheet_of(message), said("카카오 주가 얼마야"))
    assert (claim.ask.answerer, claim.ask.subjects[0].value) == (answerer, "KR:035720")


def test_what_was_told_can_be_pointed_to() -> None:
    """What "거기" points to is the first of the set that was told of last, not all that was asked about."""
    [asked] = said("관악구랑 동작구 아파트 전세 비교해줘")
    told = (Told("region", "11590", "서울 동작구"), Told("region", "11620", "서울 관악구"))
    answer = AskAnswer("q1", AskForm.COMPARE, AnswerState.ANSWERED, told=told)
    (claim,) = read_asks(sheet_of("거기 매매는?"), [replace(asked, answers=(answer,))])
    assert [one.value for one in claim.ask.subjects] == ["11590"]


@pytest.mark.parametrize(("text", "place"), [("number 2", 1), ("the first one", 0), ("5번", 4), ("2", 1), ("20", None)])
def test_ordinals(text: str, place: int | None) -> None:
    """A place in a list is said by word or by number; a bare number alone is one, a part of another is not."""
    assert ordinal(sheet_of(text)) == place


@pytest.mark.parametrize(
    ("first", "message"),
    [
        ("전세 3억 집이면 복비 얼마예요?", "최대 얼마까지인데?"),
        ("노원구 아파트 전세 매물 5억 이하", "몇 건이야?"),
        ("카카오 주가 얼마야", "한 번 더 말해줘"),
    ],
)
def test_a_part_of_the_last_answer_is_asked_again(first: str, message: str) -> None:
    """How many, how much at most, once more: the last ask, which has that in its answer."""
    [asked] = said(first)
    answer = AskAnswer("q1", asked.asks[-1].form, AnswerState.ANSWERED)
    (claim,) = read_asks(sheet_of(message), [replace(asked, answers=(answer,))])
    assert claim.ask.answerer == asked.asks[-1].answerer
    assert [one.value for one in claim.ask.quantities] == [one.value for one in asked.asks[-1].quantities]


def test_the_limit_of_a_rise_is_asked_without_the_rise() -> None:
    """How far a rise may go is asked of the lease, not of the sum that was demanded."""
    [asked] = said("보증금을 2억에서 2억 2천으로 올려달래요. 내야 하나요?")
    answer = AskAnswer("q1", asked.asks[-1].form, AnswerState.ANSWERED)
    (claim,) = read_asks(sheet_of("최대 얼마까지인데?"), [replace(asked, answers=(answer,))])
    assert claim.ask.form is AskForm.AMOUNT
    assert [(one.role, one.value) for one in claim.ask.quantities] == [("deposit", "200000000")]


def test_a_follow_up_that_could_stand_alone_keeps_the_kind_of_home() -> None:
    """A place and a deal are a question of their own, but said as the rest of the last one they are villas still."""
    (claim,) = read_asks(sheet_of("마포구 매매는?"), said("강북구 빌라 전세 시세"))
    assert (claim.ask.measures, claim.ask.notes["property_type"]) == (("sale_price",), "villa")


@pytest.mark.parametrize("message", ["그중 제일 넓은 건?", "두 번째 거 자세히", "which of those is the cheapest?"])
def test_of_an_empty_list_nothing_is_chosen(message: str) -> None:
    """Who picks out of a list that held nothing is told so again, and no thing of elsewhere."""
    (last,) = said("도봉구 빌라 매매 매물 2천만원 이하")
    told = AskedBefore(last.asks, (AskAnswer("q1", AskForm.LIST, AnswerState.ANSWERED),))
    (claim,) = read_asks(sheet_of(message), [told])
    assert claim.ask.answerer == last.asks[0].answerer
    assert claim.ask.conditions == last.asks[0].conditions


def test_what_a_condition_says_is_no_request() -> None:
    """A clause with "if" before a comma says under what something is asked, and asks nothing itself."""
    claims = read_asks(sheet_of("If I had 4 million won to spend, how many Kakao shares is that?"), ())
    assert [one.ask.answerer for one in claims] == ["finance.worth"]


def test_a_bare_number_counts_as_the_sum_of_its_noun() -> None:
    """A rent that was told in 만원 lends its unit to the rent that follows without one; other numbers keep theirs."""
    found = {
        one.words: one.as_won if one.unit == "krw" else None
        for one in sheet_of("월세 55만원인데 월세 60 달래요").numbers
    }
    assert found == {"55만원": 550_000, "60": 600_000}
    assert [one.unit for one in sheet_of("보증금 2억에 월세 60").numbers] == ["krw", ""]


@pytest.mark.parametrize("message", ["6억 넘으면 부담이에요", "6억 넘는 건 좀 곤란해"])
def test_what_is_too_much_is_a_limit(message: str) -> None:
    """Who says that more is a burden wants no more than that."""
    assert [one.bound for one in sheet_of(message).numbers] == ["le"]


@pytest.mark.parametrize(
    ("first", "message", "bounds"),
    [
        ("강서구 전용 59 아파트 매매 시세", "84로 해줘", [("ge", "82.5"), ("le", "85.5")]),
        ("강서구 아파트 매매 시세", "59는?", [("ge", "57.5"), ("le", "60.5")]),
        ("금천구 아파트 전세 매물 5억 이하", "84 이상만", [("ge", "84.0")]),
        ("강서구 월세 매물 있어?", "월세 84 이하로", []),
    ],
)
def test_a_bare_number_is_the_size_of_the_home_that_is_spoken_of(
    first: str, message: str, bounds: list[tuple[str, str]]
) -> None:
    """A number without a unit that homes are built in is a floor area, and no sum; behind 월세 it is the rent."""
    (claim,) = read_asks(sheet_of(message), said(first))
    assert [(one.operator, one.value) for one in claim.ask.conditions if one.field == "area_m2"] == bounds


def test_a_thing_of_another_domain_is_what_a_message_is_about() -> None:
    """A request that could lean on the list before is about the share that it names, and about nothing else."""
    (claim,) = read_asks(sheet_of("네이버 올해 올랐어?"), said("무선 이어폰 5만원 이하 보여줘"))
    assert (claim.ask.domain, claim.ask.subjects[0].value) == ("finance", "KR:035420")


def test_what_turns_back_to_a_thing_is_no_request_beside_what_is_asked_of_it() -> None:
    """The ratio is that of the district that the message turns back to, and not the nation's as well."""
    before = said("금천구 아파트 매매 시세", "애플 주가")
    (claim,) = read_asks(sheet_of("다시 금천구 얘기로, 전세가율은?"), before)
    assert (claim.ask.domain, claim.ask.measures) == ("homes", ("jeonse_ratio",))


def test_the_gap_of_two_figures_that_were_told() -> None:
    """After a sale price and a jeonse "how far apart are they?" asks for the gap of the two."""
    (claim,) = read_asks(sheet_of("두 개 차이가 얼마야?"), said("금천구 빌라 매매가랑 전세가"))
    assert (claim.ask.notes.get("gap"), claim.ask.measures) == ("1", ("sale_price", "jeonse_deposit"))


def test_a_district_of_several_cities_is_the_one_beside_what_was_spoken_of() -> None:
    """After a district of Busan a name that other cities have too is that of Busan; nothing has to be asked."""
    (claim,) = read_asks(sheet_of("아니 남구 말고 북구"), said("부산 남구 오피스텔 매매 시세"))
    assert [one.value for one in claim.ask.subjects] == ["26320"]


def test_a_group_means_its_share_where_shares_are_spoken_of() -> None:
    """A name that a whole group bears means its covered share at the end of a message on shares, else goods."""
    (claim,) = read_asks(sheet_of("그럼 삼성은?"), said("하이닉스 올해 수익률"))
    assert (claim.ask.answerer, claim.ask.subjects[0].value) == ("finance.change", "KR:005930")
    assert all(one.ask.domain != "finance" for one in read_asks(sheet_of("삼성 냉장고 추천해줘"), ()))


@pytest.mark.parametrize("message", ["두 번째 상품 후기 보여줘", "show me the reviews of the second product"])
def test_goods_that_were_never_shown_are_told_so(message: str) -> None:
    """A place in a list of goods is none where no goods were shown."""
    (claim,) = read_asks(sheet_of(message), said("네이버 주가"))
    assert claim.ask.answerer == "commerce.goods_none_shown"


def test_what_was_shown_is_gone_on_from_over_what_lies_between() -> None:
    """Of those that were recommended the first is meant, though a rate was asked about in between."""
    before = said("노트북 80만원 이하 추천해줘", "연준 금리 몇 프로지")
    told = (Told("product", "LAPTOP-1", "코디움 L30"), Told("product", "LAPTOP-2", "테라핀 L60"))
    answer = AskAnswer("q1", AskForm.RECOMMEND, AnswerState.ANSWERED, told=told)
    claims = read_asks(
        sheet_of("추천해준 거 중에 첫번째 재고 있어?"), [before[0], replace(before[1], answers=(answer,))]
    )
    assert {one.ask.domain for one in claims} == {"commerce"}
    assert claims[0].ask.notes["ids"] == "LAPTOP-1"


def test_what_is_put_aside_is_no_part_of_a_sum_either() -> None:
    """Of "instalments no, a deposit" the deposit is reckoned, as though the other had not been said."""
    (claim,) = read_asks(sheet_of("적금 말고 예금 2000만원 연 3% 1년이면 이자 얼마야"), ())
    (plain,) = read_asks(sheet_of("예금 2000만원 연 3% 1년이면 이자 얼마야"), ())
    assert (claim.ask.answerer, claim.ask.notes) == (plain.ask.answerer, plain.ask.notes)


def test_another_sum_of_money_is_exchanged_as_the_last_one_was() -> None:
    """After a sum in dollars another one takes its place, on the day that a further message names."""
    before = said("500달러면 원화로 얼마야")
    (claim,) = read_asks(sheet_of("1200달러면?"), before)
    assert [(one.role, one.value) for one in claim.ask.quantities] == [("sum", "1200")]


def _answered(*messages: str) -> list[AskedBefore]:
    """Return what the messages of a conversation asked, each of them answered."""
    before: list[AskedBefore] = []
    for message in messages:
        asks = tuple(one.ask for one in read_asks(sheet_of(message), before))
        answers = tuple(AskAnswer(one.ask_id, one.form, AnswerState.ANSWERED) for one in asks)
        before.insert(0, AskedBefore(asks, answers))
    return before


@pytest.mark.parametrize("message", ["아니 그거 말고", "그거 말고 다른 걸로", "그 느낌으로"])
def test_an_edit_that_changes_nothing_asks_nothing(message: str) -> None:
    """The answer before is not told once more in the place of what was wanted."""
    assert read_asks(sheet_of(message), _answered("마포구 오피스텔 전세 시세 알려줘")) == ()


@pytest.mark.parametrize("message", ["얼마라고?", "진짜?", "다시 한번 알려줘"])
def test_what_asks_to_hear_it_once_more_is_told_again(message: str) -> None:
    """Somebody who doubts or has not heard gets the same ask again."""
    before = _answered("마포구 오피스텔 전세 시세 알려줘")
    (claim,) = read_asks(sheet_of(message), before)
    assert claim.ask.answerer == before[0].asks[0].answerer
    assert claim.ask.measures == before[0].asks[0].measures


def test_a_sum_that_is_replaced_stays_what_it_was() -> None:
    """Of a deposit that goes up by a share another deposit is asked, and not what it is raised to."""
    before = _answered("보증금 2억을 5% 올리면 얼마예요")
    (claim,) = read_asks(sheet_of("3억이면요"), before)
    assert {(one.role, one.value) for one in claim.ask.quantities} == {("deposit", "300000000"), ("rise_percent", "5")}


def test_another_currency_is_no_rate_of_the_dollar() -> None:
    """What the data does not hold is told as that."""
    (claim,) = read_asks(sheet_of("엔화 환율 얼마죠"), [])
    assert claim.ask.answerer == "finance.missing"


def test_the_same_place_keeps_its_kind_of_homes() -> None:
    """Named once more with another deal, it is about the same homes."""
    before = _answered("양천구 아파트 전세 시세")
    (claim,) = read_asks(sheet_of("그냥 양천구 매매로 알려줘"), before)
    assert claim.ask.notes["property_type"] == "apartment"
    assert claim.ask.measures == ("sale_price",)


@pytest.mark.parametrize(
    ("message", "asked"),
    [
        (
            "도봉구 아파트 매매 시세 알려주고, 노원구 빌라 전세도 알려줘",
            [("11320", ("sale_price",)), ("11350", ("jeonse_deposit",))],
        ),
        ("삼성전자 PER이랑 애플 올해 수익률 알려줘", [("KR:005930", ("per",)), ("US:AAPL", ("return",))]),
    ],
)
def test_two_requests_of_one_subject_are_two(message: str, asked: list[tuple[str, tuple[str, ...]]]) -> None:
    """Each asks its own of its own thing, and nothing of the other's."""
    claims = read_asks(sheet_of(message), [])
    assert [(one.ask.subjects[0].value, one.ask.measures) for one in claims] == asked


@pytest.mark.parametrize("message", ["강남구랑 서초구 아파트 매매 알려줘", "P/B of Amazon, Alphabet and JPMorgan"])
def test_one_request_of_several_things_is_one(message: str) -> None:
    """What is asked of all of them is said once."""
    assert len(read_asks(sheet_of(message), [])) == 1


@pytest.mark.parametrize(
    ("message", "gone"),
    [("노원구 아니 도봉구 아파트 전세", "노원구"), ("apartments in Mapo-gu, sorry, Gangnam-gu", "Mapo-gu")],
)
def test_what_is_taken_back_is_not_asked(message: str, gone: str) -> None:
    """Of two things of a kind the one behind "no" is meant."""
    assert gone not in without_asides(sheet_of(message)).text


def test_how_far_apart_is_told_by_the_comparison() -> None:
    """A bare "얼마나?" behind a comparison asks for nothing but its gap."""
    before = said("노원구 아파트 전세랑 도봉구 아파트 전세 비교해줘")
    answer = AskAnswer("q1", AskForm.COMPARE, AnswerState.ANSWERED)
    told = [replace(one, answers=(answer,)) for one in before]
    (claim,) = read_asks(sheet_of("얼마나?"), told)
    assert claim.ask.answerer == before[0].asks[0].answerer
