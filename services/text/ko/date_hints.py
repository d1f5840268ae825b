"""What Korean words say of time without naming a day: vague ones, stays, whether a question looks ahead."""

import re
from collections.abc import Iterator
from re import Match

from services.text.ko.dates import YEAR
from services.text.numbers import approximate
from services.text.patterns import Pattern
from services.text.speech import any_of

_TRIP = Pattern(r"(?<![0-9한두세네])[0-9한두세네]{1,4}\s?박\s?[0-9]{1,4}\s?일|무박|당일치기")
_YEAR_UNNAMED = re.sub(r"\?P<\w+>", "?:", YEAR)
_VAGUE = Pattern(
    r"조만간|언젠가|나중에|머지않아|곧(?=\s|$)|엊그제|요전|며칠\s?(?:전|뒤|후|내)|몇\s?(?:일|주|달|개월|년|해|분기)\s?(?:전|뒤|후|간|동안|내)"
    r"|얼마\s?(?:전|뒤|후)|한참\s?(?:전|뒤)|예전에|옛날에?|가까운\s?시일|수\s?(?:일|주|개월|년)\s?(?:전|뒤|후|간|내)"
    rf"|(?:{_YEAR_UNNAMED}\s?)?(?:연말|연초|월말|월초|분기\s?말)(?!정산|고(?![가-힣]))"
    r"|(?:[0-9]{1,2}월|이번\s?달|지난\s?달|다음\s?달|올해|작년|내년)\s?(?:초|중반|말)(?![순일]|\s?까지)(?=\s|$|[에의쯤경])"
    r"|작년쯤|내년쯤"
)
_ABOUT_SPAN = Pattern(
    rf"(?P<lead>(?:최근|지난|직전|과거|근|앞으로|향후)\s?)?{approximate.ANY_KOREAN}\s?"
    r"(?:개월|개년|개\s?분기|주일|일(?!곱|정)|주(?!택|식|가|요|문)|달(?![러라성])|해(?!외|당)|년(?![도생]))"
    r"(?P<tail>\s?(?:전(?![화기보체세월용])|뒤|후(?![보기])|간|동안|내|새|사이|치(?![료수과]))"
    r"|(?=\s?(?:추이|흐름|변화|추세|동향|차트|그래프)))?"
)
_FUTURE = Pattern(
    r"예정|예상|예측|앞으로|향후|다가오|만기|시작일|입주|이사|잔금|계획|출시될|개최|도착|할\s?거|하려|할게|시작해|까지\s?(?:도착|받|보내|와|올|되|[가-힣]{2}\s?(?:되|돼|될|가능|해\s?[줘주]))|와요|오나요|올까|새로|만들어|작성|예약"
)
_PAST = Pattern(r"[았었했렸졌났갔왔샀됐겼]|추이|흐름|실적|지난|왜\s")


def is_future(text: str) -> bool:
    """Tell whether the words of a Korean question look ahead."""
    return _FUTURE.search(text) is not None and _PAST.search(text) is None


def vague(text: str) -> Iterator[Match[str]]:
    """Yield the words that name a time without naming a day, and spans of about so long ("서너 달 전")."""
    yield from _VAGUE.finditer(text)
    for match in _ABOUT_SPAN.finditer(text):
        if match["lead"] or match["tail"] is not None or match.group() == text:
            yield match


def left_over(text: str, things: tuple[str, ...]) -> Iterator[Match[str]]:
    """Yield the "이월" of things that are left over from a former season, which is no February."""
    return re.finditer(rf"(?<![가-힣])이월(?=\s?(?:{any_of(things)}))", text) if things else iter(())


def trips(text: str) -> Iterator[Match[str]]:
    """Yield lengths of stay ("2박 3일"), whose numbers are no dates."""
    return _TRIP.finditer(text)
