"""Two things that a message asks for at once, of which at least one is to be done.

"put the chair in my cart and take the mouse out"     two acts, each with goods of its own
"cancel ORD-1 and what are my points?"                an act, and a question on something else

A message is cut where a conjunction or the end of a sentence joins; what is on each side is read by itself, and both are
asked for where each names what it is of. One act that is said in two parts ("put it in and pay") is no two.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import Ask
from services.domains.commerce.asks.acts import parts, words
from services.domains.commerce.asks.acts.requests import RETURNS, is_no_request, kind_of
from services.plugin.asks.answering import CERTAIN, Claim
from services.plugin.asks.forms import Clause
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.sides import placed, sides_of
from services.text.patterns import Pattern

_JOINT: Final = Pattern(
    r"(?<=[가-힣]고)\s(?=\S)(?!싶)|(?<=[가-힣]고),\s?|[.!?]\s|,\s(?!and\b)|,?\s(?:그리고|또)\s|,?\sand\s(?:also\s|then\s)?|\splus\s",
    re.IGNORECASE,
)
_CUTS_MAX: Final = 6
_OF_CART: Final = frozenset({"add", "remove", "recount"})
_APART: Final = frozenset({"own_points", "own_coupons", "own_cart", "own_spending", "own_reviews", "own_shipping_rule"})
"""Questions on something that no act is about; the cart is told as it stands before what goes into it or out of it."""
_ORDER: Final = r"주문|\border\b"
"""An order, of whatever goods."""
_BUYS: Final = frozenset({"order", "add"})
_WHERE: Final = {"add": frozenset({"own_cart"}), "remove": frozenset({"own_cart"}), "recount": frozenset({"own_cart"})}

Build = Callable[[Sheet, str], Ask]
"""Builds the ask of an act of a kind."""
Questions = Callable[[Sheet], Sequence[Claim]]
"""Reads what a part of a message asks to be told."""


def both(sheet: Sheet, build: Build, questions: Questions) -> tuple[Claim, ...]:
    """Return the two asks of a message; none where it is one.

    Args:
        sheet: The message.
        build: What builds the ask of an act.
        questions: What reads the questions of a part.
    """
    if sheet.says(words.EITHER) or sheet.says(words.IF):
        return ()
    for left, right in sides_of(sheet.text, _JOINT, _CUTS_MAX):
        found = _acts(sheet, left, right, build) or _act_and_question(sheet, left, right, build, questions)
        if found:
            return found
    return ()


def _acts(sheet: Sheet, left: Clause, right: Clause, build: Build) -> tuple[Claim, ...]:
    """Return two acts of different kinds that name different things."""
    first, second = _wishing(sheet.part(left)), sheet.part(right)
    one, other = kind_of(first), kind_of(second)
    if not other and one in _OF_CART:
        other = _in_cart(second)
    if not one or not other or one == other or is_no_request(first, one) or is_no_request(second, other):
        return ()
    named, meant = _named(first, one), _named(second, other)
    return (sure(build(first, one), left), sure(build(second, other), right)) if _is_apart(named, meant) else ()


def _in_cart(sheet: Sheet) -> str:
    """Return what is done with the cart by a part that does not name it: it was named just before."""
    if sheet.says(words.TAKES_OUT):
        return "remove"
    return "add" if sheet.says(words.PUTS) else ""


def _act_and_question(
    sheet: Sheet, left: Clause, right: Clause, build: Build, questions: Questions
) -> tuple[Claim, ...]:
    """Return an act and a question on something that it is not about, in the order of the message."""
    for act, other in ((left, right), (right, left)):
        done, asked = _wishing(sheet.part(act)), sheet.part(other)
        kind = kind_of(done)
        if not kind or kind == "coupon" or is_no_request(done, kind) or not (_named(done, kind) or kind in RETURNS):
            continue
        told = [one for one in questions(asked) if _is_of_else(one.ask, done, asked, kind)]
        if told and not kind_of(asked):
            found = (sure(build(done, kind), act), sure(told[0].ask, other))
            return found if act is left else found[::-1]
    return ()


def _is_of_else(ask: Ask, done: Sheet, asked: Sheet, kind: str) -> bool:
    """Tell whether a question is on something that an act is not about; how orders stand where they hold other goods."""
    if ask.answerer == "own_orders":
        return kind in _BUYS and _is_apart(_named(done, kind), _named(asked, "cancel"))
    return kind != "order" and ask.answerer in _APART - _WHERE.get(kind, frozenset())


def _wishing(sheet: Sheet) -> Sheet:
    """Return a part whose verb joins as one that wishes: "빼고" before another wish is "빼줘"."""
    text = sheet.text
    for verb in words.VERBS:
        if text.endswith(f"{verb.stem}고"):
            return replace(sheet, text=f"{text[: -len(verb.stem) - 1]}{verb.joined}줘")
    return replace(sheet, text=f"{text[:-2]}해줘") if text.endswith("하고") else sheet


def _named(sheet: Sheet, kind: str) -> frozenset[str]:
    """Return what a part names: models, kinds of goods, orders; an address by itself is a thing of its own."""
    codes = {code for code, _ in parts.codes(sheet)}
    things = {*sheet.values("category"), *sheet.values("order_id")}
    itself = {"address"} if kind == "address" else {"order"} if kind in RETURNS and sheet.says(_ORDER) else set()
    return frozenset(codes or things or itself)


def _is_apart(one: frozenset[str], other: frozenset[str]) -> bool:
    return bool(one) and bool(other) and not one & other


def sure(ask: Ask, clause: Clause) -> Claim:
    """Return the sure claim of a part with its places counted in the whole message."""
    return placed(Claim(ask, CERTAIN, is_whole=True), clause)
