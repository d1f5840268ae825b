"""What may be said where someone asks whether to buy, or what prices will be: what is known, and whose decision it is."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskForm, Ground, Said
from services.domains.homes.asks import changes
from services.domains.homes.asks.said import PRICES, nothing, titled, value_said
from services.domains.homes.asks.sides import Read, kind_of, level_calls, reads_of
from services.plugin.asks.answering import Call, Found, Outcome, answered, declined
from services.plugin.asks.telling import filled, listed, percent, proof, sentences

_TOLD: Final = ("sale_price", "jeonse_deposit", "jeonse_ratio", "deal_count")
_OF_RENT: Final = ("jeonse_deposit", "monthly_rent", "rent_deposit")
_HIGH_RATIO: Final = 80


def advice_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls that read what homes cost now and how that has moved."""
    return [*level_calls(_level(ask)), *changes.change_calls(_change(ask))] if ask.subjects else []


def _level(ask: Ask) -> Ask:
    named = tuple(one for one in ask.measures if one in _OF_RENT)
    return replace(ask, measures=tuple(dict.fromkeys((*named, *(_OF_RENT if named else _TOLD[:3])))))


def _change(ask: Ask) -> Ask:
    measure = "jeonse_deposit" if set(ask.measures) & set(_OF_RENT) else "sale_price"
    return replace(ask, form=AskForm.CHANGE, measures=(measure,))


def advice(ask: Ask, found: Found) -> Outcome:
    """Return the price, what speaks for and against, and that the decision is the person's own."""
    if not ask.subjects:
        return Outcome(answered(ask, _RENT_OR_JEONSE) if ask.notes.get("between") else declined(ask, _NOWHERE))
    reads = reads_of(_level(ask), found)
    moved = changes.change(_change(ask), found)
    if not reads:
        return Outcome(nothing(ask))
    told = sentences(*(_level_said(_level(ask), one) for one in reads))
    pieces = [proof(one.reading, titled(PRICES, one.place_said()), found.asking.locale, "market") for one in reads]
    lines = [Ground(moved.answer.sentence)] if moved.evidence and moved.answer.sentence is not None else []
    answer = answered(
        ask,
        Said(f"{told.ko} {_OWN.ko}", f"{told.en} {_OWN.en}"),
        evidence_ids=tuple(one.evidence_id for one in (*pieces, *moved.evidence)),
        grounds=(*lines, *(Ground(one) for one in _weighing(ask, reads[0]))),
    )
    return Outcome(answer, evidence=(*pieces, *moved.evidence))


_OWN: Final = Said(
    "어느 쪽을 권하지는 않으며, 결정은 본인이 직접 판단하셔야 합니다.",
    "I do not recommend either way; the decision is your own.",
)


_NOWHERE: Final = Said(
    "어느 쪽을 권하지는 않으며, 결정은 본인이 직접 판단하셔야 합니다. 지역과 집 종류를 말씀해 주시면 그곳의 시세와 추이를 보여 드립니다.",
    "I do not recommend either way; the decision is your own. Name a district and a kind of home, and I will show what they cost "
    "there and how that has moved.",
)


_RENT_OR_JEONSE: Final = Said(
    "어느 쪽을 권하지는 않으며 결정은 본인이 하셔야 합니다. 견줄 것은 전세 보증금의 대출 이자(또는 그 돈을 굴렸을 이자)와 월세, 그리고 보증금을 "
    "돌려받지 못할 위험입니다. 보증금, 월세, 대출 금리를 말씀해 주시면 한 달 부담을 계산해 드립니다.",
    "I do not recommend either way; the decision is your own. Compare the interest on the jeonse deposit (borrowed or forgone) "
    "with the monthly rent, and weigh the risk of not getting a large deposit back. Tell me the deposit, the rent and the loan "
    "rate, and I will work out what each costs a month.",
)


def _level_said(ask: Ask, one: Read) -> Said:
    names = {
        "sale_price": Said("매매가", "sale price"),
        "jeonse_deposit": Said("전세 보증금", "jeonse deposit"),
        "monthly_rent": Said("월세", "monthly rent"),
        "rent_deposit": Said("월세 보증금", "deposit of a monthly rent"),
        "jeonse_ratio": Said("전세가율", "jeonse ratio"),
    }
    parts = [
        filled("{name} {value}", "{name} {value}", name=names[name], value=value)
        for name in ask.measures
        if name in names and (value := value_said(ask, one.row, name)) is not None
    ]
    return filled(
        "{place} {kind:은/는} 평균 {parts}입니다.",
        "{kind} in {place}: {parts} on average.",
        place=one.place_said(),
        kind=kind_of(ask, one.side),
        parts=listed(parts),
    )


def _weighing(ask: Ask, one: Read) -> list[Said]:
    ratio = one.row.number("jeonse_ratio")
    if set(ask.measures) & set(_OF_RENT):
        return [
            Said(
                "전세: 다달이 나가는 돈은 이자뿐이지만 큰 보증금을 돌려받지 못할 위험이 있습니다.",
                "Jeonse: only interest goes out each month, but a large deposit has to come back.",
            ),
            Said(
                "월세: 보증금이 작아 위험이 작지만 다달이 내는 돈이 돌아오지 않습니다.",
                "Monthly rent: the deposit at risk is small, but what is paid each month is gone.",
            ),
        ]
    lines = [
        Said(
            "살 까닭: 오래 살 집이고 상환액이 소득 안에서 감당되며, 값이 그대로이거나 올라도 부담이 늘지 않는 경우.",
            "For: you will live there for long and can bear the payments, so that flat or rising prices do not hurt.",
        ),
        Said(
            "기다릴 까닭: 값이 내리면 대출이 낀 만큼 자기 돈이 먼저 줄고, 금리가 오르면 상환액이 늘어나는 경우.",
            "Against: if prices fall your own money goes first, and if rates rise the payments grow.",
        ),
    ]
    if ratio is not None:
        way = (
            Said("값이 내리면 보증금까지 위험해지는 수준", "a level at which a fall endangers deposits")
            if ratio > _HIGH_RATIO
            else Said("전세와 매매의 차이가 큰 편", "a wide gap between the two")
        )
        lines.append(
            filled("전세가율 {share}: {way}.", "Jeonse ratio {share}: {way}.", share=percent(Decimal(ratio)), way=way)
        )
    return lines


def outlook(ask: Ask, found: Found) -> Outcome:
    """Return that no price to come is told, and what is known instead."""
    reads = reads_of(ask, found)
    moved = changes.change(_change(ask), found)
    pieces = [proof(one.reading, titled(PRICES, one.place_said()), found.asking.locale, "market") for one in reads]
    known = sentences(*(_level_said(ask, one) for one in reads))
    lines = [Ground(moved.answer.sentence)] if moved.evidence and moved.answer.sentence is not None else []
    sentence = Said(
        f"앞으로의 집값은 예측하지 않아 답할 수 없습니다. 알 수 있는 것은 지금까지의 값입니다. {known.ko}".strip(),
        f"I cannot tell what home prices will be; no forecast is made here. What is known is the past. {known.en}".strip(),
    )
    ids = tuple(one.evidence_id for one in (*pieces, *moved.evidence))
    return Outcome(declined(ask, sentence, evidence_ids=ids, grounds=tuple(lines)), evidence=(*pieces, *moved.evidence))


def outlook_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls that read what is known of a place; none where no place is named."""
    return [*level_calls(ask), *changes.change_calls(_change(ask))] if ask.subjects else ()
