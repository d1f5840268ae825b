"""What a share or a series stands at."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskForm, Ground, Said
from services.domains.finance.asks.calls import series_calls, share_calls
from services.domains.finance.asks.figures.held import Held
from services.domains.finance.asks.figures.rows import Figure
from services.domains.finance.asks.levels.changes import EXCHANGE, change_said
from services.domains.finance.asks.levels.outcomes import nothing, series_of, shares_of, whole
from services.domains.finance.asks.pictures import moves
from services.domains.finance.asks.vocabulary import BY_ID, SERIES
from services.domains.finance.asks.wording import dollars, series_said
from services.plugin.asks.answering import Call, Found, Outcome
from services.plugin.asks.telling import filled, listed, percent, points, sentences, won
from services.plugin.wording import rounded

_OPERATORS: Final = {
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}
_COUNTRIES: Final = {"KR": Said("한국의 ", "Korean "), "US": Said("미국의 ", "US ")}
_REAL: Final = {"US": ("FEDFUNDS", "CPIAUCSL"), "KR": ("KR_BASE_RATE", "KR_CPI")}


def real_series(ask: Ask) -> tuple[str, ...]:
    """Return the rate and the prices of a real rate; none where none is asked."""
    countries = ask.notes["real"].split("+") if "real" in ask.notes else []
    return tuple(one for country in countries for one in _REAL[country])


def level_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls of levels: of each measure of the shares, and of each series."""
    calls = share_calls(ask, ask.measures) if shares_of(ask) else []
    rate = (EXCHANGE,) if "in" in ask.notes else ()
    ids = dict.fromkeys((*series_of(ask), *real_series(ask), *rate))
    of_now = not (ask.start_date or ask.end_date or ask.against_date or ask.notes.keys() & {"ago", "months"})
    return [*calls, *series_calls(ids, ask, of_now=of_now)]


def share_said(figure: Figure) -> Said:
    """Return a sentence that tells one figure of one share."""
    label = BY_ID[figure.measure].label
    if figure.measure == "price":
        return filled(
            "{name} 주가는 {when} 종가 기준 {value}입니다.",
            "{name} closed at {value} on {when}.",
            name=figure.name,
            when=figure.when,
            value=figure.said,
        )
    if figure.measure == "return":
        return change_said(figure)
    if figure.parts is not None:
        return filled(
            "{name}의 {label:은/는} {value}입니다({parts}, {when} 기준).",
            "The {label} of {name} is {value} ({parts}, as of {when}).",
            name=figure.name, label=label, value=figure.said, parts=figure.parts, when=figure.when,
        )  # fmt: skip
    return filled(
        "{name}의 {when} {label:은/는} {value}입니다.", "{name}'s {label} in {when}: {value}.",
        name=figure.name, label=label, value=figure.said, when=figure.when,
    )  # fmt: skip


def series_line(figure: Figure) -> Said:
    """Return a sentence that tells the level of a series."""
    if figure.measure == "yearly":
        return filled(
            "{name} 상승률은 {when} 기준 전년 같은 달 대비 {value}입니다({parts}).",
            "{name} rose {value} year on year in {when} ({parts})."
            if figure.value >= 0
            else "{name} changed {value} year on year in {when} ({parts}).",
            name=figure.name, when=figure.when, value=figure.said, parts=figure.parts or "",
        )  # fmt: skip
    return filled(
        "{name:은/는} {when} 기준 {value}입니다.",
        "The {name} was {value} in {when}."
        if figure.when.en[:1].isalpha() and "," not in figure.when.en
        else "The {name} was {value} on {when}.",
        name=figure.name,
        when=figure.when,
        value=figure.said,
    )


def level(ask: Ask, found: Found) -> Outcome:
    """Return what each subject stands at, in the order asked; with a condition only where it holds."""
    held = Held(ask, found)
    figures = [
        figure for one in shares_of(ask) for name in ask.measures if (figure := held.share(name, one)) is not None
    ]
    lines = [*_share_lines(figures), *_changed_lines(ask, held, figures)]
    own = [figure for one in series_of(ask) if (figure := held.level(one)) is not None]
    lines += [series_line(one) for one in own if "+" not in ask.notes.get("real", "")]
    lines += _real_lines(ask, held)
    if not lines:
        return nothing(ask, held)
    if ask.conditions and figures:
        return _conditional(ask, held, figures)
    lacking = [
        name for name in (*shares_of(ask), *series_of(ask)) if name not in {one.subject for one in (*figures, *own)}
    ]
    if lacking and not real_series(ask):
        lines.append(
            filled(
                "{names}의 해당 자료는 없습니다.",
                "There is no such data on {names}.",
                names=listed([held.name(one) for one in lacking]),
            )
        )
    grounds = [_history(held, one) for one in own if len(own) == 1]
    grounds += [
        _quarter_line(one)
        for figure in figures
        if ask.notes.get("four") or ask.notes.get("through")
        for one in held.quarters(figure.measure, figure.subject)
    ]
    charts = moves(held, own) if ask.form is AskForm.CHANGE else ()
    told = [*figures, *own]
    return whole(ask, held, sentences(*lines), told, grounds=[one for one in grounds if one is not None], charts=charts)


def _share_lines(figures: Sequence[Figure]) -> list[Said]:
    """Return a sentence for each share; of several measures one sentence tells all."""
    lines = []
    for subject in dict.fromkeys(one.subject for one in figures):
        own = [one for one in figures if one.subject == subject]
        if len(own) == 1:
            lines.append(share_said(own[0]))
            continue
        parts = [Said(f"{span_label(one).ko} {one.said.ko}", f"{span_label(one).en} {one.said.en}") for one in own]
        lines.append(
            filled(
                "{name:은/는} {parts}입니다({when} 기준).",
                "{name}: {parts} (as of {when}).",
                name=own[0].name,
                parts=listed(parts),
                when=own[0].when,
            )
        )
    return lines


def _changed_lines(ask: Ask, held: Held, figures: Sequence[Figure]) -> list[Said]:
    """Return what sums are in the other currency, where they are wanted so."""
    row = held.price(EXCHANGE, ask.end_date) if "in" in ask.notes else None
    rate = row.number("value") if row else None
    in_won = ask.notes.get("in") == "krw"
    return [
        filled(
            "{label:은/는} {currency} 약 {value}입니다(환율 {rate}).",
            "The {label} is about {value} in {currency} (at {rate}).",
            label=BY_ID[one.measure].label, value=won(one.value * rate) if in_won else dollars(one.value / rate),
            rate=series_said(EXCHANGE, rate), currency=Said("원화로", "won") if in_won else Said("달러로", "dollars"),
        )
        for one in figures
        if rate and BY_ID[one.measure].unit == "money" and in_won != held.is_won(one.subject)
    ]  # fmt: skip


def span_label(figure: Figure) -> Said:
    """Return what a figure is called beside others, a return with its time."""
    label = BY_ID[figure.measure].label if figure.measure in BY_ID else Said("수준", "level")
    if figure.measure == "return":
        return Said(f"{figure.when.ko} {label.ko}", f"{label.en} {figure.when.en}")
    return label


def _real_lines(ask: Ask, held: Held) -> list[Said]:
    ids, lines, reals = real_series(ask), [], []
    for nominal, of_prices in zip(ids[::2], ids[1::2], strict=True):
        rate, prices = held.level(nominal), held.yearly(of_prices)
        if rate is None or prices is None:
            return []
        reals.append((rounded(rate.value, 2) - rounded(prices.value, 2), _COUNTRIES[SERIES[nominal].country]))
        lines.append(
            filled(
                "{country}실질금리는 {value}입니다({name} {rate} - 물가상승률 {prices}).",
                "The {country}real rate is {value} ({name} {rate} less inflation of {prices}).",
                value=percent(reals[-1][0], 2), name=rate.name, rate=rate.said, prices=prices.said,
                country=reals[-1][1] if len(ids) > len(_REAL["KR"]) else "",
            )
        )  # fmt: skip
    if len(reals) < len(_REAL):
        return lines
    (high, first), (low, _) = sorted(reals, key=lambda one: one[0], reverse=True)
    more = filled(
        "{country}실질금리가 {gap} 더 높습니다.", "The {country}real rate is higher, by {gap}.",
        country=first, gap=points(high - low),
    )  # fmt: skip
    return [more, *lines]


def _conditional(ask: Ask, held: Held, figures: Sequence[Figure]) -> Outcome:
    one = ask.conditions[0]
    tested = next((figure for figure in figures if figure.measure == one.field), None)
    if tested is None:
        return nothing(ask, held)
    holds = _OPERATORS.get(one.operator, _OPERATORS["lt"])(tested.value, Decimal(one.value))
    rest = [figure for figure in figures if figure.measure != one.field]
    first = filled(
        "{name}의 {label:은/는} {value:으로/로} 말씀하신 조건({words})에 {fits}.",
        "{name}'s {label} is {value}, so your condition ({words}) {fits}.",
        name=tested.name, label=BY_ID[tested.measure].label, value=tested.said, words=one.words, fits=Said("맞습니다", "holds") if holds else Said("맞지 않습니다", "does not hold"),
    )  # fmt: skip
    lines = [first, *(share_said(figure) for figure in rest)] if holds else [first]
    return whole(
        ask, held, sentences(*lines), figures, conditions=tuple(replace(c, applied=True) for c in ask.conditions)
    )


def _history(held: Held, figure: Figure) -> Ground | None:
    """Return the value before a monthly level, so that a reader sees where it comes from."""
    rows = held.days(figure.subject)
    if SERIES[figure.subject].daily or len(rows) < 2 or figure.measure == "yearly":
        return None
    told = next((at for at, row in enumerate(rows) if held.day(figure.subject, row) == figure.when), len(rows))
    former = next(iter(rows[told + 1 :]), None)
    value = former.number("value") if former is not None else None
    if former is None or value is None:
        return None
    return Ground(
        filled(
            "직전 값: {when} {value}",
            "Before that: {value} ({when})",
            when=held.day(figure.subject, former),
            value=series_said(figure.subject, value),
        )
    )


def _quarter_line(figure: Figure) -> Ground:
    return Ground(filled("{when} {value}", "{when}: {value}", when=figure.when, value=figure.said))
