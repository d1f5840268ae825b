"""commerce.product_efficiency: how well a seller's own products do, by a score whose terms are shown."""

from services.domains.commerce.agents.guided import guided
from services.plugin.asks.telling import QUERY_OWN
from services.plugin.wording import Text

AGENT = guided(
    "product_efficiency",
    sources=(QUERY_OWN,),
    how=Text(
        "본인 상품의 효율 점수를 물어볼 수 있습니다. 마진, 판매 비율, 전환율, 취소·반품률로 계산합니다.",
        "You can ask for the efficiency of your products; it comes from margin, sell-through, conversion and returns.",
    ),
    reading=Text("본인 상품의 판매와 재고를 읽고 있습니다.", "Reading sales and stock of your products."),
    computing=Text("효율 점수를 계산하고 있습니다.", "Computing the scores."),
)
