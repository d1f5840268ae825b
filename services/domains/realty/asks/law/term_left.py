"""How long a lease still runs by what a message says, and what a situation becomes where that is too short or too long."""

import re
from datetime import date
from decimal import Decimal
from typing import Final

from services.domains.realty.asks.law.situations import Situation, situations
from services.plugin.asks.numbers import Number
from services.plugin.asks.sheet import Sheet
from services.plugin.entities import PERIOD, days
from services.text.near import just_before
from services.text.patterns import Pattern

_LATEST: Final = Decimal(2)
"""How many months before the end a renewal may be asked for at the latest."""
_EARLIEST: Final = Decimal(6)
"""And at the earliest."""
_MONTHS: Final = {
    "years": Decimal(12),
    "months": Decimal(1),
    "weeks": Decimal(12) / Decimal(52),
    "days": Decimal(12) / Decimal(365),
}
_REMAINS: Final = Pattern(
    r"(?:도|밖에|쯤|정도|이나|가|은)?\s?(?:채\s?)?(?P<less>안\s?)?남"
    r"|\s?(?:뒤|후|있으면)(?:에|면|가|이)?\s?[^.?!,]{0,8}(?:만기|만료|끝)"
    r"|\s(?:is |are )?(?:left|to go|remain|until)"
    r"|\s(?:before|from) (?:the |my |our |it |its )?(?:lease |contract |term )?(?:end|expir)",
    re.IGNORECASE,
)
_BEFORE_END: Final = (
    (Pattern(r"(?:만기|만료|종료|끝나기)(?:일)?(?:가|까지)?\s?(?:이제\s?)?$"), Pattern(r"\s?전")),
    (Pattern(r"\b(?:ends?|expires?|is up|runs out) in (?:about |just |only )?$", re.IGNORECASE), Pattern("")),
)
"""What stands before and behind a span that is counted back from the end: "만기 두 달 전", "ends in two months"."""
_ENDS_ON: Final = Pattern(
    r"(?:만기|만료|종료|끝나는)[^.?!,]{0,10}$"
    r"|\b(?:(?:ends?|expires?|is up|runs out)(?: on| in| by)?|(?:end|expiry)(?: date)? is) $",
    re.IGNORECASE,
)
_IS_END: Final = Pattern(r"[에이]?\s?(?:이\s?)?(?:만기|만료|종료|끝)")


def in_time(one: Situation, sheet: Sheet, *, judged: bool) -> Situation:
    """Return what a situation is where the lease ends too soon for it, or runs too long for what is judged now.

    Args:
        one: The situation.
        sheet: The message.
        judged: Whether a yes or no is asked for; who asks when, or how, may ask long before.
    """
    left = _months_left(sheet) if one.too_late else None
    if left is None or (left > _EARLIEST and not judged):
        return one
    held = one.in_time if judged else ""
    name = one.too_late if left < _LATEST else one.too_early if left > _EARLIEST else held or one.id
    return next(other for other in situations() if other.id == name)


def _months_left(sheet: Sheet) -> Decimal | None:
    """Return how many months a lease still runs, as it is said or by the day on which it ends; None where neither is said."""
    spans = (span for one in sheet.numbers if one.unit in _MONTHS and (span := _span(one, sheet.text)) is not None)
    if (span := next(spans, None)) is not None:
        return span
    ends = (days(one)[1] for one in sheet.of_kind(PERIOD) if one.value and _ends(sheet.text, one.start, one.end))
    return next((_between(sheet.today, end) for end in ends if end > sheet.today), None)


def _span(one: Number, text: str) -> Decimal | None:
    remains = _REMAINS.match(text, one.end)
    counted = any(
        just_before(before, text, one.start) and behind.match(text, one.end) for before, behind in _BEFORE_END
    )
    if remains is None and not counted:
        return None
    span = one.value * _MONTHS[one.unit]
    # "두 달도 안 남았다" is less than two months.
    return span - Decimal("0.1") if remains is not None and remains["less"] else span


def _ends(text: str, start: int, end: int) -> bool:
    return just_before(_ENDS_ON, text, start) is not None or _IS_END.match(text, end) is not None


def _between(today: date, end: date) -> Decimal:
    return Decimal((end.year - today.year) * 12 + end.month - today.month) + Decimal(end.day - today.day) / 31
