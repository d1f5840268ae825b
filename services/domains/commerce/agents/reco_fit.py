"""commerce.reco_fit: goods recommended by budget and use, each with why it fits; none that is sold out."""

from services.domains.commerce.agents.product_search import analyse
from services.domains.commerce.tools.product_search import TOOL as PRODUCT_SEARCH
from services.plugin.agent import AgentSpec, Source
from services.plugin.asks.telling import QUERY, QUERY_OWN
from services.plugin.wording import Text

AGENT = AgentSpec(
    id="commerce.reco_fit",
    sources=(Source.of(PRODUCT_SEARCH, limits=(("price_min", "krw"), ("price_max", "krw"))), QUERY, QUERY_OWN),
    analyse=analyse,
    covers=Text(
        "그런 상품은 여기서 팔지 않아 추천할 수 없습니다. 전자제품, 생활가전, 운동화, 가방, 책상, 의자, "
        "영양제는 쓰임과 예산을 말씀해 주시면 추천합니다.",
        "Such goods are not sold here, so none can be recommended. Electronics, home appliances, sneakers, bags, "
        "desks, chairs and supplements are, by use and budget.",
    ),
    reading=Text("조건에 맞는 상품을 찾고 있습니다.", "Looking for goods that fit."),
    computing=Text("맞는 정도를 따지고 있습니다.", "Weighing how well they fit."),
    next_steps=(
        Text("예산이나 쓰임을 더 말씀해 주시면 다시 고릅니다.", "Say more of budget or use, and I choose anew."),
    ),
)
