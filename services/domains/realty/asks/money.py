"""Money of homes: loans, rents, fees, taxes, yields, support; the first subject that claims a question has it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import AskedBefore
from services.domains.realty.asks import meant, offers, priced, programmes, solved, supports
from services.domains.realty.asks.changed import edits
from services.domains.realty.asks.costs import answers as costs
from services.domains.realty.asks.costs import topics as cost_topics
from services.domains.realty.asks.loans import affording, apart, reached, repaid
from services.domains.realty.asks.loans import answers as loans
from services.domains.realty.asks.loans import topics as loan_topics
from services.domains.realty.asks.rents import answers as rents
from services.domains.realty.asks.rents import burden, choices, ends, protected, tenants_money
from services.domains.realty.asks.rents import topics as rent_topics
from services.plugin.asks.answering import CERTAIN, Answerer, Claim
from services.plugin.asks.sheet import Sheet
from services.plugin.entities import AMOUNT, AREA, PERIOD, QUANTITY

_READERS: Final = (
    choices.read,
    ends.read,
    protected.read,
    tenants_money.read,
    burden.read,
    solved.read,
    lambda sheet, _: programmes.read(sheet),
    supports.read,
    apart.read,
    reached.read,
    affording.read,
    offers.read,
    costs.read,
    rents.read,
    priced.read,
    repaid.read,
    loans.read,
)
_TOPICS: Final = (
    solved.SOLVED,
    supports.SUPPORT,
    *cost_topics.TOPICS,
    *rent_topics.TOPICS,
    choices.TOPIC,
    *tenants_money.TOPICS,
    burden.TOPIC,
    repaid.TOPIC,
    *loan_topics.TOPICS,
)
_SEVERAL: Final = 2
_OWN_KINDS: Final = frozenset({AMOUNT, AREA, QUANTITY, PERIOD, "property_type", "deal_type"})
"""Kinds of what a computation on a home names itself."""


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the asks about money of homes; a short message with numbers edits the last one."""
    for reader in _READERS:
        if claims := reader(sheet, before):
            claims = meant.rather(claims, sheet, before)
            return _surer(claims, sheet, 1 if reader is costs.read else _SEVERAL)
    return edits(sheet, before, _TOPICS)


def _surer(claims: Sequence[Claim], sheet: Sheet, least: int) -> Sequence[Claim]:
    """Return claims as certain where the message is one computation: all its numbers are bound, and it names no other thing."""
    numbers = [one for claim in claims for one in claim.ask.quantities]
    alone = all(one.kind in _OWN_KINDS or one.value == one.words for one in sheet.entities)
    if len(numbers) < least or not alone or not all(one.role for one in numbers):
        return claims
    return [replace(claim, score=CERTAIN, is_whole=True) for claim in claims]


ANSWERERS: Final[tuple[Answerer, ...]] = (
    *choices.ANSWERERS,
    *ends.ANSWERERS,
    *protected.ANSWERERS,
    *tenants_money.ANSWERERS,
    *burden.ANSWERERS,
    *apart.ANSWERERS,
    *reached.ANSWERERS,
    *affording.ANSWERERS,
    *solved.ANSWERERS,
    *programmes.ANSWERERS,
    *supports.ANSWERERS,
    *offers.ANSWERERS,
    *priced.ANSWERERS,
    *costs.ANSWERERS,
    *rents.ANSWERERS,
    *repaid.ANSWERERS,
    *loans.ANSWERERS,
)
