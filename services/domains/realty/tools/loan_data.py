"""loan_data: loans by bank and product, with rates, limits and conditions."""

import unicodedata
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, Field, StringConstraints

from services.contract.tool import ToolCost
from services.plugin.tools.fields import WholeNumber
from services.plugin.tools.reads import Exact, ReadResult, Reads, Row, UtcTime
from services.plugin.tools.tool import Arguments, Tool
from services.plugin.wording import Text

LoanPurpose = Literal["mortgage", "jeonse", "credit"]
_ROWS_MAX: Final = 100


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).lower()


class LoanDataArguments(Arguments):
    """Which loans."""

    purpose: LoanPurpose | None = Field(default=None, description="What for; every purpose where absent.")
    bank: Annotated[str, StringConstraints(strip_whitespace=True, max_length=60), AfterValidator(_folded)] | None = (
        Field(default=None, description="Only this bank, by its Korean or English name.")
    )
    limit: WholeNumber = Field(default=20, ge=1, le=_ROWS_MAX, description="Loans to return, lowest rate first.")


class LoanDataRow(Row):
    """One loan."""

    loan_id: str
    """Id of the loan."""
    bank_ko: str
    """Bank for Korean readers."""
    bank_en: str
    """Bank for English readers."""
    name_ko: str
    """Name for Korean readers."""
    name_en: str
    """Name for English readers."""
    purpose: LoanPurpose
    """What for."""
    rate_low_percent: Exact
    """Lowest rate a year."""
    rate_high_percent: Exact
    """Highest rate a year."""
    rate_kind: Literal["fixed", "variable", "mixed"]
    """How the rate moves."""
    limit_krw: int
    """The most that is lent."""
    ltv_max_percent: Exact | None
    """Highest loan to value; null where the loan has no such limit."""
    dsr_max_percent: Exact | None
    """Highest debt service ratio; null where the loan has no such limit."""
    term_years_max: int
    """Longest term."""
    income_max_krw: int | None
    """Highest yearly income; null where none is asked for."""
    homeless_only: bool
    """Whether only who owns no home gets it."""
    early_repayment_fee_percent: float
    """Fee on what is paid back early."""
    as_of: UtcTime
    """When the conditions were read."""

    def subject(self, locale: str) -> str:
        """Return the bank and the loan."""
        return f"{self.bank_ko} {self.name_ko}" if locale == "ko" else f"{self.bank_en} {self.name_en}"


async def _read(arguments: LoanDataArguments, reads: Reads, timeout_seconds: float) -> ReadResult:
    return await reads.read(
        "loan_products.v1",
        LoanDataRow,
        {"purpose": arguments.purpose or "", "bank": arguments.bank or ""},
        rows_max=arguments.limit,
        timeout_seconds=timeout_seconds,
    )


TITLE: Final = Text("대출 상품", "Loans")
"""What a user calls its rows."""
TOOL = Tool(
    name="loan_data",
    description_ko="은행과 상품별 대출의 금리, 한도, 조건을 돌려줍니다.",
    description_en="Returns loans by bank and product with rates, limits and conditions.",
    arguments=LoanDataArguments,
    title=TITLE,
    row=LoanDataRow,
    read=_read,
    domain="realty",
    data_type="loan",
    cost=ToolCost.LOW,
    typical_seconds=1.0,
    quality_prior=0.75,
    timeout_seconds=5,
    concurrency_max=8,
)
