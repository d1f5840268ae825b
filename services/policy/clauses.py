"""Splits a text into clauses, so that an excuse in one sentence does not cover a demand in the next."""

import re

from services.text.ko.morphemes import morphemes
from services.text.patterns import Pattern

_MARKS = Pattern(r"[.!?;\n](?=\s|$)|\b(?:and|but|then|also)\b|그리고|그런데|하지만", re.IGNORECASE)
# A verb with one of these endings closes a clause; "알려 주고 조회해" are two demands, "사고 싶다" is one.
_CLOSING_ENDINGS = frozenset({"고", "지만", "면서", "으면서", "구요"})
_AUXILIARY_TAGS = ("VX",)


def clauses(text: str) -> tuple[tuple[int, int], ...]:
    """Return the clauses of a normalised text as (start, end) places, in order; together they cover the text."""
    cuts = sorted({mark.end() for mark in _MARKS.finditer(text)} | set(_verb_cuts(text)) | {len(text)})
    starts = [0, *cuts[:-1]]
    return tuple((start, end) for start, end in zip(starts, cuts, strict=True) if start < end)


def _verb_cuts(text: str) -> list[int]:
    pieces = morphemes(text)
    following = (*pieces[1:], None)[: len(pieces)]
    return [
        piece.end
        for piece, after in zip(pieces, following, strict=True)
        if piece.tags[-1] == "EC"
        and piece.surface in _CLOSING_ENDINGS
        and not (after is not None and after.tags[0] in _AUXILIARY_TAGS)
    ]
