"""What sums of a home stand in relation to each other, solved for whichever of them is asked. Pure.

price      = price per pyeong x floor area in pyeong
loan       = price x LTV                                    own money = price x (1 - LTV)
own money  = price - loan - deposit of a lease that stays
deposit    = price x jeonse ratio
rent       = (price - deposit) x yield / 12
interest   = loan x rate / 12                               a month, where nothing is repaid
payment    : equal payments of a month that repay the loan in so many months
rent       = deposit x conversion rate / 12
DSR        = payments of a year / yearly income
"""

import math
from decimal import Decimal
from typing import Final

from services.domains.realty.calculators import MONTHS, PYEONG_M2, present_value
from services.plugin.asks.relations import Equation, Known, Unknown, UnsolvableError, relation

_A_YEAR: Final = Decimal(MONTHS)


def _months_of_payment(known: Known) -> Decimal:
    loan, paid, monthly = known["loan"], known["paid_month"], known["rate"] / 100 / MONTHS
    if monthly == 0:
        return Decimal(math.ceil(loan / paid))
    if paid <= loan * monthly:
        raise UnsolvableError("paid_month: below the interest of a month")
    return Decimal(math.ceil(math.log(float(paid / (paid - loan * monthly))) / math.log1p(float(monthly))))


RELATIONS: Final[tuple[Equation, ...]] = (
    relation(
        Unknown("price", lambda k: k["per_pyeong"] * k["area_m2"] / PYEONG_M2, "{per_pyeong} × {area_m2}"),
        Unknown("area_m2", lambda k: k["price"] / k["per_pyeong"] * PYEONG_M2, "{price} ÷ {per_pyeong}"),
        Unknown("per_pyeong", lambda k: k["price"] / k["area_m2"] * PYEONG_M2, "{price} ÷ {area_m2}"),
    ),
    relation(
        Unknown("loan", lambda k: k["price"] * k["ltv"] / 100, "{price} × {ltv}"),
        Unknown("ltv", lambda k: k["loan"] / k["price"] * 100, "{loan} ÷ {price}"),
        Unknown("price", lambda k: k["loan"] / k["ltv"] * 100, "{loan} ÷ {ltv}"),
    ),
    relation(
        Unknown("price", lambda k: k["savings"] / (100 - k["ltv"]) * 100, "{savings} ÷ (100% − {ltv})"),
        also=("savings", "ltv"),
    ),
    relation(
        Unknown("savings", lambda k: k["price"] - k["loan"] - k["deposit"], "{price} − {loan} − {deposit}"),
        Unknown("price", lambda k: k["savings"] + k["loan"] + k["deposit"], "{savings} + {loan} + {deposit}"),
        Unknown("loan", lambda k: k["price"] - k["savings"] - k["deposit"], "{price} − {savings} − {deposit}"),
        absent=("loan", "deposit"),
        also=("deposit",),
    ),
    relation(
        Unknown("deposit", lambda k: k["price"] * k["jeonse_ratio"] / 100, "{price} × {jeonse_ratio}"),
        Unknown("price", lambda k: k["deposit"] / k["jeonse_ratio"] * 100, "{deposit} ÷ {jeonse_ratio}"),
        also=("jeonse_ratio",),
    ),
    relation(
        Unknown(
            "rent",
            lambda k: (k["price"] - k["deposit"]) * k["gross_yield"] / 100 / _A_YEAR,
            "({price} − {deposit}) × {gross_yield} ÷ 12",
        ),
        Unknown(
            "price",
            lambda k: k["rent"] * _A_YEAR / k["gross_yield"] * 100 + k["deposit"],
            "{rent} × 12 ÷ {gross_yield} + {deposit}",
        ),
        absent=("deposit",),
        also=("gross_yield", "deposit"),
    ),
    relation(
        Unknown("rate", lambda k: k["interest_month"] * _A_YEAR / k["loan"] * 100, "{interest_month} × 12 ÷ {loan}"),
        Unknown("loan", lambda k: k["interest_month"] * _A_YEAR / k["rate"] * 100, "{interest_month} × 12 ÷ {rate}"),
        also=("interest_month",),
    ),
    relation(
        Unknown("months", _months_of_payment, "{loan}, {rate}, {paid_month}"),
        Unknown(
            "loan",
            lambda k: k["paid_month"] * present_value(k["rate"], int(k["months"])),
            "{paid_month}, {rate}, {months}",
        ),
        also=("rate", "paid_month"),
    ),
    relation(
        Unknown("conversion", lambda k: k["rent"] * _A_YEAR / k["deposit"] * 100, "{rent} × 12 ÷ {deposit}"),
        also=("rent", "deposit"),
    ),
    relation(
        Unknown("dsr", lambda k: k["repaid_year"] / k["income_year"] * 100, "{repaid_year} ÷ {income_year}"),
        Unknown("repaid_year", lambda k: k["income_year"] * k["dsr"] / 100, "{income_year} × {dsr}"),
        Unknown("income_year", lambda k: k["repaid_year"] / k["dsr"] * 100, "{repaid_year} ÷ {dsr}"),
    ),
)
"""Every relation. A conversion rate needs a rent and a deposit, so that it is never met on the way to another value."""
