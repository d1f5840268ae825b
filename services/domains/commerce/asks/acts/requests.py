"""Which act a message asks for, by its words; questions about acting, reports and denials ask for none. Pure."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from services.domains.commerce.asks.acts import parts, said, words
from services.plugin.asks.sheet import Sheet

RETURNS: Final = frozenset({"cancel", "refund", "exchange"})
"""The acts by which something that was bought goes back."""


def kind_of(sheet: Sheet) -> str:
    """Return what a message asks to be done, by its words; empty for nothing, or for two things at once."""
    if sheet.says(words.OF_OTHER_MATTERS) and not sheet.of_kind("order_id"):
        return ""
    found = _apart([kind for kind, says in _KINDS if says(sheet)])
    return found[0] if len(found) == 1 else ""


def _apart(found: Sequence[str]) -> list[str]:
    """Return the kinds without those that another one's words hold."""
    kept = list(found)
    for kind, holds in _HOLDS:
        if kind in kept:
            kept = [one for one in kept if one == kind or one not in holds]
    return kept


_HOLDS: Final = (
    ("recount", frozenset({"add", "remove", "order"})),
    ("add", frozenset({"remove"})),
    ("order", frozenset({"add", "coupon"})),
    ("new_listing", frozenset({"review", "order"})),
    ("listing", frozenset({"new_listing", "order", "add", "remove"})),
    ("review", frozenset({"order", "new_listing"})),
    ("cancel", frozenset({"order"})),
    ("address", frozenset({"order", "exchange", "new_listing"})),
    ("refund", frozenset({"order", "cancel"})),
    ("exchange", frozenset({"order"})),
)


def _order(sheet: Sheet) -> bool:
    if sheet.says(words.ADD_AND):
        return True
    if sheet.says(words.LATER) and sheet.says(words.CART):
        return False
    if sheet.says(words.TO_BUY):
        return False
    pays_cart = sheet.says(words.CART) and bool(parts.method(sheet)) and not words.asks_something(sheet)
    bought = sheet.says(words.PURCHASE) or (_names_goods(sheet) and _is_taken(sheet)) or pays_cart
    return bought and not sheet.says(words.CANCEL) and not sheet.says(r"주문\s?번호|order (?:number|no)")


def _is_taken(sheet: Sheet) -> bool:
    """Tell whether goods that are named are to be had: in words that fetch them, or by how they are paid."""
    if sheet.says(words.CART):
        return False
    if parts.codes(sheet) and parts.method(sheet) and not (words.asks_something(sheet) or sheet.says(words.DONE)):
        return True
    if sheet.says(words.NEEDS) and sheet.says(words.ANY_PAYMENT) and "?" not in sheet.text:
        return True
    return sheet.says(words.TAKES) or sheet.says(words.FETCHES) or (sheet.says(words.PAID_BY) and "?" not in sheet.text)


def _names_goods(sheet: Sheet) -> bool:
    return bool(parts.codes(sheet)) or (bool(sheet.of_kind("category")) and bool(parts.quantities(sheet)))


def _is_rated(sheet: Sheet) -> bool:
    """Tell whether a message gives goods their stars and says what they are like, in whatever words."""
    told = bool(said.stars(sheet.text)) and bool(said.body(sheet.text))
    other = (
        sheet.says(words.LOOKS_FOR) or sheet.says(words.CART) or parts.method(sheet) or sheet.says(words.POINTS_WORD)
    )
    bounded = any(one.bound for one in sheet.numbers)
    return told and sheet.says(words.STARS) and not (other or bounded or words.asks_something(sheet))


def _is_put_in(sheet: Sheet) -> bool:
    """Tell whether goods that are named go into the cart, in words without a wish: "일단 장바구니 넣고 생각해볼게요"."""
    into = sheet.says(words.INTO_END) or sheet.says(words.PUT_BY)
    return _names_goods(sheet) and into and not (sheet.says(words.REMOVE) or words.asks_something(sheet))


def _listing(sheet: Sheet) -> bool:
    changes = (words.REPRICE, words.RESTOCK, words.PAUSE, words.RESUME)
    sells = sheet.user_type == "seller"
    if sells and parts.codes(sheet) and sheet.says(words.SELLS_AT) and not words.asks_something(sheet):
        return not sheet.says(_COSTS)
    is_own = sells or sheet.says(r"내\s?(?:상품|판매)|my (?:listing|product)")
    what_if = sheet.says(
        r"면\s|하면|볼까|려는데|생각\s?중|고민|원가|이익|마진|\bcosts?\b|profit|margin|시뮬|simulat|what (?:if|happens)|if i"
    )
    return is_own and not what_if and any(sheet.says(one) for one in changes)


def _takes_out_of_cart(sheet: Sheet) -> bool:
    return (sheet.says(words.CART) and sheet.says(words.TAKES_OUT)) or _calls_off_cart(sheet)


def _calls_off_cart(sheet: Sheet) -> bool:
    """Tell whether goods of the cart are called off, of which nothing is ordered yet."""
    of_order = sheet.of_kind("order_id") or sheet.says(r"주문|결제|\border")
    return sheet.says(words.CART) and sheet.says(words.CANCEL) and not of_order


def _goes_back(sheet: Sheet) -> bool:
    """Tell whether something that was bought shall go back; a seller who wants figures back means none of it."""
    asked = sheet.says(words.REFUND) and not sheet.says(words.CANCEL_BACK)
    buys = sheet.user_type != "seller" or bool(sheet.of_kind("order_id")) or sheet.says(_OF_A_PURCHASE)
    return asked and buys


_OF_A_PURCHASE: Final = r"환불|반품|\brefund|\breturn|\bmoney\b"


def _moves(sheet: Sheet) -> bool:
    """Tell whether goods shall go to another address from now on; one said of goods that are bought now is theirs."""
    moved = sheet.says(words.ADDRESS) and not sheet.says(words.NO_PLACE)
    return moved and not (parts.codes(sheet) or parts.method(sheet) or sheet.says(words.PURCHASE))


def _is_described(sheet: Sheet) -> bool:
    """Tell whether goods that shall be offered are somebody's own, or are described as a listing is."""
    return bool(sheet.user_type) and sheet.says(_OWN_GOODS) and not sheet.says(words.CART)


_OWN_GOODS: Final = (
    r"https?://|(?:설명|description)\S{0,2}\s?[:：]|(?:설명|description)[은는]|\bmy own\b|내가\s?(?:만든|파는|쓰던)"
)
_COSTS: Final = r"원가|이익|마진|\bcosts?\b|profit|margin|남을|남는|면\s"


_KINDS: Final[tuple[tuple[str, Callable[[Sheet], bool]], ...]] = (
    ("listing", _listing),
    ("new_listing", lambda sheet: sheet.says(words.LIST) and (sheet.user_type == "seller" or _is_described(sheet))),
    ("address", _moves),
    ("review", lambda sheet: sheet.says(words.REVIEW) or _is_rated(sheet)),
    ("refund", _goes_back),
    ("exchange", lambda sheet: sheet.says(words.EXCHANGE)),
    (
        "cancel",
        lambda sheet: (sheet.says(words.CANCEL) or sheet.says(words.CANCEL_BACK)) and not _calls_off_cart(sheet),
    ),
    ("order", _order),
    ("recount", lambda sheet: sheet.says(words.RECOUNT)),
    ("remove", lambda sheet: sheet.says(words.REMOVE) or _takes_out_of_cart(sheet)),
    (
        "add",
        lambda sheet: sheet.says(words.ADD) or _is_put_in(sheet),
    ),
    ("coupon", lambda sheet: sheet.says(words.COUPON)),
)


def is_no_request(sheet: Sheet, kind: str) -> bool:
    """Tell whether words of acting ask, report, deny, leave a choice, set a condition, or ask two things at once."""
    several = sheet.says(words.SEVERAL) and not sheet.says(words.CANCEL_BACK)
    # A coupon is used at once, without an approval: whether it may be used is only asked.
    asked = kind == "coupon" and sheet.says(_WHETHER_USED) and not sheet.says(words.POLITE)
    denied = bool(sheet.says(words.EITHER) or several or sheet.says(words.DENIED) or asked)
    if denied or kind == "address" or (kind == "new_listing" and _is_described(sheet)):
        # "Can I change my address?" asks to: it is asked for, shown and approved. What describes goods asks nothing.
        return denied
    if kind in RETURNS | {"order", "add"} and _is_conditional(sheet):
        return True
    if kind == "order" and not parts.codes(sheet) and (sheet.says(words.CHOOSES) or _is_budgeted(sheet)):
        return True
    if _is_asked_politely(sheet, kind):
        return False
    if sheet.says(words.ASKS) and not sheet.says(r"해\s?줘|해\s?주세요|부탁|please"):
        return True
    return sheet.says(words.DONE) and kind == "order" and not sheet.says(r"해\s?줘|할게|해\s?주세요|살게")


_WHETHER_USED: Final = r"\b(?:can|could|may|do|am|is|are) (?:i|we|it|they)\b|수\s?있|가능(?:해|한|할)|되(?:나|는지)|돼(?:요)?\s?(?:\?|$)|될까"
"""Asks whether something may be used, which is done at once where it is asked for."""


def _is_budgeted(sheet: Sheet) -> bool:
    """Tell whether goods of a kind are wanted for so much, of which none is chosen yet: "I want 3 mice for 60,000 at most"."""
    bounded = any(one.unit == "krw" and one.bound for one in sheet.numbers)
    return bounded and bool(sheet.of_kind("category")) and sheet.superlative is None and not parts.method(sheet)


def _is_asked_politely(sheet: Sheet, kind: str) -> bool:
    """Tell whether the words of a question ask for something to be done: "could I get two of these?"."""
    if kind == "order" and sheet.says(words.FETCHES) and parts.codes(sheet):
        return not sheet.says(r"\bhow (?:many|much)\b")
    return sheet.says(words.POLITE) and not sheet.says(words.TOLD)


def _is_conditional(sheet: Sheet) -> bool:
    """Tell whether a condition is set that is more than "if it can be done"."""
    return re.search(words.IF, re.sub(words.POSSIBLE, "", sheet.text, flags=re.IGNORECASE), re.IGNORECASE) is not None
