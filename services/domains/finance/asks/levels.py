"""What a share or a series stands at, its highest and lowest, and how it has moved."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskForm, AskVerdict, Ground, Said, Told
from services.domains.finance.asks.calls import begins_long_ago, series_calls, share_calls, share_filters
from services.domains.finance.asks.figures import PER_SHARE, Figure, Held, quarter_place
from services.domains.finance.asks.pictures import moves
from services.domains.finance.asks.spans import span_said
from services.domains.finance.asks.vocabulary import BY_ID, SERIES
from services.domains.finance.asks.wording import dollars, is_rate, quarter_said, series_said
from services.plugin.asks.answering import Call, Found, Outcome, answered, declined, ruled
from services.plugin.asks.telling import (
    day_said,
    decimal,
    filled,
    listed,
    month_said,
    percent,
    points,
    query,
    rows_of,
    sentences,
    where,
    won,
)
from services.plugin.wording import rounded

_OPERATORS: Final = {
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}
EXCHANGE: Final = "KR_USDKRW"
"""The rate that sums of dollars are told in won by."""
_COUNTRIES: Final = {"KR": Said("한국의 ", "Korean "), "US": Said("미국의 ", "US ")}
_REAL: Final = {"US": ("FEDFUNDS", "CPIAUCSL"), "KR": ("KR_BASE_RATE", "KR_CPI")}


def series_of(ask: Ask) -> tuple[str, ...]:
    """Return the series that an ask is about."""
    return tuple(one.value for one in ask.subjects if one.kind == "series")


def shares_of(ask: Ask) -> tuple[str, ...]:
    """Return the shares that an ask is about."""
    return tuple(one.value for one in ask.subjects if one.kind == "security")


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


def told_of(figures: Sequence[Figure], kind: str = "security") -> tuple[Told, ...]:
    """Return what was told of, for messages that point to it."""
    found: dict[str, dict[str, str]] = {}
    labels = {one.subject: one.name.ko for one in figures}
    for one in figures:
        found.setdefault(one.subject, {})[one.measure] = f"{one.value:f}"
    return tuple(Told("series" if key in SERIES else kind, key, labels[key], value) for key, value in found.items())


def whole(ask: Ask, held: Held, sentence: Said, figures: Sequence[Figure], **more: object) -> Outcome:
    """Return an answered ask with all that its rows prove."""
    pieces = held.evidence()
    ids = tuple(one.evidence_id for one in pieces)
    grounds = tuple(replace(one, evidence_ids=ids[:1]) for one in more.pop("grounds", ()))  # type: ignore[attr-defined]
    verdict = more.pop("verdict", None)
    parts = {"evidence_ids": ids, "told": told_of(figures), "grounds": grounds, **more}
    made = (
        ruled(ask, verdict, sentence, **parts) if isinstance(verdict, AskVerdict) else answered(ask, sentence, **parts)
    )
    return Outcome(made, evidence=pieces)


_BEGUN: Final = frozenset({"week", "month", "ytd"})
"""Times that begin before anything is traded in them."""


def nothing(ask: Ask, held: Held) -> Outcome:
    """Return that the data lacks what is asked, with the days that it covers where a day is asked."""
    subjects = [*shares_of(ask), *series_of(ask)]
    name = listed([held.name(one) for one in subjects]) if subjects else Said("종목들", "these shares")
    span = held.span_of_data(series_of(ask)[0] if series_of(ask) else "")
    asked = ask.start_date or (ask.against_date if begins_long_ago(ask) else "")
    when = Said(f"{asked[:4]}년 {int(asked[5:7])}월", f"{date.fromisoformat(asked):%B %Y}") if asked else None
    days = [row.text("date")[:10] for one in subjects or held.ids() if (row := held.price(one)) is not None]
    if days and not ask.end_date and ask.notes.get("span") in _BEGUN and max(days) <= ask.against_date:
        sentence = filled(
            "{when}에는 아직 거래된 날이 없어 {name}의 변화를 말씀드릴 수 없습니다. 자료의 마지막 날은 {last}입니다.",
            "There has been no trading day {when} yet, so I cannot tell how {name} moved; the data ends on {last}.",
            name=name, when=span_said(ask), last=day_said(max(days)),
        )  # fmt: skip
    elif span and (ask.end_date or begins_long_ago(ask)):
        sentence = filled(
            "{name}의 {when} 자료는 없어 답할 수 없습니다. 자료는 {first}부터 {last}까지 있습니다.",
            "There is no data on {name} for {when}, so I cannot tell; the data runs from {first} to {last}.",
            name=name, when=when or Said("그때", "that day"), first=day_said(span[0]), last=day_said(span[1]),
        )  # fmt: skip
    else:
        what = (
            listed([BY_ID[one].label for one in ask.measures if one in BY_ID])
            if ask.measures
            else Said("수치", "figures")
        )
        sentence = filled(
            "{name}의 {what} 자료가 없어 답할 수 없습니다.",
            "There is no data on the {what} of {name}, so I cannot tell.",
            name=name,
            what=what,
        )
    return Outcome(declined(ask, sentence))


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


def _moved(value: Decimal, subject: str) -> Said:
    up = value > 0
    if value == 0:
        return Said("그대로입니다", "was unchanged")
    if is_rate(subject):
        return Said("높아졌습니다", "rose") if up else Said("낮아졌습니다", "fell")
    if subject in SERIES and SERIES[subject].unit in {"count", "thousands"}:
        return Said("늘었습니다", "rose") if up else Said("줄었습니다", "fell")
    return Said("올랐습니다", "rose") if up else Said("내렸습니다", "fell")


def _begun(name: Said) -> Said:
    """Return a name as the first words of a sentence."""
    return Said(name.ko, name.en[:1].upper() + name.en[1:])


def _size(figure: Figure) -> Said:
    return points(abs(figure.value)) if is_rate(figure.subject) else percent(abs(figure.value), 2)


def change_said(figure: Figure) -> Said:
    """Return a sentence that tells a change with both figures and its direction."""
    won_moved = figure.subject == EXCHANGE and figure.value
    weaker = figure.value > 0
    return filled(
        "{name:은/는} {when} {size} {moved}({parts}).{won}", "{name} {moved} {size} {when}: {parts}.{won}",
        won=Said(" 원화가 약해진 것입니다." if weaker else " 원화가 강해진 것입니다.", f" So the won {'weakened' if weaker else 'strengthened'}.") if won_moved else "",
        name=_begun(figure.name), when=figure.when, size=_size(figure), moved=_moved(figure.value, figure.subject), parts=figure.parts or "",
    )  # fmt: skip


def change_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls of changes."""
    names = [name for name in ask.measures if name not in {"return", "price"}] or ["return"]
    calls = share_calls(ask, names) if shares_of(ask) else []
    return [*calls, *series_calls(series_of(ask), ask)]


def change(ask: Ask, found: Found) -> Outcome:
    """Return how each subject has moved between two days, both figures and the direction."""
    held = Held(ask, found)
    names = [name for name in ask.measures if name not in {"return", "price"}]
    figures = [figure for one in series_of(ask) if (figure := held.change(one)) is not None]
    lines = [change_said(one) for one in figures]
    for one in shares_of(ask):
        if not names and (figure := held.change(one)) is not None:
            figures.append(figure)
            lines.append(change_said(figure))
        lines += [line for name in names if (line := _account_change(ask, held, name, one)) is not None]
    if not lines:
        return nothing(ask, held)
    grounds = [Ground(_absolute(held, one)) for one in figures if one.subject in SERIES and not is_rate(one.subject)]
    return whole(ask, held, sentences(*lines), figures, grounds=grounds, charts=moves(held, figures))


def _absolute(held: Held, figure: Figure) -> Said:
    ends = held.ends(figure.subject)
    before, after = (row.number("value") or Decimal(0) for row in ends) if ends else (Decimal(0), Decimal(0))
    return filled("차이: {value}", "Difference: {value}", value=series_said(figure.subject, after - before))


def _account_change(ask: Ask, held: Held, name: str, subject: str) -> Said | None:
    figure = held.share(name, subject)
    items = BY_ID[name].items
    if figure is None or len(items) != 1:
        return None
    rows = held.book(subject, items[0])
    at = quarter_place(rows, ask.notes.get("quarter", ""))
    back = 1 if ask.notes.get("span") == "qoq" else 4
    if at is None or at + back >= len(rows):
        return None
    now, then = rows[at].number("value") or Decimal(0), rows[at + back].number("value") or Decimal(0)
    if not then:
        return None
    share = (now - then) / abs(then) * 100
    per = name in PER_SHARE
    return filled(
        "{name}의 {now_when} {label:은/는} {now:으로/로} {then_when}의 {then}보다 {share} {moved}.",
        "{name}'s {label} in {now_when} was {now}, {share} {moved} than {then} in {then_when}.",
        name=held.name(subject), label=BY_ID[name].label, now=held.money(subject, now, per_share=per), then=held.money(subject, then, per_share=per),
        now_when=quarter_said(rows[at].text("fiscal_period")), then_when=quarter_said(rows[at + back].text("fiscal_period")),
        share=percent(abs(share), 2), moved=Said("늘었습니다", "higher") if share >= 0 else Said("줄었습니다", "lower"),
    )  # fmt: skip


def extreme_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls of the highest or lowest value within a time, and of the newest."""
    calls: list[Call] = []
    most = ask.descending
    for one in series_of(ask):
        filters = [where("series_id", one)]
        calls.append(
            query(
                "series",
                ("series_id", "date", "value"),
                mode="rows",
                filters=filters,
                start=ask.start_date or None,
                end=ask.end_date or None,
                order_by="value",
                descending=most,
                limit=1,
            )
        )
        calls.append(query("series", ("series_id", "date", "value"), mode="last", filters=filters))
    if shares_of(ask):
        fields = ("security_id", "name_ko", "name_en", "market", "currency", "date", "close")
        for one in shares_of(ask):
            filters = [where("security_id", one)]
            calls.append(
                query(
                    "share_prices",
                    fields,
                    mode="rows",
                    filters=filters,
                    start=ask.start_date or None,
                    end=ask.end_date or None,
                    order_by="close",
                    descending=most,
                    limit=1,
                )
            )
        calls.append(query("share_prices", fields, mode="last", filters=share_filters(ask)))
    return calls


def _as_close(subject: str, value: Said) -> Said:
    return value if subject in SERIES else Said(f"{value.ko}(종가)", value.en)


def _gap_from(subject: str, then: Decimal, now: Decimal) -> Said:
    """Return how far what is now lies above or below what was then; nothing where it is the same."""
    if now == then or not then:
        return Said("", "")
    size = points(abs(now - then)) if is_rate(subject) else percent(abs(now / then - 1) * 100, 2)
    way = Said("높은 수준", "above") if now > then else Said("낮은 수준", "below")
    return filled("그때보다 {size} {way}", "{size} {way} that", size=size, way=way)


def extreme(ask: Ask, found: Found) -> Outcome:
    """Return the highest or lowest value with its day, and what it is now."""
    held = Held(ask, found)
    lines, figures = [], []
    way = Said("가장 높았던", "highest") if ask.descending else Said("가장 낮았던", "lowest")
    for one in (*shares_of(ask), *series_of(ask)):
        field = "value" if one in SERIES else "close"
        top = next(
            (
                row
                for reading in found.readings
                if reading.arguments.get("mode") == "rows"
                for row in rows_of([reading])
                if one in {row.text("security_id"), row.text("series_id")}
            ),
            None,
        )
        now = held.price(one)
        value = top.number(field) if top else None
        if top is None or value is None:
            continue
        when = held.day(one, top)
        current = now.number(field) if now else None
        lines.append(
            filled(
                "{name:이/가} {span}{way} 때는 {when:으로/로} {value:이었/였}습니다.",
                "The {way} {what} of {name}{span} was {value}, {when}.",
                name=held.name(one), span=Said(f"{ask.notes.get('span_ko', '')} ".lstrip() if ask.notes.get("span_ko") else "", f" {ask.notes['span_en']}" if ask.notes.get("span_en") else ""),
                way=way, when=when, value=_as_close(one, held.level_said(one, value)), what=Said("", "close") if one not in SERIES else Said("", "value"),
            )
        )  # fmt: skip
        if now is not None and current is not None:
            gap = _gap_from(one, value, current)
            lines.append(
                filled(
                    "지금은 {value:으로/로}, {gap}입니다({when})." if gap.ko else "지금은 {value}입니다({when}).",
                    "It is {value} now, {gap} ({when})." if gap.en else "It is {value} now ({when}).",
                    value=held.level_said(one, current),
                    when=held.day(one, now),
                    gap=gap,
                )
            )
        figures.append(
            Figure(
                one, held.name(one), "price" if one not in SERIES else "level", value, held.level_said(one, value), when
            )
        )
    return whole(ask, held, sentences(*lines), figures) if lines else nothing(ask, held)


__all__ = ["change", "change_calls", "decimal", "extreme", "extreme_calls", "level", "level_calls", "month_said"]
