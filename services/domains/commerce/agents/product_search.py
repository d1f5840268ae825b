"""commerce.product_search: products that match a question, with price, rating and stock."""

from prompts.agents.agent_summary import PROMPT
from services.domains.commerce.agents.offers import best_matches
from services.domains.commerce.agents.one_product import Product, offer_of
from services.domains.commerce.tools.product_search import TOOL as PRODUCT_SEARCH
from services.domains.commerce.tools.product_search import ProductSearchRow
from services.plugin.agent import AgentSpec, Source
from services.plugin.asks.telling import QUERY, QUERY_OWN
from services.plugin.findings import Asking, Findings, Reading
from services.plugin.wording import Text

_SUMMARISED_MAX = 3


def analyse(readings: tuple[Reading, ...], asking: Asking) -> Findings:
    """Return the best matches of each search, and why each fits."""
    products = [product for reading in readings for product in _products(reading, asking)]
    opening = asking.say(
        "조건에 맞는 상품 가운데 재고와 평점을 기준으로 골랐습니다.",
        "These match best by stock and rating.",
    )
    return Findings(
        summary=" ".join((opening, *(product.summary() for product in products[:_SUMMARISED_MAX]))),
        metrics=tuple(metric for product in products for metric in product.metrics()),
        evidence=tuple(product.evidence for product in products),
        key_drivers=tuple(product.driver() for product in products),
        cautions=(
            asking.say(
                "가격과 재고는 조회한 때의 값이라 주문할 때 다를 수 있습니다.",
                "Price and stock are those of the moment of reading and may differ when you order.",
            ),
        ),
        rows_used=sum(len(reading.rows) for reading in readings),
    )


def _products(reading: Reading, asking: Asking) -> list[Product]:
    rows = {row.product_id: row for row in reading.rows if isinstance(row, ProductSearchRow)}
    limits = {name: reading.arguments.get(name) for name in ("price_min", "price_max")}
    matches = best_matches([offer_of(row) for row in rows.values()], **limits)
    return [Product(reading, rows[match.offer.product_id], match, asking) for match in matches]


AGENT = AgentSpec(
    id="commerce.product_search",
    sources=(Source.of(PRODUCT_SEARCH, limits=(("price_min", "krw"), ("price_max", "krw"))), QUERY, QUERY_OWN),
    analyse=analyse,
    covers=Text(
        "이어폰·노트북·태블릿·스마트폰·모니터·키보드·마우스·스피커·시계 같은 전자제품과 생활가전, "
        "운동화·가방·책상·의자 등을 찾을 수 있습니다. 낱말이나 가격 조건을 바꿔 보세요.",
        "Covered are earphones, laptops, tablets, phones, monitors, keyboards, mice, speakers and watches, home "
        "appliances, sneakers, bags, desks and chairs. Try other words or another price range.",
    ),
    reading=Text("상품을 찾고 있습니다.", "Searching products."),
    computing=Text("조건에 맞는 상품을 고르고 있습니다.", "Choosing the best matches."),
    short=Text("조건에 맞는 상품이 적습니다.", "Few products match."),
    next_steps=(
        Text("가격대나 브랜드를 정해 더 좁혀 보세요.", "Narrow it down by price or brand."),
        Text("마음에 드는 상품이 있으면 서로 비교해 달라고 해 보세요.", "Ask for a comparison of those that you like."),
    ),
    summary=PROMPT,
)
