"""commerce.order_flow: buying, the cart, and where orders are; what it does is proposed, approved and done once."""

from services.domains.commerce.agents.guided import guided
from services.plugin.asks.telling import QUERY, QUERY_OWN
from services.plugin.wording import Text

AGENT = guided(
    "order_flow",
    sources=(QUERY, QUERY_OWN),
    how=Text(
        "무엇을 얼마나, 어떻게 결제할지 한 문장으로 말씀해 주시면 내용을 먼저 보여 드리고 승인을 받아 진행합니다.",
        "Say what you want, how many, and how you pay; you are shown it first, and it is done once you approve.",
    ),
    reading=Text("주문과 장바구니를 확인하고 있습니다.", "Looking at orders and the cart."),
    computing=Text("주문 내용을 준비하고 있습니다.", "Preparing it."),
)
