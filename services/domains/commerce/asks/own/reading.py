"""The asks of a question about what belongs to the person who asks; acts are not read here."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm
from services.domains.commerce.asks.acts.words import YES, asks_something
from services.domains.commerce.asks.goods.words import SHIPPING
from services.domains.commerce.asks.own import each, owners, unsaid
from services.domains.commerce.asks.own.drafts import own_ask
from services.domains.commerce.asks.own.rewards import asks_best, is_of_both, order_sum
from services.domains.commerce.asks.own.topics import first_claim
from services.domains.commerce.asks.own.words import (
    CANCEL_STANDS,
    CART,
    COUPONS,
    DO,
    GIVE_BACK,
    HOW,
    LEFT_IN_CART,
    MAY,
    ORDERS,
    OWN,
    POINTS,
    REFUND_STANDS,
)
from services.plugin.asks.answering import CERTAIN, Claim
from services.plugin.asks.edits import pointed, short
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.standing import told_last


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the asks about the person's own orders, points, coupons and cart; acts are not read here."""
    if (ruled := _of_rule(sheet)) is not None:
        return (ruled,)
    several = () if sheet.says(DO) else each.of_each(sheet, first_claim, own_ask)
    if several or _is_of_others(sheet) or _costs_of_told(sheet, before):
        return several
    if _asks_of_cart(sheet, before):
        return (Claim(own_ask(sheet, "cart", AskForm.STATUS, "track_delivery"), CERTAIN, is_whole=True),)
    edited = _edited(sheet, before)
    if edited and _leans(sheet, before):
        return edited
    claim = first_claim(sheet)
    return (claim,) if claim is not None else edited


def _of_rule(sheet: Sheet) -> Claim | None:
    """Return what is answered without any row of the person's own: others' things, what no rule says, what one does."""
    if (owners.named(sheet) or owners.is_anothers(sheet)) and not sheet.says(DO):
        return Claim(own_ask(sheet, "others", AskForm.STATUS, "track_delivery"), 0.95)
    if topic := unsaid.topic_in(sheet):
        ask = own_ask(sheet, unsaid.KIND, AskForm.VERDICT, "search_product")
        return Claim(replace(ask, notes={**ask.notes, unsaid.TOPIC: topic}), 0.95)
    if is_of_both(sheet):
        return Claim(own_ask(sheet, "both_rule", AskForm.VERDICT, "search_product"), CERTAIN, is_whole=True)
    return None


def _costs_of_told(sheet: Sheet, before: Sequence[AskedBefore]) -> bool:
    """Tell whether a message asks what goods that were told of cost with the way: "how much is it with shipping"."""
    return sheet.says(SHIPPING) and sheet.says(_WITH_IT) and bool(told_last(before[:1], "product"))


_WITH_IT: Final = r"포함|합쳐|합치|까지|해서|그거|이거|그걸|이걸|\b(?:with|including|incl|plus|it|that|them)\b"


def _asks_of_cart(sheet: Sheet, before: Sequence[AskedBefore]) -> bool:
    """Tell whether a message asks what the cart holds, right after something went into it or out of it."""
    acts = [one.answerer.rpartition(".")[2] for one in before[0].asks] if before else []
    changed = any(one in {"act_add", "act_remove", "act_recount"} for one in acts)
    return changed and short(sheet.text, 8) and sheet.says(LEFT_IN_CART) and not sheet.of_kind("category")


def of_route(sheet: Sheet, intent: str) -> Ask | None:
    """Return what is asked of own things by the route alone, where no reader is sure; a yes to nothing asks nothing."""
    if intent in _OF_SHOP and unsaid.is_of_service(sheet):
        return own_ask(sheet, unsaid.KIND, AskForm.VERDICT, "search_product")
    if intent == "track_delivery":
        ask = own_ask(sheet, "orders", AskForm.STATUS, intent)
        return replace(ask, notes={**ask.notes, "coming": "yes"})
    if intent == "check_rewards" and sheet.says(rf"{COUPONS}|{POINTS}|\brewards?\b|혜택|리워드|적립"):
        return own_ask(sheet, "coupons" if sheet.says(COUPONS) else "points", AskForm.STATUS, intent)
    if intent in _MAY_BE and (sheet.says(MAY) or sheet.says(HOW)):
        name, form = _MAY_BE[intent]
        return own_ask(sheet, name, form, intent)
    return None


_OF_SHOP: Final = frozenset({"search_product", "get_recommendation", "compare_price", "track_delivery"})
"""The routes of what nobody reads that may be of the shop's service."""
_MAY_BE: Final = {
    "refund_request": ("refundable", AskForm.VERDICT),
    "cancel_order": ("cancellable", AskForm.VERDICT),
    "exchange_request": ("exchange", AskForm.VERDICT),
}
"""What is asked whether it may be, by the intent."""


_AGREEING_WORDS_MAX: Final = 4


def only_agrees(sheet: Sheet) -> bool:
    """Tell whether a message says yes and asks for nothing."""
    return (
        sheet.says(YES)
        and short(sheet.text, _AGREEING_WORDS_MAX)
        and not (asks_something(sheet) or _names_things(sheet))
    )


def _names_things(sheet: Sheet) -> bool:
    """Tell whether a message names a thing that is known: a free word may be any, and so the yes itself."""
    return any(one.value != one.words for one in sheet.entities)


def _leans(sheet: Sheet, before: Sequence[AskedBefore]) -> bool:
    """Tell whether a message points to what was told before, or uses a coupon on it."""
    points = pointed(sheet, before, "order") is not None and not sheet.of_kind("order_id")
    told_coupons = any(one.answerer.endswith("own_coupons") for one in before[0].asks) if before else False
    return (
        points
        or (told_coupons and sheet.says(CART))
        or (sheet.says(COUPONS) and sheet.says(r"쓰면|적용|사용하면|\bwith\b|\buse\b|apply"))
    )


def _is_of_others(sheet: Sheet) -> bool:
    """Tell whether a message is an act, a seller's, of another domain, or two requests that the router tells apart."""
    may = sheet.says(MAY) and sheet.says(r"될까|되나|가능|can i|\bstill\b|돼\?|되나요|할\s?수")
    stands = sheet.says(CANCEL_STANDS) or sheet.says(REFUND_STANDS)
    return (
        (sheet.says(DO) and not (may or stands or asks_best(sheet)))
        or (sheet.user_type == "seller" and sheet.says(r"매출|판매|revenue|sales"))
        or (sheet.says(_MODEL) and sheet.says(_COSTS))
        or sheet.says(r"세금|관세|\btax")
        or (sheet.says(ORDERS) and sheet.says(rf"{COUPONS}|{POINTS}") and not order_sum(sheet))
    )


_MODEL: Final = r"(?<![A-Za-z0-9])[A-Za-z]\d{2,3}(?![A-Za-z0-9])"
_COSTS: Final = r"얼마|가격|how much|\bcosts?\b|\bprice\b|\bpay\b"


def _edited(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return a short message that leans on what was told of own things just before."""
    last = next((ask for ask in before[0].asks if f".{OWN}" in ask.answerer), None) if before else None
    if last is None or not short(sheet.text, 10) or only_agrees(sheet):
        return ()
    name = last.answerer.rpartition(f".{OWN}")[2]
    if name == "coupons" and sheet.says(CART) and asks_something(sheet):
        ask = own_ask(sheet, "cart", AskForm.STATUS, last.intent)
        return (Claim(replace(ask, notes={**ask.notes, "wants": "coupon"}), CERTAIN),)
    if name == "cart" and (sheet.says(r"합계|총|얼마|total|how much|in all") or sheet.says(COUPONS)):
        ask = own_ask(sheet, "cart", AskForm.AMOUNT, last.intent)
        return (Claim(replace(ask, notes={**ask.notes, "wants": "coupon" if sheet.says(COUPONS) else ""}), 0.9),)
    if name not in {"orders", "refundable", "cancellable"}:
        return ()
    edited = _of_order(sheet, before)
    return (Claim(edited, 0.9),) if edited is not None else ()


def _of_order(sheet: Sheet, before: Sequence[AskedBefore]) -> Ask | None:
    """Return what a short message asks of the orders that were told of."""
    to = pointed(sheet, before, "order")
    told = to.told[:1] if to is not None and to.told else told_last(before, "order")[:1]
    meant = {"order": told[0].value} if told else {}
    if sheet.says(GIVE_BACK) and told:
        ask = own_ask(sheet, "refundable", AskForm.VERDICT, "refund_request")
        return replace(ask, notes={**ask.notes, **meant, "states": ""})
    ask = own_ask(sheet, "orders", AskForm.STATUS, "track_delivery")
    if ask.notes["states"]:
        return ask
    asked = to is not None or sheet.says(r"언제|어디|상태|얼마|송장|when|where|status|how much|tracking")
    return replace(ask, notes={**ask.notes, **meant}) if told and asked else None
