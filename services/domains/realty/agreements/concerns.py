"""What stands out in a contract: each thing with its words and the articles that it rests on. Pure.

A missing clause rests on no article: it is what is usual, not what is required. What else stands out rests on the
articles of defects.yaml; whoever tells it cites those that a row of data holds.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from services.domains.realty.agreements.clauses import ContractReview
from services.domains.realty.agreements.defects import Defect, known
from services.domains.realty.agreements.statutes import ACT, CIVIL, DECREE, HOUSING
from services.plugin.entries import Bilingual

Finding = Literal["missing_clause", "risky_wording", "term", "rise", "penalty"]
Article = tuple[str, str]
"""The statute's Korean name and the article's number."""
_STATUTES: Final = {"HLPA": ACT, "HLPD": DECREE, "CIVIL": CIVIL, "MHMA": HOUSING}
_FINDINGS: Final[dict[str, Finding]] = {"short_term": "term", "rise_above_cap": "rise", "penalty_high": "penalty"}


def article_of(article_id: str) -> Article:
    """Return an article by its id: HLPA-6-3 is article 6-3 of the Housing Lease Protection Act."""
    statute, _, number = article_id.partition("-")
    return _STATUTES[statute], number


ARTICLES: Final[tuple[Article, ...]] = tuple(
    dict.fromkeys(article_of(one) for kind in known().defects for one in kind.articles)
)
"""Every article that a concern may rest on."""


@dataclass(frozen=True, slots=True)
class Concern:
    """One thing that stands out in a contract."""

    finding: Finding
    """What kind of thing it is."""
    item: str
    """The clause or defect by its id."""
    text: Bilingual
    """A sentence without its full stop, so that a citation may stand behind it."""
    articles: tuple[Article, ...] = ()
    """The articles that it rests on; whoever tells it cites those that a row of data holds."""


def concerns(found: ContractReview) -> Iterator[Concern]:
    """Yield what stands out: missing clauses, then defects, the gravest first."""
    for clause in found.missing:
        said = Bilingual(
            ko=f"{clause.ko} 조항이 빠진 것으로 보입니다", en=f"There seems to be no clause on this: {clause.en}"
        )
        yield Concern("missing_clause", clause.id, said)
    yield from map(_concern, found.defects)


def _concern(defect: Defect) -> Concern:
    kind = defect.kind
    said = Bilingual(
        ko=f"{kind.name.ko}(“{defect.passage.quoted()}”): {defect.why.ko}",
        en=f"{kind.name.en} (“{defect.passage.quoted()}”): {defect.why.en}",
    )
    return Concern(
        _FINDINGS.get(kind.id, "risky_wording"),
        kind.id,
        said,
        tuple(map(article_of, kind.articles)),
    )
