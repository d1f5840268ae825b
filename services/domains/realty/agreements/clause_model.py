"""Which defect a passage comes near to by its meaning: clause_examples.yaml, and fair clauses beside them.

Facets read what a passage says, word by word; this reads it whole, so that a defect is found in words that no facet
knows. Each kind is told from all others and from fair clauses by a ridge regression over the examples, each of which counts
by the nearness of its sentence vector. Vectors and weights ship as a file and are fitted anew where the examples are new.
"""

from __future__ import annotations

import hashlib
import io
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Final

from services.plugin.documents import read_yaml
from services.text.encoder import ENCODER, encode, numeric

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy import ndarray

FILE: Final = "clause_model.npz"
"""Vectors and weights; `python -m services.domains.realty.agreements.clause_model` writes them."""
FAIR: Final = "fair"
_PACKAGE: Final = "services.domains.realty.agreements"
_NARROWNESS: Final = 1.5
"""How fast an example stops to count with the distance of its meaning."""
_RIDGE: Final = 0.2
_SHARE: Final = 0.6
"""What the examples of a kind weigh together against all others."""
_PASSAGES_MAX: Final = 100
"""How many passages of a text are read; a longer one is read by its facets alone from there on."""
_CHARS_MAX: Final = 240
"""How much of a passage is read: a clause has said what it does by then."""


def likeness(texts: Sequence[str]) -> list[Mapping[str, float]]:
    """Return for each text how much it does what each kind of defect does: -1 not at all, 1 plainly."""
    read = list(dict.fromkeys(text[:_CHARS_MAX] for text in texts))[:_PASSAGES_MAX]
    if not read:
        return []
    vectors, weights = _model()
    rows = _nearness(encode(read), vectors) @ weights
    scored = (dict(zip(kinds(), (float(one) for one in row), strict=True)) for row in rows)
    found: dict[str, Mapping[str, float]] = dict(zip(read, scored, strict=True))
    return [found.get(text[:_CHARS_MAX], {}) for text in texts]


@cache
def examples() -> Mapping[str, tuple[str, ...]]:
    """Return what clauses say, by kind of defect; fair ones under FAIR."""
    document = read_yaml(_PACKAGE, "clause_examples.yaml")
    if not isinstance(document, dict):
        raise TypeError("clause_examples.yaml maps kinds to clauses")
    return {str(name): tuple(map(str, texts)) for name, texts in document.items()}


@cache
def kinds() -> tuple[str, ...]:
    """Return the kinds of defects in the order of the weights."""
    return tuple(name for name in examples() if name != FAIR)


@cache
def _model() -> tuple[ndarray, ndarray]:
    """Return the vectors of the examples and what each weighs for each kind."""
    np, file = numeric(), resources.files(_PACKAGE).joinpath(FILE)
    if file.is_file():
        with np.load(io.BytesIO(file.read_bytes())) as held:
            if bytes(held["digest"]).decode() == digest():
                return held["vectors"].astype(np.float32), held["weights"].astype(np.float32)
    return fitted()


def digest() -> str:
    """Return what tells these examples and the encoder from others."""
    said = (f"{name}\t{text}" for name, texts in examples().items() for text in texts)
    return hashlib.sha256("\n".join((ENCODER, *said)).encode()).hexdigest()


def fitted() -> tuple[ndarray, ndarray]:
    """Return the vectors of the examples and their weights, fitted to them."""
    np = numeric()
    owners = [name for name, texts in examples().items() for _ in texts]
    vectors = encode([text for texts in examples().values() for text in texts])
    near = _nearness(vectors.astype(np.float64), vectors.astype(np.float64))
    columns = []
    for kind in kinds():
        own = np.array([owner == kind for owner in owners])
        weight = np.where(own, (~own).sum() / own.sum() * _SHARE, 1.0)
        columns.append(np.linalg.solve(near + _RIDGE * np.diag(1 / weight), np.where(own, 1.0, -1.0)))
    return vectors, np.stack(columns, axis=1).astype(np.float32)


def _nearness(rows: ndarray, vectors: ndarray) -> ndarray:
    """Return how near each row is to each example, 1 where their meanings are the same."""
    found: ndarray = numeric().exp(_NARROWNESS * (rows @ vectors.T - 1))
    return found


def packed() -> bytes:
    """Return the file of the examples' vectors and weights."""
    np, file = numeric(), io.BytesIO()
    stamp = np.frombuffer(digest().encode(), dtype=np.uint8)
    vectors, weights = fitted()
    np.savez_compressed(file, vectors=vectors.astype(np.float16), weights=weights.astype(np.float32), digest=stamp)
    return file.getvalue()


def main() -> None:
    """Fit the weights and write them."""
    from pathlib import Path  # noqa: PLC0415 - for the command alone

    Path(__file__).with_name(FILE).write_bytes(packed())


if __name__ == "__main__":
    main()
