"""What a message takes back, leaves open, or says in a clause that no row knows: none of it is held for wanted."""

from datetime import date

import pytest

from services.domains.commerce.asks import READ
from services.domains.commerce.asks.acts import parts
from services.domains.commerce.asks.corrections import without_corrected
from tests.unit.domains.commerce.asking import ask_of, sheet_of


@pytest.mark.parametrize(
    ("text", "codes", "count", "method"),
    [
        ("다온 M40 마우스 아니다 M50으로 한 개 카드로 주문해줘", ["M50"], 1, "card"),
        ("order the Daon M40 mouse, no wait, the Haru M50 mouse, by card", ["M50"], None, "card"),
        ("M40 마우스 네 개 아니 두 개 카드로 주문할게", ["M40"], 2, "card"),
        ("order two M40 mice by card, sorry, bank transfer", ["M40"], 2, "bank_transfer"),
        ("order the M40 mouse with no coupon and the M50 mouse by card", ["M40", "M50"], None, "card"),
    ],
)
def test_what_is_taken_back_is_not_bought(text: str, codes: list[str], count: int | None, method: str) -> None:
    """The thing that follows takes the place of the one before it; a no to something else takes nothing back."""
    sheet = without_corrected(sheet_of(text))
    assert [code for code, _ in parts.codes(sheet)] == codes
    assert [number for number, _ in parts.quantities(sheet)][:1] == ([count] if count else [])
    assert parts.method(sheet) == method
    assert len(sheet.text) == len(sheet_of(text).text)


@pytest.mark.parametrize(
    ("text", "field", "values"),
    [
        ("a keyboard that is wired, no, wireless", "attributes.connection", ["wireless"]),
        ("a white keyboard, it doesn't have to be wireless", "attributes.connection", []),
        ("무선 아니어도 되는 하얀 키보드", "attributes.connection", []),
        ("하얀색 말고 검은 키보드", "attributes.colour", ["white", "black"]),
    ],
)
def test_a_property_that_is_left_open_is_no_condition(text: str, field: str, values: list[str]) -> None:
    """What need not be is not asked for, and not ruled out."""
    found = [one.value for one in ask_of(text).conditions if one.field == field]
    assert found == values or set(found) <= set(values) != set()


def test_a_clause_that_no_row_knows_is_told() -> None:
    """What a clause wants of goods and nothing here says is a condition that is told as not applied."""
    assert [one.words for one in ask_of("a desk that folds away under 90,000 won").conditions if one.value == ""] == [
        "folds away"
    ]
    assert all(one.value for one in ask_of("a backpack that is waterproof under 90,000 won").conditions)


@pytest.mark.parametrize("text", ["인덕션 추천해줘", "any good induction hobs?"])
def test_goods_that_bear_the_name_of_a_property_are_not_those_that_have_it(text: str) -> None:
    """An induction hob is no rice cooker."""
    assert all(claim.ask.subjects == () for claim in READ(sheet_of(text), ()))


def test_a_seller_holds_what_is_under_way_against_the_time_that_is_named() -> None:
    """The one time of "than in March" is the one before, and the month that runs is held against it."""
    ask = ask_of("did we sell more than in March?", user_type="seller")
    assert (ask.answerer, ask.against_date) == ("sales_change", date(2026, 3, 1).isoformat())
    assert ask.start_date == "2026-05-01"


@pytest.mark.parametrize(
    ("text", "coupon", "points"),
    [
        ("처음엔 쿠폰 쓰려고 했는데 그냥 뺄게요", "none", ""),
        ("적립금 3천점 쓸까 했는데 아까워서 안 쓸래", "", "none"),
        ("적립금 쓰려다가 할인권 쓰는 걸로 할게요", "said", "none"),
        ("hmm, at first I wanted the voucher but leave it out", "none", ""),
        ("I was going to spend my points but use the coupon instead", "said", "none"),
        ("쿠폰 빼먹지 말고 적용해줘", "said", ""),
        ("please don't forget the coupon", "said", ""),
        ("use the coupon and leave the mouse out", "said", ""),
        ("쿠폰 쓰고 싶었는데 적용해줘", "said", ""),
    ],
)
def test_what_was_wished_before_and_is_left_out_is_not_used(text: str, coupon: str, points: str) -> None:
    """A thing that is given up is none; one that another wish keeps, or that must not be forgotten, is used."""
    sheet = sheet_of(text)
    assert parts.coupon(sheet).partition(":")[0] == coupon
    assert parts.points(sheet) == points


@pytest.mark.parametrize(
    ("text", "codes", "counts", "method"),
    [
        ("다온 M40 마우스 사려고 했는데 M50 마우스로 세 개 카드 결제할게", ["M50"], [3], "card"),
        ("계좌이체로 하려다가 카드로 결제할게요 M40 두 개", ["M40"], [2], "card"),
        ("두 개 살까 했는데 네 개로 주문해줘", [], [4], ""),
        ("I wanted to buy two M40 mice but order three M40 mice by card", ["M40"], [3], "card"),
    ],
)
def test_the_wish_that_comes_last_stands(text: str, codes: list[str], counts: list[int], method: str) -> None:
    """Of two things of a kind the one of a wish that is over is not meant."""
    sheet = without_corrected(sheet_of(text))
    assert [code for code, _ in parts.codes(sheet)] == codes
    assert [number for number, _ in parts.quantities(sheet)] == counts
    assert parts.method(sheet) == method


def test_goods_that_were_wished_before_are_not_looked_for() -> None:
    """The later colour, sum and kind of goods are those that are asked for."""
    colours = ask_of("검은색 키보드 보려고 했는데 흰색 키보드로 보여줘").conditions
    assert [one.value for one in colours if one.field == "attributes.colour"] == ["white"]
    bounds = ask_of("I was thinking of keyboards under 50,000 won but show me keyboards under 90,000 won").conditions
    assert [one.value for one in bounds if one.field == "price_krw"] == ["90000"]
