"""Puts the whole sample data set together, one block at a time, so that the seed can report progress."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime

from services.tool_gateway.data.sample.block import Block
from services.tool_gateway.data.sample.commerce import commerce_block
from services.tool_gateway.data.sample.equities import equities_block
from services.tool_gateway.data.sample.lending import lending_block
from services.tool_gateway.data.sample.macro import macro_block
from services.tool_gateway.data.sample.products import products_block
from services.tool_gateway.data.sample.published import published_blocks
from services.tool_gateway.data.sample.realty import realty_block
from services.tool_gateway.data.sample.sessions import closed_sessions

# Daily bars of each share: a little more than the 520 that one read may ask for.
BARS = 560
# How many data sets there are when every package is installed.
DATASETS_MAX = 10


def build_blocks(as_of: datetime, warn: Callable[[str], None]) -> Iterator[Block]:
    """Yield every data set as of the aware moment `as_of`; `warn` gets a sentence for each that is left out."""
    published, missing = published_blocks()
    yield from published
    for sentence in missing:
        warn(sentence)
    sessions = {market: closed_sessions(market, as_of, BARS) for market in ("US", "KR")}
    for market, days in sessions.items():
        yield equities_block(market, days)
    yield macro_block(as_of, sessions)
    yield realty_block(sessions["KR"][-1].close)
    hour = as_of.replace(minute=0, second=0, microsecond=0)
    products = products_block(hour)
    yield products
    yield commerce_block(hour, products)
    yield lending_block(hour)
