"""Which of some kinds a text is of, fitted to examples of each: told from all others by meaning and by rare words.

`Likeness` looks for the nearest example and serves many kinds of a few examples; this weighs all examples against each
other and serves some kinds of many, among them one of what is of none. How far the first kind is before the second says
how sure it is. Vectors, words and weights ship as a file and are fitted anew where the examples are new.
"""

from __future__ import annotations

import hashlib
import io
import math
from collections import Counter
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

from services.text.encoder import ENCODER, encode, numeric, shipped
from services.text.likeness import words_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from importlib.resources.abc import Traversable

    from numpy import ndarray

_NARROWNESS: Final = 1.5
"""How fast an example stops to count with the distance of its meaning."""
_WORDS: Final = 0.5
"""What shared words count beside the meaning."""
_RIDGE: Final = 0.2
_REMEMBERED: Final = 64
Weighed = tuple[tuple[str, float], ...]
"""Kinds with how much a text is of each, the likeliest first: 1 plainly, -1 not at all."""


class Meaning:
    """Examples of kinds, and what texts are of."""

    def __init__(self, examples: Mapping[str, Sequence[str]], file: Traversable) -> None:
        """Take what people say by kind, and the file that the fitted weights ship in."""
        self.kinds = tuple(examples)
        """The kinds in the order of the weights."""
        self.texts = tuple(text for texts in examples.values() for text in texts)
        """All examples in the order of their vectors."""
        self._owners = [kind for kind, texts in examples.items() for _ in texts]
        self._file = file
        self.of = lru_cache(maxsize=_REMEMBERED)(self._of)
        """Return the kinds with how much a text is of each, the likeliest first; blocks, so call it in a thread."""

    def _of(self, text: str) -> Weighed:
        vectors, words, weights = self._fitted
        near = self._nearness(encode([text]), [words_of(text)], vectors, words)
        scored = zip(self.kinds, (float(one) for one in (near @ weights)[0]), strict=True)
        return tuple(sorted(scored, key=lambda one: -one[1]))

    def said(self, *, but: str) -> tuple[str, ...]:
        """Return the examples of all kinds but one."""
        return tuple(text for owner, text in zip(self._owners, self.texts, strict=True) if owner != but)

    @cached_property
    def digest(self) -> str:
        """What tells these examples and the encoder from others."""
        said = (f"{kind}\t{text}" for kind, text in zip(self._owners, self.texts, strict=True))
        return hashlib.sha256("\n".join((ENCODER, *said)).encode()).hexdigest()

    @property
    def ships(self) -> bool:
        """Whether the file is of these examples."""
        return self._shipped() is not None

    def packed(self) -> bytes:
        """Return the file of vectors, words and weights, fitted to the examples."""
        np, file = numeric(), io.BytesIO()
        vectors, words, weights = self._anew()
        np.savez_compressed(
            file,
            vectors=vectors.astype(np.float16),
            weights=weights.astype(np.float32),
            words=np.array([" ".join(sorted(one)) for one in words]),
            digest=np.frombuffer(self.digest.encode(), dtype=np.uint8),
        )
        return file.getvalue()

    @cached_property
    def _fitted(self) -> tuple[ndarray, list[frozenset[str]], ndarray]:
        return self._shipped() or self._anew()

    def _shipped(self) -> tuple[ndarray, list[frozenset[str]], ndarray] | None:
        held = shipped(self._file, self.digest)
        if held is None:
            return None
        words = [frozenset(str(one).split()) for one in held["words"]]
        return held["vectors"].astype("float32"), words, held["weights"]

    def _anew(self) -> tuple[ndarray, list[frozenset[str]], ndarray]:
        """Return vectors, words and weights by ridge regression: each kind against all others."""
        np = numeric()
        vectors, words = encode(self.texts), [words_of(text) for text in self.texts]
        near = self._nearness(vectors, words, vectors, words).astype(np.float64)
        wanted = np.array([[1.0 if owner == kind else -1.0 for kind in self.kinds] for owner in self._owners])
        return vectors, words, np.linalg.solve(near + _RIDGE * np.eye(len(words)), wanted)

    def _nearness(
        self, rows: ndarray, said: Sequence[frozenset[str]], vectors: ndarray, words: Sequence[frozenset[str]]
    ) -> ndarray:
        """Return how near each row is to each example: what it means, and the rare words that both say."""
        np = numeric()
        rarity = _rarity(words)
        shared = np.array([[_shared(one, other, rarity) for other in words] for one in said])
        near: ndarray = np.exp(_NARROWNESS * (rows @ vectors.T - 1)) + _WORDS * shared
        return near


def _rarity(words: Sequence[frozenset[str]]) -> dict[str, float]:
    having = Counter(word for one in words for word in one)
    return {word: math.log(1 + len(words) / count) ** 2 for word, count in having.items()}


def _shared(one: frozenset[str], other: frozenset[str], rarity: Mapping[str, float]) -> float:
    """Return the cosine of two sets of words, the rarer the heavier; one that no example has is the rarest."""
    unknown = math.log(1 + len(rarity)) ** 2
    mine, theirs = (sum(rarity.get(word, unknown) for word in words) for words in (one, other))
    both = sum(rarity.get(word, unknown) for word in one & other)
    return both / math.sqrt(mine * theirs) if mine and theirs else 0.0
