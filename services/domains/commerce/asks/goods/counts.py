"""How many pieces are bought, of each model where several are named, and how many goods are to be told of."""

import re
from collections.abc import Iterator
from typing import Final

from services.domains.commerce.asks.goods.words import CODE, REVIEW_COUNT, STOCKED
from services.plugin.asks.forms import picks_one
from services.plugin.asks.numbers import Number
from services.plugin.asks.sheet import Sheet
from services.text.patterns import Pattern

_TOLD_KO: Final = Pattern(r"\s?(?:만|정도만?|까지만)?\s?(?:추천|골라|보여|알려|찾아|뽑|추려|권해|부탁|$)|만(?=\s|$)")
_TOLD_EN: Final = Pattern(
    r"(?:\btop|\bfirst|\bthe)\s$|(?:recommend|suggest|show|give|find|list|name|pick)\s(?:me\s|us\s)?(?:the\s)?$",
    re.IGNORECASE,
)
_TOLD_BEHIND_EN: Final = Pattern(r"\s?(?:best|cheapest|most|top|highest|lowest)\b", re.IGNORECASE)
_EACH_ONE: Final = r"하나씩|한\s?(?:개|대)씩|각각|\bone (?:of )?each\b|\bone of both\b"
_PAIR: Final = r"\bboth of\b"
_TWO: Final = r"\ba (?:pair|couple) of\b|한\s?쌍"
"""Two, of what is sold one by one."""
_DESCRIBED: Final = Pattern(
    r"\s(?:(?!(?:stars?|rated|inch\w*|or|and|for|in|with|to|of|point|k)\b)[A-Za-z-]{2,}\s){1,3}", re.IGNORECASE
)
"""What a number of goods has between it and their noun: "3 wired silent mice"."""
_PIECES_MAX: Final = 10_000
_JOINT: Final = Pattern(r"(?<=[가-힣0-9])(?:이?랑|하고|와|과)\s|,|그리고|\band\b|\+", re.IGNORECASE)


def told_in(sheet: Sheet) -> int:
    """Return how many goods are to be told of ("top 5", "3개만"); 0 where nobody says."""
    return next((int(one.value) for one in sheet.numbers if _counts_told(one, sheet)), int(picks_one(sheet.text)))


def pieces_in(sheet: Sheet) -> int:
    """Return how many pieces are bought; 0 where nobody says."""
    single = {"sneakers", "earphones"} & set(sheet.values("category"))
    if sheet.says(_PAIR) or (not single and sheet.says(_TWO)):
        return 2
    found = (int(one.value) for one in sheet.numbers if _counts_pieces(one, sheet))
    return next(found, 0)


def pieces_of_models(sheet: Sheet) -> dict[str, int]:
    """Return how many of each model are bought, by its code: what stands behind it in Korean, before it in English."""
    if sheet.says(_EACH_ONE):
        return {match["code"].upper(): 1 for match in CODE.finditer(sheet.text)}
    return {code: _of_part(start, end, sheet) for code, start, end in parts_of_models(sheet.text)}


def parts_of_models(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield each model's code with the part of a text that is about it, as far as what joins it to the next."""
    codes = list(CODE.finditer(text))
    start = 0
    for match, following in zip(codes, [*codes[1:], None], strict=True):
        limit = following.start() if following is not None else len(text)
        joint = _JOINT.search(text, match.end(), limit)
        end = joint.start() if joint else limit
        yield match["code"].upper(), start, end
        start = joint.end() if joint else end


def _of_part(start: int, end: int, sheet: Sheet) -> int:
    inside = (
        one for one in sheet.numbers if start <= one.start and one.end <= end and not is_of_all(one.end, sheet.text)
    )
    return next((int(one.value) for one in inside if _is_small(one) and one.unit in {"", "count"}), 1)


def is_of_all(end: int, text: str) -> bool:
    """Tell whether a count that ends at a place counts the goods told of, and no pieces: "K30이랑 K310 두 개 다"."""
    return _ALL_OF.match(text, end) is not None


_ALL_OF: Final = Pattern(r"\s?(?:를|을)?\s?(?:다|모두|전부)(?=\s(?!해서|합|더|하면)|[.?!]|$)")


def _is_small(one: Number) -> bool:
    return one.value == int(one.value) and 0 < one.value <= _PIECES_MAX and not one.bound


def _counts_told(one: Number, sheet: Sheet) -> bool:
    if not _is_small(one) or one.unit not in {"", "count"}:
        return False
    before, digits = sheet.text[: one.start], sheet.text[one.start : one.end]
    if one.unit == "count" and re.search(r"[가-힣]", digits):
        return _TOLD_KO.match(sheet.text, one.end) is not None
    return _TOLD_EN.search(before) is not None or _TOLD_BEHIND_EN.match(sheet.text, one.end) is not None


def _counts_pieces(one: Number, sheet: Sheet) -> bool:
    """Tell whether a number counts what is bought: a counter stands behind it, or the goods do."""
    before = sheet.text[max(0, one.start - 6) : one.start]
    if (
        not _is_small(one)
        or one.words[-1:] in "kK"
        or REVIEW_COUNT.search(before)
        or STOCKED.search(before)
        or _counts_told(one, sheet)
    ):
        return False
    if one.unit == "count":
        # People are served, and no pieces.
        return not (re.search(r"명$|사람$", one.words) or is_of_all(one.end, sheet.text))
    rest = sheet.text[one.end :]
    goods = any(
        0 <= other.start - one.end <= 1 or _DESCRIBED.fullmatch(sheet.text, one.end, max(one.end, other.start))
        for other in sheet.of_kind("category")
    )
    return not one.unit and (
        goods or re.match(r"\s(?:of\s(?:the\s|these|those|them|it)|[A-Z][a-z]+\s|[A-Za-z]\d{2,4}\b)", rest) is not None
    )
