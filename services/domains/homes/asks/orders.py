"""In which order a class of things is wanted, and how many of it: "제일 싼 구", "비싼 순으로 3곳", "the five cheapest".

An order is a word that makes one (제일, 순으로, top, rank, -est) with one that says which end comes first.
"""

import re
from dataclasses import dataclass
from typing import Final

from services.domains.homes.gazetteer import gazetteer
from services.plugin.asks.forms import PLACE_KO, RANKED
from services.plugin.asks.numbers import Number
from services.plugin.asks.sheet import Sheet
from services.plugin.entities import Entity
from services.text.patterns import Pattern

_MAKES: Final = (
    rf"{PLACE_KO}|{RANKED}|제일|가장|젤|최고|최저|최다|순(?:으로|서|위|대로|$|\s)|랭킹|[1일]\s?위|[0-9]{{1,2}}\s?(?:위|등)\s?(?:까지|안|이내|권)|\b(?:top|탑|톱)\s?[0-9]*|상위|하위|꼴찌|꼴등|줄\s?세워|(?:데|곳|동네|지역|구|거|것|매물|집|아파트)부터|(?:싼|싸고|높은|낮은|저렴한)\s?(?:자치)?(?:구|동네|지역|곳|데)\s?(?:[0-9]{{1,2}}|두|세|네|다섯|열)\s?(?:곳|군데|개)"
    r"|\brank|\border(?:ed)? by|\bsort|\bmost\b|\bleast\b|\bfirst\b|highest|lowest|cheapest|priciest|dearest|costliest|biggest|largest|smallest|fewest|steepest|sharpest|fastest|top\b|bottom\b"
)
_HIGH: Final = rf"{RANKED}|비싼|비싸|비쌌|비쌀|높|센|쎈|세(?=지|고|야)|많|크|큰|잘|활발|인기|뜨거|최고|최다|상위|top\b|탑|톱|highest|expensive|priciest|dearest|costliest|biggest|largest|busiest|\bmost\b"
_LOW: Final = r"(?<!비)(?:싼|싸|쌌|쌀(?=\s?때))|저렴|낮|적(?!정)|작(?!년|성|품)|덜|부담\s?없|착한|착하|만만|헐한|최저|하위|꼴찌|꼴등|cheap|lowest|least|smallest|fewest|affordable|bottom\b"
ROSE: Final = (
    r"오른|올랐|오르|상승|뛴|뛰|급등|치솟|ris(?:e|en|ing)|\brose|gain|climb|grown?\b|grew|increase|went up|gone up|jump"
)
FELL: Final = r"내린|내렸|내리|떨어|하락|빠진|빠졌|급락|fall|fell|drop|declin|lost|decrease|went down|gone down|slump"
_MOVED_MORE: Final = rf"(?:더|많이|덜)\s?(?:{ROSE}|{FELL})|(?:{ROSE}|{FELL})[^.?]{{0,12}}\b(?:more|most|less)\b"
"""Words that hold the moves of named places against each other."""
_CLASS: Final = r"(?:구|동네|지역|곳|자치구|시군구|도시|군데|시)(?:가|는|은|이|에|야|중|별|들|만|로|를|$|\s|[?.,])|어디|districts?|(?<!-)\bgu\b|areas?|neighbou?rhoods?|\bwhere\b|cit(?:y|ies)|places?\b|parts? of"
_COUNT: Final = Pattern(
    r"(?:\btop|탑|톱|상위|하위|first)\s?(?P<a>[0-9]{1,2}|five|three|ten|two)|(?P<b>[0-9]{1,2}|세|다섯|두|네|열)\s?(?:곳|개\s?(?:구|지역|동네|시)|군데|(?:위|등)\s?(?:까지|안|이내|권)|개만)|(?<!방)(?<!방\s)(?<!실)(?<!실\s)\b(?P<d>[0-9]{1,2})\s?개(?=\s|$|[?.,!요])|\b(?P<c>two|three|four|five|ten|[0-9]{1,2})\s(?:(?!bed|room)\w+\s)?(?:most|least|cheapest|highest|lowest|priciest|districts|places|dearest)",
    re.IGNORECASE,
)
_WORDS: Final = {"두": 2, "세": 3, "네": 4, "다섯": 5, "열": 10, "two": 2, "three": 3, "four": 4, "five": 5, "ten": 10}


@dataclass(frozen=True, slots=True)
class Order:
    """The order that is wanted."""

    is_most: bool
    """Whether the greatest comes first."""
    is_change: bool = False
    """Whether it is by how far things rose or fell."""
    count: int = 0
    """How many are wanted; 0 where nothing says."""


def order_of(sheet: Sheet) -> Order | None:
    """Return the order that a question wants; None where it wants none."""
    if not sheet.says(_MAKES) and not (len(sheet.of_kind("region")) > 1 and sheet.says(_MOVED_MORE)):
        return None
    return order_meant(sheet)


def order_meant(sheet: Sheet) -> Order | None:
    """Return the order that the words lead to where a question is known to want one; None where none says which end."""
    count = _count(sheet)
    if sheet.says(ROSE) or sheet.says(FELL):
        fell, rose = sheet.find(FELL), sheet.find(ROSE)
        return Order(fell is None or (rose is not None and rose.start() < fell.start()), is_change=True, count=count)
    low, high = sheet.find(_LOW), sheet.find(_HIGH)
    if low is None and high is None:
        return None
    is_most = low is None or (high is not None and high.start() < low.start() and not _is_mere_degree(high))
    return Order(is_most, count=count)


_LEAST: Final = r"(?:제일|가장|젤)\s?(?:적게|조금|덜|안)|(?:적게|조금|덜|별로\s?안|안)\s?(?:오른|올랐|내린|떨어|빠진|뛴)|\b(?:least|smallest|lowest|slowest|fewest)\b|barely"


def wants_least(sheet: Sheet) -> bool:
    """Tell whether those are wanted that moved least: "제일 적게 오른 구"."""
    return sheet.says(_LEAST)


def ranks_places(sheet: Sheet) -> bool:
    """Tell whether an order of places is wanted: a class of them is named, or a whole city or province.

    The 구 of a district's own name names no class: "도봉구에서 제일 싼 전세" is of homes.
    """
    places = sheet.of_kind("region")
    if order_of(sheet) is None or len(places) > 1:
        return False
    rest = _without(sheet.text, places[0]) if places else sheet.text
    if places and is_one_district(places[0].value):
        return _PARTS_OF_A_DISTRICT.search(rest) is not None
    is_wide = bool(places) and len(places[0].value) == PROVINCE and sheet.says(_LISTED)
    return re.search(_CLASS, rest, re.IGNORECASE) is not None or is_wide


def _without(text: str, place: Entity) -> str:
    """Return a text without the name of a place."""
    return f"{text[: place.start]} {text[place.end :]}" if place.end else text


def is_one_district(code: str) -> bool:
    """Tell whether a code is that of one district, and of no province or city that has several."""
    others = (one for one in gazetteer().districts if one != code and one.startswith(code[:-1]))
    return len(code) > PROVINCE and not (code.endswith("0") and any(others))


def first_home(sheet: Sheet) -> Order | None:
    """Return the order of which the first home of one place is wanted; None where none is, or places are ranked."""
    order, places = order_of(sheet), sheet.of_kind("region")
    is_one = len(places) == 1 and bool(places[0].value)
    if order is None or order.is_change or not is_one or ranks_places(sheet):
        return None
    return order if sheet.says(_BY_PRICE) and not sheet.says(_OF_ALL) else None


_BY_PRICE: Final = r"싼|싸|저렴|비싼|비싸|(?:값|가격|금액|보증금|월세|전세|매매가)(?:이|가)?\s?(?:제일|가장|젤)?\s?(?:낮|높)|최저가|최고가|cheap|expensive|pric(?:iest|ed)|\b(?:low|high)est\b|dearest|costliest"
_OF_ALL: Final = (
    r"평균|시세|\baverage|\bmean\b|전세가율|ratio|순(?:으로|서|위)|달(?:은|이)?\s?언제|언제|\bwhen\b|\bmonth\b(?!ly)"
)
"""What a district as a whole has, whatever its homes are."""
_PARTS_OF_A_DISTRICT: Final = Pattern(
    r"(?<![가-힣])(?:동네|동|지역|곳|군데|데|어디)(?:가|는|은|이|에|야|중|별|들|만|로|를|서|인|$|\s|[?.,])"
    r"|\bdongs?\b|\bareas?\b|neighbou?rhoods?|\bwhere\b|\bparts? of\b",
    re.IGNORECASE,
)
"""Words of the parts of a district."""
_CLASS_ALONE: Final = r"(?<![가-힣])(?:자치구|시군구|구|군|동네|지역|곳|도시|데)(?:가|는|은|이|에|들|만|로|를|야|도|중|있|$|\s|[?.,])|\bdistricts?\b|\bareas?\b|neighbou?rhoods?|\bcities\b|\bplaces\b"
_OF_RATIO: Final = r"전세가율|전세\s?비율|jeonse[- ]ratio|jeonse[- ]to"


def place_bound(sheet: Sheet) -> Number | None:
    """Return the bound that places of a class are to meet by what homes cost there: "전세가율 60% 넘는 구"; None without."""
    regions = sheet.of_kind("region")
    if len(regions) > 1 or any(len(one.value) > PROVINCE for one in regions) or not sheet.says(_CLASS_ALONE):
        return None
    unit = "percent" if sheet.says(_OF_RATIO) else "krw"
    bounds = [one for one in sheet.numbers if one.unit == unit and one.bound in {"lt", "le", "gt", "ge"}]
    return bounds[0] if len(bounds) == 1 else None


def bounds_places(sheet: Sheet) -> bool:
    """Tell whether the places are wanted whose homes meet a bound, and no single homes."""
    return place_bound(sheet) is not None and not sheet.says(_OFFERED)


_OFFERED: Final = r"매물|물건|나온|나와|올라온|listing|for (?:sale|rent|lease)\b|on offer|on the market"
PROVINCE: Final = 2
"""The length of a province's code."""
_LISTED: Final = r"순(?:으로|서|위|\s|$)|랭킹|\brank|\border|\bsort"


def _is_mere_degree(match: re.Match[str]) -> bool:
    """Tell whether a word only says how far: "most affordable", "많이 싼"."""
    return match.group().lower() in {"most", "많", "최고", "잘"}


def _count(sheet: Sheet) -> int:
    match = _COUNT.search(sheet.text)
    if match is None:
        return 0
    word = next(filter(None, match.groups())).lower()
    return _WORDS.get(word) or int(word)
