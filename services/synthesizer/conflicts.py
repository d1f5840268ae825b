"""Where the newest evidence goes against what the answer concludes: then the answer says so and does not settle it."""

from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Final

from services.contract.flow import AgentResult, AgentStatus, Metric, Trend
from services.plugin.figures.kinds import FigureRole
from services.plugin.figures.lines import has_role, kind_of, number_of
from services.plugin.wording import Text
from services.text.ko.written import josa
from services.text.language import Language

_SIGNS: Final = {"up": 1, "down": -1}
_TREND_SIGNS: Final = {Trend.BULL: 1, Trend.BEAR: -1}
_AGAINST_TREND: Final = Text(
    "{whose} 가장 최근 움직임이 추세와 반대여서, 방향을 단정하기 어렵습니다.",
    "The newest move of {whose} goes against its trend, so that its direction is not settled.",
)
_PARTS_DIFFER: Final = Text(
    "가장 새로운 자료와 그 앞의 자료가 서로 다른 방향을 가리켜, 결론을 단정하기 어렵습니다.",
    "The newest data and the data before it point different ways, so that no firm conclusion is drawn.",
)


def hedges(results: Iterable[AgentResult], language: Language) -> tuple[str, ...]:
    """Return a sentence for each conflict between the newest evidence and the conclusion."""
    found = [result for result in results if result.status in {AgentStatus.ANSWERED, AgentStatus.LIMITED}]
    lines = [_said(subject, language) for result in found for subject in _against_trend(result)]
    if _newest_differs(found):
        lines.append(_PARTS_DIFFER.said(language))
    return tuple(dict.fromkeys(lines))


def _said(subject: str, language: Language) -> str:
    whose = josa(subject, "은/는") if language == "ko" else subject
    return _AGAINST_TREND.said(language, whose=whose)


def _against_trend(result: AgentResult) -> Iterator[str]:
    """Yield the subjects whose newest move goes against the trend that their metrics say."""
    trending = (metric for metric in result.metrics if metric.word in _SIGNS and has_role(metric, FigureRole.TREND))
    trends = {metric.subject: _SIGNS[metric.word] for metric in trending}
    for metric in result.metrics:
        move = _newest_move(metric)
        if move and move * trends.get(metric.subject, 0) < 0:
            yield metric.subject


def _newest_move(metric: Metric) -> Decimal:
    """Return the move since the value before; 0 for another metric, and for one too small to say anything."""
    kind, value = kind_of(metric), number_of(metric)
    if kind is None or value is None or kind.role is not FigureRole.NEWEST_MOVE or abs(value) < kind.settles_from:
        return Decimal(0)
    return value


def _newest_differs(results: list[AgentResult]) -> bool:
    """Tell whether the result with the newest evidence goes against another one about the same subject."""
    dated = [
        (max(times), result)
        for result in results
        if result.primary_trend in _TREND_SIGNS
        and (times := [one.provenance.as_of_time for one in result.evidence if one.provenance.as_of_time is not None])
    ]
    if len(dated) < 2:
        return False
    _, newest = max(dated, key=lambda one: one[0])
    subjects = {metric.subject for metric in newest.metrics}
    return any(
        other is not newest
        and other.primary_trend is not newest.primary_trend
        and (not other.metrics or bool(subjects & {metric.subject for metric in other.metrics}))
        for _, other in dated
    )
