"""Loans, programmes and returns, computed: hand-computed figures and laws that hold for every input."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.contract.tool import ToolFailure, ToolResult
from services.domains.realty.tools.loan_simulator import LoanSimulatorArguments, simulated
from services.domains.realty.tools.roi_calculator import RoiCalculatorArguments, calculated
from tests.unit.tool_gateway.seeded_data import rows_of


def loan(**changed: float) -> LoanSimulatorArguments:
    """Return a loan of 4 % over 30 years on a home of 800 million, for an income of 80 million."""
    base = {"home_price_krw": 800_000_000, "annual_income_krw": 80_000_000, "rate_percent": 4.0, "term_years": 30}
    return LoanSimulatorArguments.model_validate({**base, **changed})


def test_the_limiting_factor_is_named() -> None:
    """LTV 70 % of 800 million; DSR 40 % of 80 million pays 2,666,667 a month, the annuity of 558.56 million."""
    row = simulated(loan())
    assert row.ltv_limit_krw == 560_000_000
    assert row.dsr_limit_krw == 558_560_000
    assert (row.limiting_factor, row.limit_krw) == ("DSR", 558_560_000)
    assert row.monthly_payment_krw == pytest.approx(2_666_667, abs=50)
    assert row.dsr_percent == pytest.approx(40.0, abs=0.01)
    assert simulated(loan(annual_income_krw=200_000_000)).limiting_factor == "LTV"
    assert simulated(loan(dti_max_percent=20)).limiting_factor == "DTI"


def test_a_loan_without_interest_and_one_that_nobody_can_pay() -> None:
    """At nought per cent the payment is the loan over its months; without income nothing is lent."""
    row = simulated(loan(rate_percent=0, wanted_krw=360_000_000))
    assert (row.monthly_payment_krw, row.total_interest_krw) == (1_000_000, 0)
    none = simulated(loan(annual_income_krw=0))
    assert (none.limit_krw, none.dsr_percent, none.monthly_payment_krw) == (0, None, 0)


@given(
    price=st.integers(10_000_000, 5_000_000_000),
    income=st.integers(0, 500_000_000),
    rate=st.floats(0, 30),
    years=st.integers(1, 50),
    other=st.integers(0, 100_000_000),
)
def test_no_limit_is_exceeded(price, income, rate, years, other) -> None:
    """For every household the loan keeps all three limits, and its payments pay it off with interest."""
    row = simulated(
        loan(
            home_price_krw=price,
            annual_income_krw=income,
            rate_percent=rate,
            term_years=years,
            other_payments_krw=other,
        )
    )
    assert 0 <= row.limit_krw <= min(row.ltv_limit_krw, row.dti_limit_krw, row.dsr_limit_krw)
    assert row.ltv_percent <= 70.01
    if row.limit_krw:
        assert row.dsr_percent is not None
        assert row.dsr_percent <= 40.01
    assert row.total_interest_krw >= 0
    assert math.isfinite(row.monthly_payment_krw)


def test_a_let_homes_yields() -> None:
    """300 million, 200 million lent at 4 %, deposit 20 million, rent 1.1 million a month, costs 1.2 million a year."""
    row = calculated(
        RoiCalculatorArguments(
            price_krw=300_000_000,
            purchase_costs_krw=10_000_000,
            loan_krw=200_000_000,
            loan_rate_percent=4.0,
            deposit_krw=20_000_000,
            monthly_rent_krw=1_100_000,
            yearly_costs_krw=1_200_000,
            price_growth_percent=2.0,
            years=2,
        )
    )
    assert row.own_money_krw == 90_000_000
    assert row.yearly_cash_flow_krw == 13_200_000 - 1_200_000 - 8_000_000
    assert (row.gross_yield_percent, row.net_yield_percent) == (4.4, 3.87)
    assert row.cash_on_cash_percent == 4.44
    assert row.sale_price_krw == 312_120_000
    assert row.total_profit_krw == 8_000_000 + 12_120_000 - 10_000_000
    assert row.total_return_percent == 11.24


@pytest.mark.asyncio
async def test_computed_rows_say_that_no_table_was_read(invoke) -> None:
    """The provenance of a computation names its formula and the arguments, no table, no time, and no sample mark."""
    outcome = await invoke("loan_simulator", loan().model_dump(mode="json"))
    assert isinstance(outcome, ToolResult)
    provenance = outcome.provenance
    assert (provenance.table, provenance.sample, provenance.as_of_time) == ("", False, None)
    assert (provenance.template_id, provenance.source) == ("loan_simulator.v1", "computed from the arguments")


@pytest.mark.asyncio
async def test_loans_are_found_by_purpose_and_bank(invoke) -> None:
    """Loans come lowest rate first; a bank is known by either name, without regard to case."""
    rows = rows_of(await invoke("loan_data", {"purpose": "jeonse"}))
    assert {row["purpose"] for row in rows} == {"jeonse"}
    assert [row["rate_low_percent"] for row in rows] == sorted(row["rate_low_percent"] for row in rows)
    assert rows_of(await invoke("loan_data", {"bank": "GAON BANK"})) == rows_of(
        await invoke("loan_data", {"bank": "가온은행"}, flow_run_id="flow-2")
    )


@pytest.mark.asyncio
async def test_programmes_are_valid_on_the_day_and_judged_by_what_is_known(invoke) -> None:
    """A lapsed programme is not there; unmet conditions are named, and what is not known is said to be so."""
    young = {"on_date": "2026-06-12", "age": 27, "annual_income_krw": 30_000_000, "owns_home": False}
    rows = {row["programme_id"]: row for row in rows_of(await invoke("policy_matcher", young))}
    assert "PG-R-02" not in rows
    assert rows["PG-R-01"]["verdict"] == "unknown"
    assert rows["PG-R-01"]["not_known"] == ["assets_krw"]
    rich = {**young, "assets_krw": 50_000_000, "age": 40, "annual_income_krw": 90_000_000}
    refused = {row["programme_id"]: row for row in rows_of(await invoke("policy_matcher", rich))}
    assert refused["PG-J-01"]["verdict"] == "not_eligible"
    assert refused["PG-J-01"]["unmet"] == ["age", "annual_income_krw"]
    fit = {**young, "assets_krw": 50_000_000, "purpose": "rent"}
    assert rows_of(await invoke("policy_matcher", fit))[0]["verdict"] == "eligible"


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("loan_simulator", {"home_price_krw": 0, "annual_income_krw": 1, "rate_percent": 4, "term_years": 30}),
        ("loan_simulator", {"home_price_krw": 10, "annual_income_krw": 1, "rate_percent": 31, "term_years": 30}),
        ("roi_calculator", {"price_krw": 100, "loan_krw": 100}),
        ("policy_matcher", {"on_date": "2026-06-12", "age": 121}),
    ],
)
async def test_figures_out_of_range_are_refused(invoke, tool, arguments) -> None:
    """What cannot be computed is refused with its field."""
    refused = await invoke(tool, arguments)
    assert isinstance(refused, ToolFailure)
    assert refused.reason == "VALUE_OUT_OF_RANGE"
    assert refused.field
