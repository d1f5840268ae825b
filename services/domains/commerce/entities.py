"""What a question on shopping names: orders and products by their codes, goods by their words, and categories."""

import functools
from collections.abc import Iterator
from importlib import resources

from services.domains.commerce.codes import ORDER_ID, PRODUCT_CODE, read_order_ids, read_product_codes
from services.plugin.entities import (
    AMOUNT,
    CODES,
    PERIOD,
    QUANTITY,
    TERMS,
    Entity,
    EntityKind,
    ReadSoFar,
    name_rows,
    named_kind,
)
from services.text.ko.morphemes import Morpheme
from services.text.negation import is_negated

PRODUCT = "product"
"""The kind."""
_KEPT_TAGS = ("NNG", "NNP", "XR", "SL", "SH", "SN", "XPN", "XSN", "NR")
_FIGURES = (AMOUNT, QUANTITY, ORDER_ID, PERIOD)


def read_goods(so_far: ReadSoFar) -> Iterator[Entity]:
    """Yield the runs of words that name goods, in the user's own writing."""
    covered = {place for kind in _FIGURES for found in so_far.of(kind) for place in range(found.start, found.end)}
    kept = [piece for piece in so_far.morphemes if _is_kept(piece, so_far.text, covered)]
    for run in _runs(so_far.text, kept):
        start, end = run[0].start, run[-1].end
        words = so_far.text[start:end]
        yield Entity(PRODUCT, words, words, words, start, end)


@functools.cache
def _asking_words() -> frozenset[str]:
    """Return the words that are no part of the name of goods."""
    text = resources.files(__package__).joinpath("data/asking_words.txt").read_text(encoding="utf-8")
    return frozenset(text.splitlines())


def _is_kept(piece: Morpheme, text: str, covered: set[int]) -> bool:
    asking = _asking_words()
    if piece.start in covered or piece.lemma in asking or piece.surface.lower() in asking:
        return False
    return piece.tags[0] in _KEPT_TAGS and not is_negated(text, piece.start, piece.end)


def _runs(text: str, kept: list[Morpheme]) -> Iterator[list[Morpheme]]:
    """Join pieces that stand side by side or one space apart; a lone number or syllable of a verb is no goods."""
    runs: list[list[Morpheme]] = []
    for piece in kept:
        if runs and piece.start - runs[-1][-1].end <= 1 and text[runs[-1][-1].end : piece.start].strip() == "":
            runs[-1].append(piece)
        else:
            runs.append([piece])
    return (run for run in runs if not all(piece.tags[0] == "SN" for piece in run))


KINDS = (
    EntityKind(ORDER_ID, read_order_ids, precedence=CODES, stands_for="번호"),
    EntityKind(PRODUCT_CODE, read_product_codes, precedence=CODES + 1, stands_for="번호"),
    named_kind("category", name_rows(__package__, "data/categories.yaml"), is_name=False, stands_for="물건"),
    # Any noun may be goods: only where goods are asked for are they named.
    EntityKind(PRODUCT, read_goods, precedence=TERMS, is_name=False, is_shared=False),
)
