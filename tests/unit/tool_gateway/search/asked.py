"""Values for every packaged statement under which it returns rows of the seed."""

from datetime import date
from typing import Any, Final

_EVER: Final = {"date_from": date.min, "date_to": date.max}
_ANY_PRODUCT: Final = {"category": "", "brand": "", "price_min_krw": 0, "price_max_krw": 10**9}
_WORDS: Final = {"tokens": ["무선", "wireless"], "word_numbers": [1, 2]}

ASKED: Final[dict[str, dict[str, Any]]] = {
    "corporate_events.v1": {"security_id": "KR:005930", **_EVER},
    "earnings_events.v1": {"security_id": "KR:005930", "date_to": date.max},
    "equity_financials.v1": {"security_id": "US:AAPL", "periods": 3},
    "equity_prices_kr.v1": {"security_id": "KR:005930", "bars": 130},
    "equity_prices_us.v1": {"security_id": "US:AAPL", "bars": 130},
    "glossary_ids.v1": {"domain": "realty"},
    "glossary_terms.v1": {"ids": ["fixed_date", "ltv"]},
    "law_articles.v1": {"ids": ["HLPA-7", "HLPD-8"]},
    "law_ids.v1": {"topic": "rent"},
    "law_topics.v1": {},
    "loan_products.v1": {"purpose": "jeonse", "bank": ""},
    "macro_brief.v1": {"date_to": date.max},
    "macro_observations.v1": {"series_ids": ["UNRATE", "KR_BASE_RATE"], "per_series": 24, **_EVER},
    "macro_series_list.v1": {},
    "news_articles.v1": {"ids": ["NEWS-0001", "NEWS-0050"]},
    "news_ids.v1": {
        "subject_ids": ["KR:005930", "UNRATE"],
        "date_from": date.min,
        "date_before": date.max,
        "country": "",
    },
    "product_search.v1": {**_WORDS, **_ANY_PRODUCT, "word_count": 2},
    "product_words.v1": _WORDS,
    "products_by_id.v1": {"ids": ["EARPHONES-0002", "AIR-PURIFIER-0001"], **_ANY_PRODUCT},
    "realty_listings.v1": {
        "region_code": "11",
        "property_type": "",
        "deal_type": "",
        "price_min_krw": 0,
        "price_max_krw": 10**12,
    },
    "realty_market_prices.v1": {"region_code": "11680", "property_type": "", "deal_type": ""},
    "realty_trend.v1": {"region_code": "11", "property_type": "", "deal_type": "", **_EVER},
    "regions_list.v1": {},
    "search_terms.v1": {"collection": "law", "tokens": ["전세금", "올리", "~전세", "nothing"]},
    "search_vectors.v1": {"collection": "glossary"},
    "search_words.v1": {"collection": "law", "tokens": ["전세금", "올리", "~전세"]},
    "securities_list.v1": {"market": "US"},
    "schema_revisions.v1": {},
    "seed_state.v1": {},
}
