"""What figures are called, in Korean, English and the keys of rows: close, 20-day average, deepest fall, deposit.

A concept is a slot and a value in it: "52주 최고가" is the statistic `high` within the reach `52w`. A figure is what a
sentence calls it only where a fact with the same value is called that too.
"""

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class Slot(StrEnum):
    """The kinds of things that the words around a figure say of it."""

    STATISTIC = "statistic"
    """Which one of many values: the close, the highest, the mean."""
    MEASURE = "measure"
    """What is measured: a deposit, a volume, revenue."""
    WINDOW = "window"
    """Over how many days."""
    AGAINST = "against"
    """What a change is counted from: the value before, or a year earlier."""
    REACH = "reach"
    """Within which span a highest or lowest lies."""


@dataclass(frozen=True, slots=True)
class Concept:
    """One concept with its place in a text."""

    slot: Slot
    """What it says of the figure."""
    value: str
    """Which one."""
    start: int
    """Where it begins."""
    end: int
    """Where it ends, exclusive."""


_TABLE: Final = (
    (Slot.MEASURE, "market_cap", r"시가\s?총액|market\s?cap\w*"),
    (
        Slot.STATISTIC,
        "average",
        r"이동\s?평균(?:선|값)?|이평선?|(?<=[0-9]일)선|moving[\s-]average|\bMA\b|(?<=\bday\s)average",
    ),
    (
        Slot.STATISTIC,
        "mean",
        r"(?:거래량\s?)?가중\s?평균|(?:deal-)?weighted\s(?:mean|average)|평균|\bmean\b|\baverage[sd]?\b",
    ),
    (Slot.STATISTIC, "median", r"중간값|중앙값|중위\S*|\bmedian\b"),
    (Slot.STATISTIC, "drawdown", r"(?:최대\s?)?낙폭|deepest\sfall|\b(?:maximum\s)?drawdown\b"),
    (
        Slot.STATISTIC,
        "high",
        r"최고(?:가|치|점|값)?|(?<![가-힣])고(?:가|점)(?![가-힣]{2})|\bhigh(?:est|s)?\b|\bpeak\b|\bmaximum\b",
    ),
    (
        Slot.STATISTIC,
        "low",
        r"최저(?:가|치|점|값)?|(?<![가-힣])저(?:가|점)(?![가-힣]{2})|\blow(?:est|s)?\b|\bminimum\b",
    ),
    (Slot.STATISTIC, "open", r"시가(?!\s?총액)|시초가|\bopen(?:ed|ing)?\b"),
    (Slot.STATISTIC, "close", r"종가|마감(?:가|했|하|한)?|거래를\s?마[쳤감]|\bclos(?:e|ed|es|ing)\b"),
    (
        Slot.STATISTIC,
        "previous",
        r"(?:직전|이전)\s?값(?!인)|(?<!from\sthe\s)(?:value|reading)\sbefore|previous\s(?:value|reading)",
    ),
    (Slot.STATISTIC, "spread", r"격차|스프레드|\bspread\b|\bgap\b"),
    (Slot.MEASURE, "list_price", r"정가|list\sprice"),
    (Slot.MEASURE, "price", r"판매가|매매가(?:격)?|할인가|(?<!share\s)(?<!stock\s)\bprices?\b"),
    (Slot.MEASURE, "deposit", r"보증금|전셋?(?:값|가)(?!율)|\bdeposits?\b"),
    (Slot.MEASURE, "rent", r"월세(?!\s?보증금)|임대료|\b(?:monthly\s)?rents?\b"),
    (Slot.MEASURE, "volume", r"거래량|\bvolume\b|shares\straded"),
    (Slot.MEASURE, "deals", r"거래\s?건수|거래(?=\s?[0-9,]+\s?건)|\bdeals?\b|\btransactions?\b"),
    (Slot.MEASURE, "complexes", r"단지|complex(?:es)?\b"),
    (Slot.MEASURE, "discount", r"할인율|할인|\bdiscount\b|(?<=%\s)off\b"),
    (Slot.MEASURE, "rating", r"평점|별점|\brat(?:ing|ed)\b"),
    (Slot.MEASURE, "reviews", r"리뷰|후기|\breviews?\b"),
    (Slot.MEASURE, "stock", r"재고|\bin\sstock\b"),
    (Slot.MEASURE, "points", r"적립금|포인트\s?잔액|\breward\spoints?\b"),
    (Slot.MEASURE, "revenue", r"매출(?:액)?|\brevenues?\b|(?<!home\s)\bsales\b"),
    (Slot.MEASURE, "operating_income", r"영업\s?이익(?!률)|operating\s(?:income|profit)"),
    (Slot.MEASURE, "net_income", r"(?<!주당)(?<!주당\s)순이익|net\s(?:income|profit)"),
    (Slot.MEASURE, "eps", r"\bEPS\b|주당\s?순이익|earnings\sper\sshare"),
    (Slot.MEASURE, "per", r"\bPER\b|주가\s?수익\s?비율|\bP/E\b|price[\s-]to[\s-]earnings"),
    (Slot.MEASURE, "pbr", r"\bPBR\b|주가\s?순자산\s?비율|\bP/B\b|price[\s-]to[\s-]book"),
    (Slot.MEASURE, "dividend", r"배당\S*|\bdividends?\b"),
    (Slot.MEASURE, "volatility", r"변동성(?!\s?지수)|\bvolatility\b(?!\sindex)"),
    (Slot.MEASURE, "interest", r"(?:대출\s?)?이자율|대출\s?금리|\bloan\srates?\b"),
    (Slot.MEASURE, "limit", r"한도|\blimit\b"),
    (Slot.REACH, "52w", r"52\s?주|\b52-week\b|1년(?=\s?(?:최고|최저|중))"),
    (Slot.REACH, "period", r"조회\s?기간|기간\s?중|\bin\sthe\speriod\b|\bperiod(?=\s(?:high|low))"),
    (Slot.REACH, "ever", r"사상|역대|\ball-time\b|\brecord\b|\bever\b"),
    (
        Slot.AGAINST,
        "year",
        r"전년|지난해보다|작년보다|1년\s?전|year\s(?:earlier|ago|before)|year[\s-](?:on|over)[\s-]year|previous\syear",
    ),
    (
        Slot.AGAINST,
        "before",
        (
            r"직전\s?(?:거래일|관측일|대비|값인)|전\s?거래일|전일|전날|전월|전달|지난달보다|전주|전\s?분기|하루(?=\s?(?:만에|동안|새))"
            r"|(?:session|day|week|month|quarter|observation|value)\sbefore|the\s(?:previous|prior)\s(?:session|day|week|month|quarter)"
            r"|month[\s-](?:on|over)[\s-]month|day[\s-](?:on|over)[\s-]day"
        ),
    ),
    (
        Slot.WINDOW,
        "",
        r"(?P<days>[0-9]{1,3})\s?(?:거래일|영업일|일(?!선?[0-9가-힣]*원)|(?:trading\s)?-?\s?(?:days?|sessions?)\b|d\b)|\bMA\s?(?P<mean>[0-9]{1,3})",
    ),
)
_PATTERNS: Final = tuple((slot, value, re.compile(pattern, re.IGNORECASE)) for slot, value, pattern in _TABLE)
_CHANGE: Final = re.compile(
    r"수익률|변화|변동(?:률|폭)|증감|등락|증가율|상승률|하락률|낙폭|성장률|반응|예상\s?대비|차이"
    r"|return|change|growth|surprise|\bfall\b|drawdown|reaction|moved",
    re.IGNORECASE,
)


def concepts_in(text: str) -> tuple[Concept, ...]:
    """Return the concepts that a text names, in its order; none lies within another."""
    taken = bytearray(len(text))
    found: list[Concept] = []
    for slot, value, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            start, end = match.span()
            if end > start and not any(taken[start:end]):
                taken[start:end] = b"\x01" * (end - start)
                found.extend(_read(slot, value, match))
    return tuple(sorted(found, key=lambda concept: concept.start))


@functools.lru_cache(maxsize=4096)
def concept_sets(text: str) -> Mapping[Slot, frozenset[str]]:
    """Return what a label, or a row's key written with spaces, says that its value is."""
    found: dict[Slot, set[str]] = {}
    for concept in concepts_in(text):
        found.setdefault(concept.slot, set()).add(concept.value)
    if found.get(Slot.WINDOW) == {"1"}:
        found.setdefault(Slot.AGAINST, set()).add("before")
    return MappingProxyType({slot: frozenset(values) for slot, values in found.items()})


@functools.lru_cache(maxsize=4096)
def is_change(text: str) -> bool:
    """Tell whether a label names a change and not a level."""
    return _CHANGE.search(text) is not None


def _read(slot: Slot, value: str, match: re.Match[str]) -> Iterator[Concept]:
    if slot is not Slot.WINDOW:
        yield Concept(slot, value, *match.span())
        return
    days = match["days"] or match["mean"]
    yield Concept(slot, str(int(days)), *match.span())
    if match["mean"]:
        yield Concept(Slot.STATISTIC, "average", *match.span())
