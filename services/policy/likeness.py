"""The voter of examples: is a question like what is refused, or like what only sounds so (examples.yaml)?

One ridge regression tells each kind of what is refused from all else: from what only sounds like it, and from what
people ask of the domains. It reads a question's meaning and the pieces of its words: meaning tells what a question is
about, pieces tell who does it, or suffered it, or asks what the law says. Pieces alone tell first whether a question
has to be read at all. `python -m services.policy.likeness` fits the weights, which ship with the package.
"""

from __future__ import annotations

import io
import sys
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal
from zlib import crc32

from pydantic import RootModel

from services.catalog.loader import catalog
from services.catalog.spoken import utterances
from services.contract.asks import AskForm
from services.contract.policy import PolicyTag
from services.plugin.asks.forms import forms_in
from services.plugin.documents import read_model
from services.plugin.installed import installed_domains
from services.text.encoder import ENCODER, arrays, encode, numeric
from services.text.pieces import rarity, spelt

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable

    from numpy import ndarray

CORE_FILE: Final = "examples.yaml"
"""What is refused whatever the business."""
DOMAIN_FILE: Final = "policy_examples.yaml"
"""What a domain adds, in its folder."""
FILE: Final = "examples.npz"
"""The weights."""
REFUSED: Final = "refused"
_MAY_BE: Final = -1.5
"""From this on pieces may be those of what is refused: of 36 in 100 questions the meaning is read as well."""
_IS_LIKE: Final = -0.19
"""From this on a question is refused: 2 of 6,892 harmless questions of the project's rows and laws are."""
_IS_UNLIKE: Final = -2.4
"""Below this a message stands against a rule of words."""
_ASKS_UNLIKE: Final = -1.65
"""Below this one does that asks whether or how something may be done, as who was wronged does."""
_ASKS: Final = frozenset({AskForm.VERDICT, AskForm.PROCEDURE})
_RIDGE: Final = 0.3
_PIECES: Final = 0.63
"""What the pieces of words count beside the meaning."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What the examples say of a question."""

    refused: PolicyTag | None
    """The kind of what is refused that it is like; None where it is like none."""
    is_let_off: bool
    """Whether it is like what only sounds so."""


@dataclass(frozen=True)
class VoterWeights:
    """What meaning and pieces weigh; a column a kind of what is refused, the last one all else."""

    tags: tuple[str, ...]
    """The kinds in the order of the columns."""
    rare: ndarray
    """How rare the pieces of each place are."""
    pieces: ndarray
    """What each place weighs where the pieces alone are read."""
    whole: ndarray
    """What the meaning, then each place weighs where both are."""
    known: frozenset[int]
    """The digests of the files of examples that they were fitted to."""

    def ahead(self, row: ndarray, weights: ndarray) -> tuple[str, float]:
        """Return the kind that a question is nearest to, and how far that is ahead of all else."""
        scores = (row @ weights).tolist()
        best = max(range(len(self.tags)), key=scores.__getitem__)
        return self.tags[best], scores[best] - scores[-1]


class _Examples(RootModel[dict[PolicyTag, dict[Literal["refused", "allowed"], list[list[str]]]]]):
    """A file of examples: lists of texts by tag and side."""


def is_suspicious(text: str) -> bool:
    """Tell whether a question may be of what is refused, so that its meaning has to be looked at."""
    weights = _weights()
    return weights.ahead(spelt([text], weights.rare)[0], weights.pieces)[1] > _MAY_BE


def opinion(text: str) -> Opinion:
    """Return what the examples say of a question."""
    np, weights = numeric(), _weights()
    row = np.hstack([encode([text])[0], _PIECES * spelt([text], weights.rare)[0]])
    tag, ahead = weights.ahead(row, weights.whole)
    bound = _ASKS_UNLIKE if _ASKS & set(forms_in(text)) else _IS_UNLIKE
    return Opinion(PolicyTag(tag) if ahead > _IS_LIKE else None, is_let_off=ahead < bound)


@cache
def examples() -> tuple[tuple[str, str], ...]:
    """Return the examples of the core and of the installed domains: text and tag, empty for what is allowed."""
    return tuple(
        (text, tag if side == REFUSED else "")
        for file in _files()
        for tag, sides in read_model(file, _Examples).root.items()
        for side, texts in sides.items()
        for line in texts
        for text in line
    )


def _files() -> tuple[Traversable, ...]:
    own = (one.folder / DOMAIN_FILE for one in installed_domains())
    return tuple(one for one in (resources.files("services.policy").joinpath(CORE_FILE), *own) if one.is_file())


def digests() -> frozenset[int]:
    """Return what tells these files of examples and the encoder from others; none of them is parsed for it."""
    return frozenset(crc32(file.read_bytes(), crc32(ENCODER.encode())) for file in _files())


def prepare() -> None:
    """Have the weights at hand: those of a domain that brings examples of its own take half a minute to fit."""
    _weights()


@cache
def _weights() -> VoterWeights:
    """Return the weights that ship where they were fitted to every installed example, else new ones."""
    held = shipped()
    return held if held is not None and digests() <= held.known else fitted()


def shipped() -> VoterWeights | None:
    """Return the weights that ship with the package; None where none do."""
    file = resources.files("services.policy").joinpath(FILE)
    if not file.is_file():
        return None
    np, held = numeric(), arrays(file.read_bytes())
    rare, pieces, whole = (held[name].astype(np.float32) for name in ("rare", "pieces", "whole"))
    tags = tuple(bytes(held["tags"]).decode().split())
    return VoterWeights(tags, rare, pieces, whole, frozenset(held["known"].tolist()))


def _texts() -> Iterator[tuple[str, str]]:
    """Yield all texts once: the examples, and what people ask of the installed domains."""
    told = dict(examples())
    yield from told.items()
    asked = (text for text in (*(text for _, text in utterances(catalog())), *_wordings()))
    yield from ((text, "") for text in dict.fromkeys(asked) if text not in told)


def _wordings() -> Iterator[str]:
    """Yield what people ask by what the domains' own readers are fitted to."""
    for domain in installed_domains():
        wordings = getattr(domain.module("asks"), "WORDINGS", None)
        yield from wordings() if wordings is not None else ()


def fitted() -> VoterWeights:
    """Return the weights, fitted to the examples and to what people ask."""
    np = numeric()
    texts, owners = zip(*_texts(), strict=True)
    tags = tuple(tag.value for tag in PolicyTag if tag in owners)
    wanted = np.array([[1.0 if owner == tag else -1.0 for tag in (*tags, "")] for owner in owners])
    rare = rarity(texts)
    rows = spelt(texts, rare)

    def weighed(columns: ndarray) -> ndarray:
        near = (columns @ columns.T).astype(np.float64) + _RIDGE * np.eye(len(texts))
        found: ndarray = (columns.T @ np.linalg.solve(near, wanted)).astype(np.float32)
        return found

    return VoterWeights(tags, rare, weighed(rows), weighed(np.hstack([encode(texts), _PIECES * rows])), digests())


def packed() -> bytes:
    """Return the file of the weights."""
    np, file, weights = numeric(), io.BytesIO(), fitted()
    np.savez_compressed(
        file,
        rare=weights.rare.astype(np.float16),
        pieces=weights.pieces.astype(np.float16),
        whole=weights.whole.astype(np.float16),
        tags=np.frombuffer(" ".join(weights.tags).encode(), dtype=np.uint8),
        known=np.array(sorted(weights.known), dtype=np.uint32),
    )
    return file.getvalue()


def main() -> None:
    """Fit the weights and write them."""
    Path(__file__).with_name(FILE).write_bytes(packed())
    sys.stdout.write(f"{FILE}: {len(examples())} examples\n")


if __name__ == "__main__":
    main()
