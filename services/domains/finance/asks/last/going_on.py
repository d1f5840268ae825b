"""How a message goes on from the last ask of markets: an operation on what stands, no question of its own.

at another price    the sum that was told, should the price move
from there          the distance from the highest or the lowest that was told
the one before      the same of the quarter, month, week or year before the one that was told
in won, in dollars  sums of the one currency in the other
how many times      one of two by the other, by what was told of them
is it growing       which way the accounts went that were told
why                 why it moved
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Final

from services.contract.asks import Ask, AskForm, Origin
from services.domains.finance.asks.drafting import intent_of
from services.domains.finance.asks.figures.accounts import LAST_QUARTER
from services.domains.finance.asks.last.sides import asks_growth
from services.domains.finance.asks.named import measures_named, price_change
from services.domains.finance.asks.spans import market_day, months_before
from services.domains.finance.asks.vocabulary import BY_ID, FALL, RISE, SERIES
from services.plugin.asks.answering import Claim
from services.plugin.asks.edits import short
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.standing import PAIR
from services.plugin.entities import Entity

_FROM_THERE: Final = (
    r"그때\s?(?:보다|에\s?비|대비|이?랑)|거기(?:서|보다|에서)|(?:고점|저점|최고점?|최저점?)\s?(?:에서|보다|대비|에\s?비)"
    r"|from (?:there|then|that|the (?:peak|high|top|low))|since then|(?:below|above|off) (?:that|it|the (?:peak|high|top|low))"
)
"""Words that measure from the highest or the lowest that was told."""
_WHY: Final = r"왜|이유|원인|\bwhy\b|reason"
_CURRENCIES: Final = {
    "krw": r"원화|원으로|한국\s?돈|\bin (?:korean )?won\b",
    "usd": r"달러로|달러화|미국\s?돈|\bin (?:us )?(?:dollars|USD)\b",
}
FOREIGN: Final = {"krw": "US:", "usd": "KR:"}
"""The shares whose sums are changed into a currency, by the beginning of their ids."""


def currency_wanted(sheet: Sheet) -> str:
    """Return the currency that a message wants sums in, krw or usd; empty for none."""
    return next((name for name, words in _CURRENCIES.items() if sheet.says(words)), "")


_BEFORE: Final = (
    r"(?:그|바로|직)\s?(?:바로\s?)?(?:이?전|앞)\s?(?P<ko>분기|달|월|주|해|년도?|날)?(?:은|는|엔|에는|에도|에|치|꺼|거|이?랑|하고|과|와|보다|\s|$|\?)"
    r"|\b(?:the|one) (?P<en>quarter|month|week|year|day)? ?before(?: (?:that|it|this))?\W*$|\bbefore (?:that|it)\W*$"
    r"|\b(?:previous|prior|preceding) (?P<en2>quarter|month|week|year|day)\b(?!['’]s)"
)
"""Words for the time just before the one that was told."""
_BEFORE_ALONE: Final = r"^\W*(?:(?:그럼|그러면|혹시)\s)?(?:이?전|앞)\s?(?P<ko>분기|달|월|해|년도?)(?:은|는|엔|에는|에도|에|꺼|거)?(?:요)?(?:\s?(?:어땠|얼마|몇)\S*)?\W*$"
"""The same in a message that names nothing else: "전분기는?"."""
_LAST_AGAIN: Final = r"^\W*(?:(?:그럼|그러면|and|what about|how about)\s)?(?:(?:지난|저번)\s?|(?:the )?last )(?P<ko>분기|quarter)(?:은|는|엔|에는|에)?(?:요)?\W*$"
"""Names the quarter that was reported last; behind an answer of it the one before it is meant."""
_AGAINST: Final = r"비교|대비|보다|비해|비하|늘[었어은]|줄[었어은]|than|versus|\bvs\b|compar|against"
"""Words that hold what was told against another time."""
_UNITS: Final = {
    **dict.fromkeys(("분기", "quarter"), "quarter"),
    **dict.fromkeys(("달", "월", "month"), "month"),
    **dict.fromkeys(("주", "week"), "week"),
    **dict.fromkeys(("해", "년", "년도", "year"), "year"),
    **dict.fromkeys(("날", "day"), "day"),
}
_MONTHS: Final = {"month": 1, "quarter": 3, "year": 12}


def gone_on(sheet: Sheet, last: Ask, *, is_named: bool, former: Ask | None = None) -> Claim | None:
    """Return the last ask gone on from; None where a message names another thing, or is none of these.

    Args:
        sheet: The message.
        last: The last ask.
        is_named: Whether the message names another thing.
        former: The ask of the message before the last.
    """
    if last.answerer == "finance.worth" and (moved := price_change(sheet)) is not None:
        kept = tuple(replace(one, origin=Origin.CARRIED) for one in last.quantities if one.role != "change")
        return Claim(replace(_said(last, sheet), quantities=(*kept, moved)), 0.95)
    if is_named:
        return Claim(caused(sheet, last), 0.95) if asks_why(sheet, last.subjects) else None
    if last.answerer == "finance.extreme" and (sheet.says(_FROM_THERE) or _asks_when(sheet)):
        return Claim(_said(last, sheet), 0.96)
    if (earlier := _before(sheet, last)) is not None:
        return Claim(earlier, 0.96)
    if last.answerer == "finance.level" and asks_growth(sheet, last):
        apart = _quarters_apart(last, former)
        late = former if former is not None and apart in {-1, -4} else last
        notes = {name: value for name, value in late.notes.items() if name != "year"}
        notes["span"] = "qoq" if abs(apart) == 1 else "yoy"
        return Claim(replace(_said(last, sheet), form=AskForm.CHANGE, notes=notes, answerer="finance.change"), 0.96)
    return Claim(caused(sheet, last), 0.95) if asks_why(sheet, last.subjects) else None


def _quarters_apart(last: Ask, former: Ask | None) -> int:
    """Return how many quarters the last ask is behind the one before it; nothing where both are not of the same accounts."""
    if former is None or (former.answerer, former.measures) != (last.answerer, last.measures):
        return 0
    if {one.value for one in former.subjects} != {one.value for one in last.subjects}:
        return 0
    quarters = [one.notes.get("quarter", "") for one in (former, last)]
    if not all(len(one) == _QUARTER_CHARS for one in quarters):
        return 0
    first, then = (int(one[:4]) * 4 + int(one[-1]) for one in quarters)
    return then - first


_QUARTER_CHARS: Final = len("2026Q1")
_WHEN_THAT: Final = r"언제|며칠|몇\s?월|\bwhen\b|\b(?:what|which) (?:day|date|month)\b"


def _asks_when(sheet: Sheet) -> bool:
    """Tell whether a message asks only when it was what was told: "그게 언제였어?"; the day stands in that answer."""
    return sheet.says(_WHEN_THAT) and short(sheet.text, _FEW) and not (measures_named(sheet) or sheet.periods)


_FEW: Final = 6


def _said(last: Ask, sheet: Sheet) -> Ask:
    """Return the last ask in the words of a message."""
    return replace(last, words=sheet.text, start=0, end=len(sheet.text))


def in_currency(sheet: Sheet, last: Ask) -> Ask | None:
    """Return a sum that was told, in the other currency: "원화로는?" after a market capitalisation in dollars."""
    currency = currency_wanted(sheet)
    foreign = bool(currency) and any(one.value.startswith(FOREIGN[currency]) for one in last.subjects)
    sums = any(BY_ID[one].unit == "money" for one in last.measures if one in BY_ID)
    if last.answerer not in {"finance.level", "finance.worth"} or not (foreign and sums) or measures_named(sheet)[1:]:
        return None
    return replace(_said(last, sheet), notes={**last.notes, "in": currency})


_SHARE: Final = r"(?:의|에)\s?몇\s?(?:%|퍼센트|프로|퍼)|(?:what|how many) (?:percent|percentage|share) of"
_TIMES: Final = rf"{_SHARE}|몇\s?배|how many times|times (?:as|larger|bigger|higher|more)"


def as_ratio(sheet: Sheet, last: Ask, shares: Sequence[Entity]) -> Ask | None:
    """Return how many times one of two is the other by what was told of them: "그럼 삼전의 몇 배야?"; None where not asked.

    Args:
        sheet: The message.
        last: The last ask.
        shares: The shares that the message names.
    """
    held = [replace(one, start=0, end=0) for one in last.subjects if one.kind == "security"]
    held = [one for one in held if one.value not in {it.value for it in shares}]
    both = (*held, *shares) if len(held) == 1 or not shares else ()
    if len(both) != PAIR or len(last.measures) != 1 or last.measures == ("return",) or not sheet.says(_TIMES):
        return None
    if last.answerer not in {"finance.level", "finance.compare"} or any(
        BY_ID[one].unit == "times" for one in measures_named(sheet)
    ):
        return None
    made = replace(_said(last, sheet), form=AskForm.COMPARE, answerer="finance.compare", subjects=tuple(both))
    return replace(
        made,
        intent=intent_of(AskForm.COMPARE, "compare", both),
        notes={**last.notes, "ratio": "percent" if sheet.says(_SHARE) else "1"},
    )


def _before(sheet: Sheet, last: Ask) -> Ask | None:
    """Return the last ask of the time before the one that it was of; None where a message names no such time."""
    of_newest = _is_of_books(last) and last.notes.get("quarter", "") in {"", LAST_QUARTER} and "year" not in last.notes
    match = sheet.find(_BEFORE) or sheet.find(_BEFORE_ALONE) or (sheet.find(_LAST_AGAIN) if of_newest else None)
    if match is None or last.answerer not in {"finance.level", "finance.change", "finance.beat"}:
        return None
    unit = _UNITS.get(next((one for one in match.groups() if one), "").lower(), "")
    accounts = _is_of_books(last) or last.answerer == "finance.beat"
    if last.answerer == "finance.level" and accounts and sheet.says(_AGAINST):
        # Held against the time before, not asked of it.
        span = "yoy" if unit == "year" else "qoq"
        made = replace(_said(last, sheet), form=AskForm.CHANGE, answerer="finance.change", end_date="")
        return replace(made, notes={**{name: one for name, one in last.notes.items() if name != "year"}, "span": span})
    if accounts:
        notes = _books_before(last.notes, unit)
        return None if notes is None else replace(_said(last, sheet), notes=notes)
    if last.answerer == "finance.change":
        return _change_before(_said(last, sheet), unit)
    if _is_monthly(last):
        return _months_before(_said(last, sheet), unit or "month")
    return _level_before(_said(last, sheet), unit)


def _is_of_books(last: Ask) -> bool:
    """Tell whether an ask is of accounts of a quarter or a year, whatever the share's price."""
    return bool(last.measures) and all(BY_ID[one].items and not BY_ID[one].priced for one in last.measures)


def _books_before(notes: Mapping[str, str], unit: str) -> dict[str, str] | None:
    """Return the notes of accounts of the quarter, or of the year, before."""
    year, quarter = notes.get("year", ""), notes.get("quarter", "") or LAST_QUARTER
    if "through" in notes:
        return None
    if year:
        return {**notes, "year": str(int(year) - 1)} if unit in {"", "year"} else None
    if unit not in {"", "quarter", "year"}:
        return None
    back = 4 if unit == "year" else 1
    if quarter.startswith(LAST_QUARTER):
        gone = int(quarter.removeprefix(LAST_QUARTER).removeprefix("-") or 0)
        return {**notes, "quarter": f"{LAST_QUARTER}-{gone + back}"}
    index = int(quarter[:4]) * 4 + int(quarter[-1]) - 1 - back
    return {**notes, "quarter": f"{index // 4}Q{index % 4 + 1}"}


def _is_monthly(ask: Ask) -> bool:
    own = [one.value for one in ask.subjects if one.value in SERIES]
    return bool(own) and not any(SERIES[one].daily for one in own)


def _months_before(last: Ask, unit: str) -> Ask | None:
    """Return the level of monthly series so many months before the one told."""
    if unit not in _MONTHS:
        return None
    back = _MONTHS[unit]
    if not last.end_date:
        return replace(last, notes={**last.notes, "ago": str(int(last.notes.get("ago", "0")) + back)})
    first = months_before(date.fromisoformat(last.end_date).replace(day=1), back)
    end = months_before(first, -1) - timedelta(days=1)
    return replace(last, start_date=first.isoformat(), end_date=end.isoformat())


def _level_before(last: Ask, unit: str) -> Ask | None:
    """Return the level of what has a value each day, a day, week, month or year before the one told."""
    day = date.fromisoformat(last.end_date or last.notes["today"])
    if unit in {"day", "week"}:
        end = market_day(day - timedelta(days=1 if unit == "day" else 7))
    elif unit in _MONTHS:
        end = months_before(day, _MONTHS[unit])
    else:
        return None
    return replace(last, start_date=(end - timedelta(days=13)).isoformat(), end_date=end.isoformat())


def _change_before(last: Ask, unit: str) -> Ask | None:
    """Return the change over the time of the same length before: the month before this one."""
    span = last.notes.get("span", "")
    own = {"month": "month", "week": "week", "ytd": "year", "year_end": "year"}.get(span, "")
    if not last.against_date or span not in {"month", "week", "ytd", "year_end", "period"}:
        return None
    base = date.fromisoformat(last.against_date)
    unit = unit or own or _length(base, last.end_date)
    if unit == "week":
        first = base - timedelta(days=7)
    elif unit in _MONTHS:
        # A month begins with the last value before it, so the day after its base is a first of the month.
        first = months_before(base + timedelta(days=1), _MONTHS[unit]) - timedelta(days=1)
    else:
        return None
    notes = {**last.notes, "span": "period"}
    return replace(last, against_date=first.isoformat(), end_date=base.isoformat(), notes=notes)


def _length(base: date, end: str) -> str:
    """Return the unit that a time is as long as; empty for another length."""
    last = date.fromisoformat(end) + timedelta(days=1)
    first = base + timedelta(days=1)
    months = (last.year - first.year) * 12 + last.month - first.month
    if last - first == timedelta(days=7):
        return "week"
    return next((unit for unit, count in _MONTHS.items() if count == months and last.day == first.day), "")


def asks_why(sheet: Sheet, subjects: Sequence[Entity]) -> bool:
    """Tell whether a message asks why the things moved that were told of, and asks no other measures of them."""
    return sheet.says(_WHY) and bool(subjects) and not measures_named(sheet)[1:]


def caused(sheet: Sheet, last: Ask) -> Ask:
    """Return the question why the subject of the last ask moved, over the same time."""
    fell, rose = sheet.says(FALL), sheet.says(RISE)
    way = {"way": "down" if fell else "up"} if fell or rose else {}
    kept = {name: value for name, value in last.notes.items() if name in {"today", "span", "months", "days"}}
    is_share = any(one.kind == "security" for one in last.subjects)
    base, notes = last.against_date, {**kept, **way}
    if "span" not in notes:
        notes["span"] = "day" if is_share else "ytd"
        base = "" if is_share else f"{int(notes['today'][:4]) - 1}-12-31"
    subjects = tuple(replace(one, start=0, end=0) for one in last.subjects[:2])
    return Ask(
        words=sheet.text, end=len(sheet.text), form=AskForm.CAUSE, subjects=subjects, against_date=base, end_date=last.end_date if notes["span"] == "period" else "",
        answerer="finance.cause", intent=intent_of(AskForm.CAUSE, "cause", subjects), notes=notes,
    )  # fmt: skip
