"""How shares, series and accounts have moved between two days, said with both figures and the direction."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, Ground, Said
from services.domains.finance.asks.calls import series_calls, share_calls
from services.domains.finance.asks.figures.accounts import PER_SHARE, quarter_place
from services.domains.finance.asks.figures.held import Held
from services.domains.finance.asks.figures.rows import Figure
from services.domains.finance.asks.levels.outcomes import nothing, series_of, shares_of, whole
from services.domains.finance.asks.pictures import moves
from services.domains.finance.asks.vocabulary import BY_ID, SERIES
from services.domains.finance.asks.wording import is_rate, quarter_said, series_said
from services.plugin.asks.answering import Call, Found, Outcome
from services.plugin.asks.telling import filled, percent, points, sentences

EXCHANGE: Final = "KR_USDKRW"
"""The rate that sums of dollars are told in won by."""


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
