"""What is asked in general and answered without a model: what terms mean, who answers here, and honest no's.

terms.py   definitions from the glossary
worked.py  sums of every day whose numbers all stand in the question; sum_kinds.py their kinds, sum_values.py their values
here.py    who answers here and what can be asked; what is not served; help in danger
"""

from collections.abc import Sequence
from typing import Final

from services.contract.asks import AskedBefore
from services.domains.general.asks import here, terms, worked
from services.plugin.asks.answering import Answerer, Claim
from services.plugin.asks.sheet import Sheet


def READ(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:  # noqa: N802 - the name that the core looks for
    """Return the general asks of a question: those of the first subject that claims any."""
    return (
        here.read(sheet)
        or here.points_at_nothing(sheet, before)
        or worked.read(sheet, before)
        or terms.read(sheet)
        or terms.read_next(sheet, before)
    )


ANSWERERS: Final[tuple[Answerer, ...]] = (*terms.ANSWERERS, *here.ANSWERERS, *worked.ANSWERERS)
