"""Date expressions of Korean."""

from collections.abc import Callable, Iterator
from re import Match

from services.text import calendar
from services.text.calendar import Span
from services.text.date_atoms import (
    Atom,
    Clock,
    fixed,
    nearest,
    part_of_month,
    rolling,
    season,
    weekday,
    weekday_after,
)
from services.text.patterns import Pattern

_DAY_WORDS = {
    "오늘": 0,
    "금일": 0,
    "어제": -1,
    "어저께": -1,
    "그저께": -2,
    "그제": -2,
    "그끄저께": -3,
    "내일": 1,
    "명일": 1,
    "모레": 2,
    "내일모레": 2,
    "글피": 3,
}
_COUNT_WORDS = {
    "하루": ("day", 1),
    "이틀": ("day", 2),
    "사흘": ("day", 3),
    "나흘": ("day", 4),
    "닷새": ("day", 5),
    "엿새": ("day", 6),
    "이레": ("day", 7),
    "여드레": ("day", 8),
    "아흐레": ("day", 9),
    "열흘": ("day", 10),
    "보름": ("day", 15),
    "일주일": ("week", 1),
    "반년": ("month", 6),
    "일년": ("year", 1),
    "이년": ("year", 2),
    "삼년": ("year", 3),
    "오년": ("year", 5),
    "십년": ("year", 10),
}
_NATIVE = {"한": 1, "두": 2, "세": 3, "네": 4, "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9, "열": 10}
_NATIVE |= {"열한": 11, "열두": 12, "석": 3, "넉": 4}
"""Native numerals as they stand before a unit: "석 달", "열두 달", "두 해"."""
_COUNT_WORDS |= {
    f"{word}{unit}": (name, number)
    for word, number in _NATIVE.items()
    for unit, name in (("달", "month"), ("해", "year"), ("주", "week"), ("분기", "quarter"))
}
_MONTH_WORDS = {"일": 1, "이": 2, "삼": 3, "사": 4, "오": 5, "유": 6, "칠": 7, "팔": 8, "구": 9, "시": 10}
_MONTH_WORDS |= {"십일": 11, "십이": 12}
"""How months are spelled; "이월" means what is carried over as well, and is read where only a month can stand."""
_UNITS = {
    "일": "day",
    "주": "week",
    "주일": "week",
    "개월": "month",
    "달": "month",
    "분기": "quarter",
    "개분기": "quarter",
}
_UNITS |= {"년": "year", "개년": "year", "해": "year"}
_YEAR_WORDS = {"올해": 0, "금년": 0, "이번해": 0, "작년": -1, "지난해": -1, "전년": -1, "재작년": -2}
_YEAR_WORDS |= {"내년": 1, "다음해": 1, "내후년": 2, "후년": 2}
_OFFSETS = {
    "이번": 0,
    "요번": 0,
    "이": 0,
    "금": 0,
    "당": 0,
    "지난": -1,
    "저번": -1,
    "전": -1,
    "지지난": -2,
    "저저번": -2,
}
_OFFSETS |= {"다음": 1, "내": 1, "익": 1, "차": 1, "다다음": 2}
_OF_SEASONS = {"지지난": -2, "지난": -1, "저번": -1, "이번": 0, "올": 0}
"""How a season is told from others of its kind; any other word before it says that it is to come."""
_SEASONS = ("봄", "여름", "가을", "겨울")
_WEEKDAYS = "월화수목금토일"
_SINO = {mark: number for number, mark in enumerate("일이삼사", 1)}

YEAR = (
    r"(?:(?P<year_word>재작년|작년|지난\s?해(?![외물결지상산양운])|전년|올해|금년|이번\s?해|내후년|후년|내년|다음\s?해)"
    r"|(?P<year>[0-9]{4})\s?년(?:도(?![가-힣]))?|'?(?P<short_year>[0-9]{2})년(?=\s?(?:[상하]반기|[0-9]{1,2}\s?월|[1-4]\s?(?:/\s?4\s?)?분기)))"
)
"""A year as it is said, its groups `year_word`, `year` and `short_year`."""
_NATIVE_WORDS = "|".join(sorted(_NATIVE, key=len, reverse=True))
_SPAN = (
    r"(?:(?P<count>[0-9]{1,4})\s?(?P<unit>개월|개년|개\s?분기|주일|일|주|달|분기|년)"
    r"|(?P<count_word>하루|이틀|사흘|나흘|닷새|엿새|이레|여드레|아흐레|열흘|보름|일주일|반년"
    rf"|(?:{_NATIVE_WORDS})\s?달|(?<![가-힣])(?:{_NATIVE_WORDS})\s?(?:해|주(?!택|식|가|요)|분기)|[일삼오십]\s?년|이년))"
)
_CARRIED_OVER = r"\s?(?:재고|물량|특가|금|액|잔액|분|결손|공제|예산|세일|할인|행사|된|되|하|시)"
_FEBRUARY = (
    r"이(?=월(?:에(?!게)|부터|까지|\s?[0-9]{1,2}\s?일|\s?(?:말일|초순|상순|중순|하순)|[에의]?\s?[~-]))"
    rf"|(?<=[년해]\s)이(?=월(?!{_CARRIED_OVER}))"
)
_OTHER_MONTHS = "|".join(sorted(_MONTH_WORDS.keys() - {"이"}, key=len, reverse=True))
_SPELLED_MONTH = rf"(?<![가-힣])(?:(?:{_OTHER_MONTHS})(?=월(?!동|급))|{_FEBRUARY})"
_PART = r"말일|초순|상순|중순|하순|말(?=까지|에|부터|\s|$)"
_WEEK_IN_ORDER = r"번?째\s?주(?!택|식|주)"
_NTH_WEEK = rf"(?P<nth>첫|둘|두|셋|세|넷|네|다섯)\s?{_WEEK_IN_ORDER}|(?P<nth_digit>[1-5])\s?(?:주차|{_WEEK_IN_ORDER})"
_NTH = {"첫": 1, "둘": 2, "두": 2, "셋": 3, "세": 3, "넷": 4, "네": 4, "다섯": 5}
_NOT_WEEK = (
    r"(?![문식택민유인]|차\s?(?:장|권|비|요금|공간|자리|구역|단속)|소[^요에]|가\s?(?:하락|상승|급|폭|변|흐름|는|를|조))"
)

_SEASON = (
    rf"(?P<season>{'|'.join(_SEASONS)})철?"
    r"(?=[^가-힣]|$|에|엔|의|은|는|과|와|도|로|이(?:랑|나|\s)|부터|까지|대비|보다|쯤|하고|동안|무렵|이후|이래)"
)
"""A season, and no word that begins with one: "여름옷"."""

_Build = Callable[[Match[str], Clock], Atom]


def _pattern(text: str) -> Pattern:
    return Pattern(text)


def _atom(match: Match[str], span: Span) -> Atom:
    return Atom(match.start(), match.end(), fixed(span))


def _day_word(match: Match[str], clock: Clock) -> Atom:
    day = calendar.shift(clock.today, "day", _DAY_WORDS[match.group().replace(" ", "")])
    return _atom(match, (day, day))


def _span_of(match: Match[str]) -> tuple[str, int]:
    if match["count_word"]:
        return _COUNT_WORDS[match["count_word"].replace(" ", "")]
    return _UNITS[match["unit"].replace(" ", "")], int(match["count"])


def _from_now(match: Match[str], clock: Clock) -> Atom:
    unit, count = _span_of(match)
    sign = -1 if match["way"] == "전" else 1
    end = match.end()

    def build(_year: int | None) -> Span:
        day = calendar.shift(clock.today, unit, sign * count)
        return day, day

    return Atom(match.start(), end, build)


def _rolling(match: Match[str], clock: Clock) -> Atom:
    unit, count = _span_of(match)
    sign = 1 if match.groupdict().get("lead") in {"앞으로", "향후"} else -1
    return Atom(match.start(), match.end(), lambda _year: rolling(clock.today, unit, sign * count), is_range=True)


def _week(match: Match[str], clock: Clock) -> Atom:
    offset = _OFFSETS[match["week"]]
    monday, sunday = calendar.week_offset(clock.today, offset)
    if match["weekend"]:
        return _atom(match, (calendar.shift(monday, "day", 5), sunday))
    if match["weekday"]:
        return _atom(match, weekday(clock, _WEEKDAYS.index(match["weekday"]), offset))
    if match["weekdays"]:
        return _atom(match, (monday, calendar.shift(monday, "day", 4)))
    return _atom(match, (monday, sunday))


def _weekend(match: Match[str], clock: Clock) -> Atom:
    monday, sunday = calendar.week_offset(clock.today, _OFFSETS[match["week"] or "이번"])
    return _atom(match, (calendar.shift(monday, "day", 5), sunday))


def _weekday(match: Match[str], clock: Clock) -> Atom:
    number, lead = _WEEKDAYS.index(match["weekday"]), match["lead"]
    if lead in {"이번", "다음", "지지난"}:
        return _atom(match, weekday(clock, number, _OFFSETS[lead]))
    if lead in {"지난", "저번"}:
        before = Clock(calendar.shift(clock.today, "day", -1), is_future=False)
        return _atom(match, weekday(before, number, None))
    ahead = Clock(clock.today, is_future=clock.is_future or lead in {"오는", "돌아오는"})
    span = weekday(ahead, number, None)
    return Atom(match.start(), match.end(), fixed(span), after=lambda start: weekday_after(start, number))


def _relative_month(match: Match[str], clock: Clock) -> Atom:
    span = calendar.month_offset(clock.today, _OFFSETS[match["month"]])
    if nth := _nth_week(match):
        return _atom(match, calendar.week_of_month(span[0].year, span[0].month, nth))
    if match["part"]:
        return _atom(match, part_of_month(span, match["part"]))
    if match["day"]:
        number = int(match["day"])
        return Atom(match.start(), match.end(), lambda _y: calendar.day(span[0].year, span[0].month, number))
    return _atom(match, span)


def _relative_quarter(match: Match[str], clock: Clock) -> Atom:
    return _atom(match, calendar.quarter_offset(clock.today, _OFFSETS[match["quarter"]]))


def _relative_half(match: Match[str], clock: Clock) -> Atom:
    return _atom(match, calendar.half_offset(clock.today, _OFFSETS[match["half"]]))


def _year_of(match: Match[str], clock: Clock) -> int | None:
    if match["year_word"]:
        return clock.today.year + _YEAR_WORDS[match["year_word"].replace(" ", "")]
    if match["year"]:
        return int(match["year"])
    return 2000 + int(match["short_year"]) if match["short_year"] else None


def _dated(match: Match[str], clock: Clock, build: Callable[[int], Span]) -> Atom:
    year = _year_of(match, clock)
    if year is not None:
        return Atom(match.start(), match.end(), lambda _hint: build(year))
    groups = match.groupdict()
    if groups.get("lead"):
        clock = Clock(clock.today, is_future=groups["lead"] in {"오는", "다음", "다가오는", "돌아오는"})
    return Atom(match.start(), match.end(), nearest(clock, build), has_year=False)


def _half(match: Match[str], clock: Clock) -> Atom:
    number = 1 if match["half"] == "상" else 2
    return _dated(match, clock, lambda year: calendar.half(year, number))


def _season(match: Match[str], clock: Clock) -> Atom:
    groups, number = match.groupdict(), _SEASONS.index(match["season"])
    if lead := groups.get("lead"):
        return _atom(match, season(clock, number, _OF_SEASONS.get(lead, 1)))
    year = _year_of(match, clock) if "year" in groups else None
    if year is not None:
        return _atom(match, calendar.season(year, number))
    return Atom(match.start(), match.end(), nearest(clock, lambda near: calendar.season(near, number)), has_year=False)


def _quarter(match: Match[str], clock: Clock) -> Atom:
    first = _SINO.get(match["quarter"]) or int(match["quarter"])
    last = int(match["last"]) if match["last"] else first
    return _dated(match, clock, lambda year: (calendar.quarter(year, first)[0], calendar.quarter(year, last)[1]))


def _month(match: Match[str], clock: Clock) -> Atom:
    first = _MONTH_WORDS.get(match["month"]) or int(match["month"])
    last = int(match["last"]) if match["last"] else first
    if match["day"]:
        number = int(match["day"])
        until = int(match["last_day"] or number)
        return _dated(
            match, clock, lambda year: (calendar.day(year, first, number)[0], calendar.day(year, first, until)[1])
        )
    if nth := _nth_week(match):
        return _dated(match, clock, lambda year: calendar.week_of_month(year, first, nth))
    if match["part"]:
        part = match["part"]
        return _dated(match, clock, lambda year: part_of_month(calendar.month(year, first), part))
    return _dated(match, clock, lambda year: (calendar.month(year, first)[0], calendar.month(year, last)[1]))


def _nth_week(match: Match[str]) -> int:
    """Return which week of its month an expression names; 0 for none."""
    groups = match.groupdict()
    return _NTH.get(groups.get("nth") or "", 0) or int(groups.get("nth_digit") or 0)


def _years(match: Match[str], clock: Clock) -> Atom:
    year = _year_of(match, clock) or 0
    return Atom(match.start(), match.end(), lambda _hint: calendar.whole_year(year))


def _same_day(match: Match[str], clock: Clock) -> Atom:
    year = _year_of(match, clock) or 0
    return Atom(match.start(), match.end(), lambda _hint: calendar.day(year, clock.today.month, clock.today.day))


def _year_range(match: Match[str], _clock: Clock) -> Atom:
    first, last = int(match["first"]), int(match["last"])
    return Atom(match.start(), match.end(), lambda _y: (calendar.whole_year(first)[0], calendar.whole_year(last)[1]))


def _year_part(match: Match[str], clock: Clock) -> Atom:
    year = _year_of(match, clock) or clock.today.year
    return _atom(match, calendar.day(year, 12, 31) if match["part"] == "말" else calendar.day(year, 1, 1))


_RULES: tuple[tuple[Pattern, _Build], ...] = (
    (_pattern(rf"{_SPAN}\s?(?P<way>전|뒤|후)(?![화기보체세월매망환용]|반전|고점)"), _from_now),
    (_pattern(rf"(?P<lead>최근|지난|직전|과거|근|앞으로|향후)\s?{_SPAN}(?:\s?(?:간|동안|치))?(?!\s?[월요])"), _rolling),
    (_pattern(rf"{_SPAN}\s?치(?![료수과])"), _rolling),
    (_pattern(rf"{_SPAN}\s?(?:새|사이)(?:에)?(?=\s|$)"), _rolling),
    (_pattern(rf"{YEAR}\s?(?:이맘[때땐]|이맘쯤|오늘|같은\s?날)"), _same_day),
    (_pattern(rf"{_SPAN}\s?(?:간|동안)?(?:의)?(?=\s?(?:추이|흐름|변화|추세|동향|차트|그래프|월별))"), _rolling),
    (
        _pattern(
            rf"(?P<week>(?:지지난|저저번|지난|저번|이번|요번|다다음|다음)(?=\s?주)|(?<![가-힣])[금차](?=주))\s?주{_NOT_WEEK}"
            r"(?:\s?(?:의\s?)?(?:(?P<weekday>[월화수목금토일])요일|(?P<weekend>말(?![고씀로]))|(?P<weekdays>평일)))?"
        ),
        _week,
    ),
    (_pattern(r"(?:(?P<week>지지난|지난|저번|이번|요번|다음)\s?)?주말"), _weekend),
    (
        _pattern(r"(?:(?P<lead>지지난|지난|저번|이번|요번|다음|오는|돌아오는)\s?)?(?P<weekday>[월화수목금토일])요일"),
        _weekday,
    ),
    (
        _pattern(
            r"(?P<month>지지난|저저번|지난|저번|이번|요번|다다음|다음|이|내)\s?달(?![러라성력리콤빛걀팽])"
            rf"(?:\s?(?:의\s?)?(?:(?P<day>[0-9]{{1,2}})\s?일|(?P<part>{_PART})|{_NTH_WEEK}))?"
        ),
        _relative_month,
    ),
    (
        _pattern(
            rf"(?<![가-힣])(?P<month>전|당|금|익)월(?!세|급|요)(?:\s?(?:(?P<day>[0-9]{{1,2}})\s?일|(?P<part>{_PART})))?"
        ),
        _relative_month,
    ),
    (_pattern(r"(?P<quarter>이번|요번|지지난|지난|저번|다음|전|당)\s?분기"), _relative_quarter),
    (_pattern(r"(?P<half>이번|요번|지난|저번|다음)\s?반기"), _relative_half),
    (_pattern(rf"(?:{YEAR}(?:의)?\s?)?(?P<half>[상하])반기"), _half),
    (
        _pattern(
            rf"(?:{YEAR}(?:의)?\s?|(?P<lead>지난|오는|다음)\s?)?(?P<quarter>[0-9]{{1,2}}|[일이삼사])"
            r"(?:\s?(?:/\s?4\s?)?(?:분기)?\s?[~-]\s?(?P<last>[0-9]{1,2}))?\s?(?:/\s?4\s?)?분기"
        ),
        _quarter,
    ),
    (
        _pattern(
            rf"(?:{YEAR}(?:의)?\s?|(?P<lead>지난|오는|다음|다가오는)\s?)?(?<![0-9])(?P<month>[0-9]{{1,2}}|{_SPELLED_MONTH})"
            rf"(?:\s?월?\s?[~-]\s?(?P<last>[0-9]{{1,2}}))?\s?월(?!세|\s?[0-9]+\s?만)"
            rf"(?:\s?(?:(?P<day>[0-9]{{1,2}})(?:\s?일?\s?[~-]\s?(?P<last_day>[0-9]{{1,2}}))?\s?일|(?P<part>{_PART})|(?:의\s?)?(?:{_NTH_WEEK})))?"
        ),
        _month,
    ),
    (
        _pattern(
            rf"(?:{YEAR}(?:의)?\s?|(?<![가-힣])(?P<lead>지지난|지난|저번|이번|올|다음|오는|다가오는|돌아오는)\s?)"
            rf"{_SEASON}"
        ),
        _season,
    ),
    (
        _pattern(rf"(?<![가-힣])(?P<season>{'|'.join(_SEASONS)})(?=부터|\s?이후|\s?이래|에\s?비[해하]|\s?대비)"),
        _season,
    ),
    (_pattern(r"(?<![0-9])(?P<first>[0-9]{4})\s?년?\s?[~-]\s?(?P<last>[0-9]{4})\s?년"), _year_range),
    (_pattern(rf"{YEAR}\s?(?:도)?\s?(?P<part>말|초)(?=까지|부터)"), _year_part),
    (_pattern(rf"{YEAR}(?:도(?![가-힣])|(?![형식산생]))"), _years),
    (
        _pattern(
            r"내일모레|그끄저께|그저께|어저께|오늘(?!의\s?집)|(?<![가-힣])(?:금일|명일)|어제|그제(?!서)|내일(?!배움)|모레|글피"
        ),
        _day_word,
    ),
)


def find(text: str, clock: Clock) -> Iterator[Atom]:
    """Yield every expression that some rule reads; they may overlap, and the longest of those is the one meant."""
    for pattern, build in _RULES:
        for match in pattern.finditer(text):
            yield build(match, clock)
