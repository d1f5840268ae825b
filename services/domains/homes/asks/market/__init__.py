"""What homes cost, typed: levels, comparisons, ranks, changes, advice.

drafting.py    what a message says by itself
finishing.py   an ask made whole
editing.py     a message that leans on the one before; leaning.py, choosing.py, supposed.py one of few words
scope.py       whether a question is one of home prices at all
elsewhere.py   what the data does not have
reading.py     all of it, in order
"""

from services.domains.homes.asks.market.drafting import MEASURE_OF, asks_advice, is_of_months
from services.domains.homes.asks.market.finishing import drafted
from services.domains.homes.asks.market.reading import ANSWERERS, read
from services.domains.homes.asks.market.scope import asks_else, is_of_homes_alone

__all__ = [
    "ANSWERERS",
    "MEASURE_OF",
    "asks_advice",
    "asks_else",
    "drafted",
    "is_of_homes_alone",
    "is_of_months",
    "read",
]
