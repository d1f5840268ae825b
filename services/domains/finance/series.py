"""Macro series by the names that people have for them; what both countries have a series for means the country's."""

from collections.abc import Sequence

from services.plugin.entities import COUNTRY, NameRow, ReadSoFar, values


def of_the_country(so_far: ReadSoFar, rows: Sequence[NameRow]) -> Sequence[NameRow]:
    """Return the series of one name that the question means: those of the countries named, else of its language's."""
    countries = values(so_far.of(COUNTRY), COUNTRY)
    named = [row for row in rows if row.attributes["usual_country"] in countries]
    if named or len({row.attributes["usual_country"] for row in rows}) == 1:
        return named or rows
    default = "KR" if so_far.language == "ko" else "US"
    return [row for row in rows if row.attributes["usual_country"] == default]
