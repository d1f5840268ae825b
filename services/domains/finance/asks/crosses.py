"""Whether short and long moving averages of a share's close have crossed lately."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskVerdict, Said
from services.domains.finance.asks import pictures
from services.domains.finance.asks.calls import share_calls, share_filters
from services.domains.finance.asks.figures.held import Held
from services.domains.finance.asks.levels.outcomes import nothing, shares_of, whole
from services.plugin.asks.answering import Call, Found, Outcome, declined
from services.plugin.asks.telling import day_said, filled, listed, percent, query

_SHORT: Final = 20
_LONG: Final = 60
_LOOKED_BACK: Final = 60
_ROWS_MAX: Final = 200
"""As many days as one call may return."""


def average_calls(ask: Ask) -> Sequence[Call]:
    """Return the call of as many closes as the average is over."""
    return _closes(ask, max(int(ask.notes["window"]), _LONG))


def crossed_calls(ask: Ask) -> Sequence[Call]:
    """Return the call of the last closes."""
    return _closes(ask, _LONG + _LOOKED_BACK + 1)


def _closes(ask: Ask, count: int) -> Sequence[Call]:
    fields = ("security_id", "name_ko", "name_en", "date", "close")
    return [
        query(
            "share_prices",
            fields,
            mode="rows",
            filters=share_filters(ask),
            order_by="date",
            limit=min(count, _ROWS_MAX),
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


def average(ask: Ask, found: Found) -> Outcome:
    """Return whether the last close is above its average over so many trading days, or below."""
    held, subject, size = Held(ask, found), shares_of(ask)[0], int(ask.notes["window"])
    rows = list(reversed(held.days(subject)))
    closes = [row.number("close") or Decimal(0) for row in rows]
    if not 1 < size <= len(closes):
        sentence = filled(
            "이동평균은 {most}거래일까지만 계산할 수 있어, {name}의 {size}일 평균은 말씀드릴 수 없습니다.",
            "Averages can be computed over {most} trading days at most, so I cannot tell the {size}-day average of {name}.",
            most=str(len(closes)), size=str(size), name=held.name(subject),
        )  # fmt: skip
        return Outcome(declined(ask, sentence))
    mean, close = _mean(closes, len(closes), size), closes[-1]
    holds = (close < mean) if ask.notes["side"] == "below" else (close > mean)
    sentence = filled(
        "{yes} {name} 종가 {close:은/는} {size}일 이동평균 {mean}보다 {gap} {way}({day}).",
        "{yes} {name} closed at {close}, {gap} {way} its {size}-day average of {mean} ({day}).",
        yes=Said("네," if holds else "아니요,", "Yes:" if holds else "No:"), name=held.name(subject), close=held.money(subject, close, per_share=True), size=str(size), mean=held.money(subject, mean, per_share=True),
        gap=percent(abs(close / mean - 1) * 100), way=Said("높습니다", "above") if close > mean else Said("낮습니다", "below"), day=day_said(rows[-1].text("date")),
    )  # fmt: skip
    return whole(ask, held, sentence, (), verdict=AskVerdict.YES if holds else AskVerdict.NO)


_SPANS: Final = (20, 60, 120)


def trend_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls of a trend: the last closes, and both ends of this year."""
    return [*crossed_calls(ask), *share_calls(ask, ("return",))]


def trend(ask: Ask, found: Found) -> Outcome:
    """Return how a share has moved over several spans, and where its averages stand; nothing of what will be."""
    held, subject = Held(ask, found), shares_of(ask)[0]
    rows = list(reversed(held.days(subject)))
    closes = [row.number("close") or Decimal(0) for row in rows]
    if len(closes) <= _LONG:
        return nothing(ask, held)
    close, short, long = closes[-1], _mean(closes, len(closes), _SHORT), _mean(closes, len(closes), _LONG)
    year = held.change(subject)
    moves = [(size, (close / closes[-1 - size] - 1) * 100) for size in _SPANS if size < len(closes)]
    spans = [Said(f"{size}거래일 {_signed(move)}", f"{_signed(move)} over {size} trading days") for size, move in moves]
    spans += [Said(f"올해 {year.said.ko}", f"{year.said.en} this year")] if year is not None else []
    sentence = filled(
        "{name} 종가는 {close}({day})이고, 20일 평균 {short}, 60일 평균 {long:으로/로} {state}. 등락은 {spans}입니다.",
        "{name} closed at {close} ({day}); its 20-day average is {short} and its 60-day average {long}: {state}. It moved {spans}.",
        name=held.name(subject), close=held.money(subject, close, per_share=True), day=day_said(rows[-1].text("date")), short=held.money(subject, short, per_share=True), long=held.money(subject, long, per_share=True),
        state=_state(close, short, long), spans=listed(spans),
    )  # fmt: skip
    caution = Said("지난 흐름일 뿐 앞으로의 방향을 말하지 않습니다.", "This is how it moved, not where it will go.")
    told = [year] if year is not None else []
    return whole(ask, held, sentence, told, cautions=(caution,), charts=pictures.moves(held, told))


def _signed(value: Decimal) -> str:
    return f"{value:+.2f}%"


def _state(close: Decimal, short: Decimal, long: Decimal) -> Said:
    """Return what the averages say: up where close, short and long stand in this order, down where in the other."""
    if close > short > long:
        return Said("단기와 장기 모두 상승 흐름입니다", "both the short and the long trend are up")
    if close < short < long:
        return Said("단기와 장기 모두 하락 흐름입니다", "both the short and the long trend are down")
    return Said("방향이 엇갈립니다", "the short and the long trend point apart")


def _mean(values: Sequence[Decimal], end: int, size: int) -> Decimal:
    return sum(values[end - size : end], Decimal(0)) / size
