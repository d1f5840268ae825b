"""Splits a sentence at its coordinators, so that two requests in one sentence can be told from one."""

import re
from itertools import pairwise

from services.text.ko.morphemes import Morpheme, morphemes
from services.text.patterns import Pattern

PARTS_MAX = 4
_SENTENCE_ENDS = Pattern(r"[.!?](?=\s)|\n")
_JOINING_WORDS = Pattern(
    r"\s(?:and also|and|or|그리고|또|또한|및|아니면)\s|;|,\s(?=and\b|or\b)|(?<=[는은인한건])지(?:랑|이랑|하고|와)\s"
    # "취소할지 교환할지" and "살까 말까 담을까" weigh one against the other.
    r"|(?<=[할을갈쓸살])지\s(?=\S+\s?\S*지\s)|(?<=[할을갈쓸살])까\s(?=\S+\s?\S*까\s)"
    r"|(?<=[가-힣])이든지?\s",
    re.IGNORECASE,
)
# Particles and endings that join two requests: 조회랑 확인, 쓰고 보여줘, 환불하든지. "사고 싶다" is one request.
_JOINING_PARTICLES = frozenset({"랑", "이랑", "하고", "와", "과", "이나"})
_JOINING_ENDINGS = frozenset({"고", "구", "든지", "든가", "거나"})
# "흐름과 함께 보여줘" asks for one thing.
_TOGETHER = frozenset({"함께", "같이", "비교", "다르", "같", "비슷", "비슷하", "차이", "상관", "관련", "관계"})
# "A 말고 B" and "A 아니고 B" are one request for B.
_SETTING_ASIDE = frozenset({"말", "아니", "빼"})


def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a normalised text, in order."""
    edges = [0, *(match.end() for match in _SENTENCE_ENDS.finditer(text)), len(text)]
    pieces = (text[start:end].strip() for start, end in pairwise(edges))
    return tuple(piece for piece in pieces if piece)


def parts(sentence: str) -> tuple[str, ...]:
    """Return the parts of a sentence in order, at most `PARTS_MAX`; one part where nothing is coordinated."""
    cuts = sorted({match.end() for match in _JOINING_WORDS.finditer(sentence)} | set(_joints(sentence)))
    pieces = (sentence[start:end].strip() for start, end in pairwise([0, *cuts, len(sentence)]))
    return tuple(piece for piece in pieces if piece)[:PARTS_MAX]


def _joints(sentence: str) -> list[int]:
    pieces = morphemes(sentence)
    return [
        piece.end
        for before, piece, after in zip(pieces, pieces[1:], pieces[2:], strict=False)
        if _joins(piece, after) and before.lemma not in _SETTING_ASIDE
    ]


def _joins(piece: Morpheme, after: Morpheme) -> bool:
    if piece.tags[-1] in {"JC", "JKB"}:
        return piece.surface in _JOINING_PARTICLES and _TOGETHER.isdisjoint({after.surface, after.lemma})
    return piece.tags[-1] == "EC" and piece.surface in _JOINING_ENDINGS and after.tags[0] != "VX"
