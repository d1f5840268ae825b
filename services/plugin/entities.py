"""What a question names, as the contract carries it: how an entity is found by its kind and what its value says.

The core reads amount, period, area, quantity and country in every question; each other kind is one of a domain's.
"""

from collections.abc import Iterable
from datetime import date

from services.contract.flow import Alternative, Entity

AMOUNT = "amount"
"""Money in won; the value is "low..high", an open end empty."""
PERIOD = "period"
"""Days of the user's time zone; the value is "first/last", both ISO 8601 and inclusive."""
AREA = "area"
"""A floor area in square metres; the value is "low..high", an open end empty."""
QUANTITY = "quantity"
"""A number of pieces."""
COUNTRY = "country"
"""A country or bloc; the value is its ISO 3166 alpha-2 code, or "EU"."""

_BETWEEN = ".."

__all__ = [
    "AMOUNT",
    "AREA",
    "COUNTRY",
    "PERIOD",
    "QUANTITY",
    "Alternative",
    "Entity",
    "days",
    "krw_range",
    "of_kind",
    "values",
]


def of_kind(entities: Iterable[Entity], kind: str) -> tuple[Entity, ...]:
    """Return the entities of a kind, in the order of the text."""
    return tuple(entity for entity in entities if entity.kind == kind)


def values(entities: Iterable[Entity], kind: str) -> tuple[str, ...]:
    """Return the values of a kind, each once; an ambiguous entity has none."""
    return tuple(dict.fromkeys(entity.value for entity in entities if entity.kind == kind and entity.value))


def krw_range(entity: Entity) -> tuple[int | None, int | None]:
    """Return the least and the greatest sum of an amount; None for an open end, twice the same for an exact sum."""
    low, _, high = entity.value.partition(_BETWEEN)
    return (int(low) if low else None, int(high) if high else None)


def days(entity: Entity) -> tuple[date, date]:
    """Return the first and the last day of a period."""
    first, _, last = entity.value.partition("/")
    return date.fromisoformat(first), date.fromisoformat(last)
