"""On what terms a loan is reckoned where a question names none or some: one set of values, used and told alike."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Self

from services.contract.asks import Ask, Said
from services.domains.realty import calculators as calc
from services.domains.realty.asks.proved import money, number_of
from services.domains.realty.brackets import rules
from services.plugin.asks.telling import filled, percent

_MONTHS: Final = 360


@dataclass(frozen=True, slots=True)
class LoanTerms:
    """The values of a loan on a home: those that were named, the usual ones for the others."""

    ltv: Decimal
    """The share of the price that is lent, in percent."""
    dsr: Decimal
    """The share of the income that all payments may take, in percent."""
    rate: Decimal
    """The interest a year, in percent."""
    stress: Decimal
    """What the income is held against on top of the rate."""
    months: int
    """The term."""
    other_year: Decimal
    """What other debts take a year."""

    @classmethod
    def of(cls, ask: Ask, rate: Decimal) -> Self:
        """Return the terms that an ask names, at a rate that it names or that is known."""
        usual = rules().lending
        return cls(
            number_of(ask, "ltv") or usual.ltv_percent,
            number_of(ask, "dsr") or usual.dsr_percent,
            rate,
            number_of(ask, "stress") or Decimal(0),
            int(number_of(ask, "months") or _MONTHS),
            number_of(ask, "other_year") or Decimal(0),
        )

    def by_income(self, income: Decimal) -> Decimal:
        """Return the loan that an income bears."""
        return calc.loan_by_income(income, self.dsr, self.other_year, self.rate + self.stress, self.months)

    def used(self) -> Said:
        """Return the values that were used, in one line."""
        return filled(
            "쓴 값: LTV {ltv}, DSR {dsr}, 금리 {rate}, {years}년 원리금균등(말씀하지 않은 것은 가정)",
            "Used: LTV {ltv}, DSR {dsr}, a rate of {rate}, {years} years of equal payments (assumed where not given)",
            ltv=percent(self.ltv, 1),
            dsr=percent(self.dsr, 1),
            rate=percent(self.rate + self.stress, 2),
            years=str(self.months // calc.MONTHS),
        )

    def paid(self, loan: Decimal) -> Said:
        """Return what a loan costs a month, in one line."""
        each = money(calc.level_payment(loan, self.rate, self.months))
        return filled("이 대출의 월 상환액: {paid}", "Payments of this loan: {paid} a month", paid=each)
