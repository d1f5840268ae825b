"""What finance adds to an answer: the sides of a share, what fell and why, what moves a rate, cases, cautions."""

from typing import Final

from services.domains.finance.answers.advice import no_advice
from services.domains.finance.answers.beside import beside
from services.domains.finance.answers.cases import WISH, cases
from services.domains.finance.answers.drivers import drivers
from services.domains.finance.answers.drops import drops
from services.domains.finance.answers.overview import overview
from services.domains.finance.answers.sides import missing_sides, sides
from services.plugin.answers import AnswerCaution, AnswerPart, Place

SCENARIO_INTENTS: Final = frozenset({"timing_scenario", "sector_recommendation"})
"""The intents whose answers tell three cases apart."""
PARTS: Final = (
    AnswerPart(Place.OPENING, overview, frozenset({"market_summary"})),
    AnswerPart(Place.BEFORE_FIGURES, drops, frozenset({"explain_drop"})),
    AnswerPart(Place.BEFORE_FIGURES, drivers, frozenset({"fx_driver"})),
    AnswerPart(Place.FIGURES, sides),
    AnswerPart(Place.BEHIND_FIGURES, beside),
    AnswerPart(Place.OUTLOOK, cases, SCENARIO_INTENTS, wish=WISH),
)
CAUTIONS: Final = (AnswerCaution(missing_sides), AnswerCaution(no_advice))
