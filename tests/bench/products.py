"""`python -m tests.bench.products URL COUNT`: a database of so many products, at least, with their search index.

A process of its own, because generating loads numeric libraries that no measured process should hold.
"""

import sys
from dataclasses import replace
from datetime import UTC, datetime

from services.domains.commerce.data.sample.products import product_documents, products_block
from services.tool_gateway.data.migrate import upgrade
from services.tool_gateway.data.seed.child import insert_block, searchable
from services.tool_gateway.data.seed.connection import seeding_engine

CATEGORIES = 18


def main(url: str, count: int) -> None:
    """Makes the database."""
    block = products_block(datetime.now(UTC), -(-count // CATEGORIES))
    engine = seeding_engine(url)
    with engine.begin() as connection:
        upgrade(connection)
        documents = {"products": product_documents(block)}
        insert_block(connection, searchable(replace(block, documents=documents)))
    engine.dispose()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
