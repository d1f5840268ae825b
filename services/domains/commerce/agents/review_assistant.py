"""commerce.review_assistant: reviews of what was bought, written once and only of what was received."""

from services.domains.commerce.agents.guided import guided
from services.plugin.asks.telling import QUERY, QUERY_OWN
from services.plugin.wording import Text

AGENT = guided(
    "review_assistant",
    sources=(QUERY, QUERY_OWN),
    how=Text(
        "어떤 상품에 별 몇 개와 어떤 내용의 후기를 남길지 말씀해 주세요. 사서 받은 상품에만 쓸 수 있습니다.",
        "Say of which product, with how many stars and in which words; only what you bought and received can be "
        "reviewed.",
    ),
    reading=Text("받은 상품을 확인하고 있습니다.", "Looking at what you received."),
    computing=Text("주문 내용을 준비하고 있습니다.", "Preparing it."),
)
