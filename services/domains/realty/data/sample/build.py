"""The data sets of real estate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from services.domains.realty.data.sample.law import law_block, law_documents
from services.domains.realty.data.sample.lending import lending_block
from services.domains.realty.data.sample.listings import listings_block
from services.plugin.data.sample import Block, Given

DATASETS: Final = 3
"""How many there are."""


def blocks(given: Given) -> Iterator[Block]:
    """Yield homes on offer, loans and programmes, and law."""
    yield listings_block(given.built["sample_realty"], given.minute)
    yield lending_block(given.hour)
    yield replace(law_block(given.hour), documents={"law": law_documents()})
