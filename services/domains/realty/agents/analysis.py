"""realty.analysis: clauses, prices, risk, rents, yields and loan limits, over what earlier steps found.

part        where it belongs to the answer
contract    a contract to be reviewed, or its text in the question
rise        a rise of rent or deposit that can be computed
conversion  a deposit that is to be turned into rent
borrowing   a question about loans
yield       a question about what a home returns
market      prices were found, or are what the question is about
risk        a question about risk, or a full report
law         a question of law that none of the others answers
"""

import json
import re
from collections.abc import Iterator
from decimal import Decimal
from functools import partial
from typing import Final, TypeVar

from pydantic import ValidationError

from prompts.agents.agent_summary import PROMPT
from services.contract.flow import AgentResult, Evidence
from services.domains.realty.agents import law, listings, loans
from services.domains.realty.agents.contract_text import Contract
from services.domains.realty.agents.given import given_in
from services.domains.realty.agents.law import FoundLaws
from services.domains.realty.agents.parts.contract import contract_part
from services.domains.realty.agents.parts.law import law_part
from services.domains.realty.agents.parts.market import market_part
from services.domains.realty.agents.parts.money import borrowing_part, yield_part
from services.domains.realty.agents.parts.part import AnalysisGround, AnalysisPart, findings_of
from services.domains.realty.agents.parts.rent import conversion_part, rise_part
from services.domains.realty.agents.parts.risk import risk_part
from services.domains.realty.tools.legal_search import LegalSearchRow
from services.domains.realty.tools.loan_data import LoanDataRow
from services.domains.realty.tools.market_data import MarketDataRow
from services.domains.realty.tools.real_estate_search import RealEstateSearchRow
from services.plugin.agent import AgentSpec
from services.plugin.findings import Asking, Findings, Reading
from services.plugin.tools.reads import Row
from services.plugin.wording import Text
from services.text.patterns import Pattern

_RISK_INTENTS: Final = frozenset({"RISK_ANALYSIS", "COMPREHENSIVE"})
_MARKET_INTENTS: Final = frozenset({"MARKET_INQUIRY", "COMPREHENSIVE"})
_RISK_WORDS: Final = Pattern(r"위험|리스크|안전|깡통|사기|\brisk|\bsafe|\bscam|\bfraud", re.IGNORECASE)
_YIELD_WORDS: Final = Pattern(r"수익률|투자\s?수익|\bROI\b|\byields?\b|rate of return", re.IGNORECASE)
_LOAN_WORDS: Final = Pattern(r"대출|융자|\bLTV\b|\bDSR\b|\bDTI\b|\bloan|\bmortgage|\bborrow", re.IGNORECASE)
_NOTHING: Final = Text(
    "분석할 시세나 법 조문, 금액이 없어 판단하지 않았습니다.",
    "There are no prices, articles of law or sums to analyse, so that nothing is judged.",
)
MARKET_SCHEMA: Final = "hapju.tool.market_data.rows.v1"
"""The schema of prices of homes."""
_ROWS: Final[dict[str, type[Row]]] = {
    MARKET_SCHEMA: MarketDataRow,
    law.SCHEMA: LegalSearchRow,
    loans.SCHEMA: LoanDataRow,
    listings.SCHEMA: RealEstateSearchRow,
}
_Kind = TypeVar("_Kind", bound=Row)


def analyse(readings: tuple[Reading, ...], asking: Asking) -> Findings:  # noqa: ARG001 - it calls no tool
    """Return each part that the question asks for, over the rows of earlier steps and the sums that it gives."""
    ground = AnalysisGround(
        asking=asking,
        given=given_in(asking),
        homes=pieces_of(asking.prior_results, MarketDataRow),
        laws=FoundLaws(pieces_of(asking.prior_results, LegalSearchRow), asking.locale),
        loans=pieces_of(asking.prior_results, LoanDataRow),
    )
    parts = tuple(_parts(ground))
    if parts:
        return findings_of(parts)
    return Findings(summary=_NOTHING.said(asking.locale), coverage=0.0)


def _parts(ground: AnalysisGround) -> Iterator[AnalysisPart]:
    """Yield the parts that belong to the answer, in its order."""
    intent, text, given = ground.asking.intent, ground.given.text, ground.given
    named, contract = 0, Contract.of(ground.asking, given)
    for wanted, part in (
        (intent == "CONTRACT_REVIEW" or contract is not None, partial(contract_part, contract=contract)),
        (given.asks_a_rise and contract is None, rise_part),
        (given.converts, conversion_part),
        (intent == "LOAN_CONSULT" or _has_loan_terms(ground), borrowing_part),
        (_YIELD_WORDS.search(text) is not None, yield_part),
    ):
        if wanted:
            named += 1
            yield part(ground)
    risky = intent in _RISK_INTENTS or _RISK_WORDS.search(text) is not None
    if (ground.homes and intent != "CONTRACT_REVIEW") or (intent in _MARKET_INTENTS and not named):
        named += 1
        yield market_part(ground)
    if risky and intent != "CONTRACT_REVIEW":
        named += 1
        yield risk_part(ground)
    if ground.laws and not named:
        yield law_part(ground)


def _has_loan_terms(ground: AnalysisGround) -> bool:
    given = ground.given
    return bool(given.rates.keys() & {"ltv", "dti", "dsr"}) and _LOAN_WORDS.search(given.text) is not None


AGENT = AgentSpec(
    id="realty.analysis",
    sources=(),
    analyse=analyse,
    covers=Text(
        "앞선 단계에서 조회한 시세와 법 조문, 질문에 적힌 금액과 계약서를 분석합니다.",
        "It analyses the prices and articles that earlier steps found, and sums and contracts in the question.",
    ),
    reading=Text("조회한 자료를 살펴보고 있습니다.", "Looking at what was found."),
    computing=Text("위험과 수준을 계산하고 있습니다.", "Computing level and risk."),
    short=Text(
        "자료가 모자라 일부만 분석했습니다.", "Some of what this needs is missing, so that only a part was analysed."
    ),
    next_steps=(),
    confidence_max=0.9,
    summary=PROMPT,
)


def pieces_of(results: tuple[AgentResult, ...], kind: type[_Kind]) -> tuple[tuple[Evidence, tuple[_Kind, ...]], ...]:
    """Return the evidence of earlier steps whose rows are of a kind, each piece once, with its rows."""
    found: dict[str, tuple[Evidence, tuple[_Kind, ...]]] = {}
    for result in results:
        for piece in result.evidence:
            if _ROWS.get(piece.rows_schema_id) is kind and piece.evidence_id not in found:
                rows = tuple(_typed(piece, kind))
                if rows:
                    found[piece.evidence_id] = (piece, rows)
    return tuple(found.values())


def _typed(piece: Evidence, kind: type[_Kind]) -> Iterator[_Kind]:
    try:
        documents = json.loads(piece.rows_json, parse_float=Decimal)
    except ValueError:
        return
    for document in documents if isinstance(documents, list) else ():
        if isinstance(document, dict):
            try:
                yield kind.returned(document)
            except ValidationError:
                continue
