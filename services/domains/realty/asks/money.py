"""Money of homes: loans, rents, fees, taxes, yields, support; the first subject that claims a question has it."""

from collections.abc import Sequence
from typing import Final

from services.contract.asks import AskedBefore
from services.domains.realty.asks import costs, loans, offers, rents, supports
from services.domains.realty.asks.sums import edited
from services.plugin.asks.answering import Answerer, Claim
from services.plugin.asks.sheet import Sheet

_READERS: Final = (supports.read, offers.read, costs.read, rents.read, loans.read)
_TOPICS: Final = (supports.SUPPORT, *costs.TOPICS, *rents.TOPICS, *loans.TOPICS)


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the asks about money of homes; a short message with numbers edits the last one."""
    for reader in _READERS:
        if claims := reader(sheet, before):
            return claims
    edit = edited(sheet, before, _TOPICS)
    return () if edit is None else (edit,)


ANSWERERS: Final[tuple[Answerer, ...]] = (
    *supports.ANSWERERS,
    *offers.ANSWERERS,
    *costs.ANSWERERS,
    *rents.ANSWERERS,
    *loans.ANSWERERS,
)
