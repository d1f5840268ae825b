"""The normalised question: what was left out is filled in, and nothing that the user said is lost (spec 2.1.1)."""

import re
from collections import Counter

from services.contract.flow import Entities
from services.text.reading import Reading

_NUMBERS = re.compile(r"\d+(?:[.,]\d+)*")


def normalised(question: Reading, entities: Entities) -> str:
    """Return the question with the places, shares and periods that only the conversation names, and days for periods.

    The user's own words stay as they are; what is added stands in brackets behind them.
    """
    left_out = [one.name for one in entities.regions if one.surface not in question.text]
    left_out += [one.name for one in entities.securities if one.surface not in question.text]
    left_out += [name for name in entities.products if name not in question.text]
    spans = [f"{one.surface} {one.start_date}~{one.end_date}" for one in entities.dates]
    added = "; ".join(dict.fromkeys([*left_out, *spans]))
    return f"{question.text} [{added}]" if added else question.text


def losses(question: Reading, rewrite: Reading) -> tuple[str, ...]:
    """Return what a rewrite lost or altered of the question's entities and numbers; empty for a faithful one."""
    before, after = _named(question), _named(rewrite)
    lost = [f"{kind} {value}" for kind, value in before if (kind, value) not in after]
    numbers = Counter(_plain(question.text)) - Counter(_plain(rewrite.text))
    in_dates = {number for period in question.dates for number in _plain(period.surface)}
    lost += [f"number {number}" for number in numbers if number not in in_dates]
    return tuple(lost)


def _named(reading: Reading) -> list[tuple[str, str]]:
    named = [("region", one.code or one.surface) for one in reading.regions]
    named += [("security", one.id) for one in reading.securities]
    named += [("amount", f"{one.low}-{one.high}") for one in reading.amounts]
    named += [("date", f"{one.start}/{one.end}") for one in reading.dates]
    named += [("quantity", str(one.value)) for one in reading.quantities]
    named += [("order_id", one.value) for one in reading.order_ids]
    named += [("product_code", one.value) for one in reading.product_codes]
    return named


def _plain(text: str) -> list[str]:
    return [number.replace(",", "") for number in _NUMBERS.findall(text)]
