"""The contract that a question is about: its text, or a clause of it, as evidence that a later question rests on. Pure.

    a slot · the question itself · a clause that it quotes     given now
    what an earlier flow was given                             held

Quotes and what is held count only where a contract is to be reviewed.
"""

import hashlib
import json
import re
from dataclasses import dataclass
from typing import Final, Self

from services.contract.flow import Evidence, Provenance
from services.domains.realty.agents.given import QuestionGiven, slot_text
from services.domains.realty.agreements.clauses import is_contract
from services.plugin.findings import Asking
from services.plugin.wording import Text
from services.text.patterns import Pattern

CONTRACT_SCHEMA: Final = "hapju.agent.realty_analysis.contract.v1"
"""The schema of a contract that a user gave: text, and whether it is a clause alone."""
EXCERPT_CHARS: Final = 300
"""How much of it the evidence says in words."""
_REVIEW: Final = "CONTRACT_REVIEW"
_QUOTED: Final = Pattern(r"(?<!\w)['\"‘“「『](?P<clause>.{12,})['\"’”」』](?![A-Za-z0-9])", re.DOTALL)
_TITLE: Final = Text("보내 주신 계약서", "The contract that you gave")
_SOURCE: Final = Text("이용자가 보낸 계약서", "the user's contract")


@dataclass(frozen=True, slots=True)
class Contract:
    """A contract to be reviewed."""

    text: str
    """Its text."""
    is_excerpt: bool = False
    """True where it is a clause alone."""
    held: Evidence | None = None
    """The evidence that holds it already; None where it is given now."""

    @classmethod
    def of(cls, asking: Asking, given: QuestionGiven) -> Self | None:
        """Return the contract that is asked about, or None where there is none."""
        if in_slot := slot_text(asking.slots, "contract_text"):
            return cls(in_slot)
        if is_contract(given.text):
            return cls(given.text)
        if asking.intent != _REVIEW:
            return None
        if quoted := _QUOTED.search(given.text):
            return cls(quoted["clause"].strip(), is_excerpt=True)
        pieces = (piece for result in asking.prior_results for piece in result.evidence)
        return next((cls._held(piece) for piece in pieces if piece.rows_schema_id == CONTRACT_SCHEMA), None)

    @classmethod
    def _held(cls, piece: Evidence) -> Self:
        row = json.loads(piece.rows_json)[0]
        return cls(str(row["text"]), bool(row["is_excerpt"]), piece)

    def evidence(self, asking: Asking) -> Evidence:
        """Return it as a typed row, so that it can be looked at, and built on by later questions."""
        if self.held is not None:
            return self.held
        document = {"text": self.text, "is_excerpt": self.is_excerpt}
        rows = json.dumps([document], ensure_ascii=False, separators=(",", ":")).encode()
        digest = hashlib.sha256(rows).hexdigest()
        source = _SOURCE.said(asking.locale)
        provenance = Provenance(source, "contract", "", b"{}", asking.now, 1, "", digest, sample=False)
        title, excerpt = _TITLE.said(asking.locale), self.text[:EXCERPT_CHARS]
        return Evidence(f"ev-{digest[:16]}", "contract", title, excerpt, rows, CONTRACT_SCHEMA, provenance)
