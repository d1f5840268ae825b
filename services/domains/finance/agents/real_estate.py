"""finance.real_estate: prices and volumes of homes in a region over months, and what reaches them."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain

from prompts.agents.agent_summary import PROMPT
from services.contract.flow import Branch, Trend
from services.domains.finance.agents.brief import Brief, brief_of
from services.domains.finance.agents.home_trend import HomeTrend
from services.domains.finance.agents.impact_path import path_findings
from services.domains.finance.agents.monthly_trend import MONTHS_MIN
from services.domains.finance.tools import graph_paths, macro_brief, real_estate_trend
from services.domains.finance.tools.graph_paths import GraphPathsRow
from services.domains.finance.tools.real_estate_trend import RealEstateTrendRow
from services.domains.homes.kinds import DEALS
from services.plugin.agent import AgentSpec, Source
from services.plugin.asks.telling import QUERY
from services.plugin.findings import Asking, Findings, Reading
from services.plugin.wording import Text

_REPORTED = Text(
    "실거래 신고가 끝난 달까지만 집계하므로 가장 최근 달은 들어 있지 않을 수 있습니다.",
    "Only months whose reports are complete are counted; the present month may be missing.",
)


def analyse(readings: tuple[Reading, ...], asking: Asking) -> Findings:
    """Return how each market has moved, sales first; on the graph, the paths that reach the region.

    Where no kind of deal was named, sales lead: the trend is theirs, and the other deals follow.
    """
    if any(isinstance(row, GraphPathsRow) for reading in readings for row in reading.rows):
        return path_findings(readings, asking)
    markets = [HomeTrend(reading, rows, asking) for reading in readings for rows in _by_market(reading)]
    first = [market for market in markets if market.deal == markets[0].deal]
    trends = {market.trend for market in first}
    brief = brief_of(readings, asking)
    attached: tuple[Brief, ...] = () if brief is None else (brief,)
    return Findings(
        summary=" ".join((*(market.summary() for market in markets), *(one.summary for one in attached))),
        metrics=(
            *chain.from_iterable(market.metrics() for market in markets),
            *chain.from_iterable(one.metrics for one in attached),
        ),
        evidence=(*(market.evidence for market in markets), *(one.evidence for one in attached)),
        key_drivers=(
            *chain.from_iterable(market.drivers() for market in markets),
            *(one.driver for one in attached),
        ),
        trend=trends.pop() if len(trends) == 1 else Trend.NEUTRAL,
        cautions=(
            *chain.from_iterable(market.cautions() for market in markets),
            _REPORTED.said(asking.locale),
        ),
        rows_used=min(len(market.found.months) for market in markets),
    )


def _by_market(reading: Reading) -> Iterator[Sequence[RealEstateTrendRow]]:
    """Yield the rows of each region and kind of deal, sales before jeonse before monthly rent."""
    found: defaultdict[tuple[str, str], list[RealEstateTrendRow]] = defaultdict(list)
    for row in reading.rows:
        if isinstance(row, RealEstateTrendRow):
            found[row.region_code, row.deal_type].append(row)
    deals: list[str] = list(DEALS)
    for key in sorted(found, key=lambda key: deals.index(key[1])):
        yield found[key]


AGENT = AgentSpec(
    id="finance.real_estate",
    sources=(
        Source.of(real_estate_trend.TOOL, "region_code"),
        Source.of(macro_brief.TOOL, supplement=True, country="KR"),
        Source.of(graph_paths.TOOL, "region_code", branch=Branch.GRAPH),
        QUERY,
    ),
    analyse=analyse,
    covers=Text(
        "전국 주요 시군구의 아파트·오피스텔·빌라·단독주택 매매, 전세, 월세의 월별 실거래를 볼 수 있습니다.",
        "Covered are monthly deals of apartments, officetels, villas and houses in the main districts of Korea: "
        "sales, jeonse and monthly rent.",
    ),
    reading=Text("지역의 월별 실거래를 조회하고 있습니다.", "Reading the region's deals by month."),
    computing=Text("월별 가격과 거래량의 변화를 계산하고 있습니다.", "Computing how prices and volumes have moved."),
    short=Text(
        "집계된 달이 기준보다 적어 추이는 제한적으로만 볼 수 있습니다.",
        "There are fewer months than the method asks for, so that the trend is limited.",
    ),
    next_steps=(
        Text("같은 지역의 전세가율과 금리를 함께 확인해 보세요.", "Look at the jeonse ratio and rates beside it."),
        Text("가까운 다른 지역의 추이와 비교해 보세요.", "Compare it with a neighbouring region."),
    ),
    rows_min=MONTHS_MIN,
    summary=PROMPT,
)
