"""Types the asks of a question on markets: its form by grammar, its subjects and measures by vocabulary, its days."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import Ask, AskCondition, AskedBefore, AskForm, AskQuantity
from services.domains.finance.asks import editing
from services.domains.finance.asks.named import (
    class_named,
    countries_named,
    entity_of,
    is_of_other_class,
    measures_named,
    not_held,
    numbers_of,
    price_change,
    series_named,
    shares_named,
)
from services.domains.finance.asks.spans import level_day, market_day, quarter_of, span_of, span_said
from services.domains.finance.asks.vocabulary import (
    BY_ID,
    EVENTS_ONLY,
    FALL,
    NEWS,
    REPORT_DAY,
    RISE,
    SERIES,
    SHARE_WORDS,
)
from services.plugin.asks.answering import Claim
from services.plugin.asks.numbers import Number
from services.plugin.asks.sheet import Sheet
from services.plugin.entities import Entity

_NOT_OURS: Final = (
    r"물건|교환|반품|대출|주담대|적금|예금|청약|장바구니|주문|배송|리뷰|이어폰|노트북|스마트폰|청소기|키보드|환불|쿠폰|계약서|중개|취득세|복비|보고서|종합적|위험도|리스크|시나리오|포트폴리오|요약"
    r"|\bmortgage|\bloan|\blease\b|\btenant|\blandlord|\bcart\b|\border\b|\bshipping|\brefund|headphone|earbuds|laptop|smartphone|\breport on|\bscenario|\bportfolio|summar|overview"
)
_WHOLE: Final = r"요약|보고서|리스크|summar|report|시나리오|scenario|포트폴리오|종합"
"""Words that ask for a whole study, which more than an answer to an ask is made for."""
_HOMES: Final = r"보증금|월세|전세(?!가율)|매매가|평당|아파트(?!\s?(?:값|가격))|오피스텔|빌라|jeonse(?! ratio)|\brent\b|apartment|officetel"
_FUTURE: Final = (
    r"오를까|내릴까|떨어질까|갈까(?!\?*$.*사)|될까\?*$|어떻게\s?될까|전망(?!치)|목표\s?주가|예측|언제\s?(?:오|내|올|회복)|내년에?\s?(?:얼마|어떻게)|내일\s?(?:주가|얼마|오|내)"
    r"|\bwill\b.*\b(?:go|rise|fall|hit|reach|be|climb|drop)|predict|forecast|target price|outlook|going to (?:rise|fall|go|be)|tomorrow|next (?:week|month|year)"
)
_ADVICE: Final = (
    r"살까|팔까|사야|팔아야|사도|팔아도|들어가도|담아도|물타|손절|존버|매수해|매도해|갈아타|사는\s?게|파는\s?게|좋은\s?(?:때|시점|타이밍)|찍어|뭐\s?사|뭘\s?사|추천(?!\s?상품)"
    r"|should i\b|worth (?:buying|investing)|good time to|\bdump\b|\bbuy or\b|a (?:good |strong )?buy\b|recommend|\bpick (?:one|me|a)|which (?:stock|share)s? (?:should|to)|get (?:in|out)\b|hold on to"
)
_CAUSE: Final = r"왜(?!냐)|이유|원인|까닭|때문|어째서|배경|무슨\s?일|\bwhy\b|\breasons?\b|what (?:caused|drove|made|is behind|was behind|happened|explains)|how come|\bbehind\b"
_EFFECT: Final = r"영향|파급|관계|경로|호재|악재|좋아\s?나빠|유리|불리|득|실일까|미치|어떻게\s?(?:돼|되|움직)|어떤가|\baffect|\bimpact|\binfluence|happens? to|(?:good|bad|better|worse) (?:or bad )?(?:for|news)|push(?:es)? up|\bhelp|\bhurt|what does .* mean for|weigh on|\bdo to\b|\blift|relation|\bpaths?\b|\blink"
_IF: Final = r"(?:오르|올리|내리|인상되?|인하되?|하|되|떨어지|높아지|낮아지|강해지|약해지|커지|줄|늘|약세|강세|상승하|하락하|벌어지|좁아지|뛰|빠지)[이]?면|약세면|강세면|\bif\b|\bwhen\b|\bas\b .*(?:rise|fall|climb)|[가-힣]+(?:인상|인하|약세|강세|상승|하락)(?:은|는|이|가|로|시)"
_INVEST: Final = r"샀|넣었|넣어\s?(?:뒀|놨|놓)|투자했|사\s?(?:뒀|놨|두었)|담았|매수했|들어갔|bought|invested|had put|put .* (?:in|into)"
_WORTH: Final = r"몇\s?주|how many shares|shares? (?:can|could|of)|주(?:를|면|의|는|가)?\s?(?:있으면|있는데|가지고|보유|들고|얼마|값|팔면|사려면|사면)|\d\s?주\b|\bshares\b"
_CHANGE_MONEY: Final = (
    r"바꾸|환전|원화로|달러로|몇\s?원|몇\s?달러|how many (?:won|dollars)|convert|exchange|in won|in dollars"
)
_OVER: Final = r"넘|초과|이상|보다\s?(?:비싸|비싼|높|크|위)|웃도|above|over|more than|higher than|exceed|past|at least"
_UNDER: Final = (
    r"아래|미만|이하|밑|보다\s?(?:싸|싼|낮|작)|밑도|내려갔|below|under|less than|lower than|come down to|at most"
)
_ASKS_YES: Final = r"(?:나요|나|어|아|야|가요|니|지|까|음|냐|습니까|어요|아요|는지|임|됨)\s?\?|넘었|넘어|됐어|했어|인가|마이너스|역전|\b(?:is|are|did|does|do|has|have|was|were)\b"
_LOW: Final = r"싸|저렴|낮|작|적|덜|못|꼴찌|하위|최저|빠진|내린|떨어|하락|나쁜|손실|cheap|lower|lowest|less|smallest|worst|least|fallen|\bfell\b|\blos|drop|short of|bottom|declin"
_COMPARED: Final = r"비교|중에|중\s?(?:에서|어디|뭐|누)|더\s|어디가|어느|차이|대비해|높아|낮아|견주|compare|which|versus|\bvs\b|\bor\b|higher|lower|better|difference|gap"
_LOST: Final = r"까먹|손실|마이너스|잃|빠진|내린|하락|떨어진|lost|losing|negative|down\b|fallen"
_WON: Final = r"오른|플러스|수익을?\s?낸|상승|gained|positive|\bup\b|risen|made money"
_MISSED: Final = (
    r"못\s?(?:맞|미치|채)|하회|밑돌|미달|쇼크|\bmiss|short of|below (?:estimate|expect)|fell short|disappoint"
)
_BEAT: Final = r"상회|웃돌|넘|beat|above (?:estimate|expect)|exceed|서프라이즈|better than"
_TOP_COUNT: Final = r"\btop (?P<a>\d{1,2}|two|three|four|five|ten)\b|상위\s?(?P<b>\d{1,2})|(?P<c>\d{1,2})\s?(?:종목|개|위까지|곳)(?:만|$|\s|를|을)|(?P<d>two|three|five|ten) (?:stocks|shares)"
_WORDS: Final = {"two": 2, "three": 3, "four": 4, "five": 5, "ten": 10}
_ORDERED: Final = r"순(?:으로|서|위|대로|$|\s)|\brank\b|\border\b|sort|in order|highest first|lowest first"
_DEFINES: Final = r"(?:이|가|은|는|란|이란)?\s?(?:뭐야|뭐예요|뭐에요|뭔가요|뭐임|뭐지|뭔지|무엇|뭔데)|무슨\s?(?:뜻|말|의미)|뜻|의미|개념|what (?:is|are|does) .*(?:mean|stand for)|\bmean(?:s|ing)?\b|define|definition|explain"
_LONG_INDEX: Final = r"지수(?!\s?는)|index level"


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the asks of a question on markets; a short message edits the last one of them."""
    shares = shares_named(sheet)
    if not shares and sheet.says(_WHOLE) and (claims := _missing(sheet, shares)):
        return claims
    if sheet.says(_NOT_OURS) and not (shares and measures_named(sheet) and not sheet.says(_WHOLE)):
        return ()
    if sheet.says(_HOMES) and not shares and not sheet.of_kind("series"):
        return ()
    for step in (
        _missing,
        _advice,
        _forecast,
        _cause,
        _effect,
        _news,
        _report,
        _sums,
        _crossed,
        _of_class,
        _several,
        _extreme,
        _tested,
        _moved,
        _standing,
    ):
        if claims := step(sheet, shares):
            return (
                claims if not editing.leans(sheet, shares, before) else editing.edited(sheet, shares, before) or claims
            )
    return editing.edited(sheet, shares, before)


def draft(sheet: Sheet, form: AskForm, answerer: str, subjects: Sequence[Entity] = (), **more: object) -> Ask:
    """Return an ask of a question as far as it says the same of all: its words, its day, its country."""
    notes = {"today": market_day(sheet.today).isoformat(), **more.pop("notes", {})}  # type: ignore[dict-item]
    return Ask(
        words=sheet.text,
        start=0,
        end=len(sheet.text),
        form=form,
        subjects=tuple(subjects),
        answerer=answerer,
        intent=intent_of(form, answerer, subjects),
        notes=notes,
        **more,  # type: ignore[arg-type]
    )


def intent_of(form: AskForm, answerer: str, subjects: Sequence[Entity]) -> str:  # noqa: PLR0911 - one for each kind
    """Return the intent whose agents answer an ask of markets."""
    shares = [one for one in subjects if one.kind == "security"]
    if answerer == "effect":
        return "general_macro"
    if answerer == "missing" and not shares:
        return "market_summary"
    if len(shares) > 1:
        return "compare_outlook"
    if shares:
        if form is AskForm.CAUSE:
            return "explain_drop"
        return "us_single_stock" if shares[0].value.startswith("US:") else "kr_single_stock"
    if any(one.kind == "series" for one in subjects):
        return "indicator_lookup"
    return "sector_recommendation"


def spanned(ask: Ask, sheet: Sheet, usual: str = "") -> Ask:
    """Return an ask with the ends of its change; a usual one where the question names none."""
    span = span_of(sheet)
    if span is None and usual:
        return with_usual(ask, usual, sheet)
    if span is None:
        return ask
    notes = {**ask.notes, "span": span.kind, **({"months": str(span.months)} if span.months else {})}
    return replace(ask, against_date=span.base, end_date=span.end, notes=notes)


def with_usual(ask: Ask, usual: str, sheet: Sheet) -> Ask:
    """Return an ask with the span that is meant where none is named: this year, or a day."""
    last = market_day(sheet.today)
    if usual == "day":
        return replace(ask, notes={**ask.notes, "span": "day"})
    return replace(ask, against_date=f"{last.year - 1}-12-31", notes={**ask.notes, "span": "ytd"})


def _missing(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:
    keys = not_held(sheet)
    uncovered = [one for one in shares if one.attributes.get("covered") == "false"]
    other = (is_of_other_class(sheet) or "ETF" in keys) and bool(shares)
    covered = [one for one in shares if one not in uncovered]
    if not (keys or uncovered or other) or sheet.says(_DEFINES) or (covered and not other) or series_named(sheet):
        return ()
    if not (uncovered or other) and sheet.says(_CAUSE) and not sheet.says(SHARE_WORDS):
        pass
    notes = {"missing": "|".join(keys), **({"preferred": "true"} if other else {})}
    form = AskForm.ADVICE if sheet.says(_ADVICE) else AskForm.LEVEL
    return (Claim(draft(sheet, form, "missing", shares, notes=notes), 0.95),)


def _advice(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:
    if (
        not sheet.says(_ADVICE)
        or sheet.says(_INVEST)
        or measures_named(sheet)[:1] in {("per",), ("pbr",), ("dividend_yield",)}
    ):
        return ()
    subjects = shares or [one for one in series_named(sheet, wide=True) if one.value == "KR_USDKRW"]
    if not subjects and not sheet.says(r"주식|종목|관련주|테마주|\bstocks?\b|\bshares?\b"):
        return ()
    ask = draft(sheet, AskForm.ADVICE, "advice", subjects[:2])
    usual = "ytd"
    made = (
        spanned(ask, sheet, usual)
        if shares
        else replace(
            with_usual(ask, usual, sheet),
            against_date=_year_ago(sheet),
            notes={**ask.notes, "span": "back", "months": "12"},
        )
    )
    return (Claim(made, 0.95 if subjects else 0.9),)


def _year_ago(sheet: Sheet) -> str:
    last = market_day(sheet.today)
    return last.replace(year=last.year - 1, day=min(last.day, 28)).isoformat()


def _forecast(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:
    subjects = shares or series_named(sheet, wide=True)
    if not subjects or not sheet.says(_FUTURE) or sheet.says(_EFFECT) or sheet.says(_IF) or len(shares) > 1:
        return ()
    return (Claim(draft(sheet, AskForm.LEVEL, "forecast", subjects[:2]), 0.9),)


def _cause(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:
    subjects = [*shares, *([] if shares else series_named(sheet, wide=True)[:1])]
    if (
        not sheet.says(_CAUSE)
        or not subjects
        or not sheet.says(f"{RISE}|{FALL}|변동|움직|출렁|move|hit|sell-?off|rally")
    ):
        return ()
    fell, rose = sheet.find(FALL), sheet.find(RISE)
    way = "down" if fell and not (rose and rose.start() > fell.start() and not shares) else "up" if rose else ""
    if sheet.says(r"a hit|sell-?off"):
        way = "down"
    if not shares and sheet.says(r"원화\s?약세|weak(?:er|en\w*)?.{0,8}\bwon|won .{0,20}(?:weak|fell|fall)"):
        way = "up"
    ask = draft(sheet, AskForm.CAUSE, "cause", subjects[:3], notes={"way": way} if way else {})
    ask = spanned(ask, sheet, "day" if shares else "ytd")
    if not sheet.says(r"수준|폭|얼마|몇\s?(?:%|퍼|프로)|how much|returns? and|how far"):
        return (Claim(ask, 0.95),)
    size = replace(ask, form=AskForm.CHANGE, answerer="change", measures=("return",))
    return Claim(size, 0.95), Claim(replace(ask, notes={**ask.notes, "beside": "true"}), 0.95)


def _effect(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:
    if (
        not (sheet.says(_EFFECT) or (sheet.says(_IF) and sheet.says(f"{RISE}|{FALL}")))
        or sheet.says(_INVEST)
        or sheet.says(_CHANGE_MONEY)
        or sheet.says(r"worth|몇\s?주|얼마어치|값어치|how many shares|\bcost\b")
    ):
        return ()
    if any(one.unit in {"krw", "years", "shares"} for one in numbers_of(sheet)) or _share_count(
        sheet, numbers_of(sheet)
    ):
        return ()
    series = list(series_named(sheet, wide=True, economy=True))
    if any(one.value == "FEDFUNDS" for one in series):
        series = [
            one
            for one in series
            if not (
                one.value == "KR_BASE_RATE"
                and one.words in {"금리", "rate", "rates", "interest rates", "interest rate"}
            )
        ]
    parts = sorted([*series, *shares], key=lambda one: one.start)
    source, target = _ends(sheet, parts)
    if source is None and target is None:
        return ()
    crowd = target is None and sheet.says(
        r"성장주|기술주|주식|주가|증시|은행주|수출주|growth stocks|\bstocks\b|\bshares\b|equities"
    )
    way = "down" if source is not None and _falls(sheet, source) else "up"
    notes = {
        "way": way,
        "from": source.value if source else "",
        "to": target.value if target else "shares" if crowd else "",
    }
    subjects = [one for one in (source, target) if one is not None]
    subjects = [
        replace(one, label=SERIES[one.value].name.of(sheet.language)) if one.value in SERIES else one
        for one in subjects
    ]
    return (Claim(draft(sheet, AskForm.EFFECT, "effect", subjects, notes=notes), 0.95 if source and target else 0.9),)


def _ends(sheet: Sheet, parts: Sequence[Entity]) -> tuple[Entity | None, Entity | None]:
    """Return where a path begins and where it ends: the condition's subject, and the one that is asked about."""
    if not parts:
        return None, None
    if len(parts) == 1:
        is_source = parts[0].kind == "series" and not sheet.says(
            r"에\s?(?:영향을\s?)?(?:주는|미치는)\s?(?:것|건|지표|요인)|what (?:affects|drives|moves)"
        )
        return (parts[0], None) if is_source else (None, parts[0])
    backwards = (
        sheet.says(r"\b(?:if|when)\b")
        and (condition := sheet.find(r"\b(?:if|when)\b"))
        and condition.start() > parts[0].end
    )
    first, last = (parts[-1], parts[0]) if backwards else (parts[0], parts[-1])
    if first.kind == "security" and last.kind == "series":
        return last, first
    return first, last


def _falls(sheet: Sheet, source: Entity) -> bool:
    """Tell whether the condition says that its subject falls; a weak won is a high dollar."""
    text = sheet.text[max(0, source.start - 12) : source.end + 14]
    sub = replace(sheet, text=text)
    down = sub.find(FALL)
    up = sub.find(RISE)
    falls = down is not None and (up is None or down.start() < up.start())
    if source.value == "KR_USDKRW" and sub.says(r"원화|\bwon\b"):
        falls = not falls if (down or up) else falls
    return falls


def _news(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:
    if not sheet.says(NEWS):
        return ()
    subjects = shares or series_named(sheet, wide=True)
    notes = {"only": "events"} if sheet.says(EVENTS_ONLY) else {}
    country = class_named(sheet)
    if not subjects and not country:
        return ()
    ask = draft(
        sheet,
        AskForm.LIST,
        "news",
        subjects[:2],
        notes={**notes, **({"class": country} if country and not subjects else {})},
    )
    span = span_of(sheet)
    if span is not None and span.kind in {"back", "ytd", "month", "week", "since"}:
        ask = replace(ask, start_date=span.base)
    return (Claim(ask, 0.96 if subjects else 0.85),)


def _report(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:
    if not shares or not sheet.says(REPORT_DAY) or not sheet.says(r"언제|며칠|날짜|발표일|\bwhen\b|\bdate\b|what day"):
        return ()
    is_next = sheet.says(r"다음|\bnext\b|upcoming") and not sheet.says(r"다음[^?]*말고|지난|최근|\blast\b|not the next")
    return (Claim(draft(sheet, AskForm.FACT, "report", shares[:2], notes={"next": "true"} if is_next else {}), 0.95),)


def _sums(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:
    numbers = numbers_of(sheet)
    money = next((one for one in numbers if one.unit in {"krw", "usd"} and one.value >= 1), None)
    count = next((one for one in numbers if one.unit == "shares"), None) or _share_count(sheet, numbers)
    measures = measures_named(sheet)
    if shares and sheet.says(_INVEST) and (money or count):
        quantity = _quantity(count, "shares") if count else _quantity(money, "sum")  # type: ignore[arg-type]
        ask = draft(sheet, AskForm.AMOUNT, "invest", shares[:1], quantities=(quantity,))
        return (Claim(spanned(ask, sheet, "ytd"), 0.95),)
    if len(shares) > 1 and (held := _holdings(sheet, shares, numbers)):
        made = draft(sheet, AskForm.AMOUNT, "holdings", shares[: len(held)], quantities=held, measures=("price",))
        return (Claim(made, 0.95),)
    dividend = "dividend" in measures or "dividend_yield" in measures
    if shares and count and (dividend or sheet.says(_WORTH)):
        made = draft(
            sheet,
            AskForm.AMOUNT,
            "worth",
            shares[:1],
            quantities=(_quantity(count, "shares"), *([moved] if (moved := price_change(sheet)) else [])),
            measures=("dividend" if dividend else "price",),
        )
        return (Claim(made, 0.95),)
    if shares and money and sheet.says(r"몇\s?주|how many (?:\w+ )*shares|shares .* (?:buy|get)|몇\s?개"):
        return (
            Claim(
                draft(
                    sheet,
                    AskForm.AMOUNT,
                    "worth",
                    shares[:1],
                    quantities=(_quantity(money, "sum"),),
                    measures=("price",),
                ),
                0.95,
            ),
        )
    if (
        not shares
        and sheet.says(_CHANGE_MONEY)
        and money
        and money.value > 1
        and sheet.says(r"달러|dollars?|USD|환전|환율")
    ):
        rate = entity_of(SERIES["KR_USDKRW"], sheet)
        ask = draft(sheet, AskForm.AMOUNT, "exchange", (rate,), quantities=(_quantity(money, "sum"),))
        start, end = level_day(sheet)
        return (Claim(replace(ask, start_date=_reach(start, end), end_date=end), 0.95),)
    return ()


def _holdings(sheet: Sheet, shares: Sequence[Entity], numbers: Sequence[Number]) -> tuple[AskQuantity, ...]:
    """Return how many of each of several shares are held, in their order; empty where not each has its number."""
    counts = [one for one in numbers if one.unit in {"shares", "weeks", ""} and one.value >= 1]
    if len(counts) != len(shares):
        return ()
    behind = all(share.start < count.start for share, count in zip(shares, counts, strict=True))
    ahead = all(count.start < share.start for share, count in zip(shares, counts, strict=True))
    if not (behind or ahead) or not sheet.says(r"\d\s?주|shares"):
        return ()
    return tuple(replace(_quantity(one, "shares"), unit="shares") for one in counts)


def _share_count(sheet: Sheet, numbers: Sequence[Number]) -> Number | None:
    match = sheet.find(r"(?:bought|buy|own|hold|have|of)?\s?(?P<n>\d[\d,]*)\s(?:[A-Z][\w&.]*\s){1,3}shares")
    if match is None:
        match = sheet.find(r"(?P<n>\d[\d,]*)\s?주(?=\s|를|면|가|의|는|있|$|\?)")
    if match is None:
        return None
    return next(
        (one for one in numbers if one.start <= match.start("n") < one.end or one.start == match.start("n")), None
    )


def _quantity(number: Number, role: str) -> AskQuantity:
    return AskQuantity(
        role, f"{number.value.normalize():f}", number.unit or "count", number.words, number.start, number.end
    )


_AVERAGE: Final = r"(\d{1,3})\s?일\s?(?:이동\s?)?(?:평균|이평|선)|(\d{1,3})[- ]day (?:moving )?average"
_ASIDE: Final = r"위|아래|밑|넘|above|below|over|under"
_TREND: Final = r"추세|추이|흐름|\btrend|price action|moving average analysis"


def _crossed(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:
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


def _of_class(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:
    """Type a rank or a list over a class of shares, or a rank of three and more that are named."""
    measures = [one for one in measures_named(sheet) if one != "price" or sheet.superlative]
    several = len(shares) > 2 and bool(sheet.superlative or sheet.says(_ORDERED))
    if shares and not several:
        return ()
    name = None if several else class_named(sheet)
    if name is None and not several:
        return ()
    conditions = _conditions(sheet, measures)
    ranks = (
        sheet.superlative is not None
        or sheet.says(_ORDERED)
        or sheet.says(_TOP_COUNT)
        or sheet.says(r"furthest|most\b|biggest|by the most")
    )
    if not (ranks or conditions) or not measures:
        return ()
    if "surprise" in measures:
        measures = ["surprise"]
    specific = [one for one in measures if one not in {"return", "price"}]
    measure = (specific or measures or ["return"])[0]
    if measure == "price" and not sheet.says(r"주가|종가|price|비싼"):
        measure = "return"
    ask = draft(
        sheet,
        AskForm.RANK if ranks else AskForm.LIST,
        "rank" if ranks else "listing",
        shares if several else (),
        measures=(measure,),
        conditions=tuple(conditions),
        notes={"class": name} if name else {},
    )
    ask = replace(ask, descending=_is_most(sheet, measure, ranked=ranks), order_by=measure, count=_count(sheet))
    if measure == "surprise":
        ask = replace(ask, notes={**ask.notes, "quarter": _latest(sheet)})
    elif quarter := quarter_of(sheet):
        ask = replace(ask, notes={**ask.notes, "quarter": quarter})
    if measure == "return":
        ask = spanned(ask, sheet, "ytd")
    return (Claim(ask, 0.95),)


def _latest(sheet: Sheet) -> str:
    named = quarter_of(sheet)
    return "last" if not named or sheet.says(r"지난|직전|최근|이번|last|latest|recent") else named


def _is_most(sheet: Sheet, measure: str, *, ranked: bool) -> bool:
    if sheet.says(r"furthest short|fell (?:furthest|most)|most .{0,12}short"):
        return False
    if measure == "return" and (sheet.says(_LOST) or sheet.says(FALL)):
        return False
    if measure == "surprise" and sheet.says(_MISSED):
        return False
    if not ranked:
        return measure in {"dividend_yield", "return", "surprise"}
    if sheet.superlative is not None and not sheet.superlative.is_most:
        return False
    return not (
        sheet.says(r"낮은|적은|작은|싼|저렴|lowest|smallest|cheapest|ascending")
        and not sheet.says(r"높은|많은|큰|highest|largest")
    )


def _count(sheet: Sheet) -> int:
    match = sheet.find(_TOP_COUNT)
    if match is None:
        return 0
    word = next(value for value in match.groups() if value)
    return _WORDS.get(word.lower(), 0) or int(word)


def _conditions(sheet: Sheet, measures: Sequence[str]) -> list[AskCondition]:
    """Return the conditions on figures of shares: a bound beside its measure, a gain or a loss, a miss."""
    found = []
    if "surprise" in measures and not sheet.superlative:
        if sheet.says(_MISSED):
            found.append(
                AskCondition(
                    "surprise", "lt", "0", "percent", "예상 하회" if sheet.language == "ko" else "below estimates"
                )
            )
        elif sheet.says(_BEAT):
            found.append(
                AskCondition(
                    "surprise", "gt", "0", "percent", "예상 상회" if sheet.language == "ko" else "above estimates"
                )
            )
    if sheet.says(r"no dividends?|pays? nothing|배당(?:을|이)?\s?(?:안|없|않|하지)"):
        found.append(AskCondition("dividend", "eq", "0", "", "배당 없음" if sheet.language == "ko" else "no dividend"))
    for number in numbers_of(sheet):
        field = _field(number, measures)
        if field:
            found.append(
                AskCondition(
                    field, _operator(sheet, number), f"{number.value.normalize():f}", number.unit, number.words
                )
            )
    if not found and "return" in measures and not sheet.superlative and not sheet.says(_ORDERED):
        if sheet.says(_LOST):
            found.append(AskCondition("return", "lt", "0", "percent", "손실" if sheet.language == "ko" else "a loss"))
        elif sheet.says(_WON):
            found.append(AskCondition("return", "gt", "0", "percent", "수익" if sheet.language == "ko" else "a gain"))
    return found


def _field(number: Number, measures: Sequence[str]) -> str:
    if number.unit in {"percent", "percentage_point"}:
        return next((one for one in measures if BY_ID[one].unit == "percent"), "")
    if number.unit in {"times", ""} and (number.unit == "times" or number.bound):
        return next((one for one in measures if BY_ID[one].unit == "times"), "")
    return ""


def _operator(sheet: Sheet, number: Number) -> str:
    if number.bound in {"lt", "le", "gt", "ge"}:
        return number.bound
    behind = sheet.text[number.end : number.end + 14]
    near = replace(sheet, text=behind)
    if near.says(r"안\s?넘|넘지|이하"):
        return "le"
    if near.says(_OVER):
        return "ge" if near.says("이상|at least") else "gt"
    if near.says(_UNDER):
        return "lt"
    wide = replace(sheet, text=sheet.text[max(0, number.start - 24) : number.start])
    if wide.says(_UNDER):
        return "lt"
    return "gt" if wide.says(_OVER) or sheet.says(_OVER) else "lt"


def _several(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:
    """Type a comparison of two and more shares, or of series."""
    series = (
        []
        if shares
        else list(
            series_named(
                sheet, wide=sheet.says(r"금리|물가|rate|inflation|unemploy|실업") and len(countries_named(sheet)) > 1
            )
        )
    )
    subjects = shares if len(shares) > 1 else series
    if len(subjects) < 2 or not (sheet.says(_COMPARED) or len(shares) > 1):
        return ()
    if not shares and not sheet.says(
        r"비교|차이|배(?:가|를|나|보다|\s)|times|더|어디|높|낮|compare|differ|higher|lower|which|gap|versus|\bvs"
    ):
        return ()
    measures = tuple(one for one in measures_named(sheet) if not (one == "price" and len(measures_named(sheet)) > 1))
    if shares and not measures:
        measures = ("return", "per")
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
            sheet.says(r"더\s?(?:싸|저렴|낮|작|적|덜)|싼\s|낮은|저평가|cheap|\blower\b|lowest|smaller")
            or ("return" in measures and sheet.says(FALL) and not sheet.says(RISE))
        ),
    )
    yearly = not shares and all(SERIES[one.value].yearly for one in subjects)
    if "return" in measures and shares:
        ask = spanned(ask, sheet, "ytd")
    elif not shares and sheet.says(r"올랐|올라|변화|상승|change|moved"):
        ask = spanned(ask, sheet, "" if yearly else "ytd")
    if quarter := quarter_of(sheet):
        ask = replace(ask, notes={**ask.notes, "quarter": quarter})
    return (Claim(ask, 0.95),)


def _extreme(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:
    top = sheet.superlative
    subjects = shares or series_named(sheet, wide=True)
    if top is None or not subjects or any(one for one in measures_named(sheet) if BY_ID[one].items):
        return ()
    ask = draft(sheet, AskForm.FACT, "extreme", subjects[:2], descending=top.is_most)
    span = span_of(sheet)
    if span is not None and span.base and span.kind != "day":
        end = span.end
        said = span_said(
            replace(ask, against_date=span.base, notes={**ask.notes, "span": span.kind, "months": str(span.months)})
        )
        ask = replace(
            ask, start_date=span.base, end_date=end, notes={**ask.notes, "span_ko": said.ko, "span_en": said.en}
        )
    return (Claim(ask, 0.95),)


def _tested(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:  # noqa: PLR0911 - one for each kind of test
    """Type a question of yes or no on a level: over a bound, inverted, beaten, below zero."""
    measures = measures_named(sheet)
    if shares and "surprise" in measures and (sheet.says(_BEAT) or sheet.says(_MISSED)) and sheet.says(_ASKS_YES):
        notes = {
            "quarter": _latest(sheet),
            **({"missed": "true"} if sheet.says(_MISSED) and not sheet.says(r"\bor\b|아니면") else {}),
        }
        return (Claim(draft(sheet, AskForm.VERDICT, "beat", shares[:2], measures=("surprise",), notes=notes), 0.95),)
    real = sheet.says(r"실질\s?금리|real (?:interest |policy )?rate")
    if sheet.says(r"역전|invert") and not sheet.says(_DEFINES):
        spread = entity_of(SERIES["T10Y2Y"], sheet)
        test = AskCondition("level", "lt", "0", "points", "0")
        verdict = draft(sheet, AskForm.VERDICT, "verdict", (spread,), conditions=(test,), notes={"inverted": "true"})
        others = [
            one for one in series_named(sheet, wide=True) if one.value not in {"T10Y2Y", "KR_BASE_RATE", "FEDFUNDS"}
        ]
        first = (Claim(draft(sheet, AskForm.LEVEL, "level", others), 0.95),) if len(others) > 1 else ()
        return (*first, Claim(verdict, 0.95))
    if real and sheet.says(r"마이너스|플러스|음수|양수|negative|positive|below zero|above zero"):
        low = sheet.says(r"마이너스|음수|negative|below zero")
        test = AskCondition("real", "lt" if low else "gt", "0", "percent", "0%")
        country = (countries_named(sheet) or (("KR",) if sheet.language == "ko" else ("US",)))[0]
        return (
            Claim(
                draft(
                    sheet,
                    AskForm.VERDICT,
                    "verdict",
                    (entity_of(SERIES["KR_BASE_RATE" if country == "KR" else "FEDFUNDS"], sheet),),
                    conditions=(test,),
                    notes={"real": country},
                ),
                0.95,
            ),
        )
    subjects = shares[:1] or series_named(sheet, wide=True)[:1]
    times = any(one.unit == "times" for one in numbers_of(sheet))
    if times and not shares:
        return ()
    if (
        not subjects
        or not (sheet.says(_OVER) or sheet.says(_UNDER))
        or not sheet.says(_ASKS_YES)
        or (sheet.says(r"\bif\b|면\s") and not sheet.says(r"빼면"))
    ):
        return ()
    number = _bound_number(sheet, subjects[0])
    if number is None or sheet.says(r"얼마나|how much"):
        return ()
    measure = next((one for one in measures if BY_ID[one].unit in {"times", "percent"} and one != "return"), "price")
    test = AskCondition(
        measure if shares else "level",
        _operator(sheet, number),
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


def _bound_number(sheet: Sheet, subject: Entity) -> Number | None:
    fits = {"krw", "usd", "percent", "percentage_point", "times", "points", ""}
    numbers = [
        one
        for one in numbers_of(sheet)
        if one.unit in fits and not (one.unit == "usd" and one.value == 1 and subject.value == "KR_USDKRW")
    ]
    return next((one for one in numbers if one.bound), numbers[-1] if numbers else None)


def _moved(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:  # noqa: PLR0911 - each tells why it is none
    """Type how a share or a series has moved."""
    measures = measures_named(sheet)
    span = span_of(sheet)
    subjects = [*shares, *([] if shares else series_named(sheet, wide=True))]
    accounts = [one for one in measures if one not in {"return", "price", "volume", "surprise"}]
    compared = span is not None and span.kind in {"yoy", "mom", "qoq"}
    wants = (
        "return" in measures
        or sheet.wants(AskForm.CHANGE)
        or compared
        or sheet.says(rf"{RISE}|{FALL}|달라졌|변했|추이|흐름|move|changed?|trend|늘었|줄었")
    )
    if not subjects or not wants or sheet.says(_DEFINES):
        return ()
    if len(accounts) > 0 and not compared and not sheet.says(r"늘|줄|증가|감소|grow|grew|increase|decrease|change"):
        return ()
    if shares and not accounts and not span and "return" not in measures and not sheet.wants(AskForm.CHANGE):
        return ()
    if (
        not shares
        and span is None
        and not sheet.says(r"얼마나|추이|흐름|변화|moved?|change|올랐|내렸|올라|trend|increase|늘었|줄었")
    ):
        return ()
    series = [one for one in subjects if one.kind == "series"]
    if series and SERIES[series[0].value].yearly and (span is None or span.kind == "yoy"):
        return (Claim(draft(sheet, AskForm.CHANGE, "level", series[:2]), 0.95),)
    if shares and len(measures) > 1 and "return" in measures and not compared:
        names = tuple(one for one in measures)
        return (Claim(spanned(draft(sheet, AskForm.LEVEL, "level", shares[:3], measures=names), sheet, "ytd"), 0.95),)
    ask = draft(sheet, AskForm.CHANGE, "change", subjects[:2], measures=tuple(accounts) or ("return",))
    ask = spanned(ask, sheet, "yoy" if accounts else "ytd")
    if accounts and "span" not in ask.notes:
        ask = replace(ask, notes={**ask.notes, "span": "yoy"})
    if quarter := quarter_of(sheet):
        ask = replace(ask, notes={**ask.notes, "quarter": quarter}, end_date="")
    return (Claim(ask, 0.95 if shares or sheet.of_kind("series") else 0.9),)


def _standing(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:  # noqa: C901 - parts of one ask
    """Type what a share or a series stands at."""
    measures = [one for one in measures_named(sheet) if one != "surprise" or shares]
    if (
        sheet.says(_DEFINES)
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
    asks_level = bool(measures) or sheet.wants(AskForm.LEVEL) or bool(series) or sheet.says(r"어때|how is|how'?s|실적")
    if shares and not asks_level:
        return ()
    if "dividend_yield" in measures:
        measures = [one for one in measures if one != "dividend"]
    if sheet.says(r"실적|earnings") and not [one for one in measures if one not in {"price", "return"}]:
        measures = ["revenue", "operating_income", "net_income", "surprise"]
    wanted = tuple(
        dict.fromkeys(
            one
            for one in measures
            if not (one == "price" and len(measures) > 1 and not sheet.says(r"주가|종가|share price|stock price|close"))
        )
    ) or ("price",)
    if shares and not measures and sheet.says(r"어때|how is|how'?s"):
        wanted = ("price", "return", "per")
    country = (countries_named(sheet) or (("KR",) if sheet.language == "ko" else ("US",)))[0]
    notes = {"real": country} if sheet.says(r"실질\s?금리|real (?:interest |policy )?rate") else {}
    if quarter := quarter_of(sheet):
        notes["quarter"] = quarter
    ask = draft(
        sheet,
        AskForm.LEVEL,
        "level",
        [*shares[:3], *_apart(series, shares)[:4]],
        measures=wanted if shares else (),
        notes=notes,
        conditions=_if_condition(sheet, wanted) if shares else (),
    )
    start, end = level_day(sheet)
    accounts = shares and all(BY_ID[one].items and not BY_ID[one].priced for one in wanted)
    if accounts and not quarter and start and start[5:] == "01-01" and end[5:] == "12-31":
        ask = replace(ask, notes={**ask.notes, "year": start[:4]})
    elif not accounts and "return" not in wanted:
        ask = replace(ask, start_date=_reach(start, end), end_date=end)
    if "return" in wanted:
        ask = spanned(ask, sheet, "ytd")
    sure = bool(sheet.of_kind("security") or sheet.of_kind("series") or (shares and measures))
    return (Claim(ask, 0.95 if sure else 0.9),)


def _reach(start: str, end: str) -> str:
    """Return the first day of a level; of one day as far back as the market was last open before it."""
    if start and start == end:
        from datetime import date, timedelta  # noqa: PLC0415

        return (date.fromisoformat(start) - timedelta(days=9)).isoformat()
    return start


def _apart(series: Sequence[Entity], shares: Sequence[Entity]) -> list[Entity]:
    """Return the series that are asked beside shares: those that the text names by their own names."""
    return [
        one
        for one in series
        if not shares
        or one.value not in {"KR_BASE_RATE", "KR_USDKRW"}
        or one.words in {"환율", "기준금리", "원달러 환율", "원/달러 환율"}
    ]


def _if_condition(sheet: Sheet, measures: Sequence[str]) -> tuple[AskCondition, ...]:
    if not sheet.says(r"\bif\b|(?:이면|으면|라면|넘으면|아래면|낮으면|높으면)"):
        return ()
    return tuple(
        _conditions(
            replace(sheet), [one for one in measures if BY_ID[one].unit in {"times", "percent"} and one != "return"]
        )
    )
