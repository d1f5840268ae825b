"""What homes cost, typed: levels, comparisons, ranks, changes, advice; an elliptic message is completed by the last ask."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm
from services.domains.homes.asks import advice, changes, choosing, compares, extremes, leaning, levels, ranks, supposed
from services.domains.homes.asks.extremes import WHEN
from services.domains.homes.asks.homes_named import (
    BESIDE_PRICES,
    HOME_WORDS,
    area_condition,
    deal_types,
    dong_of,
    property_types,
)
from services.domains.homes.asks.names import unknown_names
from services.domains.homes.asks.orders import (
    FELL,
    ROSE,
    Order,
    bounds_places,
    order_meant,
    order_of,
    place_bound,
    ranks_places,
    wants_least,
)
from services.domains.homes.asks.sides import level_calls
from services.domains.homes.asks.spans import (
    SPAN_NOTES,
    YEAR,
    Months,
    end_named,
    innermost,
    is_future,
    months_before,
    months_of,
    past_month,
    years_named,
)
from services.domains.homes.asks.unrecorded import unrecorded
from services.plugin.asks.answering import CERTAIN, Answerer, Claim, Found, Outcome, declined
from services.plugin.asks.edits import (
    asks_first_alone,
    carried,
    is_fresh,
    is_of_last,
    last_of,
    pointed,
    points_back,
    short,
)
from services.plugin.asks.edits import compares as compares_with
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.standing import things
from services.plugin.asks.telling import filled
from services.plugin.entities import AMOUNT, AREA, PERIOD, QUANTITY, Entity
from services.text.ko.morphemes import morphemes
from services.text.patterns import Pattern

_INTENT: Final = "MARKET_INQUIRY"
_NOW: Final = ("realty.search", "finance.real_estate")
"""Who tells what homes cost now, the first that is an owner of the route's intent, else the first that is served."""
_OVER_TIME: Final = ("finance.real_estate", "realty.search")
"""Who tells how prices move."""
_RATIO: Final = r"전세가율|전세\s?비율|매매가?\s?대비\s?전세|jeonse[- ](?:to[- ](?:sales?|price)(?:[- ]price)? )?ratio|jeonse.{0,30}(?:relative to|compared (?:to|with)|as a share of|against)\s.{0,12}(?:sale|price)"
_PER_PYEONG: Final = r"평당|평단가|한\s?평에|per pyeong"
_PER_M2: Final = r"(?:㎡|m2|제곱\s?미터)\s?당|per (?:square met|m2|m²|㎡|sqm)"
_VOLUME: Final = r"거래량|거래\s?(?:건수|가\s?몇|몇|된?\s?건)|거래가?\s?(?:제일|가장|젤)?\s?(?:활발|많|적|뜸)|(?:몇\s?건|몇건)[^?]{0,8}(?:거래|팔렸|됐|되었)|\b(?:most|fewest|least|highest number of|lowest number of)\s(?:\w+\s){0,2}(?:deals|transactions|sales|trades)\b|how many (?:deals|transactions|sales|homes (?:were )?(?:sold|traded))|(?:transaction|sales) volume|busiest"
_GAP: Final = r"(?<![가-힣])갭(?!\s?투자)|전세(?:를)?\s?(?:끼고|안고|승계)|매매가?(?:랑|와|하고|이랑)?\s?전세가?(?:의|랑|와)?\s?(?:차이|차액|격차)|gap between .{0,20}(?:sale|price).{0,20}jeonse|\bthe gap\b"
_COMPARES: Final = r"격차|차액|차이|벌어(?:져|졌|진|지)|갭|얼마나?\s?(?:더|차)|더\s?(?:싸|싼|비싸|비싼|저렴|높|낮|덜)|덜\s?(?:비싸|들|하)|[더덜]\s?[가-힣]+\s?(?:데|곳|동네|구|쪽|게|거)(?:은|는|이|가|야|요)?(?![가-힣])|부담|어디가|어느\s?(?:쪽|동네|곳|구|게)|뭐가|비교|보다|견[주줘]|대\s?비교|나아|나은|싸[요지]?\??$|\bor\b|than\b|versus|\bvs\b|compare|differ|gap\b|which"
_BY_HOW_MUCH: Final = r"차이|차액|격차|얼마나?\s?더|by how much|how much (?:more|less|cheaper|dearer)|difference"
"""Words that ask how far apart places are, whatever the one who asks means to do."""
_MOVES: Final = rf"움직|(?:오르|내리|떨어지)(?:는\s?(?:중|추세|편)|고\s?있)|뛰|뛴|올랐|오른|내렸|내린|빠졌|빠진|떨어|변(?!경)|등락|상승|하락|추이|추세|흐름|어떻게\s?(?:됐|되었|변)|what happened|er than (?:they|it|those|prices) (?:was|were|cost)|er than .{{0,24}}\bago\b|ha(?:s|ve)\b.{{0,60}}\b(?:moved|changed|risen|fallen|gone|been|done|become)|\bdid\b.{{0,60}}\b(?:{ROSE}|{FELL}|move|change|go)|\b(?:rise|rose|fell|fallen|risen|grow|grew|drop|dropped|up or down)\b"
_MEAN_OF_PAST: Final = r"평균|average|mean\b"
_RISK: Final = r"위험|안전|리스크|\bsafe\b|risk"
_PRICED: Final = r"\bgo(?:es|ing)? for\b|얼마|시세|값|가격|매매|임대료|월세|전세|평균|price|cost|rent|how much|average"
_KOREAN: Final = ("동", "구", "시", "군", "읍", "면", "리")
_PARTIES: Final = r"집주인|임대인|세입자|임차인|landlord|tenant"
"""Who is at odds where no place is asked about."""
_OUTLOOK: Final = r"(?:오를|내릴|떨어질|뛸|빠질|갈|될)\s?(?:까|것\s?같|거\s?같|지|건가|려나)|전망|앞으로|내년|내후년|예측|will\b.{0,50}\b(?:rise|fall|go|cost|be|drop|increase)|going to (?:rise|fall|be|cost|go)|outlook|forecast|next year|predict"
_WAS: Final = r"\b(?:fell|rose|dropped|gained|climbed|went|moved|changed|grew|has|have|did)\b"
"""Says what has been: "in a year" behind it lies back."""
_TIMING: Final = r"사라는|말라는|사란\s?(?:말|거)|사도\s?(?:될|되|돼|괜찮)|사야|살까|살지|버릴까|(?:사는|사버리는|매수하는)\s?(?:게|것이|편이)\s?(?:맞|나|좋)|매수|기다려|기다릴|타이밍|(?:살|들어갈)\s?(?:시기|때)|should i|good time|worth (?:buying|it)|better to (?:buy|wait|rent)|buy or wait|(?<!^)(?<!no )(?<!oh )(?<!no, )(?<!oh, )\bwait\b(?![,!])"
_ADVICE: Final = rf"{_TIMING}|나을|나아|나은|좋을|유리|better"
_TORN: Final = r"까(?:요)?\s[^?]*까(?:요)?(?:\s|$|\?)|고민|망설|vs\.?\s|\bor\b[^?]*\?"
"""Words of somebody who is between two things."""
_CAUSE: Final = r"왜|이유|까닭|원인|때문|\bwhy\b|reason|what (?:caused|made|drove)"
_LAND: Final = r"땅값|(?<![가-힣])땅(?=[\s을은이도]|$)|토지|임야|농지|대지\s?가격|지가(?![가-힣])|상가(?!\s?주택)|점포|공장|창고|사무실|빌딩|꼬마\s?빌딩|\bland\b|\bplots?\b|office space|\bshops?\b|warehouse|commercial (?:property|building)"
MEASURE_OF: Final = {
    "sale": ("sale_price",),
    "jeonse": ("jeonse_deposit",),
    "monthly_rent": ("monthly_rent", "rent_deposit"),
}
_SHORT: Final = {"ko": 9, "en": 12}
"""How many words a message has at most that leans on the one before it."""
_LEANING: Final = 0.96
"""The score of a message that names a figure of the homes just asked about."""


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the asks about what homes cost; an elliptic message is completed by the last one."""
    if (elsewhere := _not_here(sheet)) is not None:
        return (elsewhere,)
    last = None if is_fresh(sheet) else last_of(before, "homes")
    now = leaning.completed(_draft(sheet), sheet, last)
    # Of places alone that are held against each other over a span, the price of homes is meant, named or not.
    several = len(sheet.of_kind("region")) > 1
    spans = bool(now.notes.get("back")) or ((order := order_of(sheet)) is not None and order.is_change)
    moving = several and spans and sheet.says(_MOVES) and is_of_homes_alone(sheet)
    # An unknown name beside a place is a complex only where a price is asked: "the KTX to Daejeon" is none.
    of_complex = "complex" in now.notes and sheet.says(_PRICED)
    # A floor area in a place is that of a home, also where none is named.
    of_size = bool(now.subjects and sheet.of_kind("area")) and sheet.says(rf"{_PRICED}|거래")
    of_price = bool(now.subjects) and sheet.says(_SALE_PRICE)
    of_class = (
        bool(now.subjects)
        and ranks_places(sheet)
        and sheet.says(_DISTRICTS)
        and short(sheet.text, _SHORT[sheet.language])
    )
    of_class = of_class and is_of_homes_alone(sheet)
    own = (sheet.says(HOME_WORDS) or of_complex or of_size or of_price or moving or of_class) and not _is_not_market(
        sheet
    )
    own = own and not (sheet.says(_PARTIES) and not now.subjects) and not asks_else(sheet, now)
    if last is not None and (claims := _chosen(sheet, now, last, before)):
        return claims
    if (
        last is not None
        and _leans(sheet, now, last, before)
        and last.answerer.startswith("homes.market_")
        and _edits(sheet, now)
    ):
        return (Claim(_edited(now, last, sheet, before), _LEANING),)
    if own and not sheet.wants(AskForm.EFFECT) and (now.subjects or ranks_places(sheet) or bounds_places(sheet)):
        finished, alone = _finished(now, sheet), is_of_homes_alone(sheet)
        # Places that are held against each other are one request, however many intents its words sound like.
        score = CERTAIN if alone and several and finished.form is AskForm.COMPARE else 0.95
        return (Claim(finished, score, is_whole=alone),)
    if last is not None and last.answerer.startswith("homes.market_") and _edits(sheet, now):
        leans = is_of_last(before, "homes") and bool(now.measures)
        return (Claim(_edited(now, last, sheet, before), _LEANING if leans else 0.9),)
    return _advised_anywhere(sheet, now) if last is None else ()


_DISTRICTS: Final = r"(?:싼|비싼|저렴한|높은|낮은)\s?(?:자치구|구|동네)(?![가-힣]{2})|\b(?:cheapest|priciest|most expensive|dearest) district"
"""Districts in an order of price with no word of homes, whose price is meant."""
_HOW_HIGH: Final = r"몇\s?(?:%|퍼|프로)|얼마|how (?:high|much)|what(?:['’]s| is) the jeonse"
_SALE_PRICE: Final = r"\bsale prices?\b|매매가"


def _is_not_market(sheet: Sheet) -> bool:
    """Tell whether a question is of what others tell of homes; of a place's own ratio it may ask whether that is risky."""
    of_ratio = bool(sheet.of_kind("region")) and sheet.says(_RATIO)
    if of_ratio and sheet.says(_HOW_HIGH):
        return False
    return sheet.says(BESIDE_PRICES) or (sheet.says(_RISK) and not of_ratio)


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
    if not last.answerer.startswith("homes.market_") or _is_not_market(sheet):
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
        return (Claim(_edited(now, last, sheet, before), _LEANING),) if of_set else ()
    ask = _edited(replace(now, subjects=places, form=AskForm.LEVEL), last, sheet, before)
    return (Claim(_finished(replace(ask, form=AskForm.LEVEL), sheet), _LEANING),)


_NATION: Final = r"전국|서울(?:시)?\s?(?:전체|에서)|nationwide|in the country|all of"


_OF_VALUE: Final = (
    rf"{_PRICED}|비싸|비싼|싸|싼|저렴|어때|수준|거래|갭|부담|들어가|사고|사려|살까|구하|장만|예산|돈|평당"
)
_EMPTY_NOUNS: Final = frozenset(
    (
        "동네",
        "이",
        "그",
        "저",
        "곳",
        "쪽",
        "요즘",
        "지금",
        "요새",
        "정도",
        "기준",
        "정보",
        "현재",
        "최근",
        "우리",
        "좀",
        "거",
        "것",
    )
)


def asks_else(sheet: Sheet, now: Ask) -> bool:
    """Tell whether a question on homes of a place asks for no price: it names another thing and no word of value."""
    if sheet.language != "ko" or now.measures or now.conditions or sheet.says(_OF_VALUE) or sheet.says(_MOVES):
        return False
    if now.form not in {None, AskForm.LEVEL} or order_of(sheet) is not None:
        return False
    named = [(one.start, one.end) for one in sheet.of_kind("region") if one.end]
    home = Pattern(HOME_WORDS, re.IGNORECASE)
    named += [match.span() for match in home.finditer(sheet.text)]
    nouns = (one for one in morphemes(sheet.text) if one.tags[0] in {"NNG", "NNP"} and one.surface not in _EMPTY_NOUNS)
    return any(not any(start < one.end and one.start < end for start, end in named) for one in nouns)


_ELLIPSIS: Final = (
    r"(?:는|은|도|이?요|으?로|만)\s?\?*$|^(?:and|what about|how about|then|same for)\b|^(?:그럼|그러면|그리고)\s"
)
_ELLIPSIS_WORDS: Final = 4


def _leans(sheet: Sheet, now: Ask, last: Ask, before: Sequence[AskedBefore]) -> bool:
    """Tell whether a message is the rest of the one before it though it could stand alone: "마포구 월세는?"."""
    if property_types(sheet) or order_of(sheet) is not None:
        return False
    if points_back(sheet):
        return True
    # Over another subject a message leans as well where it names the place that was asked about.
    again = {one.value for one in now.subjects} & {one.value for one in last.subjects}
    near = is_of_last(before, "homes") or bool(again)
    return near and short(sheet.text, _ELLIPSIS_WORDS) and sheet.says(_ELLIPSIS)


_OWN_KINDS: Final = frozenset({"region", "property_type", "deal_type", PERIOD, AMOUNT, AREA, QUANTITY})


def is_of_homes_alone(sheet: Sheet) -> bool:
    """Tell whether all that a question names is of homes, so that nobody else is to take a part of it."""
    own_ratio = Pattern(_RATIO, re.IGNORECASE)
    return all(
        one.kind in _OWN_KINDS or one.value == one.words or own_ratio.search(one.words) for one in sheet.entities
    )


def _not_here(sheet: Sheet) -> Claim | None:
    """Return the ask for what the data does not have: land and shops, places that are none of its own."""
    if _is_not_market(sheet):
        return None
    asks_price = sheet.says(_PRICED)
    if sheet.says(_LAND) and asks_price and (sheet.of_kind("region") or sheet.says(HOME_WORDS)):
        match = sheet.find(_LAND)
        notes = {"name": match.group() if match else "", "what": "kind"}
        return Claim(_elsewhere(sheet, notes), 0.95)
    means = sheet.says(r"뜻|무슨\s?말|의미|\bmean")
    names = unknown_names(sheet) if sheet.says(HOME_WORDS) and not (means or sheet.of_kind("region")) else ()
    # A name that ends as those of Korean places do is asked about: which city is it in?
    if names and asks_price and not _names_other(sheet) and not any(name.endswith(_KOREAN) for name in names):
        return Claim(_elsewhere(sheet, {"name": " ".join(names), "what": "place"}), 0.95)
    return None


def _names_other(sheet: Sheet) -> bool:
    """Tell whether a question names things of another domain: a share, an order."""
    return any(one.kind in {"security", "series", "order_id", "product_code"} and one.value for one in sheet.entities)


def _elsewhere(sheet: Sheet, notes: dict[str, str]) -> Ask:
    ask = Ask(words=sheet.text, end=len(sheet.text), intent=_INTENT, form=AskForm.LEVEL, notes=notes)
    return replace(ask, answerer="market_elsewhere")


_JUDGES_RISK: Final = r"위험|안전|괜찮은\s?(?:편|수준)|깡통|\brisk|\bsafe|\bdanger"


def _risk_from(sheet: Sheet) -> str:
    """Return from which ratio on a place is risky to the one who asks: the bound that is named, else the usual one."""
    bounds = (one for one in sheet.numbers if one.unit == "percent" or (one.is_bare and one.bound in {"gt", "ge"}))
    stated = next((one.value for one in bounds if 0 < one.value <= _PERCENT_MAX), None)
    if stated is None:
        return levels.USUAL_RISK if sheet.says(_JUDGES_RISK) else ""
    return f"{stated.normalize():f}"


_PERCENT_MAX: Final = 200


def _draft(sheet: Sheet) -> Ask:
    kinds, months, order = property_types(sheet), months_of(sheet), order_of(sheet)
    if order is not None and order.is_change and not months.is_span and len(sheet.of_kind("region")) > 1:
        months = Months(back=YEAR)
    notes = {"today": sheet.today.isoformat(), **months.notes}
    if len(kinds) == 1:
        notes["property_type"] = kinds[0]
    elif kinds:
        notes["kinds"] = " ".join(kinds)
    if deals := deal_types(sheet):
        notes["deal"] = deals[0]
    if sheet.says(_PER_M2):
        notes["per"] = "m2"
    notes |= {**unrecorded(sheet), **({"of_deposit": "1"} if sheet.says(_DEPOSIT_ASKED) else {})}
    if order is None and (bound := place_bound(sheet)) is not None:
        notes |= {"bound": bound.bound, "least": f"{bound.value.normalize():f}"}
    if _asks_gap(sheet):
        notes["gap"] = "1"
    if sheet.says(_RATIO) and (risk := _risk_from(sheet)):
        notes["risk_from"] = risk
    if sheet.of_kind("region") and (names := unknown_names(sheet)):
        notes["complex"] = names[-1]
    start, end = _closed(sheet, months)
    return Ask(
        words=sheet.text,
        end=len(sheet.text),
        intent=_INTENT,
        form=_form(sheet, months, order, kinds),
        subjects=_each_once(sheet.of_kind("region")),
        measures=_measures(sheet),
        conditions=area_condition(sheet),
        descending=order.is_most if order is not None else notes.get("bound") in {"gt", "ge"},
        count=order.count if order is not None else 0,
        notes=notes,
        start_date=start,
        end_date=end,
    )


def _each_once(places: Sequence[Entity]) -> tuple[Entity, ...]:
    """Return places of which one that is named twice, by its own name and by one of a part of it, stands once."""
    return tuple({(one.value or one.words, dong_of(one)): one for one in places}.values())


def _closed(sheet: Sheet, months: Months) -> tuple[str, str]:
    """Return the period that a level is of: one that is named and is over."""
    if (end := end_named(sheet)) is not None:
        month, is_since = end
        return ("", "") if is_since else (month.isoformat(), _last_day(month).isoformat())
    if (then := past_month(sheet)) is not None:
        return then.isoformat(), _last_day(then).isoformat()
    past = innermost([one for one in (*sheet.periods, *years_named(sheet)) if one[0] <= sheet.today])
    if months.back or len(past) != 1 or past[0][1] >= sheet.today:
        return "", ""
    return past[0][0].isoformat(), past[0][1].isoformat()


def _last_day(month: date) -> date:
    return months_before(month, -1) - timedelta(days=1)


def _asks_gap(sheet: Sheet) -> bool:
    """Tell whether the gap of a place between its sale price and its jeonse is asked for."""
    both = {"sale", "jeonse"} <= set(deal_types(sheet)) and sheet.says(leaning.APART)
    return (sheet.says(_GAP) or both) and len(sheet.of_kind("region")) <= 1 and not sheet.says(_VOLUME)


_LEVEL_AND_RATIO: Final = r"(?:average|mean|\bprices?\b|시세|얼마|값)[^?.]{0,60}(?:\band\b|,|이?고\s|도\s)[^?.]{0,30}(?:jeonse ratio|전세가율)"
"""A level that is asked for beside the ratio."""


def _measures(sheet: Sheet) -> tuple[str, ...]:
    if _asks_gap(sheet):
        return ("sale_price", "jeonse_deposit")
    deals = deal_types(sheet)
    measures: list[str] = [one for deal in deals for one in MEASURE_OF[deal]]
    if sheet.says(_PER_PYEONG) or sheet.says(_PER_M2):
        measures = ["jeonse_deposit_per_m2" if "jeonse" in deals else "sale_price_per_m2"]
    if sheet.says(_VOLUME):
        measures = ["deal_count"]
    if sheet.says(_RATIO):
        apart = sheet.says(r"각각|랑\s|하고\s|그리고|and\b.*\band\b") or sheet.says(_LEVEL_AND_RATIO)
        measures = [*(one for one in measures if apart and one in {"sale_price", "jeonse_deposit"}), "jeonse_ratio"]
    return tuple(dict.fromkeys(measures))


def _form(sheet: Sheet, months: Months, order: Order | None, kinds: Sequence[str]) -> AskForm | None:
    several = len(sheet.of_kind("region")) > 1 or len(kinds) > 1
    moves = sheet.says(_MOVES) or sheet.wants(AskForm.CHANGE)
    compared = compares_with(sheet) or (several and (sheet.says(_COMPARES) or sheet.wants(AskForm.COMPARE)))
    cases = (
        (_asks_gap(sheet), AskForm.LEVEL),
        (
            order is not None and not order.is_change and len(sheet.of_kind("region")) == 1 and sheet.says(WHEN),
            AskForm.FACT,
        ),
        (
            (is_future(sheet) and not sheet.says(_WAS)) or (sheet.says(_OUTLOOK) and not sheet.says(_ADVICE)),
            AskForm.EFFECT,
        ),
        (sheet.says(_CAUSE), AskForm.CAUSE),
        ((order is not None and ranks_places(sheet)) or bounds_places(sheet), AskForm.RANK),
        (compared and several and (sheet.says(_BY_HOW_MUCH) or not sheet.says(_TIMING)), AskForm.COMPARE),
        (order is not None and len(sheet.of_kind("region")) > 1, AskForm.COMPARE),
        (asks_advice(sheet), AskForm.ADVICE),
        (compared, AskForm.CHANGE if months.is_span else AskForm.COMPARE),
        (moves or (months.is_span and not (sheet.says(_MEAN_OF_PAST) and months.is_period)), AskForm.CHANGE),
        (sheet.wants(AskForm.LEVEL, AskForm.LIST, AskForm.VERDICT), AskForm.LEVEL),
    )
    return next((form for holds, form in cases if holds), None)


def is_of_months(sheet: Sheet) -> bool:
    """Tell whether a question is about how prices moved, or about a past month."""
    months = months_of(sheet)
    return months.is_span or months.is_period or sheet.says(_MOVES)


def asks_advice(sheet: Sheet) -> bool:
    """Tell whether someone asks what to do: to buy or to wait, jeonse or rent."""
    between = len(deal_types(sheet)) > 1 and (sheet.says(_ADVICE) or sheet.says(_TORN))
    return sheet.says(_TIMING) or sheet.wants(AskForm.ADVICE) or between


def _edits(sheet: Sheet, now: Ask) -> bool:
    """Tell whether a message leans on the last one: it names a part and no whole, or points to what was told."""
    names = (
        now.subjects or now.measures or now.conditions or {"property_type", "kinds", "back", "from"} & now.notes.keys()
    )
    leans = bool(names) or bool(sheet.periods) or bool({"gap", "premise"} & now.notes.keys())
    leans = leans or (order_of(sheet) is not None and asks_first_alone(sheet, "구|동네|지역|집|단지"))
    return (
        short(sheet.text, _SHORT[sheet.language])
        and not _is_not_market(sheet)
        and not (sheet.wants(AskForm.RECOMMEND) and asks_else(sheet, now))
        and (leans or pointed(sheet, (), "region") is not None)
    )


def _edited(now: Ask, last: Ask, sheet: Sheet, before: Sequence[AskedBefore]) -> Ask:
    towards = pointed(sheet, before, "region")
    if towards is not None and towards.told and not now.subjects:
        places = things(towards.told)
        now = replace(now, subjects=places)
        if towards.how == "set" and len(places) > 1 and (sheet.says(_CHOICE) or order_of(sheet) is not None):
            now = replace(now, form=AskForm.COMPARE)
    elif order_of(sheet) is not None and not now.subjects and len(last.subjects) > 1:
        now = replace(now, form=AskForm.COMPARE)
    joins = bool(now.subjects) and compares_with(sheet, now.subjects)
    whole = carried(now, _without(last, now), adds_subjects=joins)
    if joins:
        whole = replace(whole, form=AskForm.COMPARE)
    elif now.subjects and last.form is AskForm.COMPARE and len(now.subjects) == 1 and now.form is not AskForm.CHANGE:
        whole = replace(whole, form=AskForm.LEVEL)
    elif now.form is None or (
        now.form is AskForm.LEVEL and last.form is AskForm.CHANGE and not sheet.says("지금|현재|now")
    ):
        whole = replace(whole, form=last.form)
    return _finished(whole, sheet)


_CHOICE: Final = rf"{_COMPARES}|중(?!구)|가운데|of (?:the|those|these|them)"
"""Words that choose among what was told."""


def _without(last: Ask, now: Ask) -> Ask:
    """Return the last ask without what a message replaces: its months, kinds, or the complex of another place."""
    gone: set[str] = set()
    if set(SPAN_NOTES) & now.notes.keys():
        gone |= set(SPAN_NOTES)
    if {"property_type", "kinds"} & now.notes.keys():
        gone |= {"property_type", "kinds"}
    if now.measures:
        gone |= {"gap", "of_deposit"}
    if now.subjects or "complex" in now.notes:
        gone.add("complex")
    return replace(last, notes={name: value for name, value in last.notes.items() if name not in gone})


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
    now = replace(_draft(sheet), form=form)
    if form is AskForm.CHANGE and not now.notes.keys() & {"back", "from"}:
        now = replace(now, notes={**now.notes, "back": str(YEAR)})
    if form is AskForm.CHANGE and now.start_date:
        # The month that is named is where the span begins.
        now = replace(
            now, start_date="", end_date="", notes={**now.notes, "from": now.start_date, "to": sheet.today.isoformat()}
        )
    if form is not AskForm.RANK:
        return _finished(now, sheet)
    order = order_meant(sheet) or Order(is_most=True)
    ranked = replace(now, descending=order.is_most, count=order.count, order_by=(now.measures or ("sale_price",))[0])
    finished = _finished(ranked, sheet)
    return replace(finished, answerer="market_change_rank") if by_change else finished


def _finished(ask: Ask, sheet: Sheet) -> Ask:
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
    if form is AskForm.COMPARE and (notes.get("back") or notes.get("from")) and sheet.says(_MOVES):
        name, measures = "market_change", measures[:1]
        notes |= {"way": _premise(sheet), "least": "1" if sheet.says(r"덜|least|less") else ""}
    if form is AskForm.CAUSE:
        notes["premise"] = _premise(sheet)
    if form is AskForm.COMPARE:
        ask = replace(ask, descending=order.is_most if order is not None else sheet.says(_DEARER))
    if form is AskForm.EFFECT:
        form = AskForm.LEVEL
    return replace(
        ask, form=form, measures=measures, answerer=name, notes=notes, order_by=measures[0] if order is not None else ""
    )


_DEPOSIT: Final = r"보증금(?!\s?(?:이?랑|과|하고|[,/])\s?월세)|(?<!and )\bdeposits?\b(?! and)"
"""Names the deposit of a rent, and not beside the rent itself."""
_DEPOSIT_ASKED: Final = r"보증금(?:은|이|을|만)?\s?(?:평균\s?)?(?:얼마|어느|몇|시세)|how (?:much|big|large|high)(?: (?:a|is|of a|the))*(?: mean| average)? deposit|^\W*(?:the )?(?:average )?deposits?\b"
"""Asks how much the deposit is: what is held against it later is the deposit too."""
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


def _not_in_data(ask: Ask, found: Found) -> Outcome:
    """Return that a place or a kind of property is not in the data, without another in its stead."""
    del found
    name = ask.notes.get("name", "")
    if ask.notes.get("what") == "kind":
        sentence = filled(
            "‘{name}’에 대한 값은 자료에 없어 답할 수 없습니다. 아파트·오피스텔·빌라·단독주택의 매매가와 전세, 월세를 물어보실 수 있습니다.",
            "Prices of “{name}” are not in the data, so I cannot tell. Ask about apartments, officetels, villas and houses.",
            name=name,
        )
    else:
        sentence = filled(
            "‘{name}’ 지역은 자료에 없어 답할 수 없습니다. 국내 주요 시·군·구의 시세를 물어보실 수 있습니다.",
            "“{name}” is not in the data, so I cannot tell. Ask about districts of Korea that the data covers.",
            name=name,
        )
    return Outcome(declined(ask, sentence))


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
    Answerer("market_elsewhere", _NOW, _not_in_data),
    *supposed.ANSWERERS,
)
