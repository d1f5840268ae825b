"""Which of several shares or series is higher or lower by a measure, and by how much."""

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskForm, AskVerdict, Ground, Said
from services.domains.finance.asks.against.verdicts import TESTS
from services.domains.finance.asks.calls import series_calls, share_calls
from services.domains.finance.asks.figures.accounts import GROWTH
from services.domains.finance.asks.figures.held import Held
from services.domains.finance.asks.figures.rows import Figure
from services.domains.finance.asks.levels.changes import EXCHANGE
from services.domains.finance.asks.levels.outcomes import nothing, series_of, shares_of, whole
from services.domains.finance.asks.levels.standing import share_said, span_label
from services.domains.finance.asks.pictures import side_by_side
from services.domains.finance.asks.vocabulary import BY_ID, SERIES
from services.domains.finance.asks.wording import decimals_of, is_rate, series_said
from services.plugin.asks.answering import Call, Found, Outcome, asking_back
from services.plugin.asks.telling import decimal, filled, listed, percent, points, sentences, won, won_told
from services.plugin.wording import rounded
from services.text.patterns import Pattern

_LARGE: Final = frozenset(
    {"revenue", "operating_income", "net_income", "market_cap", "dividend", "volume", "eps", "bps"}
)


def compare_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls of a comparison."""
    calls = share_calls(ask, ask.measures) if shares_of(ask) else []
    mixed = len({one[:2] for one in shares_of(ask)}) > 1 and any(BY_ID[one].unit == "money" for one in ask.measures)
    return [*calls, *series_calls((*series_of(ask), *((EXCHANGE,) if mixed else ())), ask)]


def compare(ask: Ask, found: Found) -> Outcome:
    """Return which is higher or lower by a measure, and by how much."""
    held = Held(ask, found)
    if len(ask.subjects) == 1:
        other = filled(
            "{name:을/를} 무엇과 비교할까요? 종목 이름과 보실 기준(수익률, PER, 매출 등)을 알려 주세요.",
            "What shall I compare {name} with? Name a share, and a measure such as return, P/E or revenue.",
            name=held.name(ask.subjects[0].value),
        )
        return Outcome(asking_back(ask, other))
    lines: list[Said] = []
    told: list[Figure] = []
    for measure in ask.measures or ("level",):
        figures = _figures(ask, held, measure)
        told += figures
        if ask.form is AskForm.VERDICT and ask.conditions and len(figures) == len(_PAIR) and figures[1].value > 0:
            return _ruled_ratio(ask, held, figures)
        if len(figures) >= 2:
            lines.append(_compared(ask, held, measure, figures))
    if not lines:
        return (
            nothing(ask, held)
            if not told
            else whole(ask, held, sentences(*(_one(figure) for figure in told), _lacking(ask, held, told)), told)
        )
    charts = side_by_side(held, told)
    return whole(ask, held, sentences(*lines, _lacking(ask, held, told)), told, grounds=_parts(told), charts=charts)


_PAIR: Final = (0, 1)


def _ruled_ratio(ask: Ask, held: Held, figures: Sequence[Figure]) -> Outcome:
    """Return yes or no on how many times the first of two is the second."""
    first, other = figures
    test, ratio = ask.conditions[0], first.value / other.value
    holds = TESTS[test.operator](ratio, Decimal(test.value))
    said = decimal(ratio, 2)
    sentence = filled(
        "{yes}. {first:은/는} {fv}({fw})로 {other} {ov}의 {ratio}배입니다.",
        "{yes}: {first} is {fv} ({fw}), {ratio} times the {ov} of {other}.",
        yes=Said("네", "Yes") if holds else Said("아니요", "No"), first=first.name, other=other.name,
        fv=first.said, fw=first.when, ov=other.said, ratio=said,
    )  # fmt: skip
    return whole(ask, held, sentence, figures, verdict=AskVerdict.YES if holds else AskVerdict.NO)


def _figures(ask: Ask, held: Held, measure: str) -> list[Figure]:
    grown = ask.notes.get("span") in {"yoy", "qoq"} and measure in BY_ID and len(BY_ID[measure].items) == 1
    by = held.growth if grown and not BY_ID[measure].priced else held.share
    shares = [figure for one in shares_of(ask) if measure in BY_ID and (figure := by(measure, one)) is not None]
    by_change = measure == "return" or "span" in ask.notes
    series = [
        figure for one in series_of(ask) if (figure := held.change(one) if by_change else held.level(one)) is not None
    ]
    return [*shares, *series]


def _one(figure: Figure) -> Said:
    return (
        share_said(figure)
        if figure.measure in BY_ID and figure.subject not in SERIES
        else filled("{name} {value}", "{name}: {value}", name=figure.name, value=figure.said)
    )


def _lacking(ask: Ask, held: Held, told: Sequence[Figure]) -> Said | None:
    names = [
        held.name(one) for one in (*shares_of(ask), *series_of(ask)) if one not in {figure.subject for figure in told}
    ]
    if not names:
        return None
    return filled("{names}의 해당 자료는 없습니다.", "There is no such data on {names}.", names=listed(names))


def _compared(ask: Ask, held: Held, measure: str, figures: Sequence[Figure]) -> Said:
    ordered = sorted(figures, key=lambda one: -one.value)
    label = span_label(ordered[0]) if measure in BY_ID else Said("수준", "level")
    is_grown = ordered[0].measure == GROWTH
    label = BY_ID[measure].label if is_grown else label
    mixed = not is_grown and len({held.is_won(one.subject) for one in figures}) > 1
    in_won = mixed and measure in BY_ID and BY_ID[measure].unit == "money"
    if in_won:
        changed = _in_won(held, figures)
        if not changed:
            parts = listed([Said(f"{one.name.ko} {one.said.ko}", f"{one.name.en} {one.said.en}") for one in figures])
            return filled(
                "{label:은/는} {parts}입니다. 통화가 달라 그대로 견줄 수는 없습니다.",
                "The {label}: {parts}. The currencies differ, so they do not compare as they stand.",
                label=label, parts=parts,
            )  # fmt: skip
        ordered = sorted(changed, key=lambda one: -one.value)
    if len(ordered) > 2:
        widest = won(ordered[0].value - ordered[-1].value) if in_won else _gap(held, measure, (ordered[0], ordered[-1]))
        ends = _ends_apart(label, widest) if _APART.search(ask.words) else None
        return sentences(ends, _ordered(ask, label, ordered))
    low_first = not ask.descending
    first, other = (ordered[1], ordered[0]) if low_first else (ordered[0], ordered[1])
    if ordered[0].value == ordered[1].value:
        return filled(
            "{label:이/가} {value:으로/로} 같습니다.",
            "The {label} is the same, {value}.",
            label=label,
            value=first.said,
        )
    gap = won(won_told(ordered[0].value) - won_told(ordered[1].value)) if in_won else _gap(held, measure, ordered)
    grown = _grown(label, first, other, low_first=low_first)
    if (
        otherwise := grown or _nearly(label, first, other, low_first=low_first) or _as_ratio(ask, label, ordered)
    ) is not None:
        return otherwise
    if measure == "level":
        return filled(
            "{first:이/가} 더 {way}: {first} {fv}({fw}), {other} {ov}({ow}), 차이는 {gap}입니다.",
            "The {first} is {way_en}: {fv} ({fw}) against {ov} for the {other} ({ow}), a difference of {gap}.",
            first=first.name, other=other.name, fv=first.said, ov=other.said, fw=first.when, ow=other.when, gap=gap,
            way=Said("낮습니다", "") if low_first else Said("높습니다", ""), way_en=Said("", "lower" if low_first else "higher"),
        )  # fmt: skip
    big, small = ("큽니다", "작습니다") if measure in _LARGE else ("높습니다", "낮습니다")
    when = "" if measure == "return" else first.when
    return filled(
        "{first:이/가} {label_ko:이/가} 더 {way}: {first} {fv}, {other} {ov:으로/로} 차이는 {gap}입니다{when}.",
        "{first} has the {way_en} {label}: {fv} against {ov} for {other}, a difference of {gap}{when}.",
        first=first.name, other=other.name, label_ko=label, label=label, fv=first.said, ov=other.said, gap=gap,
        way=Said(small, "") if low_first else Said(big, ""), way_en=Said("", "lower" if low_first else "higher"),
        when=Said(f"({when.ko} 기준)", f" ({when.en})") if isinstance(when, Said) else "",
    )  # fmt: skip


def _in_won(held: Held, figures: Sequence[Figure]) -> list[Figure]:
    """Return sums of two currencies in won, those of dollars with both; none where the rate is not known."""
    row = held.newest(EXCHANGE)
    rate = row.number("value") if row is not None else None
    if rate is None:
        return []
    return [
        one
        if held.is_won(one.subject)
        else replace(
            one,
            value=one.value * rate,
            said=filled(
                "{own}(환율 {fx:으로/로} 약 {value})", "{own} (about {value} at {fx})",
                own=one.said, value=won(one.value * rate), fx=series_said(EXCHANGE, rate),
            ),
        )
        for one in figures
    ]  # fmt: skip


def _grown(label: Said, first: Figure, other: Figure, *, low_first: bool) -> Said | None:
    """Return which of two grew more; None where levels are compared."""
    if first.measure != GROWTH or other.measure != GROWTH:
        return None
    return filled(
        "{first:이/가} {label:이/가} 더 {way}: {first} {fv}, {other} {ov:으로/로} 차이는 {gap}입니다({when}).",
        "{first} grew its {label} {way_en}: {fv} against {ov} for {other}, a difference of {gap} ({when}).",
        first=first.name, other=other.name, label=label, fv=first.said, ov=other.said, when=first.when,
        gap=points(abs(rounded(first.value, 2) - rounded(other.value, 2))),
        way=Said("적게 늘었습니다" if low_first else "빨리 늘었습니다", ""), way_en=Said("", "less" if low_first else "faster"),
    )  # fmt: skip


def _nearly(label: Said, first: Figure, other: Figure, *, low_first: bool) -> Said | None:
    """Return that two figures are the same once rounded, and which is ahead before; None where they are told apart."""
    if first.said != other.said or first.measure not in BY_ID:
        return None
    return filled(
        "{first:과/와} {other}의 {label:은/는} {value:으로/로} 거의 같습니다. 반올림하기 전에는 {first} 쪽이 조금 더 {way}.",
        "The {label} of {first} and {other} is practically the same, {value}; before rounding {first} is slightly {way_en}.",
        first=first.name, other=other.name, label=label, value=first.said,
        way=Said("낮습니다" if low_first else "높습니다", ""), way_en=Said("", "lower" if low_first else "higher"),
    )  # fmt: skip


def _as_ratio(ask: Ask, label: Said, ordered: Sequence[Figure]) -> Said | None:
    """Return how many times the one is the other, where that is asked."""
    if not ask.notes.get("ratio") or ordered[1].value <= 0:
        return None
    ratio = decimal(ordered[0].value / ordered[1].value, 2)
    if ask.notes["ratio"] == "percent":
        share = percent(ordered[1].value / ordered[0].value * 100, 1)
        return filled(
            "{second}의 {label:은/는} {first}의 {share}입니다: {second} {sv}, {first} {fv}.",
            "The {label} of {second} is {share} of that of {first}: {sv} against {fv}.",
            first=ordered[0].name, second=ordered[1].name, label=label, fv=ordered[0].said, sv=ordered[1].said,
            share=share,
        )  # fmt: skip
    return filled(
        "{first}의 {label:은/는} {other}의 {ratio}입니다: {first} {fv}, {other} {ov}.",
        "The {label} of {first} is {ratio} that of {other}: {fv} against {ov}.",
        first=ordered[0].name, other=ordered[1].name, label=label, fv=ordered[0].said, ov=ordered[1].said,
        ratio=Said(f"{ratio}배", f"{ratio} times"),
    )  # fmt: skip


_APART: Final = Pattern(r"차이|격차|\bgap\b|\bdiffer|\bapart\b|by how much", re.IGNORECASE)


def _ends_apart(label: Said, gap: Said) -> Said:
    """Return how far the first of several is from the last."""
    return filled(
        "가장 높은 것과 가장 낮은 것의 {label} 차이는 {gap}입니다.",
        "From the highest to the lowest {label} the difference is {gap}.",
        label=label,
        gap=gap,
    )


def _ordered(ask: Ask, label: Said, ordered: Sequence[Figure]) -> Said:
    rows = list(ordered) if ask.descending else list(reversed(ordered))
    parts = listed([Said(f"{one.name.ko} {one.said.ko}", f"{one.name.en} {one.said.en}") for one in rows])
    return filled(
        "{label:이/가} 가장 {way} 것은 {first}이고, 순서는 {parts}입니다.",
        "{first} has the {way} {label}; in order: {parts}.",
        label=label, way=Said("높은", "highest") if ask.descending else Said("낮은", "lowest"), first=Said(f"{rows[0].name.ko}({rows[0].said.ko})", rows[0].name.en), parts=parts,
    )  # fmt: skip


def _gap(held: Held, measure: str, ordered: Sequence[Figure]) -> Said:
    places = decimals_of(measure)
    value = rounded(ordered[0].value, places) - rounded(ordered[1].value, places)
    if measure in BY_ID:
        unit = BY_ID[measure].unit
        if unit == "percent":
            return points(value)
        if unit == "times":
            return Said(f"{decimal(value)}배", decimal(value))
        if held.is_won(ordered[0].subject):
            value = won_told(ordered[0].value) - won_told(ordered[1].value)
        return held.money(ordered[0].subject, value, per_share=measure in {"price", "eps", "bps", "dividend"})
    return (
        points(value)
        if ordered[0].measure == "yearly" or is_rate(ordered[0].subject)
        else series_said(ordered[0].subject, value)
    )


def _parts(figures: Sequence[Figure]) -> list[Ground]:
    return [
        Ground(filled("{name}: {parts}", "{name}: {parts}", name=one.name, parts=one.parts))
        for one in figures[:6]
        if one.parts is not None
    ]
