"""When a lease ends that is named by its first day and its length."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm, AskQuantity, Said
from services.domains.realty import calculators as calc
from services.domains.realty.asks.proved import ACT, ALONE, SEARCH, done, law_calls, law_proofs, law_said, own_evidence
from services.plugin.asks.answering import CERTAIN, Answerer, Call, Claim, Found, Outcome, answered
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import day_said, filled
from services.text.patterns import Pattern

_BEGINS: Final = Pattern(r"부터|\b(?:from|since|starting)\b", re.IGNORECASE)
_LEASE: Final = r"계약|임대차|전세|월세|거주|살기|입주|\blease\b|tenan|\brent|contract"
_ENDS: Final = (
    r"만료|만기|끝나|끝일|종료|언제까지|며칠까지|마지막\s?날|\bends?\b|expire|\bexpiry\b|last day|until when|\bover\b"
)

_SILENT: Final = (
    r"묵시|자동\s?(?:으로\s?)?(?:연장|갱신)|(?:아무\s?말|말)\s?없이\s?(?:연장|갱신)|silent|implied|automatic"
)
_NOTICE: Final = r"통지|통보|알렸|알린|알리|말했|해지|나간다고|나가겠다고|\bnotice\b|\btold\b|terminat"
_NOTICE_MONTHS: Final = 3


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the ask for the last day of a lease."""
    del before
    if (notice := _of_notice(sheet)) is not None:
        return (notice,)
    if not sheet.says(_LEASE) or not sheet.says(_ENDS) or sheet.says("갱신|renew|통지|notice"):
        return ()
    return claimed(sheet)


def _of_notice(sheet: Sheet) -> Claim | None:
    """Return the ask for the day on which a silently renewed lease ends after a notice whose day is named."""
    days = [first for first, last, _ in sheet.periods if first == last]
    if len(days) != 1 or not (sheet.says(_SILENT) and sheet.says(_NOTICE) and sheet.says(_ENDS)):
        return None
    ask = Ask(words=sheet.text, end=len(sheet.text), form=AskForm.FACT, intent="LEGAL_CONSULT", answerer="notice_end")
    return Claim(replace(ask, start_date=days[0].isoformat()), CERTAIN, is_whole=True)


def claimed(sheet: Sheet) -> Sequence[Claim]:
    """Return the ask for the last day, of a question that is known to be one."""
    days = [one for one in sheet.periods if one[0] == one[1] or _BEGINS.search(one[2])]
    months = sum(int(one.as_months) for one in sheet.numbers if one.unit in {"years", "months"})
    if len(days) != 1 or not months:
        return ()
    term = AskQuantity("months", str(months), "months")
    ask = Ask(words=sheet.text, end=len(sheet.text), form=AskForm.FACT, intent="LEGAL_CONSULT", quantities=(term,))
    return (Claim(replace(ask, answerer="lease_end", start_date=days[0][0].isoformat()), 0.96, is_whole=True),)


def _answer(ask: Ask, found: Found) -> Outcome:
    start = date.fromisoformat(ask.start_date)
    months = int(Decimal(ask.quantities[0].value))
    try:
        end = calc.lease_end(start, months)
    except ValueError:
        end = calc.lease_end(start, int(calc.INPUTS["months"].high))
    term = Said(_term(months, "년", "개월"), _term(months, " years", " months"))
    sentence = filled(
        "{start}부터 {term}이면 {end}에 끝납니다.",
        "A lease of {term} from {start} ends on {end}.",
        start=day_said(start),
        term=term,
        end=day_said(end),
    )
    note = Said(
        "첫날을 넣어 세므로 마지막 날은 같은 날의 하루 전입니다.",
        "The first day counts, so that it ends on the day before the same date.",
    )
    return done(answered(ask, sentence, cautions=(note,)), own_evidence(ask, found))


def _notice_calls(ask: Ask) -> Sequence[Call]:
    del ask
    return law_calls((ACT, "6-2"))


def _after_notice(ask: Ask, found: Found) -> Outcome:
    """Return the day on which a silently renewed lease ends: three months after the landlord has the notice."""
    told = date.fromisoformat(ask.start_date)
    sentence = filled(
        "집주인이 {told}에 해지 통지를 받았다면 3개월이 지난 {end}에 계약이 끝납니다{law}.",
        "If the landlord had the notice on {told}, the lease ends three months later, on {end}{law}.",
        told=day_said(told),
        end=day_said(calc.months_later(told, _NOTICE_MONTHS)),
        law=law_said(found),
    )
    note = Said(
        "묵시적으로 갱신된 계약을 세입자가 끝내는 경우이며, 통지가 집주인에게 닿은 날부터 셉니다.",
        "This is for a tenant who ends a silently renewed lease; the day the notice reaches the landlord counts.",
    )
    return done(answered(ask, sentence, cautions=(note,)), own_evidence(ask, found), *law_proofs(found))


def _term(months: int, year: str, month: str) -> str:
    years, rest = divmod(months, 12)
    return " ".join(part for part in (f"{years}{year}" if years else "", f"{rest}{month}" if rest else "") if part)


ANSWERERS: Final = (
    Answerer("lease_end", ALONE, _answer),
    Answerer("notice_end", SEARCH, _after_notice, _notice_calls),
)
