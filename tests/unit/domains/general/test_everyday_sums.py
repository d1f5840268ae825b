"""Sums of every day: the value that a question leaves out is computed, and what data is about is left to its domain."""

import math
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.domains.general.asks import worked
from services.domains.general.everyday import RELATIONS
from services.plugin.asks.relations import solved
from tests.unit.catalog.test_leaning_messages import said, sheet_of

_SUMS = st.integers(1_000, 2_000_000_000).map(Decimal)
_SHARES = st.integers(1, 990).map(lambda tenths: Decimal(tenths) / 10)


def _solve(asked: str, **known: Decimal) -> Decimal:
    return solved(asked, known, RELATIONS)[-1].value


@given(price=_SUMS, off=_SHARES)
def test_a_discount_its_price_and_what_is_paid_make_up_each_other(price: Decimal, off: Decimal) -> None:
    """Whichever is left out comes back."""
    paid = _solve("paid", price=price, off=off)
    assert math.isclose(paid, float(price) * (1 - float(off) / 100), rel_tol=1e-9)
    assert math.isclose(_solve("off", price=price, paid=paid), off, rel_tol=1e-6)
    assert math.isclose(_solve("price", paid=paid, off=off), price, rel_tol=1e-9)


@given(fall=_SHARES)
def test_the_rise_that_makes_up_a_fall_brings_back_what_was(fall: Decimal) -> None:
    """A fall and that rise leave what was there."""
    rise = _solve("recovery", fall=fall)
    assert math.isclose((1 - float(fall) / 100) * (1 + float(rise) / 100), 1, rel_tol=1e-9)


@given(instalment=_SUMS, rate=_SHARES, months=st.integers(1, 60))
def test_instalments_earn_what_each_earns_until_the_end(instalment: Decimal, rate: Decimal, months: int) -> None:
    """Interest of instalments is the sum of what each one earns by simple interest, month by month."""
    each = [float(instalment) * float(rate) / 1200 * left for left in range(1, months + 1)]
    told = _solve("interest", instalment=instalment, simple=rate, months=Decimal(months))
    assert math.isclose(told, sum(each), rel_tol=1e-9)


@given(wage=_SUMS, hours=st.integers(1, 24), days=st.integers(1, 7), weeks=st.integers(1, 52))
def test_a_wage_is_paid_for_every_hour(wage: Decimal, hours: int, days: int, weeks: int) -> None:
    """What is earned is the wage times all hours that are worked."""
    told = _solve("earned", wage=wage, hours=Decimal(hours), days=Decimal(days), weeks=Decimal(weeks))
    assert math.isclose(told, wage * hours * days * weeks, rel_tol=1e-9)


@given(principal=_SUMS, rate=_SHARES, months=st.integers(1, 60))
def test_after_tax_the_state_has_its_share_of_the_interest_alone(
    principal: Decimal, rate: Decimal, months: int
) -> None:
    """The principal comes back whole, and 14 % and a tenth of it are kept of the interest."""
    interest = float(principal) * float(rate) / 100 * months / 12
    told = _solve("net_matured", principal=principal, simple=rate, months=Decimal(months))
    assert math.isclose(told, float(principal) + interest * (1 - 0.14 * 1.1), rel_tol=1e-9)


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("4만 5천원짜리 신발 15% 세일하면 얼마예요", "paid"),
        ("관리비 9만원씩 8개월이면 모두 얼마 나가요", "total"),
        ("monthly rent of 450,000 won for 10 months, in total?", "total"),
        ("30% 깎아서 2만 1천원에 샀는데 정가는 얼마였나", "price"),
        ("원가 3천원짜리 5천원에 팔면 마진이 몇 프로야", "margin"),
        ("500만원 연 3% 복리로 7년이면 얼마로 불어나나요", "grown"),
        ("월 20만원씩 1년 적금 금리 5%면 이자 얼마 붙어요", "interest"),
        ("예금 800만원 2.8% 1년이면 세후 이자가 얼마죠", "net_interest"),
        ("주식이 반토막은 아니고 35% 떨어졌는데 본전 가려면 몇 % 상승해야 돼", "recovery"),
        ("환율 1,420원이면 250달러가 얼마예요", "in_won"),
        ("EPS 1,800원에 PER 12배면 주가는 얼마가 되죠", "share_price"),
        ("1,800원짜리 다섯 개면 모두 얼마예요", "paid"),
        ("what is 30% off 90,000 won", "paid"),
        ("5만 5천원이던 게 4만 4천원으로 내렸으면 몇 % 세일이죠", "off"),
        ("여섯 명이서 15만원 나눠 내면 인당 얼마예요", "each"),
        ("90만원 6개월 무이자 할부면 다달이 얼마죠", "monthly"),
        ("부가세 포함 22만원이면 공급가는 얼마인가요", "net"),
        ("800명 중에 240명이면 몇 퍼센트죠", "share"),
        ("80에서 100 됐으면 몇 퍼센트 오른 건가요", "returned"),
        ("시급 9천원에 하루 7시간 주 4일 3주 일하면 얼마 받나요", "earned"),
        ("2,000 won a day for 45 days, how much is that?", "earned"),
        ("2천만원 1년 넣어서 이자 70만원 받으려면 금리가 몇 %여야 하죠", "simple"),
        ("예금 500만원 3% 1년이면 세후로 만기에 얼마 받나요", "net_matured"),
        ("if I save 200,000 won every month for 2 years at 4% how much will I have", "matured"),
    ],
)
def test_a_sum_of_its_own_numbers_is_read(text: str, target: str) -> None:
    """The words of the sum and the numbers say what is left out."""
    (claim,) = worked.read(sheet_of(text), ())
    assert claim.ask.notes["target"] == target


@pytest.mark.parametrize(
    "text",
    [
        "삼성전자 수익률 몇 %야",
        "강남구 아파트 5% 할인 매물 있어?",
        "쿠폰 쓰면 얼마 할인돼?",
        "10% 이상 할인하는 노트북 보여줘",
        "배당수익률 3% 넘는 종목 뭐 있어",
        "5억을 4%로 30년 빌리면 매달 얼마 갚아요",
    ],
)
def test_what_data_is_about_is_left_to_its_domain(text: str) -> None:
    """A share, a place, goods and loans are asked of those who have them."""
    assert worked.read(sheet_of(text), ()) == ()


def test_a_short_message_changes_one_number_of_the_last_sum() -> None:
    """The rest stands."""
    before = said("2천만원을 연 4% 복리로 10년 두면 얼마가 돼요")
    (claim,) = worked.read(sheet_of("15년이면?"), before)
    assert {one.role: one.value for one in claim.ask.quantities} == {
        "principal": "20000000",
        "yearly": "4",
        "months": "15",
    }
