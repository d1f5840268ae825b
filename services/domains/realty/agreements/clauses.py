"""What a contract has: the clauses that it lacks, and what in it is bad for a tenant or buyer. Pure.

The clauses are looked for by their words; one in other words may be found missing, and the answer says so.
"""

import re
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from services.domains.realty.agreements.defects import Defect, defects_of
from services.domains.realty.agreements.parties import by_role, named_parties
from services.plugin.documents import read_yaml
from services.plugin.entries import Bilingual

CONTRACT_CHARS_MIN: Final = 80
"""A shorter text is a question about a contract and no contract."""
_MARKS: Final = re.compile(
    r"제\s?[0-9]{1,2}\s?조|특약|임대인|임차인|매도인|매수인|보증금|차임"
    r"|\bArticle [0-9]|\bLandlord\b|\bTenant\b|\bSeller\b|\bBuyer\b|\bLessor\b|\bLessee\b|\bdeposit\b|\bthe term\b",
    re.IGNORECASE,
)
_MARKS_MIN: Final = 3
_MARKS_LISTED_MIN: Final = 2
_LISTED: Final = re.compile(r"(?:^|\n)[ \t]*(?:[①-⑳]|[0-9]{1,2}[.)]|[가나다라마바사]\.|[-•*])(?=\s?\S)")


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


class _Entry(Bilingual):
    id: str
    """Its name."""
    words: re.Pattern[str]
    """The words that speak of it."""

    @field_validator("words", mode="before")
    @classmethod
    def _compiled(cls, words: str) -> re.Pattern[str]:
        return _words(words)


class UsualClause(_Entry):
    """A clause that a contract usually has."""

    kinds: frozenset[Literal["lease", "sale"]] = Field(alias="in")
    """The contracts that have it."""


class Checklist(BaseModel):
    """What contracts are held against."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    clauses: tuple[UsualClause, ...]
    """The clauses that are looked for, in the order of a contract."""


@dataclass(frozen=True, slots=True)
class ContractReview:
    """What was found in a contract."""

    kind: Literal["lease", "sale"]
    """What it is."""
    missing: tuple[UsualClause, ...]
    """Clauses that are missing."""
    defects: tuple[Defect, ...]
    """What in it is bad for a tenant or buyer, the gravest first."""


_SALE_WORDS: Final = _words(r"매도인|매수인|매매\s?계약|\bseller\b|\bbuyer\b|sale agreement|purchase agreement")

_LEASE_WORDS: Final = _words(
    r"임대|임차인|세입자|집주인|전세|월세|차임|방값|\blandlord\b|\btenant\b|\btenancy\b|\blease\b|\brent\b|\brents\b"
)


@cache
def checklist() -> Checklist:
    """Return the checklist of clauses.yaml.

    Raises:
        pydantic.ValidationError: The data is malformed; the text names the entry.
    """
    return Checklist.model_validate(read_yaml("services.domains.realty.agreements", "clauses.yaml"))


def is_contract(text: str) -> bool:
    """Tell whether a text is a contract and no question about one."""
    if len(text) < CONTRACT_CHARS_MIN:
        return False
    marks = {match.group().lower() for match in _MARKS.finditer(by_role(text, named_parties(text)))}
    # Who lists clauses line by line asks no question, though few words name the sides.
    is_list = len(_LISTED.findall(text)) >= _MARKS_MIN and "?" not in text
    return len(marks) >= (_MARKS_LISTED_MIN if is_list else _MARKS_MIN)


def is_sale(text: str) -> bool:
    """Tell whether a contract is one of sale: it speaks of seller and buyer more than of landlord and tenant."""
    text = by_role(text, named_parties(text))
    return len(_SALE_WORDS.findall(text)) > len(_LEASE_WORDS.findall(text))


def review(text: str) -> ContractReview:
    """Return what stands out in a contract."""
    kind: Literal["lease", "sale"] = "sale" if is_sale(text) else "lease"
    flat = " ".join(text.split())
    return ContractReview(
        kind=kind,
        missing=tuple(one for one in checklist().clauses if kind in one.kinds and not one.words.search(flat)),
        defects=defects_of(text, is_sale=kind == "sale"),
    )
