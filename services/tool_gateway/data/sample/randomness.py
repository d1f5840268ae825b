"""Random streams that depend on a name alone, so that adding one series leaves all others as they are."""

from __future__ import annotations

import hashlib

import numpy as np

from services.tool_gateway.data.sample.block import GENERATOR_SEED


def stream(name: str) -> np.random.Generator:
    """Return the generator of the stream called `name`; equal names give equal numbers in every run."""
    digest = hashlib.sha256(f"{GENERATOR_SEED}/{name}".encode()).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest[:8], "big")))
