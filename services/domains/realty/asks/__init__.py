"""What realty is asked, typed and answered: homes, money, law, contracts.

market.py     levels, comparisons, ranks, changes of home prices
listings.py   homes on offer that meet conditions
"""

from collections.abc import Sequence
from typing import Final

from services.contract.asks import AskedBefore
from services.domains.realty.asks import listings, market
from services.plugin.asks.answering import Answerer, Claim
from services.plugin.asks.sheet import Sheet

_READERS: Final = (listings.read, market.read)


def READ(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:  # noqa: N802 - the name that the core looks for
    """Return the asks of a question that are about homes: those of the first subject that claims any."""
    for read in _READERS:
        if claims := read(sheet, before):
            return claims
    return ()


ANSWERERS: Final[tuple[Answerer, ...]] = (*market.ANSWERERS, *listings.ANSWERERS)
