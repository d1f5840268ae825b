"""Whether a figure lies over or under a bound, and whether earnings beat what was expected."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskVerdict, Ground, Said
from services.domains.finance.asks.calls import series_calls, share_calls
from services.domains.finance.asks.figures.held import Held
from services.domains.finance.asks.figures.rows import Figure
from services.domains.finance.asks.levels.outcomes import nothing, series_of, shares_of, whole
from services.domains.finance.asks.levels.standing import real_series
from services.domains.finance.asks.vocabulary import BY_ID, SERIES
from services.domains.finance.asks.wording import is_rate, series_said
from services.plugin.asks.answering import Call, Found, Outcome
from services.plugin.asks.telling import decimal, filled, percent, points, sentences

TESTS: Final = {
    "lt": lambda a, b: a < b, "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b, "eq": lambda a, b: a == b,
}  # fmt: skip
"""How a figure is held against a bound."""


def verdict_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls of a verdict on a level."""
    calls = share_calls(ask, ask.measures[:1]) if shares_of(ask) else []
    ids = dict.fromkeys((*series_of(ask), *real_series(ask)))
    return [*calls, *series_calls(ids, ask)]


def verdict(ask: Ask, found: Found) -> Outcome:
    """Return yes or no: whether a figure lies over or under a bound, with both figures."""
    held = Held(ask, found)
    one = ask.conditions[0]
    figure = _tested(ask, held)
    if figure is None:
        return nothing(ask, held)
    bound = Decimal(one.value)
    holds = TESTS[one.operator](figure.value, bound)
    over = figure.value > bound
    gap = _apart(held, figure, abs(figure.value - bound))
    limit = _bound_said(held, figure, bound)
    if "target" in ask.notes:
        limit = filled("물가 목표 {limit}", "the target of {limit}", limit=limit)
    relation = Said("높습니다", "above") if over else Said("낮습니다", "below")
    sentence = filled(
        "{yes}. {name} {label}{value}({when})로, {limit}보다 {gap} {relation}.",
        "{yes}: {name} {label}{value} ({when}), {gap} {relation} {limit}.",
        yes=Said("네", "Yes") if holds else Said("아니요", "No"), name=figure.name, label=_label(figure), value=figure.said, when=figure.when, limit=limit, gap=gap, relation=relation,
    )  # fmt: skip
    if figure.value == bound:
        sentence = filled(
            "{yes}. {name} {label}{value}({when})로 기준과 같습니다.",
            "{yes}: {name} {label}{value} ({when}), exactly the bound.",
            yes=Said("네", "Yes") if holds else Said("아니요", "No"),
            name=figure.name,
            label=_label(figure),
            value=figure.said,
            when=figure.when,
        )
    if "inverted" in ask.notes:
        sentence = _inverted(figure, holds=holds)
    grounds = [] if figure.parts is None else [Ground(figure.parts)]
    grounds += [Ground(_AIMED)] if "target" in ask.notes else []
    return whole(ask, held, sentence, [figure], verdict=AskVerdict.YES if holds else AskVerdict.NO, grounds=grounds)


_AIMED: Final = Said(
    "2% 목표는 연준은 PCE 물가로, 한국은행은 소비자물가로 정해 두었습니다.",
    "The Federal Reserve sets its 2% target by PCE prices, the Bank of Korea by consumer prices.",
)


def _inverted(figure: Figure, *, holds: bool) -> Said:
    return filled(
        "{yes}. {name:이/가} {value}({when})로 {state}.",
        "{yes}: the {name} is {value} ({when}), so the curve is {state}.",
        yes=Said("네, 역전되어 있습니다", "Yes") if holds else Said("아니요, 역전되어 있지 않습니다", "No"),
        name=figure.name, value=figure.said, when=figure.when, state=Said("0보다 낮습니다", "inverted") if holds else Said("0보다 높습니다", "not inverted"),
    )  # fmt: skip


def _tested(ask: Ask, held: Held) -> Figure | None:
    if "real" in ask.notes:
        ids = real_series(ask)
        rate, prices = held.level(ids[0]), held.yearly(ids[1])
        if rate is None or prices is None:
            return None
        value = rate.value - prices.value
        parts = filled(
            "{name} {rate} - 물가상승률 {prices}",
            "{name} {rate} less inflation of {prices}",
            name=rate.name,
            rate=rate.said,
            prices=prices.said,
        )
        return Figure("real", Said("실질금리", "the real rate"), "real", value, percent(value, 2), prices.when, parts)
    if shares_of(ask):
        return held.share(ask.measures[0], shares_of(ask)[0])
    return held.level(series_of(ask)[0]) if series_of(ask) else None


def _label(figure: Figure) -> Said:
    if figure.measure in BY_ID and figure.subject not in SERIES:
        return Said(
            f"{BY_ID[figure.measure].label.ko} ",
            f"has a {BY_ID[figure.measure].label.en} of " if figure.measure != "price" else "closed at ",
        )
    if figure.measure == "yearly":
        return Said("상승률 ", "rose ")
    return Said("", "is ")


def _apart(held: Held, figure: Figure, value: Decimal) -> Said:
    if (
        figure.measure in {"yearly", "real"}
        or is_rate(figure.subject)
        or (figure.measure in BY_ID and BY_ID[figure.measure].unit == "percent")
    ):
        return points(value)
    return _bound_said(held, figure, value)


def _bound_said(held: Held, figure: Figure, value: Decimal) -> Said:
    if figure.subject in SERIES and figure.measure != "yearly":
        return series_said(figure.subject, value)
    if figure.measure in {"yearly", "real"}:
        return percent(value, 2)
    unit = BY_ID[figure.measure].unit
    if unit == "percent":
        return percent(value, 2)
    if unit == "times":
        return Said(f"{decimal(value, 2)}배", f"{decimal(value, 2)} times")
    return held.money(figure.subject, value, per_share=figure.measure in {"price", "eps", "bps", "dividend"})


def beat(ask: Ask, found: Found) -> Outcome:
    """Return whether the last announced earnings beat what was expected."""
    held = Held(ask, found)
    lines, figures = [], []
    for one in shares_of(ask):
        figure = held.share("surprise", one)
        if figure is None:
            continue
        figures.append(figure)
        lines.append(
            filled(
                "{yes}. {name}의 {when} 실적은 {parts:으로/로} 예상보다 {size} {way}.",
                "{yes}: {name}'s {when} earnings were {parts}, {size} {way} expectations.",
                yes=Said("네, 예상을 웃돌았습니다", "Yes") if figure.value > 0 else Said("아니요, 예상을 밑돌았습니다", "No"),
                name=figure.name, when=figure.when, parts=figure.parts or "", size=percent(abs(figure.value), 2), way=Said("높았습니다", "above") if figure.value > 0 else Said("낮았습니다", "below"),
            )
        )  # fmt: skip
    if not lines:
        return nothing(ask, held)
    wants_miss = ask.notes.get("missed") == "true"
    holds = (figures[0].value < 0) if wants_miss else (figures[0].value > 0)
    if wants_miss:
        swap = Said(
            "네, 예상을 밑돌았습니다" if figures[0].value < 0 else "아니요, 예상을 웃돌았습니다",
            "Yes" if figures[0].value < 0 else "No",
        )
        lines[0] = Said(f"{swap.ko}. {lines[0].ko.partition('. ')[2]}", f"{swap.en}: {lines[0].en.partition(': ')[2]}")
    return whole(ask, held, sentences(*lines), figures, verdict=AskVerdict.YES if holds else AskVerdict.NO)
