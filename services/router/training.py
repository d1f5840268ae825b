"""`python -m services.router.training`: fits the scope voter's model on the catalog's utterances and writes it.

The fit is exact (one linear system), so that the same texts give the same model; it takes about 20 s. It prints how
often a text is told right by a model that was fitted on all the others.
"""

from __future__ import annotations

import io
import math
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from services.catalog.loader import Catalog, catalog
from services.catalog.reading import read_question
from services.catalog.spoken import utterances
from services.router.facts import understand
from services.router.features import Seen, seen
from services.router.masking import Masker
from services.router.scope_model import FILE, MEANING_WEIGHT, Names, ScopeModel, digests_of
from services.text.encoder import DIMENSIONS, encode, numeric

if TYPE_CHECKING:
    from numpy import ndarray

_DAY: Final = datetime(2026, 1, 15, tzinfo=UTC)
"""Any day will do: of an utterance's dates only that they are there counts."""
_TEXTS_MIN: Final = 2
"""A letter run or stem of fewer texts is left out."""
_RIDGE: Final = 0.5
_HALVED_FROM: Final = 128
_TEMPERATURES: Final = (4.0, 6.0, 8.0, 10.0, 12.0, 15.0, 18.0)


@dataclass(frozen=True)
class Fit:
    """A fitted head with how good it is on texts that it was not fitted on."""

    weights: ndarray
    """Columns by intents."""
    temperature: float
    """The one under which the left-out texts are least surprising."""
    accuracy: float
    """The share of left-out texts that are told right."""


def fitted(known: Catalog) -> tuple[ScopeModel, Fit, Fit]:
    """Return the model with its two heads: by letters, and whole."""
    np = numeric()
    texts = utterances(known)
    names, columns, vectors = _shown(known, [text for _, text in texts])
    intents = tuple(sorted({intent for intent, _ in texts}))
    labels = np.array([intents.index(intent) for intent, _ in texts])
    likeness = _likeness(columns)
    letters = _fit((columns,), likeness, labels)
    likeness += _likeness(vectors)
    whole = _fit((columns, vectors), likeness, labels)
    model = ScopeModel(
        intents=intents,
        names=names,
        letters_weights=letters.weights.astype(np.float16),
        letters_temperature=letters.temperature,
        whole_weights=whole.weights.astype(np.float16),
        whole_temperature=whole.temperature,
        digests=digests_of(texts),
    )
    return model, letters, whole


def packed(model: ScopeModel) -> bytes:
    """Return the file of a model."""
    np = numeric()
    texts = {
        "intents": model.intents,
        "columns": tuple(model.names.rarity),
        "facts": model.names.facts,
        "digests": tuple(model.digests[intent] for intent in model.intents),
    }
    file = io.BytesIO()
    np.savez_compressed(
        file,
        rarity=np.array(list(model.names.rarity.values()), dtype=np.float32),
        letters_weights=model.letters_weights,
        letters_temperature=np.float32(model.letters_temperature),
        whole_weights=model.whole_weights,
        whole_temperature=np.float32(model.whole_temperature),
        **{name: np.frombuffer("\n".join(lines).encode(), dtype=np.uint8) for name, lines in texts.items()},
    )
    return file.getvalue()


def _shown(known: Catalog, texts: Sequence[str]) -> tuple[Names, ndarray, ndarray]:
    """Return the columns that a model of texts has, what each text has there, and its sentence vector."""
    masker = Masker(known)
    views = [seen(understand(read_question(text, now=_DAY), user_type=""), masker) for text in texts]
    names = _names(views)
    return names, _matrix(names, views), MEANING_WEIGHT * encode([view.wording for view in views])


def _names(views: Sequence[Seen]) -> Names:
    texts = Counter(name for view in views for name in view.counted)
    rarity = {
        name: round(math.log(1 + len(views) / count), 4) for name, count in sorted(texts.items()) if count >= _TEXTS_MIN
    }
    return Names(rarity, tuple(sorted({fact for view in views for fact in view.facts})))


def _matrix(names: Names, views: Sequence[Seen]) -> ndarray:
    np = numeric()
    matrix: ndarray = np.zeros((len(views), len(names.rarity) + len(names.facts)), dtype=np.float32)
    for row, view in enumerate(views):
        columns, values = names.filled(view)
        matrix[row, columns] = values
    return matrix


def _likeness(matrix: ndarray) -> ndarray:
    """Return how alike each two texts are; those of two kinds of columns add up."""
    product: ndarray = matrix @ matrix.T
    return product


def _fit(blocks: Sequence[ndarray], likeness: ndarray, labels: ndarray) -> Fit:
    """Fit a head to blocks of columns, given how alike the texts are by all of them.

    In single precision, and by the Cholesky root, which keeps it: a router that fits does so beside all that it holds.
    """
    np = numeric()
    kinds = int(labels.max()) + 1
    wanted = np.where(np.eye(kinds)[labels] > 0, 1.0, -1.0 / kinds).astype(np.float32)
    ridged = likeness.copy()
    ridged[np.diag_indices_from(ridged)] += _RIDGE
    back = root_inverted(ridged)
    duals = back.T @ (back @ wanted)
    # What a model fitted without a text says of that text, in closed form.
    left_out = wanted - duals / np.einsum("ij,ij->j", back, back)[:, None]
    accuracy = float((left_out.argmax(axis=1) == labels).mean())
    temperature = min(_TEMPERATURES, key=lambda one: _surprise(left_out * one, labels))
    return Fit(np.vstack([block.T @ duals for block in blocks]), temperature, accuracy)


def root_inverted(matrix: ndarray) -> ndarray:
    """Return the inverse of the Cholesky root of a symmetric, positive matrix; by halves: the library copies it."""
    np = numeric()
    half = len(matrix) // 2
    back: ndarray = np.zeros_like(matrix)
    if len(matrix) <= _HALVED_FROM:
        back[:] = np.linalg.inv(np.linalg.cholesky(matrix))
        return back
    first = back[:half, :half] = root_inverted(matrix[:half, :half])
    across = matrix[half:, :half] @ first.T
    second = back[half:, half:] = root_inverted(matrix[half:, half:] - across @ across.T)
    back[half:, :half] = -second @ (across @ first)
    return back


def _surprise(sums: ndarray, labels: ndarray) -> float:
    np = numeric()
    sums = sums - sums.max(axis=1, keepdims=True)
    logs = sums - np.log(np.exp(sums).sum(axis=1, keepdims=True))
    return float(-logs[np.arange(len(labels)), labels].mean())


def main() -> None:
    """Fit and write."""
    model, letters, whole = fitted(catalog())
    path = Path(__file__).with_name(FILE)
    path.write_bytes(packed(model))
    sys.stdout.write(
        f"{path.name}: {len(model.intents)} intents, {len(model.names.rarity)} columns, "
        f"left-out accuracy {letters.accuracy:.3f} by letters, {whole.accuracy:.3f} whole (vectors of {DIMENSIONS})\n"
    )


if __name__ == "__main__":
    main()
