"""What the marks of a model's sentences lead to, and which of them were wrong.

a figure in the sentence      the evidence that holds it, whatever the mark says
words of one document only    that document: a mark that leads to its neighbour has slipped
else                          the document that is marked; a mark without a document is dangling
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from services.contract.drops import Dropped, DropPlace, DropReason
from services.contract.flow import Evidence
from services.grounding.verdict import Wrong, dropped
from services.plugin.data.rows import rows_of
from services.synthesizer.gate import Kept
from services.text.patterns import Pattern

_WORD: Final = Pattern(r"[0-9A-Za-z가-힣][0-9A-Za-z가-힣\-]+")
_STEM_LENGTH: Final = 2
_ASTRAY: Final = DropReason.UNKNOWN_CITATION
_TEXT_CHARS_MAX: Final = 20_000


@dataclass(frozen=True, slots=True)
class Led:
    """Where the marks of an answer lead."""

    evidence_ids: tuple[str, ...]
    """The evidence of its sentences, in their order."""
    dropped: tuple[Dropped, ...]
    """The marks that lead to no document, or to another one than the one that holds what is said."""


def led(kept: Sequence[Kept], marked: Sequence[Evidence]) -> Led:
    """Return what sentences rest on.

    Args:
        kept: The sentences that were released.
        marked: The evidence in the order of its marks; mark 1 is the first.
    """
    telling = _telling_words(marked)
    ids = [piece.evidence_id for piece in marked]
    found: list[str] = []
    wrong: list[Dropped] = []
    for sentence in kept:
        named = {mark: ids[mark - 1] for mark in sentence.marks if 1 <= mark <= len(ids)}
        holding = sentence.verdict.evidence_ids or (_holding(sentence.text, telling) if named else ())
        astray = (mark for mark in sentence.marks if mark not in named or (holding and named[mark] not in holding))
        wrong += [dropped(DropPlace.CITATION, Wrong(_ASTRAY, f"[{mark}]"), sentence.text) for mark in astray]
        if sentence.verdict.evidence_ids or named:
            found += holding or named.values()
    return Led(tuple(found), tuple(wrong))


def _telling_words(marked: Sequence[Evidence]) -> dict[str, str]:
    """Return the words that stand in one document only, with its id."""
    where: dict[str, set[str]] = {}
    for piece in marked:
        rows = json.dumps(rows_of(piece), ensure_ascii=False, default=str)[:_TEXT_CHARS_MAX]
        for word in set(_WORD.findall(f"{piece.title} {piece.excerpt} {rows}".lower())):
            where.setdefault(word, set()).add(piece.evidence_id)
    return {word: next(iter(ids)) for word, ids in where.items() if len(ids) == 1}


def _holding(text: str, telling: dict[str, str]) -> tuple[str, ...]:
    """Return the documents whose own words a sentence has, particles behind them let be; the most of them first."""
    counts: dict[str, int] = {}
    for said in _WORD.findall(text.lower()):
        evidence_id = next(
            (telling[said[:end]] for end in range(len(said), _STEM_LENGTH - 1, -1) if said[:end] in telling), None
        )
        if evidence_id is not None:
            counts[evidence_id] = counts.get(evidence_id, 0) + 1
    best = max(counts.values(), default=0)
    return tuple(one for one, count in counts.items() if count == best)
