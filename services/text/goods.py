"""The words that say which goods are looked for, without the words of asking, prices, counts and dates."""

import functools
from importlib import resources

from services.text.morphemes import Morpheme
from services.text.negation import is_negated
from services.text.reading import Reading

_KEPT_TAGS = ("NNG", "NNP", "XR", "SL", "SH", "SN", "XPN", "XSN", "NR")


def goods_named(reading: Reading) -> tuple[str, ...]:
    """Return the runs of words that name goods, in the user's own writing; empty where none is left."""
    covered = _covered(reading)
    kept = [piece for piece in reading.morphemes if _is_kept(piece, reading, covered)]
    return tuple(_runs(reading.text, kept))


@functools.cache
def _asking_words() -> frozenset[str]:
    """Return the words that are no part of the name of goods."""
    text = resources.files("services.text").joinpath("data/asking_words.txt").read_text(encoding="utf-8")
    return frozenset(text.splitlines())


def _is_kept(piece: Morpheme, reading: Reading, covered: set[int]) -> bool:
    asking = _asking_words()
    if piece.start in covered or piece.lemma in asking or piece.surface.lower() in asking:
        return False
    if piece.tags[0] not in _KEPT_TAGS:
        return False
    return not is_negated(reading.text, piece.start, piece.end)


def _runs(text: str, kept: list[Morpheme]) -> list[str]:
    """Join pieces that stand side by side or one space apart; a lone number or syllable of a verb is no goods."""
    runs: list[list[Morpheme]] = []
    for piece in kept:
        if runs and text[runs[-1][-1].end : piece.start].strip() == "" and piece.start - runs[-1][-1].end <= 1:
            runs[-1].append(piece)
        else:
            runs.append([piece])
    return [text[run[0].start : run[-1].end] for run in runs if not all(piece.tags[0] == "SN" for piece in run)]


def _covered(reading: Reading) -> set[int]:
    spans = [(found.start, found.end) for found in reading.amounts]
    spans += [(found.start, found.end) for found in reading.quantities]
    spans += [(found.start, found.end) for found in reading.order_ids]
    spans += [(found.start_at, found.end_at) for found in reading.dates]
    return {place for start, end in spans for place in range(start, end)}
