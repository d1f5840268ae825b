"""What is asked of homes as such, typed and answered: what they cost, how that moves, which are on offer.

market/         levels, comparisons, ranks, changes of home prices
by_meaning.py   what no words say, or say otherwise than it is meant
judged/         whether a stated price is dear or cheap for its place, or the homes there; the dearest home that was dealt
beside.py       prices and homes on offer in one breath
listings.py     homes on offer that meet conditions; offered.py one of them
reports.py      the parts of a report on the homes of a place
homes_named.py  which homes are meant: places, kinds, deals, areas
"""

from collections.abc import Sequence
from typing import Final

from services.contract.asks import AskedBefore
from services.domains.homes.asks import beside, by_meaning, listings, market, reports
from services.domains.homes.asks.homes_named import with_province, with_size
from services.domains.homes.asks.judged import dealt, dear, fair
from services.plugin.asks.answering import Answerer, Claim
from services.plugin.asks.sheet import Sheet

_READERS: Final = (listings.read, market.read)


def READ(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:  # noqa: N802 - the name that the core looks for
    """Return the asks of a question that are about homes: those of the first subject that claims any."""
    if parts := reports.read(sheet):
        return parts
    sheet = with_province(with_size(sheet, before), before)
    if judged := fair.read(sheet) or dear.read(sheet) or dealt.read(sheet) or beside.read(sheet, before):
        return judged
    for read in _READERS:
        if claims := read(sheet, before):
            return claims if before else by_meaning.rather(claims, sheet)
    return ()


MEANT: Final = by_meaning.read
"""What a question means that no words of a reader say."""


ANSWERERS: Final[tuple[Answerer, ...]] = (
    *market.ANSWERERS,
    *fair.ANSWERERS,
    *dear.ANSWERERS,
    *listings.ANSWERERS,
    *dealt.ANSWERERS,
)
