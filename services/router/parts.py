"""Splits a question at its coordinators, so that two requests in one sentence can be told from one (spec 1.5)."""

import re
from itertools import pairwise

from services.text.morphemes import morphemes

PARTS_MAX = 4
_WORDS = re.compile(r"\s(?:and also|and|or|그리고|또|또한|및|아니면)\s|[;\n]|,\s(?=and\b|or\b)", re.IGNORECASE)
# Particles and endings that join two requests: 조회랑 확인, 쓰고 보여줘. "사고 싶다" is one request.
_JOINING_PARTICLES = frozenset({"랑", "이랑", "하고", "와", "과"})
_JOINING_ENDINGS = frozenset({"고", "구"})
# "A 말고 B" and "A 아니고 B" are one request for B.
_SETTING_ASIDE = frozenset({"말", "아니", "빼"})


def parts(text: str) -> tuple[str, ...]:
    """Return the parts of a normalised text in order, at most `PARTS_MAX`; one part where nothing is coordinated."""
    cuts = sorted({match.end() for match in _WORDS.finditer(text)} | set(_joints(text)))
    edges = [0, *cuts, len(text)]
    pieces = [text[start:end].strip() for start, end in pairwise(edges)]
    return tuple(piece for piece in pieces if piece)[:PARTS_MAX]


def _joints(text: str) -> list[int]:
    pieces = morphemes(text)
    following = (*pieces[1:], None)[: len(pieces)]
    preceding = (*pieces[:1], *pieces)[: len(pieces)]
    return [
        piece.end
        for before, piece, after in zip(preceding, pieces, following, strict=True)
        if after is not None
        and (
            (piece.tags[-1] == "JC" and piece.surface in _JOINING_PARTICLES)
            or (piece.tags[-1] == "JKB" and piece.surface in _JOINING_PARTICLES)
            or (piece.tags[-1] == "EC" and piece.surface in _JOINING_ENDINGS and after.tags[0] != "VX")
        )
        and before.lemma not in _SETTING_ASIDE
    ]
