"""A message as a change of what is under way: a slot that was asked for, another count, no coupon, a no.

what was told last      what a short message may be
something was asked     its answer
an order was shown      another count, coupon, points, card, address or product; a no; a yes behind other subjects
it was refused          the same again, insisted on; another count
nothing is under way    none of these
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import AnswerState, Ask, AskAnswer, AskedBefore
from services.domains.commerce.asks.acts import parts, said, words
from services.domains.commerce.asks.acts.amending import is_unheard, order_changes
from services.domains.commerce.asks.acts.counting import TO_A_COUNT, count_said, more_said, wide_count
from services.domains.commerce.asks.acts.slots import review_said, slot_said
from services.domains.commerce.asks.acts.underway import PREFIX, asked_slot, under_way
from services.plugin.asks.edits import pointed, short
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.standing import told_last

WORDS_MAX: Final = 16
"""A longer message is a request of its own, unless it answers what was asked."""
_BESIDE_COUNTS: Final = frozenset({"method", "address"})
"""What may be told together with how many."""
_ASIDE: Final = 1
"""How many messages ago an act may have been shown that is let be: one on its goods may stand between."""
_TAKEN_BACK: Final = frozenset({"cancel", "refund"})


def edited(sheet: Sheet, before: Sequence[AskedBefore], kind: str) -> Ask | None:
    """Return the act that a message changes or answers; None where it is a request of its own, or another matter."""
    found = under_way(before)
    if found is None:
        return None
    last, answer, at = found
    state = answer.state if answer is not None else AnswerState.OPEN
    if state is AnswerState.ANSWERED:
        return _after(sheet, last, kind) if at == 0 else None
    slot = asked_slot(answer) if at == 0 else ""
    filled = _filled(sheet, before, last, slot) if slot else None
    own = last.answerer.removeprefix(PREFIX)
    if filled is not None or not _leans(sheet, last, own, kind):
        return filled
    if (let_be := _let_be(sheet, last, own)) is not None:
        return let_be if at <= _ASIDE else None
    changes = _CHANGES.get(own, _no_changes)(sheet, before, last)
    if own == "order" and is_unheard(sheet, last, changes):
        return None
    return _changed(sheet, last, own, changes) if changes else _repeated(sheet, last, answer, kind, at)


def _changed(sheet: Sheet, last: Ask, own: str, changes: Mapping[str, str]) -> Ask:
    """Return an act with what a message changes; a change of a listing of which nothing is left is let be."""
    notes = {**last.notes, **changes}
    nothing_left = own == "listing" and not any(notes.get(name) for name in _LISTED)
    return dropped(last, sheet) if nothing_left else _with(last, sheet, changes)


def shown_purchase(sheet: Sheet, before: Sequence[AskedBefore]) -> Ask | None:
    """Return the purchase that was just shown, where a message may call it off or want it otherwise: it names no order."""
    found = under_way(before[:1])
    if found is None or found[1] is None or sheet.of_kind("order_id") or sheet.says(words.BOUGHT_BEFORE):
        return None
    is_shown = found[1].state is AnswerState.ASKING and found[0].answerer in {f"{PREFIX}order", f"{PREFIX}add"}
    return found[0] if is_shown else None


def _let_be(sheet: Sheet, last: Ask, own: str) -> Ask | None:
    """Return an act that a message lets be; "yes, drop it" to a cancellation goes on with it, and it is shown once more."""
    if own in _TAKEN_BACK and sheet.says(words.YES) and sheet.says(words.CALLS_OFF):
        return _with(last, sheet, {})
    return dropped(last, sheet) if sheet.says(words.DROPS) and not _changes(sheet) else None


def _after(sheet: Sheet, last: Ask, kind: str) -> Ask | None:
    """Return what a message makes of an act that was let be, or of what went into the cart or out of it just before."""
    own = last.answerer.removeprefix(PREFIX)
    if own == "dropped" and last.notes.get("of") == f"{PREFIX}{kind}" and not _names_some(sheet):
        # "No, order it after all."
        return _with(replace(last, answerer=last.notes["of"]), sheet, {"of": ""})
    if own == "review" and kind in {"", "review"} and not _names_some(sheet) and _is_of_review(sheet):
        return _with(last, sheet, review_said(sheet))
    is_of_cart = own in _OF_CART and kind in {"", *_OF_CART} and not _names_some(sheet)
    return _of_cart_line(sheet, last, own) if is_of_cart else None


def _is_of_review(sheet: Sheet) -> bool:
    """Tell whether a message wants a review otherwise than it was written: other stars, another text."""
    return (sheet.says(_STARS) and bool(said.stars(sheet.text))) or sheet.says(_OF_REVIEW)


_STARS: Final = r"(?<![가-힣])별|\bstars?\b"
_OF_REVIEW: Final = r"(?:후기|리뷰|별점).{0,12}(?:고쳐|고치|수정|바꿔|바꾸|지워|삭제)|\b(?:edit|change|delete|fix|update)\b.{0,20}\b(?:review|stars?|rating)\b"
"""Wants a review that is written to be otherwise, or gone."""


def _of_cart_line(sheet: Sheet, last: Ask, own: str) -> Ask | None:
    """Return what a message makes of the goods of the cart that were spoken of: more, fewer, so many, or none of them."""
    more, count = more_said(sheet), wide_count(sheet, last)
    if sheet.says(words.TAKES_OUT) or (more and own == "remove" and not sheet.says(_COMES_TO)):
        out = more or ("1" if sheet.says(_ONE_OF_THEM) else count or _first_count(sheet))
        return _with(replace(last, answerer="act_remove"), sheet, {"quantity": out})
    if more:
        return _with(replace(last, answerer="act_add"), sheet, {"quantity": more})
    if count or sheet.says(_ENOUGH):
        wanted = count if sheet.says(TO_A_COUNT) else _first_count(sheet) or count
        return _with(replace(last, answerer="act_recount"), sheet, {"quantity": wanted})
    return None


_OF_CART: Final = frozenset({"add", "remove", "recount"})
_ENOUGH: Final = r"(?:면|로)\s?(?:되|돼|됐|충분)|\benough\b|\bwill do\b"
_ONE_OF_THEM: Final = r"\bone of\b|하나만|한\s?개만"
_COMES_TO: Final = r"추가|담|넣|\b(?:add|put)\b"


def _first_count(sheet: Sheet) -> str:
    counts = parts.quantities(sheet)
    return str(counts[0][0]) if counts else ""


def _names_the_same(sheet: Sheet, last: Ask) -> bool:
    """Tell whether the goods that a message names are those of the act that stands: "아까 그 백팩 그대로"."""
    kinds = {one.value for one in last.subjects if one.kind == "category"}
    codes = set(last.notes.get("codes", "").split("|"))
    return all(code in codes for code, _ in parts.codes(sheet)) and set(sheet.values("category")) <= kinds


def _leans(sheet: Sheet, last: Ask, own: str, kind: str) -> bool:
    """Tell whether a message may be about what is under way: it asks for nothing else, and names no other thing."""
    is_same = not kind or kind == own or _is_of(own, kind)
    return is_same and short(sheet.text, WORDS_MAX) and not _names_another(sheet, last, own, kind)


def _repeated(sheet: Sheet, last: Ask, answer: AskAnswer | None, kind: str, at: int) -> Ask | None:
    """Return what is under way where a message says it again: insisted on, or agreed to behind other subjects."""
    state = answer.state if answer is not None else AnswerState.OPEN
    if state is AnswerState.DECLINED and last.answerer.endswith("act_exchange") and at == 0:
        # What was offered in its place.
        return _instead(last, sheet) if sheet.says(words.YES) else None
    if state is AnswerState.DECLINED:
        # The same again, and nothing that is named anew, is the same that was declined.
        again = sheet.says(words.ANYWAY) or (kind and last.answerer == f"{PREFIX}{kind}" and not _names_some(sheet))
        return _with(last, sheet, {}) if again and at == 0 else None
    if (
        state is AnswerState.ASKING
        and kind == "order"
        and last.answerer.endswith("act_order")
        and not _names_some(sheet)
    ):
        return _with(last, sheet, {})
    asks = at == 0 and (bool(asked_slot(answer)) or bool(last.notes.get("was")))
    agrees = sheet.says(words.YES) or sheet.says(words.AS_IT_STANDS)
    if state is AnswerState.ASKING and (at > 0 or kind or asks) and agrees:
        return _with(last, sheet, {})
    return None


def _names_some(sheet: Sheet) -> bool:
    """Tell whether a message names goods, or the cart."""
    return bool(parts.codes(sheet) or sheet.of_kind("category")) or sheet.says(words.CART)


def _instead(last: Ask, sheet: Sheet) -> Ask:
    """Return the refund that was offered in the place of an exchange."""
    return replace(_with(last, sheet, {}), answerer="act_refund", intent="refund_request")


def _is_of(own: str, kind: str) -> bool:
    """Tell whether a request belongs to what is under way: a coupon, another count or another address, to an order."""
    return own == "order" and kind in {"coupon", "recount", "address"}


def _names_another(sheet: Sheet, last: Ask, own: str, kind: str) -> bool:
    """Tell whether a message asks for the same kind of thing anew, with goods or an order of its own."""
    if sheet.of_kind("order_id"):
        return True
    if own == "order" and sheet.says(words.AS_IT_STANDS) and _names_the_same(sheet, last):
        return False
    anew = bool(parts.codes(sheet) or sheet.of_kind("category"))
    return bool(kind) and anew and own == kind and not sheet.says(r"말고|대신|instead|rather than")


def _changes(sheet: Sheet) -> bool:
    return bool(parts.quantities(sheet) or parts.bill_parts(sheet))


def _no_changes(_sheet: Sheet, _before: Sequence[AskedBefore], _last: Ask) -> dict[str, str]:
    return {}


def _cart_changes(sheet: Sheet, _before: Sequence[AskedBefore], last: Ask) -> dict[str, str]:
    if count := count_said(sheet, last) or wide_count(sheet, last):
        return {"quantity": count, "uncounted": ""}
    words_said = parts.uncounted(sheet)
    return {"uncounted": words_said} if words_said else {}


def _listing_changes(sheet: Sheet, _before: Sequence[AskedBefore], last: Ask) -> dict[str, str]:
    changes = {name: value for name, value in said.listing_changes(sheet).items() if value} or _bare_change(sheet, last)
    stay = [name for name, word in _PARTS.items() if sheet.says(rf"(?:{word}){words.STAYS_AS_IT_IS}")]
    left = {one: "" for name in stay for one in (name, *_OVER[name])}
    told = changes.keys() & {"price", "percent", "stock"}
    over = {other: "" for name in told for other in _OVER[name]}
    return {**over, **changes, **left}


def _bare_change(sheet: Sheet, last: Ask) -> dict[str, str]:
    """Return what a bare number changes of a listing: the one part that shall be another one already, "no, 91,000"."""
    bare = [one for one in sheet.numbers if one.is_bare and one.value >= 1 and not one.bound]
    shown = [name for name in _PARTS if last.notes.get(name)]
    is_it = len(bare) == len(shown) == 1 and short(sheet.text, _BARE_WORDS_MAX)
    return {shown[0]: str(int(bare[0].value))} if is_it else {}


_BARE_WORDS_MAX: Final = 4
_LISTED: Final = ("price", "price_step", "percent", "stock", "stock_step", "state")
"""What of a listing a message may change; where nothing of it is left, all stays as it is."""
_OVER: Final = {"price": ("price_step", "percent"), "percent": ("price", "price_step"), "stock": ("stock_step",)}
"""What no longer holds once a part of a listing is told anew."""
_PARTS: Final = {"price": r"가격|판매가|값|\bprice", "stock": r"재고|\bstock"}


_CHANGES: Final = {
    "order": order_changes,
    "add": _cart_changes,
    "recount": _cart_changes,
    "review": lambda sheet, _before, _last: review_said(sheet),
    "address": lambda sheet, before, _last: slot_said("address", sheet, before) if sheet.numbers else {},
    "refund": lambda sheet, _before, _last: {"reason": said.reason(sheet.text)} if said.reason(sheet.text) else {},
    "listing": _listing_changes,
}


def _wants_none(sheet: Sheet, before: Sequence[AskedBefore]) -> bool:
    """Tell whether a message puts aside what it was asked to choose, and names nothing in its place: "아니 그건 빼고"."""
    if sheet.of_kind("category") or sheet.of_kind("product") or parts.codes(sheet) or not sheet.says(words.PUTS_ASIDE):
        return False
    to = pointed(sheet, before, "product")
    return to is None or to.how in {"one", "set"}


def _is_any_of_several(sheet: Sheet, before: Sequence[AskedBefore]) -> bool:
    """Tell whether a message says "it" where several were offered, and names none of them."""
    to = pointed(sheet, before, "product")
    several = to is not None and to.how == "one" and len(told_last(before[:1], "product")) > 1
    return several and not (sheet.of_kind("category") or sheet.of_kind("product") or parts.codes(sheet))


def _filled(sheet: Sheet, before: Sequence[AskedBefore], last: Ask, slot: str) -> Ask | None:
    """Return the act with the slot that was asked for; None where the message does not say it."""
    if sheet.says(words.DROPS) and not _changes(sheet):
        return dropped(last, sheet)
    if slot == "product" and _wants_none(sheet, before):
        return dropped(last, sheet)
    if slot == "product" and _is_any_of_several(sheet, before):
        return replace(last, words=sheet.text, start=0, end=len(sheet.text))  # which of them is asked once more
    value = slot_said(slot, sheet, before)
    value = value or {name: one for name, one in parts.bill_parts(sheet).items() if name == slot}
    if not value:
        return None
    more = parts.bill_parts(sheet) if last.answerer.endswith("act_order") else {}
    if slot in _BESIDE_COUNTS and (count := wide_count(sheet, last)):
        more["quantity"] = count
    return _with(last, sheet, {**more, **value})


def dropped(last: Ask, sheet: Sheet) -> Ask:
    """Return that what is under way is let be."""
    return replace(
        last,
        words=sheet.text,
        start=0,
        end=len(sheet.text),
        answerer="act_dropped",
        notes={**last.notes, "of": last.answerer},
    )


def _with(last: Ask, sheet: Sheet, changes: Mapping[str, str]) -> Ask:
    """Return an act with what a message says instead; what it does not say is carried."""
    told = f"{last.notes.get('said', '')}\n{sheet.text}"[-2_000:]
    named = {one.kind for one in sheet.entities if one.kind in {"order_id", "category"}}
    kept = tuple(one for one in last.subjects if one.kind not in named)
    picked = sheet.of_kind("category") if "picked" in changes or "codes" in changes else ()
    notes = {**last.notes, "was": "", "unheard": "", **changes, "said": told}
    return replace(
        last,
        words=sheet.text,
        start=0,
        end=len(sheet.text),
        subjects=(*(one for one in kept), *picked, *sheet.of_kind("order_id")),
        notes={name: value for name, value in notes.items() if value},
    )
