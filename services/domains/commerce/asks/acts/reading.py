"""Types what a message asks the shop to do; questions about doing it, reports and denials are none of these."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import AnswerState, Ask, AskedBefore, AskForm
from services.domains.commerce.asks.acts import parts, said, words
from services.domains.commerce.asks.acts.counting import wide_count
from services.domains.commerce.asks.acts.editing import edited
from services.domains.commerce.asks.acts.pointing import named_goods, of_told
from services.domains.commerce.asks.acts.underway import under_way
from services.domains.commerce.asks.own import owners
from services.domains.commerce.asks.own.reading import own_ask
from services.plugin.asks.answering import CERTAIN, Claim
from services.plugin.asks.edits import told_last
from services.plugin.asks.sheet import Sheet
from services.plugin.entities import Entity

ACT: Final = "act_"
"""What the answerers of acts begin with."""
_INTENTS: Final = {
    "order": "purchase",
    "add": "add_to_cart",
    "remove": "remove_from_cart",
    "recount": "add_to_cart",
    "coupon": "check_rewards",
    "cancel": "cancel_order",
    "refund": "refund_request",
    "exchange": "exchange_request",
    "review": "write_review",
    "listing": "create_listing",
    "new_listing": "create_listing",
    "address": "account_help",
}
_OF_CART: Final = frozenset({"order", "add", "remove", "recount", "coupon"})
_RETURNS: Final = frozenset({"cancel", "refund", "exchange"})


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return what a message asks to be done, or what it changes about what is under way."""
    kind = kind_of(sheet) or _paid_for(sheet, before)
    if kind in _OF_CART and owners.is_anothers(sheet):
        return (Claim(own_ask(sheet, "others", AskForm.STATUS, "track_delivery"), CERTAIN, is_whole=True),)
    changed = edited(sheet, before, kind)
    if changed is not None:
        return (Claim(changed, CERTAIN, is_whole=True),)
    if not kind or _is_no_request(sheet, kind):
        return ()
    ask = ask_of(sheet, before, kind)
    if kind in {"order", "add"} and not sheet.user_type and is_of_named_goods(ask):
        ask = replace(ask, answerer=f"{ACT}before_login", intent="search_product")
    return (Claim(ask, CERTAIN, is_whole=True),)


def is_of_named_goods(ask: Ask) -> bool:
    """Tell whether an act names goods of the shop, which anybody may hear of."""
    return any(ask.notes.get(name) for name in ("codes", "goods", "ids")) or any(
        one.kind == "category" for one in ask.subjects
    )


def _paid_for(sheet: Sheet, before: Sequence[AskedBefore]) -> str:
    """Return that goods are bought which a message points to and says how they are paid: "the first one, on my card"."""
    pays = bool(parts.method(sheet)) and not (words.asks_something(sheet) or sheet.says(words.CART))
    told = of_told(sheet, before) if pays and not sheet.says(words.OF_OTHER_MATTERS) else None
    return "order" if told is not None else ""


_BY_ROUTE: Final = {
    "purchase": "order",
    "cancel_order": "cancel",
    "refund_request": "refund",
    "exchange_request": "exchange",
    "write_review": "review",
}
"""What the route alone may say is to be done: it is shown and approved, or asks for what it lacks, before it is done."""


def of_route(sheet: Sheet, before: Sequence[AskedBefore], intent: str) -> Ask | None:
    """Return what is to be done by the route alone, where no reader is sure; None for what no approval stands before."""
    kind = _BY_ROUTE.get(intent, "")
    if not kind or (kind == "order" and sheet.says(words.CHOOSES) and not parts.codes(sheet)):
        return None
    if _is_no_request(sheet, kind) or "?" in sheet.text:
        return _how(sheet) if kind == "order" else None
    return ask_of(sheet, before, kind)


def _how(sheet: Sheet) -> Ask:
    """Return the ask how one buys here, of a question on buying that no reader is sure of."""
    return Ask(
        words=sheet.text,
        end=len(sheet.text),
        form=AskForm.PROCEDURE,
        intent="search_product",
        answerer=f"{ACT}how",
        notes={} if sheet.says(words.BUYING) else {"of": "else"},
    )


def kind_of(sheet: Sheet) -> str:
    """Return what a message asks to be done, by its words; empty for nothing, or for two things at once."""
    if sheet.says(words.OF_OTHER_MATTERS) and not sheet.of_kind("order_id"):
        return ""
    found = [kind for kind, says in _KINDS if says(sheet)]
    return found[0] if len(_apart(found)) == 1 else ""


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
    ("refund", frozenset({"order", "cancel"})),
    ("exchange", frozenset({"order"})),
)


def _order(sheet: Sheet) -> bool:
    if sheet.says(words.ADD_AND):
        return True
    if sheet.says(words.LATER) and sheet.says(words.CART):
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


_COSTS: Final = r"원가|이익|마진|\bcosts?\b|profit|margin|남을|남는|면\s"


_KINDS: Final[tuple[tuple[str, Callable[[Sheet], bool]], ...]] = (
    ("listing", _listing),
    ("new_listing", lambda sheet: sheet.user_type == "seller" and sheet.says(words.LIST)),
    ("review", lambda sheet: sheet.says(words.REVIEW) or _is_rated(sheet)),
    ("refund", lambda sheet: sheet.says(words.REFUND) and not sheet.says(words.CANCEL_BACK)),
    ("exchange", lambda sheet: sheet.says(words.EXCHANGE)),
    ("cancel", lambda sheet: sheet.says(words.CANCEL) or sheet.says(words.CANCEL_BACK)),
    ("order", _order),
    ("recount", lambda sheet: sheet.says(words.RECOUNT)),
    ("remove", lambda sheet: sheet.says(words.REMOVE)),
    (
        "add",
        lambda sheet: sheet.says(words.ADD) or _is_put_in(sheet),
    ),
    ("coupon", lambda sheet: sheet.says(words.COUPON)),
)


def _is_no_request(sheet: Sheet, kind: str) -> bool:
    """Tell whether words of acting ask, report, deny, leave a choice, set a condition, or ask two things at once."""
    several = sheet.says(words.SEVERAL) and not sheet.says(words.CANCEL_BACK)
    if sheet.says(words.EITHER) or several or sheet.says(words.DENIED):
        return True
    if kind in _RETURNS | {"order", "add"} and _is_conditional(sheet):
        return True
    if kind == "order" and sheet.says(words.CHOOSES) and not parts.codes(sheet):
        return True
    if _is_asked_politely(sheet, kind):
        return False
    if sheet.says(words.ASKS) and not sheet.says(r"해\s?줘|해\s?주세요|부탁|please"):
        return True
    return sheet.says(words.DONE) and kind == "order" and not sheet.says(r"해\s?줘|할게|해\s?주세요|살게")


def _is_asked_politely(sheet: Sheet, kind: str) -> bool:
    """Tell whether the words of a question ask for something to be done: "could I get two of these?"."""
    if kind == "order" and sheet.says(words.FETCHES) and parts.codes(sheet):
        return True
    return sheet.says(words.POLITE) and not sheet.says(words.TOLD)


def _is_conditional(sheet: Sheet) -> bool:
    """Tell whether a condition is set that is more than "if it can be done"."""
    return re.search(words.IF, re.sub(words.POSSIBLE, "", sheet.text, flags=re.IGNORECASE), re.IGNORECASE) is not None


def ask_of(sheet: Sheet, before: Sequence[AskedBefore], kind: str) -> Ask:
    """Return the ask to do something, with what a message says of it."""
    notes = _NOTES.get(kind, _plain)(sheet, before)
    left = notes.get("without", "").split("|")
    return Ask(
        words=sheet.text,
        end=len(sheet.text),
        form=AskForm.ACT,
        intent=_INTENTS[kind],
        answerer=f"{ACT}{kind}",
        subjects=(*sheet.of_kind("order_id"), *(one for one in sheet.of_kind("category") if one.value not in left)),
        notes={"said": sheet.text, **{name: value for name, value in notes.items() if value}},
    )


def _plain(sheet: Sheet, before: Sequence[AskedBefore]) -> dict[str, str]:
    return {**named_goods(sheet, before), "quantity": _quantity(sheet)}


def _quantity(sheet: Sheet) -> str:
    counts = parts.quantities(sheet)
    return str(counts[0][0]) if counts else wide_count(sheet, Ask())


def _order_notes(sheet: Sheet, before: Sequence[AskedBefore]) -> dict[str, str]:
    from_cart = sheet.says(words.CART) and not sheet.says(words.ADD_AND) and not sheet.says(words.ADD)
    left = [one.value for one in sheet.of_kind("category") if from_cart and _is_left(sheet, one)]
    meant = _plain(sheet, before)
    if from_cart and not parts.codes(sheet):
        meant = {"quantity": meant["quantity"]}
    named = any(meant.get(name) for name in ("codes", "goods", "ids")) or bool(sheet.of_kind("category"))
    last = told_last(before[:1], "product")[:1] if not named and not from_cart else ()
    return {
        **_paid_before(before),
        **meant,
        **parts.bill_parts(sheet),
        "ids": meant.get("ids") or "|".join(one.value for one in last),
        "cart": "1" if from_cart or not (named or last) else "",
        "without": "|".join(left),
    }


def _paid_before(before: Sequence[AskedBefore]) -> dict[str, str]:
    """Return how the order was paid that was made just before: another one is paid so as well, unless it says else."""
    found = under_way(before)
    if found is None or not found[0].answerer.endswith("act_order") or found[1] is None:
        return {}
    is_done = found[1].state is AnswerState.ANSWERED
    return {"method": found[0].notes["method"]} if is_done and found[0].notes.get("method") else {}


def _return_notes(sheet: Sheet, before: Sequence[AskedBefore]) -> dict[str, str]:
    told = () if sheet.of_kind("order_id") else told_last(before, "order")[:1]
    names = sheet.of_kind("category") or parts.codes(sheet)
    return {
        "order": told[0].value if told and not names else "",
        "codes": "|".join(dict.fromkeys(code for code, _ in parts.codes(sheet))),
        "reason": said.reason(sheet.text) or _reason_before(before),
        "states": "|".join(next((states for states, pattern in words.STATES if sheet.says(pattern)), ())),
        "recent": "1"
        if sheet.says(r"방금|막|마지막|최근|지금\s?(?:한|산)|\bjust\b|\blast\b|\blatest\b|most recent")
        else "",
    }


def _reason_before(before: Sequence[AskedBefore]) -> str:
    """Return why goods were to be exchanged, where a refund is asked for in its place."""
    found = under_way(before[:1])
    return found[0].notes.get("reason", "") if found is not None and found[0].answerer.endswith("act_exchange") else ""


def _review_notes(sheet: Sheet, before: Sequence[AskedBefore]) -> dict[str, str]:
    return {**named_goods(sheet, before), "rating": said.stars(sheet.text), "body": said.body(sheet.text)}


def _empty_notes(sheet: Sheet, before: Sequence[AskedBefore]) -> dict[str, str]:
    kept = [one.value for one in sheet.of_kind("category") if _is_kept(sheet, one)]
    return {**_plain(sheet, before), "all": "1" if sheet.says(words.EMPTY) else "", "kept": "|".join(kept)}


def _is_left(sheet: Sheet, one: Entity) -> bool:
    """Tell whether goods of the cart are said to be left out of what is paid: "폰 빼고 나머지", "all but the phone"."""
    behind = re.match(words.LEFT_OUT, sheet.text[one.end :], re.IGNORECASE)
    return behind is not None or re.search(words.LEAVES_OUT, sheet.text[: one.start], re.IGNORECASE) is not None


def _is_kept(sheet: Sheet, one: Entity) -> bool:
    """Tell whether goods are said to stay: "마우스만 남기고 다 빼줘", "I'm only keeping the mouse"."""
    behind = re.match(words.STAYS, sheet.text[one.end :], re.IGNORECASE)
    return behind is not None or re.search(words.KEEPS, sheet.text[: one.start], re.IGNORECASE) is not None


def _recount_notes(sheet: Sheet, before: Sequence[AskedBefore]) -> dict[str, str]:
    """Return what is counted anew, and how many it shall be: "to 3", "two instead of one"."""
    meant = _plain(sheet, before)
    if not meant.get("quantity"):
        plain = [one for one in sheet.numbers if one.unit in {"", "count"} and one.value == int(one.value)]
        to = [one for one in plain if re.search(r"\bto\s$", sheet.text[: one.start], re.IGNORECASE)]
        meant["quantity"] = next((str(int(one.value)) for one in (*to, *plain)), "")
    return meant


_NOTES: Final[dict[str, Callable[[Sheet, Sequence[AskedBefore]], dict[str, str]]]] = {
    "order": _order_notes,
    "remove": _empty_notes,
    "recount": _recount_notes,
    "coupon": lambda sheet, _: {"coupon": parts.coupon(sheet)},
    "cancel": _return_notes,
    "refund": _return_notes,
    "exchange": _return_notes,
    "review": _review_notes,
    "listing": lambda sheet, before: {**named_goods(sheet, before), **said.listing_changes(sheet)},
    "new_listing": lambda sheet, _: {"text": sheet.text},
}
