"""Figures as lines of an answer, put together as a reader looks for them: a line for each group of their kinds.

수익률: 1거래일 +1.99%, 5거래일 +4.67%, 20거래일 +13.55%
매매가: 최저 15억 1,200만원, 중간값 23억 3,100만원, 평균 23억 1,773만원, 최고 33억 3,400만원
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from typing import Final

from services.contract.flow import AgentResult, AgentStatus, Metric
from services.plugin.answers import Line, Section, Style
from services.plugin.data.rows import rows_of
from services.plugin.figures.declared import installed_figures, said_word
from services.plugin.figures.kinds import FigureKind, FigureRole
from services.plugin.wording import Text
from services.text.language import Language
from services.text.saying import figure, period

LINES_MAX: Final = 10
"""How many lines of figures of one subject stand in the answer."""
_AS_OF: Final = Text("{title} ({day} 기준)", "{title} (as of {day})")
_SHARE_DECIMALS: Final = 2
_UNITS_OF_CHANGE: Final = frozenset({"percent", "percentage_point"})
_HOLDING: Final = frozenset({AgentStatus.ANSWERED, AgentStatus.LIMITED})


@dataclass(frozen=True, slots=True)
class Item:
    """One figure within its group."""

    group: str
    """The group; the metric's own name for one that stands alone."""
    title: str
    """What the group is called."""
    label: str
    """What the figure is called within the group; empty for one that stands alone."""
    rank: int
    """Its place within the group."""
    metric: Metric
    """The figure."""


def found_in(results: Iterable[AgentResult]) -> list[AgentResult]:
    """Return the results that found something."""
    return [result for result in results if result.status in _HOLDING]


def kind_of(metric: Metric) -> FigureKind | None:
    """Return the kind of a metric; None for one that no installed domain declares."""
    return installed_figures().kinds.get(metric.name)


def has_role(metric: Metric, role: FigureRole) -> bool:
    """Tell whether a metric does something in a judgement."""
    kind = kind_of(metric)
    return kind is not None and kind.role is role


def is_beside(metric: Metric) -> bool:
    """Tell whether a metric only stands beside an answer, and is not what was asked."""
    kind = kind_of(metric)
    return kind is not None and kind.is_beside


def number_of(metric: Metric) -> Decimal | None:
    """Return a metric's value; None for a word, or what is no finite number."""
    try:
        value = Decimal(metric.value)
    except InvalidOperation:
        return None
    return value if value.is_finite() else None


def shown(metric: Metric, language: Language) -> str:
    """Return a metric's value with its unit as people write it; empty where it has neither value nor word."""
    if not metric.value:
        return said_word(metric.word.lower(), language)
    value = number_of(metric)
    return "" if value is None else figure(value, metric.unit, language)


def items(metrics: Iterable[Metric], language: Language) -> tuple[Item, ...]:
    """Return the figures that lists hold, each with its group, in the order of the metrics."""
    kinds = ((metric, kind_of(metric)) for metric in metrics)
    return tuple(
        _item(metric, kind, language)
        for metric, kind in kinds
        if (kind is None or kind.is_listed) and shown(metric, language)
    )


def grouped(found: Iterable[Item]) -> dict[str, list[Item]]:
    """Return figures by group, groups in the order in which they begin, figures by their rank."""
    groups: dict[str, list[Item]] = {}
    for item in found:
        groups.setdefault(item.group, []).append(item)
    return {group: sorted(those, key=lambda item: item.rank) for group, those in groups.items()}


def written(group: list[Item], language: Language, day_of: Callable[[Metric], str]) -> str:
    """Return a group as one line; `day_of` gives the day to put behind a figure, empty for none."""
    values = (f"{item.label} {value(item.metric, language)}".strip() + _behind(day_of(item.metric)) for item in group)
    return f"{group[0].title}: {', '.join(values)}"


def within(group: list[Item], language: Language, day_of: Callable[[Metric], str]) -> str:
    """Return a group as part of a line: "판매가 1만원", "직전 값 1,472.2원 (2026년 11월 26일)"."""
    return written(group, language, day_of).replace(f"{group[0].title}: ", f"{group[0].title} ", 1)


def value(metric: Metric, language: Language) -> str:
    """Return a figure as a list shows it: a change bears its sign, a share has two digits at most."""
    text, size = shown(_rounded(metric), language), number_of(metric)
    return f"+{text}" if is_moving(metric) and size is not None and size > 0 else text


def is_moving(metric: Metric) -> bool:
    """Tell whether a metric is a change, whose sign is told."""
    kind = kind_of(metric)
    return kind is not None and kind.is_change and metric.unit in _UNITS_OF_CHANGE


def evidence_of(group: Iterable[Item]) -> tuple[str, ...]:
    """Return what the figures of a group rest on, each once."""
    return tuple(dict.fromkeys(one for item in group for one in item.metric.evidence_ids))


def frequencies_of(results: Iterable[AgentResult]) -> dict[str, str]:
    """Return how often the series of each piece of evidence is published, by evidence id, where its rows say so."""
    rows = {piece.evidence_id: rows_of(piece)[:1] for result in results for piece in result.evidence}
    return {
        evidence_id: str(first[0].get("frequency", "") or ("monthly" if first[0].get("month") else ""))
        for evidence_id, first in rows.items()
        if first
    }


def dated(metric: Metric, frequencies: Mapping[str, str], language: Language) -> str:
    """Return the day, month or quarter that a metric stands for; empty where it has none."""
    if metric.as_of_time is None:
        return ""
    frequency = next((frequencies[one] for one in metric.evidence_ids if one in frequencies), "")
    return period(metric.as_of_time.date(), frequency, language)


def listed(title: str, those: Iterable[Item], frequencies: Mapping[str, str], language: Language) -> Section:
    """Return figures of one subject, their day in the heading and behind those of another day."""
    found = list(those)
    day, day_of = days_of(found, frequencies, language)
    groups = list(grouped(found).values())[:LINES_MAX]
    lines = tuple(Line(written(group, language, day_of), evidence_of(group)) for group in groups)
    return Section(lines, headed(title, day, language), Style.BULLETS)


def headed(title: str, day: str, language: Language) -> str:
    """Return a title with the day that its figures stand for; as it is without one."""
    return _AS_OF.said(language, title=title, day=day) if day else title


def days_of(
    found: list[Item], frequencies: Mapping[str, str], language: Language
) -> tuple[str, Callable[[Metric], str]]:
    """Return the day of most figures, the newest of several, and what is said behind each of another day."""
    days = Counter(item.metric.as_of_time for item in found if item.metric.as_of_time is not None)
    most = max(days, key=lambda moment: (days[moment], moment), default=None)
    told = next((item.metric for item in found if most is not None and item.metric.as_of_time == most), None)
    day = "" if told is None else dated(told, frequencies, language)

    def day_of(metric: Metric) -> str:
        own = dated(metric, frequencies, language)
        return "" if own == day else own

    return day, day_of


def _rounded(metric: Metric) -> Metric:
    """Return a share with as many digits as a list needs; a sum keeps all of its own."""
    known = number_of(metric)
    if known is None or metric.unit != "percent":
        return metric
    return replace(metric, value=f"{round(known, _SHARE_DECIMALS):f}")


def _behind(day: str) -> str:
    return f" ({day})" if day else ""


def _item(metric: Metric, kind: FigureKind | None, language: Language) -> Item:
    if kind is None or not kind.group:
        return Item(f"{metric.name}/{metric.label}", metric.label[:1].upper() + metric.label[1:], "", 0, metric)
    title = installed_figures().groups[kind.group].title.of(language)
    return Item(kind.group, title, (kind.item or kind.label).of(language), int(kind.rank), metric)
