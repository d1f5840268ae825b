"""commerce.after_sales: cancelling, refunding, exchanging; what it does is proposed, approved and done once."""

from services.domains.commerce.agents.guided import guided
from services.plugin.asks.telling import QUERY_OWN
from services.plugin.wording import Text

AGENT = guided(
    "after_sales",
    sources=(QUERY_OWN,),
    how=Text(
        "어느 주문을 취소하거나 환불할지 말씀해 주세요. 가능한지와 돌려받는 금액을 먼저 보여 드립니다.",
        "Say which order to cancel or refund; you are shown first whether it can be and what goes back.",
    ),
    reading=Text("주문을 확인하고 있습니다.", "Looking at your orders."),
    computing=Text("주문 내용을 준비하고 있습니다.", "Preparing it."),
)
