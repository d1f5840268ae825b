"""Which district is meant, when a name fits several."""

from collections.abc import Iterable
from dataclasses import dataclass

from services.contract.flow import Alternative, Entity
from services.text.reading import Reading

_PROVINCE_DIGITS = 2


@dataclass(frozen=True, slots=True)
class Located:
    """A place that an answer names; without a code where it is none or still fits several."""

    code: str = ""
    """The district's code."""
    name: str = ""
    """Its name for the reader."""
    surface: str = ""
    """The words of a name that still fits several districts."""


def ambiguous_region(readings: Iterable[Reading]) -> Entity | None:
    """Return the first place of the readings that fits several districts."""
    return next((one for reading in readings for one in reading.of("region") if not one.value), None)


def located(answer: Reading, ambiguous: Entity | None) -> Located:
    """Return the one place that an answer names; a province alone picks among the districts of an ambiguous name."""
    named = answer.of("region")
    exact = {one.value: one for one in named if one.value}
    open_names = [one for one in named if not one.value]
    if len(exact) > 1 or (exact and open_names):
        return Located()
    if not exact:
        return Located(surface=open_names[0].words) if len(open_names) == 1 and ambiguous is None else Located()
    code, region = next(iter(exact.items()))
    if ambiguous is not None and len(code) == _PROVINCE_DIGITS:
        return _of(one for one in ambiguous.alternatives if one.value.startswith(code))
    return Located(code, region.label)


def _of(districts: Iterable[Alternative]) -> Located:
    found = tuple(districts)
    return Located(found[0].value, found[0].label) if len(found) == 1 else Located()
