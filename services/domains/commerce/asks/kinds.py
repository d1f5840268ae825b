"""What builds the ask of each kind of meant.yaml that is answered."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import Ask, AskCondition, AskedBefore, AskForm
from services.domains.commerce.asks import goods
from services.domains.commerce.asks.acts import reading as acts
from services.domains.commerce.asks.acts.words import DENIED, EITHER, OF_OTHER_MATTERS
from services.domains.commerce.asks.goods.subjects import GOODS
from services.domains.commerce.asks.own.drafts import own_ask
from services.domains.commerce.asks.seller.changes import change_ask
from services.domains.commerce.asks.seller.efficiency import efficiency_ask
from services.domains.commerce.asks.seller.figures import named_in
from services.domains.commerce.asks.seller.forecast import forecast_ask
from services.domains.commerce.asks.seller.listed import listed_ask
from services.domains.commerce.asks.seller.listing_rules import check_ask, rules_ask
from services.domains.commerce.asks.seller.price_reading import pricing_ask
from services.domains.commerce.asks.seller.sales import sales_ask
from services.domains.commerce.asks.seller.words import GRADED, NAMED_SHOP, OWNS, PRODUCTS
from services.domains.commerce.rules import RULES
from services.plugin.asks.sheet import Sheet

Build = Callable[[Sheet, Sequence[AskedBefore]], Ask | None]
"""Builds an ask of a message and what was asked before; None where the message does not say enough of it."""


def _own(name: str, form: AskForm, intent: str, **notes: str) -> Build:
    def build(sheet: Sheet, _before: Sequence[AskedBefore]) -> Ask:
        ask = own_ask(sheet, name, form, intent)
        return replace(ask, notes={**ask.notes, **notes})

    return build


def _orders(sheet: Sheet, _before: Sequence[AskedBefore]) -> Ask:
    ask = own_ask(sheet, "orders", AskForm.STATUS, "track_delivery")
    return ask if ask.notes["states"] else replace(ask, notes={**ask.notes, "coming": "yes"})


def _sales(sheet: Sheet, _before: Sequence[AskedBefore]) -> Ask:
    return sales_ask(sheet)


def _ranked(measure: str, *, most: bool, sheet: Sheet) -> Ask:
    ask = sales_ask(sheet)
    own = [one for one in ask.measures if one == measure]
    return replace(
        ask,
        form=AskForm.RANK,
        answerer="sales_rank",
        measures=tuple(own or [measure]),
        order_by=measure,
        descending=most,
    )


def _best(sheet: Sheet, _before: Sequence[AskedBefore]) -> Ask:
    named = sales_ask(sheet).measures[0]
    return _ranked("revenue" if named in {"margin", "visitors"} else named, most=True, sheet=sheet)


def _worst(sheet: Sheet, _before: Sequence[AskedBefore]) -> Ask:
    by_money = sheet.says(r"매출|revenue|money|돈")
    return _ranked("revenue" if by_money else "units", most=False, sheet=sheet)


def _by(measure: str, *, most: bool) -> Build:
    def build(sheet: Sheet, _before: Sequence[AskedBefore]) -> Ask:
        of_shop = measure in named_in(sheet) and not (sheet.superlative or sheet.says(rf"{GRADED}|{PRODUCTS}"))
        return sales_ask(sheet) if of_shop else _ranked(measure, most=most, sheet=sheet)

    return build


def _low_stock(sheet: Sheet, _before: Sequence[AskedBefore]) -> Ask:
    ask = listed_ask(sheet)
    of_stock = any(one.field == "stock" and one.operator in {"lt", "le"} for one in ask.conditions)
    if of_stock or ask.notes.get("sold_out"):
        return ask
    kept = tuple(one for one in ask.conditions if one.field != "stock")
    few = AskCondition("stock", "le", str(RULES.listings.low_stock), "count")
    return replace(ask, conditions=(*kept, few))


def _sold_out(sheet: Sheet, _before: Sequence[AskedBefore]) -> Ask:
    ask = listed_ask(sheet)
    return replace(ask, notes={**ask.notes, "sold_out": "yes"})


def _poor(sheet: Sheet, _before: Sequence[AskedBefore]) -> Ask:
    ask = efficiency_ask(sheet)
    return replace(ask, notes={**ask.notes, "poorly": "yes"})


def _others_shop(sheet: Sheet, _before: Sequence[AskedBefore]) -> Ask:
    ask = sales_ask(sheet)
    if sheet.says(OWNS) or not (sheet.of_kind("product") or sheet.says(NAMED_SHOP) or sheet.says(_ELSE)):
        return _ranked("units", most=True, sheet=sheet) if sheet.superlative else ask
    return replace(ask, answerer="sales_level", form=AskForm.LEVEL, notes={**ask.notes, "shop": sheet.text})


_ELSE: Final = (
    r"다른|경쟁|남의|남들|옆|타사|타\s?판매자|\b(?:other|others|competitors?|rivals?|else|their|his|her)\b|'s\b"
)
"""Speaks of somebody else's."""


def _act(kind: str) -> Build:
    def build(sheet: Sheet, before: Sequence[AskedBefore]) -> Ask | None:
        no_act = sheet.says(EITHER) or sheet.says(DENIED) or sheet.says(OF_OTHER_MATTERS)
        return None if no_act else acts.ask_of(sheet, before, kind)

    return build


_OF_MODELS: Final = {"total": AskForm.AMOUNT, "reviews": AskForm.LIST}
"""What is asked of named models alone, with its form."""


def _goods(answerer: str) -> Build:
    def build(sheet: Sheet, before: Sequence[AskedBefore]) -> Ask | None:
        claims = goods.read_any(sheet, before)
        ask = claims[0].ask if claims else None
        if ask is None or answerer not in _OF_MODELS or not goods.names_models(ask):
            return ask
        return replace(ask, form=_OF_MODELS[answerer], answerer=f"{GOODS}{answerer}")

    return build


BUILDS: Final[Mapping[str, Build]] = {
    "orders": _orders,
    "unpaid": _own("orders", AskForm.STATUS, "track_delivery", states="pending"),
    "returned": _own("orders", AskForm.STATUS, "track_delivery", states="refunded|refund_requested"),
    "cancelled": _own("orders", AskForm.STATUS, "track_delivery", states="cancelled|cancel_requested"),
    "refundable": _own("refundable", AskForm.VERDICT, "refund_request"),
    "refund_amount": _own("refund_amount", AskForm.AMOUNT, "refund_request"),
    "money_back": _own("money_back_rule", AskForm.FACT, "search_product"),
    "return_rule": _own("return_rule", AskForm.PROCEDURE, "search_product"),
    "exchange": _own("exchange", AskForm.VERDICT, "search_product"),
    "cancellable": _own("cancellable", AskForm.VERDICT, "cancel_order"),
    "shipping_rule": _own("shipping_rule", AskForm.AMOUNT, "search_product"),
    "service": _own("unsaid", AskForm.VERDICT, "search_product"),
    "delivery_time": _own("delivery_time", AskForm.FACT, "search_product"),
    "spending": _own("spending", AskForm.AMOUNT, "track_delivery"),
    "points": _own("points", AskForm.STATUS, "check_rewards"),
    "coupons": _own("coupons", AskForm.STATUS, "check_rewards"),
    "cart": _own("cart", AskForm.STATUS, "track_delivery"),
    "cart_coupon": _own("cart", AskForm.STATUS, "track_delivery", wants="coupon"),
    "own_reviews": _own("reviews", AskForm.LIST, "write_review"),
    "reviewable": _own("reviewable", AskForm.LIST, "write_review"),
    "others": _own("others", AskForm.STATUS, "track_delivery"),
    "sales_level": _sales,
    "sales_best": _best,
    "sales_worst": _worst,
    "returns_most": _by("return_rate", most=True),
    "cancels_most": _by("cancel_rate", most=True),
    "margins_low": _by("margin", most=False),
    "sales_change": lambda sheet, _before: change_ask(sheet),
    "forecast": lambda sheet, _before: forecast_ask(sheet),
    "low_stock": _low_stock,
    "sold_out": _sold_out,
    "efficiency": lambda sheet, _before: efficiency_ask(sheet),
    "efficiency_poor": _poor,
    "pricing": lambda sheet, _before: pricing_ask(sheet),
    "listing_rules": lambda sheet, _before: rules_ask(sheet),
    "listing_check": lambda sheet, _before: check_ask(sheet),
    "others_shop": _others_shop,
    "goods_total": _goods("total"),
    **{name: _goods("") for name in ("goods_list", "goods_recommend", "goods_rank", "goods_compare")},
    "goods_reviews": _goods("reviews"),
    **{f"act_{one}": _act(one) for one in ("order", "add", "remove", "recount", "cancel", "refund", "exchange")},
    **{f"act_{one}": _act(one) for one in ("review", "listing", "new_listing")},
}
"""What builds the ask of a kind."""
