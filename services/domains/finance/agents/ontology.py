"""finance.ontology: relations between indicators, events and companies with their evidence; news and events."""

from collections.abc import Sequence
from itertools import chain

from prompts.agents.agent_summary import PROMPT
from services.contract.flow import Branch, Trend
from services.domains.finance.agents.graph_rows import (
    correlation_findings,
    free_findings,
    story_findings,
)
from services.domains.finance.agents.impact_path import path_findings
from services.domains.finance.agents.news import news_findings
from services.domains.finance.tools import (
    corporate_events,
    graph_correlations,
    graph_paths,
    graph_stories,
    news_search,
    ontology_cypher,
)
from services.domains.finance.tools.corporate_events import CorporateEventsRow
from services.domains.finance.tools.news_search import NewsSearchRow
from services.plugin.agent import AgentSpec, Source
from services.plugin.asks.telling import QUERY
from services.plugin.findings import Asking, Findings, Reading
from services.plugin.wording import Text


def analyse(readings: tuple[Reading, ...], asking: Asking) -> Findings:
    """Return the paths with their evidence, then stories, correlations and free rows; on tables, news and events.

    Only a path whose relations have evidence is told as a cause.
    """
    if any(isinstance(row, NewsSearchRow | CorporateEventsRow) for reading in readings for row in reading.rows):
        return _joined([news_findings(readings, asking)])
    return _joined(
        [
            path_findings(readings, asking),
            story_findings(readings, asking),
            correlation_findings(readings, asking),
            free_findings(readings, asking),
        ]
    )


def _joined(parts: Sequence[Findings]) -> Findings:
    """Return parts as one; it is nothing where no part could tell anything."""
    used = sum(part.rows_used for part in parts)
    return Findings(
        summary=" ".join(part.summary for part in parts if part.summary),
        metrics=tuple(chain.from_iterable(part.metrics for part in parts)),
        evidence=tuple(chain.from_iterable(part.evidence for part in parts)),
        key_drivers=tuple(chain.from_iterable(part.key_drivers for part in parts)),
        trend=Trend.NEUTRAL,
        cautions=tuple(chain.from_iterable(part.cautions for part in parts)),
        coverage=1.0 if used else 0.0,
        rows_used=used,
        causes=tuple(chain.from_iterable(part.causes for part in parts)),
    )


AGENT = AgentSpec(
    id="finance.ontology",
    sources=(
        Source.of(graph_paths.TOOL, "series_ids", "ticker", "region_code", branch=Branch.GRAPH),
        Source.of(graph_stories.TOOL, "series_ids", "ticker", branch=Branch.GRAPH),
        Source.of(graph_correlations.TOOL, "series_ids", branch=Branch.GRAPH),
        Source.of(ontology_cypher.TOOL, branch=Branch.GRAPH, statement="cypher"),
        Source.of(news_search.TOOL, "ticker", "series_ids", "region_code"),
        Source.of(corporate_events.TOOL, "ticker"),
        QUERY,
    ),
    analyse=analyse,
    covers=Text(
        "거시 지표와 사건이 다른 지표, 다루는 종목, 주요 지역에 이르는 관계와 그 근거, "
        "관련 뉴스와 기업 사건을 볼 수 있습니다.",
        "Covered are relations from macro series and events to other series, covered shares and main districts with "
        "their evidence, and news and company events.",
    ),
    reading=Text("관계와 근거를 조회하고 있습니다.", "Reading relations and their evidence."),
    computing=Text("관계 경로를 정리하고 있습니다.", "Putting the paths of relations in order."),
    short=Text(
        "확인된 관계가 적어 제한적으로만 볼 수 있습니다.", "Few relations were found, so that the view is limited."
    ),
    next_steps=(
        Text("경로에 나온 지표의 최근 값을 확인해 보세요.", "Look at the latest values of the series on the path."),
    ),
    summary=PROMPT,
)
