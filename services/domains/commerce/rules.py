"""The shop's own rules as data: rules.yaml, read once by policy, planner, agents and actions alike."""

from collections.abc import Mapping
from importlib import resources
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict

from services.plugin.documents import read_model, read_yaml
from services.plugin.entries import Bilingual


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Shipping(_Part):
    """What the way costs."""

    free_from_krw: int
    """From this price of the goods on, before a coupon, the way is free."""
    fee_krw: int
    """What it costs below."""


class Orders(_Part):
    """What becomes of orders."""

    quantity_max: int
    """The most pieces of one line."""
    cancel: Mapping[str, Literal["yes", "no", "asks_seller"]]
    """Whether an order in a state can be cancelled."""
    return_days_max: int
    """Days after delivery in which goods may be given back."""
    return_fee_krw: int
    """What giving back costs once, whatever the reason."""


class Recommend(_Part):
    """How goods are chosen that suit."""

    weights: Mapping[str, float]
    """What each term counts; of terms that are not known the rest counts alone."""
    floor: float
    """The score below which nothing is recommended."""
    count: int
    """How many are recommended where nobody says."""
    count_max: int
    """The most that are recommended."""
    per_brand_max: int
    """The most of one maker, where none is named."""
    stock_full: int
    """From so many pieces on the stock counts in full."""
    prior_reviews: int
    """How many reviews of the mean rating stand beside a product's own."""
    prior_rating: float
    """That mean rating."""


class Pricing(_Part):
    """What a simulation of another price assumes."""

    elasticity: float
    """How demand answers a price where nobody says."""
    range: tuple[float, float]
    """The strongest and the weakest answer that are computed beside it."""
    days: int
    """Days of own sales that it starts from."""
    source: Bilingual
    """Where the elasticity comes from."""


class Forecast(_Part):
    """How sales are forecast."""

    history_days: int
    """Days of the past that it rests on."""
    days_max: int
    """The most days ahead."""
    level_percent: int
    """How often the interval is to hold what comes."""
    z: float
    """The quantile of that level."""


class EfficiencyTerm(_Part):
    """One term of the efficiency of a product."""

    weight: float
    """What it counts."""
    full: float | None = None
    """The figure from which it counts in full."""
    none: float | None = None
    """The figure from which it counts nothing."""

    def share(self, figure: float) -> float:
        """Return how much of the term a figure reaches, 0 to 1."""
        if self.none is not None:
            return min(max(1 - figure / self.none, 0.0), 1.0)
        return min(max(figure / (self.full or 1), 0.0), 1.0)


class Efficiency(_Part):
    """How well a seller's product does."""

    margin_high_percent: float
    """From here on a margin is high."""
    margin_low_percent: float
    """Below here it is low."""
    score_high: float
    """From here on a product does well."""
    score_low: float
    """Below here it does badly."""
    days: int
    """Days of sales that it rests on where nobody says."""
    terms: Mapping[str, EfficiencyTerm]
    """Its terms."""


class Listings(_Part):
    """What a listing has to be; both ends belong to it."""

    name_chars: tuple[int, int]
    """Characters of the name."""
    description_chars: tuple[int, int]
    """Characters of the description."""
    images: tuple[int, int]
    """Images."""
    price_krw: tuple[int, int]
    """The price."""
    low_stock: int
    """So many pieces or fewer are nearly gone."""


class CommerceRules(_Part):
    """All rules."""

    shipping: Shipping
    """What the way costs."""
    orders: Orders
    """What becomes of orders."""
    recommend: Recommend
    """How goods are chosen that suit."""
    pricing: Pricing
    """What a simulation of another price assumes."""
    forecast: Forecast
    """How sales are forecast."""
    efficiency: Efficiency
    """How well a seller's product does."""
    listings: Listings
    """What a listing has to be."""


def _unusual_pieces() -> int:
    document: Any = read_yaml(__package__ or "", "policy.yaml")
    return min(int(rule["pieces_min"]) for rule in document["rules"] if "pieces_min" in rule)


RULES: Final = read_model(resources.files(__package__ or "") / "rules.yaml", CommerceRules)
"""The rules."""
UNUSUAL_PIECES: Final = _unusual_pieces()
"""From so many pieces on a request is unusual and has to be confirmed."""
FREE_SHIPPING_FROM_KRW: Final = RULES.shipping.free_from_krw
"""From this price of the goods on, before a coupon, the way is free."""
SHIPPING_KRW: Final = RULES.shipping.fee_krw
"""What the way costs below it."""
REFUND_DAYS_MAX: Final = RULES.orders.return_days_max
"""Days after delivery in which goods may be given back."""
RETURN_SHIPPING_KRW: Final = RULES.orders.return_fee_krw
"""What giving back costs once, whatever the reason."""
