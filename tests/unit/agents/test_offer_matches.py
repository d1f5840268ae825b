"""Which offers match best, and why."""

from dataclasses import replace
from decimal import Decimal

from services.domains.commerce.agents.offers import OFFERS_MAX, Offer, Reason, best_matches

OFFER = Offer("p0", 100_000, 120_000, 15, Decimal("4.5"), 100, 3)


def ids(offers: list[Offer]) -> list[str]:
    """Returns the ids of the best matches in order."""
    return [match.offer.product_id for match in best_matches(offers)]


def test_order_is_rating_then_reviews_then_price() -> None:
    """Better rated come first, then more reviewed, then cheaper ones; the id settles what is equal."""
    offers = [
        replace(OFFER, product_id="c", price=90_000),
        replace(OFFER, product_id="a", rating=Decimal("4.8")),
        replace(OFFER, product_id="b", reviews=500),
        replace(OFFER, product_id="e"),
        replace(OFFER, product_id="d"),
    ]
    assert ids(offers) == ["a", "b", "c", "d", "e"]


def test_sold_out_only_where_nothing_else_is_left() -> None:
    """A sold out product is left out while another is in stock, and told of where all are sold out."""
    gone = replace(OFFER, product_id="gone", stock=0, rating=Decimal(5))
    assert ids([gone, OFFER]) == ["p0"]
    assert ids([gone]) == ["gone"]
    assert Reason.IN_STOCK not in best_matches([gone])[0].reasons


def test_no_more_than_five_are_told_of() -> None:
    """At most five offers are told of, however many were found."""
    assert len(best_matches([replace(OFFER, product_id=f"p{number}") for number in range(9)])) == OFFERS_MAX


def test_reasons_hold_among_what_was_found() -> None:
    """A superlative is stated only where something else is worse; one offer alone is the best of nothing."""
    cheap = replace(OFFER, product_id="cheap", price=50_000, rating=Decimal("4.0"), discount_percent=15)
    best, second = best_matches([OFFER, cheap], price_max=200_000)
    assert best.reasons == (Reason.WITHIN_LIMIT, Reason.BEST_RATED, Reason.IN_STOCK)
    assert second.reasons == (Reason.WITHIN_LIMIT, Reason.CHEAPEST, Reason.IN_STOCK)
    assert best_matches([OFFER])[0].reasons == (Reason.IN_STOCK,)


def test_nothing_found_matches_nothing() -> None:
    """No offers give no matches."""
    assert best_matches([]) == ()
