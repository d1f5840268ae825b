"""An ask on home prices made whole: its answerer, the figures that its form takes, what it takes for given."""

from dataclasses import replace
from typing import Final

from services.contract.asks import Ask, AskForm
from services.domains.homes.asks.market.drafting import MOVES, draft
from services.domains.homes.asks.orders import Order, order_meant, order_of, wants_least
from services.domains.homes.asks.spans import YEAR
from services.plugin.asks.sheet import Sheet

_NAMED: Final = {
    AskForm.RANK: "market_rank",
    AskForm.COMPARE: "market_compare",
    AskForm.CHANGE: "market_change",
    AskForm.CAUSE: "market_change",
    AskForm.ADVICE: "market_advice",
    AskForm.EFFECT: "market_outlook",
    AskForm.FACT: "market_extreme",
}


def drafted(sheet: Sheet, form: AskForm, *, by_change: bool = False) -> Ask:
    """Return the ask of a form that a question is known to have, whatever its words say of that."""
    now = replace(draft(sheet), form=form)
    if form is AskForm.CHANGE and not now.notes.keys() & {"back", "from"}:
        now = replace(now, notes={**now.notes, "back": str(YEAR)})
    if form is AskForm.CHANGE and now.start_date:
        # The month that is named is where the span begins.
        now = replace(
            now, start_date="", end_date="", notes={**now.notes, "from": now.start_date, "to": sheet.today.isoformat()}
        )
    if form is not AskForm.RANK:
        return finished_ask(now, sheet)
    order = order_meant(sheet) or Order(is_most=True)
    ranked = replace(now, descending=order.is_most, count=order.count, order_by=(now.measures or ("sale_price",))[0])
    finished = finished_ask(ranked, sheet)
    return replace(finished, answerer="market_change_rank") if by_change else finished


def finished_ask(ask: Ask, sheet: Sheet) -> Ask:
    """Return an ask with its answerer, and the figures that its form takes."""
    measures, notes = ask.measures or ("sale_price",), dict(ask.notes)
    form = ask.form or AskForm.LEVEL
    name = _NAMED.get(form, "market_level")
    order = order_of(sheet)
    if form is AskForm.RANK and (order.is_change if order is not None else ask.answerer.endswith("change_rank")):
        name = "market_change_rank"
        if wants_least(sheet):
            notes["smallest"] = "1"
    if form in {AskForm.LEVEL, AskForm.COMPARE} and ask.start_date:
        name = "market_past"
    if form in {AskForm.CHANGE, AskForm.CAUSE, AskForm.RANK, AskForm.FACT}:
        measures = tuple(one for one in measures if one != "rent_deposit")[:1] or ("monthly_rent",)
    if form is AskForm.COMPARE:
        of_deposit = (sheet.says(_DEPOSIT) or "of_deposit" in notes) and "rent_deposit" in measures
        measures = (
            ("rent_deposit",)
            if of_deposit
            else tuple(one for one in measures if one != "rent_deposit")[:2] or measures[:1]
        )
    if form is AskForm.COMPARE and (notes.get("back") or notes.get("from")) and sheet.says(MOVES):
        name, measures = "market_change", measures[:1]
        notes |= {"way": _premise(sheet), "least": "1" if sheet.says(r"덜|least|less") else ""}
    if form is AskForm.CAUSE:
        notes["premise"] = _premise(sheet)
    if form in {AskForm.COMPARE, AskForm.RANK}:
        # "And the cheapest?" asks for the other end of the ranking that was told.
        told = ask.descending if form is AskForm.RANK else sheet.says(_DEARER)
        ask = replace(ask, descending=order.is_most if order is not None else told)
    if form is AskForm.EFFECT:
        form = AskForm.LEVEL
    return replace(
        ask, form=form, measures=measures, answerer=name, notes=notes, order_by=measures[0] if order is not None else ""
    )


_DEPOSIT: Final = r"보증금(?!\s?(?:이?랑|과|하고|[,/])\s?월세)|(?<!and )\bdeposits?\b(?! and)"
"""Names the deposit of a rent, and not beside the rent itself."""
_DEARER: Final = r"더\s?(?:비싸|비싼|비쌌|높|크|많)|(?<!안 )비싸|비싼|높|(?<!더 )(?<!제일 )많(?=[아으은])|expensive|dearer|pricier|costl|\bhigher\b|\bcosts? more\b"


def _premise(sheet: Sheet) -> str:
    """Return what a question takes for given: that prices rose, or that they fell."""
    if sheet.says(r"떨어|내렸|내린|하락|빠졌|빠진|싸졌|fell|fallen|drop|declin|cheaper|down"):
        return "fell"
    return (
        "rose"
        if sheet.says(r"올랐|오른|올라|뛰|뛴|상승|비싸|rose|risen|dearer|pricier|expensive|increase|up\b")
        else ""
    )
