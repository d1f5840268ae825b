"""Which offers are the best matches, and why each fits. Pure.

order      in stock first, then rating, number of reviews, lower price, id
reason     only what the offers themselves say: within the limits that were set, best of those found in one respect
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Final

OFFERS_MAX: Final = 5
"""How many offers are told of."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One product as it is offered."""

    product_id: str
    """The product."""
    price: int
    """The price to pay in won."""
    list_price: int
    """The price before the discount in won."""
    discount_percent: int
    """The discount on the list price."""
    rating: Decimal
    """The mean rating, 1 to 5."""
    reviews: int
    """The reviews that it rests on."""
    stock: int
    """Pieces in stock."""

    @property
    def in_stock(self) -> bool:
        """Whether it can be bought now."""
        return self.stock > 0


class Reason(StrEnum):
    """Why an offer fits."""

    WITHIN_LIMIT = "WITHIN_LIMIT"
    """Its price lies within the limits that were set."""
    CHEAPEST = "CHEAPEST"
    """No other that was found costs less."""
    BEST_RATED = "BEST_RATED"
    """No other that was found is rated higher."""
    MOST_REVIEWED = "MOST_REVIEWED"
    """No other that was found has more reviews."""
    LARGEST_DISCOUNT = "LARGEST_DISCOUNT"
    """No other that was found is discounted more."""
    IN_STOCK = "IN_STOCK"
    """It can be bought now."""


@dataclass(frozen=True, slots=True)
class OfferMatch:
    """An offer with the reasons for it."""

    offer: Offer
    """The offer."""
    reasons: tuple[Reason, ...]
    """Why it fits, the user's own limits first."""


def best_matches(
    offers: Sequence[Offer], *, price_min: int | None = None, price_max: int | None = None
) -> tuple[OfferMatch, ...]:
    """Return at most `OFFERS_MAX` offers with their reasons, the best first.

    Sold out ones are left out while others are in stock. Being the best of one alone is no reason.
    """
    in_stock = [offer for offer in offers if offer.in_stock] or list(offers)
    ordered = sorted(in_stock, key=lambda one: (-one.rating, -one.reviews, one.price, one.product_id))
    limited = price_min is not None or price_max is not None
    return tuple(OfferMatch(offer, _reasons(offer, in_stock, limited=limited)) for offer in ordered[:OFFERS_MAX])


def _reasons(offer: Offer, among: Sequence[Offer], *, limited: bool) -> tuple[Reason, ...]:
    best: tuple[tuple[Reason, Callable[[Offer], Decimal | int]], ...] = (
        (Reason.BEST_RATED, lambda one: one.rating),
        (Reason.CHEAPEST, lambda one: -one.price),
        (Reason.MOST_REVIEWED, lambda one: one.reviews),
        (Reason.LARGEST_DISCOUNT, lambda one: one.discount_percent),
    )
    return (
        *((Reason.WITHIN_LIMIT,) if limited else ()),
        *(reason for reason, worth in best if _is_best(offer, among, worth)),
        *((Reason.IN_STOCK,) if offer.in_stock else ()),
    )


def _is_best(offer: Offer, among: Sequence[Offer], worth: Callable[[Offer], Decimal | int]) -> bool:
    """Tell whether nothing is worth more than the offer, and something is worth less."""
    worths = [worth(one) for one in among]
    return worth(offer) == max(worths) > min(worths)
