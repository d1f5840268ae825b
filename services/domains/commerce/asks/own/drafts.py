"""The ask about own things of one kind, with all that a message names for it."""

import re
from typing import Final

from services.contract.asks import Ask, AskForm, AskQuantity
from services.domains.commerce.asks.own.words import COUPONS, DUE, OWN, TOO_LATE, WANTED
from services.plugin.asks.sheet import Sheet
from services.text.patterns import Pattern


def _days(sheet: Sheet) -> tuple[str, str]:
    """Return the first and the last day that a question names; empty where it names none, or days to come."""
    past = [(first, last) for first, last, _ in sheet.periods if first <= sheet.today]
    return (past[0][0].isoformat(), past[0][1].isoformat()) if past else ("", "")


def own_ask(sheet: Sheet, name: str, form: AskForm, intent: str) -> Ask:
    """Return the ask about own things of one kind, with the orders, states, days and coupons that it names."""
    wanted = dict.fromkeys(state for part in _PARTS.split(sheet.text) for state in _states_in(part))
    quantities = (
        tuple(
            AskQuantity("coupon_percent", f"{one.value:f}", "percent", one.words)
            for one in sheet.numbers
            if one.unit == "percent"
        )
        if sheet.says(COUPONS)
        else ()
    )
    # The day that something is to come on is not the one that it was ordered on.
    due = sheet.says(DUE)
    first, last = ("", "") if due else _days(sheet)
    return Ask(
        words=sheet.text,
        end=len(sheet.text),
        form=form,
        start_date=first,
        end_date=last,
        intent=intent,
        answerer=f"{OWN}{name}",
        subjects=(*sheet.of_kind("order_id"), *sheet.of_kind("category")),
        quantities=quantities,
        notes={"states": "|".join(wanted), "said": sheet.text, "late": "yes" if sheet.says(TOO_LATE) else ""}
        | ({"due": "yes", "coming": "yes"} if due else {}),
    )


_PARTS: Final = Pattern(r"이?랑\s|하고\s|[와과]\s|,\s|\band\b", re.IGNORECASE)
"""What joins two states that orders are asked for in."""


def _states_in(text: str) -> tuple[str, ...]:
    return next((states for states, words in WANTED if re.search(words, text, re.IGNORECASE)), ())
