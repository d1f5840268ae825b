"""Whether a question is one of home prices, and of nothing else."""

import re
from typing import Final

from services.contract.asks import Ask, AskForm
from services.domains.homes.asks.homes_named import BESIDE_PRICES, HOME_WORDS
from services.domains.homes.asks.market.drafting import MOVES, RATIO
from services.domains.homes.asks.orders import order_of
from services.plugin.asks.sheet import Sheet
from services.plugin.entities import AMOUNT, AREA, PERIOD, QUANTITY
from services.text.ko.morphemes import morphemes
from services.text.patterns import Pattern

_RISK: Final = r"위험|안전|리스크|\bsafe\b|risk"
PRICED: Final = r"\bgo(?:es|ing)? for\b|얼마|시세|값|가격|매매|임대료|월세|전세|평균|price|cost|rent|how much|average"
_HOW_HIGH: Final = r"몇\s?(?:%|퍼|프로)|얼마|how (?:high|much)|what(?:['’]s| is) the jeonse"


def is_not_market(sheet: Sheet) -> bool:
    """Tell whether a question is of what others tell of homes; of a place's own ratio it may ask whether that is risky."""
    of_ratio = bool(sheet.of_kind("region")) and sheet.says(RATIO)
    if of_ratio and sheet.says(_HOW_HIGH):
        return False
    return sheet.says(BESIDE_PRICES) or (sheet.says(_RISK) and not of_ratio)


_OF_VALUE: Final = rf"{PRICED}|비싸|비싼|싸|싼|저렴|어때|수준|거래|갭|부담|들어가|사고|사려|살까|구하|장만|예산|돈|평당"
_EMPTY_NOUNS: Final = frozenset(
    (
        "동네",
        "자치구",
        "구",
        "동안",
        "사이",
        "순위",
        "순서",
        "올해",
        "작년",
        "재작년",
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
    if sheet.language != "ko" or now.measures or now.conditions or sheet.says(_OF_VALUE) or sheet.says(MOVES):
        return False
    if now.form not in {None, AskForm.LEVEL} or order_of(sheet) is not None:
        return False
    return names_another(sheet)


def names_another(sheet: Sheet) -> bool:
    """Tell whether a Korean question names a thing that is neither a place, a time nor a home: "물가가 제일 오른 구"."""
    named = [(one.start, one.end) for one in sheet.entities if one.kind in {"region", PERIOD} and one.end]
    home = Pattern(HOME_WORDS, re.IGNORECASE)
    named += [match.span() for match in home.finditer(sheet.text)]
    nouns = (one for one in morphemes(sheet.text) if one.tags[0] in {"NNG", "NNP"} and one.surface not in _EMPTY_NOUNS)
    return any(not any(start < one.end and one.start < end for start, end in named) for one in nouns)


_OWN_KINDS: Final = frozenset({"region", "property_type", "deal_type", PERIOD, AMOUNT, AREA, QUANTITY})


def is_of_homes_alone(sheet: Sheet) -> bool:
    """Tell whether all that a question names is of homes, so that nobody else is to take a part of it."""
    own_ratio = Pattern(RATIO, re.IGNORECASE)
    return all(
        one.kind in _OWN_KINDS or one.value == one.words or own_ratio.search(one.words) for one in sheet.entities
    )
