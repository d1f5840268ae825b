"""finance.macro: where US and Korean macro series stand, how they have moved, and what they reach."""

from collections import defaultdict

from prompts.agents.agent_summary import PROMPT
from services.contract.flow import Branch, Metric, Trend
from services.domains.finance.agents.brief import Brief, brief_of
from services.domains.finance.agents.impact_path import path_findings
from services.domains.finance.agents.indicator import Indicator
from services.domains.finance.agents.series import Observation, spread
from services.domains.finance.tools import graph_paths, macro_brief, macro_series
from services.domains.finance.tools.graph_paths import GraphPathsRow
from services.domains.finance.tools.macro_series import MacroSeriesRow
from services.plugin.agent import AgentSpec, Source
from services.plugin.asks.telling import QUERY
from services.plugin.findings import Asking, Findings, Reading, instant
from services.plugin.wording import Text
from services.text.saying import figure


def analyse(readings: tuple[Reading, ...], asking: Asking) -> Findings:
    """Return where each series stands, in the order asked, and two rates' spread; on the graph, the paths."""
    if any(isinstance(row, GraphPathsRow) for reading in readings for row in reading.rows):
        return path_findings(readings, asking)
    indicators = [indicator for reading in readings for indicator in _indicators(reading, asking)]
    between = _spread(indicators, asking)
    brief = brief_of(readings, asking)
    attached: tuple[Brief, ...] = () if brief is None else (brief,)
    trends = {indicator.trend for indicator in indicators}
    return Findings(
        summary=" ".join(
            (
                *(indicator.summary() for indicator in indicators),
                *(text for _, text in between),
                *(one.summary for one in attached),
            )
        ),
        metrics=(
            *(metric for indicator in indicators for metric in indicator.metrics()),
            *(metric for metric, _ in between),
            *(metric for one in attached for metric in one.metrics),
        ),
        evidence=(*(indicator.evidence for indicator in indicators), *(one.evidence for one in attached)),
        key_drivers=(*(indicator.evidence.excerpt for indicator in indicators), *(one.driver for one in attached)),
        trend=trends.pop() if len(trends) == 1 else Trend.NEUTRAL,
        cautions=tuple(caution for indicator in indicators for caution in indicator.cautions()),
        rows_used=min(indicator.facts.count for indicator in indicators),
    )


def _indicators(reading: Reading, asking: Asking) -> list[Indicator]:
    by_series: defaultdict[str, list[MacroSeriesRow]] = defaultdict(list)
    for row in reading.rows:
        if isinstance(row, MacroSeriesRow):
            by_series[row.series_id].append(row)
    asked = [str(name).strip().upper() for name in reading.arguments.get("series_ids", ())]
    order = sorted(by_series, key=lambda name: (asked.index(name) if name in asked else len(asked), name))
    newest_first = (sorted(by_series[name], key=lambda row: row.day, reverse=True) for name in order)
    return [Indicator(reading, rows, asking) for rows in newest_first]


def _spread(indicators: list[Indicator], asking: Asking) -> tuple[tuple[Metric, str], ...]:
    """Return the first rate less the second on the newest day that both have, with its sentence."""
    if len(indicators) != 2 or len({one.frequency for one in indicators}) != 1:
        return ()
    first, second = indicators
    between = spread(first.observations, second.observations)
    if not between or not all(one.unit.name == "percent" for one in indicators):
        return ()
    newest: Observation = between[-1]
    evidence_ids = (first.evidence.evidence_id, second.evidence.evidence_id)
    subject = asking.subject(f"{first.name} - {second.name}", *evidence_ids)
    metric = subject.figure("spread", newest.value, instant(newest.day))
    size = figure(newest.value, "percentage_point", asking.locale, signed=True)
    text = asking.say(
        f"{first.name}에서 {second.name}의 값을 뺀 격차는 {first.when(newest.day)} 기준 {size}입니다.",
        f"{first.name} less {second.name} was {size} {first.at(newest.day)}.",
    )
    return ((metric, text),)


AGENT = AgentSpec(
    id="finance.macro",
    sources=(
        Source.of(macro_series.TOOL, "series_ids"),
        Source.of(macro_brief.TOOL, supplement=True, country="KR"),
        Source.of(graph_paths.TOOL, "series_ids", branch=Branch.GRAPH),
        QUERY,
    ),
    analyse=analyse,
    covers=Text(
        "미국은 연방기금금리·소비자물가·개인소비지출 물가·실업률·취업자 수·국채 금리·변동성지수·연준 총자산을, "
        "한국은 기준금리·소비자물가·실업률·환율·주택가격지수·전세가율·미분양을 볼 수 있습니다.",
        "Covered are, for the US, the federal funds rate, consumer and PCE prices, unemployment, payrolls, Treasury "
        "yields, the volatility index and the Fed's assets; for Korea, the base rate, consumer prices, unemployment, "
        "the exchange rate, house prices, the jeonse ratio and unsold homes.",
    ),
    reading=Text("거시 지표를 조회하고 있습니다.", "Reading macro series."),
    computing=Text("변화와 추세를 계산하고 있습니다.", "Computing changes and trends."),
    short=Text(
        "관측값이 적어 변화와 추세는 제한적으로만 볼 수 있습니다.",
        "There are few observations, so that changes and trends are limited.",
    ),
    next_steps=(
        Text("관련된 다른 지표와 함께 비교해 보세요.", "Compare it with a related series."),
        Text("더 긴 기간을 지정해 흐름을 확인해 보세요.", "Name a longer period to see how it has moved."),
    ),
    rows_min=2,
    summary=PROMPT,
)
