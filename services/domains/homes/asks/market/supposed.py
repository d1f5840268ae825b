"""What a mean that stands would come to, should it go up or down by a share: "거기서 5% 오르면 얼마가 돼?"."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskForm, AskQuantity, Said
from services.domains.homes.asks.said import PRICES, figure_said, measure_said, nothing, titled
from services.domains.homes.asks.sides import kind_of, level_calls, reads_of
from services.plugin.asks.answering import Answerer, Found, Outcome, answered
from services.plugin.asks.edits import short
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import filled, percent, proof

ANSWERER: Final = "market_supposed"
_UP: Final = (
    r"오르|올라|오른|뛰|상승|(?<![오하])늘|\b(?:rise[sn]?|rose|go(?:es)? up|went up|increase[sd]?|gain(?:s|ed)?)\b"
)
_DOWN: Final = r"내리|내려|떨어|빠지|빠진|하락|(?<![려여해])줄|\b(?:fall(?:s|en)?|fell|drop(?:s|ped)?|go(?:es)? down|decrease[sd]?|lose[s]?)\b"
_IF: Final = r"면(?=[\s,?]|$)|다고\s?(?:치|하)|\bif\b|\bsuppose\b|\bwere to\b"
_WORDS_MAX: Final = 11


def supposed(sheet: Sheet, now: Ask, last: Ask | None) -> Ask | None:
    """Return the last level moved by the one share that a message names; None for another message."""
    shares = [one for one in sheet.numbers if one.unit == "percent"]
    sums = any(one.unit == "krw" for one in sheet.numbers)
    up, down = sheet.says(_UP), sheet.says(_DOWN)
    if last is None or not last.answerer.endswith(("market_level", ANSWERER)) or len(last.subjects) != 1:
        return None
    if len(shares) != 1 or sums or up == down or not sheet.says(_IF) or not short(sheet.text, _WORDS_MAX):
        return None
    if now.measures not in {(), last.measures} or len(last.measures) != 1:
        return None
    value = shares[0].value if up else -shares[0].value
    share = AskQuantity("share", f"{value.normalize():f}", "percent", shares[0].words, shares[0].start, shares[0].end)
    subjects = now.subjects if len(now.subjects) == 1 else tuple(replace(one, start=0, end=0) for one in last.subjects)
    return replace(
        last,
        words=sheet.text,
        start=0,
        end=len(sheet.text),
        form=AskForm.AMOUNT,
        answerer=ANSWERER,
        subjects=subjects,
        quantities=(share,),
    )


def _answer(ask: Ask, found: Found) -> Outcome:
    measure, share = ask.measures[0], Decimal(ask.quantities[0].value)
    read = next((one for one in reads_of(ask, found) if one.row.number(measure) is not None), None)
    if read is None:
        return Outcome(nothing(ask))
    value = read.row.number(measure) or Decimal(0)
    moved = value * (100 + share) / 100
    piece = proof(read.reading, titled(PRICES, read.place_said()), found.asking.locale, "market")
    sentence = filled(
        "{place} {kind}의 평균 {measure} {value}에서 {share} {way} {moved:이/가} 됩니다({gap} {side}).",
        "The mean {measure} of {kind} in {place}, {value}, would be {moved} after {way_en} of {share} ({gap} {side}).",
        place=read.place_said(),
        kind=kind_of(ask, read.side),
        measure=measure_said(ask, measure),
        value=figure_said(ask, value, measure),
        moved=figure_said(ask, moved, measure),
        share=percent(abs(share), 2),
        gap=figure_said(ask, abs(moved - value), measure),
        way=Said("오르면" if share > 0 else "내리면", ""),
        way_en=Said("", "a rise" if share > 0 else "a fall"),
        side=Said("증가", "more") if share > 0 else Said("감소", "less"),
    )
    note = Said(
        "말씀하신 비율로 셈한 값이며 예측이 아닙니다.",
        "It is reckoned with the share that you named, and is no forecast.",
    )
    return Outcome(answered(ask, sentence, evidence_ids=(piece.evidence_id,), cautions=(note,)), evidence=(piece,))


ANSWERERS: Final[Sequence[Answerer]] = (
    Answerer(ANSWERER, ("realty.search", "finance.real_estate"), _answer, level_calls),
)
