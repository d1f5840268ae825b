"""The asks of a seller's question."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm
from services.domains.commerce.asks.seller.changes import change_ask, held_against
from services.domains.commerce.asks.seller.efficiency import efficiency_ask
from services.domains.commerce.asks.seller.figures import RATES, named_in
from services.domains.commerce.asks.seller.forecast import forecast_ask
from services.domains.commerce.asks.seller.listed import SOLD_OUT, SOON_GONE, listed_ask
from services.domains.commerce.asks.seller.listing_rules import NAMED_PART, check_ask, rules_ask, wording_ask
from services.domains.commerce.asks.seller.periods import says_days
from services.domains.commerce.asks.seller.price_reading import pricing_ask
from services.domains.commerce.asks.seller.sales import sales_ask
from services.domains.commerce.asks.seller.scope import CODE, code_said, of_kinds
from services.domains.commerce.asks.seller.words import (
    CHANGE,
    CHECK,
    EARNINGS,
    EFFICIENCY,
    FORECAST,
    GAIN,
    LISTED,
    LISTING,
    NAMED_SHOP,
    OWNS,
    PRICING,
    RULES_OF_LISTING,
    SALES,
    SHOP,
    SIMULATION,
)
from services.plugin.asks.answering import CERTAIN, Claim
from services.plugin.asks.edits import short
from services.plugin.asks.sheet import Sheet
from services.plugin.entities import PERIOD

_SURE: Final = 0.95
_LEANS: Final = 0.9


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the asks of a seller: sales and how they move, another price, efficiency, own goods, listings."""
    if sheet.of_kind("security"):
        return ()
    last = _last_sales(before)
    # Another price and efficiency may be asked for in one message; of the other topics the first that is meant stands.
    both = [ask for topic in (_pricing, _efficiency) if (ask := topic(sheet)) is not None]
    asks = both or [ask for topic in _TOPICS if (ask := topic(sheet)) is not None][:1]
    if last is not None:
        asks = [held_against(ask, sheet, last) if ask.answerer == "sales_change" else ask for ask in asks]
    if asks:
        if _is_computed(asks):
            return (Claim(asks[0], CERTAIN, is_whole=True),)
        sure = sheet.user_type == "seller" or asks[0].answerer == "pricing"
        return tuple(Claim(ask, _SURE if sure else _LEANS) for ask in asks)
    if last is not None and (of_others := _of_other_goods(sheet, last)) is not None:
        return (Claim(of_others, _SURE),)
    if last is not None and short(sheet.text, 7) and _leans(sheet):
        return (Claim(sales_ask(sheet, last), _LEANS),)
    return ()


def _is_computed(asks: Sequence[Ask]) -> bool:
    """Tell whether a message is one computation whose numbers are all bound, in however many sentences."""
    roles = {one.role for one in asks[0].quantities}
    return asks[0].answerer == "pricing" and len(asks) == 1 and roles >= {"price", "cost", "units"}


def of_route(sheet: Sheet, intent: str) -> Ask | None:
    """Return what a seller asks by the route alone, where no reader is sure: sales, another price, or efficiency."""
    asks: dict[str, Callable[[Sheet], Ask]] = {
        "seller_analytics": sales_ask,
        "simulate_pricing": pricing_ask,
        "analyze_efficiency": efficiency_ask,
    }
    if intent == "seller_analytics" and (moved := _sales(sheet)) is not None:
        return moved
    return asks[intent](sheet) if intent in asks else None


def read_listing(sheet: Sheet, _before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the ask what a listing has to be, or whether one that is read out meets the limits."""
    ask = _listing(sheet)
    return (Claim(ask, _SURE),) if ask is not None else ()


def _last_sales(before: Sequence[AskedBefore]) -> Ask | None:
    asks = before[0].asks if before else ()
    return next((ask for ask in asks if ask.answerer.rpartition(".")[2].startswith("sales_")), None)


def _of_other_goods(sheet: Sheet, last: Ask) -> Ask | None:
    """Return what was asked of sales just before, of other goods that a short message names: "and the laptops?"."""
    kinds, code = sheet.of_kind("category"), code_said(sheet)
    if not (kinds or code) or not short(sheet.text, _GOODS_WORDS_MAX) or sheet.user_type != "seller":
        return None
    return replace(
        last, words=sheet.text, start=0, end=len(sheet.text), subjects=kinds, notes={**last.notes, CODE: code}
    )


_GOODS_WORDS_MAX: Final = 3


def _leans(sheet: Sheet) -> bool:
    of_rank = sheet.superlative is not None and sheet.user_type == "seller"
    return says_days(sheet) or sheet.says(SALES) or of_rank


def _of_own_shop(sheet: Sheet) -> bool:
    """Tell whether a question is a seller's, or speaks of a shop or goods of one's own."""
    return sheet.user_type == "seller" or (sheet.says(OWNS) and sheet.says(SHOP))


def _listing(sheet: Sheet) -> Ask | None:
    if sheet.user_type == "seller" and "?" in sheet.text and (read_out := check_ask(sheet)) is not None:
        return read_out if read_out.notes.get("listing_name") else None
    if sheet.user_type == "seller" and (worded := wording_ask(sheet)) is not None:
        return worded
    if not (sheet.says(LISTING) or (sheet.user_type == "seller" and sheet.says(NAMED_PART))):
        return None
    if sheet.says(CHECK) and (ask := check_ask(sheet)) is not None:
        return ask
    return (
        rules_ask(sheet)
        if sheet.user_type == "seller" and sheet.says(RULES_OF_LISTING) and not sheet.says(SALES)
        else None
    )


def _pricing(sheet: Sheet) -> Ask | None:
    ask = pricing_ask(sheet)
    roles = {one.role for one in ask.quantities}
    # A cost, what sells, a price and another one are a computation, whatever the words.
    other = roles & {"new_price", "change", "delta"}
    is_whole = sheet.user_type == "seller" and roles >= {"price", "cost", "units"} and bool(other)
    if not is_whole and not ((sheet.says(GAIN) or (ask.subjects and sheet.says(_WHAT_IF))) and sheet.says(PRICING)):
        return None
    if len(roles & {"price", "cost", "units"}) > 1:
        return ask
    own = sheet.user_type == "seller" and (roles & {"change", "new_price", "delta"} or sheet.says(SIMULATION))
    return ask if own and (ask.subjects or not sheet.says(SALES) or sheet.says(_OF_PRICE)) else None


_OF_PRICE: Final = r"가격|판매가|단가|값(?:을|만)?\s|할인하면|세일하면|\bprices?\b"
"""Speaks of a price, so that what is sold is asked for at another one."""


_WHAT_IF: Final = r"\bwhat (?:if|happens|would happen)\b|어떻게\s?(?:돼|될|되)|어떨까|어떻게\s?변"
"""Asks what another price would bring, and names nothing that it brings."""


def _efficiency(sheet: Sheet) -> Ask | None:
    return efficiency_ask(sheet) if sheet.says(EFFICIENCY) and _of_own_shop(sheet) else None


def _sales(sheet: Sheet) -> Ask | None:
    named = sheet.says(NAMED_SHOP) and sheet.says(SALES)
    of_rate = sheet.superlative is not None and not RATES.isdisjoint(named_in(sheet))
    of_seller = sheet.user_type == "seller" and (sheet.says(SALES) or sheet.says(EARNINGS) or of_rate)
    if not (of_seller or named or (sheet.says(SALES) and _of_own_shop(sheet))):
        return change_ask(sheet) if _is_of_two_times(sheet) else None
    if sheet.says(FORECAST) and not sheet.superlative:
        return forecast_ask(sheet)
    if of_kinds(ask := sales_ask(sheet)) and len(sheet.periods) <= 1:
        # Several kinds of goods are held against each other, and not times.
        return replace(ask, form=AskForm.RANK, answerer="sales_rank")
    return change_ask(sheet) if sheet.says(CHANGE) and not sheet.superlative else sales_ask(sheet)


def _is_of_two_times(sheet: Sheet) -> bool:
    """Tell whether a seller holds one time against another, and names nothing else: "이번 달이 지난달보다 나은가요"."""
    named = [one for one in sheet.entities if one.kind != PERIOD]
    known = not named or len(sheet.periods) > 1 or sheet.says(rf"{_HOW_WE_DO}|{_EARLIER}")
    own = known and all(one.value == one.words or re.search(_EARLIER, one.words) for one in named)
    return sheet.user_type == "seller" and own and says_days(sheet) and sheet.says(CHANGE)


_EARLIER: Final = r"\b(?:week|month|day) before\b|(?<![가-힣])(?:그\s?)?(?:전\s?주|전전주|전\s?달|전월)"
"""A time that is told by the one behind it."""
_HOW_WE_DO: Final = r"\b(?:i|we|us|business|shop|store)\b.*\b(?:do|doing|did|done|going|perform\w*|up|down|better|worse)\b|우리|장사|가게"
"""Speaks of how one's own shop does."""


def _forecast(sheet: Sheet) -> Ask | None:
    words = r"sell|팔(?:릴|리|까)|판매"
    return forecast_ask(sheet) if sheet.user_type == "seller" and sheet.says(FORECAST) and sheet.says(words) else None


_WHICH: Final = r"뭐|뭔|몇|어떤|있(?:나|어|니|는|음)|보여|알려|목록|\b(?:what|which|how many|any|list|show|anything)\b"
"""Asks which there are."""


def _listed(sheet: Sheet) -> Ask | None:
    gone = sheet.says(SOON_GONE) or (sheet.says(SOLD_OUT) and sheet.says(_WHICH))
    if code_said(sheet):
        # How many of one model are left is asked of that model.
        return None
    if sheet.user_type == "seller" and gone and not sheet.of_kind("category"):
        return listed_ask(sheet)
    things = sheet.says(r"상품|제품|products?|listings?|items?|\bi (?:sell|list)|파는")
    # Goods of no kind of which little is left are a seller's own, whoever's they are said to be.
    own = sheet.says(OWNS) or (sheet.says(r"재고|품절|\bstock\b|sold out") and not sheet.of_kind("category"))
    return listed_ask(sheet) if sheet.user_type == "seller" and things and own and sheet.says(LISTED) else None


_TOPICS: Final[tuple[Callable[[Sheet], Ask | None], ...]] = (
    _listing,
    _pricing,
    _efficiency,
    _forecast,
    _sales,
    _listed,
)
