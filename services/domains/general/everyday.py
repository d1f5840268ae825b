"""Sums of every day that need no data: discounts, margins, returns, interest, shares of a whole. Pure.

    paid       = price x count x (1 - discount)
    profit     = sold x (1 - fee) - cost                  margin = profit / sold
    return     = (now - bought) / bought                  rise that makes up a fall = fall / (1 - fall)
    grown      = principal x (1 + rate) ^ years           compound, once a year
    gathered   = instalment x (1 + i) x ((1 + i) ^ months - 1) / i      of monthly instalments, compound: i = rate / 12
    interest   = principal x rate x years                 of a deposit, simple
    interest   = instalment x months x (months + 1) / 2 x rate / 12      of monthly instalments, simple
    total      = instalment x months                      paid each month, with no interest
    dividend   = invested x dividend yield                share price = earnings per share x PER
    won        = dollars x rate of exchange               part = whole x share
    pyeong     = square metres x 0.3025
    earned     = wage x hours a day x days [a week x weeks]

What is left of interest after tax is data: taxes.yaml.
"""

import math
from decimal import Decimal
from typing import Final

from services.domains.general.taxes import withholdings
from services.plugin.asks.relations import Equation, Known, Unknown, relation

MONTHS: Final = 12

_VAT: Final = Decimal("1.1")
_PYEONG_OF_M2: Final = Decimal("0.3025")
"""A pyeong is 400/121 square metres."""


def _left(k: Known, name: str) -> Decimal:
    """Return what a percentage leaves of a whole."""
    return (100 - k[name]) / 100


def _years_to_grow(k: Known) -> Decimal:
    return Decimal(str(math.log(float(k["grown"] / k["principal"])) / math.log1p(float(k["yearly"]) / 100)))


def _gathered(k: Known) -> Decimal:
    """Return what one of each month comes to, with interest added each month."""
    each = 1 + k["yearly"] / 100 / MONTHS
    return each * (each ** k["months"] - 1) / (each - 1)


def _months_to_gather(k: Known) -> Decimal:
    """Return after how many instalments a sum is reached: the last one only in part."""
    i = float(k["yearly"]) / 100 / MONTHS
    return Decimal(math.ceil(math.log1p(float(k["gathered"] / k["instalment"]) * i / (1 + i)) / math.log1p(i)))


RELATIONS: Final[tuple[Equation, ...]] = (
    relation(
        Unknown("paid", lambda k: k["price"] * _left(k, "off"), "{price} × (100% − {off})"),
        Unknown("off", lambda k: (1 - k["paid"] / k["price"]) * 100, "1 − {paid} ÷ {price}"),
        Unknown("price", lambda k: k["paid"] / _left(k, "off"), "{paid} ÷ (100% − {off})"),
    ),
    relation(
        Unknown("paid", lambda k: k["price"] * k["count"] * _left(k, "off"), "{price} × {count} × (100% − {off})"),
        also=("price", "count", "off"),
    ),
    relation(
        Unknown("paid", lambda k: k["price"] * k["count"], "{price} × {count}"),
        Unknown("price", lambda k: k["paid"] / k["count"], "{paid} ÷ {count}"),
        Unknown("count", lambda k: k["paid"] / k["price"], "{paid} ÷ {price}"),
    ),
    relation(
        Unknown(
            "profit", lambda k: k["sold"] * _left(k, "fee") - k["cost"], "{sold} × (100% − {fee}) − {cost}", signed=True
        ),
        Unknown("sold", lambda k: (k["profit"] + k["cost"]) / _left(k, "fee"), "({profit} + {cost}) ÷ (100% − {fee})"),
        also=("cost", "fee"),
        absent=("fee",),
    ),
    relation(
        Unknown("margin", lambda k: k["profit"] / k["sold"] * 100, "{profit} ÷ {sold}", signed=True),
        also=("profit", "sold"),
    ),
    relation(
        Unknown("sold", lambda k: k["cost"] / _left(k, "margin"), "{cost} ÷ (100% − {margin})"),
        also=("cost", "margin"),
    ),
    relation(
        Unknown("returned", lambda k: (k["now"] / k["bought"] - 1) * 100, "({now} − {bought}) ÷ {bought}", signed=True),
        Unknown("now", lambda k: k["bought"] * (100 + k["returned"]) / 100, "{bought} × (100% + {returned})"),
        Unknown("bought", lambda k: k["now"] / (100 + k["returned"]) * 100, "{now} ÷ (100% + {returned})"),
    ),
    relation(
        Unknown("recovery", lambda k: k["fall"] / (100 - k["fall"]) * 100, "{fall} ÷ (100% − {fall})"), also=("fall",)
    ),
    relation(
        Unknown(
            "grown",
            lambda k: k["principal"] * (1 + k["yearly"] / 100) ** (k["months"] / MONTHS),
            "{principal} × (1 + {yearly})^({months} ÷ 12)",
        ),
        also=("principal", "yearly", "months"),
    ),
    relation(
        Unknown(
            "gathered",
            lambda k: k["instalment"] * _gathered(k),
            "{instalment} × (1 + i) × ((1 + i)^{months} − 1) ÷ i, i = {yearly} ÷ 12",
        ),
        Unknown(
            "instalment",
            lambda k: k["gathered"] / _gathered(k),
            "{gathered} × i ÷ ((1 + i) × ((1 + i)^{months} − 1)), i = {yearly} ÷ 12",
        ),
        Unknown(
            "months",
            _months_to_gather,
            "log(1 + {gathered} × i ÷ ({instalment} × (1 + i))) ÷ log(1 + i), i = {yearly} ÷ 12",
        ),
        also=("yearly",),
    ),
    relation(
        Unknown(
            "doubling",
            lambda k: _years_to_grow({**k, "grown": Decimal(2), "principal": Decimal(1)}),
            "log 2 ÷ log(1 + {yearly})",
        ),
        also=("yearly",),
    ),
    relation(
        Unknown(
            "interest",
            lambda k: k["principal"] * k["simple"] / 100 * k["months"] / MONTHS,
            "{principal} × {simple} × {months}",
        ),
        Unknown(
            "principal",
            lambda k: k["interest"] * 100 * MONTHS / k["simple"] / k["months"],
            "{interest} ÷ {simple} ÷ {months}",
        ),
        Unknown(
            "simple",
            lambda k: k["interest"] * 100 * MONTHS / k["principal"] / k["months"],
            "{interest} ÷ {principal} ÷ {months}",
        ),
        also=("months",),
    ),
    relation(
        Unknown(
            "interest",
            lambda k: k["instalment"] * k["months"] * (k["months"] + 1) / 2 * k["simple"] / 100 / MONTHS,
            "{instalment} × n × (n + 1) ÷ 2 × {simple} ÷ 12, n = {months}",
        ),
        also=("instalment", "simple", "months"),
    ),
    relation(
        Unknown(
            "net_interest",
            lambda k: k["interest"] * withholdings().interest.left,
            f"{{interest}} × (100% − {withholdings().interest.percent}%)",
        ),
        also=("interest",),
    ),
    relation(
        Unknown("net_matured", lambda k: k["principal"] + k["net_interest"], "{principal} + {net_interest}"),
        also=("principal", "net_interest"),
    ),
    relation(
        Unknown(
            "net_matured",
            lambda k: k["instalment"] * k["months"] + k["net_interest"],
            "{instalment} × {months} + {net_interest}",
        ),
        also=("instalment", "months", "net_interest"),
    ),
    relation(
        Unknown("total", lambda k: k["instalment"] * k["months"], "{instalment} × {months}"),
        also=("instalment", "months"),
    ),
    relation(
        Unknown(
            "matured",
            lambda k: k["instalment"] * k["months"] + k["interest"],
            "{instalment} × {months} + {interest}",
        ),
        also=("instalment", "months", "interest"),
    ),
    relation(
        Unknown(
            "instalment",
            lambda k: k["matured"] / (k["months"] + k["months"] * (k["months"] + 1) / 2 * k["simple"] / 100 / MONTHS),
            "{matured} ÷ (n + n × (n + 1) ÷ 2 × {simple} ÷ 12), n = {months}",
        ),
        also=("matured", "months", "simple"),
    ),
    relation(
        Unknown("matured", lambda k: k["principal"] + k["interest"], "{principal} + {interest}"),
        also=("principal", "interest"),
    ),
    relation(
        Unknown("dividend", lambda k: k["invested"] * k["dividend_yield"] / 100, "{invested} × {dividend_yield}"),
        Unknown("invested", lambda k: k["dividend"] / k["dividend_yield"] * 100, "{dividend} ÷ {dividend_yield}"),
        also=("dividend_yield",),
    ),
    relation(
        Unknown("share_price", lambda k: k["eps"] * k["per"], "{eps} × {per}"),
        Unknown("per", lambda k: k["share_price"] / k["eps"], "{share_price} ÷ {eps}"),
        Unknown("eps", lambda k: k["share_price"] / k["per"], "{share_price} ÷ {per}"),
    ),
    relation(
        Unknown("in_won", lambda k: k["in_dollars"] * k["exchange"], "{in_dollars} × {exchange}"),
        Unknown("in_dollars", lambda k: k["in_won"] / k["exchange"], "{in_won} ÷ {exchange}"),
        Unknown("exchange", lambda k: k["in_won"] / k["in_dollars"], "{in_won} ÷ {in_dollars}"),
    ),
    relation(
        Unknown("part", lambda k: k["whole"] * k["share"] / 100, "{whole} × {share}"),
        Unknown("share", lambda k: k["part"] / k["whole"] * 100, "{part} ÷ {whole}"),
        Unknown("whole", lambda k: k["part"] / k["share"] * 100, "{part} ÷ {share}"),
    ),
    relation(Unknown("each", lambda k: k["paid"] / k["count"], "{paid} ÷ {count}"), also=("paid", "count")),
    relation(
        Unknown("gross", lambda k: k["net"] * _VAT, "{net} × 110%"),
        Unknown("net", lambda k: k["gross"] / _VAT, "{gross} ÷ 110%"),
    ),
    relation(
        Unknown("pyeong", lambda k: k["m2"] * _PYEONG_OF_M2, "{m2} × 0.3025"),
        Unknown("m2", lambda k: k["pyeong"] / _PYEONG_OF_M2, "{pyeong} ÷ 0.3025"),
    ),
    relation(Unknown("day", lambda k: k["wage"] * k["hours"], "{wage} × {hours}"), also=("wage", "hours")),
    relation(Unknown("week", lambda k: k["day"] * k["days"], "{day} × {days}"), also=("day", "days")),
    relation(Unknown("earned", lambda k: k["wage"] * k["hours"], "{wage} × {hours}"), also=("wage", "hours")),
    relation(Unknown("earned", lambda k: k["day"] * k["days"], "{day} × {days}"), also=("day", "days")),
    relation(Unknown("earned", lambda k: k["week"] * k["weeks"], "{week} × {weeks}"), also=("week", "weeks")),
    relation(Unknown("monthly", lambda k: k["spread"] / k["months"], "{spread} ÷ {months}"), also=("spread", "months")),
)
"""Every relation."""
