"""commerce.account_rewards: a person's own points and coupons; it never urges to buy."""

from services.domains.commerce.agents.guided import guided
from services.plugin.asks.telling import QUERY, QUERY_OWN
from services.plugin.wording import Text

AGENT = guided(
    "account_rewards",
    sources=(QUERY, QUERY_OWN),
    how=Text(
        "포인트 잔액과 만료일, 쓸 수 있는 쿠폰, 장바구니에 가장 유리한 쿠폰을 물어볼 수 있습니다.",
        "You can ask for your points and when they lapse, for coupons that can be used, and for the best one "
        "for your cart.",
    ),
    reading=Text("포인트와 쿠폰을 확인하고 있습니다.", "Looking at points and coupons."),
    computing=Text("쓸 수 있는 것을 가려내고 있습니다.", "Working out what can be used."),
)
