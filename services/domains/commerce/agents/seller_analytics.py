"""commerce.seller_analytics: a seller's own sales: figures of a period, how they moved, what may come."""

from services.domains.commerce.agents.guided import guided
from services.plugin.asks.telling import QUERY_OWN
from services.plugin.wording import Text

AGENT = guided(
    "seller_analytics",
    sources=(QUERY_OWN,),
    how=Text(
        "본인 상점의 매출·판매량·이익·취소율·반품률·전환율을 기간별, 상품별로 물어보거나 앞으로의 판매를 "
        "예측해 달라고 할 수 있습니다.",
        "You can ask for your shop's revenue, units, profit and rates by period or product, and for a forecast.",
    ),
    reading=Text("본인 상점의 판매 자료를 읽고 있습니다.", "Reading your shop's sales."),
    computing=Text("기간을 비교하고 있습니다.", "Comparing periods."),
)
