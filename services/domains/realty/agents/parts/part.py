"""What an analysis of realty is put together from: its parts, and what they all work with. Pure."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from services.contract.flow import Evidence, Metric, Provenance
from services.domains.realty.agents.given import QuestionGiven
from services.domains.realty.agents.law import FoundLaws
from services.domains.realty.tools.loan_data import LoanDataRow
from services.domains.realty.tools.market_data import MarketDataRow
from services.plugin.findings import Asking, Findings, Subject
from services.plugin.wording import Text

GIVEN_SCHEMA: Final = "hapju.agent.realty_analysis.given.v1"
"""The schema of what a question gives."""
_GIVEN_TITLE: Final = Text("질문에 적어 주신 내용", "What your question gives")
_GIVEN_SOURCE: Final = Text("이용자의 질문", "the user's question")


@dataclass(frozen=True, slots=True)
class AnalysisGround:
    """What the parts of an analysis work with."""

    asking: Asking
    """What is asked."""
    given: QuestionGiven
    """What the question gives."""
    homes: tuple[tuple[Evidence, tuple[MarketDataRow, ...]], ...]
    """Prices of homes that were found, by evidence."""
    laws: FoundLaws
    """Articles that were found."""
    loans: tuple[tuple[Evidence, tuple[LoanDataRow, ...]], ...]
    """Loans that were found, by evidence."""

    @property
    def own(self) -> Evidence:
        """The question's sums and rates as evidence, so that each figure rests on something that can be looked at."""
        asking = self.asking
        document: dict[str, int | float] = {f"{name}_krw": value for name, value in self.given.sums.items()}
        document |= {f"{name}_percent": float(value) for name, value in self.given.rates.items()}
        if self.given.rise is not None:
            document |= {"before_krw": self.given.rise.before_krw, "after_krw": self.given.rise.after_krw}
        if self.given.rise_percent is not None:
            document["rise_percent"] = float(self.given.rise_percent)
        rows = json.dumps([document], ensure_ascii=False, separators=(",", ":")).encode()
        digest = hashlib.sha256(rows + self.given.text.encode()).hexdigest()
        provenance = Provenance(
            _GIVEN_SOURCE.said(asking.locale), "question", "", b"{}", asking.now, 1, "", digest, sample=False
        )
        title = _GIVEN_TITLE.said(asking.locale)
        return Evidence(f"ev-{digest[:16]}", "contract", title, self.given.text[:300], rows, GIVEN_SCHEMA, provenance)

    @property
    def home_rows(self) -> tuple[MarketDataRow, ...]:
        """Every price row, whatever evidence holds it."""
        return tuple(row for _, rows in self.homes for row in rows)

    def subject(self, name: str, *pieces: Evidence) -> Subject:
        """Return a group of metrics that rests on some pieces of evidence."""
        return self.asking.subject(name, *dict.fromkeys(piece.evidence_id for piece in pieces))


@dataclass(frozen=True, slots=True)
class AnalysisPart:
    """One part of an analysis."""

    summary: str
    """What it says."""
    metrics: tuple[Metric, ...] = ()
    """Its figures."""
    evidence: tuple[Evidence, ...] = ()
    """What it rests on."""
    key_drivers: tuple[str, ...] = ()
    """What stands out."""
    cautions: tuple[str, ...] = ()
    """Its conditions and limits."""
    actions: tuple[str, ...] = ()
    """What the user may do next."""
    coverage: Decimal = Decimal(1)
    """The share of what it is asked that it could find out, 0 to 1; 0 where it only says what is missing."""


def findings_of(parts: Iterable[AnalysisPart]) -> Findings:
    """Return the parts as one; each counts alike for what could be found out."""
    found = tuple(parts)
    if not found:
        raise ValueError("parts: at least one is needed, though it may only say what is missing")
    pieces = {piece.evidence_id: piece for part in found for piece in part.evidence}
    share = sum((part.coverage for part in found), Decimal(0)) / len(found)
    return Findings(
        summary="\n\n".join(part.summary for part in found if part.summary),
        metrics=tuple(metric for part in found for metric in part.metrics),
        evidence=tuple(pieces.values()),
        key_drivers=tuple(driver for part in found for driver in part.key_drivers),
        cautions=tuple(dict.fromkeys(caution for part in found for caution in part.cautions)),
        rows_used=len(pieces),
        coverage=float(share),
        suggested_actions=tuple(dict.fromkeys(action for part in found for action in part.actions)),
    )


def missing(text: str) -> AnalysisPart:
    """Return a part that only says what is missing."""
    return AnalysisPart(summary=text, coverage=Decimal(0))
