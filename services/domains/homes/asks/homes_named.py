"""Which homes a question is about: places, kinds, deals, floor areas, and the filters that they become."""

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any, Final

from services.contract.asks import Ask, AskCondition, AskedBefore, Said
from services.plugin.asks.bounds import bound_at
from services.plugin.asks.edits import is_fresh, is_of_last
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import where
from services.plugin.entities import Entity
from services.text.near import just_before
from services.text.patterns import Pattern

KINDS: Final = (
    ("apartment", r"아파트|아팟|\bapartments?\b|\bflats?\b|\bapt\b"),
    ("officetel", r"오피스텔|옵텔|오피(?!스)|\bofficetels?\b"),
    ("villa", r"빌라|다세대|연립|\bvillas?\b|row house"),
    ("house", r"단독|다가구|주택(?!담보|가격지수|매매가격|임대차|시장)|detached|\bhouses?\b(?!\s?price)"),
)
KIND_NAMES: Final = {
    "apartment": Said("아파트", "apartments"),
    "officetel": Said("오피스텔", "officetels"),
    "villa": Said("빌라", "villas"),
    "house": Said("단독·다가구", "houses"),
    "": Said("주택", "homes"),
}
DEALS: Final = (
    (
        "monthly_rent",
        r"월세|월셋|반전세|렌트비|(?<![가-힣0-9])월\s?[0-9]{2,3}(?:만\s?원?|만)?\s?(?:이하|미만|안쪽|이내|까지|밑|아래|안\s?넘)|월에\s?얼마|(?:한\s?달에|다달이|매달|달마다)\s?얼마|\bmonthly\b|\brentals?\b|\brents?\b(?! (?:\w+ ){0,3}(?:on|for|as|by) (?:a )?jeonse)|\brenting\b(?! (?:\w+ ){0,3}(?:on|as|by) jeonse)|(?:per|a|each|every) month|(?:한\s?달|매달|다달이|매월)\s?(?:에\s?)?(?:나가|내는|내야|드는)",
    ),
    ("jeonse", r"전세(?!계|가율|\s?대출|자금|사기|보증|\s?(?:만기|기간|살(?:고|다|던|아)))|전셋|\bjeonse\b"),
    (
        "sale",
        r"매매|집값|아파트값|집\s?값|매입|분양가|사려|사\s?버|살까|사야|사도|매수|사는\s?데|살\s?때|(?:으로|에|로|원|밑|아래|이하|미만|안쪽?|이내)\s?살\s?수\s?있|살\s?만한\s?[가-힣]{0,6}\s?매물|실거래가|\bsales?\b|\bsell(?:s|ing)? for\b|\bsold for\b|\bbuy(?:ing)?\b|\bif\b.{0,12}\bbought\b|\bpurchase|\bhouse prices?\b|\bhome prices?\b|\bcosts? to buy",
    ),
)
_ROOM_WORDS: Final = (
    r"(?:방|룸)\s?(?:이|은)?\s?(?P<a>한|하나|두|둘|세|셋|네|넷|[1-9])\s?(?:개|칸)?|(?P<b>원|투|쓰리|포)\s?룸|(?P<c>[1-9])\s?룸"
    r"|(?P<d>one|two|three|four|[1-9])[- ](?:bed)?rooms?\b|(?P<e>one|two|three|four|[1-9])[- ]bed\b|(?P<f>studio)\b"
)
_NUMBERS: Final = {
    "한": 1,
    "하나": 1,
    "두": 2,
    "둘": 2,
    "세": 3,
    "셋": 3,
    "네": 4,
    "넷": 4,
    "원": 1,
    "투": 2,
    "쓰리": 3,
    "포": 4,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "studio": 1,
}
_FLOOR: Final = (
    r"(?P<n>[0-9]{1,2})\s?층\s?(?P<way>이상|위|초과|넘|이하|아래|밑|미만|부터|까지)?|(?P<ground>1층|반지하|지하)\s?(?P<not>말고|빼고|제외)"
    r"|(?P<en_way>above|over|at least|below|under|up to)?\s?(?:the\s)?(?P<m>[0-9]{1,2})(?:st|nd|rd|th)\sfloor(?P<en_behind>\sor (?:higher|above|up|lower|below))?"
    r"|\bfloor\s(?P<k>[0-9]{1,2})(?P<k_behind>\sor (?:higher|above|up|lower|below))?"
)
_UPWARD: Final = frozenset({"이상", "부터", "at least"})
_ABOVE: Final = frozenset({"위", "초과", "넘", "above", "over"})
_BELOW: Final = frozenset({"아래", "밑", "미만", "below", "under"})
_DOWNWARD: Final = frozenset({"이하", "까지", "up to"})
HOME_WORDS: Final = (
    r"아파트|오피스텔|빌라|다세대|연립|단독|다가구|주택|(?<![가-힣])(?:자취)?방(?:이|을|은|도)?(?=\s|[.?!]|$)|원룸|투룸|쓰리룸|부동산|전세(?!계)|전셋|월세|월셋|반전세|렌트비|매매가|매매|집값|매물|시세|평당|전세가율"
    r"|apartment|officetel|villa|\bhouse|\bhome|\bflat|jeonse|\brent|real estate|housing|\bone[- ]room"
)
ON_OFFER: Final = (
    r"매물|물건|나온\s?(?:거|것|집|게|아파트|오피스텔|빌라|데)|나와\s?있|올라온|listing|on offer|on the market"
)
"""How homes that are to be had are called."""
BESIDE_PRICES: Final = (
    r"빌리|빌려|빌릴|갚|상환|갱신|반환|계약|법|조항|금리|이자|연봉|소득|월급|모은\s?돈|올려\s?달|인상|돌려|사기(?!에)|적정|괜찮|(?<!더 )(?<!가장 )(?<!제일 )(?:비싼|(?<!비)싼)\s?(?:편|건|가|지)|시나리오|보고서|리포트|종합|수리|보일러|수익률|전환율|지원|정책|자격"
    r"|\blaw\b|legal|clause|renew|broker|borrow|interest|income|salary|savings|raise the rent|\bi earn\b|\bsaved\b|afford(?!abl)|scenario|report|comprehensive|fair price|overpriced|reasonable|yield|contract|support programme|\bfee\b|\bagents?\b"
)
"""What is asked of a home beside what it costs and which there are: money that is lent, what is fair, upkeep, studies."""
EXCLUSIVE_SHARE: Final = Decimal("0.75")
"""The share of a supply area that a home has to itself, taken where the data has exclusive areas only."""
_AREA_WIDTH: Final = Decimal("1.5")
_PYEONG_WIDTH: Final = Decimal("0.05")
_DECADE: Final = Decimal(10)
_HALF_DECADE: Final = Decimal(5)


def property_types(sheet: Sheet) -> tuple[str, ...]:
    """Return the kinds of homes that are named, in the order of the text."""
    found = [(match.start(), name) for name, words in KINDS if (match := sheet.find(words))]
    return tuple(name for _, name in sorted(found))


def property_type(sheet: Sheet) -> str:
    """Return the one kind of home that is named; empty for none or several."""
    found = property_types(sheet)
    return found[0] if len(found) == 1 else ""


def deal_types(sheet: Sheet) -> tuple[str, ...]:
    """Return the kinds of deals that are named, in the order of the text."""
    found = [(match.start(), name) for name, words in DEALS if (match := sheet.find(words))]
    if len(found) > 1 and not sheet.says(_SALE_PLAINLY):
        # "살 수 있는" is to live in or to buy: where another deal is named it is to live in.
        found = [one for one in found if one[1] != "sale"]
    return tuple(name for _, name in sorted(found))


_SALE_PLAINLY: Final = (
    r"매매|집\s?값|아파트값|매입|분양가|사려|사\s?버|살까|살지|사야|사도|매수|사는|살\s?때|실거래가"
    r"|\bsales?\b|\bbuy|\bbought\b|\bpurchase|\bprices?\b"
)


def room_condition(sheet: Sheet) -> tuple[AskCondition, ...]:
    """Return the number of rooms that is named as a condition; a one-room of an officetel's kind is one room."""
    match = sheet.find(_ROOM_WORDS)
    if match is None:
        return ()
    word = next(filter(None, match.groups())).lower()
    count = _NUMBERS.get(word) or int(word)
    bound, start, end = bound_at(sheet.text, match.start(), match.end())
    operator = bound if bound in {"lt", "le", "gt", "ge"} else "eq"
    return (AskCondition("room_count", operator, str(count), "count", sheet.text[start:end].strip()),)


def floor_condition(sheet: Sheet) -> tuple[AskCondition, ...]:
    """Return the floor that is named as a condition."""
    match = sheet.find(_FLOOR)
    if match is None:
        return ()
    if match["not"]:
        return (AskCondition("floor", "gt", "1", "count", match.group().strip()),)
    floor = match["n"] or match["m"] or match["k"]
    behind = f"{match['en_behind'] or ''}{match['k_behind'] or ''}"
    way = (match["way"] or match["en_way"] or "").lower()
    operator = "eq"
    if way in _UPWARD or re.search(r"higher|above|up\b", behind):
        operator = "ge"
    elif way in _DOWNWARD or re.search(r"lower|below", behind):
        operator = "le"
    elif way in _ABOVE:
        operator = "gt"
    elif way in _BELOW:
        operator = "lt"
    return (AskCondition("floor", operator, floor, "count", match.group().strip()),)


def places(sheet: Sheet, before: Sequence[AskedBefore] = ()) -> tuple[Entity, ...]:
    """Return the places that a question names, those inside others left out."""
    del before
    return sheet.of_kind("region")


_SIZES: Final = frozenset({39, 46, 49, 51, 59, 72, 74, 76, 84, 99, 101, 102, 109, 114, 115, 119, 126, 134, 135})
"""Exclusive areas of homes as they are built, by which they are called without a unit: "84 전세"."""
_OF_SUM: Final = Pattern(
    r"(?:월세|보증금|월|전세금|관리비|\brent|\bdeposit|[₩$])(?:은|는|이|가| of)?\s?$", re.IGNORECASE
)
_OF_SIZE: Final = Pattern(r"\s?(?:타입|형)?(?![0-9./-])(?!\s?(?:층|동|호|번|년|월|일|개|세대|가구|명|건))")


def with_size(sheet: Sheet, before: Sequence[AskedBefore]) -> Sheet:
    """Return a question on homes whose one bare number is a size that homes are built in, as a floor area."""
    bare = [one for one in sheet.numbers if one.is_bare]
    if len(bare) != 1 or bare[0].value not in _SIZES or not (sheet.says(HOME_WORDS) or is_of_last(before, "homes")):
        return sheet
    is_sum = just_before(_OF_SUM, sheet.text, bare[0].start) is not None
    return sheet if is_sum or not _OF_SIZE.match(sheet.text, bare[0].end) else replace(sheet, unit_meant="m2")


def with_province(sheet: Sheet, before: Sequence[AskedBefore]) -> Sheet:
    """Return a message whose district of several cities is the one in the province that was just spoken of.

    "남구 말고 북구", or "동구는?", after a district of Busan means the one of Busan.
    """
    asks = before[0].asks if before else ()
    standing = {one.value[:2] for ask in asks for one in ask.subjects if one.kind == "region"}
    if len(standing) != 1 or not is_of_last(before, "homes") or is_fresh(sheet):
        return sheet
    (province,) = standing
    return replace(sheet, entities=tuple(_told_apart(one, province) for one in sheet.entities))


def _told_apart(one: Entity, province: str) -> Entity:
    near = [other for other in one.alternatives if other.value.startswith(province)] if one.kind == "region" else []
    return replace(one, value=near[0].value, label=near[0].label, alternatives=()) if len(near) == 1 else one


def area_condition(sheet: Sheet) -> tuple[AskCondition, ...]:
    """Return the floor area that is named as conditions on the exclusive area in square metres.

    평 counts supply area, as people speak of homes: its exclusive part is three quarters. "전용 84" and ㎡ are exclusive.
    """
    for number in sheet.numbers:
        exclusive = number.unit == "m2" or (
            number.is_bare and sheet.find(rf"(?:전용|면적)\s?{number.words}") is not None
        )
        if number.unit != "pyeong" and not exclusive:
            continue
        factor = Decimal(1) if exclusive else EXCLUSIVE_SHARE
        value = number.as_m2 * factor
        if number.bound == "band":
            return _between(*_band(number.value, number.as_m2 / number.value * factor), number.words)
        if number.bound in {"lt", "le", "gt", "ge"}:
            return (AskCondition("area_m2", number.bound, _plain(value), "m2", number.words),)
        # What 평 say is rounded and their exclusive share assumed, so that near areas are meant as well.
        width = value * _PYEONG_WIDTH if number.unit == "pyeong" else _AREA_WIDTH
        return _between(value - width, value + width, number.words)
    return ()


def _band(pyeong: Decimal, m2_each: Decimal) -> tuple[Decimal, Decimal]:
    """Return the exclusive areas of a band of 평: ten from a round number on, else the five that people call so."""
    low, high = pyeong * m2_each, (pyeong + (_DECADE if pyeong % _DECADE == 0 else _HALF_DECADE)) * m2_each
    # "25평대" is what plans call 59 m2: a band of five is as rounded as a single figure is.
    slack = Decimal(0) if pyeong % _DECADE == 0 else low * _PYEONG_WIDTH
    return low - slack, high - Decimal("0.01")


def _between(low: Decimal, high: Decimal, words: str) -> tuple[AskCondition, ...]:
    return (
        AskCondition("area_m2", "ge", _plain(low), "m2", words),
        AskCondition("area_m2", "le", _plain(high), "m2", words),
    )


def _plain(value: Decimal) -> str:
    return f"{value.quantize(Decimal('0.1')):f}"


def place_filters(place: Entity) -> list[dict[str, Any]]:
    """Return the filters of one place: a province, a city of several districts, a district, a dong."""
    code = place.value
    if len(code) == 2:
        return [where("province_code", code)]
    found = [where("region_code", code[:4], "starts") if code.endswith("0") else where("region_code", code)]
    dong = dong_of(place)
    return [*found, where("dong", dong)] if dong else found


def dong_of(place: Entity) -> str:
    """Return the dong that a place names, in Korean; empty where it names no dong."""
    return place.attributes.get("dong", "")


def ask_filters(ask: Ask) -> list[dict[str, Any]]:
    """Return the filters of an ask beside its places: kind of home, and every condition."""
    found = [where("property_type", kind)] if (kind := ask.notes.get("property_type")) else []
    return found + [where(one.field, _typed(one), one.operator) for one in ask.conditions]


def _typed(one: AskCondition) -> object:
    return float(one.value) if one.unit else one.value


def applied(ask: Ask) -> tuple[AskCondition, ...]:
    """Return the conditions of an ask as applied in the reading of data."""
    return tuple(replace(one, applied=True) for one in ask.conditions)


def kind_said(ask: Ask) -> Said:
    """Return how the homes of an ask are called, with the floor area where one is named."""
    kind = KIND_NAMES[ask.notes.get("property_type", "")]
    words = next((one.words for one in ask.conditions if one.field == "area_m2"), "")
    if not words:
        return kind
    return Said(f"{area_ko(words)} {kind.ko}", f"{kind.en} of {area_en(words)}")


def area_ko(words: str) -> str:
    """Return a floor area as it was said, with a unit where it was said with none."""
    if any(mark in words for mark in ("평", "㎡", "m2", "제곱", "타입")):
        return words
    return f"전용 {_LAST_DIGIT.sub(lambda match: f'{match.group()}㎡', words, count=1)}"


def area_en(words: str) -> str:
    """Return a floor area as it was said, in English."""
    if any(mark in words for mark in ("평", "㎡", "m2", "square", "sqm")):
        return words.replace("평", " pyeong")
    return _LAST_DIGIT.sub(lambda match: f"{match.group()} ㎡", words, count=1)


_LAST_DIGIT: Final = Pattern(r"[0-9](?![0-9.,])")
