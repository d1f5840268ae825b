"""A sum by a limit that was just asked what it means: "LTV가 뭐고 8억 집이면 70%면 얼마?"."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm
from services.domains.realty.asks.loans.topics import LIMIT
from services.domains.realty.asks.sums import drafted
from services.plugin.asks.sheet import Sheet

_NAMES: Final = {"ltv": r"LTV|엘티브이|담보인정", "dsr": r"DSR|원리금상환", "dti": r"DTI|총부채상환"}
_SUM: Final = r"얼마|한도|최대|how (?:much|far|big|large)|maximum|the most\b"


def of_defined(sheet: Sheet, before: Sequence[AskedBefore]) -> Ask | None:
    """Return the limit of a loan whose one share is of the limit that was asked about; None where none was, or it is named."""
    last = next(iter(before[0].asks), None) if before else None
    if last is None or last.form is not AskForm.DEFINE or not sheet.says(_SUM) or sheet.says("|".join(_NAMES.values())):
        return None
    said = f"{last.notes.get('said', '')} {last.notes.get('term', '')}"
    name = next((limit for limit, words in _NAMES.items() if re.search(words, said, re.IGNORECASE)), "")
    ask = drafted(sheet, LIMIT, AskForm.AMOUNT, limits=name)
    shares = [one for one in ask.quantities if one.unit == "percent"]
    if not name or len(shares) != 1 or len(ask.quantities) < 2:
        return None
    kept = (replace(one, role=name) if one is shares[0] else one for one in ask.quantities)
    return replace(ask, quantities=tuple(kept))
