"""A message as a change of what is under way: a slot that was asked for, another count, no coupon, a no.

what was told last      what a short message may be
something was asked     its answer
an order was shown      another count, coupon, points, card, address or product; a no; a yes behind other subjects
it was refused          the same again, insisted on; another count
nothing is under way    none of these
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import AnswerState, Ask, AskAnswer, AskedBefore, Said
from services.domains.commerce.asks.acts import choosing, parts, places, said, words
from services.domains.commerce.asks.acts.amending import order_changes
from services.domains.commerce.asks.acts.counting import count_said, wide_count
from services.domains.commerce.asks.acts.pointing import of_told
from services.plugin.asks.edits import pointed, short, told_last
from services.plugin.asks.sheet import Sheet

SLOTS: Final = {
    "quantity": Said("수량", "the number of pieces"),
    "product": Said("상품", "the product"),
    "order": Said("주문", "the order"),
    "method": Said("결제 수단", "the way to pay"),
    "address": Said("배송지", "the shipping address"),
    "points": Said("포인트", "the points to use"),
    "reason": Said("사유", "the reason"),
    "rating": Said("별점", "the stars"),
    "body": Said("후기 내용", "the text of the review"),
    "price": Said("판매가", "the price"),
}
"""What an act may lack, as a person is told it; an answer that asks for something names it so."""
WORDS_MAX: Final = 16
"""A longer message is a request of its own, unless it answers what was asked."""
_BODY_MIN: Final = 5
_YES_WORDS_MAX: Final = 3
_TAKEN_BACK: Final = frozenset({"cancel", "refund"})
_PREFIX: Final = "commerce.act_"


def under_way(before: Sequence[AskedBefore]) -> tuple[Ask, AskAnswer | None, int] | None:
    """Return the act that was spoken of last, with what came of it and how many messages ago."""
    for at, message in enumerate(before):
        own = [ask for ask in message.asks if ask.answerer.startswith(_PREFIX)]
        if own:
            answer = next((one for one in message.answers if one.ask_id == own[-1].ask_id), None)
            return _as_it_was(own[-1]), answer, at
    return None


def _as_it_was(act: Ask) -> Ask:
    """Return an act that stands as it did before a message on it which was not understood."""
    return replace(act, answerer=act.notes["was"]) if act.notes.get("was") else act


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
    own = last.answerer.removeprefix(_PREFIX)
    if filled is not None or not _leans(sheet, own, kind):
        return filled
    if at == 0 and own in _TAKEN_BACK and sheet.says(words.YES) and sheet.says(words.CALLS_OFF):
        return _with(last, sheet, {})  # "Yes, drop it" to a cancellation goes on with it: it is shown once more
    if sheet.says(words.DROPS) and not _changes(sheet):
        return dropped(last, sheet) if at == 0 else None
    changes = _CHANGES.get(own, _no_changes)(sheet, before, last)
    return _with(last, sheet, changes) if changes else _repeated(sheet, last, answer, kind, at)


def _after(sheet: Sheet, last: Ask, kind: str) -> Ask | None:
    """Return what a message makes of an act that was let be, or of what went into the cart just before."""
    own = last.answerer.removeprefix(_PREFIX)
    if own == "dropped" and last.notes.get("of") == f"{_PREFIX}{kind}" and not _names_some(sheet):
        # "No, order it after all."
        return _with(replace(last, answerer=last.notes["of"]), sheet, {"of": ""})
    if own not in _OF_CART or kind not in {"", "remove", "recount"} or _names_some(sheet):
        return None
    count = wide_count(sheet, last)
    if (count and not sheet.says(words.TAKE)) or sheet.says(_ENOUGH):
        return _with(replace(last, answerer="act_recount"), sheet, {"quantity": _first_count(sheet) or count})
    return _with(replace(last, answerer="act_remove"), sheet, {"quantity": count}) if sheet.says(words.TAKE) else None


_OF_CART: Final = frozenset({"add", "recount"})
_ENOUGH: Final = r"(?:면|로)\s?(?:되|돼|됐|충분)|\benough\b|\bwill do\b"


def _first_count(sheet: Sheet) -> str:
    counts = parts.quantities(sheet)
    return str(counts[0][0]) if counts else ""


def _leans(sheet: Sheet, own: str, kind: str) -> bool:
    """Tell whether a message may be about what is under way: it asks for nothing else, and names no other thing."""
    is_same = not kind or kind == own or _is_of(own, kind)
    return is_same and short(sheet.text, WORDS_MAX) and not _names_another(sheet, own, kind)


def asked_slot(answer: AskAnswer | None) -> str:
    """Return the slot that an answer asked for; empty where it asked for none."""
    if answer is None or answer.state is not AnswerState.ASKING:
        return ""
    return next((slot for slot, name in SLOTS.items() if name in answer.missing), "")


def _repeated(sheet: Sheet, last: Ask, answer: AskAnswer | None, kind: str, at: int) -> Ask | None:
    """Return what is under way where a message says it again: insisted on, or agreed to behind other subjects."""
    state = answer.state if answer is not None else AnswerState.OPEN
    if state is AnswerState.DECLINED and last.answerer.endswith("act_exchange") and at == 0:
        # What was offered in its place.
        return _instead(last, sheet) if sheet.says(words.YES) else None
    if state is AnswerState.DECLINED:
        return _with(last, sheet, {}) if sheet.says(words.ANYWAY) and at == 0 else None
    if (
        state is AnswerState.ASKING
        and kind == "order"
        and last.answerer.endswith("act_order")
        and not _names_some(sheet)
    ):
        return _with(last, sheet, {})
    asks = at == 0 and (bool(asked_slot(answer)) or bool(last.notes.get("was")))
    if state is AnswerState.ASKING and (at > 0 or kind or asks) and sheet.says(words.YES):
        return _with(last, sheet, {})
    return None


def _names_some(sheet: Sheet) -> bool:
    """Tell whether a message names goods, or the cart."""
    return bool(parts.codes(sheet) or sheet.of_kind("category")) or sheet.says(words.CART)


def _instead(last: Ask, sheet: Sheet) -> Ask:
    """Return the refund that was offered in the place of an exchange."""
    return replace(_with(last, sheet, {}), answerer="act_refund", intent="refund_request")


def _is_of(own: str, kind: str) -> bool:
    """Tell whether a request belongs to what is under way: a coupon, or another count, to an order."""
    return own == "order" and kind in {"coupon", "recount"}


def _names_another(sheet: Sheet, own: str, kind: str) -> bool:
    """Tell whether a message asks for the same kind of thing anew, with goods or an order of its own."""
    if sheet.of_kind("order_id"):
        return True
    anew = bool(parts.codes(sheet) or sheet.of_kind("category"))
    return bool(kind) and anew and own == kind and not sheet.says(r"말고|대신|instead|rather than")


def _changes(sheet: Sheet) -> bool:
    return bool(parts.quantities(sheet) or parts.bill_parts(sheet))


def _no_changes(_sheet: Sheet, _before: Sequence[AskedBefore], _last: Ask) -> dict[str, str]:
    return {}


def _cart_changes(sheet: Sheet, _before: Sequence[AskedBefore], last: Ask) -> dict[str, str]:
    count = count_said(sheet, last) or wide_count(sheet, last)
    return {"quantity": count} if count else {}


def _review_changes(sheet: Sheet, _before: Sequence[AskedBefore], _last: Ask) -> dict[str, str]:
    found = {"rating": said.stars(sheet.text), "body": said.body(sheet.text)}
    return {name: value for name, value in found.items() if value}


def _listing_changes(sheet: Sheet, _before: Sequence[AskedBefore], _last: Ask) -> dict[str, str]:
    return {name: value for name, value in said.listing_changes(sheet).items() if value}


_CHANGES: Final = {
    "order": order_changes,
    "add": _cart_changes,
    "recount": _cart_changes,
    "review": _review_changes,
    "listing": _listing_changes,
}


def _filled(sheet: Sheet, before: Sequence[AskedBefore], last: Ask, slot: str) -> Ask | None:
    """Return the act with the slot that was asked for; None where the message does not say it."""
    if sheet.says(words.DROPS) and not _changes(sheet):
        return dropped(last, sheet)
    if slot == "product" and _wants_none(sheet, before):
        return dropped(last, sheet)
    if slot == "product" and _is_any_of_several(sheet, before):
        return replace(last, words=sheet.text, start=0, end=len(sheet.text))  # which of them is asked once more
    value = _SLOTS[slot](sheet, before) if slot in _SLOTS else {}
    value = value or {name: one for name, one in parts.bill_parts(sheet).items() if name == slot}
    if not value:
        return None
    more = parts.bill_parts(sheet) if last.answerer.endswith("act_order") else {}
    return _with(last, sheet, {**more, **value})


def _slot_quantity(sheet: Sheet, _before: Sequence[AskedBefore]) -> dict[str, str]:
    count = parts.bare_count(sheet) if short(sheet.text, 10) else None
    return {"quantity": str(count)} if count else {}


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


def _slot_product(sheet: Sheet, before: Sequence[AskedBefore]) -> dict[str, str]:
    """Return which goods are meant, where it was asked which."""
    if (told := of_told(sheet, before)) is not None and not sheet.says(words.PUTS_ASIDE):
        return {"goods": "", **told}
    if named := parts.codes(sheet):
        return {"codes": named[0][0], "ids": "", "goods": ""}
    if kinds := sheet.of_kind("category"):
        stands = under_way(before)
        codes = stands[0].notes.get("codes", "") if stands is not None else ""
        # "의자 말한 거야" tells apart two goods of one code.
        marked = {} if codes else choosing.marks(sheet, kinds[0].value)
        return {"goods": "", "ids": "", "codes": codes, "picked": sheet.text, **marked}
    return {"goods": sheet.text, "ids": "", "codes": "", "picked": sheet.text} if sheet.of_kind("product") else {}


def _slot_order(sheet: Sheet, before: Sequence[AskedBefore]) -> dict[str, str]:
    if numbers := sheet.of_kind("order_id"):
        return {"order": numbers[0].value}
    to = pointed(sheet, before, "order")
    if to is not None and to.told:
        return {"order": to.told[0].value}
    if states := next((states for states, pattern in words.STATES if sheet.says(pattern)), ()):
        return {"states": "|".join(states), "picked": sheet.text}
    return {"picked": sheet.text} if sheet.of_kind("category") or parts.codes(sheet) else {}


def _slot_reason(sheet: Sheet, _before: Sequence[AskedBefore]) -> dict[str, str]:
    """Return why goods go back; a mere yes says nothing of it."""
    says_why = said.reason(sheet.text) or not (sheet.says(words.YES) and short(sheet.text, _YES_WORDS_MAX))
    if not says_why or (sheet.says(words.REFUND) and not said.reason(sheet.text)):
        # Asked why and saying yes again, a person keeps the reason to themselves.
        return {"reason": "(not said)" if sheet.language == "en" else "말하지 않음"}
    return {"reason": sheet.text[:200]} if len(sheet.text.strip()) > 1 else {}


def _slot_rating(sheet: Sheet, before: Sequence[AskedBefore]) -> dict[str, str]:
    found = _review_changes(sheet, before, Ask())
    if "rating" not in found and (count := parts.bare_count(sheet)) is not None and 1 <= count <= 5:
        found["rating"] = str(count)
    return found


def _slot_body(sheet: Sheet, before: Sequence[AskedBefore]) -> dict[str, str]:
    if len(sheet.text.strip()) < _BODY_MIN:
        return {}
    return {
        "body": sheet.text[:1_000],
        **{k: v for k, v in _review_changes(sheet, before, Ask()).items() if k == "rating"},
    }


def _slot_address(sheet: Sheet, _before: Sequence[AskedBefore]) -> dict[str, str]:
    named = places.address(sheet)
    whole = sheet.text.strip(" .") if len(sheet.text) >= 8 and re.search(r"\d", sheet.text) else ""
    return {"address": named if not named.startswith(places.UNKNOWN) else whole or named}


def _slot_points(sheet: Sheet, _before: Sequence[AskedBefore]) -> dict[str, str]:
    """Return how many points are used, where it was asked how many."""
    said = parts.points(sheet)
    if said and said != "ask":
        return {"points": said}
    if sheet.says(_NONE):
        return {"points": "none"}
    if sheet.says(_ALL):
        return {"points": "all"}
    numbers = [one for one in sheet.numbers if one.unit in {"krw", "points", ""} and one.value >= 1]
    return (
        {"points": str(int(numbers[-1].as_won if numbers[-1].unit == "krw" else numbers[-1].value))} if numbers else {}
    )


_NONE: Final = r"안\s?쓸|안\s?써|쓰지\s?(?:말|않)|없이|됐|아니|\bnone\b|\bno\b|\bnot\b|\bwithout\b"
_ALL: Final = r"전부|모두|다(?:\s|요|$)|몽땅|최대|있는\s?(?:대로|만큼)|\b(?:all|everything|max\w*)\b"


def _slot_price(sheet: Sheet, _before: Sequence[AskedBefore]) -> dict[str, str]:
    numbers = [one for one in sheet.numbers if one.unit in {"krw", ""} and one.value > 0]
    return {"price": str(int(numbers[-1].value))} if numbers else {}


_SLOTS: Final = {
    "quantity": _slot_quantity,
    "product": _slot_product,
    "order": _slot_order,
    "reason": _slot_reason,
    "rating": _slot_rating,
    "body": _slot_body,
    "address": _slot_address,
    "points": _slot_points,
    "price": _slot_price,
}
"""How the answer to each slot is read."""


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
