"""What homes cost and may cost, computed exactly: loans, rents, yields, fees, taxes, terms. Pure.

    payment a month   loan x i / (1 - (1 + i)^-n), i the month's rate, n the months; without interest loan / n
    equal principal   loan / n + what is left x i; the interest in all is loan x i x (n + 1) / 2
    LTV               price x ltv / 100
    DSR, DTI          the loan whose payments and those of other debts are the share of a year's income
    highest rent      floor(before x 21 / 20)                    Housing Lease Protection Act art. 7, decree art. 8
    conversion cap    the lesser of 10 % and base rate + 2 %p     Housing Lease Protection Act art. 7-2, decree art. 9
    lease for a fee   deposit + rent x 100; where that is below 50 million won deposit + rent x 70
    fee of repaying   sum x fee / 100 x time left / whole time

Sums of loans are rounded down to ten thousand won, payments to the nearest won, percentages are not rounded. Every
input has its unit and range in INPUTS; a value outside of it is a ValueError.
"""

import calendar
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_FLOOR, ROUND_HALF_UP, Decimal
from typing import Final

from services.contract.asks import Said
from services.domains.realty.brackets import AcquisitionTax, Bracket

MONTHS: Final = 12
PYEONG_M2: Final = Decimal(400) / Decimal(121)
"""The square metres of one 평."""
_STEP_KRW: Final = 10_000
_SUM_MAX: Final = Decimal(10) ** 13
_SMALL_LEASE_KRW: Final = 50_000_000
_CONVERSION_MAX: Final = Decimal(10)
_CONVERSION_MARGIN: Final = Decimal(2)


@dataclass(frozen=True, slots=True)
class Input:
    """One input of a calculator."""

    label: Said
    """What a person calls it."""
    unit: str
    """krw, percent, percentage_point, months, m2."""
    low: Decimal
    """The least value."""
    high: Decimal
    """The greatest value."""


def _krw(ko: str, en: str) -> Input:
    return Input(Said(ko, en), "krw", Decimal(0), _SUM_MAX)


def _share(ko: str, en: str, high: int) -> Input:
    return Input(Said(ko, en), "percent", Decimal(0), Decimal(high))


INPUTS: Final[dict[str, Input]] = {
    "price": _krw("집값", "price"),
    "loan": _krw("대출금", "loan"),
    "income_year": _krw("연소득", "yearly income"),
    "income_to": _krw("오른 연소득", "the new yearly income"),
    "repaid_year": _krw("한 해에 갚을 돈", "what you repay a year"),
    "other_year": _krw("다른 대출의 연 상환액", "yearly payments of other debts"),
    "other_debt": _krw("다른 대출의 잔액", "balance of other debts"),
    "savings": _krw("가진 돈", "savings"),
    "deposit": _krw("보증금", "deposit"),
    "rent": _krw("월세", "monthly rent"),
    "costs_year": _krw("연 비용", "yearly costs"),
    "debt": _krw("선순위 채권", "prior claims"),
    "rate": _share("금리", "interest rate", 50),
    "ltv": _share("LTV", "LTV", 100),
    "dti": _share("DTI", "DTI", 200),
    "dsr": _share("DSR", "DSR", 200),
    "conversion": _share("전환율", "conversion rate", 50),
    "fee_percent": _share("중도상환수수료율", "early-repayment fee", 10),
    "share": _share("보증금에서 빌리는 비율", "share of the deposit that is lent", 100),
    "rent_share": _share("소득에서 월세로 쓰는 비율", "share of income that goes to rent", 100),
    "jeonse_ratio": _share("전세가율", "jeonse ratio", 500),
    "rise_percent": _share("인상률", "rise", 1000),
    "months": Input(Said("기간", "term"), "months", Decimal(1), Decimal(600)),
    "area_m2": Input(Said("면적", "floor area"), "m2", Decimal(1), Decimal(10_000)),
}
"""The inputs of the calculators by name."""


def checked(**values: Decimal) -> None:
    """Check inputs against their ranges.

    Raises:
        ValueError: A value is outside its range; the message names the input.
    """
    for name, value in values.items():
        one = INPUTS[name]
        if not one.low <= value <= one.high:
            raise ValueError(f"{name}: {value} is not within {one.low} to {one.high}")


def whole(won: Decimal) -> Decimal:
    """Return a sum in whole won, rounded half up."""
    return won.quantize(Decimal(1), rounding=ROUND_HALF_UP)


def floored(won: Decimal) -> Decimal:
    """Return a loan rounded down to ten thousand won."""
    return (won / _STEP_KRW).quantize(Decimal(1), rounding=ROUND_FLOOR) * _STEP_KRW


def present_value(rate: Decimal, months: int) -> Decimal:
    """Return the loan that a payment of 1 a month repays."""
    checked(rate=rate, months=Decimal(months))
    monthly = rate / 100 / MONTHS
    return Decimal(months) if monthly == 0 else (1 - (1 + monthly) ** -months) / monthly


def level_payment(loan: Decimal, rate: Decimal, months: int) -> Decimal:
    """Return the payment of a month where all are equal, in whole won."""
    checked(loan=loan)
    return whole(loan / present_value(rate, months))


def level_interest(loan: Decimal, rate: Decimal, months: int) -> Decimal:
    """Return the interest in all where payments are equal, in whole won."""
    checked(loan=loan)
    return whole(loan / present_value(rate, months) * months - loan)


def principal_payments(loan: Decimal, rate: Decimal, months: int) -> tuple[Decimal, Decimal]:
    """Return the first and the last payment where the principal is repaid in equal parts, in whole won."""
    checked(loan=loan, rate=rate, months=Decimal(months))
    part, monthly = loan / months, rate / 100 / MONTHS
    return whole(part + loan * monthly), whole(part + part * monthly)


def principal_interest(loan: Decimal, rate: Decimal, months: int) -> Decimal:
    """Return the interest in all where the principal is repaid in equal parts, in whole won."""
    checked(loan=loan, rate=rate, months=Decimal(months))
    return whole(loan * rate / 100 / MONTHS * (months + 1) / 2)


def interest_only(loan: Decimal, rate: Decimal) -> Decimal:
    """Return the interest of a month, in whole won."""
    checked(loan=loan, rate=rate)
    return whole(loan * rate / 100 / MONTHS)


def loan_by_ltv(price: Decimal, ltv: Decimal) -> Decimal:
    """Return the highest loan on a home by LTV."""
    checked(price=price, ltv=ltv)
    return floored(price * ltv / 100)


def loan_by_income(income: Decimal, share: Decimal, other_year: Decimal, rate: Decimal, months: int) -> Decimal:
    """Return the highest loan by a share of income, DSR or DTI; 0 where other debts use it up."""
    checked(income_year=income, dsr=share, other_year=other_year)
    a_year = max(Decimal(0), income * share / 100 - other_year)
    return floored(a_year / MONTHS * present_value(rate, months))


def loan_by_payment(paid: Decimal, rate: Decimal, months: int) -> Decimal:
    """Return the loan that equal payments of a month repay, rounded down to ten thousand won."""
    return floored(paid * present_value(rate, months))


def debt_share(loan: Decimal, rate: Decimal, months: int, other_year: Decimal, income: Decimal) -> Decimal:
    """Return the payments of a year, those of other debts included, in percent of a year's income: the DSR."""
    checked(loan=loan, income_year=income, other_year=other_year)
    if income == 0:
        raise ValueError("income: a share of no income is not told")
    return (loan / present_value(rate, months) * MONTHS + other_year) / income * 100


def highest_rise(before: Decimal) -> Decimal:
    """Return the highest rent or deposit by the cap of one twentieth, in whole won, rounded down."""
    checked(deposit=before)
    return (before * 21 / 20).quantize(Decimal(1), rounding=ROUND_FLOOR)


def rise(before: Decimal, after: Decimal) -> Decimal:
    """Return a rise in percent."""
    checked(deposit=before, price=after)
    if before == 0:
        raise ValueError("before: a rise from nothing has no percentage")
    return (after / before - 1) * 100


def conversion_cap(base_rate: Decimal) -> Decimal:
    """Return the highest yearly rate at which a deposit may be turned into rent."""
    return min(_CONVERSION_MAX, base_rate + _CONVERSION_MARGIN)


def rent_of(deposit: Decimal, conversion: Decimal) -> Decimal:
    """Return the monthly rent that a part of a deposit turns into, in whole won."""
    checked(deposit=deposit, conversion=conversion)
    return whole(deposit * conversion / 100 / MONTHS)


def deposit_of(rent: Decimal, conversion: Decimal) -> Decimal:
    """Return the deposit that a part of a monthly rent turns into, in whole won."""
    checked(rent=rent, conversion=conversion)
    if conversion == 0:
        raise ValueError("conversion: without a rate no deposit stands for a rent")
    return whole(rent * MONTHS / conversion * 100)


def conversion_of(deposit: Decimal, rent: Decimal) -> Decimal:
    """Return the yearly rate in percent at which a part of a deposit and a monthly rent are worth the same."""
    checked(deposit=deposit, rent=rent)
    if deposit == 0:
        raise ValueError("deposit: nothing of it stands for a rent")
    return rent * MONTHS * 100 / deposit


def gross_yield(price: Decimal, deposit: Decimal, rent: Decimal, costs_year: Decimal = Decimal(0)) -> Decimal:
    """Return a year's rent, less costs, in percent of the price less the deposit."""
    checked(price=price, deposit=deposit, rent=rent, costs_year=costs_year)
    if deposit >= price:
        raise ValueError("deposit: it reaches the price, so that no money of one's own is bound")
    return (rent * MONTHS - costs_year) / (price - deposit) * 100


def yield_after_loan(  # noqa: PLR0913 - each is an input by name
    *, price: Decimal, deposit: Decimal, rent: Decimal, loan: Decimal, rate: Decimal, costs_year: Decimal = Decimal(0)
) -> Decimal:
    """Return a year's rent, less interest and costs, in percent of one's own money."""
    checked(price=price, deposit=deposit, rent=rent, loan=loan, rate=rate, costs_year=costs_year)
    own = price - deposit - loan
    if own <= 0:
        raise ValueError("loan: deposit and loan reach the price, so that no money of one's own is bound")
    return (rent * MONTHS - costs_year - loan * rate / 100) / own * 100


def jeonse_ratio(price: Decimal, deposit: Decimal, debt: Decimal = Decimal(0)) -> Decimal:
    """Return the deposit, with claims that come before it, in percent of the price."""
    checked(price=price, deposit=deposit, debt=debt)
    if price == 0:
        raise ValueError("price: a share of no price is not told")
    return (deposit + debt) / price * 100


def leased_sum(deposit: Decimal, rent: Decimal) -> Decimal:
    """Return the sum of a lease that a brokerage fee is taken of."""
    checked(deposit=deposit, rent=rent)
    by_hundred = deposit + rent * 100
    return by_hundred if by_hundred >= _SMALL_LEASE_KRW else deposit + rent * 70


def bracket_of(amount: Decimal, brackets: tuple[Bracket, ...]) -> Bracket:
    """Return the bracket that a sum falls into."""
    return next(one for one in brackets if one.below is None or amount < one.below)


def brokerage_fee(amount: Decimal, brackets: tuple[Bracket, ...]) -> Decimal:
    """Return the highest fee of a sum, VAT apart, in whole won."""
    checked(price=amount)
    found = bracket_of(amount, brackets)
    fee = whole(amount * found.percent / 100)
    return fee if found.cap is None else min(fee, Decimal(found.cap))


def acquisition_rate(price: Decimal, table: AcquisitionTax) -> Decimal:
    """Return the rate in percent of buying a first home: between the two ends it rises with the price."""
    checked(price=price)
    if price <= table.low.up_to:
        return table.low.percent
    if price > table.high.above:
        return table.high.percent
    return (price * 2 / Decimal(300_000_000) - 3).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)


def repayment_fee(loan: Decimal, fee_percent: Decimal, months: int, left: int) -> Decimal:
    """Return the fee of repaying early, which falls with the time that is left, in whole won."""
    checked(loan=loan, fee_percent=fee_percent, months=Decimal(months))
    if not 0 <= left <= months:
        raise ValueError("left: the time that is left lies within the whole time")
    return whole(loan * fee_percent / 100 * left / months)


def per_pyeong(price: Decimal, area_m2: Decimal) -> Decimal:
    """Return the price of one 평 of an area, in whole won."""
    checked(price=price, area_m2=area_m2)
    return whole(price / (area_m2 / PYEONG_M2))


def months_later(day: date, months: int) -> date:
    """Return the same day of a later or earlier month; the last of the month where it has no such day."""
    index = day.year * MONTHS + day.month - 1 + months
    year, month = divmod(index, MONTHS)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def lease_end(start: date, months: int) -> date:
    """Return the last day of a lease: two years from December 15 end on December 14."""
    checked(months=Decimal(months))
    return months_later(start, months) - timedelta(days=1)


def renewal_window(end: date) -> tuple[date, date]:
    """Return the first and the last day on which a renewal may be asked for: six to two months before the end."""
    return months_later(end, -6), months_later(end, -2)
