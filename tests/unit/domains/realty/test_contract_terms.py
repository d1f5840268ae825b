"""What a message says of a contract that is to be written or changed."""

import pytest

from services.domains.realty.agreements.terms import changed, form_of, said_values, terms_in


@pytest.mark.parametrize(
    ("text", "form", "values"),
    [
        (
            (
                "월세 계약서. 광진구 자양동 오피스텔, 보증금 3천 월세 80, 매월 12일, "
                "2027년 4월 10일부터 2년, 임대인 송가람 임차인 유다온"
            ),
            "monthly_rent",
            {
                "deposit": "30000000",
                "rent": "800000",
                "rent_day": "12",
                "start": "2027-04-10",
                "term_months": "24",
                "landlord": "송가람",
                "tenant": "유다온",
                "address": "광진구 자양동 오피스텔",
            },
        ),
        (
            (
                "Write a jeonse lease for an apartment in Haeundae-gu, Busan: deposit 410 million won, "
                "from 2027-06-01 for two years, landlord Choi, tenant Mary Major"
            ),
            "jeonse",
            {
                "deposit": "410000000",
                "start": "2027-06-01",
                "term_months": "24",
                "landlord": "Choi",
                "tenant": "Mary Major",
                "address": "Haeundae-gu, Busan (apartment)",
            },
        ),
        (
            "매매계약서. 매매대금 8억, 계약금 8천만원, 중도금 3억, 잔금일 2027년 9월 1일, 매도인 나한솔 매수인 도아라",
            "sale",
            {
                "price": "800000000",
                "earnest": "80000000",
                "middle": "300000000",
                "balance_date": "2027-09-01",
                "seller": "나한솔",
                "buyer": "도아라",
            },
        ),
        ("반전세 계약서, 보증금 2억에 월 55", "monthly_rent", {"deposit": "200000000", "rent": "550000"}),
        ("월세 계약서 써줘 보증금 1000/50", "monthly_rent", {"deposit": "10000000", "rent": "500000"}),
    ],
)
def test_what_is_said_is_taken(text: str, form: str, values: dict[str, str]) -> None:
    """Sums, days, names and the place are taken; what is not said is in no field."""
    assert form_of(text) == form
    assert terms_in(text, form) == values


def test_the_last_day_is_the_day_before() -> None:
    """A term of two years ends on the day before; another term moves the last day."""
    known = terms_in("전세계약서, 2026년 12월 15일부터 2년", "jeonse")
    assert said_values(known, "jeonse", "ko")["end"] == "2028년 12월 14일"
    shorter = changed(known, terms_in("기간을 1년으로 바꿔줘", "jeonse"), "기간을 1년으로 바꿔줘")
    assert said_values(shorter, "jeonse", "ko")["end"] == "2027년 12월 14일"


def test_a_sum_is_replaced_or_raised() -> None:
    """A sum behind a "to" replaces the old one, another is added to it; the balance follows."""
    known = {"deposit": "200000000", "earnest": "20000000"}
    said = "보증금을 2억 5천으로 올려줘"
    assert changed(known, terms_in(said, "jeonse"), said)["deposit"] == "250000000"
    said = "보증금 1천만원 올려줘"
    raised = changed(known, terms_in(said, "jeonse"), said)
    assert raised["deposit"] == "210000000"
    assert said_values(raised, "jeonse", "ko")["balance"] == "1억 9,000만원"
