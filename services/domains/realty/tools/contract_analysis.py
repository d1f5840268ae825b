"""contract_analysis: what a contract lacks, risky words in it, and its rise, term and penalty.

The articles come out of the collection of law: one that it does not hold is not cited.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, Field, StringConstraints

from services.contract.tool import ToolCost
from services.domains.realty.agreements.clauses import CONTRACT_CHARS_MIN, is_contract, review
from services.domains.realty.agreements.concerns import ARTICLES, Article, Concern, Finding, concerns
from services.domains.realty.agreements.statutes import citation
from services.plugin.computed import computed
from services.plugin.fields import FreeText
from services.plugin.reads import ReadResult, Reads, Row
from services.plugin.tool import Arguments, Tool

TEXT_CHARS_MAX: Final = 20_000
"""The longest contract; a standard lease has about 5,000 characters."""


def _contract(text: str) -> str:
    if not is_contract(text):
        raise ValueError("is no contract: it hardly speaks of parties, clauses, a deposit or a term")
    return text


class ContractAnalysisArguments(Arguments):
    """The contract."""

    text: Annotated[
        FreeText,
        StringConstraints(min_length=CONTRACT_CHARS_MIN, max_length=TEXT_CHARS_MAX),
        AfterValidator(_contract),
    ] = Field(description="The contract's own text, Korean or English.")


class ContractAnalysisRow(Row):
    """One finding."""

    contract_kind: Literal["lease", "sale"]
    """What the contract is."""
    finding: Finding
    """A missing clause, a risky wording, or a term, rise or penalty that stands out."""
    item: str
    """The clause or wording by its id; else the kind of finding again."""
    text_ko: str
    """What it is, without a full stop."""
    text_en: str
    """The same in English."""
    stated: float | None
    """The figure that the contract states; null where it is about words."""
    limit: float | None
    """The figure that it is held against; null where there is none, or no article that says one."""
    unit: Literal["months", "percent"] | None
    """Unit of both."""
    articles_ko: tuple[str, ...]
    """The articles that it rests on, as they are cited in Korean; empty where the law's collection holds none."""
    articles_en: tuple[str, ...]
    """The same in English."""


class _LawArticle(Row):
    statute_ko: str
    statute_en: str
    article: str
    summary_ko: str
    summary_en: str


async def _read(arguments: ContractAnalysisArguments, reads: Reads, timeout_seconds: float) -> ReadResult:
    statutes, numbers = ({article[part] for article in ARTICLES} for part in (0, 1))
    law = await reads.read(
        "law_articles_numbered.v1",
        _LawArticle,
        {"statutes": sorted(statutes), "articles": sorted(numbers)},
        rows_max=len(statutes) * len(numbers),
        timeout_seconds=timeout_seconds,
    )
    held = {(row.statute_ko, row.article): row for row in law.rows if isinstance(row, _LawArticle)}
    over = law.provenance if held else None
    reading = computed("contract_analysis.v1", _shown(arguments), _analysed(arguments, held), over=over)
    return reading if reading.rows else replace(reading, note="nothing that is looked for stands out in the contract")


def _shown(arguments: ContractAnalysisArguments) -> dict[str, str]:
    """Return the arguments as provenance shows them: a contract names people, so that a digest stands for its text."""
    digest = hashlib.sha256(arguments.text.encode()).hexdigest()
    return {**arguments.model_dump(mode="json", exclude={"text"}), "text_sha256": digest}


def _analysed(arguments: ContractAnalysisArguments, held: Mapping[Article, _LawArticle]) -> list[ContractAnalysisRow]:
    found = review(arguments.text)
    return [_row(found.kind, concern, held) for concern in concerns(found)]


def _row(kind: Literal["lease", "sale"], concern: Concern, held: Mapping[Article, _LawArticle]) -> ContractAnalysisRow:
    laws = [held[article] for article in concern.articles if article in held]
    return ContractAnalysisRow(
        contract_kind=kind,
        finding=concern.finding,
        item=concern.item,
        text_ko=concern.text.ko,
        text_en=concern.text.en,
        stated=None if concern.stated is None else float(concern.stated),
        limit=None if concern.limit is None else float(concern.limit),
        unit=concern.unit,
        articles_ko=tuple(citation(law.statute_ko, law.article, "ko") for law in laws),
        articles_en=tuple(citation(law.statute_en, law.article, "en") for law in laws),
    )


TOOL = Tool(
    name="contract_analysis",
    description_ko="계약서에서 빠진 조항, 위험한 문구, 인상률·기간·위약금 문제를 근거 조문과 함께 찾습니다.",
    description_en="Finds missing clauses, risky words and a rise, term or penalty that stands out, with the articles.",
    arguments=ContractAnalysisArguments,
    row=ContractAnalysisRow,
    read=_read,
    domain="realty",
    data_type="contract",
    cost=ToolCost.HIGH,
    typical_seconds=5.0,
    quality_prior=0.85,
    timeout_seconds=10,
    concurrency_max=4,
    depends_on=("legal_search",),
)
