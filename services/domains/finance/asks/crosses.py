"""Whether short and long moving averages of a share's close have crossed lately."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskVerdict, Said
from services.domains.finance.asks.figures import Held, share_filters
from services.domains.finance.asks.levels import nothing, shares_of, whole
from services.plugin.asks.answering import Call, Found, Outcome
from services.plugin.asks.telling import day_said, filled, query

_SHORT: Final = 20
_LONG: Final = 60
_LOOKED_BACK: Final = 60


def crossed_calls(ask: Ask) -> Sequence[Call]:
    """Return the call of the last closes."""
    fields = ("security_id", "name_ko", "name_en", "date", "close")
    return [
        query(
            "share_prices",
            fields,
            mode="rows",
            filters=share_filters(ask),
            order_by="date",
            limit=_LONG + _LOOKED_BACK + 1,
        )
    ]


def crossed(ask: Ask, found: Found) -> Outcome:
    """Return where the averages stand to each other, and the day on which they crossed last."""
    held = Held(ask, found)
    subject = shares_of(ask)[0]
    rows = list(reversed(held.days(subject)))
    closes = [row.number("close") or Decimal(0) for row in rows]
    if len(closes) <= _LONG:
        return nothing(ask, held)
    apart = [_mean(closes, at, _SHORT) - _mean(closes, at, _LONG) for at in range(_LONG, len(closes) + 1)]
    last = next((at for at in range(len(apart) - 1, 0, -1) if (apart[at] > 0) != (apart[at - 1] > 0)), None)
    above = apart[-1] > 0
    short, long = _mean(closes, len(closes), _SHORT), _mean(closes, len(closes), _LONG)
    wants_golden = "데드" not in ask.words and "dea" not in ask.words.lower()
    golden = last is not None and apart[last] > 0
    holds = last is not None and golden == wants_golden
    name = Said("골든크로스", "a golden cross") if wants_golden else Said("데드크로스", "a dead cross")
    state = filled(
        "20일 평균 {short:이/가} 60일 평균 {long}보다 {way}({day}).",
        "The 20-day average, {short}, is {way} the 60-day average, {long} ({day}).",
        short=held.money(subject, short, per_share=True), long=held.money(subject, long, per_share=True), way=Said("높습니다", "above") if above else Said("낮습니다", "below"), day=day_said(rows[-1].text("date")),
    )  # fmt: skip
    when = day_said(rows[last + _LONG - 1].text("date")) if last is not None else Said("", "")
    first = (
        filled(
            "네, {name}의 {cross:은/는} {when}에 났습니다.",
            "Yes: {name} had {cross} on {when}.",
            name=held.name(subject),
            cross=name,
            when=when,
        )
        if holds
        else filled(
            "아니요, {name:은/는} 최근 60거래일 안에 {cross:이/가} 나지 않았습니다.",
            "No: {name} has had no {cross} within the last 60 trading days.",
            name=held.name(subject),
            cross=Said(name.ko, name.en.removeprefix("a ")),
        )
    )
    return whole(
        ask,
        held,
        Said(f"{first.ko} {state.ko}", f"{first.en} {state.en}"),
        (),
        verdict=AskVerdict.YES if holds else AskVerdict.NO,
    )


def _mean(values: Sequence[Decimal], end: int, size: int) -> Decimal:
    return sum(values[end - size : end], Decimal(0)) / size
