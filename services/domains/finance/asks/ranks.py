"""Shares and series against each other: which of several, the first of a class, those that meet a condition, verdicts."""

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskCondition, AskForm, AskVerdict, Ground, Said
from services.domains.finance.asks.figures import (
    GROWTH,
    Figure,
    Held,
    decimals_of,
    dollars,
    is_rate,
    series_calls,
    series_said,
    share_calls,
    times,
)
from services.domains.finance.asks.levels import (
    EXCHANGE,
    change_said,
    nothing,
    real_series,
    series_of,
    share_said,
    shares_of,
    span_label,
    whole,
)
from services.domains.finance.asks.pictures import side_by_side
from services.domains.finance.asks.vocabulary import BY_ID, SERIES
from services.plugin.asks.answering import Call, Found, Outcome, asking_back
from services.plugin.asks.telling import decimal, filled, listed, percent, points, sentences, won, won_told
from services.plugin.wording import rounded
from services.text.patterns import Pattern

_LARGE: Final = frozenset(
    {"revenue", "operating_income", "net_income", "market_cap", "dividend", "volume", "eps", "bps"}
)

_TESTS: Final = {
    "lt": lambda a, b: a < b, "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b, "eq": lambda a, b: a == b,
}  # fmt: skip


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
    holds = _TESTS[test.operator](ratio, Decimal(test.value))
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


def rank_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls of a rank over a class of shares, or over those named."""
    fields = dict.fromkeys((*ask.measures[:1], *(one.field for one in ask.conditions if one.field in BY_ID)))
    return share_calls(ask, fields)


def _ranked(ask: Ask, held: Held) -> list[Figure]:
    found = [figure for one in held.ids() if (figure := held.share(ask.measures[0], one)) is not None]
    found = [one for one in found if all(_meets(held, one, condition) for condition in ask.conditions)]
    if ask.measures[0] in {"per", "pbr"}:
        found = [one for one in found if one.value > 0]
    if ask.notes.get("quarter") == "last" and found:
        newest = max(one.when.ko for one in found)
        found = [one for one in found if one.when.ko == newest]
    return sorted(found, key=lambda one: one.value, reverse=ask.descending)


_CURRENCIES: Final = frozenset({"krw", "usd"})


def _meets(held: Held, figure: Figure, condition: object) -> bool:
    field, operator, value = condition.field, condition.operator, Decimal(condition.value)  # type: ignore[attr-defined]
    own = figure if figure.measure == field else held.share(field, figure.subject)
    if condition.unit in _CURRENCIES and (condition.unit == "krw") != held.is_won(figure.subject):  # type: ignore[attr-defined]
        return False
    return own is not None and _TESTS[operator](own.value, value)


def class_said(ask: Ask, count: int) -> Said:
    """Return what the class of an ask is called, with how many it holds."""
    names = {"KR": Said("국내", "Korean"), "US": Said("미국", "US")}
    name = names.get(ask.notes.get("class", ""), Said("", ""))
    return Said(f"{name.ko} {count}개 종목".strip(), f"{count} {name.en} shares".replace("  ", " "))


def rank(ask: Ask, found: Found) -> Outcome:
    """Return the first shares of a class by a measure, in order, of how many."""
    held = Held(ask, found)
    rows = _ranked(ask, held)
    if not rows:
        return nothing(ask, held)
    count = max(ask.count or 3, 1)
    shown = rows[: ask.count or 5]
    first, label = rows[0], span_label(rows[0])
    rest = listed([_value(one) for one in rows[1 : max(count, 3 if not ask.count else count)]])
    way = Said("높은", "highest") if ask.descending else Said("낮은", "lowest")
    sentence = filled(
        "{among} 가운데 {label:이/가} 가장 {way} 종목은 {first}{rest}입니다.",
        "{first} has the {way} {label} of {among}{rest}.",
        among=class_said(ask, len(held.ids())), label=label, way=way,
        first=Said(f"{first.name.ko}({first.said.ko})", f"{first.name.en} ({first.said.en})"),
        rest=Said(f"이고, 다음은 {rest.ko}", f"; then {rest.en}") if rest.ko else Said("", ""),
    )  # fmt: skip
    grounds = [
        Ground(
            Said(
                f"{at}위 {one.name.ko} {one.said.ko}{_note(one).ko}",
                f"{at}. {one.name.en} {one.said.en}{_note(one).en}",
            )
        )
        for at, one in enumerate(shown, start=1)
    ]
    return whole(ask, held, sentence, shown, grounds=grounds, charts=side_by_side(held, shown))


def _value(one: Figure) -> Said:
    return Said(f"{one.name.ko} {one.said.ko}", f"{one.name.en} {one.said.en}")


def _note(one: Figure) -> Said:
    return Said("", "") if one.parts is None else Said(f" ({one.parts.ko})", f" ({one.parts.en})")


def listing(ask: Ask, found: Found) -> Outcome:
    """Return all shares of a class that meet every condition, and how many there are."""
    held = Held(ask, found)
    rows, label = _ranked(ask, held), BY_ID[ask.measures[0]].label
    among = class_said(ask, len(held.ids()))
    limits = listed([_limit_said(one) for one in ask.conditions])
    if not rows:
        sentence = filled(
            "{among} 가운데 조건({limits})에 맞는 종목은 없습니다.",
            "None of the {among} meets the condition ({limits}).",
            among=among,
            limits=limits,
        )
        return whole(ask, held, sentence, ())
    sentence = filled(
        "{among} 가운데 조건({limits})에 맞는 종목은 {count}개입니다: {label} {names}.",
        "{count} of {among} meet the condition ({limits}): {names} ({label}).",
        limits=limits, among=among, count=str(len(rows)), label=span_label(rows[0]) if rows else label, names=listed([_value(one) for one in rows]),
    )  # fmt: skip
    if len(rows) == 1:
        sentence = filled(
            "{among} 가운데 조건({limits})에 맞는 종목은 {name} 1개입니다({label} {value}).",
            "Of {among} only {name} meets the condition ({limits}; {label} {value}).",
            limits=limits,
            among=among,
            name=rows[0].name,
            label=span_label(rows[0]),
            value=rows[0].said,
        )
    grounds = [
        Ground(Said(f"{one.name.ko} {one.said.ko}{_note(one).ko}", f"{one.name.en} {one.said.en}{_note(one).en}"))
        for one in rows
        if one.parts is not None
    ]
    return whole(ask, held, sentence, rows, grounds=grounds[:7])


_BOUNDS: Final = {
    "lt": Said("미만", "under"), "le": Said("이하", "at most"), "gt": Said("초과", "over"), "ge": Said("이상", "at least"),
}  # fmt: skip


def _limit_said(condition: AskCondition) -> Said:
    """Return a condition with what it bounds: "PER 20배 초과"."""
    if condition.field not in BY_ID or condition.operator not in _BOUNDS or Decimal(condition.value) == 0:
        return Said(condition.words, condition.words)
    unit, value = BY_ID[condition.field].unit, Decimal(condition.value)
    size = {"percent": percent(value, 2), "times": times(value, 2)}.get(unit)
    if size is None:
        size = won(value) if condition.unit == "krw" else dollars(value)
    label, bound = BY_ID[condition.field].label, _BOUNDS[condition.operator]
    return Said(f"{label.ko} {size.ko} {bound.ko}", f"{label.en} {bound.en} {size.en}")


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
    holds = _TESTS[one.operator](figure.value, bound)
    over = figure.value > bound
    gap = _apart(held, figure, abs(figure.value - bound))
    limit = _bound_said(held, figure, bound)
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
    return whole(ask, held, sentence, [figure], verdict=AskVerdict.YES if holds else AskVerdict.NO, grounds=grounds)


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


__all__ = ["change_said", "compare", "compare_calls", "listing", "rank", "rank_calls", "verdict", "verdict_calls"]
