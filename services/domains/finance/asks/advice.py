"""What may be said where a person wants advice on a share or a series, and the parts of a report."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, Ground, Said
from services.domains.finance.asks.calls import series_calls, share_calls
from services.domains.finance.asks.figures.held import Held
from services.domains.finance.asks.figures.rows import Figure
from services.domains.finance.asks.levels.outcomes import nothing, series_of, shares_of, whole
from services.domains.finance.asks.stories import NEWS_FIELDS, dated_items, with_day
from services.domains.finance.asks.wording import quarter_said
from services.plugin.asks.answering import Call, Found, Outcome, declined
from services.plugin.asks.telling import day_said, filled, listed, query, rows_of, sentences, where

OWN_DECISION: Final = Said(
    "사거나 파는 결정은 본인의 몫이며, 특정 매매를 권하지는 않습니다.",
    "Whether to trade is your own decision; I cannot tell you to buy or sell.",
)


# Advice


def advice_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls of what speaks for and against: price, valuation, trend, results, news."""
    shares = shares_of(ask)[:2]
    calls = [*share_calls(ask, _OF_SECTOR)] if "sector" in ask.notes else []
    if shares:
        calls += share_calls(ask, ("price", "return", "per", "surprise"))
        calls += [
            query(
                "news",
                NEWS_FIELDS,
                mode="rows",
                filters=[where("subject_id", shares[0])],
                order_by="published_at",
                limit=2,
            )
        ]
    for one in series_of(ask)[:1]:
        calls += series_calls((one,), ask)
        calls.append(
            query(
                "series",
                ("highest", "lowest"),
                by=("series_id",),
                filters=[where("series_id", one)],
                start=ask.against_date or None,
            )
        )
    return calls


def advice(ask: Ask, found: Found) -> Outcome:
    """Return price, valuation and trend, what speaks for and against, and whose decision it is; no directive."""
    held = Held(ask, found)
    if shares_of(ask):
        return _of_share(ask, found, held)
    if series_of(ask):
        return _of_series(ask, found, held)
    if "sector" in ask.notes and held.ids():
        return _of_sector(ask, held)
    sentence = Said(
        "특정 종목을 골라 추천하지는 않습니다. 어떤 종목을 살지는 본인의 판단과 결정에 달려 있고, 대신 수익률, PER, 배당수익률 같은 기준을 정해 주시면 종목들의 순위와 근거를 보여 드립니다.",
        "I do not pick a share for you: which one to buy is your own decision. Name a measure, such as return, P/E or dividend yield, and I can rank the shares by it.",
    )
    steps = (
        Said(
            "‘올해 수익률이 높은 국내 종목’처럼 기준을 정해 물어보세요.",
            "Ask by a measure, for example “top US shares by return this year”.",
        ),
    )
    return Outcome(declined(ask, sentence, next_steps=steps))


_OF_SECTOR: Final = ("return", "per")
"""What is told of each share of a sector."""


def _of_sector(ask: Ask, held: Held) -> Outcome:
    """Return how the covered shares of a sector did and what they are valued at; the decision stays the person's."""
    figures = [one for it in held.ids() for name in _OF_SECTOR if (one := held.share(name, it)) is not None]
    moves = sorted((one for one in figures if one.measure == "return"), key=lambda one: -one.value)
    if not moves:
        return nothing(ask, held)
    sentence = filled(
        "{sector:을/를} 살지는 정해 드릴 수 없고 본인이 판단하실 일입니다. 자료에 있는 {count}개 종목의 {when} 수익률은 {moves}입니다.",
        "Whether to buy {sector} I cannot tell you; that is your own decision. The {count} of them in the data returned {when}: {moves}.",
        sector=ask.notes["sector"], count=str(len(moves)), when=moves[0].when,
        moves=listed([Said(f"{one.name.ko} {one.said.ko}", f"{one.name.en} {one.said.en}") for one in moves]),
    )  # fmt: skip
    grounds = [
        Ground(Said(f"{one.name.ko} PER {one.said.ko}", f"{one.name.en} P/E {one.said.en}"))
        for one in figures
        if one.measure == "per"
    ]
    return whole(ask, held, sentence, figures, grounds=grounds, cautions=(OWN_DECISION,))


def _of_share(ask: Ask, found: Found, held: Held) -> Outcome:
    subject = shares_of(ask)[0]
    price, moved, value, result = (held.share(name, subject) for name in ("price", "return", "per", "surprise"))
    if price is None:
        return nothing(ask, held)
    parts = [Said(f"종가 {price.said.ko}({price.when.ko})", f"close {price.said.en} ({price.when.en})")]
    parts += [Said(f"PER {value.said.ko}", f"P/E {value.said.en}")] if value is not None else []
    parts += (
        [Said(f"{moved.when.ko} 수익률 {moved.said.ko}", f"return {moved.when.en} {moved.said.en}")]
        if moved is not None
        else []
    )
    sentence = filled(
        "{name:을/를} 살지 팔지는 정해 드릴 수 없고 본인이 판단하실 일입니다. 참고할 수치는 {parts}입니다.",
        "I cannot tell you whether to buy or sell {name}; that is your own decision. What there is to weigh: {parts}.",
        name=price.name, parts=listed(parts),
    )  # fmt: skip
    grounds = [*_sides(moved, value, result), Ground(_cases(price))]
    items = dated_items(found)
    grounds += [Ground(filled("최근 소식: {item}", "Latest news: {item}", item=with_day(items[0])))] if items else []
    figures = [one for one in (price, moved, value, result) if one is not None]
    return whole(ask, held, sentence, figures, grounds=grounds, cautions=(OWN_DECISION,))


def _sides(moved: Figure | None, value: Figure | None, result: Figure | None) -> list[Ground]:
    plus: list[Said] = []
    minus: list[Said] = []
    if moved is not None:
        (plus if moved.value > 0 else minus).append(
            Said(f"{moved.when.ko} 수익률 {moved.said.ko}", f"return {moved.when.en} of {moved.said.en}")
        )
    if result is not None:
        (plus if result.value > 0 else minus).append(
            Said(
                f"{result.when.ko} 실적이 예상 대비 {result.said.ko}",
                f"{result.when.en} earnings {result.said.en} against expectations",
            )
        )
    if value is not None:
        (minus if value.value > 25 or value.value < 0 else plus).append(
            Said(f"PER {value.said.ko}", f"P/E of {value.said.en}")
        )
    found = []
    if plus:
        found.append(Ground(filled("긍정적인 근거: {parts}", "For it: {parts}", parts=listed(plus))))
    if minus:
        found.append(Ground(filled("부담되는 근거: {parts}", "Against it: {parts}", parts=listed(minus))))
    return found


def _cases(price: Figure) -> Said:
    return Said(
        "세 가지 경우: 오르는 경우에는 수익이, 횡보하는 경우에는 기다리는 비용이, 내리는 경우에는 손실이 생깁니다. 어느 쪽일지는 이 자료로 알 수 없습니다.",
        f"Three cases: a rise from {price.said.en} brings a gain, a flat price the cost of waiting, a fall a loss; the data does not tell which it will be.",
    )


def _of_series(ask: Ask, found: Found, held: Held) -> Outcome:
    one = series_of(ask)[0]
    figure, moved = held.level(one), held.change(one)
    if figure is None:
        return nothing(ask, held)
    span = next((row for row in rows_of(found.readings) if row.number("highest") is not None), None)
    parts = [Said(f"{figure.when.ko} {figure.said.ko}", f"{figure.said.en} on {figure.when.en}")]
    if moved is not None:
        parts.append(Said(f"{moved.when.ko} {moved.said.ko}", f"{moved.said.en} {moved.when.en}"))
    sentence = filled(
        "지금이 좋은 때인지는 정해 드릴 수 없고 본인이 판단하실 일입니다. {name:은/는} {parts}입니다.",
        "Whether now is a good time I cannot tell you; that is your own decision. The {name}: {parts}.",
        name=figure.name, parts=listed(parts),
    )  # fmt: skip
    grounds = []
    if span is not None:
        low, high = span.number("lowest") or Decimal(0), span.number("highest") or Decimal(0)
        grounds.append(
            Ground(
                filled(
                    "최근 1년 최저 {low}, 최고 {high}",
                    "Over the past year: low {low}, high {high}",
                    low=held.level_said(one, low),
                    high=held.level_said(one, high),
                )
            )
        )
    return whole(ask, held, sentence, [figure], grounds=grounds, cautions=(OWN_DECISION,))


# Days of results


def report_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls of the day of the last results."""
    return share_calls(ask, ("surprise",))


def report(ask: Ask, found: Found) -> Outcome:
    """Return the day of the last announced results; the next day is in no data."""
    held = Held(ask, found)
    lines = []
    for one in shares_of(ask):
        rows = held.earned(one)
        if rows:
            lines.append(
                filled(
                    "{name}의 최근 실적 발표일은 {day}입니다({quarter} 실적).",
                    "{name} last reported on {day} ({quarter}).",
                    name=held.name(one),
                    day=day_said(rows[0].text("event_date")),
                    quarter=quarter_said(rows[0].text("fiscal_period")),
                )
            )
    if not lines:
        return nothing(ask, held)
    if ask.notes.get("next") == "true":
        lines.insert(0, Said("다음 실적 발표일은 자료에 없습니다.", "The day of the next results is not in the data."))
    return whole(ask, held, sentences(*lines), ())
