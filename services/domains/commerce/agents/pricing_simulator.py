"""commerce.pricing_simulator: what another price would bring; it computes and changes nothing."""

from services.domains.commerce.agents.guided import guided
from services.plugin.asks.telling import QUERY_OWN
from services.plugin.wording import Text

AGENT = guided(
    "pricing_simulator",
    answers="effect of another price on sales and profit",
    declines="changing the price itself",
    sources=(QUERY_OWN,),
    how=Text(
        "상품과 바꿀 가격이나 비율을 말씀해 주세요. 예: 판매가 2만원, 원가 1만원, 한 달 100개일 때 10% 올리면 이익은?",
        "Name your product and the new price or the change, for example: priced at 20,000 won, cost 10,000, "
        "100 a month, what profit if I raise it by 10%?",
    ),
    reading=Text("본인 상품의 가격과 판매를 읽고 있습니다.", "Reading price and sales of your product."),
    computing=Text("다른 가격에서의 이익을 계산하고 있습니다.", "Computing the profit at another price."),
)
