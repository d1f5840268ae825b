"""Figures put together as a reader looks for them: a line for the averages, one for the returns, one for a range.

수익률: 1거래일 +1.99%, 5거래일 +4.67%, 20거래일 +13.55%
매매가: 최저 15억 1,200만원, 중간값 23억 3,100만원, 평균 23억 1,773만원, 최고 33억 3,400만원
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from services.contract.flow import Metric
from services.grounding.concepts import concept_sets, is_change
from services.grounding.facts import known_value
from services.plugin.figures import Slot
from services.synthesizer.wording import Text, shown
from services.text.language import Language

_LEVELS: Final = ("low", "median", "mean", "high")
_ITEMS: Final = {
    "low": Text("최저", "lowest"),
    "median": Text("중간값", "median"),
    "mean": Text("평균", "mean"),
    "high": Text("최고", "highest"),
    "short_trend": Text("단기", "short-term"),
    "long_trend": Text("장기", "long-term"),
    "before": Text("직전 대비", "from the value before"),
    "year": Text("전년 같은 시기 대비", "from a year earlier"),
}
_DAYS: Final = Text("{days}일", "{days}-day")
_SESSIONS: Final = Text("{days}거래일", "{days}-session")
_TITLES: Final = {
    "averages": Text("이동평균", "Moving averages"),
    "returns": Text("수익률", "Returns"),
    "52w": Text("52주 범위", "52-week range"),
    "period": Text("조회 기간의 범위", "Range in the period"),
    "price": Text("매매가", "Price"),
    "deposit": Text("보증금", "Deposit"),
    "monthly_rent": Text("월세", "Monthly rent"),
    "trends": Text("추세", "Trend"),
    "changes": Text("변화", "Change"),
}
_GROUPED: Final = re.compile(
    r"ma_(?P<mean_days>[0-9]+)|return_(?P<return_days>[0-9]+)d|(?P<edge>high|low)_(?P<reach>52w|period)"
    r"|(?P<measure>price|deposit|monthly_rent)_(?P<level>low|median|mean|high)|(?P<trend>short|long)_trend"
    r"|(?P<year>year_)?change"
)
_LEFT_OUT: Final = frozenset({"price_count", "strength", "told_count", "month_count", "price_first", "first_deals"})
"""Metrics that count rows or weigh relations, or that a change says better."""


_SHARE_DECIMALS: Final = 2


@dataclass(frozen=True, slots=True)
class Item:
    """One figure within its group."""

    group: str
    """The group; the metric's own name for one that stands alone."""
    title: str
    """What the group is called."""
    label: str
    """What the figure is called within the group; empty for one that stands alone."""
    rank: float
    """Its place within the group."""
    metric: Metric
    """The figure."""


def items(metrics: Iterable[Metric], language: Language) -> tuple[Item, ...]:
    """Return the figures that matter to a reader, each with its group, in the order of the metrics."""
    return tuple(
        _item(metric, language) for metric in metrics if metric.name not in _LEFT_OUT and shown(metric, language)
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
    """Return a figure as a list shows it: a change bears its sign."""
    text = shown(_rounded(metric), language)
    signed = is_moving(metric) and metric.value and not metric.value.startswith("-") and metric.value.strip("0.") != ""
    return f"+{text}" if signed else text


def _rounded(metric: Metric) -> Metric:
    """Return a share with as many digits as a list needs; a sum keeps all of its own."""
    known = known_value(metric)
    if known is None or metric.unit != "percent":
        return metric
    return replace(metric, value=f"{round(known.value, _SHARE_DECIMALS):f}")


def is_moving(metric: Metric) -> bool:
    """Tell whether a metric is a change, whose sign is told."""
    return metric.unit in {"percent", "percentage_point"} and is_change(metric.name, metric.label)


def evidence_of(group: Iterable[Item]) -> tuple[str, ...]:
    """Return what the figures of a group rest on, each once."""
    return tuple(dict.fromkeys(one for item in group for one in item.metric.evidence_ids))


def _behind(day: str) -> str:
    return f" ({day})" if day else ""


def _item(metric: Metric, language: Language) -> Item:
    for group, label, rank in _places(metric, language):
        return Item(group, _TITLES[group].said(language), label, rank, metric)
    return Item(f"{metric.name}/{metric.label}", _capitalised(metric.label), "", 0, metric)


def _places(metric: Metric, language: Language) -> Iterator[tuple[str, str, float]]:
    """Yield the group of a metric, its label there and its rank; nothing for one that stands alone."""
    match = _GROUPED.fullmatch(metric.name)
    if match is None:
        return
    if days := match["mean_days"]:
        yield "averages", _DAYS.said(language, days=days), int(days)
    elif days := match["return_days"]:
        yield "returns", _SESSIONS.said(language, days=days), int(days)
    elif reach := match["reach"]:
        yield reach, _ITEMS[match["edge"]].said(language), _LEVELS.index(match["edge"])
    elif measure := match["measure"]:
        said = concept_sets(metric.label).get(Slot.MEASURE, frozenset())
        measure = "deposit" if "deposit" in said else measure
        yield measure, _ITEMS[match["level"]].said(language), _LEVELS.index(match["level"])
    elif match["trend"]:
        yield "trends", _ITEMS[metric.name].said(language), 0 if match["trend"] == "short" else 1
    elif is_moving(metric):
        yield "changes", _ITEMS["year" if match["year"] else "before"].said(language), 1 if match["year"] else 0


def _capitalised(label: str) -> str:
    return label[:1].upper() + label[1:]
