"""What realty is asked, typed and answered; homes as such are asked in the ground that realty requires.

papers/   contracts that come as files or text, and contracts and letters that are to be written
law/      verdicts, procedures, deadlines and articles of the law of leases
loans/    rents/    costs/    sums of money, by subject; sums.py how numbers find their roles, changed.py edits, proved.py what is told,
money.py  all of them
together.py  sums and law in one message
meant.py  sums that a question means though no reader's words say it; encoding.py encodes its examples
reports.py  the parts of a report that are law and loans
unserved.py  what people ask around homes that is told to be not served
"""

from collections.abc import Sequence
from typing import Final

from services.contract.asks import AskedBefore
from services.domains.realty.asks import meant, money, reports, together, unserved
from services.domains.realty.asks.law import answers as law
from services.domains.realty.asks.law import situations
from services.domains.realty.asks.papers import attached, contracts, drafts
from services.plugin.asks.answering import Answerer, Claim
from services.plugin.asks.sheet import Sheet

_DOCUMENTS: Final = (attached.read, contracts.read, drafts.read)
_QUESTIONS: Final = (money.read, law.read)


def READ(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:  # noqa: N802 - the name that the core looks for
    """Return the asks of a question that are realty's: a document's first, else those of the surer of law and money."""
    if parts := reports.read(sheet):
        return parts
    for read in _DOCUMENTS:
        if claims := read(sheet, before):
            return claims
    if both := together.read(sheet):
        return both
    questions = (money.read,) if drafts.is_conditional(sheet) else _QUESTIONS
    found = [claims for read in questions if (claims := read(sheet, before))]
    if len(found) == 1 and found[0][0].ask.answerer == "law" and _says_sums(sheet):
        # Who names the sums wants them reckoned, and no article alone.
        found += [claims] if (claims := meant.read(sheet, before)) else []
        return found[-1]
    return max(found, key=lambda claims: claims[0].score, default=())


def _says_sums(sheet: Sheet) -> bool:
    """Tell whether a question names two sums of money or more."""
    return len([one for one in sheet.numbers if one.unit == "krw"]) > 1


MEANT: Final = unserved.meant_or_unserved
"""What a question means that no words of a reader say, or that it wants what nobody here tells."""

WORDINGS: Final = situations.wordings
"""What people ask, beside what the domain's intents hold: the voters are fitted to it."""

ANSWERERS: Final[tuple[Answerer, ...]] = (
    *attached.ANSWERERS,
    *contracts.ANSWERERS,
    *drafts.ANSWERERS,
    *law.ANSWERERS,
    *money.ANSWERERS,
    *reports.ANSWERERS,
    *unserved.ANSWERERS,
)
