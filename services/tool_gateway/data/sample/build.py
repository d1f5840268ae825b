"""Puts the whole sample data set together, one block at a time, so that the seed can report progress."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime

from services.tool_gateway.data.sample.block import Block
from services.tool_gateway.data.sample.commerce import commerce_block
from services.tool_gateway.data.sample.companies import companies_block
from services.tool_gateway.data.sample.deals import deals_block
from services.tool_gateway.data.sample.equities import equities_block
from services.tool_gateway.data.sample.glossary import glossary_block, glossary_documents
from services.tool_gateway.data.sample.graph import graph_block
from services.tool_gateway.data.sample.homes import listings_block, monthly_block
from services.tool_gateway.data.sample.law import law_block, law_documents
from services.tool_gateway.data.sample.lending import lending_block
from services.tool_gateway.data.sample.macro import macro_block
from services.tool_gateway.data.sample.macro_brief import macro_brief_block
from services.tool_gateway.data.sample.news import Sources, news_block, news_documents
from services.tool_gateway.data.sample.products import product_documents, products_block
from services.tool_gateway.data.sample.published import published_blocks
from services.tool_gateway.data.sample.realty import realty_block
from services.tool_gateway.data.sample.searchable import searchable
from services.tool_gateway.data.sample.sessions import Session, closed_sessions

# Daily bars of each share: a little more than the 520 that one read may ask for.
BARS = 560
# How many data sets there are when every package is installed.
DATASETS_MAX = 19


def build_blocks(as_of: datetime, warn: Callable[[str], None]) -> Iterator[Block]:
    """Yield every data set as of the aware moment `as_of`; `warn` gets a sentence for each that is left out."""
    published, missing = published_blocks()
    yield from published
    for sentence in missing:
        warn(sentence)
    sessions = {market: closed_sessions(market, as_of, BARS) for market in ("US", "KR")}
    for market, days in sessions.items():
        yield equities_block(market, days)
    yield from _economy(as_of.replace(second=0, microsecond=0), sessions)
    hour = as_of.replace(minute=0, second=0, microsecond=0)
    products = products_block(hour)
    yield searchable(products, "products", product_documents(products))
    yield commerce_block(hour, products)
    yield lending_block(hour)
    yield searchable(law_block(hour), "law", law_documents())
    yield searchable(glossary_block(hour), "glossary", glossary_documents())


def _economy(as_of: datetime, sessions: Mapping[str, Sequence[Session]]) -> Iterator[Block]:
    """Yield series, homes and companies, then what is told of them: brief, news and graph."""
    macro = macro_block(as_of, sessions)
    yield macro
    realty = realty_block(sessions["KR"][-1].close)
    yield realty
    deals = deals_block(realty, as_of)
    yield deals
    sources = Sources(companies=companies_block(sessions), macro=macro, monthly=monthly_block(deals))
    yield sources.companies
    yield sources.monthly
    yield listings_block(realty, as_of)
    yield macro_brief_block(as_of, macro, sessions["KR"])
    news = news_block(as_of, sources)
    yield searchable(news, "news", news_documents(news))
    yield graph_block(as_of, sources, news)
