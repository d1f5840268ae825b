"""What a seller asks: sales of a period, the first products, another price."""

from typing import Final

from services.domains.commerce.asks.goods.subjects import AGENTS
from services.domains.commerce.asks.seller.pricing import simulate
from services.domains.commerce.asks.seller.reading import read
from services.domains.commerce.asks.seller.sales import products_calls, rank_products, sales_calls, tell_sales
from services.plugin.asks.answering import Answerer

__all__ = ["ANSWERERS", "read"]

ANSWERERS: Final = (
    Answerer("sales_level", AGENTS, tell_sales, sales_calls),
    Answerer("sales_rank", AGENTS, rank_products, products_calls),
    Answerer("pricing", AGENTS, simulate),
)
