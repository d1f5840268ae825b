"""Countries named in a text, so that the router can tell what is outside the covered scope."""

import functools
import re
from importlib import resources

from services.text.claims import Claims
from services.text.entities import Country
from services.text.words import phrase_index

# These also are ordinary words ("인도" is a pavement, "us" a pronoun); they count only as written in capitals.
_CAPITALS_ONLY = frozenset({"US", "UK", "EU", "KR", "UAE", "USA"})

# "인플레이션이란" asks what inflation is, "30평대만" and "한 대만" want those alone; neither is about a country.
_ENDINGS_TOO = frozenset({"이란", "대만"})
_COUNTS = re.compile(r"(?:[0-9]|(?<![가-힣])(?:한|두|세|네|몇|여러))\s$")


def read_countries(claims: Claims) -> tuple[Country, ...]:
    """Read the countries named in the text, in order, each place once; the longest name wins ("North Korea")."""
    names = country_names()
    hits = phrase_index(claims.text).find_longest(names)
    return tuple(
        Country(code=names[hit.phrase], surface=claims.text[hit.start : hit.end], start=hit.start, end=hit.end)
        for hit in hits
        if (hit.phrase not in _CAPITALS_ONLY or claims.text[hit.start : hit.end] == hit.phrase)
        and not (hit.phrase in _ENDINGS_TOO and _ends_a_word(claims.text, hit.start))
    )


def _ends_a_word(text: str, start: int) -> bool:
    """Tell whether a word goes on, or things are counted: "한 대만"."""
    return (start > 0 and "가" <= text[start - 1] <= "힣") or _COUNTS.search(text[:start]) is not None


@functools.lru_cache(maxsize=1)
def country_names() -> dict[str, str]:
    """Return the code of each country by its names."""
    lines = resources.files("services.text").joinpath("data/countries.tsv").read_text("utf-8").splitlines()
    rows = (line.split("\t") for line in lines if line and not line.startswith("#"))
    return {name: code for code, names in rows for name in names.split("|")}
