"""Which district is meant, when a name fits several (spec 1.6.6)."""

from collections.abc import Iterable
from dataclasses import dataclass

from services.text.entities import District, Region
from services.text.reading import Reading

_PROVINCE_DIGITS = 2


@dataclass(frozen=True, slots=True)
class Located:
    """A place that an answer names; without a code where it is none or still fits several."""

    code: str = ""
    """The district's code."""
    name: str = ""
    """Its name in Korean."""
    name_en: str = ""
    """Its name in English."""
    surface: str = ""
    """The words of a name that still fits several districts."""


def ambiguous_region(readings: Iterable[Reading]) -> Region | None:
    """Return the first place of the readings that fits several districts."""
    return next((one for reading in readings for one in reading.regions if one.code is None), None)


def located(answer: Reading, ambiguous: Region | None) -> Located:
    """Return the one place that an answer names; a province alone picks among the districts of an ambiguous name."""
    exact = {one.code: one for one in answer.regions if one.code}
    open_names = [one for one in answer.regions if one.code is None]
    if len(exact) > 1 or (exact and open_names):
        return Located()
    if not exact:
        return Located(surface=open_names[0].surface) if len(open_names) == 1 and ambiguous is None else Located()
    code, region = next(iter(exact.items()))
    if ambiguous is not None and len(code or "") == _PROVINCE_DIGITS:
        return _of(district for district in ambiguous.alternatives if district.code.startswith(code or "-"))
    return Located(code or "", region.name, region.name_en)


def _of(districts: Iterable[District]) -> Located:
    found = tuple(districts)
    return Located(found[0].code, found[0].name, found[0].name_en) if len(found) == 1 else Located()
