"""What is left of a price that a question states, after the discounts that it states: one after another, in their order."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm, AskInput, AskQuantity, Origin, Said
from services.domains.commerce.asks.goods.drafts import codes_in
from services.domains.commerce.asks.goods.subjects import AGENTS
from services.plugin.asks.answering import CERTAIN, Answerer, Claim, Found, Outcome, answered
from services.plugin.asks.numbers import Number
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import decimal, exact_won, filled, sentences

ANSWERER: Final = "reckoned"
"""Nothing of the shop is told of that a later message could lean on."""
_OFF: Final = r"할인|세일|쿠폰|깎|\boff\b|\bdiscount|\bcoupon|\bsale\b|\breduc"
_ASKS: Final = r"얼마|총|최종|결제|내(?:면|야|나)|how much|what (?:do|would|will|'s|is)|\bpay(?:ing)?\b|\btotal\b|\bcost\b|\bprice\b"
_BEFORE: Final = r"(?:원래|정가|할인\s?전|세일\s?전)\s?(?:가격|값|금액)?(?:이|은|는|가)?\s?(?:얼마|몇)|(?:what|how much)[^?]{0,12}\b(?:was|is|did|were)\b[^?0-9]{0,24}\b(?:original|before|list price|full price)"
"""Asks for the price before a discount, of which the stated one is what is left."""
_PRICE_FROM: Final = 1000
_SHARE: Final = "percent_"
_SUM: Final = "less_"


def read(sheet: Sheet, _before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the ask what a stated price comes to; none where a message asks for anything else."""
    ask = reckoned_ask(sheet)
    return () if ask is None else (Claim(ask, CERTAIN, is_whole=True),)


def reckoned_ask(sheet: Sheet) -> Ask | None:
    """Return the ask what a stated price comes to after the stated discounts; None where goods of the shop are asked for."""
    shares = [one for one in sheet.numbers if one.unit == "percent" and 0 < one.value < 100 and not one.bound]
    sums = [one for one in sheet.numbers if one.unit in {"krw", ""} and one.value >= _PRICE_FROM and not one.bound]
    names = codes_in(sheet) or sheet.of_kind("order_id") or sheet.of_kind("security") or sheet.user_type == "seller"
    if not shares or not sums or names:
        return None
    if not (sheet.says(_OFF) and sheet.says(_ASKS)) or sheet.says(_BEFORE):
        return None
    price, *less = sums
    steps = sorted((*shares, *less), key=lambda one: one.start)
    return Ask(
        words=sheet.text,
        end=len(sheet.text),
        form=AskForm.AMOUNT,
        intent="search_product",
        answerer=ANSWERER,
        quantities=(
            AskQuantity("price", f"{price.value:f}", "krw", price.words, price.start, price.end),
            *(_step(at, one) for at, one in enumerate(steps)),
        ),
    )


def _step(at: int, one: Number) -> AskQuantity:
    role, unit = (_SHARE, "percent") if one.unit == "percent" else (_SUM, "krw")
    return AskQuantity(f"{role}{at}", f"{one.value:f}", unit, one.words, one.start, one.end)


def tell_reckoned(ask: Ask, found: Found) -> Outcome:
    """Return what is left to pay, step by step."""
    del found
    price = left = Decimal(ask.quantities[0].value)
    said: list[Said] = []
    for one in ask.quantities[1:]:
        value = Decimal(one.value)
        off = (left * value / 100).quantize(Decimal(1)) if one.role.startswith(_SHARE) else min(value, left)
        said.append(_taken(left, off, one))
        left -= off
    head = filled(
        "{left}을 내시면 됩니다: 모두 {off}({share}%) 할인입니다.",
        "You pay {left}: {off} ({share} %) off in all.",
        left=exact_won(left),
        off=exact_won(price - left),
        share=decimal((price - left) * 100 / price, 1),
    )
    inputs = tuple(AskInput(one.role, _label(one), one.value, one.unit, Origin.GIVEN) for one in ask.quantities)
    return Outcome(answered(ask, sentences(head, *said), inputs=inputs))


def _label(one: AskQuantity) -> Said:
    return Said("가격", "the price") if one.role == "price" else Said("할인", "the discount")


def _taken(left: Decimal, off: Decimal, one: AskQuantity) -> Said:
    share = f"{decimal(Decimal(one.value), 2)}%" if one.role.startswith(_SHARE) else ""
    return filled(
        "{before} - {off}{share} = {after}.",
        "{before} - {off}{share} = {after}.",
        before=exact_won(left),
        off=exact_won(off),
        share=f"({share})" if share else "",
        after=exact_won(left - off),
    )


ANSWERERS: Final[Sequence[Answerer]] = (Answerer(ANSWERER, AGENTS, tell_reckoned),)
