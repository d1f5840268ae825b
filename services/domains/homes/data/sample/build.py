"""The data sets of homes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from services.domains.homes.data.sample.deals import deals_block
from services.domains.homes.data.sample.market import realty_block
from services.domains.homes.data.sample.monthly import monthly_block
from services.domains.homes.data.sample.sessions import closed_sessions
from services.plugin.data.sample import Block, Given

DATASETS: Final = 3
"""How many there are."""


def blocks(given: Given) -> Iterator[Block]:
    """Yield market prices as of the last day of business, the deals behind them, and their monthly sums."""
    market = realty_block(closed_sessions("KR", given.as_of, 1)[-1].close)
    yield market
    deals = deals_block(market, given.minute)
    yield deals
    yield monthly_block(deals)
