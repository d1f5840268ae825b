"""What a seller asks: sales and how they move, what may come, another price, efficiency, own goods, listings."""

from typing import Final

from services.domains.commerce.asks.seller.changes import change_calls, tell_change
from services.domains.commerce.asks.seller.efficiency import efficiency_calls, tell_efficiency
from services.domains.commerce.asks.seller.forecast import forecast_calls, tell_forecast
from services.domains.commerce.asks.seller.listed import listed_calls, tell_listed
from services.domains.commerce.asks.seller.listing_rules import tell_check, tell_rules
from services.domains.commerce.asks.seller.pricing import pricing_calls, simulate
from services.domains.commerce.asks.seller.reading import of_route, read, read_listing
from services.domains.commerce.asks.seller.sales import (
    SALES_AGENTS,
    products_calls,
    rank_products,
    sales_calls,
    tell_sales,
)
from services.plugin.asks.answering import Answerer

__all__ = ["ANSWERERS", "of_route", "read", "read_listing"]

ANSWERERS: Final = (
    Answerer("sales_level", SALES_AGENTS, tell_sales, sales_calls),
    Answerer("sales_rank", SALES_AGENTS, rank_products, products_calls),
    Answerer("sales_change", SALES_AGENTS, tell_change, change_calls),
    Answerer("sales_forecast", SALES_AGENTS, tell_forecast, forecast_calls),
    Answerer("own_listings", SALES_AGENTS, tell_listed, listed_calls),
    Answerer("pricing", ("commerce.pricing_simulator", "commerce.product_search"), simulate, pricing_calls),
    Answerer(
        "efficiency", ("commerce.product_efficiency", "commerce.product_search"), tell_efficiency, efficiency_calls
    ),
    Answerer("listing_rules", ("commerce.listing_assistant", "commerce.product_search"), tell_rules),
    Answerer("listing_check", ("commerce.listing_assistant", "commerce.product_search"), tell_check),
)
