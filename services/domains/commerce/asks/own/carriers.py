"""What carriers are called in both languages; carriers.yaml lists them."""

from collections.abc import Mapping
from functools import cache

from services.contract.asks import Said
from services.plugin.documents import read_yaml


@cache
def _names() -> Mapping[str, str]:
    document = read_yaml("services.domains.commerce.data", "carriers.yaml")
    return {one["ko"]: one["en"] for one in document} if isinstance(document, list) else {}


def carrier_said(name: str) -> Said:
    """Return a carrier as a reader is told of it; one that the list does not hold keeps its name."""
    return Said(name, _names().get(name, name))
