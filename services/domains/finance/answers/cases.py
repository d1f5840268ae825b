"""Base, bull and bear case from the figures at hand: which values would have to be passed for each.

No probability and no target stands in them, and nobody is told what to do.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from services.contract.flow import AgentResult, AgentStatus, Metric
from services.contract.synthesizer import SynthesizeRequest
from services.plugin.answers import Line, Section, Style
from services.plugin.figures.lines import is_beside, shown
from services.plugin.wording import Text
from services.text.ko.written import josa
from services.text.language import Language
from services.text.patterns import Pattern

SUBJECTS_MAX: Final = 3
"""How many subjects have conditions in a case."""
WISH: Final = Text(
    "요약 다음에 기본, 상승, 하락의 세 경우를 나누어, 각각 어떤 조건에서 그렇게 되는지 씁니다. "
    "확률이나 목표가를 지어내지 않습니다.",
    "After the summary tell a base, a bull and a bear case apart, each with the conditions that lead to it. "
    "Invent no probability and no price target.",
)
"""What a model that writes such an answer is told."""
_HEADING: Final = Text("세 가지 경우", "Three cases")

_NAMES: Final = {"base": Text("기본", "Base"), "bull": Text("상승", "Bull"), "bear": Text("하락", "Bear")}
_ENDING: Final = Text("{conditions} 경우입니다.", "{conditions}.")
_PRICES: Final = ("price_mean", "latest_price", "latest_deposit")
_DEALS: Final = ("deal_count", "latest_deals")
_OPEN: Final = Text(
    "어느 경우가 될지는 이 자료만으로 정할 수 없습니다.", "These data alone do not settle which of them it will be."
)
_WITHOUT: Final = {
    "base": Text("기본: 지금의 흐름이 다음 자료에서도 이어지는 경우입니다.", "Base: the next data go on as these do."),
    "bull": Text("상승: 다음 자료에서 오름세가 확인되는 경우입니다.", "Bull: the next data confirm an upturn."),
    "bear": Text("하락: 다음 자료에서 내림세가 확인되는 경우입니다.", "Bear: the next data confirm a downturn."),
}
_BURDENS: Final = Pattern(
    r"금리|물가|실업|변동성|환율|미분양|수익률|이자|rate|yield|inflation|price\sindex|prices|unemployment|volatility|unsold",
    re.IGNORECASE,
)
"""Series whose rise weighs on shares and homes; those of other names speak of growth."""


@dataclass(frozen=True, slots=True)
class _Conditions:
    """What one subject adds to each case."""

    base: str
    bull: str
    bear: str
    evidence_ids: tuple[str, ...]


def cases(request: SynthesizeRequest, language: Language) -> Iterator[Section]:
    """Yield the three cases with their conditions, and that nothing is settled; nothing without any figure."""
    if not any(result.metrics for result in request.results):
        return
    found = [result for result in request.results if result.status is not AgentStatus.FAILED]
    conditions = [one for by_name in _by_subject(found) for one in _conditions(by_name, language)][:SUBJECTS_MAX]
    told = tuple(_case(name, conditions, language) for name in _NAMES)
    yield Section((*told, Line(_OPEN.said(language))), _HEADING.said(language), Style.BULLETS)


def _case(name: str, conditions: list[_Conditions], language: Language) -> Line:
    if not conditions:
        return Line(_WITHOUT[name].said(language))
    each = [str(getattr(one, name)) for one in conditions]
    joined = "; ".join(each) if language == "en" else " 경우, ".join(each)
    ids = tuple(dict.fromkeys(evidence_id for one in conditions for evidence_id in one.evidence_ids))
    text = _ENDING.said(language, conditions=joined)
    return Line(f"{_NAMES[name].said(language)}: {text}", ids)


def _by_subject(results: Iterable[AgentResult]) -> Iterator[dict[str, Metric]]:
    """Yield the metrics of each subject by name; a brief that stands beside the answer is no condition of it."""
    subjects: dict[str, dict[str, Metric]] = {}
    for result in results:
        for metric in (one for one in result.metrics if not is_beside(one)):
            subjects.setdefault(metric.subject, {})[metric.name] = metric
    yield from subjects.values()


def _conditions(metrics: dict[str, Metric], language: Language) -> Iterator[_Conditions]:
    ids = next((metric.evidence_ids for metric in metrics.values()), ())
    if "latest_close" in metrics and "ma_20" in metrics:
        yield _of_share(metrics, ids, language)
    elif (price := _first(metrics, _PRICES)) is not None:
        yield _of_homes(price, _first(metrics, _DEALS), language)
    elif (value := _first(metrics, ("latest_value", "brief_value"))) is not None:
        yield _of_series(value, ids, language)


def _first(metrics: dict[str, Metric], names: Iterable[str]) -> Metric | None:
    return next((metrics[name] for name in names if name in metrics), None)


def _of_share(metrics: dict[str, Metric], ids: tuple[str, ...], language: Language) -> _Conditions:
    name, short = metrics["latest_close"].subject, shown(metrics["ma_20"], language)
    middle = shown(metrics.get("ma_60", metrics["ma_20"]), language)
    days = "60" if "ma_60" in metrics else "20"
    if language == "ko":
        who = josa(name, "이/가")
        return _Conditions(
            f"{who} 20일 이동평균 {short} 부근에서 뚜렷한 방향 없이 움직이는",
            f"{who} 20일 이동평균 {short} 위에 머물고 {days}일 이동평균 {middle}도 지키는",
            f"{who} 20일 이동평균 {short} 아래로, 이어서 {days}일 이동평균 {middle} 아래로 내려가는",
            ids,
        )
    return _Conditions(
        f"{name} stays near its 20-day average of {short} without a clear direction",
        f"{name} stays above its 20-day average of {short} and holds its {days}-day average of {middle}",
        f"{name} drops below its 20-day average of {short} and then its {days}-day average of {middle}",
        ids,
    )


def _of_homes(price: Metric, deals: Metric | None, language: Language) -> _Conditions:
    name, level = f"{price.subject} {price.label}", shown(price, language)
    count = "" if deals is None else shown(deals, language)
    more = f" 거래도 {count}보다" if count else " 거래도"
    if language == "ko":
        return _Conditions(
            f"{josa(name, '이/가')} {level} 부근에 머무는",
            f"{josa(name, '이/가')} {josa(level, '을/를')} 넘고{more} 늘어나는",
            f"{josa(name, '이/가')} {level} 아래로 내려가고{more} 줄어드는",
            price.evidence_ids,
        )
    than = f" from {count}" if count else ""
    return _Conditions(
        f"{name} stays near {level}",
        f"{name} passes {level} and deals grow{than}",
        f"{name} drops below {level} and deals thin out{than}",
        price.evidence_ids,
    )


def _of_series(latest: Metric, ids: tuple[str, ...], language: Language) -> _Conditions:
    name, now = latest.subject, shown(latest, language)
    weighs = _BURDENS.search(name) is not None
    if language == "ko":
        higher = f"{josa(name, '이/가')} {now}보다 높아지는"
        lower = f"{josa(name, '이/가')} {now}보다 낮아지는"
        base = f"{josa(name, '이/가')} {now} 부근에 머무는"
    else:
        higher, lower = f"{name} goes above {now}", f"{name} goes below {now}"
        base = f"{name} stays near {now}"
    return _Conditions(base, lower if weighs else higher, higher if weighs else lower, ids)
