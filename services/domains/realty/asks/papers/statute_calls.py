"""The articles of law that findings of a contract rest on: read once, cited behind each finding."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from services.contract.asks import Said
from services.contract.flow import Evidence
from services.domains.realty.agreements.statutes import citation
from services.plugin.asks.answering import Call, Found
from services.plugin.asks.telling import QueryRow, proof, query, rows_of, where

_FIELDS: Final = ("article_id", "statute_ko", "statute_en", "article")
_TITLES: Final = Said("법 조문", "Articles of law")


@dataclass(frozen=True, slots=True)
class Laws:
    """The articles that were read."""

    rows: Mapping[str, QueryRow]
    """By their id."""
    pieces: tuple[Evidence, ...]
    """As evidence."""


def calls_for(articles: Sequence[str]) -> Sequence[Call]:
    """Return the call that reads some articles; none where there are none."""
    if not articles:
        return ()
    return (
        query("law_articles", _FIELDS, mode="rows", filters=[where("article_id", tuple(articles), "in")], limit=30),
    )


def laws_in(found: Found) -> Laws:
    """Return the articles that a step has read."""
    pieces = tuple(proof(one, _TITLES, found.asking.locale, "legal") for one in found.readings)
    return Laws({row.text("article_id"): row for row in rows_of(found.readings)}, pieces)


def cited(articles: Sequence[str], laws: Laws) -> Said:
    """Return the articles that a defect rests on, in brackets; those that the data does not hold are not cited."""
    rows = [laws.rows[name] for name in articles if name in laws.rows]
    if not rows:
        return Said("", "")
    said = [
        "; ".join(citation(row.text(f"statute_{locale}"), row.text("article"), locale) for row in rows)
        for locale in ("ko", "en")
    ]
    return Said(f"({said[0].replace(';', ',')})", f" ({said[1]})")
