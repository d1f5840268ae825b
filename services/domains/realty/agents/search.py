"""realty.search: what homes cost now in a region, homes on offer, articles of law, loans."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from prompts.agents.agent_summary import PROMPT
from services.domains.realty.agents import law, listings, loans
from services.domains.realty.agents.market import Market
from services.domains.realty.tools import legal_search, loan_data, market_data, real_estate_search
from services.domains.realty.tools.market_data import MarketDataRow
from services.plugin.agent import AgentSpec, Source
from services.plugin.asks.telling import QUERY
from services.plugin.findings import Asking, Findings, Reading
from services.plugin.wording import Text

SUMMARISED_MAX: Final = 3
"""How many markets the summary tells of, the most traded first; the metrics tell of all."""

_NARROWING: Final = (
    Text("면적이나 동을 정해 더 좁혀 보세요.", "Narrow it down by area or neighbourhood."),
    Text("가까운 다른 지역의 시세와 비교해 보세요.", "Compare it with a district nearby."),
)


def analyse(readings: tuple[Reading, ...], asking: Asking) -> Findings:
    """Return what each kind of data says: prices, homes on offer, law, loans."""
    kinds = (_market_findings, listings.findings_of, law.findings_of, loans.findings_of)
    return merged([found for kind in kinds if (found := kind(readings, asking)) is not None])


def _market_findings(readings: Sequence[Reading], asking: Asking) -> Findings | None:
    """Return what each market costs, the most traded first within each call; None where no price was found."""
    markets = [market for reading in readings for market in _markets(reading, asking)]
    if not markets:
        return None
    # Each region that was asked for is told of before the second market of any.
    told = sorted(markets, key=lambda market: -market.deals)[: max(SUMMARISED_MAX, len(readings))]
    told = [market for market in markets if market in told]
    return Findings(
        summary=" ".join(market.summary() for market in told),
        metrics=tuple(metric for market in markets for metric in market.metrics()),
        evidence=tuple(market.evidence for market in markets),
        key_drivers=tuple(market.driver() for market in told),
        cautions=tuple(dict.fromkeys(caution for market in markets for caution in market.cautions())),
        rows_used=min(market.count for market in told),
        suggested_actions=tuple(step.said(asking.locale) for step in _NARROWING),
    )


def _markets(reading: Reading, asking: Asking) -> list[Market]:
    by_kind: defaultdict[tuple[str, str], list[MarketDataRow]] = defaultdict(list)
    for row in reading.rows:
        if isinstance(row, MarketDataRow):
            by_kind[row.property_type, row.deal_type].append(row)
    groups = (
        sorted(rows, key=lambda row: (-row.deal_count, row.complex_name, row.area_m2)) for rows in by_kind.values()
    )
    return sorted((Market(reading, rows, asking) for rows in groups), key=lambda market: -market.deals)


AGENT = AgentSpec(
    id="realty.search",
    sources=(
        Source.of(market_data.TOOL, "region_code"),
        Source.of(real_estate_search.TOOL, "region_code"),
        Source.of(legal_search.TOOL),
        Source.of(loan_data.TOOL),
        QUERY,
    ),
    analyse=analyse,
    covers=Text(
        "서울과 경기, 광역시를 비롯한 주요 시군구에서 아파트·오피스텔·빌라·단독·다가구의 매매, 전세, 월세 시세를 "
        "볼 수 있고, 임대차와 매매에 관한 법 조문과 대출 상품을 찾을 수 있습니다.",
        "Only homes in Korea are covered: sale, jeonse and monthly rent of apartments, officetels, villas and houses "
        "in the main districts of Seoul, Gyeonggi, the metropolitan cities and some other provinces, and law and "
        "loans on homes.",
    ),
    reading=Text("시세와 법 조문 등 필요한 자료를 조회하고 있습니다.", "Reading prices, law and what else is needed."),
    computing=Text("찾은 자료를 정리하고 있습니다.", "Putting together what was found."),
    short=Text(
        "시세가 확인된 단지가 적어 평균은 참고로만 보셔야 합니다.",
        "Few complexes have prices, so that the means are a rough guide only.",
    ),
    next_steps=(),
    rows_min=3,
    summary=PROMPT,
)


def merged(found: Sequence[Findings]) -> Findings:
    """Return findings as one, in their order; what the first rests on decides whether there are rows enough.

    Raises:
        ValueError: There is none.
    """
    if not found:
        raise ValueError("found: at least one is needed")
    if len(found) == 1:
        return found[0]
    return Findings(
        summary=" ".join(one.summary for one in found),
        metrics=tuple(metric for one in found for metric in one.metrics),
        evidence=tuple({piece.evidence_id: piece for one in found for piece in one.evidence}.values()),
        key_drivers=tuple(driver for one in found for driver in one.key_drivers),
        trend=found[0].trend,
        cautions=tuple(dict.fromkeys(caution for one in found for caution in one.cautions)),
        suggested_actions=tuple(dict.fromkeys(action for one in found for action in one.suggested_actions)),
        rows_used=found[0].rows_used,
        rows_min=found[0].rows_min,
    )
