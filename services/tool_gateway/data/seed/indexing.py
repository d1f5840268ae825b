"""The children of a seed that make the index of what is searched, from documents that were generated before.

    python -m services.tool_gateway.data.seed.indexing words FOLDER      by the dictionary that takes texts apart
    python -m services.tool_gateway.data.seed.indexing vectors FOLDER    by the sentence encoder

Either takes more memory than all rows, and they are loaded one after the other where nothing else is; neither knows a
database.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from services.plugin.data.sample import Document, Row
from services.tool_gateway.data.seed.parcels import Preparation
from services.tool_gateway.search.index import index_vectors, index_words


def main() -> None:
    """Make the part of the index that the arguments name, of each collection of documents in their folder."""
    part, folder = sys.argv[1:]
    preparation = Preparation(Path(folder))
    preparation.write_index(part, _indices(part, preparation))
    sys.stdout.write('{"indexed": true}\n')


def _indices(part: str, preparation: Preparation) -> Iterator[tuple[str, Mapping[str, Sequence[Row]]]]:
    made = {"words": index_words, "vectors": _vectors}[part]
    for collection, documents in preparation.documents():
        yield collection, made(collection, documents)


def _vectors(collection: str, documents: Sequence[Document]) -> dict[str, list[Row]]:
    return {"search_vectors": index_vectors(collection, documents)}


if __name__ == "__main__":
    main()
