"""roi_calculator: yields and return of a home that is bought and let."""

from typing import Annotated, Final

from pydantic import Field, model_validator

from services.contract.tool import ToolCost
from services.plugin.computed import computed
from services.plugin.fields import WHOLE, WholeNumber
from services.plugin.reads import ReadResult, Reads, Row
from services.plugin.tool import Arguments, Tool

_KRW_MAX: Final = 100_000_000_000
_MONTHS: Final = 12

Krw = Annotated[int, Field(ge=0, le=_KRW_MAX), WHOLE]


class RoiCalculatorArguments(Arguments):
    """The home, its financing, its rent and its costs."""

    price_krw: WholeNumber = Field(ge=1, le=_KRW_MAX, description="Purchase price.")
    purchase_costs_krw: Krw = Field(default=0, description="Taxes and fees of the purchase.")
    loan_krw: Krw = Field(default=0, description="Loan on it, of which only interest is paid.")
    loan_rate_percent: float = Field(default=0.0, ge=0, le=30, description="Rate of the loan, percent a year.")
    deposit_krw: Krw = Field(default=0, description="Tenant's deposit.")
    monthly_rent_krw: Krw = Field(default=0, description="Rent a month.")
    yearly_costs_krw: Krw = Field(default=0, description="Upkeep, taxes and fees a year.")
    vacancy_percent: float = Field(default=0.0, ge=0, le=100, description="Share of the year without a tenant.")
    price_growth_percent: float = Field(default=0.0, ge=-50, le=50, description="Assumed change of price a year.")
    years: WholeNumber = Field(default=1, ge=1, le=50, description="How long it is held.")

    @model_validator(mode="after")
    def _own_money(self) -> "RoiCalculatorArguments":
        if self.loan_krw + self.deposit_krw >= self.price_krw + self.purchase_costs_krw:
            raise ValueError("loan_krw and deposit_krw cover the whole purchase; there is no money of one's own")
        return self


class RoiCalculatorRow(Row):
    """Yields and return."""

    own_money_krw: int
    """What is put in: price and costs less loan and deposit."""
    yearly_rent_krw: int
    """Rent a year, vacancy taken off."""
    yearly_interest_krw: int
    """Interest a year."""
    yearly_cash_flow_krw: int
    """Rent less costs less interest."""
    gross_yield_percent: float
    """Rent of a full year on the price."""
    net_yield_percent: float
    """Rent less costs on the price with its costs, before interest."""
    cash_on_cash_percent: float
    """Cash flow on the money put in, a year."""
    sale_price_krw: int
    """Price at the end, by the assumed change."""
    total_profit_krw: int
    """Cash flow of all years and change of price, less the costs of the purchase."""
    total_return_percent: float
    """Total profit on the money put in."""
    yearly_return_percent: float
    """The same a year, compounded; -100 where all is lost."""


async def _read(arguments: RoiCalculatorArguments, reads: Reads, timeout_seconds: float) -> ReadResult:
    del reads, timeout_seconds
    return computed("roi_calculator.v1", arguments.model_dump(mode="json"), [calculated(arguments)])


def calculated(arguments: RoiCalculatorArguments) -> RoiCalculatorRow:
    """Return the yields and the return."""
    a = arguments
    own = a.price_krw + a.purchase_costs_krw - a.loan_krw - a.deposit_krw
    rent = a.monthly_rent_krw * _MONTHS * (1 - a.vacancy_percent / 100)
    interest = a.loan_krw * a.loan_rate_percent / 100
    cash_flow = rent - a.yearly_costs_krw - interest
    sale = a.price_krw * (1 + a.price_growth_percent / 100) ** a.years
    profit = cash_flow * a.years + sale - a.price_krw - a.purchase_costs_krw
    grown = 1 + profit / own
    return RoiCalculatorRow(
        own_money_krw=own,
        yearly_rent_krw=round(rent),
        yearly_interest_krw=round(interest),
        yearly_cash_flow_krw=round(cash_flow),
        gross_yield_percent=round(a.monthly_rent_krw * _MONTHS / a.price_krw * 100, 2),
        net_yield_percent=round((rent - a.yearly_costs_krw) / (a.price_krw + a.purchase_costs_krw) * 100, 2),
        cash_on_cash_percent=round(cash_flow / own * 100, 2),
        sale_price_krw=round(sale),
        total_profit_krw=round(profit),
        total_return_percent=round(profit / own * 100, 2),
        yearly_return_percent=round((grown ** (1 / a.years) - 1) * 100, 2) if grown > 0 else -100.0,
    )


TOOL = Tool(
    name="roi_calculator",
    description_ko="집을 사서 세를 놓을 때의 수익률(총·순·자기자본)과 보유 기간의 총수익을 계산합니다.",
    description_en="Computes yields and the return of a home that is bought and let.",
    arguments=RoiCalculatorArguments,
    row=RoiCalculatorRow,
    read=_read,
    domain="realty",
    data_type="computation",
    cost=ToolCost.LOW,
    typical_seconds=0.1,
    quality_prior=0.95,
    timeout_seconds=2,
    concurrency_max=16,
)
