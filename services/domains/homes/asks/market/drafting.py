"""What a message on home prices says by itself: places, figures, months, order, and the form that it asks in."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Final

from services.contract.asks import Ask, AskForm
from services.domains.homes.asks import levels
from services.domains.homes.asks.extremes import WHEN
from services.domains.homes.asks.homes_named import area_condition, deal_types, dong_of, property_types
from services.domains.homes.asks.market import leaning
from services.domains.homes.asks.names import unknown_names
from services.domains.homes.asks.orders import (
    FELL,
    ROSE,
    Order,
    bounds_places,
    order_of,
    place_bound,
    ranks_places,
)
from services.domains.homes.asks.spans import (
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
from services.domains.homes.regions import districts_left_out
from services.plugin.asks.edits import compares as compares_with
from services.plugin.asks.sheet import Sheet
from services.plugin.entities import Entity

INTENT: Final = "MARKET_INQUIRY"
RATIO: Final = r"전세가율|전세\s?비율|매매가?\s?대비\s?전세|jeonse[- ](?:to[- ](?:sales?|price)(?:[- ]price)? )?ratio|jeonse.{0,30}(?:relative to|compared (?:to|with)|as a share of|against)\s.{0,12}(?:sale|price)"
_PER_PYEONG: Final = r"평당|평단가|한\s?평에|per pyeong"
_PER_M2: Final = r"(?:㎡|m2|제곱\s?미터)\s?당|per (?:square met|m2|m²|㎡|sqm)"
_VOLUME: Final = r"거래량|거래\s?(?:건수|가\s?몇|몇|된?\s?건)|거래가?\s?(?:제일|가장|젤)?\s?(?:활발|많|적|뜸)|(?:몇\s?건|몇건)[^?]{0,8}(?:거래|팔렸|됐|되었)|\b(?:most|fewest|least|highest number of|lowest number of)\s(?:\w+\s){0,2}(?:deals|transactions|sales|trades)\b|how many (?:deals|transactions|sales|homes (?:were )?(?:sold|traded))|(?:transaction|sales) volume|busiest"
_GAP: Final = r"(?<![가-힣])갭(?!\s?투자)|전세(?:를)?\s?(?:끼고|안고|승계)|매매가?(?:랑|와|하고|이랑)?\s?전세가?(?:의|랑|와)?\s?(?:차이|차액|격차)|gap between .{0,20}(?:sale|price).{0,20}jeonse|\bthe gap\b"
COMPARES: Final = r"격차|차액|차이|벌어(?:져|졌|진|지)|갭|얼마나?\s?(?:더|차)|더\s?(?:싸|싼|비싸|비싼|저렴|높|낮|덜)|덜\s?(?:비싸|들|하)|(?:[더덜]\s?[가-힣]+|싼|비싼|저렴한|높은|낮은|많은|적은|큰|작은)\s?(?:데|곳|동네|구|쪽|게|거|것|건)(?:은|는|이|가|야|요)?(?![가-힣])|부담|어디가|어느\s?(?:쪽|동네|곳|구|게)|뭐가|비교|보다|견[주줘]|대\s?비교|나아|나은|싸[요지]?\??$|\bor\b|than\b|versus|\bvs\b|compare|differ|gap\b|which"
_BY_HOW_MUCH: Final = r"차이|차액|격차|얼마나?\s?더|by how much|how much (?:more|less|cheaper|dearer)|difference"
"""Words that ask how far apart places are, whatever the one who asks means to do."""
MOVES: Final = rf"움직|(?:오르|내리|떨어지)(?:는\s?(?:중|추세|편)|고\s?있)|뛰|뛴|올랐|오른|내렸|내린|빠졌|빠진|떨어|변(?!경)|등락|상승|하락|추이|추세|흐름|어떻게\s?(?:됐|되었|변)|what happened|er than (?:they|it|those|prices) (?:was|were|cost)|er than .{{0,24}}\bago\b|ha(?:s|ve)\b.{{0,60}}\b(?:moved|changed|risen|fallen|gone|been|done|become)|\bdid\b.{{0,60}}\b(?:{ROSE}|{FELL}|move|change|go)|\b(?:rise|rose|fell|fallen|risen|grow|grew|drop|dropped|up or down)\b"
_MEAN_OF_PAST: Final = r"평균|average|mean\b"
_OUTLOOK: Final = r"(?:오를|내릴|떨어질|뛸|빠질|갈|될)\s?(?:까|것\s?같|거\s?같|지|건가|려나)|전망|앞으로|내년|내후년|예측|will\b.{0,50}\b(?:rise|fall|go|cost|be|drop|increase)|going to (?:rise|fall|be|cost|go)|outlook|forecast|next year|predict"
_WAS: Final = r"\b(?:fell|rose|dropped|gained|climbed|went|moved|changed|grew|has|have|did)\b"
"""Says what has been: "in a year" behind it lies back."""
_TIMING: Final = r"사라는|말라는|사란\s?(?:말|거)|사도\s?(?:될|되|돼|괜찮)|사야|살까|살지|버릴까|(?:사는|사버리는|매수하는)\s?(?:게|것이|편이)\s?(?:맞|나|좋)|매수|기다려|기다릴|타이밍|(?:살|들어갈)\s?(?:시기|때)|should i|good time|worth (?:buying|it)|better to (?:buy|wait|rent)|buy or wait|(?<!^)(?<!no )(?<!oh )(?<!no, )(?<!oh, )\bwait\b(?![,!])"
_ADVICE: Final = rf"{_TIMING}|나을|나아|나은|좋을|유리|better"
_TORN: Final = r"까(?:요)?\s[^?]*까(?:요)?(?:\s|$|\?)|고민|망설|vs\.?\s|\bor\b[^?]*\?"
"""Words of somebody who is between two things."""
_CAUSE: Final = r"왜|이유|까닭|원인|때문|\bwhy\b|reason|what (?:caused|made|drove)"
MEASURE_OF: Final = {
    "sale": ("sale_price",),
    "jeonse": ("jeonse_deposit",),
    "monthly_rent": ("monthly_rent", "rent_deposit"),
}
_JUDGES_RISK: Final = r"위험|안전|괜찮은\s?(?:편|수준)|깡통|\brisk|\bsafe|\bdanger"


def _risk_from(sheet: Sheet) -> str:
    """Return from which ratio on a place is risky to the one who asks: the bound that is named, else the usual one."""
    bounds = (one for one in sheet.numbers if one.unit == "percent" or (one.is_bare and one.bound in {"gt", "ge"}))
    stated = next((one.value for one in bounds if 0 < one.value <= _PERCENT_MAX), None)
    if stated is None:
        return levels.USUAL_RISK if sheet.says(_JUDGES_RISK) else ""
    return f"{stated.normalize():f}"


_PERCENT_MAX: Final = 200


def draft(sheet: Sheet) -> Ask:
    """Return what a message says of home prices by itself."""
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
    notes |= {**unrecorded(sheet), **({"of_deposit": "1"} if sheet.says(_DEPOSIT_ASKED) else {}), **_left_out(sheet)}
    if order is None and (bound := place_bound(sheet)) is not None:
        notes |= {"bound": bound.bound, "least": f"{bound.value.normalize():f}"}
    if _asks_gap(sheet):
        notes["gap"] = "1"
    if sheet.says(RATIO) and (risk := _risk_from(sheet)):
        notes["risk_from"] = risk
    if sheet.of_kind("region") and (names := unknown_names(sheet)):
        notes["complex"] = names[-1]
    start, end = _closed(sheet, months)
    return Ask(
        words=sheet.text,
        end=len(sheet.text),
        intent=INTENT,
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


def _left_out(sheet: Sheet) -> dict[str, str]:
    """Return the districts that a message puts aside, as a note."""
    gone = districts_left_out(" ".join((*sheet.aside_words, sheet.text)))
    return {"without": " ".join(gone)} if gone else {}


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


def _without_ratio(sheet: Sheet) -> Sheet:
    """Return a message without the words of the ratio, whose jeonse is no deposit that is asked for."""
    match = sheet.find(RATIO)
    if match is None:
        return sheet
    blank = " " * (match.end() - match.start())
    return replace(sheet, text=f"{sheet.text[: match.start()]}{blank}{sheet.text[match.end() :]}")


def _measures(sheet: Sheet) -> tuple[str, ...]:
    if _asks_gap(sheet):
        return ("sale_price", "jeonse_deposit")
    deals = deal_types(_without_ratio(sheet))
    measures: list[str] = [one for deal in deals for one in MEASURE_OF[deal]]
    if sheet.says(_PER_PYEONG) or sheet.says(_PER_M2):
        measures = ["jeonse_deposit_per_m2" if "jeonse" in deals else "sale_price_per_m2"]
    if sheet.says(_VOLUME):
        measures = ["deal_count"]
    if sheet.says(RATIO):
        apart = sheet.says(r"각각|랑\s|하고\s|그리고|and\b.*\band\b") or sheet.says(_LEVEL_AND_RATIO)
        levels_asked = measures or (["sale_price"] if sheet.says(_LEVEL_AND_RATIO) else [])
        measures = [*(one for one in levels_asked if apart and one in {"sale_price", "jeonse_deposit"}), "jeonse_ratio"]
    return tuple(dict.fromkeys(measures))


def _form(sheet: Sheet, months: Months, order: Order | None, kinds: Sequence[str]) -> AskForm | None:
    several = len(sheet.of_kind("region")) > 1 or len(kinds) > 1
    moves = sheet.says(MOVES) or sheet.wants(AskForm.CHANGE)
    compared = compares_with(sheet) or (several and (sheet.says(COMPARES) or sheet.wants(AskForm.COMPARE)))
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
    return months.is_span or months.is_period or sheet.says(MOVES)


def asks_advice(sheet: Sheet) -> bool:
    """Tell whether someone asks what to do: to buy or to wait, jeonse or rent."""
    between = len(deal_types(sheet)) > 1 and (sheet.says(_ADVICE) or sheet.says(_TORN))
    return sheet.says(_TIMING) or sheet.wants(AskForm.ADVICE) or between


_DEPOSIT_ASKED: Final = r"보증금(?:은|이|을|만)?\s?(?:평균\s?)?(?:얼마|어느|몇|시세)|how (?:much|big|large|high)(?: (?:a|is|of a|the))*(?: mean| average)? deposit|^\W*(?:the )?(?:average )?deposits?\b"
"""Asks how much the deposit is: what is held against it later is the deposit too."""
