"""What realty is asked, typed and answered; homes as such are asked in the ground that realty requires.

contracts.py  the text of a contract that is to be reviewed
drafts.py     contracts and letters that are to be written, changed, approved
law.py        verdicts, procedures, deadlines and articles of the law of leases
"""

from collections.abc import Sequence
from typing import Final

from services.contract.asks import AskedBefore
from services.domains.realty.asks import contracts, drafts, law
from services.plugin.asks.answering import Answerer, Claim
from services.plugin.asks.sheet import Sheet

_READERS: Final = (contracts.read, drafts.read, law.read)


def READ(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:  # noqa: N802 - the name that the core looks for
    """Return the asks of a question that are realty's: those of the first subject that claims any."""
    for read in _READERS:
        if claims := read(sheet, before):
            return claims
    return ()


ANSWERERS: Final[tuple[Answerer, ...]] = (*contracts.ANSWERERS, *drafts.ANSWERERS, *law.ANSWERERS)
