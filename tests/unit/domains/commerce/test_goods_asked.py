"""What is asked of goods: which conditions, orders and sums are read, and what a follow-up edits."""

import pytest

from services.contract.asks import AnswerState, AskAnswer, AskedBefore, AskForm, Told
from services.domains.commerce.asks import READ
from tests.unit.domains.commerce.asking import (
    SHELF,
    answer_of,
    ask_of,
    conditions_of,
    keyboard,
    row_of,
    sheet_of,
)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("유선 말고 무선 키보드", {("attributes.connection", "eq", "wireless")}),
        (
            "흰색 의자 40만원대",
            {("price_krw", "ge", "400000"), ("price_krw", "lt", "500000"), ("attributes.colour", "eq", "white")},
        ),
        ("25L backpack", {("attributes.volume_l", "eq", "25")}),
        ("리뷰 500개 이상인 스피커", {("review_count", "ge", "500")}),
        ("할인 중인 태블릿", {("discount_percent", "gt", "0")}),
        ("키보드 세 개 합쳐서 9만원 이하로 골라줘", {("price_krw", "le", "30000")}),
        ("무료배송 되는 마우스", {("price_krw", "ge", "30000")}),
    ],
)
def test_conditions_are_read(text: str, wanted: set[tuple[str, str, str]]) -> None:
    """Each condition of a question becomes one on the rows; a denied value is not wanted."""
    assert wanted <= conditions_of(ask_of(text))


def test_sentences_that_add_to_a_search_are_one() -> None:
    """What one sentence names and the next ones bound is asked once, in the form that one of them wishes."""
    ask = ask_of("My old keyboard broke. It has to be wireless, 40k at most. Which would you pick?")
    assert ask.answerer.endswith("goods_recommend")
    assert {("price_krw", "le", "40000"), ("attributes.connection", "eq", "wireless")} <= conditions_of(ask)


def test_a_model_that_is_put_aside_is_not_asked_for() -> None:
    """A model before 말고 is none that is named: it is a condition on what is told."""
    ask = ask_of("K10 말고 다른 키보드 보여줘")
    assert not [one for one in ask.subjects if one.kind == "product_code"]
    assert "KEYBOARD-0001" not in [one.value for one in answer_of(ask, {"products": SHELF}).told]


def test_two_kinds_for_one_sum_are_a_set() -> None:
    """The goods of both kinds together cost no more than the sum, as many of each as are said."""
    mouse = row_of(**{**keyboard(9, 12_000).fields, "category": "mouse", "product_id": "MOUSE-1"})
    ask = ask_of("마우스 두 개랑 무선 키보드 하나 합쳐서 6만원 안으로 맞춰줘")
    answer = answer_of(ask, {"products": [*SHELF, mouse]})
    assert {one.value for one in answer.told} >= {"MOUSE-1"}
    total = sum(int(one.figures["price_krw"]) * (2 if one.value == "MOUSE-1" else 1) for one in answer.told)
    assert len(answer.told) == 2
    assert total <= 60_000


def test_two_kinds_have_what_their_own_parts_say() -> None:
    """Of "a black desk and a white chair" each colour is of its own kind; one price is of both."""
    desk, chair = (claim.ask for claim in READ(sheet_of("검정 책상이랑 하얀 의자 10만원 이하로 보여줘"), ()))
    assert conditions_of(desk) == {("price_krw", "le", "100000"), ("attributes.colour", "eq", "black")}
    assert conditions_of(chair) == {("price_krw", "le", "100000"), ("attributes.colour", "eq", "white")}


def test_a_follow_up_edits_the_last_ask() -> None:
    """A short message keeps the earlier conditions and adds its own."""
    first = ask_of("무선 키보드 6만원 이하 보여줘")
    edited = ask_of("검은 거만", AskedBefore((first,)))
    fields = {one[0] for one in conditions_of(edited)}
    assert fields == {"price_krw", "attributes.connection", "attributes.colour"}


def test_another_one_is_none_that_was_told() -> None:
    """Behind one recommendation another one is of the same needs, without the model that was told."""
    first = ask_of("무선 키보드 하나 추천해줘")
    told = answer_of(first, {"products": SHELF[:1]})
    another = ask_of("그거 말고 다른 거", AskedBefore((first,), (told,)))
    assert another.form is AskForm.RECOMMEND
    assert {("code", "ne", "K10"), *conditions_of(first)} == set(conditions_of(another))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("재고 30개 이상 남은 키보드", {("stock", "ge", "30")}),
        ("3만원 이상 6만원 미만 마우스", {("price_krw", "ge", "30000"), ("price_krw", "lt", "60000")}),
        ("desks wider than 130 cm", {("attributes.width_cm", "gt", "130")}),
        ("26인치 이상 모니터", {("attributes.screen_inch", "ge", "26")}),
        ("backpacks that aren't navy", {("attributes.colour", "ne", "navy")}),
        ("keyboards at least 15% off", {("discount_percent", "ge", "15")}),
        ("9만원으로 키보드 3개 사려는데 골라줘", {("price_krw", "le", "30000")}),
    ],
)
def test_bounds_are_read_of_every_figure(text: str, wanted: set[tuple[str, str, str]]) -> None:
    """Stock, sizes and two bounds of a price are conditions; "at least" is no superlative."""
    assert wanted <= conditions_of(ask_of(text))


@pytest.mark.parametrize(
    ("message", "pieces"),
    [
        ("그거 3개랑 K20 키보드 2개면 다 해서 얼마야", {"M20": "3", "K20": "2"}),
        ("2개에 K20 키보드 하나 더하면 총 얼마", {"M20": "2", "K20": "1"}),
        ("K20 키보드 두 개 추가하면?", {"M20": "1", "K20": "2"}),
    ],
)
def test_goods_that_were_told_join_those_that_are_named(message: str, pieces: dict[str, str]) -> None:
    """What they come to together is asked, each with its count."""
    first = ask_of("M20 마우스 얼마예요")
    told = AskAnswer(
        "q1", first.form, AnswerState.ANSWERED, told=(Told("product", "p1", "코디움 오피스 M20 마우스", {}),)
    )
    ask = ask_of(message, AskedBefore((first,), (told,)))
    assert ask.form is AskForm.AMOUNT
    assert {
        one.role.removeprefix("pieces."): one.value for one in ask.quantities if one.role.startswith("pieces.")
    } == pieces


def test_a_wish_that_no_property_is_called_by_keeps_the_bounds() -> None:
    """It is a condition that no row tells of, beside those that stand."""
    first = ask_of("의자 20만원 이하로 보여줘")
    told = AskAnswer("q1", first.form, AnswerState.ANSWERED, told=(Told("product", "p1", "의자", {}),))
    ask = ask_of("팔걸이 있는 것만", AskedBefore((first,), (told,)))
    assert ("price_krw", "le", "200000") in conditions_of(ask)
    assert ("unknown.said", "eq", "") in conditions_of(ask)


@pytest.mark.parametrize("message", ["하나만 골라줘", "그중에 하나만 추천해줘"])
def test_a_count_of_one_binds_a_recommendation(message: str) -> None:
    """Of what was shown one is told, with why."""
    first = ask_of("의자 20만원 이하로 보여줘")
    told = AskAnswer(
        "q1",
        first.form,
        AnswerState.ANSWERED,
        told=(Told("product", "p1", "의자", {}), Told("product", "p2", "의자", {})),
    )
    ask = ask_of(message, AskedBefore((first,), (told,)))
    assert (ask.form, ask.count) == (AskForm.RECOMMEND, 1)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("cheapest laptop with at least 4.2 stars", ("price_krw", False)),
        ("the largest monitor rated 4 or more", ("attributes.screen_inch", True)),
        ("평점 4.5 이상인 이어폰 중에 제일 비싼 거", ("price_krw", True)),
        ("평점 제일 높은 5만원대 이어폰", ("rating", True)),
    ],
)
def test_a_rating_that_is_asked_for_orders_nothing(text: str, order: tuple[str, bool]) -> None:
    """Goods are ordered by what the superlative is of."""
    ask = ask_of(text)
    assert (ask.order_by, ask.descending) == order


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("재고 제일 많은 밥솥", ("stock", True)),
        ("rice cooker with the biggest discount", ("discount_percent", True)),
        ("제일 큰 밥솥 중에 할인하는 거", ("attributes.servings", True)),
        ("별점 1위 밥솥은?", ("rating", True)),
        ("후기 1등 밥솥", ("review_count", True)),
    ],
)
def test_a_figure_beside_a_superlative_is_what_it_is_of(text: str, order: tuple[str, bool]) -> None:
    """A figure's noun beside a superlative is what orders, before a property that its adjective may mean alone."""
    ask = ask_of(text)
    assert (ask.order_by, ask.descending) == order


@pytest.mark.parametrize(
    "text",
    [
        "I'd like 2 silent keyboards for 50,000 won at most altogether",
        "I want 2 keyboards, 50,000 won or less in all",
    ],
)
def test_goods_that_are_wanted_for_so_much_are_looked_for(text: str) -> None:
    """A wish for so many of a kind within a sum chooses none yet: the sum is for all, and nothing is ordered."""
    ask = ask_of(text)
    assert ask.answerer in {"goods_recommend", "goods_list"}
    assert ("price_krw", "le", "25000") in conditions_of(ask)


def test_a_superlative_of_the_price_is_none_of_the_figure_beside_it() -> None:
    """The dearest of so many litres is no largest one, and what has many reviews wishes for nothing else."""
    assert ask_of("the most expensive 25-litre backpack").order_by == "price_krw"
    asked = ask_of("후기 제일 많이 달린 백팩")
    assert (asked.order_by, asked.conditions) == ("review_count", ())
