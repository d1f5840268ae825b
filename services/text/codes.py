"""Order numbers and product codes."""

import re

from services.text.claims import Claims
from services.text.entities import Code

_ORDER_ID = re.compile(r"(?<![A-Za-z0-9])(?:ORD|ORDER|OD)-?[0-9]{4,}(?:-[0-9]+)*(?![A-Za-z0-9])", re.IGNORECASE)
_SAID_ORDER_ID = re.compile(
    r"(?:주문\s*(?:번호|ID)(?:는|가|은|이)?|order\s*(?:number|no\.?|id|#|(?=[0-9]{6}))(?:\s+is)?)\s*[:#]?\s*"
    r"(?P<id>[A-Za-z]{0,4}-?[0-9]{4,}(?:-[0-9]+)*)(?![A-Za-z0-9])",
    re.IGNORECASE,
)
_PHONE = re.compile(r"(?<![0-9])0[0-9]{1,2}-[0-9]{3,4}-[0-9]{4}(?![0-9])")
_RESIDENT_NUMBER = re.compile(r"(?<![0-9])[0-9]{6}-[0-9]{7}(?![0-9])")
_CARD_NUMBER = re.compile(r"(?<![0-9])(?:[0-9]{4}-){3}[0-9]{4}(?![0-9])")
# Q3, H1, 3Q and the like are periods; they are left for the dates.
_PRODUCT_CODE = re.compile(
    r"(?<![A-Za-z0-9-])(?:[A-Z]{1,5}-[0-9]{1,6}[A-Z]{0,2}|(?![QH][1-4](?![0-9])|[QH][0-9]\s?(?:of\s)?(?:19|20)[0-9]{2})[A-Z]{1,2}[0-9]{1,5}[A-Z]?)"
    r"(?![A-Za-z0-9-])"
)


def read_order_ids(claims: Claims) -> tuple[Code, ...]:
    """Read order numbers, and take the numbers of phones, cards and residents out of everyone's reach."""
    found = [_code(claims, *match.span()) for match in claims.free_matches(_ORDER_ID)]
    found += [_code(claims, *match.span("id")) for match in claims.free_matches(_SAID_ORDER_ID)]
    for private in (_PHONE, _RESIDENT_NUMBER, _CARD_NUMBER):
        for match in claims.free_matches(private):
            claims.take(*match.span())
    return tuple(sorted(found, key=lambda code: code.start))


def read_product_codes(claims: Claims) -> tuple[Code, ...]:
    """Read product codes and model numbers such as P-1200 or R9, written in capitals."""
    return tuple(_code(claims, *match.span()) for match in claims.free_matches(_PRODUCT_CODE))


def _code(claims: Claims, start: int, end: int) -> Code:
    surface = claims.take(start, end)
    return Code(value=surface.upper(), surface=surface, start=start, end=end)
