"""How near a text is to what people say of each of some kinds: by meaning, and by the rare words that it shares.

Meaning alone takes every text on one subject for alike, words alone miss other wordings; together they tell apart.
Vectors and words of the examples ship as a file, so that nobody waits for them; they are made anew where examples are.
"""

from __future__ import annotations

import hashlib
import io
import math
import re
import zipfile
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, Final

from services.text.encoder import ENCODER, encode, numeric, shipped
from services.text.ko.morphemes import morphemes

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from importlib.resources.abc import Traversable

    from numpy import ndarray

_WEIGHTS: Final = (0.5, 0.3, 0.2)
"""What the meaning counts, the words of the example, and the words of all examples of its kind."""
_MAY_BE: Final = 0.2
"""What of a text's words a kind has to share to be thought of."""
_WORDS_MIN: Final = 2
_SHARED_MIN: Final = 0.05
"""What of a text's words an example has to have before meanings are compared."""
_CONTENT: Final = frozenset({"NNG", "NNP", "VV", "VA", "SL", "XR", "MAG"})
_ENGLISH_STOP: Final = frozenset(
    (
        *("the", "a", "an", "i", "my", "is", "it", "to", "of", "in", "and", "do", "does", "what", "how", "can", "may"),
        *("if", "for", "be", "me", "with", "that", "on", "at", "they", "he", "am"),
    )
)
_STEM: Final = 5
_WORDS_FILE: Final = "words.txt"


class Likeness:
    """Examples of kinds, and how near texts are to them."""

    def __init__(self, examples: Mapping[str, Sequence[str]], file: Traversable) -> None:
        """Take what people say by kind, and the file that the vectors ship in."""
        self._owners = [kind for kind, texts in examples.items() for _ in texts]
        self.texts = [text for texts in examples.values() for text in texts]
        """All examples in the order of their vectors."""
        self._file = file

    @cached_property
    def words(self) -> Sequence[frozenset[str]]:
        """The words of each example: those that ship, for to take a thousand texts apart is a tenth of a start."""
        return self._shipped_words() or [words_of(text) for text in self.texts]

    @cached_property
    def _spoken(self) -> Mapping[str, frozenset[str]]:
        spoken: dict[str, frozenset[str]] = {}
        for kind, words in zip(self._owners, self.words, strict=True):
            spoken[kind] = spoken.get(kind, frozenset()) | words
        return spoken

    @cached_property
    def _rarity(self) -> Mapping[str, float]:
        having = Counter(word for words in self._spoken.values() for word in words)
        return {word: math.log(1 + len(self._spoken) / count) for word, count in having.items()}

    @cached_property
    def _unknown(self) -> float:
        return math.log(1 + 2 * len(self._spoken))

    @cached_property
    def digest(self) -> str:
        """What tells these examples and the encoder from others."""
        return hashlib.sha256("\n".join((ENCODER, *self.texts)).encode()).hexdigest()

    def scores(self, text: str, kinds: Collection[str]) -> dict[str, float]:
        """Return how near a text is to each of some kinds, 0 to about 1; none where it shares no word with any."""
        words = words_of(text)
        whole = self._weight(words) or 1.0
        shared = self._shared(words)
        if max(shared.values(), default=0.0) / whole < _SHARED_MIN:
            return {}
        cosines = (self._vectors @ encode([text])[0]).tolist()
        by_kind = {kind: self._weight(words & self._spoken[kind]) / whole for kind in kinds}
        best: dict[str, float] = {}
        for at, kind in enumerate(self._owners):
            if kind not in by_kind:
                continue
            by_word = shared.get(at, 0.0) / math.sqrt(whole * self._weights[at])
            score = sum(w * v for w, v in zip(_WEIGHTS, (cosines[at], by_word, by_kind[kind]), strict=True))
            best[kind] = max(score, best.get(kind, 0.0))
        return best

    def _shared(self, words: frozenset[str]) -> Mapping[int, float]:
        """Return what the words weigh that a text shares with each example, by the places of those that share any."""
        shared: dict[int, float] = {}
        for word in words:
            for at in self._places.get(word, ()):
                shared[at] = shared.get(at, 0.0) + self._rarity[word] ** 2
        return shared

    @cached_property
    def _places(self) -> Mapping[str, Sequence[int]]:
        places: dict[str, list[int]] = {}
        for at, words in enumerate(self.words):
            for word in words:
                places.setdefault(word, []).append(at)
        return places

    @cached_property
    def _weights(self) -> Sequence[float]:
        return [self._weight(words) or 1.0 for words in self.words]

    def may_be(self, text: str, kinds: Collection[str]) -> bool:
        """Tell whether a text may be of some kinds at all: it shares two words or more with one of them."""
        words = words_of(text)
        least = self._weight(words) * _MAY_BE
        shared = (words & self._spoken[kind] for kind in kinds)
        return any(len(one) >= _WORDS_MIN and self._weight(one) >= least for one in shared)

    def packed(self) -> bytes:
        """Return the file of the examples' vectors and words."""
        np, file = numeric(), io.BytesIO()
        digest = np.frombuffer(self.digest.encode(), dtype=np.uint8)
        np.savez_compressed(file, vectors=encode(self.texts).astype(np.float16), digest=digest)
        lines = (self.digest, *(" ".join(sorted(words_of(text))) for text in self.texts))
        with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as held:
            held.writestr(zipfile.ZipInfo(_WORDS_FILE), "\n".join(lines), zipfile.ZIP_DEFLATED)
        return file.getvalue()

    @property
    def ships(self) -> bool:
        """Whether the file is of these examples."""
        return self._shipped() is not None

    @cached_property
    def _vectors(self) -> ndarray:
        shipped = self._shipped()
        return encode(self.texts) if shipped is None else shipped

    def _shipped(self) -> ndarray | None:
        held = shipped(self._file, self.digest)
        return None if held is None else held["vectors"].astype("float32")

    def _shipped_words(self) -> Sequence[frozenset[str]]:
        if not self._file.is_file():
            return ()
        # numpy would be loaded for the vectors, which few questions are compared with.
        with zipfile.ZipFile(io.BytesIO(self._file.read_bytes())) as held:
            lines = held.read(_WORDS_FILE).decode().split("\n") if _WORDS_FILE in held.namelist() else [""]
        return [frozenset(line.split()) for line in lines[1:]] if lines[0] == self.digest else ()

    def _weight(self, words: frozenset[str]) -> float:
        return sum(self._rarity.get(word, self._unknown) ** 2 for word in words)


def words_of(text: str) -> frozenset[str]:
    """Return the words of a text that carry meaning: Korean stems, the beginnings of English words."""
    korean = {one.lemma for one in morphemes(text) if one.tags[0] in _CONTENT and not one.lemma.isascii()}
    english = {word[:_STEM] for word in re.findall(r"[a-z]+", text.lower()) if word not in _ENGLISH_STOP}
    return frozenset(korean | english)
