"""How many of the series of a market's summary rose and fell since the value before."""

from collections.abc import Iterator
from typing import Final

from services.contract.synthesizer import SynthesizeRequest
from services.plugin.answers import Line, Section
from services.plugin.figures.kinds import FigureRole
from services.plugin.figures.lines import has_role, number_of
from services.plugin.wording import Text
from services.text.language import Language

_SERIES_MIN: Final = 2
_OVERVIEW: Final = Text(
    "살펴본 {count}개 지표 가운데 직전보다 {up}, {down}.",
    "Of {count} series looked at, {up} rose from the value before and {down} fell.",
)
_ROSE: Final = Text("{count}개가 올랐고", "{count}")
_NONE_ROSE: Final = Text("오른 것은 없고", "none")
_FELL: Final = Text("{count}개가 내렸습니다", "{count}")
_NONE_FELL: Final = Text("내린 것은 없습니다", "none")


def overview(request: SynthesizeRequest, language: Language) -> Iterator[Section]:
    """Yield the count of those that rose and of those that fell, where there are several."""
    moves = [
        (value, metric)
        for result in request.results
        for metric in result.metrics
        if has_role(metric, FigureRole.NEWEST_MOVE) and (value := number_of(metric)) is not None
    ]
    if len(moves) < _SERIES_MIN:
        return
    up, down = sum(value > 0 for value, _ in moves), sum(value < 0 for value, _ in moves)
    rose = (_ROSE if up else _NONE_ROSE).said(language, count=str(up))
    fell = (_FELL if down else _NONE_FELL).said(language, count=str(down))
    text = _OVERVIEW.said(language, count=str(len(moves)), up=rose, down=fell)
    ids = tuple(dict.fromkeys(one for _, metric in moves for one in metric.evidence_ids))
    yield Section((Line(text, ids),))
