"""A higher deposit against a lower rent, or the other way round, in one message: which of its sums is of which.

A sum that no rent can be is of the deposit and one that no deposit can be of the rent, whatever words stand near it; what
lies between goes by the nearest of their names.
"""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final

from services.contract.asks import AskQuantity
from services.plugin.asks.numbers import Number, like_before, numbers_in
from services.plugin.asks.sheet import Sheet
from services.text.patterns import Pattern

_DEPOSIT: Final = r"보증금|전세금|deposit"
_RENT: Final = r"월세|차임|임대료|집세|\brent\b"
_DEPOSIT_UP: Final = (
    rf"(?:{_DEPOSIT})[^.?]{{0,24}}?(?:올리|올려|올린|더\s|늘리|늘려|얹|높이|높여|보태|추가|증액|걸면|\bup\b|higher|bigger|larger|increas|rais)"
    rf"|(?:더\s?(?:내|넣|걸|얹)|추가로)[^.?]{{0,12}}(?:{_DEPOSIT})"
    r"|\b(?:add|adding|rais\w+|increas\w+|top up|topping up|put(?:ting)?|pay(?:ing)?|extra|more|higher|bigger|larger|another)\b[^.?]{0,40}\bdeposit"
)
_RENT_DOWN: Final = (
    rf"(?:{_RENT})[^.?]{{0,24}}?(?:깎|내려|내리|내린|낮|줄|빼|뺀|감액|인하|덜|적게|싸|fall|lower|\bcut|reduc|drop|less|\bdown\b|\boff\b|discount|cheaper)"
    r"|\b(?:lower|cut|reduc\w+|drop\w*|less|knock\w*|bring\w*|take\w*|off|cheaper|smaller)\b[^.?]{0,36}\brent\b"
)
_DEPOSIT_DOWN: Final = (
    rf"(?:{_DEPOSIT})[^.?]{{0,24}}?(?:낮추|낮춰|줄이|줄여|내리|내려|빼|깎|덜|감액|lower|less|smaller|reduc|\bcut)"
    r"|\b(?:lower|cut|reduc\w+|drop\w*|less|smaller|off)\b[^.?,]{0,24}\bdeposit"
)
_RENT_UP: Final = (
    rf"(?:{_RENT})[^.?]{{0,24}}?(?:올리|올려|올린|더\s|늘리|늘려|높이|높여|보태|추가|인상|얹|\bup\b|higher|more|increas|rais)"
    r"|\b(?:add\w*|rais\w+|increas\w+|more|higher|extra)\b[^.?,]{0,24}\brent\b"
)
_ASKED: Final = rf"(?:{_DEPOSIT})[^.?,]{{0,6}}(?:얼마|몇)|(?:얼마|몇)[^.?,]{{0,8}}(?:{_DEPOSIT})|how (?:much|far)[^.?,]{{0,24}}\bdeposit"
"""Asks by how much the deposit moves."""
_RENT_MAX: Final = Decimal(5_000_000)
_DEPOSIT_MIN: Final = Decimal(2_000_000)
_TO: Final = Pattern(r"\s?(?:원)?\s?(?:으로|로|까지)(?![가-힣])")
_TO_EN: Final = Pattern(r"\bto\s(?:KRW\s|₩)?$", re.IGNORECASE)
_CUT_BEHIND: Final = Pattern(
    r"\s?(?:원)?(?:을|를|만|씩|정도|만큼)?\s?(?:더\s)?(?:깎|내려|내리|낮|줄|빼|뺀|감액|인하|덜|적게|싸|(?:a month )?(?:off|less|lower|cheaper))",
    re.IGNORECASE,
)
_ADDED_BEHIND: Final = Pattern(
    r"\s?(?:원)?(?:을|를|만|씩|정도|만큼)?\s?(?:더|올리|올려|올린|늘리|늘려|높이|높여|인상|얹|(?:won )?(?:a month )?(?:more|extra|higher|up))",
    re.IGNORECASE,
)
_CUT_BEFORE: Final = Pattern(r"(?:\bby|\bcut of|\bless|reduction of)\s(?:KRW\s|₩)?$", re.IGNORECASE)


def is_swap(sheet: Sheet) -> bool:
    """Tell whether a message sets a higher deposit against a lower rent."""
    return sheet.says(_DEPOSIT_UP) and sheet.says(_RENT_DOWN)


def is_swap_back(sheet: Sheet) -> bool:
    """Tell whether a message sets a lower deposit against a higher rent, and says by how much each moves."""
    if is_swap(sheet) or not (sheet.says(_DEPOSIT_DOWN) and sheet.says(_RENT_UP)):
        return False
    roles = {one.role for one in quantities(sheet)}
    return "rent_by" in roles and bool(roles & {"deposit_by", "deposit_to"})


def quantities(sheet: Sheet) -> tuple[AskQuantity, ...]:
    """Return its sums by role: deposit, what it moves by or to, rent and what it moves by; and the rate of conversion."""
    numbers = like_before(numbers_in(sheet.text), sheet.text)
    sums = [one for one in numbers if one.unit in {"krw", ""} and one.as_won >= Decimal(10_000)]
    deposits = [one for one in sums if _is_deposit(one, sheet.text)]
    rents = [one for one in sums if one not in deposits]
    found = [*_deposits(deposits, sheet), *_rents(rents, sheet.text)]
    found += [
        AskQuantity("conversion", f"{one.value:f}", "percent", one.words, one.start, one.end)
        for one in numbers
        if one.unit == "percent"
    ][:1]
    return tuple(sorted(found, key=lambda one: one.start))


def _is_deposit(one: Number, text: str) -> bool:
    if one.as_won >= _RENT_MAX or one.as_won < _DEPOSIT_MIN:
        return one.as_won >= _RENT_MAX
    return _distance(_DEPOSIT, one, text) < _distance(_RENT, one, text)


def _distance(words: str, one: Number, text: str) -> int:
    ends = (match.span() for match in re.finditer(words, text, re.IGNORECASE))
    return min((max(one.start - end, start - one.end) for start, end in ends), default=len(text))


def _deposits(sums: Sequence[Number], sheet: Sheet) -> Iterator[AskQuantity]:
    """Yield the deposit that there is, where two are named or its move is what is asked, and what it rises by or to."""
    if not sums:
        return
    moved = sums[-1]
    if len(sums) > 1 or sheet.says(_ASKED):
        yield _quantity("deposit", sums[0])
    if len(sums) > 1 or not sheet.says(_ASKED):
        yield _quantity("deposit_to" if _is_reached(moved, sheet.text) else "deposit_by", moved)


def _rents(sums: Sequence[Number], text: str) -> Iterator[AskQuantity]:
    """Yield the rent that there is, and what it falls or rises by."""
    if not sums:
        return
    first, last = sums[0], sums[-1]
    if first is last:
        moves = _CUT_BEHIND.match(text, last.end) or _ADDED_BEHIND.match(text, last.end)
        yield _quantity("rent_by" if moves or _CUT_BEFORE.before(text, last.start) else "rent", last)
        return
    yield _quantity("rent", first)
    by = _CUT_BEHIND.match(text, last.end) or _ADDED_BEHIND.match(text, last.end)
    moved = abs(first.as_won - last.as_won) if _is_reached(last, text) or not by else last.as_won
    if moved > 0:
        yield _quantity("rent_by", last, moved)


def _is_reached(one: Number, text: str) -> bool:
    said = one.words.endswith(("까지", "으로", "로")) or _TO.match(text, one.end) is not None
    return said or _TO_EN.before(text, one.start) is not None


def _quantity(role: str, one: Number, value: Decimal | None = None) -> AskQuantity:
    won = one.as_won if value is None else value
    return AskQuantity(role, f"{won.normalize():f}", "krw", one.words, one.start, one.end)
