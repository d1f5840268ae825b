"""What a message of a word or two leans on: the homes that were just told, with a place, a figure or a kind named anew."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm
from services.domains.homes.asks.homes_named import dong_of
from services.domains.homes.gazetteer import gazetteer
from services.plugin.asks.edits import compares as compares_with
from services.plugin.asks.sheet import Sheet
from services.plugin.entities import Entity
from services.text.patterns import Pattern

APART: Final = r"차이|차액|격차|difference|\bgap\b"
"""Asks how far apart two figures are."""
_GAP_TOLD: Final = rf"{APART}|(?<![가-힣])갭"
"""What stands apart of two prices that were told, a purchase with the jeonse left in it too."""


def completed(now: Ask, sheet: Sheet, last: Ask | None, before: Sequence[AskedBefore]) -> Ask:
    """Return an ask of market prices with what its few words leave to the one before."""
    now = _with_told_gap(_with_bare_place(now, sheet, last), sheet, last, before)
    now = _with_bare_deposit(now, sheet, last)
    return _with_kind_of(last, _with_bare_ratio(now, sheet, last))


def _with_bare_place(now: Ask, sheet: Sheet, last: Ask | None) -> Ask:
    """Return an ask with a place whose name is a word too, where homes are being compared: "구리랑 비교해줘"."""
    if now.subjects or last is None or not compares_with(sheet):
        return now
    words = sheet.text.split()[:1] if sheet.language == "ko" else _CAPITAL.findall(sheet.text)
    names = [next((word.removesuffix(end) for end in _PARTICLES if word.endswith(end)), word) for word in words]
    known = {name: {place.code for place in gazetteer().names.get(name.lower(), ())} for name in names}
    name, codes = next(((name, codes) for name, codes in known.items() if len(codes) == 1), ("", {""}))
    code = codes.pop()
    if not code:
        return now
    district = gazetteer().districts[code]
    label = district.name if sheet.language == "ko" else district.name_en
    return replace(now, subjects=(Entity("region", code, label, words=name),))


_BOTH_PRICES: Final = ("sale_price", "jeonse_deposit")


def _with_told_gap(now: Ask, sheet: Sheet, last: Ask | None, before: Sequence[AskedBefore]) -> Ask:
    """Return an ask for the gap of the sale price and the jeonse that were told: "두 개 차이가 얼마야?"."""
    both = last is not None and len(last.subjects) == 1 and set(_BOTH_PRICES) <= _measures_told(last, before)
    if not both or now.subjects or now.measures or not sheet.says(_GAP_TOLD):
        return now
    return replace(now, measures=_BOTH_PRICES, form=AskForm.LEVEL, notes={**now.notes, "gap": "1"})


def _measures_told(last: Ask, before: Sequence[AskedBefore]) -> set[str]:
    """Return the figures that were told of the homes of the last ask, by it and by the message before it."""
    asks = (ask for message in before[:2] for ask in message.asks if ask.answerer == last.answerer)
    return {one for ask in asks if _homes_of(ask) == _homes_of(last) for one in ask.measures}


def _homes_of(ask: Ask) -> tuple[object, ...]:
    """Return which homes an ask is about: their places, kinds and conditions."""
    kinds = (ask.notes.get("property_type"), ask.notes.get("kinds"), ask.notes.get("complex"))
    places = tuple((one.value, dong_of(one)) for one in ask.subjects)
    return places, kinds, ask.conditions, ask.start_date, ask.end_date


_CAPITAL: Final = Pattern(r"\b[A-Z][a-z]+\b")
_DEPOSIT: Final = (
    r"^\W*(?:(?:그럼|그러면|그리고|아|참|근데|그런데|and|then|what about|how about|so|how much is|what is|what['’]s)[,\s]\s?)*(?:the\s)?(?:평균\s)?(?:보증금|deposits?)(?:은|는|도|이)?"
    r"(?:\s?(?:평균|얼마|요|이야|인가|어때|정도|필요|넣어야|내야|걸어야|있어야|드나|들어|되|돼|나요)\S*){0,5}\W*$"
)
"""Asks for the deposit and for nothing beside it."""


def _with_bare_deposit(now: Ask, sheet: Sheet, last: Ask | None) -> Ask:
    """Return an ask for the deposit of the homes that were just told of: "보증금은?"."""
    told = last is not None and last.answerer == "homes.market_level"
    if last is None or not told or now.subjects or now.measures or not sheet.says(_DEPOSIT):
        return now
    rented = "monthly_rent" in last.measures or last.notes.get("deal") == "monthly_rent"
    return replace(now, measures=("rent_deposit",) if rented else ("jeonse_deposit",))


_RATIO_ALONE: Final = r"^\W*(?:(?:so|and|then|ok|그럼|그러면) )*(?:what(?:['’]?s| is| would be) (?:the|their|its) ratio|비율(?:은|이)?(?:\s?(?:얼마|몇|어때)\S*)?)\W*$"


def _with_bare_ratio(now: Ask, sheet: Sheet, last: Ask | None) -> Ask:
    """Return an ask for the ratio of the jeonse that was just told to the price: "so what is the ratio"."""
    told = last is not None and {"sale_price", "jeonse_deposit"} & set(last.measures)
    return replace(now, measures=("jeonse_ratio",)) if told and not now.measures and sheet.says(_RATIO_ALONE) else now


def _with_kind_of(last: Ask | None, now: Ask) -> Ask:
    """Return an ask for the place of the one before, named anew or lent, with its kind of homes where it names none."""
    if last is None or not now.subjects or {"property_type", "kinds"} & now.notes.keys():
        return now
    lent = not any(one.end for one in now.subjects)
    if not lent and {one.value for one in now.subjects} != {one.value for one in last.subjects}:
        return now
    kept = {name: last.notes[name] for name in ("property_type", "kinds") if name in last.notes}
    return replace(now, notes={**now.notes, **kept})


_PARTICLES: Final = ("이랑", "랑", "하고", "와", "과", "는", "은", "도", "")
