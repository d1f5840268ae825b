"""The pictures of answers on shares and series: a line of what has moved, bars of what is held side by side."""

from collections.abc import Iterable, Sequence
from typing import Final

from services.contract.charts import Chart
from services.domains.finance.asks.figures.held import Held
from services.domains.finance.asks.figures.rows import Figure
from services.domains.finance.asks.vocabulary import BY_ID, SERIES
from services.plugin.asks.charts import bars, line, lines

_UNITS: Final = {"percent": "percent", "points": "percentage_point", "won": "krw", "index": "index", "times": "ratio"}
"""The units of series and measures as the contract names them; of the others no picture tells the unit."""


def moves(held: Held, figures: Iterable[Figure]) -> tuple[Chart, ...]:
    """Return lines from the first to the last day of each change, those of one unit in one picture."""
    by_unit: dict[str, list[Figure]] = {}
    for one in figures:
        by_unit.setdefault(_unit_of(held, one.subject), []).append(one)
    return tuple(chart for unit, own in by_unit.items() for chart in _drawn(held, unit, own))


def side_by_side(held: Held, figures: Sequence[Figure]) -> tuple[Chart, ...]:
    """Return bars of each measure of shares; none where their currencies differ."""
    shares = [one for one in figures if one.subject not in SERIES and one.measure in BY_ID]
    ids = [piece.evidence_id for piece in held.evidence()]
    found: tuple[Chart, ...] = ()
    for measure in dict.fromkeys(one.measure for one in shares):
        own = [one for one in shares if one.measure == measure]
        is_money = BY_ID[measure].unit == "money"
        if is_money and len({held.is_won(one.subject) for one in own}) > 1:
            continue
        unit = ("krw" if held.is_won(own[0].subject) else "usd") if is_money else _UNITS.get(BY_ID[measure].unit, "")
        points = [(one.name.of(held.locale), one.value) for one in own]
        found += bars(BY_ID[measure].label.of(held.locale), unit, points, ids)
    return found


def _drawn(held: Held, unit: str, figures: Sequence[Figure]) -> tuple[Chart, ...]:
    field = "value" if figures[0].subject in SERIES else "close"
    drawn = [
        line(
            one.name.of(held.locale),
            ((row.text("date"), row.number(field)) for row in held.between(one.subject)),
            *held.proofs_of(one.subject),
        )
        for one in figures
    ]
    return lines(", ".join(one.name.of(held.locale) for one in figures), unit, *drawn)


def _unit_of(held: Held, subject: str) -> str:
    if subject in SERIES:
        return _UNITS.get(SERIES[subject].unit, "")
    return "krw" if held.is_won(subject) else "usd"
