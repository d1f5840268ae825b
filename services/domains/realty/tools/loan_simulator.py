"""loan_simulator: how much can be borrowed, and which limit decides: LTV, DTI or DSR.

A year's payments are those of an annuity. DSR counts principal and interest of the new loan and of the others; DTI
counts principal and interest of the new loan and the interest of the others.
"""

import math
from typing import Annotated, Final, Literal

from pydantic import Field, model_validator

from services.contract.tool import ToolCost
from services.plugin.computed import computed
from services.plugin.fields import WHOLE, WholeNumber
from services.plugin.reads import ReadResult, Reads, Row
from services.plugin.tool import Arguments, Tool

_KRW_MAX: Final = 100_000_000_000
_MONTHS: Final = 12
_STEP_KRW: Final = 10_000

Percent = Annotated[float, Field(ge=0, le=100)]


class LoanSimulatorArguments(Arguments):
    """The home, the household and the loan."""

    home_price_krw: WholeNumber = Field(ge=1, le=_KRW_MAX, description="Price of the home.")
    annual_income_krw: WholeNumber = Field(ge=0, le=_KRW_MAX, description="Yearly income before tax.")
    rate_percent: float = Field(ge=0, le=30, description="Rate of the new loan, percent a year.")
    term_years: WholeNumber = Field(ge=1, le=50, description="Term of the new loan.")
    ltv_max_percent: Percent = Field(default=70.0, description="Highest loan to value.")
    dti_max_percent: Percent = Field(default=60.0, description="Highest debt to income.")
    dsr_max_percent: Percent = Field(default=40.0, description="Highest debt service ratio.")
    other_payments_krw: WholeNumber = Field(
        default=0, ge=0, le=_KRW_MAX, description="Principal and interest of other loans, a year."
    )
    other_interest_krw: WholeNumber = Field(
        default=0, ge=0, le=_KRW_MAX, description="Interest of other loans, a year; a part of other_payments_krw."
    )
    wanted_krw: Annotated[int, Field(ge=1, le=_KRW_MAX), WHOLE] | None = Field(
        default=None, description="How much is wanted."
    )

    @model_validator(mode="after")
    def _part(self) -> "LoanSimulatorArguments":
        if self.other_interest_krw > self.other_payments_krw:
            raise ValueError("other_interest_krw is more than other_payments_krw, of which it is a part")
        return self


class LoanSimulatorRow(Row):
    """What the limits allow."""

    ltv_limit_krw: int
    """What LTV allows."""
    dti_limit_krw: int
    """What DTI allows."""
    dsr_limit_krw: int
    """What DSR allows."""
    limit_krw: int
    """The least of the three, rounded down to 10,000 KRW."""
    limiting_factor: Literal["LTV", "DTI", "DSR"]
    """Which of them it is."""
    loan_krw: int
    """The loan that the payments are of: what is wanted, or the limit if that is less or nothing is wanted."""
    within_limit: bool
    """Whether what is wanted lies within the limit; true where nothing is."""
    monthly_payment_krw: int
    """Payment a month."""
    total_interest_krw: int
    """Interest over the term."""
    ltv_percent: float
    """LTV of the loan."""
    dti_percent: float | None
    """DTI with the loan; null without income."""
    dsr_percent: float | None
    """DSR with the loan; null without income."""


async def _read(arguments: LoanSimulatorArguments, reads: Reads, timeout_seconds: float) -> ReadResult:
    del reads, timeout_seconds
    return computed("loan_simulator.v1", arguments.model_dump(mode="json"), [simulated(arguments)])


def simulated(arguments: LoanSimulatorArguments) -> LoanSimulatorRow:
    """Return what the limits allow."""
    yearly_factor = _payment_factor(arguments.rate_percent, arguments.term_years) * _MONTHS
    income = arguments.annual_income_krw
    limits = {
        "LTV": arguments.home_price_krw * arguments.ltv_max_percent / 100,
        "DTI": (income * arguments.dti_max_percent / 100 - arguments.other_interest_krw) / yearly_factor,
        "DSR": (income * arguments.dsr_max_percent / 100 - arguments.other_payments_krw) / yearly_factor,
    }
    whole = {name: max(0, math.floor(value / _STEP_KRW + 1e-9) * _STEP_KRW) for name, value in limits.items()}
    factor = min(limits, key=lambda name: limits[name])
    wanted = arguments.wanted_krw
    loan = whole[factor] if wanted is None else min(wanted, whole[factor])
    yearly = loan * yearly_factor
    payments = arguments.term_years * yearly
    return LoanSimulatorRow.model_validate(
        {
            "ltv_limit_krw": whole["LTV"],
            "dti_limit_krw": whole["DTI"],
            "dsr_limit_krw": whole["DSR"],
            "limit_krw": whole[factor],
            "limiting_factor": factor,
            "loan_krw": loan,
            "within_limit": wanted is None or wanted <= whole[factor],
            "monthly_payment_krw": round(yearly / _MONTHS),
            "total_interest_krw": round(payments - loan),
            "ltv_percent": round(loan / arguments.home_price_krw * 100, 2),
            "dti_percent": round((yearly + arguments.other_interest_krw) / income * 100, 2) if income else None,
            "dsr_percent": round((yearly + arguments.other_payments_krw) / income * 100, 2) if income else None,
        }
    )


def _payment_factor(rate_percent: float, term_years: int) -> float:
    """Return the monthly payment on one won of an annuity loan."""
    months = term_years * _MONTHS
    monthly = rate_percent / 100 / _MONTHS
    return float(monthly / -math.expm1(-months * math.log1p(monthly))) if monthly else 1 / months


TOOL = Tool(
    name="loan_simulator",
    description_ko="집값, 소득, 금리, 기간으로 LTV·DTI·DSR 한도와 그중 결정하는 한도, 월 상환액을 계산합니다.",
    description_en="Computes what LTV, DTI and DSR allow, which of them decides, and the payments of the loan.",
    arguments=LoanSimulatorArguments,
    row=LoanSimulatorRow,
    read=_read,
    domain="realty",
    data_type="computation",
    cost=ToolCost.LOW,
    typical_seconds=0.1,
    quality_prior=0.95,
    timeout_seconds=2,
    concurrency_max=16,
)
