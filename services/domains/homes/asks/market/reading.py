"""What homes cost, typed: levels, comparisons, ranks, changes, advice; an elliptic message is completed by the last ask."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm
from services.domains.homes.asks import advice, changes, compares, extremes, levels, ranks
from services.domains.homes.asks.homes_named import HOME_WORDS, deal_types
from services.domains.homes.asks.market import choosing, leaning, supposed
from services.domains.homes.asks.market.drafting import MOVES, asks_advice, draft
from services.domains.homes.asks.market.editing import SHORT, edited_ask, edits_last, leans_on_last
from services.domains.homes.asks.market.elsewhere import not_here, not_in_data
from services.domains.homes.asks.market.finishing import finished_ask
from services.domains.homes.asks.market.scope import PRICED, asks_else, is_not_market, is_of_homes_alone, names_another
from services.domains.homes.asks.orders import FELL, ROSE, bounds_places, order_of, ranks_places
from services.domains.homes.asks.sides import level_calls
from services.plugin.asks.answering import CERTAIN, Answerer, Claim
from services.plugin.asks.edits import is_fresh, is_of_last, last_of, short
from services.plugin.asks.sheet import Sheet
from services.text.near import just_before
from services.text.patterns import Pattern

_NOW: Final = ("realty.search", "finance.real_estate")
"""Who tells what homes cost now, the first that is an owner of the route's intent, else the first that is served."""
_OVER_TIME: Final = ("finance.real_estate", "realty.search")
"""Who tells how prices move."""
_PARTIES: Final = r"집주인|임대인|세입자|임차인|landlord|tenant"
"""Who is at odds where no place is asked about."""
_LEANING: Final = 0.96
"""The score of a message that names a figure of the homes just asked about."""


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the asks about what homes cost; an elliptic message is completed by the last one."""
    if (elsewhere := not_here(sheet)) is not None:
        return (elsewhere,)
    last = None if is_fresh(sheet) else last_of(before, "homes")
    now = leaning.completed(draft(sheet), sheet, last, before)
    # Of places alone that are held against each other over a span, the price of homes is meant, named or not.
    several = len(sheet.of_kind("region")) > 1
    order = order_of(sheet)
    spans = bool(now.notes.get("back")) or (order is not None and order.is_change)
    moving = several and spans and sheet.says(MOVES) and is_of_homes_alone(sheet)
    # An unknown name beside a place is a complex only where a price is asked: "the KTX to Daejeon" is none.
    of_complex = "complex" in now.notes and sheet.says(PRICED)
    # A floor area in a place is that of a home, also where none is named.
    of_size = bool(now.subjects and sheet.of_kind("area")) and sheet.says(rf"{PRICED}|거래")
    of_price = bool(now.subjects) and sheet.says(_SALE_PRICE)
    priced = bool(now.subjects) and sheet.says(_DISTRICTS) and short(sheet.text, SHORT[sheet.language])
    risen = order is not None and order.is_change and sheet.says(_RISEN_DISTRICT) and not names_another(sheet)
    of_class = (priced or risen) and ranks_places(sheet) and is_of_homes_alone(sheet)
    # Places that are held against each other by how dear they are, and nothing else is named: it is their homes.
    held = several and sheet.says(_DEAR) and now.form is AskForm.COMPARE and is_of_homes_alone(sheet)
    of_class = of_class or (held and not names_another(sheet))
    own = (sheet.says(HOME_WORDS) or of_complex or of_size or of_price or moving or of_class) and not is_not_market(
        sheet
    )
    own = own and not (sheet.says(_PARTIES) and not _asked_about(sheet, now)) and not asks_else(sheet, now)
    if last is not None and (claims := _chosen(sheet, now, last, before)):
        return claims
    if (
        last is not None
        and leans_on_last(sheet, now, last, before)
        and last.answerer.startswith("homes.market_")
        and edits_last(sheet, now)
    ):
        return (Claim(edited_ask(now, last, sheet, before), _LEANING),)
    if own and not sheet.wants(AskForm.EFFECT) and (now.subjects or ranks_places(sheet) or bounds_places(sheet)):
        finished, alone = finished_ask(now, sheet), is_of_homes_alone(sheet)
        # Places that are held against each other are one request, however many intents its words sound like.
        score = CERTAIN if alone and several and finished.form is AskForm.COMPARE else 0.95
        return (Claim(finished, score, is_whole=alone),)
    if last is not None and last.answerer.startswith("homes.market_") and edits_last(sheet, now):
        leans = is_of_last(before, "homes") and bool(now.measures)
        return (Claim(edited_ask(now, last, sheet, before), _LEANING if leans else 0.9),)
    return _advised_anywhere(sheet, now) if last is None else ()


def _asked_about(sheet: Sheet, now: Ask) -> bool:
    """Tell whether a place is asked about, and is not only where somebody goes: "I'm moving to Busan soon"."""
    return any(
        not (just_before(_GOES_TO, sheet.text, one.start) or _IS_GONE_TO.match(sheet.text, one.end))
        for one in now.subjects
    )


_GOES_TO: Final = Pattern(
    r"\b(?:mov(?:e|es|ed|ing)|go(?:es|ing)?|relocat\w+|transferred|(?:job|work|start)\w*(?: \w+){0,2})(?: \w+)? (?:to|in) $",
    re.IGNORECASE,
)
_IS_GONE_TO: Final = Pattern(r"\S{0,2}(?:으?로|에)\s(?:이사|가|옮|발령|취직|내려|올라)")
_DISTRICTS: Final = r"(?:싼|비싼|저렴한|높은|낮은)\s?(?:자치구|구|동네)(?![가-힣]{2})|\b(?:cheapest|priciest|most expensive|dearest) district"
"""Districts in an order of price with no word of homes, whose price is meant."""
_DEAR: Final = r"비싸|비싼|(?<!비)싸|(?<!비)싼|저렴|\b(?:cheap|pric(?:ier|iest|ey)|expensive|dear(?:er|est))"
_RISEN_DISTRICT: Final = (
    r"(?<![가-힣])(?:자치구|구|동네)(?:는|가|은|이|를|들|만|랑|야|요|\s|$|[?.,])"
    rf"|\bdistricts? (?:(?:in|of) \w+ )?(?:that |which )?(?:ha(?:s|ve) )?(?:{ROSE}|{FELL})"
)
"""Districts that rose or fell, of which the price of homes is meant where nothing else is named."""
_SALE_PRICE: Final = r"\bsale prices?\b|매매가"


def _advised_anywhere(sheet: Sheet, now: Ask) -> Sequence[Claim]:
    """Return whether to buy a home, no place being named: "집 지금 사도 될까"."""
    if now.subjects or not asks_advice(sheet) or not sheet.says(_ANY_HOME) or not is_of_homes_alone(sheet):
        return ()
    if sheet.says(_COSTS):
        # What a purchase costs beside its price is no question of when.
        return ()
    between = {"between": "1"} if {"jeonse", "monthly_rent"} <= set(deal_types(sheet)) else {}
    advised = replace(now, form=AskForm.ADVICE, answerer="market_advice", measures=("sale_price",))
    return (Claim(replace(advised, notes={**advised.notes, **between}), 0.95),)


_COSTS: Final = r"비용|세금|수수료|(?:말고|외에|빼고)\s?(?:또\s?)?(?:뭐|얼마|무슨|더)|\bcosts\b|\bfees?\b|\btax"
_ANY_HOME: Final = rf"{HOME_WORDS}|(?<![가-힣])집(?:을|은|이|도)?(?![가-힣])"


def _chosen(sheet: Sheet, now: Ask, last: Ask, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return what is asked of one of the places that were told, by which of them it is; nothing where none is chosen."""
    if not last.answerer.startswith("homes.market_") or is_not_market(sheet):
        return ()
    if (moved := supposed.supposed(sheet, now, last)) is not None:
        return (Claim(moved, _LEANING),)
    if (both := choosing.moved_most(sheet, now, last, before)) is not None:
        return [Claim(one, _LEANING) for one in both]
    held = choosing.held_against_first(sheet, now, last, before) or choosing.held_apart(sheet, now, last, before)
    if held is not None:
        return (Claim(held, _LEANING),)
    if not (places := choosing.chosen(sheet, now, last, before)):
        of_set = choosing.is_first_of_set(sheet, now, before) and not sheet.says(_NATION)
        return (Claim(edited_ask(now, last, sheet, before), _LEANING),) if of_set else ()
    ask = edited_ask(replace(now, subjects=places, form=AskForm.LEVEL), last, sheet, before)
    return (Claim(finished_ask(replace(ask, form=AskForm.LEVEL), sheet), _LEANING),)


_NATION: Final = r"전국|서울(?:시)?\s?(?:전체|에서)|nationwide|in the country|all of"
ANSWERERS: Final = (
    Answerer("market_level", _NOW, levels.level, level_calls),
    Answerer("market_compare", _NOW, compares.compare, level_calls),
    Answerer("market_rank", _NOW, ranks.rank, ranks.rank_calls),
    Answerer("market_change", _OVER_TIME, changes.change, changes.change_calls),
    Answerer("market_extreme", _OVER_TIME, extremes.extreme, changes.change_calls),
    Answerer("market_change_rank", _OVER_TIME, ranks.change_rank, ranks.change_rank_calls),
    Answerer("market_past", _OVER_TIME, levels.past, levels.past_calls),
    Answerer("market_advice", _NOW, advice.advice, advice.advice_calls),
    Answerer("market_outlook", _NOW, advice.outlook, advice.outlook_calls),
    Answerer("market_elsewhere", _NOW, not_in_data),
    *supposed.ANSWERERS,
)
