"""Morphemes of Korean text through mecab-ko, loaded at the first use (about 50 ms, once a process)."""

import functools
import threading
from dataclasses import dataclass

from mecab import MeCab

# One tagger serves the process; its lattice is not safe for two threads at once and a sentence takes 0.2 ms.
_TAGGER_LOCK = threading.Lock()
_CONTENT_TAGS = ("NNG", "NNP", "NNB", "NR", "NP", "VV", "VA", "VX", "VCN", "MAG", "MM", "XR", "SL", "SH", "SN", "IC")


@dataclass(frozen=True, slots=True)
class Morpheme:
    """The smallest piece of a sentence that has a meaning or a grammatical part of its own."""

    surface: str
    """The piece as written."""
    start: int
    """Where it begins, in code points of the normalised text."""
    end: int
    """Where it ends, exclusive."""
    tags: tuple[str, ...]
    """Parts of speech in the Sejong tag set; several where the writing contracts them ("샀" is VV and EP)."""
    lemma: str
    """The dictionary stem of a verb or adjective ("떨어졌" gives "떨어지"), else the surface in lower case."""

    @property
    def is_content(self) -> bool:
        """Whether it carries meaning (noun, verb, adverb, number, foreign word) and not only grammar."""
        return self.tags[0] in _CONTENT_TAGS


@functools.lru_cache(maxsize=2048)
def morphemes(text: str) -> tuple[Morpheme, ...]:
    """Split a normalised text into its morphemes, in order; white space belongs to none."""
    if not text:
        return ()
    with _TAGGER_LOCK:
        parsed = _tagger().parse(text)
    return tuple(
        Morpheme(
            surface=piece.surface,
            start=piece.span.start,
            end=piece.span.end,
            tags=tuple(piece.feature.pos.split("+")),
            lemma=_lemma(piece.surface, piece.feature.pos, piece.feature.expression),
        )
        for piece in parsed
    )


@functools.lru_cache(maxsize=1)
def _tagger() -> MeCab:
    return MeCab()


def _lemma(surface: str, tags: str, expression: str | None) -> str:
    """Take the stem from an expression such as "떨어지/VV/*+었/EP/*"; a compound noun is its own stem."""
    if expression is None or "/" not in expression or not tags.startswith(("V", "XS")):
        return surface.lower()
    return expression.split("/", 1)[0]
