"""Order numbers and product codes."""

import re

from services.plugin.entities import Entity, ReadSoFar
from services.text.patterns import Pattern

ORDER_ID = "order_id"
"""The kind of order numbers."""
PRODUCT_CODE = "product_code"
"""The kind of product codes and model numbers."""

_ORDER_ID = Pattern(r"(?<![A-Za-z0-9])(?:ORD|ORDER|OD)-?[0-9]{4,}(?:-[0-9]+)*(?![A-Za-z0-9])", re.IGNORECASE)
_SAID_ORDER_ID = Pattern(
    r"(?:주문\s*(?:번호|ID)(?:는|가|은|이)?|order\s*(?:number|no\.?|id|#|(?=[0-9]{6}))(?:\s+is)?)\s*[:#]?\s*"
    r"(?P<id>[A-Za-z]{0,4}-?[0-9]{4,}(?:-[0-9]+)*)(?![A-Za-z0-9])",
    re.IGNORECASE,
)
# Q3, H1, 3Q and the like are periods; they are left for the dates.
_PRODUCT_CODE = Pattern(
    r"(?<![A-Za-z0-9-])(?:[A-Z]{1,5}-[0-9]{1,6}[A-Z]{0,2}|(?![QH][1-4](?![0-9])|[QH][0-9]\s?(?:of\s)?(?:19|20)[0-9]{2})[A-Z]{1,2}[0-9]{1,5}[A-Z]?)"
    r"(?![A-Za-z0-9-])"
)


def read_order_ids(so_far: ReadSoFar) -> tuple[Entity, ...]:
    """Read order numbers."""
    claims = so_far.claims
    found = [_code(so_far, ORDER_ID, match.span()) for match in claims.free_matches(_ORDER_ID)]
    found += [_code(so_far, ORDER_ID, match.span("id")) for match in claims.free_matches(_SAID_ORDER_ID)]
    return tuple(sorted(found, key=lambda code: code.start))


def read_product_codes(so_far: ReadSoFar) -> tuple[Entity, ...]:
    """Read product codes and model numbers such as P-1200 or R9, written in capitals."""
    found = so_far.claims.free_matches(_PRODUCT_CODE)
    return tuple(_code(so_far, PRODUCT_CODE, match.span()) for match in found)


def _code(so_far: ReadSoFar, kind: str, span: tuple[int, int]) -> Entity:
    words = so_far.claims.take(*span)
    return Entity(kind, words.upper(), words.upper(), words, *span)
