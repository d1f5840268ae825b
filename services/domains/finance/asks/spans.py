"""Which days a question means: the day of a level, and the two ends of a change.

올해, YTD, 작년 말 대비      from the last value before the year
이번 달, this week           from the last value before it
최근 n개월, 1-year           from the value at or before the same day n months ago
전년 대비, year on year      the same day or month a year before: a comparison, never a period
since M                      from M's own value; "8월 말" is the last of it
작년에, in Q3                from the last value before the period to its last
어제, on Friday              the trading day against the one before
"""

import calendar
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import pairwise
from typing import Final

from services.contract.asks import Ask
from services.domains.finance.asks.moments import month_end, month_start, two_ends, weekday_from
from services.plugin.asks.forms import ACROSS_TIMES, WAS_AT
from services.plugin.asks.sheet import Sheet
from services.plugin.entities import PERIOD, days
from services.text.patterns import Pattern

_COUNTS: Final = {
    "한": 1, "일": 1, "두": 2, "이": 2, "세": 3, "석": 3, "삼": 3, "네": 4, "넉": 4, "다섯": 5, "여섯": 6, "육": 6, "열": 10, "a": 1, "an": 1, "one": 1,
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "twenty": 20,
}  # fmt: skip
_NUMBER_KO: Final = r"(?P<n>\d{1,2}|한|두|세|석|네|넉|다섯|여섯|육|삼|열|일(?=주|\s?년))"
_BACK: Final = (
    ("half", Pattern(r"반\s?년|상반기\s?동안|half (?:a )?year|six-month", re.IGNORECASE)),
    ("months", Pattern(rf"{_NUMBER_KO}\s?(?:개월|달(?!러))")),
    ("years", Pattern(rf"(?<![\d.])(?<!20)(?<!19){_NUMBER_KO}\s?년(?!물|\s?만기|\s?국채|\s?\d|도|에\s?[0-9])")),
    ("weeks", Pattern(rf"{_NUMBER_KO}\s?주(?:일|간|\s?(?=신고가|신저가|최고|최저|고점|저점))(?!식)")),
    ("few", Pattern(r"요\s?며칠|며칠(?:간|\s?(?:새|사이|동안))|(?:the |these )?(?:past|last) few days|in recent days", re.IGNORECASE)),
    ("days", Pattern(r"(?P<n>\d{1,3})\s?(?:거래)?일\s?(?:간|동안|새|만에|전)")),
    ("quarter", Pattern(r"한\s?분기\s?(?:동안|새)|over (?:the )?(?:past|last) quarter", re.IGNORECASE)),
    (
        "english",
        Pattern(
            r"(?:(?:past|last|previous|over|in|for|the|a|an)\s)*\b(?P<n>\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|twelve)[\s-]"
            r"(?P<unit>day|week|month|year)s?\b(?!\s?(?:treasur|yield|note|bond|breakeven|minus|inflation|and\s\d+-year))",
            re.IGNORECASE,
        ),
    ),
    ("whole", Pattern(r"\b(?:the|over)\s(?:past|last)\s(?P<unit>week|month|year)\b(?!\s?end)|\ba (?P<unit2>week|month|year) (?:ago|earlier|back)|\bover (?:a|one) (?P<unit4>week|month|year)\b"
        r"|^\W*(?:(?:and|so|then|ok|what about|how about|over|for|make it)\s)*(?:a|one) (?P<unit3>week|month|year)\W*$", re.IGNORECASE)),
    ("past_ko", Pattern(r"지난\s?(?P<unit>1?년|한\s?해|한\s?달)\s?(?:간|동안)")),
)  # fmt: skip
_YTD: Final = Pattern(
    r"올해|올\s?들어|연초|금년|year[- ]to[- ]date|\bYTD\b|this year|(?:작년|지난해|전년)\s?(?:연?말|마지막|종가|12월\s?31일)|연말\s?대비"
    r"|(?:the )?(?:end|close|last day) of (?:last year|2025)|last year[’']?s? (?:end|clos(?:e|ing))|new year|since (?:the )?(?:start|beginning) of the year",
    re.IGNORECASE,
)
_LAST_END: Final = Pattern(
    r"(?:작년|지난해|전년)\s?(?:연?말|마지막|종가|12월\s?31일)|연말\s?대비|(?:the )?(?:end|close|last day) of (?:last year|the year before last)|last year[’']?s? (?:end|clos(?:e|ing))",
    re.IGNORECASE,
)
_MTD: Final = Pattern(r"이번\s?달|이달|금월|this month|month[- ]to[- ]date", re.IGNORECASE)
_WTD: Final = Pattern(r"이번\s?주(?!식)|금주|this week", re.IGNORECASE)
_YOY: Final = Pattern(
    r"(?:전년|작년|지난해|1년\s?전|일년\s?전)\s?(?:동기|동월|같은|이맘[때땐]|이때)?\s?(?:\d{1,2}월|[1-4]?\s?분기|기간|달|때)?(?:에|과|와|랑|이랑|하고)?\s?(?:대비|보다|비해|비교|같은)|작년\s?이맘[때땐]|전년\s?동기|전년비|[1일]년\s?전"
    r"|year[- ](?:on|over)[- ]year|\byoy\b|(?:a|one) year (?:ago|earlier|before)|same (?:quarter|period|month) (?:of )?(?:last year|a year (?:ago|before|earlier))|(?:from|than|versus|against|compared (?:with|to)) (?:a year ago|last year)(?!['’]?s? (?:end|clos))",
    re.IGNORECASE,
)
_MOM: Final = Pattern(
    r"(?:전월|(?:지난|저번|그\s?전|바로\s?전)\s?달)\s?(?:대비|보다|에\s?비[해교하]|(?:이?랑|하고|과|와)\s?(?:비교|차이|견주))|(?:지난|저번)\s?달\s?(?:차이|비교)"
    r"|month[- ](?:on|over)[- ]month|\bmom\b|(?:than|against|from|over|versus|vs|with|to) (?:the )?(?:last month|(?:previous|prior|preceding) month|month before)",
    re.IGNORECASE,
)
_QOQ: Final = Pattern(
    r"(?:전|지난|저번|앞)\s?분기\s?(?:대비|보다|에\s?비[해교하]|(?:이?랑|하고|과|와)\s?(?:비교|차이|견주))|직전\s?분기"
    r"|quarter[- ](?:on|over)[- ]quarter|\bqoq\b"
    r"|(?:than|against|from|over|versus|vs|with|to) (?:the )?(?:last quarter|(?:previous|prior|preceding) quarter|quarter before)",
    re.IGNORECASE,
)
_DAY: Final = Pattern(
    r"오늘|어제|그제|하루|전일|전날|(?:마지막|직전|최근)\s?거래일|간밤|어젯밤|[월화수목금]요일|last (?:trading )?(?:day|session)|yesterday|\btoday\b|(?:on|last|this) (?:mon|tues|wednes|thurs|fri)day|day before|overnight",
    re.IGNORECASE,
)
_BOUGHT: Final = Pattern(
    r"(?<![가-힣])(?:사\s?(?:둔|뒀|놓|놨)|산\s|샀|구입|매수|담[은았]|넣[은었]|들어간|들어갔)|\b(?:bought|purchased|invested)\b",
    re.IGNORECASE,
)
"""A purchase, whose day is where a return begins."""
_SINCE: Final = Pattern(
    r"이후|부터|이래|\bsince\b|\b(?:from|between)\s[^,.?!]{2,23}?\s(?:to|and|until|till)\s(?:now|today|the present)\b",
    re.IGNORECASE,
)
_QUARTER: Final = Pattern(
    r"(?:(?P<year>20\d\d)년?\s?|(?P<last>작년|지난해|전년)\s?|(?P<this>올해|금년)\s?)?(?:제\s?)?(?P<q>[1-4])\s?(?:/4)?\s?분기(?!\s?(?:배당|합|연속|동안|치))"
    r"|(?P<last2>last year['’]?s\s)?(?:\bQ(?P<q2>[1-4])|\b(?P<word>first|second|third|fourth) quarter)(?:,?\s(?:of\s|in\s)?(?P<year2>20\d\d|last year))?\b",
    re.IGNORECASE,
)  # fmt: skip
_YEARS_SAID: Final = ("year", "last", "this", "last2", "year2")
"""The groups of a quarter that say its year."""
_WORDS: Final = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_TODAY: Final = Pattern(r"지금|현재|now\b|current|최신|최근값", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Span:
    """The two ends of a change."""

    kind: str
    """ytd, period, back, since, yoy, mom, qoq, day."""
    base: str
    """The day whose value at or before it is the first end; ISO 8601."""
    end: str = ""
    """The day whose value at or before it is the last end; the newest where empty."""
    months: int = 0
    """Of a span back: how many months."""
    days: int = 0
    """Of a span back that is counted in days or weeks: how many days."""

    def noted(self, notes: Mapping[str, str]) -> dict[str, str]:
        """Return an ask's notes with this span in the place of an earlier one."""
        counts = {"months": self.months, "days": self.days}
        rest = {name: value for name, value in notes.items() if name not in counts}
        return {**rest, "span": self.kind, **{name: str(count) for name, count in counts.items() if count}}


def market_day(day: date) -> date:
    """Return the last weekday at or before a day."""
    return day - timedelta(days=max(0, day.weekday() - 4))


def months_before(day: date, months: int) -> date:
    """Return the same day so many months before, the month's last where it has none."""
    index = day.year * 12 + day.month - 1 - months
    year, month = index // 12, index % 12 + 1
    return date(year, month, min(day.day, calendar.monthrange(year, month)[1]))


def span_of(sheet: Sheet) -> Span | None:  # noqa: C901, PLR0911 - the first that fits, in this order
    """Return the ends of the change that a question is about; None where it names none."""
    text, today = sheet.text, market_day(sheet.today)
    if _YOY.search(text):
        return Span("yoy", months_before(today, 12).isoformat(), months=12)
    if _MOM.search(text):
        return Span("mom", months_before(today, 1).isoformat(), months=1)
    if _QOQ.search(text):
        return Span("qoq", months_before(today, 3).isoformat(), months=3)
    if (ends := two_ends(sheet)) is not None:
        return Span("period", ends[0].isoformat(), ends[1].isoformat())
    if since := _since(sheet):
        return since
    if _YTD.search(text):
        kind = "year_end" if _LAST_END.search(text) else "ytd"
        return Span(kind, date(sheet.today.year - 1, 12, 31).isoformat())
    if _MTD.search(text):
        return Span("month", (today.replace(day=1) - timedelta(days=1)).isoformat())
    if _WTD.search(text):
        return Span("week", (today - timedelta(days=today.weekday() + 1)).isoformat())
    whole = next((one for one in sheet.periods if one[0] < one[1] < sheet.today), None)
    if whole is not None and _WHOLE_MONTH.search(text):
        return Span("period", (whole[0] - timedelta(days=1)).isoformat(), whole[1].isoformat())
    if back := _back(text, today):
        return back
    if _DAY.search(text):
        named = next((start for start, end, _ in sheet.periods if start == end <= sheet.today), today)
        return Span("day", "", "" if market_day(named) >= today else market_day(named).isoformat())
    past = next((one for one in sheet.periods if one[0] < one[1] < sheet.today), None)
    if past is not None:
        return Span("period", (past[0] - timedelta(days=1)).isoformat(), past[1].isoformat())
    return None


def _since(sheet: Sheet) -> Span | None:
    if _BOUGHT.search(sheet.text) and (bought := _bought(sheet)):
        return bought
    named = month_end(sheet) or month_start(sheet)
    if named is not None and named < sheet.today and sheet.says(f"{_SINCE.pattern}|{_HELD_TO}"):
        return Span("since", named.isoformat())
    if (held := _held_against(sheet)) is not None:
        return Span("since", held.isoformat())
    if not _SINCE.search(sheet.text) or _LAST_END.search(sheet.text):
        # "Since the end of last year" begins where that year ends.
        return None
    period = next(iter(sheet.periods), None)
    if period is None or period[0] >= sheet.today or _YTD.search(period[2]):
        return None
    return Span("since_own", weekday_from(period[0]).isoformat())


_HELD_TO: Final = r"(?:말|초)\s?(?:보다|대비|에\s?비(?:해|하면|교)|이?랑|하고|과)|\b(?:versus|vs|against|from|than|compared (?:with|to))\b"
"""Words that hold what is now against the end or the beginning of a month."""
_BEHIND: Final = Pattern(r"['’]?s?\s?(?:보다|에\s?비[해하교]|대비|(?:이?랑|하고|과|와)\s?비교)")
_AHEAD: Final = Pattern(
    r"(?:\bthan|\bversus|\bvs\.?|\bagainst|\bcompared (?:to|with))\s(?:in\s|the\s)*$", re.IGNORECASE
)


def _held_against(sheet: Sheet) -> date | None:
    """Return the last day of a time that is over and what is now is held against: "작년 봄보다", "than last summer"."""
    for one in sheet.of_kind(PERIOD):
        first, last = days(one) if one.value and one.end else (sheet.today, sheet.today)
        if first < last < sheet.today and (_BEHIND.match(sheet.text, one.end) or _AHEAD.before(sheet.text, one.start)):
            return last
    return None


def _bought(sheet: Sheet) -> Span | None:
    """Return the time since a purchase: from its day, of a month or a year without one from its last day."""
    named = month_end(sheet) or month_start(sheet)
    if named is not None and named < sheet.today:
        return Span("since", named.isoformat())
    if _YTD.search(sheet.text):
        return None
    bought = next(((start, end) for start, end, _ in sheet.periods if start < sheet.today), None)
    return Span("since", min(bought[1], sheet.today).isoformat()) if bought is not None else None


def _back(text: str, today: date) -> Span | None:
    for name, pattern in _BACK:
        match = pattern.search(text)
        if match is None:
            continue
        found = match.groupdict()
        count = _count(found.get("n") or "")
        unit = (found.get("unit") or found.get("unit2") or found.get("unit3") or found.get("unit4") or name).lower()
        if name == "past_ko":
            unit = "month" if "달" in unit else "year"
        months = {"half": 6, "months": count, "years": count * 12, "quarter": 3, "month": count, "year": count * 12}
        if unit in months:
            return Span("back", months_before(today, months[unit]).isoformat(), months=months[unit])
        days = count * (7 if unit in {"weeks", "week", "few"} else 1)
        return Span("back", (today - timedelta(days=days)).isoformat(), days=days)
    return None


def _count(words: str) -> int:
    return int(words) if words.isdigit() else _COUNTS.get(words.lower(), 1)


_WHOLE_MONTH: Final = Pattern(r"\d{1,2}월\s?(?:한\s?달|한달|달)")
_DAYS_AGO: Final = Pattern(
    r"(?P<word>이틀|사흘|나흘|닷새|엿새|열흘|보름)\s?전|(?P<n>\d{1,3})\s?일\s?전|(?P<en>\d{1,3}|two|three|four|five|six|ten) days ago",
    re.IGNORECASE,
)
_KOREAN_DAYS: Final = {"이틀": 2, "사흘": 3, "나흘": 4, "닷새": 5, "엿새": 6, "열흘": 10, "보름": 15}


def _days_ago(sheet: Sheet) -> str:
    match = _DAYS_AGO.search(sheet.text)
    if match is None:
        return ""
    count = _KOREAN_DAYS.get(match["word"] or "") or _count(match["n"] or match["en"] or "1")
    return (sheet.today - timedelta(days=count)).isoformat()


def asks_past_level(sheet: Sheet) -> bool:
    """Tell whether what something was at a past time is asked, and nothing is held against it: "작년 이맘때 얼마였어"."""
    return sheet.says(WAS_AT) and not sheet.says(ACROSS_TIMES)


def level_day(sheet: Sheet) -> tuple[str, str]:
    """Return the days within which a level is asked, first and last; both empty for the newest.

    The last value within them is meant; of a year's end the last before it.
    """
    if match := _LAST_END.search(sheet.text):
        two_back = (match.start() > 0 and sheet.text[match.start() - 1] == "재") or "before last" in match.group()
        last = date(sheet.today.year - (2 if two_back else 1), 12, 31)
        return (last - timedelta(days=13)).isoformat(), last.isoformat()
    if ago := _days_ago(sheet):
        return ago, ago
    if (end := month_end(sheet)) is not None and end < sheet.today:
        return (end - timedelta(days=13)).isoformat(), end.isoformat()
    if (first := month_start(sheet)) is not None and first <= sheet.today:
        return first.isoformat(), first.isoformat()
    for start, end, words in sheet.periods:
        if start <= sheet.today and (end < sheet.today or start == end) and not _TODAY.search(words):
            return start.isoformat(), min(end, sheet.today).isoformat()
    return "", ""


def quarter_of(sheet: Sheet) -> str:
    """Return the fiscal quarter that is named, "2026Q3"; the latest of that number where no year is; empty for none."""
    match = _QUARTER.search(sheet.text)
    if match is None:
        if re.search(
            r"전전\s?분기|지지난\s?분기|quarter before last|two quarters (?:ago|back)", sheet.text, re.IGNORECASE
        ):
            return "last-1"
        if re.search(r"지난\s?분기|직전\s?분기|last quarter|previous quarter", sheet.text, re.IGNORECASE):
            return "last"
        return ""
    number = int(match["q"] or match["q2"] or _WORDS[(match["word"] or "first").lower()])
    said = (match["year"] or match["year2"] or "").lower()
    if match["last"] or match["last2"] or said == "last year":
        year = sheet.today.year - 1
    elif said:
        year = int(said)
    else:
        year = sheet.today.year if number * 3 < sheet.today.month else sheet.today.year - (0 if match["this"] else 1)
    return f"{year}Q{number}"


def quarters_each(sheet: Sheet) -> tuple[str, ...]:
    """Return the quarters that are asked of one by one, "2분기랑 3분기 각각"; none where fewer than two are."""
    hits = list(_QUARTER.finditer(sheet.text))
    between = (sheet.text[one.end() : other.start()] for one, other in pairwise(hits))
    if len(hits) <= 1 or not all(_JOINED.fullmatch(gap) for gap in between) or _TOGETHER.search(sheet.text):
        return ()
    said = [quarter_of(replace(sheet, text=hit.group())) for hit in hits]
    # "2025년 2분기랑 3분기": a year said once is that of all.
    dated = [any(hit[name] for name in _YEARS_SAID) for hit in hits]
    year = said[dated.index(True)][:4] if sum(dated) == 1 else ""
    return tuple(dict.fromkeys(f"{year or one[:4]}{one[4:]}" for one in said))


_JOINED: Final = Pattern(r"\s?(?:이?랑|하고|과|와|및|,|&|and|그리고)\s?(?:the\s)?", re.IGNORECASE)
_TOGETHER: Final = Pattern(r"합|더하|더한|총|\btotal|\bcombined|\btogether|\bsum\b|\bbetween\b|\bfrom\b", re.IGNORECASE)


def quarters_of(sheet: Sheet) -> tuple[str, str] | None:
    """Return the first and last of several quarters that are meant together, "2026Q1" to "2026Q3"; None for none."""
    if (half := _HALF.search(sheet.text)) is not None:
        said = half["year"] or half["year2"] or ""
        back = 1 if half["last"] or half["last2"] else 0
        first = 1 if half["first"] or half["first2"] else 3
        year = int(said) if said else sheet.today.year - back
        if not said and not back and first * 3 > sheet.today.month:
            year -= 1
        return f"{year}Q{first}", f"{year}Q{first + 1}"
    hits = list(_QUARTER.finditer(sheet.text))
    if quarters_each(sheet):
        return None
    if len(hits) != len(("first", "last")) or not _THROUGH.search(sheet.text[hits[0].end() : hits[1].start()]):
        return None
    first_said, last_said = (quarter_of(replace(sheet, text=hit.group())) for hit in hits)
    if not any(hits[1][name] for name in _YEARS_SAID):
        # "작년 1분기부터 3분기까지": a year said once is that of both.
        last_said = f"{first_said[:4]}Q{last_said[-1]}"
    return (first_said, last_said) if first_said < last_said else None


_HALF: Final = Pattern(
    r"(?:(?P<year>20\d\d)년?\s?|(?P<last>작년|지난해|전년)\s?|(?:올해|금년)\s?)?(?:(?P<first>상)|하)반기(?!\s?(?:동안|최고|최저))"
    r"|(?:(?P<first2>first)|second) half(?: of (?:(?P<year2>20\d\d)|(?P<last2>last year)|this year))?",
    re.IGNORECASE,
)
_THROUGH: Final = Pattern(r"부터|에서|~|-|–|\b(?:to|through|until|till|and)\b", re.IGNORECASE)
_NEW_DAYS_MAX: Final = 7
"""A time that began so few days ago may have had no trading day yet."""


def earlier_ends(ask: Ask) -> tuple[str, ...]:
    """Return the base of the time before one that has hardly begun: the month before "this month" on its first days."""
    span, base = ask.notes.get("span", ""), ask.against_date
    if span not in {"month", "week", "ytd"} or ask.end_date or not base:
        return ()
    last = date.fromisoformat(base)
    if (date.fromisoformat(ask.notes["today"]) - last).days > _NEW_DAYS_MAX:
        return ()
    if span == "week":
        return ((last - timedelta(days=7)).isoformat(),)
    first = last.replace(day=1) if span == "month" else date(last.year, 1, 1)
    return ((first - timedelta(days=1)).isoformat(),)
