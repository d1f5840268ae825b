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

`solved` goes from what is known to what is asked, over as many relations as it takes.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations
from typing import Final

from services.domains.realty.calculators import MONTHS, PYEONG_M2, present_value

Known = Mapping[str, Decimal]
"""Values by variable: sums in won, shares in percent, terms in months, areas in square metres."""
_Solver = Callable[[Known], Decimal]
_A_YEAR: Final = Decimal(MONTHS)


@dataclass(frozen=True, slots=True)
class Unknown:
    """One variable of a relation, computed from the others."""

    name: str
    """The variable."""
    compute: _Solver
    """Computes it; the other variables are known."""
    shown: str
    """The computation with its inputs in braces, read alike in both languages: "{price} x {ltv}"."""


@dataclass(frozen=True, slots=True)
class Relation:
    """Variables one of which follows from the others."""

    variables: frozenset[str]
    """All of them."""
    unknowns: tuple[Unknown, ...]
    """Those that can be computed."""
    absent: frozenset[str] = frozenset()
    """Variables that may count as nothing: a deposit that nobody pays; of two, one has to be something."""

    def left_out(self, unknown: Unknown, known: frozenset[str]) -> Iterator[frozenset[str]]:
        """Yield what counts as nothing where one of its unknowns is computed, the most left out first."""
        spare = sorted(self.absent - known - {unknown.name})
        for count in range(len(spare), -1, -1):
            for names in combinations(spare, count):
                if not names or len(self.absent) == 1 or set(names) != self.absent:
                    yield frozenset(names)


@dataclass(frozen=True, slots=True)
class Step:
    """One value that was computed."""

    unknown: Unknown
    """What was computed, and how."""
    value: Decimal
    """Its value."""
    inputs: frozenset[str]
    """The variables that it rests on."""


class UnsolvableError(ValueError):
    """The values given allow no solution: payments below the interest, a share of nothing."""


def _months_of_payment(known: Known) -> Decimal:
    loan, paid, monthly = known["loan"], known["paid_month"], known["rate"] / 100 / MONTHS
    if monthly == 0:
        return Decimal(math.ceil(loan / paid))
    if paid <= loan * monthly:
        raise UnsolvableError("paid_month: below the interest of a month")
    return Decimal(math.ceil(math.log(float(paid / (paid - loan * monthly))) / math.log1p(float(monthly))))


def _relation(*unknowns: Unknown, also: Sequence[str] = (), absent: Sequence[str] = ()) -> Relation:
    """Return a relation of its unknowns and what else it holds."""
    return Relation(frozenset({one.name for one in unknowns} | set(also)), unknowns, frozenset(absent))


RELATIONS: Final = (
    _relation(
        Unknown("price", lambda k: k["per_pyeong"] * k["area_m2"] / PYEONG_M2, "{per_pyeong} × {area_m2}"),
        Unknown("area_m2", lambda k: k["price"] / k["per_pyeong"] * PYEONG_M2, "{price} ÷ {per_pyeong}"),
        Unknown("per_pyeong", lambda k: k["price"] / k["area_m2"] * PYEONG_M2, "{price} ÷ {area_m2}"),
    ),
    _relation(
        Unknown("loan", lambda k: k["price"] * k["ltv"] / 100, "{price} × {ltv}"),
        Unknown("ltv", lambda k: k["loan"] / k["price"] * 100, "{loan} ÷ {price}"),
        Unknown("price", lambda k: k["loan"] / k["ltv"] * 100, "{loan} ÷ {ltv}"),
    ),
    _relation(
        Unknown("price", lambda k: k["savings"] / (100 - k["ltv"]) * 100, "{savings} ÷ (100% − {ltv})"),
        also=("savings", "ltv"),
    ),
    _relation(
        Unknown("savings", lambda k: k["price"] - k["loan"] - k["deposit"], "{price} − {loan} − {deposit}"),
        Unknown("price", lambda k: k["savings"] + k["loan"] + k["deposit"], "{savings} + {loan} + {deposit}"),
        Unknown("loan", lambda k: k["price"] - k["savings"] - k["deposit"], "{price} − {savings} − {deposit}"),
        absent=("loan", "deposit"),
        also=("deposit",),
    ),
    _relation(
        Unknown("deposit", lambda k: k["price"] * k["jeonse_ratio"] / 100, "{price} × {jeonse_ratio}"),
        Unknown("price", lambda k: k["deposit"] / k["jeonse_ratio"] * 100, "{deposit} ÷ {jeonse_ratio}"),
        also=("jeonse_ratio",),
    ),
    _relation(
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
    _relation(
        Unknown("rate", lambda k: k["interest_month"] * _A_YEAR / k["loan"] * 100, "{interest_month} × 12 ÷ {loan}"),
        Unknown("loan", lambda k: k["interest_month"] * _A_YEAR / k["rate"] * 100, "{interest_month} × 12 ÷ {rate}"),
        also=("interest_month",),
    ),
    _relation(
        Unknown("months", _months_of_payment, "{loan}, {rate}, {paid_month}"),
        Unknown(
            "loan",
            lambda k: k["paid_month"] * present_value(k["rate"], int(k["months"])),
            "{paid_month}, {rate}, {months}",
        ),
        also=("rate", "paid_month"),
    ),
    _relation(
        Unknown("conversion", lambda k: k["rent"] * _A_YEAR / k["deposit"] * 100, "{rent} × 12 ÷ {deposit}"),
        also=("rent", "deposit"),
    ),
    _relation(
        Unknown("dsr", lambda k: k["repaid_year"] / k["income_year"] * 100, "{repaid_year} ÷ {income_year}"),
        Unknown("repaid_year", lambda k: k["income_year"] * k["dsr"] / 100, "{income_year} × {dsr}"),
        Unknown("income_year", lambda k: k["repaid_year"] / k["dsr"] * 100, "{repaid_year} ÷ {dsr}"),
    ),
)
"""Every relation. A conversion rate needs a rent and a deposit, so that it is never met on the way to another value."""


def solved(asked: str, known: Known) -> tuple[Step, ...]:
    """Return the steps from what is known to what is asked, every known value being used; empty where there is no way.

    Raises:
        UnsolvableError: There is a way, and the values allow no solution.
    """
    if asked in known:
        return ()
    for way in _ways(asked, frozenset(known), frozenset({asked})):
        if set(known) <= {name for _, inputs in way for name in inputs}:
            return tuple(_computed(way, known))
    return ()


_Way = tuple[tuple[Unknown, frozenset[str]], ...]
"""What is computed one after another, each with the variables that it rests on."""


def _ways(asked: str, known: frozenset[str], seen: frozenset[str]) -> Iterator[_Way]:
    """Yield the ways to a value, the shortest of each relation first; no variable is computed from itself."""
    for relation in RELATIONS:
        for unknown in (one for one in relation.unknowns if one.name == asked):
            for spare in relation.left_out(unknown, known):
                inputs = relation.variables - {asked} - spare
                lacking = sorted(inputs - known)
                if not seen.isdisjoint(lacking) or len(lacking) > 1:
                    continue
                before = _ways(lacking[0], known, seen | {lacking[0]}) if lacking else iter([()])
                for way in before:
                    yield (*way, (unknown, inputs))


def _computed(way: _Way, known: Known) -> Iterator[Step]:
    values = dict(known)
    for unknown, inputs in way:
        try:
            value = unknown.compute(defaultdict(Decimal, values))
        except (ArithmeticError, ValueError) as error:
            raise UnsolvableError(unknown.name) from error
        if value <= 0:
            raise UnsolvableError(unknown.name)
        values[unknown.name] = value
        yield Step(unknown, value, inputs)
