"""A sum and a verdict of law in one message: "최대 얼마까지고, 싫다고 하면 나가야 되나요"."""

from collections.abc import Sequence
from dataclasses import replace

from services.domains.realty.asks import money
from services.domains.realty.asks.law.answers import one_of_several
from services.domains.realty.asks.law.several import parted
from services.domains.realty.asks.law.situations import NEAR
from services.plugin.asks.answering import Claim
from services.plugin.asks.forms import Clause
from services.plugin.asks.sheet import Sheet


def read(sheet: Sheet) -> Sequence[Claim]:
    """Return the asks of a message whose first part has a use for all of its numbers, and whose others tell the law."""
    if not sheet.numbers or len(parts := sheet.once(parted)) < 2:
        return ()
    end = parts[0].clause.end
    sums = money.read(sheet.part(Clause(sheet.text[:end], 0, end)), ())
    used = {(one.start, one.end) for claim in sums for one in claim.ask.quantities if one.role}
    if len(used) < len(sheet.numbers) or not all(one.told and one.nearness >= NEAR for one in parts[1:]):
        return ()
    return [replace(one, is_whole=True) for one in (*sums, *(one_of_several(part) for part in parts[1:]))]
