"""A message on home prices that leans on the one before: what of it stands, and what is said anew."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm
from services.domains.homes.asks.homes_named import ON_OFFER, property_types, room_condition
from services.domains.homes.asks.market.drafting import COMPARES
from services.domains.homes.asks.market.finishing import finished_ask
from services.domains.homes.asks.market.scope import asks_else, is_not_market
from services.domains.homes.asks.orders import order_of
from services.domains.homes.asks.spans import SPAN_NOTES
from services.plugin.asks.edits import (
    asks_first_alone,
    carried,
    is_of_last,
    pointed,
    points_back,
    short,
)
from services.plugin.asks.edits import compares as compares_with
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.standing import things

SHORT: Final = {"ko": 9, "en": 12}
"""How many words a message has at most that leans on the one before it."""
_ELLIPSIS: Final = (
    r"(?:는|은|도|이?요|으?로|만)\s?\?*$|^(?:and|what about|how about|then|same for)\b|^(?:그럼|그러면|그리고)\s"
)
_ELLIPSIS_WORDS: Final = 4


def leans_on_last(sheet: Sheet, now: Ask, last: Ask, before: Sequence[AskedBefore]) -> bool:
    """Tell whether a message is the rest of the one before it though it could stand alone: "마포구 월세는?"."""
    if property_types(sheet) or order_of(sheet) is not None:
        return False
    if points_back(sheet):
        return True
    # Over another subject a message leans as well where it names the place that was asked about.
    again = {one.value for one in now.subjects} & {one.value for one in last.subjects}
    near = is_of_last(before, "homes") or bool(again)
    return near and short(sheet.text, _ELLIPSIS_WORDS) and sheet.says(_ELLIPSIS)


def edits_last(sheet: Sheet, now: Ask) -> bool:
    """Tell whether a message leans on the last one: it names a part and no whole, or points to what was told."""
    names = (
        now.subjects or now.measures or now.conditions or {"property_type", "kinds", "back", "from"} & now.notes.keys()
    )
    leans = bool(names) or bool(sheet.periods) or bool({"gap", "premise"} & now.notes.keys())
    leans = leans or (short(sheet.text, _ELLIPSIS_WORDS) and is_of_now(sheet, now))
    leans = leans or (order_of(sheet) is not None and asks_first_alone(sheet, "구|동네|지역|집|단지"))
    return (
        short(sheet.text, SHORT[sheet.language])
        and not is_not_market(sheet)
        # Which homes are to be had, or how many rooms they have, is no figure of the place that was told.
        and not (sheet.says(ON_OFFER) or room_condition(sheet))
        and not (sheet.wants(AskForm.RECOMMEND) and asks_else(sheet, now))
        and (leans or pointed(sheet, (), "region") is not None)
    )


def edited_ask(now: Ask, last: Ask, sheet: Sheet, before: Sequence[AskedBefore]) -> Ask:
    """Return the last ask with what a message says anew, of the places that it points to."""
    towards = pointed(sheet, before, "region")
    # "There" behind two places that were told side by side, of which none came first, is both.
    side_by_side = (
        towards is not None and towards.how == "one" and last.form is AskForm.LEVEL and len(last.subjects) > 1
    )
    if towards is not None and towards.told and not now.subjects and not side_by_side:
        places = things(towards.told)
        now = replace(now, subjects=places)
        if towards.how == "set" and len(places) > 1 and (sheet.says(_CHOICE) or order_of(sheet) is not None):
            now = replace(now, form=AskForm.COMPARE)
    elif order_of(sheet) is not None and not now.subjects and len(last.subjects) > 1:
        now = replace(now, form=AskForm.COMPARE)
    told = {one.value for one in last.subjects}
    # A place that is held against its own past joins no other: "how does that compare to a year ago?".
    anew = now.form is not AskForm.CHANGE or any(one.value not in told for one in now.subjects)
    joins = bool(now.subjects) and anew and compares_with(sheet, now.subjects)
    of_now = is_of_now(sheet, now)
    whole = carried(now, _without(last, now, of_now=of_now), adds_subjects=joins)
    if joins:
        whole = replace(whole, form=AskForm.COMPARE)
    elif now.subjects and last.form is AskForm.COMPARE and len(now.subjects) == 1 and now.form is not AskForm.CHANGE:
        whole = replace(whole, form=AskForm.LEVEL)
    elif of_now and now.form in {None, AskForm.LEVEL}:
        whole = replace(whole, form=AskForm.LEVEL if last.form is AskForm.CHANGE else last.form)
    elif now.form is None or (now.form is AskForm.LEVEL and last.form is AskForm.CHANGE):
        whole = replace(whole, form=last.form)
    return finished_ask(whole, sheet)


_NOW: Final = r"지금|현재|요즘|요새|\b(?:now|today|nowadays|currently|these days|at present|right now)\b"


def is_of_now(sheet: Sheet, now: Ask) -> bool:
    """Tell whether a message turns from the past to the present: "지금은?", "and now?"."""
    return sheet.says(_NOW) and not now.start_date and not set(SPAN_NOTES) & now.notes.keys()


_CHOICE: Final = rf"{COMPARES}|중(?!구)|가운데|of (?:the|those|these|them)"
"""Words that choose among what was told."""


def _without(last: Ask, now: Ask, *, of_now: bool) -> Ask:
    """Return the last ask without what a message replaces: its months, kinds, or the complex of another place."""
    gone: set[str] = set()
    if of_now:
        last = replace(last, start_date="", end_date="")
    if of_now or set(SPAN_NOTES) & now.notes.keys():
        gone |= set(SPAN_NOTES)
    if {"property_type", "kinds"} & now.notes.keys():
        gone |= {"property_type", "kinds"}
    if now.measures:
        gone |= {"gap", "of_deposit"}
    if now.subjects or "complex" in now.notes:
        gone.add("complex")
    return replace(last, notes={name: value for name, value in last.notes.items() if name not in gone})
