"""commerce.price_compare: models beside each other: price after discount, rating, and what is asked for besides."""

from services.domains.commerce.agents.product_search import analyse
from services.domains.commerce.tools.product_search import TOOL as PRODUCT_SEARCH
from services.plugin.agent import AgentSpec, Source
from services.plugin.asks.telling import QUERY, QUERY_OWN
from services.plugin.wording import Text

AGENT = AgentSpec(
    id="commerce.price_compare",
    sources=(Source.of(PRODUCT_SEARCH), QUERY, QUERY_OWN),
    analyse=analyse,
    covers=Text(
        "여기서 파는 상품끼리만 비교할 수 있습니다. 모델 이름이나 번호를 두 개 이상 말씀해 주세요.",
        "Only goods that are sold here can be compared. Name two models or more.",
    ),
    reading=Text("비교할 상품의 값을 읽고 있습니다.", "Reading the prices to compare."),
    computing=Text("값을 견주고 있습니다.", "Comparing."),
)
