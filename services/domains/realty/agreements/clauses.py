"""What a contract's text lacks, words in it wrongly, and which of its figures stand out (spec 3.3, realty). Pure.

    missing    a clause of the list that no words of the text speak of
    risky      words that take from a tenant what a lease usually gives
    rise       a rise in percent above the cap of the law, where an article of it was found
    term       a term shorter than two years
    penalty    a penalty of more than a tenth of the deposit or price, or of twice the earnest money or more

The words are looked for, not understood: what is written in other words may be found missing, and the answer says so.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from services.domains.realty.agreements.said import Said
from services.plugin.documents import read_yaml

CONTRACT_CHARS_MIN: Final = 80
"""A shorter text is a question about a contract and no contract."""
TERM_MONTHS_MIN: Final = 24
"""A shorter lease stands out."""
PENALTY_SHARE_PERCENT_MAX: Final = 10
"""A penalty above this share of the deposit or price stands out."""
_MONTHS: Final = 12
_MARKS: Final = re.compile(
    r"제\s?[0-9]{1,2}\s?조|특약|임대인|임차인|매도인|매수인|보증금|차임"
    r"|\bArticle [0-9]|\bLandlord\b|\bTenant\b|\bSeller\b|\bBuyer\b|\bLessor\b|\bLessee\b|\bdeposit\b|\bthe term\b",
    re.IGNORECASE,
)
_MARKS_MIN: Final = 3


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


class _Entry(Said):
    id: str
    """Its name."""
    words: re.Pattern[str]
    """The words that speak of it."""

    @field_validator("words", mode="before")
    @classmethod
    def _compiled(cls, words: str) -> re.Pattern[str]:
        return _words(words)


class Clause(_Entry):
    """A clause that a contract usually has."""

    kinds: frozenset[Literal["lease", "sale"]] = Field(alias="in")
    """The contracts that have it."""


class Risk(_Entry):
    """Words that are a risk."""


class Checklist(BaseModel):
    """What contracts are held against."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    clauses: tuple[Clause, ...]
    """The clauses that are looked for, in the order of a contract."""
    risks: tuple[Risk, ...]
    """The risky words that are looked for."""


@dataclass(frozen=True, slots=True)
class Review:
    """What was found in a contract."""

    kind: Literal["lease", "sale"]
    """What it is."""
    missing: tuple[Clause, ...]
    """Clauses that are missing."""
    risky: tuple[Risk, ...]
    """Risky words."""
    rise_percent: Decimal | None
    """The greatest rise that the text allows; None where it names none."""
    term_months: int | None
    """The term; None where the text names none."""
    penalty_percent: Decimal | None
    """The penalty in percent of the deposit or price; None where it cannot be told."""
    penalty_multiple: int | None
    """The penalty as a multiple of the earnest money; None where the text names none."""

    @property
    def is_short(self) -> bool:
        """Whether the term is shorter than two years."""
        return self.kind == "lease" and self.term_months is not None and self.term_months < TERM_MONTHS_MIN

    @property
    def is_penalty_high(self) -> bool:
        """Whether the penalty stands out."""
        share = self.penalty_percent is not None and self.penalty_percent > PENALTY_SHARE_PERCENT_MAX
        return share or (self.penalty_multiple is not None and self.penalty_multiple > 1)


_RISE: Final = _words(
    r"(?:인상|증액|올릴|올린|increase|raise)[^.]{0,30}?(?P<behind>[0-9]{1,3}(?:\.[0-9]+)?)\s?(?:%|퍼센트|percent)"
    r"|(?P<before>[0-9]{1,3}(?:\.[0-9]+)?)\s?(?:%|퍼센트|percent)[^.]{0,12}?(?:인상|증액|올|increase|raise)"
)
_TERM: Final = _words(
    r"(?:임대차\s?기간|계약\s?기간|존속\s?기간|\bterm\b|period)[^.]{0,40}?(?P<value>[0-9]{1,2})\s?(?P<unit>년|개월|years?|months?)"
)
_PENALTY_MULTIPLE: Final = _words(
    r"(?:위약금|손해배상|배상|penalty)[^.]{0,40}?(?:(?P<value>[0-9])\s?배|(?P<twice>배액|두\s?배|twice|double))"
)
_PENALTY_PERCENT: Final = _words(
    r"(?:위약금|손해배상액|penalty)[^.]{0,40}?(?P<value>[0-9]{1,3}(?:\.[0-9]+)?)\s?(?:%|퍼센트|percent)"
)
_SALE_WORDS: Final = _words(r"매도인|매수인|매매\s?계약|\bseller\b|\bbuyer\b|sale agreement|purchase agreement")


@cache
def checklist() -> Checklist:
    """Returns the checklist of clauses.yaml.

    Raises:
        pydantic.ValidationError: The data is malformed; the text names the entry.
    """
    return Checklist.model_validate(read_yaml("services.domains.realty.agreements", "clauses.yaml"))


def is_contract(text: str) -> bool:
    """Tells whether a text is a contract and no question about one."""
    marks = {match.group().lower() for match in _MARKS.finditer(text)}
    return len(text) >= CONTRACT_CHARS_MIN and len(marks) >= _MARKS_MIN


def is_sale(text: str) -> bool:
    """Tell whether a contract is one of sale."""
    return _SALE_WORDS.search(text) is not None


def review(text: str, *, main_krw: int | None = None, penalty_krw: int | None = None) -> Review:
    """Returns what stands out in a contract.

    Args:
        text: The contract.
        main_krw: Its deposit or price, where known.
        penalty_krw: The penalty that it names as a sum, where known.
    """
    kind: Literal["lease", "sale"] = "sale" if _SALE_WORDS.search(text) else "lease"
    flat = " ".join(text.split())
    return Review(
        kind=kind,
        missing=tuple(one for one in checklist().clauses if kind in one.kinds and not one.words.search(flat)),
        risky=tuple(one for one in checklist().risks if one.words.search(flat)),
        rise_percent=max(_rises(flat), default=None),
        term_months=_term_months(flat),
        penalty_percent=_penalty_percent(flat, main_krw, penalty_krw),
        penalty_multiple=_penalty_multiple(flat),
    )


def _rises(text: str) -> Iterator[Decimal]:
    for match in _RISE.finditer(text):
        yield Decimal(match["behind"] or match["before"])


def _term_months(text: str) -> int | None:
    match = _TERM.search(text)
    if match is None:
        return None
    in_years = match["unit"].lower().startswith(("년", "year"))
    return int(match["value"]) * (_MONTHS if in_years else 1)


def _penalty_percent(text: str, main_krw: int | None, penalty_krw: int | None) -> Decimal | None:
    match = _PENALTY_PERCENT.search(text)
    if match is not None:
        return Decimal(match["value"])
    if main_krw and penalty_krw:
        return (Decimal(penalty_krw) / main_krw * 100).quantize(Decimal("0.1"))
    return None


def _penalty_multiple(text: str) -> int | None:
    match = _PENALTY_MULTIPLE.search(text)
    if match is None:
        return None
    return int(match["value"]) if match["value"] else 2
