"""Loans on offer, in order of rate, limit or term: which bank is cheapest, which of two lends more."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm, Ground, Said, Told
from services.domains.realty.asks.proved import SEARCH, money
from services.plugin.asks.answering import Answerer, Call, Claim, Found, Outcome, answered, declined
from services.plugin.asks.edits import short
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import (
    QueryRow,
    filled,
    listed,
    percent,
    placed,
    points,
    proof,
    query,
    rows_of,
    sentences,
    where,
)

_LOAN: Final = r"(?<!최)대출(?!력|구)|융자|주담대|\bloans?\b|\bmortgages?\b|\blend(?:s|ing)?\b|borrow"
_PURPOSES: Final = (
    ("jeonse", r"전세|jeonse"),
    ("credit", r"신용|마이너스\s?통장|credit|personal|unsecured"),
    ("mortgage", r"주담대|담보|주택|집|아파트|mortgage|home|house"),
)
_NAMES: Final = {
    "jeonse": Said("전세대출", "jeonse loan"),
    "credit": Said("신용대출", "credit loan"),
    "mortgage": Said("주택담보대출", "mortgage"),
    "": Said("대출", "loan"),
}
_MEASURES: Final = (
    ("early_repayment_fee_percent", r"중도\s?상환|early[- ]repayment|prepayment"),
    ("term_years_max", r"기간|만기|몇\s?년|longest|\bterm\b|\byears\b"),
    ("limit_krw", r"한도|많이|더\s?빌|lends? (?:the )?(?:more|most)|\blimit\b|ceiling|how much does"),
    ("rate_low_percent", r"금리|이자|싼|싸|저렴|낮|\brates?\b|cheap|interest"),
)
_SAID: Final = {
    "rate_low_percent": Said("최저 금리", "starting rate"),
    "limit_krw": Said("한도", "limit"),
    "term_years_max": Said("최장 기간", "longest term"),
    "early_repayment_fee_percent": Said("중도상환수수료율", "early-repayment fee"),
}
_FIELDS: Final = (
    *("loan_id", "bank_ko", "bank_en", "name_ko", "name_en", "purpose", "rate_low_percent", "rate_high_percent"),
    *("limit_krw", "term_years_max", "income_max_krw", "early_repayment_fee_percent", "homeless_only"),
)
_WANTED: Final = (
    r"제일|가장|젤|최저|낮은|순(?:으로|서)?|어느\s?은행|어디(?:가|서|은행)?|무슨\s?은행|비교|차이|뭐가|더\s|어떤\s?(?:게|거|은행|대출)|목록|종류|상품|금리\s?(?:알려|얼마|좀|어때|보여|가\s?어떻)"
    r"|lowest|cheapest|highest|longest|biggest|largest|most|which|compare|\brank|\blist|\bsort|order|rates?\b.*\?"
)
_LISTS: Final = (
    r"(?:뭐|뭐가|뭐뭐|무엇이|어떤\s?(?:게|거|것))\s?있|(?:어떤|무슨)\s?(?:대출|상품)|종류|목록|대출\s?상품|나온\s?(?:거|게|것)"
    r"|\b(?:what|which)\b.{0,24}\bloans?\b|\blist\b|\bkinds? of\b|\bloans? (?:are there|do you have)"
)
"""Words that ask which loans there are."""
_NOT_HERE: Final = r"지원|정책|디딤|버팀|기준\s?금리|지표|왜|전망|오르면|내리면|추이|추세|갚|상환액|월\s?얼마|얼마까지|support|programme|base rate|\bwhy\b|outlook|trend|repay\b|a month"
_OF_PERSON: Final = r"자격|받을\s?수|가능|추천|맞는|맞아|suits?|recommend|eligible"
"""Words of a person's own chances, which an order of loans does not tell; a list of them serves whoever asks for one."""
_AHEAD: Final = (
    r"(?:대출|융자|주담대)[^.?]{0,8}(?:금리|이자|이율)[^.?]{0,12}(?:(?:오르|올라가|내리|내려가|떨어지|낮아지|높아지|움직이|바뀌|변하)(?:나|니|는(?!\s?(?:이유|게\s?왜))|려나|지(?!\s?않))|(?:오를|올라갈|내릴|내려갈|떨어질|낮아질|높아질|움직일|바뀔|변할)(?:까|지|런지|거|것|라나)?)"
    r"|\b(?:will|would|does|do|should|going to|gonna|can)\b[^.?]{0,24}\b(?:mortgages?|loans?)\b[^.?]{0,10}\b(?:rates?|interest)\b[^.?]{0,16}\b(?:rise|go up|go down|come down|fall|drop|change|follow|move|increase|decrease)"
)
"""Asks whether the rates of loans will move, which nothing here tells."""
_HIGH: Final = frozenset({"limit_krw", "term_years_max"})


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the ask for loans in order of a figure, or for two of them side by side."""
    if (edit := _edited(sheet, before)) is not None:
        return (Claim(edit, 0.9),)
    if any(one.unit in {"krw", "percent", "percentage_point"} for one in sheet.numbers):
        return ()
    purpose = next((name for name, words in _PURPOSES if sheet.says(words)), "")
    if sheet.says(_AHEAD):
        ask = _drafted(sheet, AskForm.EFFECT, "rate_low_percent", purpose, answerer="loan_rates_ahead")
        return (Claim(ask, 0.97),)
    lists = sheet.says(_LISTS)
    is_wanted = sheet.says(_LOAN) and (lists or sheet.says(_WANTED)) and not sheet.of_kind("region")
    if not is_wanted or sheet.says(_NOT_HERE) or (sheet.says(_OF_PERSON) and not lists):
        return ()
    by_rate = "rate_low_percent" if lists and purpose else ""
    measure = next((name for name, words in _MEASURES if sheet.says(words)), by_rate)
    if not measure:
        return ()
    superlative = sheet.superlative
    ranks = superlative is not None or sheet.says(r"순(?:으로|서)|낮은|어느\s?은행|which bank|\brank|\bsort|in order")
    high = superlative.is_most if superlative is not None else measure in _HIGH
    form = AskForm.RANK if ranks else AskForm.COMPARE if sheet.wants(AskForm.COMPARE) else AskForm.LIST
    ask = _drafted(sheet, form, measure, purpose)
    return (Claim(replace(ask, descending=high), 0.96),)


def _drafted(sheet: Sheet, form: AskForm, measure: str, purpose: str, *, answerer: str = "loan_offers") -> Ask:
    return Ask(
        words=sheet.text,
        end=len(sheet.text),
        form=form,
        intent="LOAN_CONSULT",
        answerer=answerer,
        measures=(measure,),
        order_by=measure,
        notes={"purpose": purpose},
    )


def _edited(sheet: Sheet, before: Sequence[AskedBefore]) -> Ask | None:
    """Return the last ask for loans with another purpose or measure, where a short message names one."""
    last = next((one for message in before[:2] for one in message.asks if one.answerer == "realty.loan_offers"), None)
    purpose = next((name for name, words in _PURPOSES if sheet.says(words)), "")
    measure = next((name for name, words in _MEASURES if sheet.says(words)), "")
    if last is None or not (purpose or measure) or not short(sheet.text, 3) or sheet.numbers or sheet.of_kind("region"):
        return None
    high = measure in _HIGH if measure else last.descending
    return replace(
        last,
        words=sheet.text,
        start=0,
        end=len(sheet.text),
        measures=(measure,) if measure else last.measures,
        order_by=measure or last.order_by,
        descending=high,
        notes={**last.notes, **({"purpose": purpose} if purpose else {})},
    )


def _calls(ask: Ask) -> Sequence[Call]:
    purpose = ask.notes.get("purpose", "")
    return [
        query(
            "loans",
            _FIELDS,
            mode="rows",
            filters=[where("purpose", purpose)] if purpose else [],
            order_by=ask.order_by,
            descending=ask.descending,
            limit=20,
        )
    ]


def _answer(ask: Ask, found: Found) -> Outcome:
    measure = ask.measures[0]
    rows = [row for row in rows_of(found.readings) if row.number(measure) is not None]
    kind = _NAMES[ask.notes.get("purpose", "")]
    if not rows:
        return Outcome(declined(ask, filled("{kind} 자료가 없습니다.", "There is no data on a {kind}.", kind=kind)))
    named = [row for row in rows if _is_named(row, ask.words)]
    piece = proof(found.readings[0], Said("대출 상품", "Loans"), found.asking.locale, "loan")
    ids = (piece.evidence_id,)
    told = tuple(Told("loan", row.text("loan_id"), row.text("name_ko")) for row in named or rows)
    lines = tuple(Ground(_line(row), ids) for row in (named or rows)[:10])
    sentence = _compared(named, measure) if len(named) == 2 else _ranked(rows, ask, kind)
    return Outcome(answered(ask, sentence, evidence_ids=ids, grounds=lines, told=told), evidence=(piece,))


def _is_named(row: QueryRow, words: str) -> bool:
    text = words.lower()
    bank = row.text("bank_ko").removesuffix("은행").removesuffix("저축")
    return (bank and bank in text) or row.text("bank_en").split()[0].lower() in text.split()


def _ranked(rows: Sequence[QueryRow], ask: Ask, kind: Said) -> Said:
    measure = ask.measures[0]
    parts = [filled("{name} {value}", "{name} {value}", name=_name(row), value=_value(row, measure)) for row in rows]
    way = Said("높은", "highest") if ask.descending else Said("낮은", "lowest")
    if measure == "term_years_max":
        way = Said("긴", "longest") if ask.descending else Said("짧은", "shortest")
    rest = listed(parts[1:3])
    if len(parts) == 1:
        return filled("{kind:은/는} {first} 하나입니다.", "The only {kind} is {first}.", kind=kind, first=parts[0])
    first = filled(
        "{kind} 가운데 {measure:이/가} 가장 {way} 것은 {first}이고, 다음은 {rest}입니다(모두 {total}개).",
        "The {kind} with the {way} {measure} is {first}; then come {rest} (of {total}).",
        kind=kind,
        measure=_SAID[measure],
        way=way,
        first=parts[0],
        rest=rest,
        total=str(rows[0].total),
    )
    return sentences(placed(ask, parts)[1], first)


def _compared(rows: Sequence[QueryRow], measure: str) -> Said:
    low, high = sorted(rows, key=lambda row: row.number(measure) or Decimal(0))
    gap = (high.number(measure) or Decimal(0)) - (low.number(measure) or Decimal(0))
    more = measure in _HIGH
    first, second = (high, low) if more else (low, high)
    differs = money(gap) if measure == "limit_krw" else Said(f"{gap:f}년", f"{gap:f} years")
    if measure.endswith("_percent"):
        differs = points(gap)
    if gap == 0:
        return filled(
            "{measure:은/는} {value:으로/로} 같습니다.",
            "The {measure} is the same, {value}.",
            measure=_SAID[measure],
            value=_value(low, measure),
        )
    return filled(
        "{measure:은/는} {first} 쪽이 더 {way}: {fv}, {second} {sv}로 {gap} 차이입니다.",
        "{first} has the {way} {measure}: {fv} against {sv} of {second}, a difference of {gap}.",
        measure=_SAID[measure],
        way=Said("큽니다", "higher, more generous") if more else Said("낮습니다", "lower"),
        first=_name(first),
        second=_name(second),
        fv=_value(first, measure),
        sv=_value(second, measure),
        gap=differs,
    )


def _name(row: QueryRow) -> Said:
    bank, name = row.named("bank"), row.named("name")
    stem = bank.ko.removesuffix("은행").removesuffix("저축")
    ko = name.ko if name.ko.startswith(stem) else f"{bank.ko} {name.ko}"
    en = name.en if name.en.split()[0] == bank.en.split()[0] else f"{bank.en}'s {name.en}"
    return Said(ko, en)


def _value(row: QueryRow, measure: str) -> Said:
    value = row.number(measure) or Decimal(0)
    if measure == "limit_krw":
        return money(value)
    if measure == "term_years_max":
        return Said(f"{int(value)}년", f"{int(value)} years")
    return percent(value, 2)


def _span(row: QueryRow) -> Said:
    """Return the lowest and the highest rate of a loan."""
    low, high = (percent(row.number(name) or 0, 2) for name in ("rate_low_percent", "rate_high_percent"))
    return filled("연 {low}~{high}", "{low} to {high}", low=low, high=high)


def _line(row: QueryRow) -> Said:
    conditions = []
    if row.number("homeless_only"):
        conditions.append(Said("무주택", "no home owned"))
    if (income := row.number("income_max_krw")) is not None:
        conditions.append(filled("연소득 {sum} 이하", "income up to {sum}", sum=money(income)))
    extra = listed(conditions)
    return filled(
        "{name}: {rates}, 한도 {limit}, 최장 {years}년{extra}",
        "{name}: {rates}, up to {limit}, {years} years at most{extra}",
        name=_name(row),
        rates=_span(row),
        limit=money(row.number("limit_krw") or Decimal(0)),
        years=str(int(row.number("term_years_max") or 0)),
        extra=Said(f" ({extra.ko})", f" ({extra.en})") if conditions else Said("", ""),
    )


_UNKNOWN: Final = Said(
    "대출 금리가 오를지 내릴지는 자료로 알 수 없어 답할 수 없습니다. 변동금리는 기준금리와 함께 움직이는 시장 금리를 따라 정해진 주기로 바뀌고, 고정금리는 약정한 동안 그대로입니다.",
    "The data cannot tell whether loan rates will rise or fall. A variable rate follows market rates, which move with the "
    "base rate, at set intervals; a fixed rate stays as agreed.",
)


def _ahead(ask: Ask, found: Found) -> Outcome:
    """Return that nothing here tells where the rates of loans go, and what they are now."""
    rows = rows_of(found.readings)
    if not rows:
        return Outcome(declined(ask, _UNKNOWN))
    piece = proof(found.readings[0], Said("대출", "Loans"), found.asking.locale, "loans")
    lines = tuple(
        Ground(filled("{name} {value}", "{name} {value}", name=_name(row), value=_span(row)), (piece.evidence_id,))
        for row in rows[:3]
    )
    return Outcome(declined(ask, _UNKNOWN, grounds=lines, evidence_ids=(piece.evidence_id,)), evidence=(piece,))


ANSWERERS: Final = (
    Answerer("loan_offers", SEARCH, _answer, _calls),
    Answerer("loan_rates_ahead", SEARCH, _ahead, _calls),
)
