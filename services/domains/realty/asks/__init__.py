"""What realty is asked, typed and answered; homes as such are asked in the ground that realty requires.

law.py      verdicts, procedures, deadlines and articles of the law of leases
money.py    sums: loans, rents, fees, taxes, yields, support
"""

from collections.abc import Sequence
from typing import Final

from services.contract.asks import AskedBefore
from services.domains.realty.asks import law, money
from services.plugin.asks.answering import Answerer, Claim
from services.plugin.asks.sheet import Sheet

_READERS: Final = (law.read, money.read)


def READ(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:  # noqa: N802 - the name that the core looks for
    """Return the asks of a question that are realty's: those of the subject that is surest, else of the first."""
    found = [claims for read in _READERS if (claims := read(sheet, before))]
    return max(found, key=lambda claims: claims[0].score, default=())


ANSWERERS: Final[tuple[Answerer, ...]] = (*law.ANSWERERS, *money.ANSWERERS)
