"""Date expressions of English, and dates in figures, which both languages write alike."""

import functools
import re
from collections.abc import Callable, Iterator
from re import Match

from services.text import calendar
from services.text.calendar import Span
from services.text.date_atoms import Atom, Clock, fixed, nearest, rolling, season, weekday, weekday_after
from services.text.numbers import approximate
from services.text.numbers.numerals import ENGLISH_NUMBERS
from services.text.patterns import Pattern
from services.text.speech import any_of

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_SEASONS = ("spring", "summer", "autumn", "winter")
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_ORDINALS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "last": 0}
_OFFSETS = {"this": 0, "current": 0, "last": -1, "previous": -1, "past": -1, "prior": -1, "next": 1, "coming": 1}
_OFFSETS |= {"upcoming": 1, "following": 1}

# "May" and "March" are ordinary words too: these want a capital, or a year or a word of time beside them.
_MONTH = (
    r"(?P<month>Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?"
    r"|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\.?(?![a-z])"
)
_RELATIVE = r"(?:this|last|previous|next|coming|current)"
_NO_SUM = r"(?![0-9]|\s?(?:million|billion|trillion|thousand|bn|mn)\b)"
"""A sum is no year: "2010 million won"."""
_YEAR = (
    rf"(?:(?P<year>(?:19|20)[0-9]{{2}}){_NO_SUM}"
    r"|(?P<year_word>[Tt]his|[Ll]ast|[Pp]revious|[Nn]ext)\s[Yy]ear(?:'s)?)"
)
_OF_YEAR = rf"(?:,?\s?(?:of\s|in\s)?{_YEAR})"
_COUNT = r"(?P<count>[0-9]{1,4}|" + "|".join(sorted(ENGLISH_NUMBERS, key=len, reverse=True)) + r"|an?|couple of|half a)"
_UNIT = r"(?P<unit>day|week|month|quarter|year)s?"
_DAY = r"(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?"

_SERIES = "trend|chart|history|change|movement|performance|prices?|graph"
# "for 2024 units" counts something and names no year.
_PLAIN_YEAR = (
    r"(?P<year>(?:19|20)[0-9]{2})(?![0-9,.]*[0-9]|\s?(?:won|krw|KRW|million|billion|trillion|thousand|bn|mn|[a-z]+s\b))"
)

_NO_DECLINE = r"(?!\s(?:in|by|to|below|from|was|lasted)\b)"
"""Behind "last fall": it is the season, and no decline."""
_MONTHLY = ("data", "report", "reports", "reading", "readings")

_Build = Callable[[Match[str], Clock], Atom]


def _words(pattern: str) -> Pattern:
    return Pattern(rf"(?<![A-Za-z0-9])(?:{pattern})(?![A-Za-z0-9])", re.IGNORECASE)


def _cased(pattern: str) -> Pattern:
    return Pattern(rf"(?<![A-Za-z0-9])(?:{pattern})(?![A-Za-z0-9])")


def _figures(pattern: str) -> Pattern:
    return Pattern(rf"(?<![0-9A-Za-z./-])(?:{pattern})(?![0-9/]|[.-][0-9])")


def _atom(match: Match[str], span: Span) -> Atom:
    return Atom(match.start(), match.end(), fixed(span))


def _year_of(match: Match[str], clock: Clock) -> int | None:
    groups = match.groupdict()
    if groups.get("year"):
        year = int(groups["year"])
        return year if year >= 100 else 2000 + year
    if groups.get("year_word"):
        return clock.today.year + _OFFSETS[groups["year_word"].lower()]
    return None


def _dated(match: Match[str], clock: Clock, build: Callable[[int], Span]) -> Atom:
    year = _year_of(match, clock)
    if year is not None:
        return Atom(match.start(), match.end(), lambda _hint: build(year))
    start = match.start("at") if "at" in match.groupdict() else match.start()
    lead = (match.groupdict().get("lead") or "").lower()
    if lead:
        clock = Clock(clock.today, is_future=_OFFSETS[lead] > 0)
    return Atom(start, match.end(), nearest(clock, build), has_year=False)


def _day_word(match: Match[str], clock: Clock) -> Atom:
    days = {"today": 0, "tonight": 0, "yesterday": -1, "tomorrow": 1}
    word = match.group().lower()
    count = days.get(word, -2 if "yesterday" in word else 2)
    day = calendar.shift(clock.today, "day", count)
    return _atom(match, (day, day))


def _relative(match: Match[str], clock: Clock) -> Atom:
    offset, unit = _OFFSETS[match["lead"].lower()], match["unit"].lower()
    today = clock.today
    if unit == "weekend":
        monday, sunday = calendar.week_offset(today, offset)
        return _atom(match, (calendar.shift(monday, "day", 5), sunday))
    spans = {
        "week": lambda: calendar.week_offset(today, offset),
        "month": lambda: calendar.month_offset(today, offset),
        "quarter": lambda: calendar.quarter_offset(today, offset),
        "year": lambda: calendar.whole_year(today.year + offset),
    }
    return _atom(match, spans[unit]())


def _number(text: str) -> int:
    word = text.lower()
    if word.isdigit():
        return int(word)
    return {"a": 1, "an": 1, "couple of": 2, "half a": 0}.get(word) or ENGLISH_NUMBERS.get(word, 0)


def _counted(match: Match[str]) -> tuple[str, int]:
    unit, word = match["unit"].lower(), (match["count"] or "a").lower()
    if word == "half a":
        return ("month", 6) if unit == "year" else ("day", 15)
    return unit, _number(word)


def _from_now(match: Match[str], clock: Clock) -> Atom:
    unit, count = _counted(match)
    sign = -1 if match.group().lower().endswith(("ago", "earlier")) else 1

    def build(_year: int | None) -> Span:
        day = calendar.shift(clock.today, unit, sign * count)
        return day, day

    return Atom(match.start(), match.end(), build)


def _rolling(match: Match[str], clock: Clock) -> Atom:
    unit, count = _counted(match)
    sign = 1 if (match.groupdict().get("lead") or "past").lower() in {"next", "coming"} else -1
    return Atom(match.start(), match.end(), lambda _year: rolling(clock.today, unit, sign * count), is_range=True)


def _weekday(match: Match[str], clock: Clock) -> Atom:
    number, lead = _WEEKDAYS.index(match["weekday"].lower()), (match["lead"] or "").lower()
    if lead in {"last", "previous", "past"}:
        before = Clock(calendar.shift(clock.today, "day", -1), is_future=False)
        return _atom(match, weekday(before, number, None))
    if lead in {"this", "next"}:
        return _atom(match, weekday(clock, number, _OFFSETS[lead]))
    span = weekday(clock, number, None)
    return Atom(match.start(), match.end(), fixed(span), after=lambda start: weekday_after(start, number))


def _month_number(match: Match[str]) -> int:
    return _MONTHS.index(match["month"].lower()[:3]) + 1


def _month(match: Match[str], clock: Clock) -> Atom:
    number, groups = _month_number(match), match.groupdict()
    if groups.get("day"):
        day = int(groups["day"])
        return _dated(match, clock, lambda year: calendar.day(year, number, day))
    return _dated(match, clock, lambda year: calendar.month(year, number))


def _season(match: Match[str], clock: Clock) -> Atom:
    word, lead = match["season"].lower(), (match.groupdict().get("lead") or "").lower()
    number = _SEASONS.index("autumn" if word == "fall" else word)
    if lead:
        return _atom(match, season(clock, number, _OFFSETS[lead]))
    year = _year_of(match, clock)
    if year is not None:
        return _atom(match, calendar.season(year, number))
    near = nearest(clock, lambda one: calendar.season(one, number))
    return Atom(match.start("season"), match.end(), near, has_year=False)


def _quarter(match: Match[str], clock: Clock) -> Atom:
    word = match["quarter"].lower()
    number = int(word) if word.isdigit() else _ORDINALS[word] or 4
    return _dated(match, clock, lambda year: calendar.quarter(year, number))


def _half(match: Match[str], clock: Clock) -> Atom:
    word = match["half"].lower()
    number = int(word) if word.isdigit() else _ORDINALS[word]
    return _dated(match, clock, lambda year: calendar.half(year, number))


def _year_to_date(match: Match[str], clock: Clock) -> Atom:
    first = calendar.whole_year(clock.today.year)[0]
    return Atom(match.start(), match.end(), fixed((first, clock.today)), is_range=True)


def _year(match: Match[str], _clock: Clock) -> Atom:
    year = int(match["year"])
    return Atom(match.start("year"), match.end(), lambda _hint: calendar.whole_year(year))


def _full_date(match: Match[str], _clock: Clock) -> Atom:
    year, month, day = int(match["y"]), int(match["m"]), int(match["d"])
    return Atom(match.start(), match.end(), lambda _hint: calendar.day(year, month, day))


def _year_month(match: Match[str], _clock: Clock) -> Atom:
    year, month = int(match["y"]), int(match["m"] or match["n"])
    return Atom(match.start(), match.end(), lambda _hint: calendar.month(year, month))


def _month_day(match: Match[str], clock: Clock) -> Atom:
    month, day = int(match["m"]), int(match["d"])
    return _dated(match, clock, lambda year: calendar.day(year, month, day))


_RULES: tuple[tuple[Pattern, _Build], ...] = (
    (_figures(r"(?P<y>[0-9]{4})\s?[-./]\s?(?P<m>[0-9]{1,2})\s?[-./]\s?(?P<d>[0-9]{1,2})\.?"), _full_date),
    (_figures(r"(?P<y>(?:19|20)[0-9]{2})(?P<m>0[1-9]|1[0-2])(?P<d>0[1-9]|[12][0-9]|3[01])"), _full_date),
    (_figures(r"(?P<y>(?:19|20)[0-9]{2})(?:[./](?P<m>0[1-9]|1[0-2])|-(?P<n>[0-9]{2}))"), _year_month),
    (_figures(r"(?P<m>1[0-2]|0?[1-9])/(?P<d>3[01]|[12][0-9]|0?[1-9])"), _month_day),
    (_words("the day before yesterday|day before yesterday|the day after tomorrow|day after tomorrow"), _day_word),
    (_words("today|yesterday|tomorrow"), _day_word),
    (_words(rf"(?P<lead>{_RELATIVE[3:-1]})\s(?P<unit>weekend|week|month|quarter|year)(?:'s)?(?!\s?-)"), _relative),
    (_words(rf"{_COUNT}\s{_UNIT}\s(?:ago|earlier|from now|later)"), _from_now),
    (_words(rf"in\s{_COUNT}\s{_UNIT}(?!\s(?:ago|or))"), _from_now),
    (_words(rf"(?:the\s)?(?P<lead>last|past|previous|recent|trailing|next|coming)\s{_COUNT}[\s-]{_UNIT}"), _rolling),
    (_words(rf"(?:over|in|for|during|of)\sthe\s(?P<lead>past|trailing)\s(?P<count>)?{_UNIT}"), _rolling),
    (_words(rf"(?P<count>[0-9]{{1,3}})-(?P<unit>day|week|month|quarter|year)(?=\s[a-z -]*(?:{_SERIES}))"), _rolling),
    (
        _words(rf"(?:(?P<lead>last|previous|past|this|next)\s|on\s)?(?<!black\s)(?P<weekday>{'|'.join(_WEEKDAYS)})s?"),
        _weekday,
    ),
    (
        _cased(
            rf"(?:(?P<lead>[Ll]ast|[Nn]ext|[Tt]his|[Cc]oming)\s)?{_MONTH}\s{_DAY}{_OF_YEAR}?(?!\s?(?:million|billion|thousand|won|percent))"
        ),
        _month,
    ),
    (_cased(rf"(?:the\s)?{_DAY}\s(?:of\s)?{_MONTH}{_OF_YEAR}?"), _month),
    (_words(rf"{_MONTH}{_OF_YEAR}"), _month),
    (_words(rf"(?:since|in|during|until|between)\s(?P<at>{_MONTH})(?!\s[0-9]{{1,2}}(?![0-9]))"), _month),
    (_cased(rf"(?P<lead>[Ll]ast|[Nn]ext|[Tt]his|[Cc]oming|[Pp]revious)\s{_MONTH}"), _month),
    (
        _cased(
            rf"(?:[Ss]ince|[Ii]n|[Ff]or|[Ff]rom|of|[Uu]ntil|till|[Bb]y|[Bb]etween|and|to|[Dd]uring|through)\s(?P<at>{_MONTH})(?!\s[0-9]{{1,2}}(?![0-9]))"
        ),
        _month,
    ),
    (_words("(?P<month>January|February|April|June|July|August|September|October|November|December)"), _month),
    (_words(rf"(?:the\s)?Q(?P<quarter>[0-9]){_OF_YEAR}?"), _quarter),
    (_words(rf"{_YEAR}[\s-]?Q(?P<quarter>[0-9])"), _quarter),
    (_words(r"(?P<quarter>[1-4])Q\s?'?(?P<year>[0-9]{2,4})"), _quarter),
    (_words(rf"(?:the\s)?(?P<quarter>first|second|third|fourth|1st|2nd|3rd|4th)\squarter{_OF_YEAR}?"), _quarter),
    (_words(rf"{_YEAR}\s(?P<quarter>first|second|third|fourth)\squarter"), _quarter),
    (_words(rf"(?:the\s)?(?P<half>first|second|1st|2nd)\shalf{_OF_YEAR}?"), _half),
    (_words(rf"H(?P<half>[12]){_OF_YEAR}"), _half),
    (_words(rf"{_YEAR}[\s-]?H(?P<half>[12])"), _half),
    (_words(r"(?P<half>[12])H\s?'?(?P<year>[0-9]{2,4})"), _half),
    (_words(rf"(?:the\s)?(?P<lead>{_RELATIVE[3:-1]})\s(?P<season>spring|summer|autumn|winter)"), _season),
    (_words(rf"(?P<lead>last|previous|next)\s(?P<season>fall){_NO_DECLINE}"), _season),
    (_words(rf"(?:the\s)?(?P<season>spring|summer|autumn|winter)\s(?:of\s|in\s)?{_YEAR}"), _season),
    (_words(rf"(?:the|in|since)\s(?P<season>fall)\s(?:of\s)?{_YEAR}"), _season),
    (_words(r"(?:since|back\sin|over)\s(?:the\s)?(?P<season>spring|summer|autumn|winter)"), _season),
    (_words("year to date|YTD|so far this year"), _year_to_date),
    (_words(rf"(?:in|for|of|since|during|by|until|from|through|to|year)\s{_PLAIN_YEAR}"), _year),
)
_VAGUE = _words(
    r"soon|someday|some day|a while ago|the other day|(?:a few|several|some) (?:days|weeks|months|years) ago"
    r"|in (?:a few|several|some) (?:days|weeks|months|years)|one of these days|in the near future|sometime|eventually"
)
_ABOUT_SPAN = Pattern(
    rf"(?P<lead>\b(?:last|past|next|within|over)\s(?:the\s)?)?{approximate.ENGLISH}\s(?:days|weeks|months|quarters|years)\b"
    r"(?P<tail>\s(?:ago|from\snow|later|earlier))?",
    re.IGNORECASE,
)
_FUTURE = _words(
    r"will|going to|upcoming|coming|forecast|expect(?:ed)?|plan(?:ning)?|predict|project(?:ion)?|due|starting"
    rf"|deliver(?:ed|y)?|arrive|move in|ahead|outlook|by (?:{'|'.join(_WEEKDAYS)})"
)
_PAST = _words(r"since|was|were|did|has|have|had|why|changed|fell|dropped|rose|last|past")


def is_future(text: str) -> bool:
    """Tell whether the words of an English question look ahead."""
    return _FUTURE.search(text) is not None and _PAST.search(text) is None


def find(text: str, clock: Clock, monthly: tuple[str, ...] = ()) -> Iterator[Atom]:
    """Yield every expression that some rule reads; they may overlap, and the longest of those is the one meant.

    Args:
        text: The text.
        clock: The day of the question.
        monthly: What trades publish by the month: before it "March" and "May" are months.
    """
    for pattern, build in _RULES:
        for match in pattern.finditer(text):
            yield build(match, clock)
    for match in _published(monthly).finditer(text):
        yield _month(match, clock)


@functools.lru_cache(maxsize=8)
def _published(monthly: tuple[str, ...]) -> Pattern:
    return _cased(rf"(?P<month>March|May)(?=\s(?i:{any_of((*_MONTHLY, *monthly))})(?![A-Za-z]))")


def vague(text: str) -> Iterator[Match[str]]:
    """Yield the words that name a time without naming a day, and spans of about so long ("two or three weeks ago")."""
    yield from _VAGUE.finditer(text)
    for match in _ABOUT_SPAN.finditer(text):
        if match["lead"] or match["tail"] or match.group() == text:
            yield match
