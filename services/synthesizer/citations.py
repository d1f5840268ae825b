"""Which evidence an answer cites: 3 to 10 pieces where there are as many, by id, in order of first use (spec 3.4)."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from services.contract.flow import Citation, Evidence

CITATIONS_MIN: Final = 3
"""Below this, evidence that no sentence used is cited as well, where there is some."""
CITATIONS_MAX: Final = 10
"""How many are cited at most."""
SOURCE_MAX: Final = 4
"""How many of one data set are cited while another one waits."""


def citations(used: Iterable[str], evidence: Iterable[Evidence]) -> tuple[Citation, ...]:
    """Return the citations of an answer.

    Args:
        used: Ids of the evidence that its sentences rest on, in their order; an id that no evidence bears is left out.
        evidence: All evidence of the results, in their order.
    """
    known: dict[str, Evidence] = {}
    for piece in evidence:
        known.setdefault(piece.evidence_id, piece)
    wanted = [known[evidence_id] for evidence_id in dict.fromkeys(used) if evidence_id in known]
    chosen = _spread(wanted, CITATIONS_MAX)
    if len(chosen) < CITATIONS_MIN:
        rest = [piece for piece in known.values() if piece not in chosen]
        chosen += _spread(rest, CITATIONS_MIN - len(chosen))
    return tuple(_citation(piece) for piece in chosen)


def _spread(pieces: list[Evidence], count: int) -> list[Evidence]:
    """Return at most `count` pieces in their order; one data set takes more than its share only if none is left out."""
    taken: Counter[tuple[str, str, str]] = Counter()
    within: list[Evidence] = []
    beyond: list[Evidence] = []
    for piece in pieces:
        origin = (piece.provenance.source, piece.provenance.dataset, piece.provenance.table)
        (within if taken[origin] < SOURCE_MAX else beyond).append(piece)
        taken[origin] += 1
    chosen = {piece.evidence_id for piece in (within[:count] + beyond)[:count]}
    return [piece for piece in pieces if piece.evidence_id in chosen]


def _citation(piece: Evidence) -> Citation:
    provenance = piece.provenance
    return Citation(piece.evidence_id, piece.title, provenance.source, provenance.as_of_time, provenance.sample)
