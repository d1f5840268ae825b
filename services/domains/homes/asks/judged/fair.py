"""Whether a stated price is dear or cheap for its place: held against the mean of the deals there."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskForm, AskQuantity, Ground, Said
from services.domains.homes.asks import market
from services.domains.homes.asks.homes_named import HOME_WORDS, applied, deal_types
from services.domains.homes.asks.said import PRICES, figure_said, measure_said, nothing, titled
from services.domains.homes.asks.sides import Read, kind_of, level_calls, reads_of
from services.plugin.asks.answering import Answerer, Claim, Found, Outcome, answered
from services.plugin.asks.numbers import Number
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import filled, listed, percent, proof, sentences

ANSWERER: Final = "market_fair"
_END: Final = r"(?=[\s?.!,]|$)"
JUDGES: Final = (
    rf"(?<!더 )(?<!제일 )(?<!가장 )(?:비싼|싼|저렴한)\s?(?:편|건(?:가|지)|가요?{_END}|거(?:야|예요|에요|죠|지|임|냐|네){_END})|(?<!더 )(?<!제일 )(?<!가장 )비싸(?:요|지|죠|나|냐|게)?{_END}|비싸게|싸게\s?(?:사|산|구한|얻)|적정|적당|바가지|눈탱이|호구"
    r"|괜찮은\s?(?:가격|값|금액|편)|시세(?:보다|대로|에\s?(?:맞|비해|견주)|\s?대비|(?:랑|와|하고)\s?비(?:교|슷))|(?:too|so) (?:much|high|dear|expensive)|\bexpensive\b|overpric|\bfair\b|reasonable|good (?:price|deal)|rip[- ]?off|(?:above|below) (?:the )?market|\bcheap\b(?!er|est)"
)
"""Asks whether a price is high for what it is."""
NEAR: Final = Decimal(10)
"""Within so many percent of the mean a price is an ordinary one: homes of a district differ by more than that."""
_RANGE: Final = {
    "sale_price": ("sale_low", "sale_high"),
    "jeonse_deposit": ("jeonse_low", "jeonse_high"),
    "monthly_rent": ("rent_low", "rent_high"),
}
_RENTED: Final = ("monthly_rent", "rent_deposit")


def read(sheet: Sheet) -> Sequence[Claim]:
    """Return the ask whether the sum that a message names is much for a home in the place that it names."""
    rented = "monthly_rent" in deal_types(sheet)
    # "1000에 90" of a rent counts in 만원.
    sums = [one for one in sheet.numbers if not one.bound and (one.unit == "krw" or (rented and one.is_bare))]
    if (
        len(sheet.of_kind("region")) != 1
        or not 0 < len(sums) < 3
        or not sheet.says(JUDGES)
        or market.asks_advice(sheet)
    ):
        return ()
    now = market.drafted(sheet, AskForm.LEVEL)
    if not (sheet.says(HOME_WORDS) or "property_type" in now.notes) or now.start_date or now.notes.get("kinds"):
        return ()
    if len(sums) > 1 and not rented:
        return ()
    measures = _RENTED if rented else (("jeonse_deposit",) if now.notes.get("deal") == "jeonse" else ("sale_price",))
    notes = {"property_type": "apartment", **now.notes}
    asked = replace(
        now,
        form=AskForm.LEVEL,
        answerer=ANSWERER,
        measures=(*measures, *_RANGE[measures[0]]),
        quantities=_quantities(measures, sums),
        conditions=tuple(one for one in now.conditions if one.field == "area_m2"),
        notes=notes,
        order_by="",
    )
    return (Claim(asked, 0.95),)


def _quantities(measures: Sequence[str], sums: Sequence[Number]) -> tuple[AskQuantity, ...]:
    """Return the sums with the measures that they are held against: of a rent and its deposit the smaller is the rent."""
    ordered = sorted(sums, key=lambda one: one.as_won)
    return tuple(
        AskQuantity(measure, f"{one.as_won:f}", "krw", one.words, one.start, one.end)
        for measure, one in zip(measures, ordered, strict=False)
    )


def _answer(ask: Ask, found: Found) -> Outcome:
    read_ = next(iter(reads_of(ask, found)), None)
    held = [] if read_ is None else [one for one in ask.quantities if read_.row.number(one.role)]
    if read_ is None or not held:
        return Outcome(nothing(ask))
    shares = [_share(read_, one) for one in held]
    piece = proof(read_.reading, titled(PRICES, read_.place_said()), found.asking.locale, "market")
    answer = answered(
        ask,
        sentences(_judged(ask, read_, held, shares), _held(ask, read_, held, shares)),
        evidence_ids=(piece.evidence_id,),
        conditions=applied(ask),
        grounds=tuple(Ground(one, (piece.evidence_id,)) for one in _range(ask, read_)),
        cautions=() if any(one.field == "area_m2" for one in ask.conditions) else (SIZES,),
    )
    return Outcome(answer, evidence=(piece,))


def _share(one: Read, held: AskQuantity) -> Decimal:
    """Return by how many percent a sum lies above the mean, below it where negative."""
    mean = one.row.number(held.role) or Decimal(1)
    return (Decimal(held.value) - mean) * 100 / mean


def _judged(ask: Ask, one: Read, held: Sequence[AskQuantity], shares: Sequence[Decimal]) -> Said:
    """Return what a price is for its place; nothing is said where rent and deposit point apart."""
    place, kind = one.place_said(), kind_of(ask, one.side)
    ways = {0 if abs(share) <= NEAR else (1 if share > 0 else -1) for share in shares}
    if {1, -1} <= ways:
        return filled(
            "월세와 보증금이 서로 다른 쪽이라 한마디로 비싸다거나 싸다고 할 수 없습니다.",
            "The rent and the deposit point in different directions, so it is neither simply dear nor simply cheap.",
        )
    way = max(ways, key=abs)
    sums = listed([figure_said(ask, Decimal(one_.value), one_.role) for one_ in held])
    return filled(
        "{sums:은/는} {place} {kind} {deal}로 {told}.",
        "{sums} is {told_en} for {deal} of {kind} in {place}.",
        sums=sums,
        place=place,
        kind=kind,
        deal=_DEAL_SAID[ask.measures[0]],
        told=TOLD[way],
        told_en=TOLD[way],
    )


TOLD: Final = {
    1: Said("비싼 편입니다", "on the expensive side"),
    0: Said("평균과 비슷한 값입니다", "close to the average"),
    -1: Said("싼 편입니다", "on the cheap side"),
}
"""What a price above, near or below the mean is."""
_DEAL_SAID: Final = {
    "sale_price": Said("매매", "the sale"),
    "jeonse_deposit": Said("전세", "jeonse"),
    "monthly_rent": Said("월세", "the monthly rent"),
}
SIZES: Final = Said(
    "크기가 다른 집을 모두 합친 평균이라, 면적을 말씀해 주시면 그 크기끼리 견줍니다.",
    "The mean is over homes of all sizes; name the floor area and I will compare homes of that size.",
)


def _held(ask: Ask, one: Read, held: Sequence[AskQuantity], shares: Sequence[Decimal]) -> Said:
    """Return by how much each sum lies off the mean."""
    parts = []
    for given, share in zip(held, shares, strict=True):
        mean = one.row.number(given.role) or Decimal(0)
        gap = Decimal(given.value) - mean
        parts.append(
            filled(
                "평균 {measure} {mean}보다 {gap}({share}) {way}",
                "{gap} ({share}) {way} the mean {measure} of {mean}",
                measure=measure_said(ask, given.role),
                mean=figure_said(ask, mean, given.role),
                gap=figure_said(ask, abs(gap), given.role),
                share=percent(abs(share), 1),
                way=Said("높습니다", "above") if gap > 0 else Said("낮습니다", "below"),
            )
        )
    return sentences(*(Said(f"{part.ko}.", f"It is {part.en}.") for part in parts))


def _range(ask: Ask, one: Read) -> list[Said]:
    low, high = (one.row.number(name) for name in _RANGE[ask.measures[0]])
    if low is None or high is None:
        return []
    measure = ask.measures[0]
    return [
        filled(
            "최근 거래는 {low}에서 {high} 사이입니다({count}건).",
            "Recent deals lie between {low} and {high} ({count} deals).",
            low=figure_said(ask, low, measure),
            high=figure_said(ask, high, measure),
            count=f"{one.row.row_count:,}",
        )
    ]


ANSWERERS: Final = (Answerer(ANSWERER, ("realty.search", "finance.real_estate"), _answer, level_calls),)
