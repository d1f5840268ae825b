"""How well goods suit: the weighted terms of rules.yaml. A term that nothing is known of is left out, and the rest counts alone. Pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from services.contract.asks import AskCondition
from services.domains.commerce.asks.goods.features import ATTRIBUTE
from services.domains.commerce.rules import RULES
from services.plugin.asks.telling import QueryRow

_RULES = RULES.recommend
_LIKED_LESS = 0.4


@dataclass(frozen=True, slots=True)
class Wishes:
    """What is known of the person's wishes."""

    conditions: Sequence[AskCondition]
    """The conditions that were said, all of them met."""
    names_brand: bool
    """Whether a maker was named."""
    bought: Collection[str] | None
    """The names of goods bought before; None where nothing is known of them."""

    @property
    def limit(self) -> float | None:
        """The most that a piece may cost; None where nobody says."""
        highest = [
            float(one.value) for one in self.conditions if one.field == "price_krw" and one.operator in {"le", "lt"}
        ]
        return min(highest, default=None)


def scored(rows: Sequence[QueryRow], wishes: Wishes) -> list[tuple[float, QueryRow]]:
    """Return goods with their scores, 0 to 1, the best first."""
    prices = sorted({row.number("price_krw") or Decimal(0) for row in rows})
    places = {price: at / len(prices) for at, price in enumerate(prices)}
    found = [(_score(row, wishes, places), row) for row in rows]
    return sorted(found, key=lambda one: (-one[0], one[1].number("price_krw") or 0, one[1].text("product_id")))


def _score(row: QueryRow, wishes: Wishes, places: Mapping[Decimal, float]) -> float:
    terms = {name: term for name, term in _terms(row, wishes, places).items() if term is not None}
    weights = {name: _RULES.weights[name] for name in terms}
    return sum(weights[name] * term for name, term in terms.items()) / sum(weights.values())


def _terms(row: QueryRow, wishes: Wishes, places: Mapping[Decimal, float]) -> dict[str, float | None]:
    price = row.number("price_krw") or Decimal(0)
    uses = [one for one in wishes.conditions if one.field.startswith(ATTRIBUTE)]
    return {
        "price": 1 - float(price) / wishes.limit / 2 if wishes.limit else 1 - places[price],
        "use": 1.0 if uses else None,
        "brand": 1.0 if wishes.names_brand else None,
        "history": _history(row, wishes.bought),
        "rating": min(max((_steady_rating(row) - 3) / 2, 0.0), 1.0),
        "stock": min(float(row.number("stock") or 0) / _RULES.stock_full, 1.0),
    }


def _history(row: QueryRow, bought: Collection[str] | None) -> float | None:
    """Return 1 for a maker that the person bought of before, less for another; None where nothing is known."""
    if not bought:
        return None
    maker = row.text("brand_ko")
    return 1.0 if any(name.startswith(maker) for name in bought) else _LIKED_LESS


def _steady_rating(row: QueryRow) -> float:
    """Return a rating that few reviews do not carry far."""
    count, rating = float(row.number("review_count") or 0), float(row.number("rating") or 0)
    return (rating * count + _RULES.prior_rating * _RULES.prior_reviews) / (count + _RULES.prior_reviews)


def best_of(found: Sequence[tuple[float, QueryRow]], count: int, *, of_one_brand: bool) -> list[QueryRow]:
    """Return at most so many goods, the best first, few of one maker unless one is named."""
    kept: list[QueryRow] = []
    for _, row in found:
        same = sum(one.text("brand_ko") == row.text("brand_ko") for one in kept)
        if len(kept) < count and (of_one_brand or same < _RULES.per_brand_max):
            kept.append(row)
    return kept
