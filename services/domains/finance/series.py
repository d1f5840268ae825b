"""Macro series by the names that people have for them; what both countries have a series for means the country's."""

from collections.abc import Sequence
from typing import Final

from services.plugin.entities import COUNTRY, NameRow, ReadSoFar, values

_BANKS: Final = {"US": ("연준", "fed"), "KR": ("한은", "한국은행", "BOK")}
"""What a country's central bank is called."""


def of_the_country(so_far: ReadSoFar, rows: Sequence[NameRow]) -> Sequence[NameRow]:
    """Return the series of one name that the question means: those of the countries named, else of its language's."""
    banks = [country for country, words in _BANKS.items() if any(so_far.phrases.find(word) for word in words)]
    countries = (*values(so_far.of(COUNTRY), COUNTRY), *banks)
    named = [row for row in rows if row.attributes["usual_country"] in countries]
    if named or len({row.attributes["usual_country"] for row in rows}) == 1:
        return named or rows
    default = "KR" if so_far.language == "ko" else "US"
    return [row for row in rows if row.attributes["usual_country"] == default]
