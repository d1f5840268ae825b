"""`python -m services.domains.realty.asks.law_vectors`: encodes the examples of law.yaml and law_by_examples.yaml.

The vectors ship with the package, so that no question waits for some hundred sentences to be encoded; where the examples
were changed since, they are encoded anew, once a process.
"""

from __future__ import annotations

import hashlib
import io
import sys
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Final

from services.text.encoder import ENCODER, encode, numeric

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy import ndarray

FILE: Final = "law_examples.npz"
"""Where the vectors lie, in this package."""


def digest_of(texts: Sequence[str]) -> str:
    """Return what tells one set of examples and encoder from another."""
    return hashlib.sha256("\n".join((ENCODER, *texts)).encode()).hexdigest()


def vectors_of(texts: Sequence[str]) -> ndarray:
    """Return the vectors of examples, a row each: those that ship where they are of these texts."""
    np = numeric()
    file = resources.files(__package__).joinpath(FILE)
    if file.is_file():
        with np.load(io.BytesIO(file.read_bytes())) as held:
            if bytes(held["digest"]).decode() == digest_of(texts):
                vectors: ndarray = held["vectors"].astype(np.float32)
                return vectors
    return encode(texts)


def main() -> None:
    """Encode the examples and write their vectors."""
    from services.domains.realty.asks.law_situations import example_texts  # noqa: PLC0415 - it reads what this writes

    np, texts = numeric(), example_texts()
    digest = np.frombuffer(digest_of(texts).encode(), dtype=np.uint8)
    file = io.BytesIO()
    np.savez_compressed(file, vectors=encode(texts).astype(np.float16), digest=digest)
    Path(__file__).with_name(FILE).write_bytes(file.getvalue())
    sys.stdout.write(f"{FILE}: {len(texts)} examples\n")


if __name__ == "__main__":
    main()
