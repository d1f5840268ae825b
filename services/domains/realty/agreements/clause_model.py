"""Which defect a passage comes near to by its meaning: clause_examples.yaml, and fair clauses beside them.

Facets read what a passage says, word by word; this reads it whole, so that a defect is found in words that no facet
knows. Each kind, and what is fair, is told from all others by a ridge regression over the examples, each of which counts
by the nearness of its sentence vector, by the facets that it shares and by the pieces of its words: meaning tells what a
clause is about, facets tell who bears it and whether it is denied, and pieces hold the endings that turn it round. A kind
counts by how far it is ahead of what is fair. All that is fitted ships as a file and is made anew where the examples are.
"""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Final

from services.domains.realty.agreements.clause_frames import framed
from services.domains.realty.agreements.facets import facets, said
from services.domains.realty.agreements.passages import Passage
from services.plugin.documents import read_yaml
from services.text.encoder import ENCODER, encode, numeric, shipped
from services.text.pieces import rarity as pieces_rarity
from services.text.pieces import spelt

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy import ndarray

FILE: Final = "clause_model.npz"
"""Vectors and weights; `python -m services.domains.realty.agreements.clause_model` writes them."""
FAIR: Final = "fair"
_PACKAGE: Final = "services.domains.realty.agreements"
_NARROWNESS: Final = 2.5
"""How fast an example stops to count with the distance of its meaning."""
_RIDGE: Final = 0.1
_FACETS: Final = 0.6
"""How fast an example stops to count with the facets that a passage does not share with it."""
_PIECES: Final = 0.4
"""What the pieces of words count that a passage shares with an example."""
_PASSAGES_MAX: Final = 100
"""How many passages of a text are read; a longer one is read by its facets alone from there on."""
_CHARS_MAX: Final = 240
"""How much of a passage is read: a clause has said what it does by then."""


def likeness(passages: Sequence[Passage]) -> list[Mapping[str, float]]:
    """Return for each passage how far what each kind of defect does is ahead of what is fair: below 0 it is fair."""
    read = list(dict.fromkeys(_cut(one) for one in passages))[:_PASSAGES_MAX]
    if not read:
        return []
    model = _model()
    shared = _rows([said(Passage("", one)) for one in read], model.names, model.rarity)
    rows = _nearness(encode(read), model.vectors, shared, model.said) @ model.weights
    rows = rows + _PIECES * (spelt(read, model.rare) @ model.spelt)
    scored = ({kind: float(row[at] - row[-1]) for at, kind in enumerate(kinds())} for row in rows)
    found: dict[str, Mapping[str, float]] = dict(zip(read, scored, strict=True))
    return [found.get(_cut(one), {}) for one in passages]


def _cut(passage: Passage) -> str:
    return passage.parties[:_CHARS_MAX]


@dataclass(frozen=True)
class _Model:
    """The examples as rows of vectors and of facets, and what each weighs for each kind and for what is fair."""

    vectors: ndarray
    """A row an example: its meaning."""
    said: ndarray
    """A row an example: its facets, each by its rarity."""
    names: tuple[str, ...]
    """The facets in the order of their columns."""
    rarity: ndarray
    """How rare each is."""
    weights: ndarray
    """A row an example; a column a kind, the last one what is fair."""
    rare: ndarray
    """How rare the pieces of each place are."""
    spelt: ndarray
    """What a piece of each place weighs for each kind, and for what is fair."""


@cache
def examples() -> Mapping[str, tuple[str, ...]]:
    """Return what clauses say, by kind of defect; fair ones under FAIR."""
    document = read_yaml(_PACKAGE, "clause_examples.yaml")
    if not isinstance(document, dict):
        raise TypeError("clause_examples.yaml maps kinds to clauses")
    put_together = framed(FAIR)
    return {str(name): (*map(str, texts), *put_together.get(str(name), ())) for name, texts in document.items()}


@cache
def kinds() -> tuple[str, ...]:
    """Return the kinds of defects in the order of the weights."""
    return tuple(name for name in examples() if name != FAIR)


@cache
def _model() -> _Model:
    """Return the examples with what each weighs for each kind."""
    held = shipped(resources.files(_PACKAGE).joinpath(FILE), digest())
    if held is None:
        return fitted()
    rows = (held[name].astype(numeric().float32) for name in ("vectors", "said", "rarity", "weights", "rare", "spelt"))
    vectors, shared, rarity, weights, rare, spelt = rows
    return _Model(vectors, shared, tuple(bytes(held["names"]).decode().split()), rarity, weights, rare, spelt)


def digest() -> str:
    """Return what tells these examples, the facets and the encoder from others."""
    told = (f"{name}\t{text}" for name, texts in examples().items() for text in texts)
    words = (f"{name}\t{pattern}" for name, pattern in facets().items())
    return hashlib.sha256("\n".join((ENCODER, *words, *told)).encode()).hexdigest()


def fitted() -> _Model:
    """Return the examples and their weights, fitted to them."""
    np = numeric()
    owners = [name for name, texts in examples().items() for _ in texts]
    texts = [Passage("", text.rstrip(".")).parties for texts in examples().values() for text in texts]
    vectors, told = encode(texts), [said(Passage("", text)) for text in texts]
    names = tuple(sorted(frozenset().union(*told)))
    having = np.array([sum(name in one for one in told) for name in names], dtype=np.float32)
    rarity = np.log((1 + len(texts)) / (1 + having)).astype(np.float32)
    shared = _rows(told, names, rarity)
    rare = pieces_rarity(texts)
    rows = spelt(texts, rare)
    near = (_nearness(vectors, vectors, shared, shared) + _PIECES * (rows @ rows.T)).astype(np.float64)
    wanted = np.array([[1.0 if owner == kind else -1.0 for kind in (*kinds(), FAIR)] for owner in owners])
    weights = np.linalg.solve(near + _RIDGE * np.eye(len(texts)), wanted).astype(np.float32)
    return _Model(vectors, shared, names, rarity, weights, rare, rows.T @ weights)


def _rows(told: Sequence[frozenset[str]], names: Sequence[str], rarity: ndarray) -> ndarray:
    """Return the facets of texts as rows of length 1, each facet by its rarity."""
    np = numeric()
    rows = np.array([[name in one for name in names] for one in told], dtype=np.float32) * rarity
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    found: ndarray = rows / np.where(lengths == 0, 1, lengths)
    return found


def _nearness(rows: ndarray, vectors: ndarray, shared: ndarray, told: ndarray) -> ndarray:
    """Return how near each passage is to each example, 1 where both meaning and facets are the same."""
    found: ndarray = numeric().exp(_NARROWNESS * (rows @ vectors.T - 1) + _FACETS * (shared @ told.T - 1))
    return found


def packed() -> bytes:
    """Return the file of the examples' vectors, facets and weights."""
    np, file, model = numeric(), io.BytesIO(), fitted()
    np.savez_compressed(
        file,
        vectors=model.vectors.astype(np.float16),
        said=model.said.astype(np.float16),
        rarity=model.rarity,
        weights=model.weights.astype(np.float32),
        rare=model.rare,
        spelt=model.spelt.astype(np.float16),
        names=np.frombuffer(" ".join(model.names).encode(), dtype=np.uint8),
        digest=np.frombuffer(digest().encode(), dtype=np.uint8),
    )
    return file.getvalue()


def main() -> None:
    """Fit the weights and write them."""
    from pathlib import Path  # noqa: PLC0415 - for the command alone

    Path(__file__).with_name(FILE).write_bytes(packed())


if __name__ == "__main__":
    main()
