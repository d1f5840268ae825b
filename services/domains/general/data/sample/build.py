"""The data set of the glossary."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from services.domains.general.data.sample.glossary import glossary_block, glossary_documents
from services.plugin.data.sample import Block, Given

DATASETS: Final = 1
"""How many there are."""


def blocks(given: Given) -> Iterator[Block]:
    """Yield the glossary's terms."""
    yield replace(glossary_block(given.hour), documents={"glossary": glossary_documents()})
