"""Which thing is meant, when a name fits several."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from services.contract.entities import Alternative, Entity
from services.text.reading import TextReading


@dataclass(frozen=True, slots=True)
class NamedValue:
    """What an answer names; without a value where it is nothing or still fits several."""

    value: str = ""
    """The value of the entity."""
    label: str = ""
    """Its name for the reader."""
    open_words: str = ""
    """The words of a name that still fits several."""


def ambiguous_name(readings: Iterable[TextReading], kinds: Collection[str]) -> Entity | None:
    """Return the first name of some kinds that fits several things."""
    named = (one for reading in readings for kind in kinds for one in reading.of(kind))
    return next((one for one in named if not one.value), None)


def meant(answer: TextReading, kind: str, ambiguous: Entity | None) -> NamedValue:
    """Return the one thing of a kind that an answer names.

    What lies around the alternatives of an ambiguous name, and so begins their values, picks among them.
    """
    named = answer.of(kind)
    exact = {one.value: one for one in named if one.value}
    open_names = [one for one in named if not one.value]
    if len(exact) > 1 or (exact and open_names):
        return NamedValue()
    if not exact:
        return (
            NamedValue(open_words=open_names[0].words) if len(open_names) == 1 and ambiguous is None else NamedValue()
        )
    value, one = next(iter(exact.items()))
    if ambiguous is not None and all(len(value) < len(other.value) for other in ambiguous.alternatives):
        return _of(other for other in ambiguous.alternatives if other.value.startswith(value))
    return NamedValue(value, one.label)


def _of(alternatives: Iterable[Alternative]) -> NamedValue:
    found = tuple(alternatives)
    return NamedValue(found[0].value, found[0].label) if len(found) == 1 else NamedValue()
