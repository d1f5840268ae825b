"""What a question about a home gives: sums by their role, rates, terms, areas and dangers that it names. Pure.

A sum's role is the nearest word before it ("보증금 3억에 월세 50만원"), else the word behind it ("6억짜리 집"). sums
of a rise ("500만원을 550만원으로") share the role of the first.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

from services.contract.flow import SlotValue
from services.domains.homes.entities import SUMS
from services.plugin.findings import Asking
from services.text.entities import Amount
from services.text.patterns import Pattern
from services.text.reading import TextReading, read

_ROLES: Final = (
    (
        "own_debt",
        r"(?:기존|다른|신용)\s?(?:대출|빚|부채)[^0-9,.]{0,8}(?:상환|원리금|갚)|existing debt|other (?:debt|loan)s?",
    ),
    ("earnest", r"계약금|down\s?payment|earnest"),
    ("balance", r"잔금|final payment"),
    ("fee", r"관리비|maintenance fee"),
    ("penalty", r"위약금|penalt\w+"),
    ("income", r"연\s?소득|연봉|소득|급여|income|salary"),
    ("loan", r"대출(?:금)?|융자|근저당|빌리|loan|borrow\w*|mortgage"),
    ("rent", r"월세|월\s?차임|차임|임대료|집세|(?:monthly\s)?rent\b"),
    ("deposit", r"보증금|전세금|전세가|전셋값|반전세|전세|deposit|jeonse"),
    ("price", r"매매가|매매|집값|시세|매수가|분양가|구입|매입|가격|아파트값|price|worth|purchase|buy\w*|home|house"),
)
_ROLE: Final = Pattern("|".join(f"(?P<{name}>{words})" for name, words in _ROLES), re.IGNORECASE)
_BEFORE_CHARS: Final = 24
_BEHIND: Final = Pattern(r"\s?(?:짜리|에\s?사|에\s?매수|에\s?매매|에\s?나온|\s(?:home|house|apartment|flat)\b)")
_DANGERS: Final = (
    ("mortgage", r"근저당|저당권?|담보\s?대출이\s?(?:있|잡)|\blien\b|mortgage on (?:it|the)"),
    ("seizure", r"가압류|압류|가처분|seiz\w+|attachment|injunction"),
    ("auction", r"경매|공매|foreclos\w+|auction"),
    ("trust", r"신탁|\btrust\b"),
    ("illegal", r"불법\s?(?:건축|증축)|위반\s?건축|무허가|illegal (?:building|extension)|unpermitted"),
    ("arrears", r"체납|tax arrears|unpaid tax"),
    ("proxy", r"대리인(?:과|이랑|하고)|대리\s?계약|by proxy|owner's agent signs"),
)
_PERCENT: Final = r"(?P<value>[0-9]{1,3}(?:\.[0-9]+)?)\s?(?:%|퍼센트|프로(?![가-힣])|per\s?cent)"
_RATE_WORDS: Final = {
    "ltv": r"LTV|담보\s?인정\s?비율",
    "dti": r"DTI|총부채\s?상환\s?비율",
    "dsr": r"DSR|총부채\s?원리금\s?상환\s?비율",
    "conversion": r"전환율|전월세\s?전환율|conversion rate",
    "base": r"기준\s?금리|base rate",
    "interest": r"(?<!기준)(?<!기준\s)(?:대출\s?)?(?:금리|이자율|이율)|interest(?: rate)?",
}
_RISE_PERCENT: Final = Pattern(
    rf"{_PERCENT}\s?(?:을|를|나|넘게|이상|더|만큼|\s)*(?:올려|올리|올린|인상|증액|increase|rise|raise|hike|more)"
    rf"|(?:increase|rais\w+|rise|인상률|증액)[^0-9.?]{{0,24}}?{_PERCENT.replace('value', 'value_behind')}",
    re.IGNORECASE,
)
_RISES: Final = Pattern(
    r"올려|올리|올린|올라|올랐|인상|증액|rais\w+|increas\w+|\brise\b|\bhike\w*|went up|going up", re.IGNORECASE
)
_CONVERTS: Final = Pattern(
    r"월세로\s?(?:돌|바꾸|바꿔|전환|내)|반전세|전환율|전월세\s?전환|전세를\s?월세|보증금을\s?월세"
    r"|convert\w*[^.?]{0,40}rent|deposit (?:in)?to (?:monthly )?rent",
    re.IGNORECASE,
)
_YEARS: Final = Pattern(
    r"(?P<value>[0-9]{1,2})\s?(?:년|years?)\s?(?:만기|상환|동안|분할|term|loan|to repay)"
    r"|(?:만기|over|term of)\s?(?P<behind>[0-9]{1,2})\s?(?:년|years?)",
    re.IGNORECASE,
)
_JOINT: Final = Pattern(r"\s?(?:을|를|에서|원을|인데|\sto|\sand|,)?\s?(?:to\s)?(?:₩|KRW\s?)?")
_SLOT_ROLES: Final = {
    "price": "price",
    "deposit": "deposit",
    "monthly_rent": "rent",
    "rent": "rent",
    "income": "income",
    "loan": "loan",
    "earnest": "earnest",
    "balance": "balance",
}


@dataclass(frozen=True, slots=True)
class Rise:
    """A rise that is asked for."""

    role: str
    """What is to rise: rent or deposit."""
    before_krw: int
    """What it is now."""
    after_krw: int
    """What it is to be."""


@dataclass(frozen=True, slots=True)
class QuestionGiven:
    """What a question gives."""

    text: str
    """Its text."""
    sums: dict[str, int] = field(default_factory=dict)
    """Sums in won by role: price, deposit, rent, income, loan, own_debt (a year), earnest, balance, penalty, fee."""
    rates: dict[str, Decimal] = field(default_factory=dict)
    """Percentages by name: ltv, dti, dsr, conversion, base, interest."""
    rise: Rise | None = None
    """The rise, where both of its sums are given."""
    rise_percent: Decimal | None = None
    """The rise, where it is given as a percentage."""
    years: int | None = None
    """Years of repayment."""
    area_m2: Decimal | None = None
    """The one floor area that it names."""
    dangers: tuple[str, ...] = ()
    """Dangers to a deposit that it names, by id, in the order of the table."""
    converts: bool = False
    """Whether a deposit is to be turned into rent."""

    @property
    def asks_a_rise(self) -> bool:
        """Whether a rise is asked about that can be computed."""
        return self.rise is not None or self.rise_percent is not None


def given_in(asking: Asking) -> QuestionGiven:
    """Return what a question gives; a slot's sum stands before that of the text."""
    reading = read(asking.question, now=asking.now, time_zone=asking.time_zone, sums=(SUMS,))
    roles = list(_roles(reading))
    rise = _rise(reading, roles)
    sums: dict[str, int] = {}
    for role, amount in roles:
        if role and amount.low is not None and amount.low == amount.high:
            sums.setdefault(role, amount.low)
    sums.update(_slot_sums(asking.slots))
    areas = {area.low_m2 for area in reading.areas if area.low_m2 is not None and area.low_m2 == area.high_m2}
    return QuestionGiven(
        text=reading.text,
        sums=sums,
        rates=dict(_rates(reading.text)),
        rise=rise,
        rise_percent=_rise_percent(reading.text) if rise is None else None,
        years=_years(reading.text),
        area_m2=areas.pop() if len(areas) == 1 else None,
        dangers=tuple(name for name, words in _DANGERS if re.search(words, reading.text, re.IGNORECASE)),
        converts=_CONVERTS.search(reading.text) is not None,
    )


def slot_text(slots: Sequence[SlotValue], name: str) -> str:
    """Return a slot's text, "" where it has none."""
    for slot in slots:
        if slot.slot == name:
            value = json.loads(slot.value_json)
            return value if isinstance(value, str) else ""
    return ""


def _roles(reading: TextReading) -> Iterator[tuple[str, Amount]]:
    """Yield each sum with its role; the second sum of a pair takes the role of the first."""
    text, end, role = reading.text, 0, ""
    for amount in reading.amounts:
        words = text[max(end, amount.start - _BEFORE_CHARS) : amount.start]
        named = [match.lastgroup for match in _ROLE.finditer(words) if match.lastgroup]
        if named:
            role = named[-1]
        elif _BEHIND.match(text, amount.end):
            role = "price"
        elif not _joins(words):
            role = ""
        end = amount.end
        yield role, amount


def _joins(words: str) -> bool:
    return _JOINT.fullmatch(words) is not None


def _rise(reading: TextReading, roles: Sequence[tuple[str, Amount]]) -> Rise | None:
    """Return the rise of a rent or deposit: a range from one sum to another, or two sums of one role."""
    if not _RISES.search(reading.text):
        return None
    sums: dict[str, list[int]] = {}
    for role, amount in roles:
        if role in {"rent", "deposit"} and amount.low is not None and amount.high is not None:
            sums.setdefault(role, []).extend(dict.fromkeys((amount.low, amount.high)))
    for role, found in sums.items():
        if len(found) == 2 and 0 < found[0] < found[1]:
            return Rise(role, found[0], found[1])
    return None


def _rise_percent(text: str) -> Decimal | None:
    match = _RISE_PERCENT.search(text)
    if match is None:
        return None
    return Decimal(match["value"] or match["value_behind"])


def _rates(text: str) -> Iterator[tuple[str, Decimal]]:
    for name, words in _RATE_WORDS.items():
        match = re.search(rf"(?:{words})\s?(?:는|은|이|가|of|at|is|:)?\s?(?:연\s?)?{_PERCENT}", text, re.IGNORECASE)
        if match is not None:
            yield name, Decimal(match["value"])


def _years(text: str) -> int | None:
    match = _YEARS.search(text)
    if match is None:
        return None
    years = int(match["value"] or match["behind"])
    return years if 1 <= years <= 50 else None


def _slot_sums(slots: Sequence[SlotValue]) -> Iterator[tuple[str, int]]:
    for slot in slots:
        role = _SLOT_ROLES.get(slot.slot)
        value = json.loads(slot.value_json) if role else None
        if role and isinstance(value, int) and not isinstance(value, bool) and value > 0:
            yield role, value
