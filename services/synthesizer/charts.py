"""The pictures of an answer: those that its answerers drew, each value of which its evidence or its figures hold."""

import json
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from typing import Final

from services.contract.asks import AnswerState, AskAnswer
from services.contract.charts import Chart, ChartSeries
from services.contract.flow import AgentResult
from services.contract.synthesizer import SynthesizeRequest

CHARTS_MAX: Final = 3
"""Pictures of one answer."""


def charts_of(request: SynthesizeRequest) -> tuple[Chart, ...]:
    """Return the pictures of what was asked; a series with a value that nothing holds is left out."""
    drawn = (
        chart
        for result in request.results
        for answer in result.answers
        if answer.state is AnswerState.ANSWERED
        for one in answer.charts
        if (chart := _held(one, answer, result)).series
    )
    return tuple(dict.fromkeys(drawn))[:CHARTS_MAX]


def _held(chart: Chart, answer: AskAnswer, result: AgentResult) -> Chart:
    told = {value for one in answer.told for figure in one.figures.values() if (value := _number(figure)) is not None}
    return replace(chart, series=tuple(one for one in chart.series if _holds(one, told, result)))


def _holds(series: ChartSeries, told: set[Decimal], result: AgentResult) -> bool:
    rows = [piece.rows_json for piece in result.evidence if piece.evidence_id in series.evidence_ids]
    if not series.points or len(rows) != len(set(series.evidence_ids)):
        return False
    held = told | {value for one in rows for value in _numbers(json.loads(one or b"[]", parse_float=Decimal))}
    return all(_number(point.y) in held for point in series.points)


def _numbers(value: object) -> Iterator[Decimal]:
    if isinstance(value, dict):
        for one in value.values():
            yield from _numbers(one)
    elif isinstance(value, list):
        for one in value:
            yield from _numbers(one)
    elif isinstance(value, int | Decimal) and not isinstance(value, bool):
        yield Decimal(value)


def _number(text: str) -> Decimal | None:
    try:
        value = Decimal(text)
    except InvalidOperation:
        return None
    return value if value.is_finite() else None
