"""What a question on markets names: listed companies and macro series."""

from collections.abc import Sequence
from typing import Final

from services.domains.finance.securities import SECURITY, company_names, read_securities, stated_names
from services.plugin.entities import COUNTRY, NAMES, EntityKind, NameRow, ReadSoFar, name_rows, named_kind, values

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


KINDS = (
    EntityKind(
        SECURITY,
        read_securities,
        precedence=NAMES,
        stands_for="종목",
        pointers=("종목|주식|회사|기업", "stock|shares?|company|ticker"),
        spelt=company_names,
        stated=stated_names,
    ),
    named_kind("series", name_rows(__package__, "data/series.yaml"), choose=of_the_country, is_name=False),
)
