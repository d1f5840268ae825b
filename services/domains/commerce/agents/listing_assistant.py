"""commerce.listing_assistant: a seller's own listings, changed or made once the seller approves."""

from services.domains.commerce.agents.guided import guided
from services.plugin.asks.telling import QUERY_OWN
from services.plugin.wording import Text

AGENT = guided(
    "listing_assistant",
    sources=(QUERY_OWN,),
    how=Text(
        "어떤 상품의 가격, 재고, 판매 상태를 어떻게 바꿀지 말씀해 주시면 먼저 보여 드리고 승인을 받아 바꿉니다.",
        "Say which listing to change and how; you are shown it first, and it is changed once you approve.",
    ),
    reading=Text("판매 상품을 확인하고 있습니다.", "Looking at your listings."),
    computing=Text("주문 내용을 준비하고 있습니다.", "Preparing it."),
)
