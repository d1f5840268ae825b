"""A message after an act was shown is read against that act: how many, where to, how paid, which one, or let be."""

from datetime import UTC, datetime

import pytest

from services.catalog.asks import read_asks
from services.catalog.reading import read_question
from services.contract.asks import AnswerState, Ask, AskAnswer, AskedBefore, AskForm, Told
from services.domains.commerce.asks.acts import choosing, places
from services.domains.commerce.asks.acts.standing import likeness
from services.domains.commerce.asks.own.owners import is_anothers
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import QueryRow

_NOW = datetime(2026, 5, 20, 3, 0, tzinfo=UTC)


def _sheet(text: str, user_type: str = "consumer") -> Sheet:
    reading = read_question(text, now=_NOW)
    own = tuple(one for one in reading.entities if one.end)
    return Sheet(reading.text, reading.language, reading.today, own, user_type)


def _after(first: str, text: str, *told: Told) -> Ask:
    """Return what a message asks after one that was shown for approval, or that listed goods."""
    asks = tuple(claim.ask for claim in read_asks(_sheet(first), ()))
    state = AnswerState.OPEN if asks[0].form is AskForm.ACT else AnswerState.ANSWERED
    answers = tuple(AskAnswer(one.ask_id, one.form, state, told=told) for one in asks)
    (claim,) = read_asks(_sheet(text), (AskedBefore(asks, answers),))
    return claim.ask


_SHOWN = "코디움 게이밍 M30 마우스 두 개 카드로 주문해줘"


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("넷이면 넉넉하겠다", "quantity", "4"),
        ("two is plenty of clutter already, one will do", "quantity", "1"),
        ("할아버지 댁 경상북도 안동시 보기길 21, 3층으로요", "address", "경상북도 안동시 보기길 21, 3층"),
        ("post it to 40 Harbour Street, Ulsan", "address", "40 Harbour Street, Ulsan"),
        ("사무실로 부쳐주라", "address", "?사무실"),
        ("그 카드 정지됐네 통장에서 빼가요", "method", "bank_transfer"),
        ("포인트도", "points", "ask"),
        ("throw in whatever points I've got", "points", "all"),
        ("적립금은 됐네요", "points", "none"),
    ],
)
def test_what_is_shown_is_changed_in_any_words(text: str, name: str, value: str) -> None:
    """A count, an address, a way to pay and points are heard though no verb says that they change."""
    ask = _after(_SHOWN, text)
    assert (ask.answerer, ask.notes.get(name)) == ("commerce.act_order", value)


@pytest.mark.parametrize(("text", "codes"), [("M80이 더 낫네 그걸로 바꿔줘", "M80"), ("M80도 같이요", "M30|M80")])
def test_another_model_is_put_in_place_or_joined_as_the_words_say(text: str, codes: str) -> None:
    """A model that is named beside an order replaces what stands, or joins it; its words say which."""
    assert _after(_SHOWN, text).notes["codes"] == codes


@pytest.mark.parametrize("text", ["코디움 M80 마우스", "리본 달아줘요 분홍색", "handle with care"])
def test_what_is_not_understood_is_asked_about(text: str) -> None:
    """What says no change is no search for goods: it is told as not understood, and the act stands."""
    ask = _after(_SHOWN, text)
    assert (ask.answerer, ask.notes["was"]) == ("commerce.act_unheard", "commerce.act_order")


@pytest.mark.parametrize("text", ["아내랑 의논 좀 하고 다시 올게요", "hmm that's steep, I'll wait for a sale"])
def test_what_puts_it_off_lets_it_be(text: str) -> None:
    """A no in words that nobody wrote down is near to others that are."""
    assert _after(_SHOWN, text).answerer == "commerce.act_dropped"


def test_a_question_stays_a_question() -> None:
    """What asks something else is answered, and changes nothing of what is shown."""
    assert _after(_SHOWN, "M80 마우스는 얼마예요?").answerer == "commerce.goods_one"


def test_vectors_ship_with_the_examples() -> None:
    """`python -m services.domains.commerce.asks.encoding` writes them anew when examples change."""
    assert likeness().ships


def _row(name_ko: str, name_en: str, price: int, stock: int = 5, attributes: str = "{}") -> QueryRow:
    fields = {"product_id": name_en, "name_ko": name_ko, "name_en": name_en, "price_krw": price, "stock": stock}
    return QueryRow(fields={**fields, "attributes": attributes, "category": "mouse"}, row_count=1, total=1, as_of=_NOW)


_RED = _row("가나 런 Q1 무선 마우스 블랙", "Gana Run Q1 Wireless Mouse Black", 9000, attributes='{"colour": "black"}')
_BLUE = _row("다라 런 Q2 유선 마우스 화이트", "Dara Run Q2 Wired Mouse White", 7000, attributes='{"colour": "white"}')
_GONE = _row("다라 런 Q3 유선 마우스 화이트", "Dara Run Q3 Wired Mouse White", 5000, 0, '{"colour": "white"}')


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("the Dara one that is the pricier of the two", [_BLUE]),
        ("다라 말고", [_RED]),
        ("하얀 걸로", [_BLUE, _GONE]),
        ("더 싼 거", [_BLUE]),
        ("9,000원짜리", [_RED]),
        ("빨간 거", []),
    ],
)
def test_the_one_that_is_meant_bears_all_that_is_said(text: str, meant: list[QueryRow]) -> None:
    """A maker, a property, a price and a comparative each tell goods apart; nothing is meant that lacks one of them."""
    marks = choosing.marks(_sheet(text), "mouse")
    assert list(choosing.chosen(marks, [_RED, _BLUE, _GONE], text)) == meant


@pytest.mark.parametrize("text", ["카드로 바로 보내줘", "장바구니로 세 개 옮겨줘", "스피커 두 대 주문"])
def test_no_place_is_found_where_none_is_said(text: str) -> None:
    """Words that only end like an address are none."""
    assert places.address(_sheet(text)) == ""


@pytest.mark.parametrize(
    ("text", "is_another"),
    [("여동생 장바구니 내가 결제할게", True), ("pay for tom's basket", True), ("지금 장바구니 결제해줘", False)],
)
def test_somebody_elses_cart_is_nobodys_own(text: str, *, is_another: bool) -> None:
    """A word for a person right before the cart says whose it is."""
    assert is_anothers(_sheet(text)) is is_another


_CART = (
    Told("product", "KEYBOARD-0015", "코디움 오피스 K150 유선 멤브레인 키보드 블랙"),
    Told("product", "MOUSE-0019", "벨로닉 오피스 M190 유선 일반형 마우스 블랙"),
)


@pytest.mark.parametrize(
    ("text", "answerer", "ids", "quantity"),
    [
        ("두 번째 걸 4개로", "act_recount", "MOUSE-0019", "4"),
        ("make the first one 3", "act_recount", "KEYBOARD-0015", "3"),
        ("마우스 하나 더", "act_add", "MOUSE-0019", "1"),
        ("키보드는 빼줘", "act_remove", "KEYBOARD-0015", None),
    ],
)
def test_a_line_of_the_cart_that_was_told_is_changed(text: str, answerer: str, ids: str, quantity: str | None) -> None:
    """A place or a kind of goods means a line of the cart that was told just before."""
    ask = _after("내 장바구니 보여줘", text, *_CART)
    assert (ask.answerer, ask.notes["ids"]) == (f"commerce.{answerer}", ids)
    assert quantity is None or ask.notes["quantity"] == quantity


@pytest.mark.parametrize("text", ["두 번째 거 평점은 어때?", "첫 번째 거 2개 카드로 결제해줘"])
def test_a_question_on_a_line_or_its_purchase_changes_no_cart(text: str) -> None:
    """What asks, and what buys, leaves the cart as it is."""
    ask = _after("내 장바구니 보여줘", text, *_CART)
    assert ask.answerer.removeprefix("commerce.") not in {"act_recount", "act_add", "act_remove"}


@pytest.mark.parametrize("text", ["on second thought, no coupon", "wait a second, leave the coupon out"])
def test_an_idiom_names_no_place(text: str) -> None:
    """The second of "on second thought" takes nothing out of what is shown."""
    ask = _after("order everything in my cart by card with the season coupon", text)
    assert (ask.notes.get("coupon"), ask.notes.get("without"), ask.notes.get("ids")) == ("none", None, None)
