"""finance.equity: price, earnings, valuation and risk of a covered US or Korean share, and what reaches it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import TypeVar

from prompts.agents.agent_summary import PROMPT
from services.contract.flow import Branch, Evidence, Metric, Trend
from services.domains.finance.agents.announcements import Announcements
from services.domains.finance.agents.books import Books
from services.domains.finance.agents.brief import Brief, brief_of
from services.domains.finance.agents.impact_path import path_findings
from services.domains.finance.agents.price_trend import BARS_MIN
from services.domains.finance.agents.share import Share
from services.domains.finance.tools import earnings_events, equity_financials, equity_prices, graph_paths, macro_brief
from services.domains.finance.tools.earnings_events import EarningsEventsRow
from services.domains.finance.tools.equity_financials import EquityFinancialsRow
from services.domains.finance.tools.equity_prices import EquityPricesRow
from services.domains.finance.tools.graph_paths import GraphPathsRow
from services.plugin.agent import AgentSpec, Source
from services.plugin.asks.telling import QUERY
from services.plugin.findings import Asking, Findings, Reading
from services.plugin.wording import Text

_NO_ADVICE = Text(
    "투자 판단을 위한 참고 자료이며 매매를 권하는 것이 아닙니다.", "This is information and no advice to trade."
)
_PRICE = Text("가격과 위험", "price and risk")
_EARNINGS = Text("실적", "earnings")
_VALUATION = Text("밸류에이션", "valuation")

SecurityRow = TypeVar("SecurityRow", EquityPricesRow, EquityFinancialsRow, EarningsEventsRow)


@dataclass(frozen=True, slots=True)
class Company:
    """What the rows hold of one security; a part without rows is None."""

    name: str
    """Its name."""
    share: Share | None
    """Its price."""
    books: Books | None
    """Its quarters."""
    announced: Announcements | None
    """Its announcements."""

    def sentences(self) -> Iterator[str]:
        """Yield price, earnings, valuation and risk, as far as there are rows."""
        if self.share is not None:
            yield self.share.summary()
        if self.books is not None:
            yield self.books.earned()
        if self.announced is not None:
            yield self.announced.summary()
        if self.books is not None:
            yield self.books.valued()
        if self.share is not None:
            yield self.share.risk()

    def metrics(self) -> Iterator[Metric]:
        """Yield the figures of each part."""
        priced = () if self.share is None else (self.share.evidence.evidence_id,)
        if self.share is not None:
            yield from self.share.metrics()
        if self.books is not None:
            yield from self.books.metrics(priced)
        if self.announced is not None:
            yield from self.announced.metrics(priced)

    def evidence(self) -> Iterator[Evidence]:
        """Yield what each part rests on."""
        for part in (self.share, self.books, self.announced):
            if part is not None:
                yield part.evidence

    def drivers(self) -> Iterator[str]:
        """Yield what stands out."""
        if self.share is not None:
            yield from self.share.drivers()
        if self.announced is not None:
            yield from self.announced.drivers()

    def cautions(self, asking: Asking) -> Iterator[str]:
        """Yield what no row holds, and what limits the others."""
        valued = self.books is not None and (self.books.per is not None or self.books.pbr is not None)
        held = ((_PRICE, self.share is not None), (_EARNINGS, self.books is not None), (_VALUATION, valued))
        missing = [what.said(asking.locale) for what, is_held in held if not is_held]
        if missing:
            yield asking.say(
                f"{self.name}: {'·'.join(missing)} 자료는 조회되지 않아 다루지 않았습니다.",
                f"{self.name}: {' and '.join(missing)} could not be read and are not told.",
            )
        for part in (self.share, self.books, self.announced):
            if part is not None:
                yield from part.cautions()


def analyse(readings: tuple[Reading, ...], asking: Asking) -> Findings:
    """Return what the rows say of each security, in the order of the calls; on the graph, what reaches them."""
    if any(isinstance(row, GraphPathsRow) for reading in readings for row in reading.rows):
        return path_findings(readings, asking)
    companies = _companies(readings, asking)
    brief = brief_of(readings, asking)
    trends = {Trend.NEUTRAL if one.share is None else one.share.trend for one in companies}
    attached: tuple[Brief, ...] = () if brief is None else (brief,)
    return Findings(
        summary=" ".join(
            text
            for text in (*(one for company in companies for one in company.sentences()), *(b.summary for b in attached))
            if text
        ),
        metrics=(
            *(metric for one in companies for metric in one.metrics()),
            *(metric for one in attached for metric in one.metrics),
        ),
        evidence=(*(piece for one in companies for piece in one.evidence()), *(one.evidence for one in attached)),
        key_drivers=(*(driver for one in companies for driver in one.drivers()), *(one.driver for one in attached)),
        trend=trends.pop() if len(trends) == 1 else Trend.NEUTRAL,
        cautions=(
            *(caution for one in companies for caution in one.cautions(asking)),
            _NO_ADVICE.said(asking.locale),
        ),
        rows_used=min(0 if one.share is None else one.share.found.count for one in companies),
    )


def _companies(readings: Sequence[Reading], asking: Asking) -> tuple[Company, ...]:
    prices = _by_security(readings, EquityPricesRow)
    books = _by_security(readings, EquityFinancialsRow)
    announced = _by_security(readings, EarningsEventsRow)
    order = dict.fromkeys((*prices, *books, *announced))
    return tuple(
        _company(prices.get(security), books.get(security), announced.get(security), asking) for security in order
    )


def _company(
    prices: tuple[Reading, list[EquityPricesRow]] | None,
    books: tuple[Reading, list[EquityFinancialsRow]] | None,
    announced: tuple[Reading, list[EarningsEventsRow]] | None,
    asking: Asking,
) -> Company:
    share = None if prices is None else Share(*prices, asking)
    bars = () if share is None else share.bars
    names = [rows[0].subject(asking.locale) for found in (prices, books, announced) if found for _, rows in (found,)]
    return Company(
        name=names[0],
        share=share,
        books=None if books is None else Books(*books, bars, asking),
        announced=None if announced is None else Announcements(*announced, bars, asking),
    )


def _by_security(readings: Sequence[Reading], kind: type[SecurityRow]) -> dict[str, tuple[Reading, list[SecurityRow]]]:
    """Return the rows of each security with where they were read, in the order of the calls, newest price first."""
    found: dict[str, tuple[Reading, list[SecurityRow]]] = {}
    for reading in readings:
        rows = sorted((row for row in reading.rows if isinstance(row, kind)), key=lambda row: row.security_id)
        for security, group in groupby(rows, key=lambda row: row.security_id):
            found.setdefault(security, (reading, _newest_first(list(group))))
    return found


def _newest_first(rows: list[SecurityRow]) -> list[SecurityRow]:
    return sorted(rows, key=_day_of, reverse=True)


def _day_of(row: EquityPricesRow | EquityFinancialsRow | EarningsEventsRow) -> date:
    return row.period_end if isinstance(row, EquityFinancialsRow) else row.day


AGENT = AgentSpec(
    id="finance.equity",
    sources=(
        Source.of(equity_prices.TOOL, "ticker", is_newest=True),
        Source.of(equity_financials.TOOL, "ticker", is_newest=True),
        Source.of(earnings_events.TOOL, "ticker", is_newest=True),
        Source.of(macro_brief.TOOL, supplement=True, country="KR"),
        Source.of(graph_paths.TOOL, "ticker", branch=Branch.GRAPH),
        QUERY,
    ),
    analyse=analyse,
    covers=Text(
        "미국은 애플·마이크로소프트·엔비디아·아마존·알파벳·메타·테슬라·팔란티어·스노우플레이크 등을, "
        "한국은 삼성전자·SK하이닉스·현대차·기아·네이버·카카오·LG에너지솔루션 등을 볼 수 있습니다.",
        "Covered are US shares such as Apple, Microsoft, NVIDIA, Amazon, Alphabet, Meta, Tesla, Palantir and "
        "Snowflake, and Korean ones such as Samsung Electronics, SK hynix, Hyundai Motor, Kia, NAVER, Kakao and "
        "LG Energy Solution.",
    ),
    reading=Text("주가와 실적 자료를 조회하고 있습니다.", "Reading prices and earnings."),
    computing=Text("추세와 실적, 밸류에이션을 계산하고 있습니다.", "Computing trends, earnings and valuation."),
    short=Text(
        "일봉이 기준보다 적어 추세는 제한적으로만 볼 수 있습니다.",
        "There are fewer daily bars than the method asks for, so that trends are limited.",
    ),
    next_steps=(
        Text("같은 업종의 다른 종목과 흐름을 비교해 보세요.", "Compare it with another share of its sector."),
        Text(
            "금리와 환율 같은 거시 지표를 함께 확인해 보세요.",
            "Look at macro series such as rates and exchange rates beside it.",
        ),
    ),
    rows_min=BARS_MIN,
    summary=PROMPT,
)
