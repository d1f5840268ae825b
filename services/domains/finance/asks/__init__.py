"""What is asked of markets, typed and answered: shares, series, how they move, compare, rank, and hang together.

vocabulary.py  measures, series, what no data holds     spans.py     the days that a question means
named.py       what a question names                    reading.py   its asks in turn: typed_*.py, drafting.py
last/          messages that go on from the last ask    typed/       one kind of asks each
calls.py       the queries of figures                   wording.py   how figures are said
figures/       figures computed from rows               levels/       levels, extremes, changes
against/       comparisons, ranks, verdicts, sectors     sums.py      what a sum would be
stories.py     news and events                          causes.py    why something moved
advice.py      what may be said of what to do           effects.py   paths from one to another
crosses.py     moving averages                          refusals.py  what no data holds, what will be
reports.py     the parts of a report
positions.py   gains against the price that was paid    ever.py      whether a level was ever passed
turns.py       when a series last moved, how often       multiples.py multiples at a supposed price
vague_times.py times that say no day                  maturities.py years that are of bonds
"""

from collections.abc import Sequence
from typing import Final

from services.contract.asks import AskedBefore
from services.domains.finance.asks import (
    advice,
    causes,
    crosses,
    effects,
    ever,
    multiples,
    positions,
    refusals,
    reports,
    stories,
    sums,
    turns,
)
from services.domains.finance.asks.against import comparing, ranking, sectors, valued, verdicts
from services.domains.finance.asks.levels import changes, extremes, standing
from services.domains.finance.asks.reading import read
from services.domains.finance.asks.typed.conditions import only_where_it_holds
from services.domains.finance.asks.vague_times import telling_unused, with_unused_time
from services.plugin.asks.answering import Answerer, Claim
from services.plugin.asks.sheet import Sheet

_SHARES: Final = ("finance.equity", "finance.macro", "finance.ontology")
"""Who reads data sets of markets, the first that is an owner of the route's intent, else the first that is served."""
_RELATIONS: Final = ("finance.ontology",)
"""Who reads relations."""


def READ(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:  # noqa: N802 - the name that the core looks for
    """Return the asks of a question on markets: the parts of a report, else what it asks."""
    return with_unused_time(sheet, reports.read(sheet, lambda part: read(part, ())) or read(sheet, before))


_OF_A_TIME: Final = (
    Answerer("level", _SHARES, only_where_it_holds(standing.level), standing.level_calls),
    Answerer("extreme", _SHARES, extremes.extreme, extremes.extreme_calls),
    Answerer("change", _SHARES, only_where_it_holds(changes.change), changes.change_calls),
    Answerer("compare", _SHARES, comparing.compare, comparing.compare_calls),
    Answerer("rank", _SHARES, ranking.rank, ranking.rank_calls),
    Answerer("listing", _SHARES, ranking.listing, ranking.rank_calls),
)
"""What is told of a time, of now where none is named."""
ANSWERERS: Final = (
    *map(telling_unused, _OF_A_TIME),
    Answerer("verdict", _SHARES, verdicts.verdict, verdicts.verdict_calls),
    Answerer("beat", _SHARES, verdicts.beat, advice.report_calls),
    Answerer("crossed", _SHARES, crosses.crossed, crosses.crossed_calls),
    Answerer("average", _SHARES, crosses.average, crosses.average_calls),
    Answerer("trend", _SHARES, crosses.trend, crosses.trend_calls),
    Answerer("holdings", _SHARES, sums.holdings, sums.worth_calls),
    Answerer("invest", _SHARES, sums.invest, sums.invest_calls),
    Answerer("worth", _SHARES, sums.worth, sums.worth_calls),
    *positions.answerers(_SHARES),
    *ever.answerers(_SHARES),
    *multiples.answerers(_SHARES),
    *turns.answerers(_SHARES),
    *valued.answerers(_SHARES),
    *sectors.answerers(_SHARES),
    Answerer("exchange", _SHARES, sums.exchange, sums.exchange_calls),
    Answerer("news", _RELATIONS, stories.news, stories.news_calls),
    Answerer("report", _SHARES, advice.report, advice.report_calls),
    Answerer("cause", _RELATIONS, causes.cause, causes.cause_calls),
    Answerer("advice", _SHARES, advice.advice, advice.advice_calls),
    Answerer("effect", _RELATIONS, effects.effect, effects.effect_calls),
    Answerer("forecast", _SHARES, refusals.forecast, refusals.forecast_calls),
    Answerer("none_told", _SHARES, refusals.none_told),
    Answerer("missing", _SHARES, refusals.missing, refusals.missing_calls),
)
