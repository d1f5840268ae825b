"""commerce.pricing_simulator: what another price would bring; it computes and changes nothing."""

from services.domains.commerce.agents.guided import guided
from services.plugin.asks.telling import QUERY_OWN
from services.plugin.wording import Text

AGENT = guided(
    "pricing_simulator",
    sources=(QUERY_OWN,),
    how=Text(
        "상품과 바꿀 가격이나 비율을 말씀해 주세요. 판매가와 원가, 한 달에 팔리는 개수를 함께 알려 주시면 "
        "올리거나 내린 뒤의 이익을 계산합니다.",
        "Name your product and the new price or the change. With the price, the cost and how many you sell a month I "
        "compute the profit after it.",
    ),
    reading=Text("본인 상품의 가격과 판매를 읽고 있습니다.", "Reading price and sales of your product."),
    computing=Text("다른 가격에서의 이익을 계산하고 있습니다.", "Computing the profit at another price."),
)
