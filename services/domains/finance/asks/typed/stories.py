"""Types what is told rather than computed: news, reports, causes, advice, forecasts, what no data holds."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import Ask, AskForm
from services.domains.finance.asks.absent import (
    PREFERRED,
    is_of_other_class,
    not_held,
    things_not_held,
    words_of,
)
from services.domains.finance.asks.drafting import DEFINES, SECTORS, draft, spanned, with_usual
from services.domains.finance.asks.named import (
    class_named,
    measures_named,
    numbers_of,
    preferred_shares,
    series_named,
)
from services.domains.finance.asks.spans import market_day, months_before, span_of
from services.domains.finance.asks.typed.classes import count_asked
from services.domains.finance.asks.typed.effects import EFFECT, IF
from services.domains.finance.asks.typed.sums import INVEST
from services.domains.finance.asks.vocabulary import (
    EVENTS_ONLY,
    FALL,
    HELD_AGAINST,
    NEWS,
    REPORT_DAY,
    RISE,
    TOLD,
)
from services.domains.finance.planning import sector_of, sectors_named
from services.plugin.asks.answering import CERTAIN, Claim
from services.plugin.asks.sheet import Sheet
from services.plugin.entities import Entity
from services.text.ko.morphemes import morphemes
from services.text.patterns import Pattern

FUTURE: Final = (
    r"(?:갈|될|오를|내릴|떨어질|빠질|나올)\s?(?:것|거)\s?(?:같|예상)|(?:오르|내리|떨어지|빠지|가|되|뛰)려나|(?:오를|내릴|갈|될)(?:라나|지도)|앞으로는?\s?(?:어떨|어떻|얼마|더|계속|오|내|떨어)|향후|(?:내년|내달|다음\s?(?:달|주|해|분기))[^?]{0,14}(?:얼마|어떨|어떻게|몇|오르|내리|떨어|빠지|뛰|까\?*$)"
    r"|오를까|내릴까|떨어질까|갈까(?!\?*$.*사)|될까\?*$|어떻게\s?될까|전망(?!치)|목표\s?(?:주가|가)|예측|예상(?:은|이|해|하[나니]|되|돼)(?!\s?(?:보다|대비|치))|언제\s?(?:오|내|올|회복)|내년에?\s?(?:얼마|어떻게)|(?:\d|몇|수|한|두|세)\s?(?:년|개월|달|주일?)\s?(?:뒤|후)(?:에|엔|의|에는)?\s[^?]{0,10}(?:주가|가격|얼마|환율|금리|값)|(?:내일|모레)[^?]{0,14}(?:주가|얼마|오를|오르|내릴|내리|어때|어떨|몇)"
    r"|\bwill\b.*\b(?:go|rise|fall|hit|reach|be|climb|drop)|predict|forecast|target price|price targets?|outlook|going to (?:rise|fall|go|be)|tomorrow|next (?:week|month|year)|\bin (?:\d+|a|an|one|two|three|five|ten) (?:more )?(?:weeks?|months?|years?)(?: time)?\W*$|(?:years?|months?|weeks?) from now"
)
_IN_MY_PLACE: Final = r"(?:너|당신|네|니)\S{0,2}(?:라면|\s?같으면)|\bwould you (?:still |ever |personally )?(?:buy|sell|hold|keep|invest|put|touch|go for|get (?:in|out))\b"
"""Words that ask what hapju itself would do with a share."""
_ADVICE: Final = _IN_MY_PLACE + (
    r"|고민(?:중|\s|이|돼|되|입)|몰빵|올인|살까|팔까|사야|팔아야|사도|팔아도|들어가도|담아도|물타|손절|존버|매수해|매도해|갈아[타탈]|(?:사|모아)\s?(?:두|놓|모으|들이)[는면]|(?:두|놓|모으)는\s?게|사는\s?게|파는\s?게|좋은\s?(?:때|시점|타이밍)|찍어|뭐\s?사|뭘\s?사|추천(?!\s?상품)"
    r"|should i\b|worth (?:buying|investing)|(?:good|bad|right|wrong|best|worst|great|terrible|fine) (?:time|moment|day) (?:to|for)\b|\bdump(?:ing)?\b|(?:good|bad|smart|wise|sensible|terrible) (?:idea|move|call)\b|cash(?:ing)? out|bail(?:ing)? (?:out|on)|\bbuy or\b|a (?:good |strong )?buy\b|recommend|\bpick (?:one|me|a)|which (?:stock|share)s? (?:should|to)|get (?:in|out)\b|hold on to"
)
_CAUSE: Final = r"왜(?!냐)|이유|원인|까닭|때문|어째서|배경|무슨\s?일|\bwhy\b|\breasons?\b|what (?:caused|drove|pushed|moved|made|is behind|was behind|happened|explains)|how come|\bbehind\b"


_WRONG: Final = r"왜\s?(?:이래|그래|저래|이러|그러|이렇|그렇|이런|그런)|무슨\s?일|what(?:'s| is| has| was)?\s(?:been\s)?(?:going on|happen\w*|wrong|up) (?:with|to)"
"""Words that ask what is the matter, whatever way it went."""


_AGAINST: Final = rf"{HELD_AGAINST}|\b(?:cheaper|dearer|bigger|higher|lower|more|less)\b"


def type_missing(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:
    """Type what names something that no data holds."""
    shares = shares or preferred_shares(sheet)
    keys = (*not_held(sheet), *(("업종",) if _ranges_over_sectors(sheet, shares) else ()))
    uncovered = [one for one in shares if one.attributes.get("covered") == "false"]
    other = (is_of_other_class(sheet) or "ETF" in keys) and bool(shares)
    covered = [one for one in shares if one not in uncovered]
    if (keys or uncovered) and covered and not other and sheet.says(_AGAINST) and not sheet.says(DEFINES):
        # What a share is held against is not there: that is said first, and how the share did by itself.
        ask = draft(
            sheet,
            AskForm.COMPARE,
            "missing",
            (*covered[:2], *uncovered[:2], *things_not_held(sheet)),
            measures=("return",),
            notes={"missing": "|".join(keys), "absent": words_of(sheet, keys), "beside": "1"},
        )
        return (Claim(spanned(ask, sheet, "ytd"), 0.95),)
    of_share = set(keys) <= _OF_SHARES and not numbers_of(sheet)
    if not (keys or uncovered or other) or sheet.says(DEFINES) or (covered and not (other or (keys and of_share))):
        return ()
    absent = things_not_held(sheet)
    # The rate inside "deposit rates" is none of its own.
    series = [one for one in series_named(sheet) if not any(one.start < it.end and it.start < one.end for it in absent)]
    if series and keys != _OTHER_SECTOR and not sheet.says(HELD_AGAINST):
        return ()
    said = sheet.find(PREFERRED)
    notes = {"missing": "|".join(keys), "absent": words_of(sheet, keys)}
    notes |= {"preferred": said.group() if said else "true"} if other else {}
    form = AskForm.ADVICE if sheet.says(_ADVICE) else AskForm.LEVEL
    asked, of_index = measures_named(sheet)[:1], bool(keys) and sheet.says(_POINTS)
    return (
        Claim(
            draft(sheet, form, "missing", shares, measures=asked, notes=notes),
            CERTAIN if other or of_index else 0.95,
            is_whole=other or of_index,
        ),
    )


_POINTS: Final = r"포인트|\bpoints?\b"
"""What an index is counted in, and no points of a shop."""


_OF_SHARES: Final = frozenset({"세금", "배당일"})
"""Keys of what is in no data for a covered share either: what is paid on it to the state, and when it pays."""
_OTHER_SECTOR: Final = ("다른 업종",)
"""The key of a sector that no data holds, whatever is said to work on it."""


def _ranges_over_sectors(sheet: Sheet, shares: Sequence[Entity]) -> bool:
    """Tell whether a question asks how sectors did against each other; which will do well is advice."""
    asks = sheet.superlative or sheet.says(
        r"잘\s?(?:나가|나갔|됐|버)|성과|수익|올랐|오른|\bdid\b|perform|strong|weak|\brose\b|\bfell\b"
    )
    return not shares and bool(asks) and sheet.says(SECTORS) and not (sheet.says(_ADVICE) or sheet.says(FUTURE))


def type_advice(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:
    """Type whether to buy, to sell, to wait; shares or a deposit."""
    or_saved = bool(shares) and sheet.says(_SAVED) and sheet.says(_CHOOSES)
    if (
        not (sheet.says(_ADVICE) or or_saved)
        or (sheet.says(INVEST) and not sheet.says(_SHOULD_I))
        or measures_named(sheet)[:1] in {("per",), ("pbr",), ("dividend_yield",)}
    ):
        return ()
    subjects = shares or [one for one in series_named(sheet, wide=True) if one.value == "KR_USDKRW"]
    if not subjects and not class_named(sheet) and not sheet.says(SECTORS):
        return ()
    ask = draft(sheet, AskForm.ADVICE, "advice", subjects[:2])
    if not subjects and (sector := next(iter(sectors_named(sheet.text)), None)) is not None:
        words, ids = sector
        ask = replace(ask, notes={**ask.notes, "class": f"={','.join(ids)}", "sector": words})
    usual = "ytd"
    if shares and (beside := _beside_advice(sheet, ask, shares)):
        return beside
    made = (
        spanned(ask, sheet, usual)
        if shares
        else replace(
            with_usual(ask, usual, sheet),
            against_date=_year_ago(sheet),
            notes={**ask.notes, "span": "back", "months": "12"},
        )
    )
    return (Claim(made, 0.95 if subjects else 0.9, is_whole=or_saved),)


_SAVED: Final = r"예금|적금|저축|은행에|\bdeposits?\b|\bsavings?\b|\bbank\b"
_CHOOSES: Final = r"아니면|나을|나은|낫|보다|\bor\b|\bvs\b|versus|\bbetter\b"
"""Holds a share against money that is put by."""


def _beside_advice(sheet: Sheet, ask: Ask, shares: Sequence[Entity]) -> Sequence[Claim]:
    """Return advice and the change of a time that another sentence asks for; nothing where none does."""
    parts = [sheet.part(one) for one in sheet.clauses]
    spans = [one for one in parts if not one.says(_ADVICE) and span_of(one) is not None]
    own = [one for one in parts if one.says(_ADVICE)]
    if len(spans) != 1 or len(own) != 1 or len(parts) != len([*spans, *own]):
        return ()
    moved = draft(sheet, AskForm.CHANGE, "change", shares[:2], measures=("return",))
    return Claim(spanned(ask, own[0], "ytd"), 0.95), Claim(spanned(moved, spans[0], "ytd"), 0.95)


_SHOULD_I: Final = (
    rf"{_IN_MY_PLACE}|\bshould i\b|(?:넣|담|투자)(?:어|아|해)?도?\s?(?:될|되|돼|괜찮)|(?:넣을|담을|투자할)까"
)
"""Words that ask whether to put money in, which else tell that it was."""


def _year_ago(sheet: Sheet) -> str:
    last = market_day(sheet.today)
    return last.replace(year=last.year - 1, day=min(last.day, 28)).isoformat()


def type_forecast(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:
    """Type what will be, which nothing here tells."""
    subjects = shares or series_named(sheet, wide=True)
    if (
        not subjects
        or not sheet.says(FUTURE)
        or sheet.says(REPORT_DAY)
        or sheet.says(EFFECT)
        or sheet.says(IF)
        or len(shares) > 1
    ):
        return ()
    return (Claim(draft(sheet, AskForm.LEVEL, "forecast", subjects[:2]), 0.9),)


def type_cause(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:
    """Type why something moved."""
    subjects = [*shares, *([] if shares else series_named(sheet, wide=True)[:1])]
    if (
        not sheet.says(_CAUSE)
        or not subjects
        or not (
            sheet.says(f"{RISE}|{FALL}|변동|움직|출렁|mov(?:e|ing)|push|hit|sell-?off|rally")
            or (shares and sheet.says(_WRONG))
        )
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
    if shares and span_of(sheet) is None and sheet.says(_LATELY):
        ask = replace(ask, against_date=_month_ago(sheet), notes={**ask.notes, "span": "back", "months": "1"})
    if not sheet.says(r"수준|폭|얼마|몇\s?(?:%|퍼|프로)|how much|returns? and|how far"):
        return (Claim(ask, 0.95),)
    size = replace(ask, form=AskForm.CHANGE, answerer="change", measures=("return",))
    return Claim(size, 0.95), Claim(replace(ask, notes={**ask.notes, "beside": "true"}), 0.95)


_LATELY: Final = r"요즘|요새|최근|근래|lately|recently|these days|of late"
"""Words of a time without ends, which is taken for a month."""


def _month_ago(sheet: Sheet) -> str:
    return months_before(market_day(sheet.today), 1).isoformat()


def type_news(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:
    """Type the news and announcements of a share, a series, a class."""
    if not sheet.says(NEWS):
        return ()
    subjects = shares or series_named(sheet, wide=True)
    notes = {"only": "events"} if sheet.says(EVENTS_ONLY) else {}
    sector = None if subjects else sector_of(sheet.text, TOLD)
    country = f"={','.join(sector[1])}" if sector else class_named(sheet)
    if not subjects and not country and not sheet.says(_OF_ALL):
        return ()
    if sector:
        notes["sector"] = sector[0]
    ask = draft(
        sheet,
        AskForm.LIST,
        "news",
        subjects[:2],
        notes={**notes, **({"class": country} if country and not subjects else {})},
        count=count_asked(sheet) or (1 if sheet.says(_ONE_ITEM) else 0),
    )
    span = span_of(sheet)
    if sheet.periods:
        start, end, _ = sheet.periods[0]
        ask = replace(ask, start_date=start.isoformat(), end_date=end.isoformat())
    elif span is not None and span.kind in {"back", "ytd", "month", "week", "since"}:
        ask = replace(ask, start_date=span.base)
    return (Claim(ask, 0.96 if subjects or sheet.says(TOLD) else 0.85),)


_OF_ALL: Final = (
    rf"(?:경제|금융|증시|시장|주식|투자)\s?(?:관련\s?)?(?:{TOLD})|(?:{TOLD}) (?:about|on|from|in) (?:the )?(?:econom|market|financ)"
    rf"|(?:econom\w*|market|financ\w+|business|money)\s(?:{TOLD})"
)
"""Words for the news of all that is covered."""
_ONE_ITEM: Final = r"(?:하나|한\s?(?:개|건))만|\b(?:the |just (?:the )?)?(?:latest|newest|last|one) (?:headline|news item|story|article)\b"


_UNKNOWN: Final = Pattern(
    r"^\W*(?:the\s)?(?P<name>[A-Z가-힣][A-Za-z가-힣&]{1,19}?)(?:['’]s)?\s(?:지금\s|오늘\s|현재\s)?"
    r"(?:주가|시총|시가총액|PER|PBR|배당(?:수익률)?|(?:share|stock) price|stock|shares|market cap|P/E)(?:[는은이가])?\s?(?:지금\s?)?"
    r"(?:얼마\S*|몇\S*|알려\S*|보여\S*|어때\S*|좀\s?알려\S*|now|today|right now)?\W*$"
)


def type_unknown(sheet: Sheet) -> Sequence[Claim]:
    """Type what is asked of a share whose name is nobody's here; a common noun before the price is no name."""
    match = None if sheet.of_kind("security") or sheet.of_kind("series") else _UNKNOWN.match(sheet.text.strip())
    if match is None or class_named(replace(sheet, text=match["name"])) is not None:
        return ()
    tags = {tag for one in morphemes(match["name"]) for tag in one.tags}
    if not tags & _NAMING or sheet.of_kind("country"):
        return ()
    name = match["name"]
    share = Entity("security", f"?:{name}", name, name, attributes={"covered": "false"})
    return (Claim(draft(sheet, AskForm.LEVEL, "missing", (share,), notes={"missing": ""}), 0.9),)


_NAMING: Final = frozenset({"NNP", "SL"})
"""Tags of proper nouns and of words in foreign letters."""


def type_report(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:
    """Type the day of a report."""
    if not shares or not sheet.says(REPORT_DAY) or not sheet.says(r"언제|며칠|날짜|발표일|\bwhen\b|\bdate\b|what day"):
        return ()
    is_next = sheet.says(r"다음|\bnext\b|upcoming") and not sheet.says(r"다음[^?]*말고|지난|최근|\blast\b|not the next")
    return (Claim(draft(sheet, AskForm.FACT, "report", shares[:2], notes={"next": "true"} if is_next else {}), 0.95),)
