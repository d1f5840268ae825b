"""What stands out in a contract, each thing with its words, its figures and the articles that it rests on. Pure.

finding          rests on
missing_clause   no article: what is usual, not what is required
risky_wording    Housing Lease Protection Act art. 10, in a lease
term             Housing Lease Protection Act art. 4
rise             Housing Lease Protection Act art. 7 with Enforcement Decree art. 8; none where no cap is known
penalty          Civil Act art. 398
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Literal

from services.domains.realty.agreements.clauses import PENALTY_SHARE_PERCENT_MAX, TERM_MONTHS_MIN, Review
from services.domains.realty.agreements.said import Said
from services.domains.realty.agreements.statutes import ACT, CIVIL, RISE_LAW
from services.text.saying import figure

Finding = Literal["missing_clause", "risky_wording", "term", "rise", "penalty"]
Article = tuple[str, str]
"""The statute's Korean name and the article's number."""
TERM_LAW: Final[tuple[Article, ...]] = ((ACT, "4"),)
"""The article on the term of a lease."""
PENALTY_LAW: Final[tuple[Article, ...]] = ((CIVIL, "398"),)
"""The article on agreed damages."""
UNFAIR_LAW: Final[tuple[Article, ...]] = ((ACT, "10"),)
"""The article by which terms to a tenant's disadvantage are void."""
ARTICLES: Final[tuple[Article, ...]] = (*TERM_LAW, *RISE_LAW, *PENALTY_LAW, *UNFAIR_LAW)
"""Every article that a concern may rest on."""


@dataclass(frozen=True, slots=True)
class Concern:
    """One thing that stands out in a contract."""

    finding: Finding
    """What kind of thing it is."""
    item: str
    """The clause or risk by its id in clauses.yaml; else the kind again."""
    text: Said
    """A sentence without its full stop, so that a citation may stand behind it."""
    articles: tuple[Article, ...] = ()
    """The articles that it rests on; whoever tells it cites those that a row of data holds."""
    stated: Decimal | None = None
    """The figure that the contract states."""
    limit: Decimal | None = None
    """The figure that it is held against: the least term, else the most."""
    unit: Literal["months", "percent", "times"] | None = None
    """The unit of both."""


def concerns(found: Review, rise_cap_percent: Decimal | None) -> Iterator[Concern]:
    """Yields what stands out, in the order of the table.

    Args:
        found: The review of the contract.
        rise_cap_percent: The cap of a rise as an article's words hold it; None where no such article is known.
    """
    for clause in found.missing:
        said = Said(
            ko=f"{clause.ko} 조항이 빠진 것으로 보입니다", en=f"There seems to be no clause on this: {clause.en}"
        )
        yield Concern("missing_clause", clause.id, said)
    for risk in found.risky:
        law = UNFAIR_LAW if found.kind == "lease" else ()
        yield Concern("risky_wording", risk.id, Said(ko=risk.ko, en=risk.en), law)
    if found.is_short and found.term_months is not None:
        yield _short_term(found.term_months)
    if found.rise_percent is not None and found.kind == "lease":
        yield from _rise(found.rise_percent, rise_cap_percent)
    if found.is_penalty_high:
        yield _penalty(found)


def _short_term(months: int) -> Concern:
    said = Said(ko=f"임대차 기간이 {months}개월로 짧습니다", en=f"The term is short, {months} months")
    return Concern("term", "term", said, TERM_LAW, Decimal(months), Decimal(TERM_MONTHS_MIN), "months")


def _rise(percent: Decimal, cap: Decimal | None) -> Iterator[Concern]:
    """Yields a rise beyond the cap, or one that could not be held against any."""
    ko, en = (figure(percent, "percent", locale) for locale in ("ko", "en"))
    if cap is None:
        said = Said(
            ko=f"인상률이 {ko}로 적혀 있으니 법의 한도를 확인하세요",
            en=f"It names a rise of {en}; check it against the cap by law",
        )
        yield Concern("rise", "rise", said, (), percent, None, "percent")
    elif percent > cap:
        most_ko, most_en = (figure(cap, "percent", locale) for locale in ("ko", "en"))
        said = Said(ko=f"인상률 {ko}는 한도 {most_ko}를 넘습니다", en=f"A rise of {en} is beyond the cap of {most_en}")
        yield Concern("rise", "rise", said, RISE_LAW, percent, cap, "percent")


def _penalty(found: Review) -> Concern:
    if found.penalty_multiple is not None and found.penalty_multiple > 1:
        times = found.penalty_multiple
        said = Said(
            ko=f"위약금이 큽니다(계약금의 {times}배)", en=f"The penalty is high ({times} times the earnest money)"
        )
        return Concern("penalty", "penalty", said, PENALTY_LAW, Decimal(times), Decimal(1), "times")
    if found.penalty_percent is None:
        raise ValueError("penalty_percent: a high penalty is a share or a multiple, and the review holds neither")
    ko, en = (figure(found.penalty_percent, "percent", locale) for locale in ("ko", "en"))
    said = Said(ko=f"위약금이 큽니다({ko})", en=f"The penalty is high ({en})")
    most = Decimal(PENALTY_SHARE_PERCENT_MAX)
    return Concern("penalty", "penalty", said, PENALTY_LAW, found.penalty_percent, most, "percent")
