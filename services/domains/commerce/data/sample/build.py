"""The data sets of the shop."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from services.domains.commerce.data.sample.commerce import commerce_block
from services.domains.commerce.data.sample.products import product_documents, products_block
from services.plugin.data.sample import Block, Given

DATASETS: Final = 2
"""How many there are."""


def blocks(given: Given) -> Iterator[Block]:
    """Yield products with their offers, then users, sellers and orders."""
    products = products_block(given.hour)
    yield replace(products, documents={"products": product_documents(products)})
    yield commerce_block(given.hour, products)
