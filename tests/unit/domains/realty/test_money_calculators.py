"""Each calculator is held against an independent formula over many random inputs."""

import inspect
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.domains.realty import calculators as calc
from services.domains.realty.brackets import rules

KRW = st.integers(min_value=1, max_value=5_000_000_000).map(Decimal)
RATE = st.integers(min_value=0, max_value=2000).map(lambda hundredths: Decimal(hundredths) / 100)
MONTHS = st.integers(min_value=1, max_value=600)
SHARE = st.integers(min_value=1, max_value=10_000).map(lambda hundredths: Decimal(hundredths) / 100)
DAYS = st.dates(min_value=date(2000, 1, 1), max_value=date(2090, 12, 31))


def _monthly(rate: Decimal) -> Fraction:
    return Fraction(rate) / 1200


def _floor_to(value: Fraction, step: int) -> int:
    return int(value // step) * step


@given(KRW, RATE, st.integers(min_value=1, max_value=120))
def test_a_level_payment_repays_the_loan(loan: Decimal, rate: Decimal, months: int) -> None:
    """Paid month by month with interest on what is left, the exact payment leaves nothing at the end."""
    factor = (1 + _monthly(rate)) ** months
    exact = Fraction(loan) / months if rate == 0 else Fraction(loan) * _monthly(rate) * factor / (factor - 1)
    assert abs(Fraction(calc.level_payment(loan, rate, months)) - exact) <= Fraction(51, 100)
    assert abs(Fraction(calc.level_interest(loan, rate, months)) - (exact * months - Fraction(loan))) <= 1


@given(KRW, RATE, st.integers(min_value=1, max_value=120))
def test_equal_principal_follows_a_plan_written_out(loan: Decimal, rate: Decimal, months: int) -> None:
    """First and last payment and the whole interest are those of the plan written out month by month."""
    part = Fraction(loan) / months
    payments = [part + (Fraction(loan) - part * paid) * _monthly(rate) for paid in range(months)]
    first, last = calc.principal_payments(loan, rate, months)
    assert abs(Fraction(first) - payments[0]) <= Fraction(51, 100)
    assert abs(Fraction(last) - payments[-1]) <= Fraction(51, 100)
    interest = Fraction(calc.principal_interest(loan, rate, months))
    assert abs(interest - (sum(payments) - Fraction(loan))) <= Fraction(51, 100)


@given(RATE, st.integers(min_value=1, max_value=120))
def test_what_a_payment_of_one_repays_is_its_worth_today(rate: Decimal, months: int) -> None:
    """It is the sum of the payments, each discounted by the months until it is made."""
    factor = 1 / (1 + _monthly(rate))
    worth = sum(factor**month for month in range(1, months + 1))
    assert abs(Fraction(calc.present_value(rate, months)) - worth) <= Fraction(1, 10**15)


@given(KRW, RATE)
def test_the_interest_of_a_month_is_a_twelfth_of_a_years(loan: Decimal, rate: Decimal) -> None:
    """Twelve months of it make up the yearly share of the loan, but for the rounding of each."""
    exact = Fraction(loan) * Fraction(rate) / 1200
    assert abs(Fraction(calc.interest_only(loan, rate)) - exact) <= Fraction(1, 2)


@given(KRW.map(lambda won: won / 100))
def test_sums_are_rounded_to_won_and_loans_down(won: Decimal) -> None:
    """Half a won goes up, and a loan is the greatest multiple of ten thousand won within it."""
    assert calc.whole(won) == (Fraction(won) + Fraction(1, 2)) // 1
    assert calc.floored(won) == _floor_to(Fraction(won), 10_000)


@given(KRW, SHARE)
def test_a_loan_by_ltv_is_rounded_down(price: Decimal, ltv: Decimal) -> None:
    """It is the share of the price, rounded down to ten thousand won."""
    assert calc.loan_by_ltv(price, ltv) == _floor_to(Fraction(price) * Fraction(ltv) / 100, 10_000)


@given(st.integers(min_value=1, max_value=10**8).map(Decimal), RATE, st.integers(min_value=1, max_value=480))
def test_a_loan_by_payment_is_what_the_payments_repay(paid: Decimal, rate: Decimal, months: int) -> None:
    """It is the worth of the payments today, each discounted by its month, rounded down to ten thousand won."""
    factor = 1 / (1 + _monthly(rate))
    worth = Fraction(paid) * (Fraction(months) if rate == 0 else factor * (1 - factor**months) / (1 - factor))
    found = calc.loan_by_payment(paid, rate, months)
    assert found % 10_000 == 0
    assert Fraction(found) <= worth + Fraction(1, 100) < Fraction(found) + 10_001


@given(
    KRW, SHARE, st.integers(min_value=0, max_value=10**8).map(Decimal), RATE, st.integers(min_value=1, max_value=480)
)
def test_a_loan_by_income_keeps_to_its_share(
    income: Decimal, share: Decimal, other: Decimal, rate: Decimal, months: int
) -> None:
    """The loan's payments with those of other debts do not exceed the share, and ten thousand won more would."""
    loan = calc.loan_by_income(income, share, other, rate, months)
    allowed = max(Fraction(0), Fraction(income) * Fraction(share) / 100 - Fraction(other))
    factor = (1 + _monthly(rate)) ** months
    worth = Fraction(months) if rate == 0 else (factor - 1) / (factor * _monthly(rate))
    assert Fraction(loan) / worth * 12 <= allowed + Fraction(1, 10**6)
    assert Fraction(loan + 10_000) / worth * 12 > allowed - Fraction(1, 10**6)


@given(KRW, RATE, MONTHS, KRW, KRW)
def test_a_debt_share_is_the_payments_of_a_year_of_income(
    loan: Decimal, rate: Decimal, months: int, other: Decimal, income: Decimal
) -> None:
    """Twelve payments and those of other debts, in percent of the income."""
    factor = (1 + _monthly(rate)) ** months
    paid = Fraction(loan) / months if rate == 0 else Fraction(loan) * _monthly(rate) * factor / (factor - 1)
    exact = (paid * 12 + Fraction(other)) / Fraction(income) * 100
    assert abs(Fraction(calc.debt_share(loan, rate, months, other, income)) - exact) <= exact * Fraction(1, 10**12)


@given(KRW)
def test_the_highest_rent_is_within_one_twentieth(before: Decimal) -> None:
    """It is within 5 percent, and a won more is not."""
    highest = calc.highest_rise(before)
    assert highest * 100 <= before * 105 < (highest + 1) * 100


@given(KRW, KRW)
def test_a_rise_leads_back(before: Decimal, after: Decimal) -> None:
    """The old sum and the percentage make the new sum."""
    assert abs(before * (1 + calc.rise(before, after) / 100) - after) < Decimal("0.001")


@given(st.integers(min_value=0, max_value=1500).map(lambda hundredths: Decimal(hundredths) / 100))
def test_the_conversion_cap_is_the_lesser(base: Decimal) -> None:
    """Neither ten percent nor the base rate and two points is exceeded, and it is one of them."""
    cap = calc.conversion_cap(base)
    assert cap in {Decimal(10), base + 2}
    assert cap <= 10
    assert cap <= base + 2


@given(KRW, SHARE.filter(lambda rate: rate <= 50))
def test_rent_and_deposit_convert_into_each_other(deposit: Decimal, rate: Decimal) -> None:
    """A deposit's rent is a twelfth of its yearly share; a rent's deposit leads back to it."""
    rent = calc.rent_of(deposit, rate)
    assert abs(Fraction(rent) - Fraction(deposit) * Fraction(rate) / 1200) <= Fraction(1, 2)
    assert abs(calc.rent_of(calc.deposit_of(rent, rate), rate) - rent) <= 1


@given(KRW, st.integers(min_value=0, max_value=10**8).map(Decimal))
def test_the_rate_of_a_swap_makes_the_rent(deposit: Decimal, rent: Decimal) -> None:
    """A year's rent is that rate of the deposit."""
    exact = Fraction(rent) * 1200 / Fraction(deposit)
    assert abs(Fraction(calc.conversion_of(deposit, rent)) - exact) <= max(exact, Fraction(1)) * Fraction(1, 10**12)


@given(KRW, KRW, st.integers(min_value=0, max_value=10**8).map(Decimal), st.integers(0, 10**7).map(Decimal))
def test_yields_are_what_is_left_of_ones_own_money(price: Decimal, own: Decimal, rent: Decimal, costs: Decimal) -> None:
    """The yield of one's own money makes up a year's rent less costs, and less interest where there is a loan."""
    deposit = max(Decimal(0), price - own)
    bound = Fraction(price - deposit)
    exact = (Fraction(rent) * 12 - Fraction(costs)) / bound * 100
    assert abs(Fraction(calc.gross_yield(price, deposit, rent, costs)) - exact) <= abs(exact) * Fraction(1, 10**20) + 1
    loan = (price - deposit) // 2
    net = calc.yield_after_loan(price=price, deposit=deposit, rent=rent, loan=loan, rate=Decimal(4), costs_year=costs)
    left = Fraction(rent) * 12 - Fraction(costs) - Fraction(loan) / 25
    assert abs(Fraction(net) * (bound - Fraction(loan)) / 100 - left) < 1


@given(KRW, KRW, KRW)
def test_a_jeonse_ratio_counts_prior_claims(price: Decimal, deposit: Decimal, debt: Decimal) -> None:
    """The deposit and what comes before it, in percent of the price."""
    exact = Fraction(deposit + debt) / Fraction(price) * 100
    assert abs(Fraction(calc.jeonse_ratio(price, deposit, debt)) - exact) <= exact * Fraction(1, 10**20)


@given(st.integers(0, 10**9).map(Decimal), st.integers(0, 10**7).map(Decimal))
def test_a_lease_counts_a_hundred_or_seventy_rents(deposit: Decimal, rent: Decimal) -> None:
    """Seventy rents count exactly where a hundred would stay below 50 million won."""
    factor = 100 if deposit + rent * 100 >= 50_000_000 else 70
    assert calc.leased_sum(deposit, rent) == deposit + rent * factor


@pytest.mark.parametrize(
    ("deal", "amount", "fee"),
    [
        ("sale", 49_999_999, 250_000),
        ("sale", 50_000_000, 250_000),
        ("sale", 199_999_999, 800_000),
        ("sale", 200_000_000, 800_000),
        ("sale", 899_999_999, 3_600_000),
        ("sale", 900_000_000, 4_500_000),
        ("sale", 1_200_000_000, 7_200_000),
        ("sale", 1_500_000_000, 10_500_000),
        ("lease", 30_000_000, 150_000),
        ("lease", 49_000_000, 200_000),
        ("lease", 99_000_000, 300_000),
        ("lease", 100_000_000, 300_000),
        ("lease", 600_000_000, 2_400_000),
        ("lease", 1_200_000_000, 6_000_000),
        ("lease", 1_500_000_000, 9_000_000),
    ],
)
def test_brokerage_fees_at_the_ends_of_brackets(deal: str, amount: int, fee: int) -> None:
    """Each end belongs to the bracket above it, and a capped bracket stops at its cap."""
    table = rules().brokerage
    brackets = table.of("sale" if deal == "sale" else "lease", is_officetel=False)
    assert calc.brokerage_fee(Decimal(amount), brackets) == fee


@given(KRW, st.booleans(), st.booleans())
def test_a_brokerage_fee_is_within_rate_and_cap(amount: Decimal, is_sale: bool, is_officetel: bool) -> None:
    """No fee exceeds the rate of its bracket, nor its cap."""
    brackets = rules().brokerage.of("sale" if is_sale else "lease", is_officetel=is_officetel)
    bracket, fee = calc.bracket_of(amount, brackets), calc.brokerage_fee(amount, brackets)
    assert fee <= amount * bracket.percent / 100 + Decimal("0.5")
    assert bracket.cap is None or fee <= bracket.cap


@given(st.integers(min_value=600_000_001, max_value=900_000_000))
def test_the_rate_of_acquisition_rises_between_its_ends(price: int) -> None:
    """Between 600 and 900 million it is the price in 억 times two thirds less three, to two digits."""
    exact = Fraction(price, 10**8) * 2 / 3 - 3
    rate = calc.acquisition_rate(Decimal(price), rules().acquisition_tax)
    assert abs(Fraction(rate) - exact) <= Fraction(1, 200)
    assert 1 <= rate <= 3


@pytest.mark.parametrize(("price", "rate"), [(600_000_000, "1"), (750_000_000, "2"), (900_000_000, "3"), (10**9, "3")])
def test_the_ends_of_acquisition_rates(price: int, rate: str) -> None:
    """One percent up to 600 million, three above 900 million."""
    assert calc.acquisition_rate(Decimal(price), rules().acquisition_tax) == Decimal(rate)


@given(KRW, st.integers(0, 300).map(lambda one: Decimal(one) / 100), st.integers(1, 120), st.data())
def test_a_fee_of_repaying_falls_with_the_time_left(
    loan: Decimal, share: Decimal, months: int, data: st.DataObject
) -> None:
    """It is the share of the sum that the time left has of the whole."""
    left = data.draw(st.integers(0, months))
    exact = Fraction(loan) * Fraction(share) / 100 * left / months
    assert abs(Fraction(calc.repayment_fee(loan, share, months, left)) - exact) <= Fraction(51, 100)


@given(KRW, st.integers(min_value=100, max_value=50_000).map(lambda one: Decimal(one) / 100))
def test_a_price_per_pyeong_is_400_of_121_square_metres(price: Decimal, area: Decimal) -> None:
    """The price of a square metre times 400 / 121."""
    exact = Fraction(price) / Fraction(area) * Fraction(400, 121)
    assert abs(Fraction(calc.per_pyeong(price, area)) - exact) <= Fraction(51, 100)


@given(DAYS, st.integers(min_value=1, max_value=600))
def test_a_lease_ends_on_the_day_before(start: date, months: int) -> None:
    """The day behind the last one is the same day of the month, or the last of a shorter month."""
    after = calc.lease_end(start, months) + timedelta(days=1)
    assert (after.year * 12 + after.month) - (start.year * 12 + start.month) == months
    assert after.day == start.day or (after + timedelta(days=1)).day == 1


@given(DAYS, st.integers(min_value=-120, max_value=120))
def test_months_later_is_the_same_day_or_the_last_of_a_shorter_month(day: date, months: int) -> None:
    """The months between are as many as were asked for, and no day of the month is skipped that there is."""
    later = calc.months_later(day, months)
    assert (later.year * 12 + later.month) - (day.year * 12 + day.month) == months
    assert later.day == day.day or (later.day < day.day and (later + timedelta(days=1)).day == 1)


@given(DAYS)
def test_a_renewal_is_asked_for_within_four_months(end: date) -> None:
    """The window opens six months before the end and closes two months before it."""
    first, last = calc.renewal_window(end)
    assert (end.year * 12 + end.month) - (first.year * 12 + first.month) == 6
    assert (end.year * 12 + end.month) - (last.year * 12 + last.month) == 2
    assert first.day == end.day or (first + timedelta(days=1)).day == 1
    assert last.day == end.day or (last + timedelta(days=1)).day == 1


def test_days_of_a_lease_of_two_years() -> None:
    """From December 15 for two years ends on December 14; a renewal is asked for six to two months before an end."""
    assert calc.lease_end(date(2026, 12, 15), 24) == date(2028, 12, 14)
    assert calc.renewal_window(date(2027, 8, 31)) == (date(2027, 2, 28), date(2027, 6, 30))


@pytest.mark.parametrize(
    ("name", "value"), [("ltv", "101"), ("rate", "-1"), ("price", "-1"), ("months", "0"), ("area_m2", "0")]
)
def test_an_input_outside_its_range_is_refused(name: str, value: str) -> None:
    """Every input has a range, and what is outside of it computes nothing."""
    with pytest.raises(ValueError, match=name):
        calc.checked(**{name: Decimal(value)})


PROPERTIES = sorted(name for name, one in globals().items() if name.startswith("test_") and hasattr(one, "hypothesis"))
"""The tests above that draw their inputs."""


def test_each_calculator_has_a_property() -> None:
    """No calculator is left that is held against no other formula."""
    tried = Path(__file__).read_text("utf-8")
    names = [name for name, one in inspect.getmembers(calc, inspect.isfunction) if one.__module__ == calc.__name__]
    assert [name for name in names if not name.startswith("_") and f"calc.{name}(" not in tried] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", PROPERTIES)
def test_each_holds_over_a_thousand_inputs(name: str) -> None:
    """What holds over a hundred random inputs by default holds over a thousand."""
    thorough = settings(max_examples=1_000, suppress_health_check=list(HealthCheck))
    thorough(globals()[name])()
