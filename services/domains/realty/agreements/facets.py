"""What a passage says of who, what, how far and when: the facets of facets.yaml, and the figures that it states. Pure.

A no that stands beside a facet denies it, unless it belongs to a condition ("if the tenant does not ..."). Figures count
by what they are for: a rise's percentage, the months between two rises, the months of a term, the delay of a repayment.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from functools import cache, lru_cache
from typing import Final, Literal

from services.domains.realty.agreements.passages import Passage, months_between
from services.plugin.documents import read_yaml
from services.text.patterns import Pattern

MeasureOf = Literal["percent", "interval_months", "term_months"]
_NO_KO: Final = (
    r"[^.,]{0,18}?(?:(?:하|되|받|옮기|내|쓰|들|주|지|달|묻)?지\s?(?:않|아니|못|말)|않(?:기로|는|은|으며)|못\s?(?:하|한|할|함)|수\s?없|불가|금지|금한|포기|"
    r"아니\s?(?:하|한)|안\s?(?:된|되|하|한|돼)|받지\s?않|없(?:다|음|으며|는)|배제|제한된|상실|면한|면제|사절|삼간|없이)"
)
_FORBID_KO: Final = r"[^.,]{0,8}?(?:(?:하|되|받|오|가|내|리)?지\s?(?:않|아니|못|말)|못\s?(?:하|한|할|함)|수\s?없|불가|금지|안\s?(?:된|되|돼))"
_FORBID_EN: Final = r"\b(?:not|never|cannot|neither)\b[^.;]{0,20}?"
_IF_KO: Final = Pattern(
    r"[가-힣]{0,3}\s?(?:경우|때(?!까지)|으면|면(?![가-힣제한])|시(?:에|엔)?(?:\s|$)|한\s?때)|아\s?(?:생|발생)|은\s?(?:손해|책임)"
)
_BARRIER_KO: Final = Pattern(
    # What is conceded, and the next noun that something is said of, take the no away from the facet.
    r"더라도|[어아여해]도\s|지만|(?:시|때)(?:에|는)?\s(?!임차인|세입자)[가-힣\s]{0,8}(?:은|는)\s|다음\s?날|까지|마친|하고|받고|(?:이|가)\s?아니라|방해|막"
)
_NO_EN: Final = (
    r"(?:\bnot\b|n't\b|\bno\b|\bnever\b|\bnor\b|\bwithout\b|\bcannot\b|refrain(?:s|ing)? from|prohibited from|forbidden (?:to|from)|barred from"
    r"|\bwaiv\w+|giv(?:es|e|ing) up|\bforgo\w*|relinquish\w*|surrender\w*|\bexclud\w+|\bdisclaim\w*|\bfree (?:of|from)|\brelease[sd]?\b|renounc\w+)"
    r"[^.;]{0,48}?"
)
_NO_EN_BEHIND: Final = r"[^.;,]{0,24}?(?:\b(?:is|are|shall be|will be) (?:not|excluded|barred|waived|forbidden|prohibited|ruled out)|\bnot (?:available|permitted|allowed|possible|granted))"
_BARRIER_EN: Final = Pattern(
    r"until|before|after|unless|mortgage|burden|hinder|obstruct|prevent|later than|less than|more than|refuse|only",
    re.IGNORECASE,
)
_IF_EN: Final = Pattern(r"\b(?:if|where|unless|in case|should)\b[^,.;]{0,60}$", re.IGNORECASE)
_RECURRING: Final = (
    (Decimal(1), r"매월|매달|다달이|\bmonthly (?:review|adjust|increase)|every month|each month"),
    (Decimal(3), r"분기\s?(?:마다|별|[초말])|매\s?분기|quarterly|every quarter|each quarter"),
    (
        Decimal(6),
        r"반기\s?(?:마다|별|[초말])|매\s?반기|반년마다|half-?yearly|semi-?annual|twice a year|every half[- ]year",
    ),
)
_EVERY: Final = Pattern(r"에\s?한\s?(?:번|차례)|마다|every|each|간격|주기|단위", re.IGNORECASE)
_NOT_A_TERM: Final = Pattern(
    r"^['’]?s?\s?(?:여유|말미|예고|전|이전|이내|안에|내에|뒤|후|마다|만에|before|prior|notice|warning|after|later|of (?:the )?(?:tenant|moving|leaving|rent)|in arrears|rent)",
    re.IGNORECASE,
)
_BEFORE_NO_TERM: Final = Pattern(r"(?:within|after|every|at least|and|between|up to|than|하루)\s$", re.IGNORECASE)
_OF_A_TERM: Final = Pattern(
    r"(?:기간|임대|계약|거주)[^.]{0,40}$|\b(?:for|term|terms|period|runs?|lasts?|tenancy|lease)\b[^.,]{0,30}$",
    re.IGNORECASE,
)
_TERM_BEHIND: Final = Pattern(
    r"^\s?(?:간|동안|으로|로\s?(?:한|정)|짜리|단기|계약|term|lease|tenancy|period|starting|from|beginning|commencing)",
    re.IGNORECASE,
)
_RENT_WORDS: Final = Pattern(r"(?:차임|월세|연체|밀린|이자)[^.]{0,8}$")
_OF_TEN: Final = Pattern(r"(?P<n>[1-9]|일|이|삼|사|오|한|두|세|네|다섯)\s?할(?!인|부|당|증|로\s?낮)")
_TENTHS: Final = {
    **{str(one): one * 10 for one in range(1, 10)},
    **dict(zip("일이삼사오한두세네", (10, 20, 30, 40, 50, 10, 20, 30, 40), strict=True)),
    "다섯": 50,
}
_FRACTION: Final = Pattern(
    r"(?P<parts>[0-9]{1,3})\s?분의\s?(?P<share>[0-9]{1,2})|(?P<spelt>이십|십|오|사|삼|이)\s?분의\s?(?P<of>일|이|삼|사)"
    r"|\b(?:(?P<count>an?|one|two|three|four)[\s-])?(?P<name>half|third|quarter|fourth|fifth|sixth|eighth|tenth|twentieth)s?\b(?!\s(?:of\s)?(?:day|month|year|floor|time|party))",
    re.IGNORECASE,
)
_PARTS: Final = {
    **dict(zip(("이십", "십", "오", "사", "삼", "이"), (20, 10, 5, 4, 3, 2), strict=True)),
    "half": 2,
    "third": 3,
    "quarter": 4,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "eighth": 8,
    "tenth": 10,
    "twentieth": 20,
}
_COUNTS: Final = {
    name: Decimal(count)
    for count, names in ((2, ("two", "이")), (3, ("three", "삼")), (4, ("four", "사")))
    for name in names
}
"""Shares that are said as fractions: "one tenth", "10분의 1"."""
_TWELVE: Final = Pattern(r"열두\s?달|한\s?해(?=\s?(?:로|동안|간))")
_NEAR: Final = 60
_WHOLE: Final = 100
_FAIR_DELAY_DAYS: Final = 7
_PENALTY_SHARE: Final = Decimal(10)
_DAYS: Final = {"days": 1, "weeks": 7, "months": 30, "years": 365}
_DELAYED: Final = Pattern(
    r"\s?(?:이내|안|내에|뒤|후|지나|경과|이\s?지난|after|of\b|from\b|following|later|(?:of )?(?:the )?(?:tenant|expiry))",
    re.IGNORECASE,
)


@cache
def facets() -> Mapping[str, str]:
    """Return the facets: regular expressions by name."""
    document = read_yaml("services.domains.realty.agreements", "facets.yaml")
    if not isinstance(document, dict):
        raise TypeError("facets.yaml maps facets to words")
    return {str(name): str(words) for name, words in document.items()}


def says(condition: str, passage: Passage) -> bool:
    """Tell whether a condition holds: "a", "a&b" (both), "a!b" (a without b), "forbids:a", "denied:a"."""
    if "&" in condition:
        return all(says(one, passage) for one in condition.split("&"))
    if "!" in condition:
        one, _, without = condition.partition("!")
        return says(one, passage) and not says(without, passage)
    if condition.startswith("forbids:"):
        return forbids(condition.removeprefix("forbids:"), passage.parties)
    if condition.startswith("denied:"):
        return denies(condition.removeprefix("denied:"), passage.parties)
    if condition in _COMPUTED:
        return _COMPUTED[condition](passage)
    return _compiled(facets()[condition]).search(passage.parties) is not None


def denies(facet: str, text: str) -> bool:
    """Tell whether a text forbids or gives up what a facet names; a no inside a condition is none."""
    words = facets()[facet]
    for match in _compiled(f"(?:{words})(?P<gap>{_NO_KO})").finditer(text):
        if not _IF_KO.match(text, match.end()) and not _BARRIER_KO.search(match["gap"]):
            return True
    for match in _compiled(rf"(?P<gap>{_NO_EN})(?:{words})").finditer(text):
        if not _BARRIER_EN.search(match["gap"]) and not _IF_EN.search(
            text[max(0, match.start() - _NEAR) : match.start()]
        ):
            return True
    return _compiled(rf"(?:{words}){_NO_EN_BEHIND}").search(text) is not None


def forbids(facet: str, text: str) -> bool:
    """Tell whether what a facet names may not be done."""
    words = facets()[facet]
    return _compiled(f"(?:{words}){_FORBID_KO}|{_FORBID_EN}(?:{words})").search(text) is not None


@lru_cache(maxsize=256)
def _compiled(words: str) -> Pattern:
    return Pattern(words, re.IGNORECASE)


def _percents(passage: Passage) -> Iterator[Decimal]:
    """Yield the percentages of a passage; "107% of the rent before" is a rise of 7."""
    for one in passage.of_unit("percent"):
        yield one.value - _WHOLE if _WHOLE < one.value < 2 * _WHOLE else one.value
    yield from (Decimal(_TENTHS[match["n"]]) for match in _OF_TEN.finditer(passage.text))
    for match in _FRACTION.finditer(passage.text):
        parts = Decimal(match["parts"] or _PARTS[(match["spelt"] or match["name"]).lower()])
        count = _COUNTS.get((match["of"] or match["count"] or "").lower(), Decimal(1))
        share = Decimal(match["share"]) if match["parts"] else count
        if parts:
            yield _WHOLE * share / parts


def _intervals(passage: Passage) -> Iterator[Decimal]:
    """Yield the months between two rises that a passage allows."""
    for months, words in _RECURRING:
        if _compiled(words).search(passage.text):
            yield months
    for one in passage.of_unit("months"):
        near = passage.text[max(0, one.start - 8) : one.start] + passage.text[one.end : one.end + 8]
        if _EVERY.search(near) or "마다" in one.words:
            yield one.value


def _terms(passage: Passage) -> Iterator[Decimal]:
    """Yield the months of a term: by its days where it names both, else by its length."""
    if len(passage.days) >= 2:
        first, last = passage.days[0].value, passage.days[1].value
        if first < last:
            yield months_between(first, last)
            return
    if _TWELVE.search(passage.text):
        yield Decimal(12)
    for one in passage.of_unit("years", "months"):
        behind, before = passage.text[one.end : one.end + _NEAR], passage.text[max(0, one.start - _NEAR) : one.start]
        excused = _NOT_A_TERM.match(behind) or _BEFORE_NO_TERM.search(before) or _RENT_WORDS.search(before)
        is_told = _OF_A_TERM.search(before) or _TERM_BEHIND.match(behind) or "간" in one.words
        if is_told and not excused and not one.bound and one.value < 100:
            yield one.as_months


MEASURES: Final[dict[MeasureOf, Callable[[Passage], Iterator[Decimal]]]] = {
    "percent": _percents,
    "interval_months": _intervals,
    "term_months": _terms,
}


def _high_share(passage: Passage) -> bool:
    """Tell whether a share of the deposit or price is above a tenth, said as a percentage or as a sum."""
    main = passage.main_krw
    sums = [one.value for one in passage.of_unit("krw") if main and one.value < main]
    return any(one.value > _PENALTY_SHARE for one in passage.of_unit("percent")) or any(
        main is not None and one * _PENALTY_SHARE > main for one in sums
    )


def _long_delay(passage: Passage) -> bool:
    """Tell whether a passage lets more than a week go by."""
    return any(
        one.value * _DAYS[one.unit] > _FAIR_DELAY_DAYS
        and (_DELAYED.match(passage.text, one.end) is not None or one.bound in {"le", "lt"})
        for one in passage.of_unit(*_DAYS)
    )


def _short_delay(passage: Passage) -> bool:
    """Tell whether a passage names a week or less, and no longer time."""
    short = any(one.value * _DAYS[one.unit] <= _FAIR_DELAY_DAYS for one in passage.of_unit(*_DAYS))
    return short and not _long_delay(passage)


_COMPUTED: Final[dict[str, Callable[[Passage], bool]]] = {
    "high_share": _high_share,
    "long_delay": _long_delay,
    "short_delay": _short_delay,
}
COMPUTED: Final = frozenset(_COMPUTED)
"""Facets that are figures of a passage, and no words of it."""


_DENIABLE: Final = (
    *("move_in_report", "fixed_date", "renewal", "raise", "ending", "return", "deduct"),
    *("collateral", "liability", "entry", "objection"),
)
_LANDLORD_LEADS: Final = Pattern(
    r"(?:임대인|집주인|소유자|건물주|매도인|관리인|주인)(?:은|는)|^(?:the )?(?:landlord|lessor|owner|seller)\b",
    re.IGNORECASE,
)
_TENANT_LEADS: Final = Pattern(
    r"(?:임차인|세입자|입주자|매수인)(?:은|는)|^(?:the )?(?:tenant|lessee|renter|buyer)\b", re.IGNORECASE
)
_MAY: Final = Pattern(r"수\s?있다?$|\bmay\b|\bcan\b", re.IGNORECASE)
_ENDS_IN_NO: Final = Pattern(r"(?:않|못|아니|없)[^.]{0,6}$")
_SHAPES: Final = {
    "landlord_leads": _LANDLORD_LEADS,
    "tenant_leads": _TENANT_LEADS,
    "may": _MAY,
    "ends_in_no": _ENDS_IN_NO,
}
_CAP_PERCENT: Final = 5
_TERM_MONTHS: Final = 24


def said(passage: Passage) -> frozenset[str]:
    """Return all that a passage says: its facets, what it denies, who leads it, and which side of the law its figures are."""
    found = {name for name in (*facets(), *_COMPUTED) if says(name, passage)}
    found |= {f"denied:{name}" for name in _DENIABLE if name in found and denies(name, passage.parties)}
    found |= {name for name, words in _SHAPES.items() if words.search(passage.parties)}
    if percents := list(_percents(passage)):
        found.add("above_cap" if max(percents) > _CAP_PERCENT else "within_cap")
    if terms := list(_terms(passage)):
        found.add("short_term" if min(terms) < _TERM_MONTHS else "full_term")
    return frozenset(found)
