"""Types the conditions that figures of shares are to meet: a bound beside its measure, a gain or a loss, a miss."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import AskCondition
from services.domains.finance.asks.named import numbers_of
from services.domains.finance.asks.vocabulary import BY_ID, FALL, RISE, SERIES
from services.domains.finance.asks.wording import is_rate
from services.plugin.asks.numbers import Number
from services.plugin.asks.sheet import Sheet

OVER: Final = r"넘|초과|이상|보다\s?(?:비싸|비싼|높|크|위)|웃도|above|over|more than|higher than|exceed|past|at least"
UNDER: Final = (
    r"아래|미만|이하|밑|보다\s?(?:싸|싼|낮|작)|밑도|내려갔|below|under|less than|lower than|come down to|at most"
)
LOST: Final = r"죽\s?[쑨쒔]|망한|망했|처참|고전|부진|까먹|손실|마이너스|잃|빠진|내린|하락|떨어진|lost|losing|negative|down\b|fallen"
WON: Final = r"오른|플러스|수익을?\s?낸|상승|gained|positive|\bup\b|risen|made money"
MISSED: Final = (
    r"못\s?(?:맞|미치|채)|하회|밑돌|미달|쇼크|\bmiss|short of|below (?:estimate|expect)|fell short|disappoint"
)
BEAT: Final = r"상회|웃돌|넘|beat|above (?:estimate|expect)|exceed|서프라이즈|better than"
ORDERED: Final = r"순(?:으로|서|위|대로|$|\s)|\brank\b|\border\b|sort|in order|highest first|lowest first"
CURRENCIES: Final = {"krw": "KR", "usd": "US"}


def may_bound(number: Number, subject: str) -> bool:
    """Tell whether a number may bound what a subject stands at: by how many percent it moved is no price of a share."""
    return number.unit != "percent" or (subject in SERIES and (is_rate(subject) or SERIES[subject].yearly))


def conditions_in(sheet: Sheet, measures: Sequence[str]) -> list[AskCondition]:
    """Return the conditions on figures of shares: a bound beside its measure, a gain or a loss, a miss."""
    found = []
    if "surprise" in measures and not sheet.superlative:
        if sheet.says(MISSED):
            found.append(
                AskCondition(
                    "surprise", "lt", "0", "percent", "예상 하회" if sheet.language == "ko" else "below estimates"
                )
            )
        elif sheet.says(BEAT):
            found.append(
                AskCondition(
                    "surprise", "gt", "0", "percent", "예상 상회" if sheet.language == "ko" else "above estimates"
                )
            )
    if sheet.says(r"no dividends?|pays? nothing|배당(?:을|이)?\s?(?:안|없|않|하지)"):
        found.append(AskCondition("dividend", "eq", "0", "", "배당 없음" if sheet.language == "ko" else "no dividend"))
    found += _against_book(sheet)
    for number in numbers_of(sheet):
        field = _field(sheet, number, measures)
        if field:
            found += _bounded(sheet, number, field)
    if not found and "return" in measures and not sheet.superlative and not sheet.says(ORDERED):
        if sheet.says(LOST):
            found.append(AskCondition("return", "lt", "0", "percent", "손실" if sheet.language == "ko" else "a loss"))
        elif sheet.says(WON):
            found.append(AskCondition("return", "gt", "0", "percent", "수익" if sheet.language == "ko" else "a gain"))
    return found


def _against_book(sheet: Sheet) -> list[AskCondition]:
    """Return the condition of a price below or above the accounts themselves, which is a P/B held against one."""
    book = None if numbers_of(sheet) else sheet.find(_BOOK)
    if book is None:
        return []
    return [AskCondition("pbr", "lt" if book["under"] or book["low"] else "gt", "1", "times", book.group())]


_BOOK: Final = (
    r"(?:장부\s?(?:가치?|가격)|순자산(?:\s?가치)?|청산\s?가치)\S?\s?(?:보다\s?)?(?:(?P<under>아래|밑|이하|미만|낮|싼|싸|못\s?미치)|(?:위|이상|넘|높|비싼|비싸)\S*)"
    r"|\b(?:(?P<low>below|under|less than)|above|over|more than) (?:its |their )?book(?: value)?\b"
)
_MIRRORED: Final = {"gt": "lt", "ge": "le", "lt": "gt", "le": "ge"}


def _bounded(sheet: Sheet, number: Number, field: str) -> list[AskCondition]:
    """Return the condition that a number bounds; of what fell it is how far: "fell over 20%" is a change below -20 %."""
    way, value = operator(sheet, number), number.value
    falls = field == "return" and value > 0 and sheet.says(f"{LOST}|{FALL}") and not sheet.says(f"{WON}|{RISE}")
    if not falls:
        return [AskCondition(field, way, f"{value.normalize():f}", number.unit, number.words)]
    said = f"{number.words} 하락" if sheet.language == "ko" else f"a fall of {number.words}"
    bound = AskCondition(field, _MIRRORED.get(way, way), f"{-value.normalize():f}", number.unit, said)
    none = AskCondition(field, "lt", "0", "percent", "하락" if sheet.language == "ko" else "a fall")
    return [bound, none] if way in {"lt", "le"} else [bound]


def _field(sheet: Sheet, number: Number, measures: Sequence[str]) -> str:
    """Return the measure that a number bounds: of those of its unit the nearest one named before it, else the first."""
    unit = ""
    if number.unit in {"percent", "percentage_point"}:
        unit = "percent"
    elif number.unit in CURRENCIES and number.bound:
        unit = "money"
    elif number.unit == "times" or (not number.unit and number.bound):
        unit = "times"
    fits = [one for one in measures if BY_ID[one].unit == unit]
    if not fits and unit == "percent" and "dividend" in measures:
        return "dividend_yield"
    before = replace(sheet, text=sheet.text[: number.start])
    places = {one: match.start() for one in fits if (match := before.find(BY_ID[one].words)) is not None}
    return max(places, key=lambda one: places[one]) if places else next(iter(fits), "")


def operator(sheet: Sheet, number: Number) -> str:
    """Return how a number bounds, by its own words, else by those around it."""
    if number.bound in {"lt", "le", "gt", "ge"}:
        return number.bound
    behind = sheet.text[number.end : number.end + 14]
    near = replace(sheet, text=behind)
    if near.says(r"안\s?넘|넘지|이하"):
        return "le"
    if near.says(OVER):
        return "ge" if near.says("이상|at least") else "gt"
    if near.says(UNDER):
        return "lt"
    wide = replace(sheet, text=sheet.text[max(0, number.start - 24) : number.start])
    if wide.says(UNDER):
        return "lt"
    return "gt" if wide.says(OVER) or sheet.says(OVER) else "lt"


def if_condition(sheet: Sheet, measures: Sequence[str]) -> tuple[AskCondition, ...]:
    """Return the conditions that a level is to be told under."""
    if not sheet.says(r"\bif\b|(?:이면|으면|라면|넘으면|아래면|낮으면|높으면)"):
        return ()
    return tuple(
        conditions_in(
            replace(sheet), [one for one in measures if BY_ID[one].unit in {"times", "percent"} and one != "return"]
        )
    )
