"""Which evidence an answer cites: 3 to 10 pieces where there are as many, by id, in order of first use."""

import math
from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from typing import Final

from services.contract.flow import Citation, Evidence, Freshness
from services.synthesizer.freshness import freshness_of

CITATIONS_MIN: Final = 3
"""Below this, evidence that no sentence used is cited as well, where there is some."""
CITATIONS_MAX: Final = 10
"""How many are cited at most."""
SOURCE_MAX: Final = 4
"""How many of one data set are cited while another one waits."""
DOCUMENT_MAX: Final = 2
"""How many parts of one document are cited while another one waits."""
RECENT_SHARE_MIN: Final = 0.3
"""The share of the citations that is not stale, where there is as much."""


def citations(used: Iterable[str], evidence: Iterable[Evidence], now: datetime) -> tuple[Citation, ...]:
    """Return the citations of an answer.

    Args:
        used: Ids of the evidence that its sentences rest on, in their order; an id that no evidence bears is left out.
        evidence: All evidence of the results, in their order.
        now: The flow's instant, by which evidence is recent or not.
    """
    known: dict[str, Evidence] = {}
    for piece in evidence:
        known.setdefault(piece.evidence_id, piece)
    wanted = [known[evidence_id] for evidence_id in dict.fromkeys(used) if evidence_id in known]
    recent = {piece.evidence_id for piece in known.values() if _is_recent(piece, now)}
    chosen = _with_recent(_spread(wanted, CITATIONS_MAX), wanted, recent)
    unused = [piece for piece in known.values() if piece not in wanted]
    if len(chosen) < CITATIONS_MIN:
        unused.sort(key=lambda piece: piece.evidence_id not in recent)
        chosen += _spread(unused, CITATIONS_MIN - len(chosen))
    lacking = _quota(len(chosen)) - sum(piece.evidence_id in recent for piece in chosen)
    fresh = [piece for piece in unused if piece.evidence_id in recent and piece not in chosen]
    chosen += fresh[: max(0, min(lacking, CITATIONS_MAX - len(chosen)))]
    return tuple(_citation(piece) for piece in chosen)


def _quota(count: int) -> int:
    return math.ceil(count * RECENT_SHARE_MIN)


def _is_recent(piece: Evidence, now: datetime) -> bool:
    return freshness_of(piece, now) is not Freshness.STALE


def _with_recent(chosen: list[Evidence], wanted: list[Evidence], recent: set[str]) -> list[Evidence]:
    """Return a full list with recent pieces of those wanted in place of its last old ones, up to their quota."""
    waiting = [piece for piece in wanted if piece.evidence_id in recent and piece not in chosen]
    lacking = _quota(len(chosen)) - sum(piece.evidence_id in recent for piece in chosen)
    coming = waiting[: max(0, lacking)]
    old = [piece for piece in chosen if piece.evidence_id not in recent]
    leaving = old[len(old) - len(coming) :] if coming else []
    return [piece for piece in wanted if (piece in chosen and piece not in leaving) or piece in coming]


def _spread(pieces: list[Evidence], count: int) -> list[Evidence]:
    """Return at most `count` pieces in their order; a data set or document has more than its share only at the end."""
    taken: Counter[tuple[str, ...]] = Counter()
    within: list[Evidence] = []
    beyond: list[Evidence] = []
    for piece in pieces:
        origin = (piece.provenance.source, piece.provenance.dataset, piece.provenance.table)
        document = (*origin, piece.title)
        fits = taken[origin] < SOURCE_MAX and taken[document] < DOCUMENT_MAX
        (within if fits else beyond).append(piece)
        taken[origin] += 1
        taken[document] += 1
    chosen = {piece.evidence_id for piece in (within[:count] + beyond)[:count]}
    return [piece for piece in pieces if piece.evidence_id in chosen]


def _citation(piece: Evidence) -> Citation:
    provenance = piece.provenance
    return Citation(piece.evidence_id, piece.title, provenance.source, provenance.as_of_time, provenance.sample)
