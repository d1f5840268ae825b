"""How alike two utterances are: cosine over weighted letter runs and words, in both languages, without a model.

Two or three letters that follow each other carry Korean stems through their endings and most spelling slips; whole
stems carry English. A run that many examples share weighs little (inverse document frequency).
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from services.text.morphemes import morphemes
from services.text.normalise import normalise
from services.text.words import words

_RUN_LENGTHS = (2, 3)
_STEM_WEIGHT = 2.0


class ExampleIndex:
    """Examples with their labels, asked for the likeness of a new utterance to each label."""

    def __init__(self, examples: Sequence[tuple[str, str]]) -> None:
        """Take (label, utterance) pairs."""
        counted = [(label, _features(utterance)) for label, utterance in examples]
        seen = Counter(feature for _, features in counted for feature in features)
        self._rarity = {feature: math.log(1 + len(counted) / count) for feature, count in seen.items()}
        self._unseen = math.log(1 + len(counted))
        self._labels = [label for label, _ in counted]
        self._postings: dict[str, list[tuple[int, float]]] = {}
        for place, (_, features) in enumerate(counted):
            for feature, weight in self._unit(features).items():
                self._postings.setdefault(feature, []).append((place, weight))

    def likeness(self, utterance: str) -> dict[str, float]:
        """Return by label the greatest cosine, 0 to 1, of any of its examples with the utterance."""
        cosines = [0.0] * len(self._labels)
        postings = self._postings
        for feature, asked in self._unit(_features(utterance)).items():
            if feature in postings:
                for place, weight in postings[feature]:
                    cosines[place] += asked * weight
        best: dict[str, float] = {}
        for label, cosine in zip(self._labels, cosines, strict=True):
            best[label] = max(best.get(label, 0.0), cosine)
        return best

    def _unit(self, features: dict[str, float]) -> dict[str, float]:
        weighted = {name: count * self._rarity.get(name, self._unseen) for name, count in features.items()}
        length = math.sqrt(sum(weight * weight for weight in weighted.values())) or 1.0
        return {name: weight / length for name, weight in weighted.items()}


def _features(utterance: str) -> dict[str, float]:
    text = normalise(utterance)
    letters = "".join(mark for mark in text.lower() if mark.isalnum())
    counts: Counter[str] = Counter(_runs(letters))
    features = {run: 1.0 + math.log(count) for run, count in counts.items()}
    features.update({f"={stem}": _STEM_WEIGHT for stem in _stems(text)})
    return features


def _runs(letters: str) -> Iterable[str]:
    for length in _RUN_LENGTHS:
        yield from (letters[at : at + length] for at in range(len(letters) - length + 1))


def _stems(text: str) -> set[str]:
    korean = {piece.lemma for piece in morphemes(text) if piece.is_content and not piece.surface.isascii()}
    return korean | {word.stems[-1] for word in words(text) if word.surface.isascii()}
