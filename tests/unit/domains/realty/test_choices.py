"""Two leases held side by side: the cheaper one at a rate, or the rate at which both cost the same."""

from collections.abc import Sequence
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.domains.realty import calculators as calc
from services.plugin.asks.answering import Claim
from services.plugin.installed import installed_domains
from tests.unit.catalog.test_leaning_messages import said, sheet_of

_SUMS = st.integers(1, 10**6).map(lambda man: Decimal(man) * 10_000)


@given(_SUMS, _SUMS)
def test_at_the_rate_of_a_rent_the_deposit_costs_that_rent(deposit: Decimal, rent: Decimal) -> None:
    """Interest on the deposit at that rate, reckoned apart from the calculator, is the rent."""
    rate = calc.conversion_of(deposit, rent)
    assert abs(deposit * rate / 1200 - rent) < Decimal("0.01")


def test_no_deposit_has_no_rate() -> None:
    """Nothing is divided by a deposit of 0."""
    with pytest.raises(ValueError, match="deposit"):
        calc.conversion_of(Decimal(0), Decimal(500_000))


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        ("전세 2억이랑 보증금 3천에 월세 70 중에 뭐가 나아?", {"deposit": 2e8}, {"deposit_2": 3e7, "rent_2": 7e5}),
        (
            "보증금 1억 월세 50 아니면 5천에 75 뭐가 나아?",
            {"deposit": 1e8, "rent": 5e5},
            {"deposit_2": 5e7, "rent_2": 7.5e5},
        ),
        ("월세 60만원보다 전세 1억5천이 나을까", {"rent": 6e5}, {"deposit_2": 1.5e8}),
    ],
)
def test_each_number_is_of_its_own_lease(question: str, first: dict[str, float], second: dict[str, float]) -> None:
    """The deposit and the rent of one side are not those of the other."""
    (claim,) = _read(question)
    assert {one.role: float(one.value) for one in claim.ask.quantities} == first | second


@pytest.mark.parametrize(
    "question",
    [
        "집주인이 전세 3억을 3억 2천으로 올려달래요 괜찮나요",
        "보증금 1억에 월세 50만원인데 보증금 5천 올리면 월세 얼마?",
        "월세 50이 나을까",
    ],
)
def test_one_lease_is_no_choice(question: str) -> None:
    """A rise, a conversion and a single lease are asked about otherwise."""
    assert not [claim for claim in _read(question) if claim.ask.answerer == "lease_choice"]


def _read(question: str) -> Sequence[Claim]:
    realty = next(one for one in installed_domains() if one.name == "realty").module("asks")
    assert realty is not None
    claims: Sequence[Claim] = realty.READ(sheet_of(question), said())
    return claims
