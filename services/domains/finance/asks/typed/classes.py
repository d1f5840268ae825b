"""Types what ranges over several: ranks and lists of a class of shares, comparisons, conditions on figures."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import Ask, AskCondition, AskForm
from services.domains.finance.asks.drafting import draft, reach, spanned
from services.domains.finance.asks.named import (
    class_named,
    countries_named,
    entity_of,
    measures_named,
    numbers_of,
    series_countries,
    series_named,
)
from services.domains.finance.asks.spans import level_day, quarter_of, span_of
from services.domains.finance.asks.typed.bounds import CURRENCIES, LOST, MISSED, ORDERED, WON, conditions_in, operator
from services.domains.finance.asks.vocabulary import BY_ID, FALL, GROWS, REAL_RATE, RISE, SERIES, SHARE_WORDS
from services.plugin.asks.answering import Claim
from services.plugin.asks.sheet import Sheet
from services.plugin.entities import Entity

_COMPARED: Final = r"\d?\s?배(?:가|를|나|는|보다|\s)|\btimes\b|비교|중에|중\s?(?:에서|어디|뭐|누)|더\s|어디가|어느|차이|격차|벌어|대비해|높아|낮아|견주|compare|which|versus|\bvs\b|\bor\b|higher|lower|better|\babove\b|\bbelow\b|difference|gap"
_TOP_COUNT: Final = r"(?P<f>두|세|네|다섯|열)\s?(?:개|종목|곳|회사)|(?<![가-힣])(?P<e>둘|셋|넷|다섯|열)(?=\W*$|만|을|을\s)|\b(?P<g>two|three|four|five|ten) \w+ (?:stocks|shares|names|companies)\b|\btop (?P<a>\d{1,2}|two|three|four|five|ten)\b|상위\s?(?P<b>\d{1,2})|(?P<c>\d{1,2})\s?(?:종목|개|위까지|곳)(?:만|$|\s|를|을)|(?P<d>two|three|five|ten) (?:stocks|shares)"
_WORDS: Final = {
    "두": 2,
    "둘": 2,
    "세": 3,
    "셋": 3,
    "네": 4,
    "넷": 4,
    "다섯": 5,
    "열": 10,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "ten": 10,
}
_LEADING: Final = r"상위|하위|\btop \w+|\bbottom \w+|순위|랭킹"
_BEST: Final = (
    r"꼴찌|꼴등|[1일]등|[1일]위|잘\s?(?:나가|나간|버|번)|성과|\b(?:worst|best|winners?|losers?|leaders?|laggards?)\b"
)
"""Words that rank shares without a measure: what is meant is how they did."""
_ONE_OF_CLASS: Final = r"furthest|most\b|biggest|by the most|(?:높|낮|많|적|큰|작|좋|싼|비싼|저렴)\S{0,2}\s?(?:데|곳|종목|회사|기업|주식|거|건|게)(?:가|는|이|은)?\s?(?:어디|뭐|무엇|누구|어느)"
"""Words that pick out of a class without a superlative: "높은 데가 어디야"."""
_FIRST: Final = r"(?:제일|가장|젤)\s\S+"
"""A superlative in whatever word, whose measure is named beside it: "배당 제일 짭짤하게 주는 회사"."""
_WENT: Final = r"\b(?:is|are|was|were|went|has gone|been) (?:up|down|higher|lower)\b|\b(?:up|down) (?:the )?(?:most|least|furthest)\b"
"""Words of the way that shares went: "which is down the most?"."""
_FARED: Final = r"(?:제일|가장|젤)\s?(?:많이\s?)?(?:선방|선전|부진|망한|망했|죽\s?[쑨쒔]|처참|고전)"
"""Superlatives of how shares did that name no measure."""
_OF_ITS_KIND: Final = (
    r"(?:높|낮|많|적|큰|작|좋|싼|비싼|저렴)(?:은|이|게)?\s?(?:주는\s?|내는\s?|버는\s?|오른\s?|내린\s?|나가는\s?)?(?:(?:국내|한국|미국|우리나라)\s?)?(?:데|곳|종목|회사|기업|주식|주(?![가-힣]))"
    r"|(?:고\s?배당|저\s?P[EB]R|고\s?ROE)\s?주?|배당주"
    r"|\b(?:high|low|big|large|small|cheap|expensive|good)(?:er|est)?[- ](?:[\w/]+[- ]){0,2}(?:stocks|shares|names|companies|payers?)\b"
)
"""Shares of a kind that a measure tells: "배당 많이 주는 종목", "low P/E stocks"."""


def type_of_class(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:
    """Type a rank or a list over a class of shares, or a rank of three and more that are named."""
    priced = sheet.superlative or any(one.unit in CURRENCIES and one.bound for one in numbers_of(sheet))
    measures = [one for one in measures_named(sheet) if one != "price" or priced]
    several = len(shares) > 2 and bool(sheet.superlative or sheet.says(ORDERED))
    if shares and not several:
        return ()
    name = None if several else class_named(sheet)
    measures = measures or _measures_meant(sheet)
    if name is None and not several:
        return ()
    conditions = conditions_in(sheet, measures)
    first = bool(measures) and sheet.says(_FIRST)
    name = _counted_in(name, conditions)
    ranks = first or _is_ranked(sheet) or (not conditions and sheet.says(_OF_ITS_KIND))
    asks = conditions or (ranks and measures)
    if not asks and set(measures) <= {"return"} and _is_sector_alone(sheet, name):
        # A sector alone asks for its shares, and how they do.
        ranks, measures = True, ["return"]
    if not (ranks or conditions) or not measures:
        return ()
    if "surprise" in measures:
        measures = ["surprise"]
    bounded = tuple(one.field for one in conditions)
    measure = _criterion(sheet, measures, picks=ranks and not conditions, bounded=bounded)
    ask = draft(
        sheet,
        AskForm.RANK if ranks else AskForm.LIST,
        "rank" if ranks else "listing",
        shares if several else (),
        measures=(measure,),
        conditions=tuple(conditions),
        notes={"class": name} if name else {},
    )
    ask = replace(ask, descending=_is_most(sheet, measure, ranked=ranks), order_by=measure, count=count_asked(sheet))
    if measure == "surprise":
        ask = replace(ask, notes={**ask.notes, "quarter": latest(sheet)})
    elif quarter := quarter_of(sheet):
        ask = replace(ask, notes={**ask.notes, "quarter": quarter})
    if measure == "return":
        ask = spanned(ask, sheet, "ytd")
    return (Claim(ask, 0.95),)


def _measures_meant(sheet: Sheet) -> list[str]:
    """Return what shares are picked by where no measure is named: a bound in money is one of their price."""
    if any(one.unit in CURRENCIES and one.bound for one in numbers_of(sheet)):
        return ["price"]
    moved = sheet.says(f"{LOST}|{WON}|{FALL}|{RISE}") and any(one.unit == "percent" for one in sheet.numbers)
    if moved and span_of(sheet) is not None:
        return ["return"]
    went = sheet.superlative is not None and sheet.says(SHARE_WORDS) and sheet.says(_WENT)
    fared = went or sheet.says(_BEST) or sheet.says(_FARED) or (sheet.says(_LEADING) and sheet.says(SHARE_WORDS))
    return ["return"] if fared else []


def _counted_in(name: str | None, conditions: Sequence[AskCondition]) -> str | None:
    """Return a class of shares; a bound in one currency ranges over those of both countries that are counted in it."""
    units = {one.unit for one in conditions} & CURRENCIES.keys()
    return CURRENCIES[units.pop()] if name == "KR+US" and len(units) == 1 else name


_AHEAD: Final = r"유망|전망|뜨|뜰|들어가|수혜|promis|outlook|watch|benefit|favou?r"


def _is_sector_alone(sheet: Sheet, name: str | None) -> bool:
    """Tell whether a sector is named and nothing is asked but which shares it has: no advice, no cause, no outlook."""
    more = (AskForm.ADVICE, AskForm.RECOMMEND, AskForm.CAUSE, AskForm.EFFECT, AskForm.VERDICT, AskForm.PROCEDURE)
    return name is not None and name.startswith("=") and not sheet.wants(*more) and not sheet.says(_AHEAD)


def _is_ranked(sheet: Sheet) -> bool:
    words = f"{ORDERED}|{_TOP_COUNT}|{_ONE_OF_CLASS}"
    return sheet.superlative is not None or sheet.says(words)


def _criterion(sheet: Sheet, measures: Sequence[str], *, picks: bool, bounded: Sequence[str] = ()) -> str:
    """Return the measure that shares are put in order by; dividends of different prices are compared as yields."""
    specific = [one for one in measures if one not in {"return", "price"}]
    measure = (specific or measures)[0]
    if measure == "price" and "price" not in bounded and not sheet.says(r"주가|종가|price|비싼"):
        return "return"
    if measure == "dividend" and picks and not sheet.says(r"주당|a share|per share"):
        return "dividend_yield"
    return measure


LOW: Final = r"낮(?:은|게|아)|적(?:은|게)|작(?:은|게)|싼|싸게|저렴|(?<![가-힣])저\s?P[EB]R|\blow(?:er|est)?\b|\bsmall(?:er|est)?\b|\bcheap(?:er|est)?\b|ascending"
"""Words for the low end of a measure."""
HIGH: Final = r"높(?:은|게|아)|많(?:은|이)|큰|크게|비싼|비싸게|\bhigh(?:er|est)?\b|\blarge(?:r|st)?\b|\bexpensive\b"
"""Words for its high end."""


def latest(sheet: Sheet) -> str:
    """Return the quarter of a surprise; the last where none is named."""
    named = quarter_of(sheet)
    return "last" if not named or sheet.says(r"지난|직전|최근|이번|last|latest|recent") else named


def _is_most(sheet: Sheet, measure: str, *, ranked: bool) -> bool:
    if sheet.says(r"furthest short|fell (?:furthest|most)|most .{0,12}short"):
        return False
    if measure == "return" and (sheet.says(LOST) or sheet.says(FALL)):
        return False
    if measure == "surprise" and sheet.says(MISSED):
        return False
    if not ranked:
        return measure in {"dividend_yield", "return", "surprise"}
    if sheet.superlative is not None and not sheet.superlative.is_most:
        return False
    return not (sheet.says(LOW) and not sheet.says(HIGH))


def count_asked(sheet: Sheet) -> int:
    """Return how many are asked for: "상위 5", "두 개만", "top three"; 0 where no number is said."""
    match = sheet.find(_TOP_COUNT)
    if match is None:
        return 0
    word = next(value for value in match.groups() if value)
    return _WORDS.get(word.lower(), 0) or int(word)


def _with_ratio(ask: Ask, sheet: Sheet) -> Ask:
    """Return a comparison that asks how many times the one is the other, or whether it is so many times."""
    if sheet.says(r"몇\s?배|how many times|times (?:larger|bigger|higher|as)"):
        return replace(ask, notes={**ask.notes, "ratio": "1"})
    times = next((one for one in numbers_of(sheet) if one.unit == "times"), None)
    if times is None:
        return ask
    test = AskCondition("ratio", operator(sheet, times), f"{times.value.normalize():f}", "times", times.words)
    return replace(ask, form=AskForm.VERDICT, conditions=(test,), notes={**ask.notes, "ratio": "1"})


def _is_least_lost(sheet: Sheet) -> bool:
    """Tell whether the one that lost least is asked for, which is the one that did best: "덜 빠진 쪽"."""
    return sheet.says(
        rf"덜\s?(?:{FALL})|(?:fell|lost|dropp?ed|declined) (?:the )?(?:less|least)|(?:smaller|smallest) (?:loss|drop|fall)"
    )


_FROM_AN_END: Final = (
    r"\d\s?주\s?(?:신고가|신저가|최고|최저|고점|저점)|(?:-?\s?weeks?|all[\s-]time|yearly|annual)[\s-](?:high|low|peak)\b"
    r"|(?:from|off|below|above|closer to|nearer) (?:its|their|the) (?:high|low|peak)s?\b"
)
"""The highest or lowest of a span, by which no measure holds shares against each other."""
_BOTH_COUNTRIES: Final = r"어느\s?나라|두\s?나라|양국|어느\s?쪽|둘\s?(?:다|중)|which (?:country|one|of)|\bboth\b"


def type_real_rates(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:
    """Type which of both countries has the higher real rate."""
    both = sheet.says(REAL_RATE) and (sheet.says(_BOTH_COUNTRIES) or len(countries_named(sheet)) > 1)
    if shares or not both:
        return ()
    rates = [entity_of(SERIES[one], sheet) for one in ("KR_BASE_RATE", "FEDFUNDS")]
    return (Claim(draft(sheet, AskForm.COMPARE, "level", rates, notes={"real": "KR+US"}), 0.96),)


def type_several(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:
    """Type a comparison of two and more shares, or of series."""
    series = (
        []
        if shares
        else list(
            series_named(
                sheet,
                wide=sheet.says(r"금리|물가|인플레|rate|inflation|unemploy|실업") and len(series_countries(sheet)) > 1,
            )
        )
    )
    subjects = shares if len(shares) > 1 else series
    if len(subjects) < 2 or not (sheet.says(_COMPARED) or len(shares) > 1) or sheet.says(_FROM_AN_END):
        return ()
    if not shares and not sheet.says(
        r"비교|차이|격차|벌어|배(?:가|를|나|보다|\s)|times|더|어디|높|낮|위(?:에|로|야|인)|아래|밑|compare|differ|higher|lower|above|below|which|gap|versus|\bvs"
    ):
        return ()
    measures = tuple(one for one in measures_named(sheet) if not (one == "price" and len(measures_named(sheet)) > 1))
    if shares and not measures:
        # How they did over a time is how far they moved.
        measures = ("return", "per") if span_of(sheet) is None else ("return",)
    if not shares:
        measures = ()
    if "return" in measures and len(measures) > 1 and not sheet.says(r"수익률|등락|return|perform|올랐|올라|올라"):
        measures = tuple(one for one in measures if one != "return")
    ask = draft(
        sheet,
        AskForm.COMPARE,
        "compare",
        subjects[:5],
        measures=measures,
        descending=not (
            sheet.says(rf"{LOW}|더\s?(?:싸|저렴|낮|작|적|덜)|저평가|cheap|\bbelow\b")
            or ("return" in measures and sheet.says(FALL) and not sheet.says(RISE))
        )
        or _is_least_lost(sheet),
    )
    ask = _with_ratio(ask, sheet)
    yearly = not shares and all(SERIES[one.value].yearly for one in subjects)
    if "return" in measures and shares:
        ask = spanned(ask, sheet, "ytd")
    elif not shares and sheet.says(r"올랐|올라|변화|상승|change|moved"):
        ask = spanned(ask, sheet, "" if yearly else "ytd")
    if quarter := quarter_of(sheet):
        ask = replace(ask, notes={**ask.notes, "quarter": quarter})
    if shares and "return" not in measures and sheet.says(GROWS):
        ask = replace(ask, notes={**ask.notes, "span": "yoy"})
    return (Claim(_dated(ask, sheet), 0.95),)


def _dated(ask: Ask, sheet: Sheet) -> Ask:
    """Return levels that are held against each other as of the day that is named; what spans a time has its own."""
    start, end = level_day(sheet)
    of_accounts = any(BY_ID[one].items and not BY_ID[one].priced for one in ask.measures)
    if not end or "span" in ask.notes or "return" in ask.measures or of_accounts:
        return ask
    return replace(ask, start_date=reach(start, end), end_date=end)


def type_alone(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:
    """Type a comparison of which one side alone is named; the other is asked for."""
    if len(shares) != 1 or not sheet.says(r"비교|\bcompar") or span_of(sheet) is not None or class_named(sheet):
        return ()
    measures = tuple(one for one in measures_named(sheet) if one != "price")
    if measures == ("surprise",):
        # What was expected is the other side itself.
        return ()
    return (Claim(draft(sheet, AskForm.COMPARE, "compare", shares, measures=measures, descending=True), 0.95),)
