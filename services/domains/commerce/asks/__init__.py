"""What is asked of the shop, typed and answered.

acts/     what is to be done: buying, the cart, giving back, reviews, listings
sets      goods of two kinds in one question
former    a wish of before that a message gives up
reckoned  a stated price after stated discounts
goods/    lists, ranks, recommendations, comparisons, one product, totals, reviews
own/      orders, refunds, points, coupons and cart of the person who asks
seller/   a seller's own sales, and another price
meant     which of these a message is nearest to (meant.yaml); kinds builds the ask of each, by_meaning decides by
          it what no reader is sure of
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import AskedBefore
from services.domains.commerce.asks import by_meaning, goods, own, reckoned, seller, sets
from services.domains.commerce.asks.acts import (
    carting,
    listing,
    ordering,
    reading,
    returning,
    reviewing,
    standing,
)
from services.domains.commerce.asks.acts.underway import counted
from services.domains.commerce.asks.acts.words import DROPS
from services.domains.commerce.asks.goods.missing import without_others
from services.domains.commerce.asks.own import profile
from services.plugin.asks.answering import Answerer, Claim
from services.plugin.asks.edits import short
from services.plugin.asks.sheet import Sheet

# What a listing has to be is asked before one is to be made; everything else that is to be done comes first.
_READERS: Final = (seller.read_listing, reading.read, reckoned.read, seller.read, own.read, goods.read)


def READ(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:  # noqa: N802 - the name that the core looks for
    """Return the asks of a question that are about the shop: those of the first subject that claims any."""
    sheet = without_others(sheet)
    claims = by_meaning.settled(sheet, before, _read(sheet, before), lambda part: _read(part, ()))
    return [replace(one, ask=counted(one.ask, before)) for one in standing.held(sheet, before, claims)]


NEAR: Final = by_meaning.unread
"""What a message is near to that no reader is sure of."""


def _read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the asks of the first reader that claims any."""
    return next((claims for read in _READERS if (claims := read(sheet, before))), ())


def ROUTED(sheet: Sheet, before: Sequence[AskedBefore], intent: str) -> Sequence[Claim]:  # noqa: N802 - as READ
    """Return the ask of a question by its route alone, where no reader is sure of one; a yes or no to nothing asks nothing."""
    if (sheet.says(DROPS) and short(sheet.text, _NO_WORDS_MAX)) or own.only_agrees(sheet):
        return ()
    asks = (
        own.of_route(sheet, intent),
        seller.of_route(sheet, intent),
        reading.of_route(sheet, before, intent),
        goods.of_route(sheet, intent),
    )
    return tuple(Claim(ask, _BY_ROUTE) for ask in asks if ask is not None)[:1]


_BY_ROUTE: Final = 0.7
_NO_WORDS_MAX: Final = 5
_ACTS: Final = (
    *standing.ANSWERERS,
    *ordering.ANSWERERS,
    *carting.ANSWERERS,
    *returning.ANSWERERS,
    *reviewing.ANSWERERS,
    *profile.ANSWERERS,
    *listing.ANSWERERS,
)
ANSWERERS: Final[tuple[Answerer, ...]] = (
    *goods.ANSWERERS,
    *reckoned.ANSWERERS,
    *sets.ANSWERERS,
    *own.ANSWERERS,
    *seller.ANSWERERS,
    *_ACTS,
)
