"""The scope voter's model: a linear one over what an utterance shows, fitted by `training.py` on the catalog's texts.

letters   runs of letters, stems and facts alone: 1 ms, for the question whose words already say the same
whole     the same and the sentence vector (3 ms, and 1.7 s once a process): for the question that words leave open

Both are ridge regressions in closed form, one of the intents against the rest, whose sums a temperature turns into
shares. The file holds the digest of the texts that it was fitted on, by intent; a test compares them with the tree's.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Final

from services.router.features import Seen
from services.text.encoder import ENCODER, arrays, numeric

if TYPE_CHECKING:
    from numpy import ndarray

FILE: Final = "scope.npz"
"""Where the fitted model lies, in this package."""
FACT_WEIGHT: Final = 0.3
"""What a fact counts beside letter runs and stems, whose weights have length 1 together."""
MEANING_WEIGHT: Final = 1.5
"""What the sentence vector counts, whose own length is 1."""


@dataclass(frozen=True)
class Names:
    """The columns of the model, in order."""

    rarity: Mapping[str, float]
    """Weight by letter run and stem that more than one text has: the rarer, the more."""
    facts: tuple[str, ...]
    """Facts."""

    @functools.cached_property
    def places(self) -> dict[str, int]:
        """The column of each letter run and stem."""
        return {name: place for place, name in enumerate(self.rarity)}

    def filled(self, seen: Seen) -> tuple[list[int], list[float]]:
        """Return the columns of an utterance that are not nought, and their values."""
        weighed = {name: count * self.rarity[name] for name, count in seen.counted.items() if name in self.rarity}
        length = sum(weight * weight for weight in weighed.values()) ** 0.5 or 1.0
        columns = [self.places[name] for name in weighed]
        values = [weight / length for weight in weighed.values()]
        for place, fact in enumerate(self.facts, start=len(self.rarity)):
            if fact in seen.facts:
                columns.append(place)
                values.append(FACT_WEIGHT)
        return columns, values


@dataclass(frozen=True)
class ScopeModel:
    """The fitted model."""

    intents: tuple[str, ...]
    """The intents that it tells apart."""
    names: Names
    """Its columns."""
    letters_weights: ndarray
    """Columns by intents."""
    letters_temperature: float
    """What the sums are multiplied by."""
    whole_weights: ndarray
    """Columns, then the sentence vector, by intents."""
    whole_temperature: float
    """As above."""
    digests: Mapping[str, str]
    """Of the texts and the encoder that it was fitted with, by the intent."""

    def serves(self, digests: Mapping[str, str]) -> bool:
        """Tell whether it was fitted on the texts of each of these intents; it may know of more."""
        return digests.items() <= self.digests.items()

    def by_letters(self, seen: Seen) -> dict[str, float]:
        """Return the share of each intent by what the utterance shows; they add up to 1."""
        columns, values = self.names.filled(seen)
        return self._shares(self._sums(self.letters_weights, columns, values), self.letters_temperature)

    def by_meaning(self, seen: Seen, vector: ndarray) -> dict[str, float]:
        """Return the share of each intent, the sentence vector counted in."""
        columns, values = self.names.filled(seen)
        sums = self._sums(self.whole_weights, columns, values)
        sums = sums + MEANING_WEIGHT * vector @ self.whole_weights[-len(vector) :].astype(vector.dtype)
        return self._shares(sums, self.whole_temperature)

    @staticmethod
    def _sums(weights: ndarray, columns: list[int], values: list[float]) -> ndarray:
        np = numeric()
        sums: ndarray = np.asarray(values, dtype=np.float32) @ weights[columns].astype(np.float32)
        return sums

    def _shares(self, sums: ndarray, temperature: float) -> dict[str, float]:
        np = numeric()
        powers = np.exp((sums - sums.max()) * temperature)
        return dict(zip(self.intents, (powers / powers.sum()).tolist(), strict=True))


def digests_of(texts: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Return what tells the texts of each intent, and the encoder, from others."""
    by_intent: dict[str, list[str]] = {}
    for intent, text in texts:
        by_intent.setdefault(intent, [ENCODER]).append(text)
    return {intent: hashlib.sha256("\n".join(said).encode()).hexdigest() for intent, said in sorted(by_intent.items())}


@functools.lru_cache(maxsize=1)
def scope_model() -> ScopeModel:
    """Return the model that ships with hapju; the first call reads it (30 ms, and numpy)."""
    return unpacked(resources.files("services.router").joinpath(FILE).read_bytes())


def unpacked(content: bytes) -> ScopeModel:
    """Return the model of a file.

    Raises:
        ValueError, KeyError, zipfile.BadZipFile: The file holds no model.
    """
    held = arrays(content)
    texts = {name: bytes(held[name]).decode().split("\n") for name in ("intents", "columns", "facts", "digests")}
    return ScopeModel(
        intents=tuple(texts["intents"]),
        names=Names(dict(zip(texts["columns"], held["rarity"].tolist(), strict=True)), tuple(texts["facts"])),
        letters_weights=held["letters_weights"],
        letters_temperature=float(held["letters_temperature"]),
        whole_weights=held["whole_weights"],
        whole_temperature=float(held["whole_temperature"]),
        digests=dict(zip(texts["intents"], texts["digests"], strict=True)),
    )
