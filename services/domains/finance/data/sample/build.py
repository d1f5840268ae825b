"""The data sets of finance: published ones, shares and series, then what is told of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from services.domains.finance.data.sample.briefs import macro_brief_block
from services.domains.finance.data.sample.companies import companies_block
from services.domains.finance.data.sample.equities import equities_block
from services.domains.finance.data.sample.graph import graph_block
from services.domains.finance.data.sample.macro import macro_block
from services.domains.finance.data.sample.news import Sources, news_block, news_documents
from services.domains.finance.data.sample.published import published_blocks
from services.domains.homes.data.sample.sessions import closed_sessions
from services.plugin.data.sample import Block, Given

DATASETS: Final = 10
"""How many there are when the packages of all published figures are installed."""
BARS: Final = 560
"""Daily bars of each share: a little more than the 520 that one read may ask for."""


def blocks(given: Given) -> Iterator[Block]:
    """Yield published figures, shares, series and companies, then brief, news and graph."""
    published, missing = published_blocks()
    yield from published
    for sentence in missing:
        given.warn(sentence)
    sessions = {market: closed_sessions(market, given.as_of, BARS) for market in ("US", "KR")}
    for market, days in sessions.items():
        yield equities_block(market, days)
    macro = macro_block(given.minute, sessions)
    yield macro
    sources = Sources(companies_block(sessions), macro, given.built["sample_realty_monthly"])
    yield sources.companies
    yield macro_brief_block(given.minute, macro, sessions["KR"])
    news = news_block(given.minute, sources)
    yield replace(news, documents={"news": news_documents(news)})
    yield graph_block(given.minute, sources, news)
