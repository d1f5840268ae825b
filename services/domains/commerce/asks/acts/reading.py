"""Types what a message asks the shop to do; questions about doing it, reports and denials are none of these."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm
from services.domains.commerce.asks.acts import parts, places, together, words
from services.domains.commerce.asks.acts.editing import dropped, edited, shown_purchase
from services.domains.commerce.asks.acts.notes import notes_of, spoken_of
from services.domains.commerce.asks.acts.pointing import cart_change, of_told
from services.domains.commerce.asks.acts.requests import RETURNS, is_no_request, kind_of
from services.domains.commerce.asks.corrections import without_corrected
from services.domains.commerce.asks.own import owners
from services.domains.commerce.asks.own.drafts import own_ask
from services.domains.commerce.asks.own.reading import read as read_own
from services.plugin.asks.answering import CERTAIN, Claim
from services.plugin.asks.sheet import Sheet

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
    "address": "track_delivery",
}
_OF_CART: Final = frozenset({"order", "add", "remove", "recount", "coupon"})


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return what a message asks to be done, or what it changes about what is under way."""
    sheet = without_corrected(sheet)
    if sure := _two(sheet) or _of_shown_cart(sheet, before):
        return sure
    kind = kind_of(sheet) or _paid_for(sheet, before) or _moved(sheet, before)
    if kind in {"cancel", "exchange"} and (shown := shown_purchase(sheet, before)) is not None:
        if kind == "cancel":
            return (Claim(dropped(shown, sheet), CERTAIN, is_whole=True),)
        kind = ""  # Another colour of what is not bought yet.
    if kind in _OF_CART | RETURNS and owners.is_anothers(sheet):
        return (Claim(own_ask(sheet, "others", AskForm.STATUS, "track_delivery"), CERTAIN, is_whole=True),)
    changed = edited(sheet, before, kind)
    if changed is not None:
        return (Claim(changed, CERTAIN, is_whole=True),)
    if not kind or is_no_request(sheet, kind):
        return ()
    return (Claim(ask_of(sheet, before, kind), CERTAIN, is_whole=True),)


def _two(sheet: Sheet) -> Sequence[Claim]:
    """Return the two things that a message asks for at once; none where it is one."""
    return () if owners.is_anothers(sheet) else together.both(sheet, _build, lambda part: read_own(part, ()))


def _of_shown_cart(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return what a message changes of a line of the cart that was shown."""
    if (change := cart_change(sheet, before)) is None:
        return ()
    ask = ask_of(sheet, before, change[0])
    notes = {**ask.notes, "ids": change[1], "goods": "", "codes": "", "all": ""}
    return (Claim(replace(ask, notes=notes), CERTAIN, is_whole=True),)


def _build(sheet: Sheet, kind: str) -> Ask:
    return ask_of(sheet, (), kind)


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


def _moved(sheet: Sheet, before: Sequence[AskedBefore]) -> str:
    """Return that the address on file, which was just told, shall be another one that is written out."""
    told = bool(before) and any(one.answerer.endswith("own_address") for one in before[0].asks)
    return "address" if told and places.written_out(sheet) else ""


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
    if intent == "create_listing" and sheet.user_type == "consumer":
        # Who sells nothing is told so before anything is asked for.
        return ask_of(sheet, before, "new_listing")
    kind = _BY_ROUTE.get(intent, "")
    if not kind or (kind == "order" and sheet.says(words.CHOOSES) and not parts.codes(sheet)):
        return None
    if is_no_request(sheet, kind) or words.asks_something(sheet):
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


def ask_of(sheet: Sheet, before: Sequence[AskedBefore], kind: str) -> Ask:
    """Return the ask to do something, with what a message says of it."""
    notes = notes_of(kind, sheet, before)
    left = notes.get("without", "").split("|")
    subjects = (*sheet.of_kind("order_id"), *(one for one in sheet.of_kind("category") if one.value not in left))
    ask = Ask(
        words=sheet.text,
        end=len(sheet.text),
        form=AskForm.ACT,
        intent=_INTENTS[kind],
        answerer=f"{ACT}{kind}",
        subjects=subjects or (spoken_of(before) if kind in RETURNS and not notes.get("order") else ()),
        notes={"said": sheet.text, **{name: value for name, value in notes.items() if value}},
    )
    if kind == "exchange" and not sheet.user_type:
        # Nothing is exchanged here, whoever asks.
        return replace(ask, form=AskForm.VERDICT, answerer="own_exchange", intent="search_product", notes={})
    if kind in {"order", "add"} and not sheet.user_type and is_of_named_goods(ask):
        return replace(ask, answerer=f"{ACT}before_login", intent="search_product")
    return replace(ask, answerer=f"{ACT}no_seller") if kind == "new_listing" and sheet.user_type != "seller" else ask
