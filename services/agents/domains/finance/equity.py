"""finance.equity: where the price of a covered US or Korean share stands and is heading."""

from itertools import groupby

from prompts.agents.agent_summary import PROMPT
from services.agents.domains.finance.price_trend import BARS_MIN
from services.agents.domains.finance.share import PriceRow, Share
from services.agents.findings import Asking, Findings, Reading
from services.agents.spec import AgentSpec, Source
from services.agents.wording import Text
from services.contract.flow import Trend

_NOT_IN_ROWS = Text(
    "실적과 밸류에이션은 이 자료에 없어 가격과 가격 위험만 보았습니다.",
    "Earnings and valuation are not in these rows; only the price and its risk were looked at.",
)
_NO_ADVICE = Text(
    "투자 판단을 위한 참고 자료이며 매매를 권하는 것이 아닙니다.", "This is information and no advice to trade."
)


def analyse(readings: tuple[Reading, ...], asking: Asking) -> Findings:
    """Returns where each security's price stands, in the order of the calls."""
    shares = [Share(reading, rows, asking) for reading in readings for rows in _by_security(reading)]
    trends = {share.trend for share in shares}
    return Findings(
        summary=" ".join(share.summary() for share in shares),
        metrics=tuple(metric for share in shares for metric in share.metrics()),
        evidence=tuple(share.evidence for share in shares),
        key_drivers=tuple(driver for share in shares for driver in share.drivers()),
        trend=trends.pop() if len(trends) == 1 else Trend.NEUTRAL,
        cautions=(
            _NOT_IN_ROWS.said(asking.locale),
            *(caution for share in shares for caution in share.cautions()),
            _NO_ADVICE.said(asking.locale),
        ),
        rows_used=min(share.found.count for share in shares),
    )


def _by_security(reading: Reading) -> list[list[PriceRow]]:
    """Returns the rows of each security, newest first."""
    rows = [row for row in reading.rows if isinstance(row, PriceRow)]
    ordered = sorted(rows, key=lambda row: (row.security_id, row.day), reverse=True)
    return [list(group) for _, group in groupby(ordered, key=lambda row: row.security_id)]


AGENT = AgentSpec(
    id="finance.equity",
    answers="share prices, moving averages, returns, shares compared",
    declines="instructions to buy or sell, shares that are not covered",
    sources=(Source("equity_prices", PriceRow, "price", Text("일별 주가", "Daily prices"), identifier="ticker"),),
    analyse=analyse,
    covers=Text(
        "미국은 애플·마이크로소프트·엔비디아·아마존·알파벳·메타·테슬라·팔란티어·스노우플레이크 등을, "
        "한국은 삼성전자·SK하이닉스·현대차·기아·네이버·카카오·LG에너지솔루션 등을 볼 수 있습니다.",
        "Covered are US shares such as Apple, Microsoft, NVIDIA, Amazon, Alphabet, Meta, Tesla, Palantir and "
        "Snowflake, and Korean ones such as Samsung Electronics, SK hynix, Hyundai Motor, Kia, NAVER, Kakao and "
        "LG Energy Solution.",
    ),
    reading=Text("일별 주가를 조회하고 있습니다.", "Reading daily prices."),
    computing=Text("이동평균과 추세를 계산하고 있습니다.", "Computing averages and trends."),
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
