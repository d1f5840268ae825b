"""Money is read exactly or asked about, never guessed."""

from datetime import datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.domains.homes.entities import SUMS
from services.text.ko.written import money_ko
from services.text.reading import TextReading, read

_NOW = datetime.fromisoformat("2026-05-20T10:00:00+09:00")


def _read(text: str) -> TextReading:
    return read(text, now=_NOW, sums=(SUMS,))


@pytest.mark.parametrize(
    ("text", "amount_krw"),
    [
        ("0.5억", 50_000_000),
        ("2.75억", 275_000_000),
        ("6억 4천만원", 640_000_000),
        ("1억 7천", 170_000_000),
        ("8억 2000", 820_000_000),
        ("9만9천9백원", 99_900),
        ("칠천오백만 원", 75_000_000),
        ("십이억 삼천만원", 1_230_000_000),
        ("억 오천", 150_000_000),
        ("만 이천 원", 12_000),
        ("백 만원", 1_000_000),
        ("4억 반", 450_000_000),
        ("1조 2천억", 1_200_000_000_000),
        ("7천500만원", 75_000_000),
        ("KRW 1,500,000", 1_500_000),
        ("₩1.2m", 1_200_000),
        ("700k won", 700_000),
        ("2.5 million won", 2_500_000),
        ("five hundred thousand won", 500_000),
        ("half a million won", 500_000),
        ("４억５천만원", 450_000_000),
        ("전세 2억 6천이래요", 260_000_000),
        ("5억 원룸", 500_000_000),
    ],
)
def test_figures_are_exact(text: str, amount_krw: int) -> None:
    """One figure is one exact amount."""
    (amount,) = _read(text).amounts
    assert (amount.low, amount.high, amount.named) == (amount_krw, amount_krw, (amount_krw,))
    assert _read(text).asks == ()


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("70만원대", 700_000, 799_999),
        ("9억대", 900_000_000, 999_999_999),
        ("2억 4천만원대", 240_000_000, 249_999_999),
        ("5~6억", 500_000_000, 600_000_000),
        ("7~8억대", 700_000_000, 899_999_999),
        ("20만~30만원대 사이", 200_000, 399_999),
        ("3~4천만원", 30_000_000, 40_000_000),
        ("2억에서 3억 사이", 200_000_000, 300_000_000),
        ("8천만~9천만원", 80_000_000, 90_000_000),
        ("7억 이하", 0, 700_000_000),
        ("7억 미만", 0, 699_999_999),
        ("최소 6억", 600_000_000, None),
        ("200만원 넘는", 2_000_001, None),
        ("40만원 이상 60만원 미만", 400_000, 599_999),
        ("under 400,000 won", 0, 399_999),
        ("up to 2 billion won", 0, 2_000_000_000),
        ("between 3 million and 5 million won", 3_000_000, 5_000_000),
        ("30-40 million won", 30_000_000, 40_000_000),
        ("~6억", 0, 600_000_000),
        ("6억~", 600_000_000, None),
    ],
)
def test_ranges_and_bounds_are_exact(text: str, low: int, high: int | None) -> None:
    """Bands, ranges and bound words give inclusive bounds, None for an open end."""
    (amount,) = _read(text).amounts
    assert (amount.low, amount.high) == (low, high)


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("보증금 1500에 월세 45", [15_000_000, 450_000]),
        ("월세 2000에 90 정도", [20_000_000, 900_000]),
        ("보증금 2억에 월세 55", [200_000_000, 550_000]),
        ("보증금 3억이고 월 40", [300_000_000, 400_000]),
        ("월세 75에 보증금 2500", [750_000, 25_000_000]),
        ("보증금 2억에 월세 3개월", [200_000_000]),
        ("보증금 2억에 월 2회 납부", [200_000_000]),
        ("a monthly rent of 700,000 won", [700_000]),
        ("보증금 2000/90", [20_000_000, 900_000]),
        ("3000/150 원룸", [30_000_000, 1_500_000]),
        ("2억/80", [200_000_000, 800_000]),
        ("보증금 5천만원에 월 40만원", [50_000_000, 400_000]),
        ("4만 원에 택배비 2500원", [40_000, 2_500]),
    ],
)
def test_deposit_and_rent_are_two_amounts(text: str, figures: list[int]) -> None:
    """Deposit and rent stand in 만원 on both sides of a slash; several amounts keep their order."""
    assert [figure for amount in _read(text).amounts for figure in amount.named] == figures


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("8천", "no_unit"),
        ("6백", "no_unit"),
        ("보증금 4000", "no_unit"),
        ("2억 7", "no_unit"),
        ("수억 원", "vague"),
        ("몇백만원", "vague"),
        ("several million won", "vague"),
        ("7,00,000원", "malformed"),
        ("1.2.3억", "malformed"),
        ("-2억", "negative"),
        ("마이너스 90만원", "negative"),
        ("NaN원", "not_a_number"),
        ("무한대 원", "not_a_number"),
        ("٧억", "foreign_digits"),
        ("3²만원", "foreign_digits"),
        ("99999조원", "too_large"),
        ("$450", "foreign_currency"),
        ("70유로", "foreign_currency"),
    ],
)
def test_what_is_not_exact_is_asked(text: str, reason: str) -> None:
    """It gives no amount, and says which field is in question and why."""
    reading = _read(text)
    assert reading.amounts == ()
    assert [(ask.field, ask.reason.value) for ask in reading.asks] == [("amounts", reason)]


@pytest.mark.parametrize(
    "text",
    [
        "제4조 위약금",
        "민법 제621조",
        "양식 만들어줘",
        "조심할 점",
        "이불 좀 보여줘",
        "2만 명이 봤대",
        "30퍼센트 인상",
        "전화는 02-123-4567",
        "만약 오르면",
        "2027년 5월 3일",
        "100와트",
        "스무 명",
    ],
)
def test_other_numbers_are_no_money(text: str) -> None:
    """Articles, counts, dates, telephone numbers and words that only look like figures give nothing to pay."""
    reading = _read(text)
    assert (reading.amounts, [ask for ask in reading.asks if ask.field == "amounts"]) == ((), [])


@given(st.integers(1, 10**15))
def test_money_in_words_reads_back(amount_krw: int) -> None:
    """What the answer writes for an amount is read as that amount."""
    (amount,) = _read(money_ko(amount_krw)).amounts
    assert (amount.low, amount.high) == (amount_krw, amount_krw)


@given(st.integers(1, 9_999), st.integers(1, 9_999))
def test_digits_and_units_add_up(eok: int, man: int) -> None:
    """Any 억 and 만 add up, with and without a space, 원 and separators."""
    expected = eok * 10**8 + man * 10**4
    for text in (f"{eok}억{man}만", f"{eok}억 {man:,}만원", f"{eok:,}억 {man}만 원"):
        (amount,) = _read(text).amounts
        assert amount.low == expected


@given(st.decimals(min_value="0.01", max_value="99.99", places=2))
def test_decimals_stay_exact(eok: Decimal) -> None:
    """A decimal of 억 is that many won to the last one, with no rounding."""
    (amount,) = _read(f"{eok}억").amounts
    assert amount.low == int(eok * 10**8)


@given(st.text(max_size=60))
def test_any_text_can_be_read(text: str) -> None:
    """No text makes the readers fail, and every reading keeps its order and places."""
    reading = _read(text)
    for amount in reading.amounts:
        assert reading.text[amount.start : amount.end] == amount.surface
        assert amount.high is None or 0 <= amount.low <= amount.high


def test_price_per_area_keeps_its_measure() -> None:
    """A price for one 평 or ㎡ says so."""
    assert [amount.per for amount in _read("평당 2,600만원, ㎡당 900만원").amounts] == ["pyeong", "m2"]


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("24평", 79.34, 79.34),
        ("서른네 평", 112.40, 112.40),
        ("59~84㎡", 59, 84),
        ("40평대", 132.23, 165.29),
        ("15평 이상 25평 미만", 49.59, 82.64),
    ],
)
def test_areas_are_square_metres(text: str, low: float, high: float) -> None:
    """A 평 is 400/121 ㎡; a band reaches up to the next ten."""
    (area,) = _read(text).areas
    assert area.low_m2 is not None
    assert area.high_m2 is not None
    assert (round(float(area.low_m2), 2), round(float(area.high_m2), 2)) == (low, high)
