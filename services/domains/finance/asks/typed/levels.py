"""Types what one share or series stands at, how it moved, its extremes, and questions of yes or no on it."""

import calendar
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import Ask, AskCondition, AskForm
from services.domains.finance.asks.drafting import DEFINES, draft, reach, spanned, with_usual
from services.domains.finance.asks.last.going_on import FOREIGN, currency_wanted
from services.domains.finance.asks.moments import two_ends
from services.domains.finance.asks.named import countries_named, entity_of, measures_named, numbers_of, series_named
from services.domains.finance.asks.spans import Span, asks_past_level, level_day, quarter_of, quarters_of, span_of
from services.domains.finance.asks.typed.bounds import BEAT, MISSED, OVER, UNDER, if_condition, may_bound, operator
from services.domains.finance.asks.typed.classes import latest
from services.domains.finance.asks.vocabulary import BY_ID, FALL, REAL_RATE, RISE, SERIES
from services.domains.finance.asks.wording import span_said
from services.plugin.asks.answering import Claim
from services.plugin.asks.edits import compares
from services.plugin.asks.numbers import Number
from services.plugin.asks.sheet import Sheet
from services.plugin.entities import Entity

_ASKS_YES: Final = r"(?:나요|나|어|아|야|가요|니|지|까|음|냐|습니까|어요|아요|는지|임|됨)\s?\?|넘었|넘어|됐어|했어|인가|마이너스|역전|\b(?:is|are|did|does|do|has|have|was|were)\b"
_AVERAGE: Final = r"(\d{1,3})\s?일\s?(?:이동\s?)?(?:평균|이평|선)|(\d{1,3})[- ]day (?:moving )?average"
_ASIDE: Final = r"위|아래|밑|넘|above|below|over|under"
_TREND: Final = r"추세|추이|흐름|\btrend|price action|moving average analysis"


_RESULTS: Final = r"실적|earnings|\b(?:quarterly|latest|last|annual|financial) results\b|\bresults (?:of|for) (?:the )?(?:last |latest )?quarter"
"""Words for how a company earned, whatever figure of it."""


def type_crossed(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:
    """Type a question on moving averages: above or below one, crossed, the trend."""
    if shares and (match := sheet.find(_AVERAGE)) and sheet.says(_ASIDE):
        below = sheet.says(r"아래|밑|below|under")
        notes = {"window": next(filter(None, match.groups())), "side": "below" if below else "above"}
        return (Claim(draft(sheet, AskForm.VERDICT, "average", shares[:1], notes=notes), 0.95),)
    if len(shares) == 1 and sheet.says(_TREND) and not [one for one in measures_named(sheet) if BY_ID[one].items]:
        ask = draft(sheet, AskForm.CHANGE, "trend", shares, measures=("return",))
        return (Claim(with_usual(ask, "ytd", sheet), 0.95),)
    if not shares or not sheet.says(
        r"골든\s?크로스|데드\s?크로스|이동\s?평균|이평선|golden cross|d(?:ead|eath) cross|moving average"
    ):
        return ()
    return (Claim(draft(sheet, AskForm.VERDICT, "crossed", shares[:1]), 0.95),)


def type_extreme(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:
    """Type the highest or lowest of a share or series, with its day."""
    top, named = sheet.superlative, sheet.find(_END_NAMED)
    subjects = shares or series_named(sheet, wide=True)
    if not (top or named) or not subjects or any(one for one in measures_named(sheet) if BY_ID[one].items):
        return ()
    is_most = named["low"] is None if named is not None else top is not None and top.is_most
    if subjects[0].value == "KR_USDKRW" and (value := sheet.find(_WON_VALUE)) is not None:
        # The rate is what a dollar costs: it is highest where the won is worth least.
        is_most = value["weak"] is not None
    ask = draft(sheet, AskForm.FACT, "extreme", subjects[:2], descending=is_most)
    span = span_of(sheet)
    if span is not None and span.base and span.kind != "day":
        end = span.end
        said = span_said(replace(ask, against_date=span.base, notes=span.noted(ask.notes)))
        ask = replace(
            ask, start_date=span.base, end_date=end, notes={**ask.notes, "span_ko": said.ko, "span_en": said.en}
        )
    return (Claim(ask, 0.95),)


_END_NAMED: Final = r"(?:weeks?|months?|years?|all[\s-]time)[\s-](?:high|peak|(?P<low>low))\b"
"""The highest or lowest of a span by its own name."""
_WON_VALUE: Final = (
    r"(?:원화\S?\s?(?:가치|값)?\S?\s?|\bwon\b[^?.]{0,24}?)(?:(?:제일|가장|젤|most|at its)\s?)?(?:많이\s?)?"
    r"(?:(?P<weak>약[한했하]|쌌|싼|싸|낮|떨어|weak\w*|low\w*|cheap\w*)|(?:강[한했하]|비쌌|비싼|높|strong\w*|high\w*|dear\w*))"
)


def type_tested(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:  # noqa: PLR0911 - one for each kind of test
    """Type a question of yes or no on a level: over a bound, inverted, beaten, below zero."""
    measures = measures_named(sheet)
    if shares and "surprise" in measures and (sheet.says(BEAT) or sheet.says(MISSED)) and sheet.says(_ASKS_YES):
        notes = {
            "quarter": latest(sheet),
            **({"missed": "true"} if sheet.says(MISSED) and not sheet.says(r"\bor\b|아니면") else {}),
        }
        return (Claim(draft(sheet, AskForm.VERDICT, "beat", shares[:2], measures=("surprise",), notes=notes), 0.95),)
    if sheet.says(r"역전|invert") and not sheet.says(DEFINES):
        return _inverted(sheet)
    if sheet.says(REAL_RATE) and sheet.says(_BELOW_OR_ABOVE_ZERO):
        return (*_beside_real(sheet), _real_rate(sheet))
    if not shares and (aimed := _aimed(sheet)):
        return aimed
    subjects = shares[:1] or series_named(sheet, wide=True)[:1]
    times = any(one.unit == "times" for one in numbers_of(sheet))
    if times and not shares:
        return ()
    if (
        not subjects
        or not (sheet.says(OVER) or sheet.says(UNDER))
        or not sheet.says(_ASKS_YES)
        or (sheet.says(r"\bif\b|면\s") and not sheet.says(r"빼면"))
    ):
        return ()
    number = _bound_number(sheet, subjects[0])
    if number is None or sheet.says(r"얼마나|how much"):
        return ()
    measure = next((one for one in measures if BY_ID[one].unit in {"times", "percent"} and one != "return"), "price")
    if measure == "price" and not may_bound(number, subjects[0].value):
        return ()
    test = AskCondition(
        measure if shares else "level",
        operator(sheet, number),
        f"{number.value.normalize():f}",
        number.unit,
        number.words,
    )
    return (
        Claim(
            draft(
                sheet, AskForm.VERDICT, "verdict", subjects, measures=(measure,) if shares else (), conditions=(test,)
            ),
            0.95 if shares or sheet.of_kind("series") else 0.9,
        ),
    )


_TARGET: Final = r"목표(?!\s?(?:주가|가격|가(?![가-힣])))|\btarget\b(?! price)|\bgoal\b"


def _aimed(sheet: Sheet) -> Sequence[Claim]:
    """Type whether inflation is above or below what its central bank aims at."""
    one = next((it for it in series_named(sheet, wide=True) if SERIES[it.value].target), None)
    held = sheet.says(_TARGET) and (sheet.says(OVER) or sheet.says(UNDER)) and not numbers_of(sheet)
    if one is None or not held:
        return ()
    target = SERIES[one.value].target
    test = AskCondition("level", "lt" if sheet.says(UNDER) else "gt", target, "percent", f"{target}%")
    ask = draft(sheet, AskForm.VERDICT, "verdict", (one,), conditions=(test,), notes={"target": target})
    return (Claim(ask, 0.96),)


_BELOW_OR_ABOVE_ZERO: Final = r"마이너스|플러스|음수|양수|negative|positive|below zero|above zero"


def _inverted(sheet: Sheet) -> Sequence[Claim]:
    """Type whether the curve of yields is inverted, the levels that are asked beside it first."""
    spread = entity_of(SERIES["T10Y2Y"], sheet)
    test = AskCondition("level", "lt", "0", "points", "0")
    verdict = draft(sheet, AskForm.VERDICT, "verdict", (spread,), conditions=(test,), notes={"inverted": "true"})
    others = [one for one in series_named(sheet, wide=True) if one.value not in {"T10Y2Y", "KR_BASE_RATE", "FEDFUNDS"}]
    first = (Claim(draft(sheet, AskForm.LEVEL, "level", others), 0.95),) if len(others) > 1 else ()
    return (*first, Claim(verdict, 0.95))


def _beside_real(sheet: Sheet) -> Sequence[Claim]:
    """Return the levels of the rate and of inflation where a message asks for both by their own names as well."""
    found = sheet.find(REAL_RATE)
    blank = " " * len(found.group()) if found else ""
    plain = replace(sheet, text=sheet.text[: found.start()] + blank + sheet.text[found.end() :]) if found else sheet
    series = series_named(plain, wide=True, economy=True)
    return (Claim(draft(sheet, AskForm.LEVEL, "level", series[:2]), 0.95),) if len(series) > 1 else ()


def _real_rate(sheet: Sheet) -> Claim:
    """Type whether a country's policy rate less its inflation is below zero."""
    low = sheet.says(r"마이너스|음수|negative|below zero")
    test = AskCondition("real", "lt" if low else "gt", "0", "percent", "0%")
    country = (countries_named(sheet) or (("KR",) if sheet.language == "ko" else ("US",)))[0]
    rate = entity_of(SERIES["KR_BASE_RATE" if country == "KR" else "FEDFUNDS"], sheet)
    return Claim(draft(sheet, AskForm.VERDICT, "verdict", (rate,), conditions=(test,), notes={"real": country}), 0.95)


def _bound_number(sheet: Sheet, subject: Entity) -> Number | None:
    fits = {"krw", "usd", "percent", "percentage_point", "times", "points", ""}
    numbers = [
        one
        for one in numbers_of(sheet)
        if one.unit in fits and not (one.unit == "usd" and one.value == 1 and subject.value == "KR_USDKRW")
    ]
    return next((one for one in numbers if one.bound), numbers[-1] if numbers else None)


_GREW_DEAR: Final = r"(?:비싸|싸)(?:진|졌|지긴)|\b(?:got(?:ten)?|become|became|grown?|getting) (?:more expensive|cheaper|dearer|pricier|expensive|cheap)\b"
"""Words for a share that has become dear or cheap."""


def type_moved(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:  # noqa: PLR0911 - each tells why it is none
    """Type how a share or a series has moved."""
    measures = measures_named(sheet)
    span = span_of(sheet)
    subjects = [*shares, *([] if shares else series_named(sheet, wide=True))]
    accounts = [one for one in measures if one not in {"return", "price", "volume", "surprise"}]
    compared = span is not None and span.kind in {"yoy", "mom", "qoq"}
    grew_dear = bool(shares) and sheet.says(_GREW_DEAR)
    wants = (
        "return" in measures
        or sheet.wants(AskForm.CHANGE)
        or grew_dear
        or compared
        or (span is not None and span.kind in {"back", "yoy", "mom"} and sheet.says(_THEN_AND_NOW))
        or (span is not None and (sheet.says(_HELD_AGAINST) or compares(sheet)))
        or (span is not None and (sheet.says(_WENT) or two_ends(sheet) is not None))
        or sheet.says(rf"{RISE}|{FALL}|달라졌|변했|추이|흐름|move|\bchanged?|trend|늘었|줄었")
    )
    if not subjects or not wants or sheet.says(DEFINES) or (compared and asks_past_level(sheet)):
        return ()
    if (
        len(accounts) > 0
        and not compared
        and not sheet.says(
            r"(?<![오하])늘|(?<![려여해])줄|증가|감소|grow|grew|increase|decrease|change|어떻게\s?(?:됐|되었|변)|어땠"
        )
    ):
        return ()
    told = "return" in measures or sheet.wants(AskForm.CHANGE) or grew_dear
    if shares and not accounts and not span and not told:
        return ()
    if (
        not shares
        and span is None
        and not sheet.says(r"얼마나|추이|흐름|변화|moved?|\bchange|올랐|내렸|올라|trend|increase|늘었|줄었")
    ):
        return ()
    series = [one for one in subjects if one.kind == "series"]
    if (
        series
        and SERIES[series[0].value].yearly
        and (span is None or span.kind == "yoy" or _is_yearly_rate(sheet, span))
    ):
        return (Claim(_in_month(draft(sheet, AskForm.CHANGE, "level", series[:2]), sheet, span), 0.95),)
    how_far = set(measures) == {"price", "return"} and span is not None and sheet.says(r"얼마나|how (?:much|far)")
    if shares and len(measures) > 1 and "return" in measures and not (compared or how_far):
        names = tuple(one for one in measures)
        return (Claim(spanned(draft(sheet, AskForm.LEVEL, "level", shares[:3], measures=names), sheet, "ytd"), 0.95),)
    ask = draft(sheet, AskForm.CHANGE, "change", subjects[:2], measures=tuple(accounts) or ("return",))
    ask = spanned(ask, sheet, "yoy" if accounts else "ytd")
    if accounts and "span" not in ask.notes:
        ask = replace(ask, notes={**ask.notes, "span": "yoy"})
    if accounts and (quarter := quarter_of(sheet)):
        ask = replace(ask, notes={**ask.notes, "quarter": quarter}, end_date="")
    return (Claim(ask, 0.95 if shares or sheet.of_kind("series") else 0.9),)


def _is_yearly_rate(sheet: Sheet, span: Span) -> bool:
    """Tell whether the inflation of a month is asked, which is its prices' change over the year up to it."""
    return (
        span.kind in {"month", "period"}
        and sheet.says(r"상승률|인플레|inflation")
        and not sheet.says(r"전월|지난달\s?(?:대비|보다)")
    )


_MONTH: Final = rf"(?<!작년 )(?<!지난해 )(?<!\d)\d{{1,2}}월|\b(?:{'|'.join(calendar.month_name[1:])})\b"
"""A month that is named by itself."""


def _in_month(ask: Ask, sheet: Sheet, span: Span | None) -> Ask:
    """Return a yearly rate as of the month that is named, of the newest where none is."""
    if span is None or (span.kind != "period" and not (span.kind == "yoy" and sheet.says(_MONTH))):
        return ask
    start, end = level_day(sheet)
    return replace(ask, start_date=start, end_date=end)


def _level_notes(sheet: Sheet, shares: Sequence[Entity]) -> dict[str, str]:
    """Return what a level is of beside its day: a real rate, a quarter, the last four quarters together."""
    country = (countries_named(sheet) or (("KR",) if sheet.language == "ko" else ("US",)))[0]
    notes = {"real": country} if sheet.says(REAL_RATE) else {}
    if (through := quarters_of(sheet)) is not None:
        notes["quarter"], notes["through"] = through
    elif quarter := quarter_of(sheet):
        notes["quarter"] = quarter
    currency = currency_wanted(sheet)
    if currency and any(one.value.startswith(FOREIGN[currency]) for one in shares):
        notes["in"] = currency
    if shares and sheet.says(_LAST_FOUR):
        notes["four"] = "1"
    return notes


def type_standing(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:
    """Type what a share or a series stands at."""
    measures = [one for one in measures_named(sheet) if one != "surprise" or shares]
    if (
        sheet.says(DEFINES)
        and not shares
        and not sheet.says(r"얼마|몇|지금|현재|최근|수치|now|current|latest|right now")
    ):
        return ()
    series = series_named(
        sheet, wide=sheet.says(r"금리|물가|달러|환율|실질|인플레|yield|rate|inflation|dollar|exchange|index|curve")
    )
    if not shares and not series:
        return ()
    if shares and not sheet.of_kind("security") and not measures:
        return ()
    asks_level = (
        bool(measures)
        or sheet.wants(AskForm.LEVEL)
        or bool(series)
        or sheet.says(r"어때|how is|how'?s")
        or sheet.says(_RESULTS)
    )
    if shares and not asks_level:
        return ()
    wanted = _wanted(sheet, measures, of_share=bool(shares))
    ask = draft(
        sheet,
        AskForm.LEVEL,
        "level",
        [*shares[:3], *_apart(series, shares)[:4]],
        measures=wanted if shares else (),
        notes=_level_notes(sheet, shares),
        conditions=if_condition(sheet, wanted) if shares else (),
    )
    start, end = level_day(sheet)
    span = span_of(sheet)
    if not shares and span is not None and span.kind in {"back", "yoy", "mom"} and span.months:
        return (Claim(_months_ago(ask, series, span.months, start, end), 0.95 if sheet.of_kind("series") else 0.9),)
    accounts = shares and all(BY_ID[one].items and not BY_ID[one].priced for one in wanted)
    if accounts and "quarter" not in ask.notes and start and start[5:] == "01-01" and end[5:] == "12-31":
        ask = replace(ask, notes={**ask.notes, "year": start[:4]})
    elif not accounts and "return" not in wanted:
        ask = replace(ask, start_date=reach(start, end), end_date=end)
    if "return" in wanted:
        ask = spanned(ask, sheet, "ytd")
    named = measures or sheet.says(_RESULTS)
    sure = bool(sheet.of_kind("security") or sheet.of_kind("series") or (shares and named))
    return (Claim(ask, 0.95 if sure else 0.9),)


def _wanted(sheet: Sheet, measures: list[str], *, of_share: bool) -> tuple[str, ...]:
    """Return the measures that are told: those of results where these are asked, and the price where none is named."""
    if "dividend_yield" in measures:
        measures = [one for one in measures if one != "dividend"]
    if sheet.says(_RESULTS) and not [one for one in measures if one not in {"price", "return"}]:
        measures = ["revenue", "operating_income", "net_income", "surprise"]
    wanted = tuple(
        dict.fromkeys(
            one for one in measures if not (one == "price" and len(measures) > 1 and not sheet.says(_PRICE_ITSELF))
        )
    ) or ("price",)
    if of_share and not measures and sheet.says(r"어때|how is|how'?s"):
        return ("price", "return", "per")
    return wanted


def _months_ago(ask: Ask, series: Sequence[Entity], months: int, start: str, end: str) -> Ask:
    """Return the level of series so many months ago: of a monthly one counted from its newest month."""
    if all(SERIES[one.value].daily for one in series):
        return replace(ask, start_date=reach(start, end), end_date=end)
    return replace(ask, notes={**ask.notes, "ago": str(months)})


_PRICE_ITSELF: Final = (
    r"주가|종가|\bprice\b(?!s?[- ](?:to|earn|book))|close|trading (?:at|for)|going for|\bquote|한\s?주에?\s?얼마"
)
"""Words that ask for the price itself, beside whatever other figures are asked."""
_LAST_FOUR: Final = r"(?:4|네)\s?(?:개\s?)?분기\s?(?:동안|합|누적|치|총)|(?:최근|지난|직전)\s?(?:4|네)\s?(?:개\s?)?분기|(?:last|past|trailing|latest) four quarters|trailing (?:12|twelve)|\bTTM\b|(?:최근|지난)\s?(?:1|일|한)\s?년\s?(?:치|합|누적|동안\s?(?:번|낸|벌))"
"""Words that add the last four quarters up."""
_WENT: Final = r"어땠|어떠했|어떻게\s?(?:됐|되었|했|흘|보냈)|좋았|나빴|how (?:was|were|did)|how has|how have|\b(?:do|does|did|done|doing) (?:any )?(?:better|worse|best|worst|well|badly)\b|\bwhat (?:did|has|have)\b.{1,40}\b(?:do|done)\b"
"""Words that ask how it went over a time."""
_HELD_AGAINST: Final = (
    r"전\s?(?:보다|에\s?비(?:해|하면|교)|대비|이?랑|하고|과)|(?:말|초|때|당시)\s?(?:보다|에\s?비(?:해|하면|교)|대비)|동안|사이에?"
    r"|(?:than|from|versus|against|compared (?:with|to)) .{1,24}(?:ago|back|earlier|before)|\b(?:over|during|within|through) (?:the )?(?:past|last)"
)
"""Words that hold what is now against a time before, or follow it over a time."""
_THEN_AND_NOW: Final = r"지금|현재|요즘|오늘|\bnow\b|current|right now|today"


def _apart(series: Sequence[Entity], shares: Sequence[Entity]) -> list[Entity]:
    """Return the series that are asked beside shares: those that the text names by their own names."""
    return [
        one
        for one in series
        if not shares
        or one.value not in {"KR_BASE_RATE", "KR_USDKRW"}
        or one.words in {"환율", "기준금리", "원달러 환율", "원/달러 환율"}
    ]
