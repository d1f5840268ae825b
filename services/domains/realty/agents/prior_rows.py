"""The rows that earlier steps found, typed again from their evidence. Pure.

A piece of evidence of another schema, or with rows that cannot be read, is let be: the analysis says what is missing.
"""

import json
from collections.abc import Iterator
from decimal import Decimal
from typing import Final, TypeVar

from pydantic import ValidationError

from services.contract.flow import AgentResult, Evidence
from services.domains.realty.agents import law, listings, loans
from services.domains.realty.tools.legal_search import LegalSearchRow
from services.domains.realty.tools.loan_data import LoanDataRow
from services.domains.realty.tools.market_data import MarketDataRow
from services.domains.realty.tools.real_estate_search import RealEstateSearchRow
from services.plugin.tools.reads import Row

MARKET_SCHEMA: Final = "hapju.tool.market_data.rows.v1"
"""The schema of prices of homes."""
_ROWS: Final[dict[str, type[Row]]] = {
    MARKET_SCHEMA: MarketDataRow,
    law.SCHEMA: LegalSearchRow,
    loans.SCHEMA: LoanDataRow,
    listings.SCHEMA: RealEstateSearchRow,
}
_Kind = TypeVar("_Kind", bound=Row)


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
