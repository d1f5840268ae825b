"""What a message says of an order: how many, which coupon, points, how it is paid, where it goes. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from services.domains.commerce.asks.acts import places, words
from services.domains.commerce.asks.former import gives_up, wishes_of_before
from services.domains.commerce.asks.goods.counts import is_of_all
from services.plugin.asks.asides import without_asides
from services.plugin.asks.numbers import Number
from services.plugin.asks.sheet import Sheet
from services.plugin.entities import QUANTITY
from services.text.patterns import Pattern

CODE: Final = Pattern(r"(?<![A-Za-z0-9-])(?P<code>[A-Za-z]\d{2,4})(?![A-Za-z0-9])")
_NATIVE: Final = {"하나": 1, "둘": 2, "셋": 3, "넷": 4, "다섯": 5}
_ENGLISH: Final = {
    word: number
    for number, said in enumerate(
        ("a an one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
        start=1,
    )
    for word in said.split()
}
_BEFORE_NAME: Final = Pattern(
    rf"\b(?:buy|order|purchase|add|put|get|grab|take|have|want|need|place|send|and|plus|with|just|only)\s(?:me\s|an order for\s)?"
    rf"(?P<n>-?\d{{1,3}}|{'|'.join(_ENGLISH)})\s(?=[A-Za-z])(?!coupons?\b|points?\b|won\b|stars?\b|percent\b|days?\b|more\b)",
    re.IGNORECASE,
)
_PLAIN_COUNT: Final = Pattern(r"^\D{0,8}?(?P<n>\d{1,3})\s?(?:으?로)?\D{0,8}$")


_TIMES: Final = Pattern(
    r"(?<![A-Za-z0-9])(?:[x×]\s?(?P<n>\d{1,2})|(?P<m>\d{1,2})\s?[x×])(?![A-Za-z0-9])", re.IGNORECASE
)
"""A count that is written as a multiple: "x2"."""


POINTS_MIN: Final = 100
"""A number below it that stands apart from the word for points counts something else."""


def quantities(sheet: Sheet) -> tuple[tuple[int, int], ...]:
    """Return the counts of pieces that a message names, each with its place; one that is put aside is none of them."""
    aside = [match.span() for match in ASIDE.finditer(sheet.text)]
    return tuple(one for one in _counts(sheet) if not any(start <= one[1] < end for start, end in aside))


def uncounted(sheet: Sheet) -> str:
    """Return the words by which a message says how many without a number that can be: "-2개", "두세 개"; empty where none."""
    if quantities(sheet):
        return ""
    found = next((one for one in sheet.unclear if one.field == "quantities"), None)
    if found is None:
        return ""
    sign = "-" if sheet.text[: found.start].endswith("-") else ""
    return f"{sign}{found.surface}"


_COUNT: Final = rf"(?:\d{{1,2}}|{'|'.join((*_ENGLISH, *_NATIVE))}|[한두세네]|다섯)\s?(?:개|대|병|권|켤레|통)?"
ASIDE: Final = Pattern(
    rf"\b(?:rather than|instead of|in place of|not)\s(?:just\s|only\s)?(?:{_COUNT})\b|\bfrom\s(?:{_COUNT})\s(?=to\b)"
    rf"|(?<![가-힣A-Za-z0-9])(?:{_COUNT})\s?(?:말고|아니라|아니고|대신|에서(?=\s))",
    re.IGNORECASE,
)
"""A count that another one takes the place of: "three rather than one", "두 개 말고 세 개"."""


def _counts(sheet: Sheet) -> tuple[tuple[int, int], ...]:
    """Return all counts of pieces that a message names; counts of coupons and stars are none."""
    found = []
    for one in sheet.of_kind(QUANTITY):
        behind, before = sheet.text[one.end : one.end + 4], sheet.text[max(0, one.start - 6) : one.start]
        is_other = (
            is_of_all(one.end, sheet.text)
            or re.match(r"\s?(?:점|별)", behind)
            or re.search(r"(?:쿠폰|별|별점)\s?$", before)
        )
        if one.value.isdigit() and not is_other and not re.search(r"(?:장|점)$", one.words):
            found.append((int(one.value), one.start))
    if sheet.language == "ko":
        found = sorted({start: count for count, start in (*_alone(sheet.text), *found)}.items())
        found = [(count, start) for start, count in found]
        bare = ((int(match["n"]), match.start("n")) for match in _BEFORE_PAYING.finditer(sheet.text))
        return tuple(found) or tuple(_before_names(sheet.text)) or tuple(bare)
    pairs = ((2, match.start()) for match in _PAIR.finditer(sheet.text))
    times = ((int(match["n"] or match["m"]), match.start()) for match in _TIMES.finditer(sheet.text))
    places = {start: count for count, start in (*_before_names(sheet.text), *pairs, *found, *times)}
    return tuple((count, start) for start, count in sorted(places.items()))


def _alone(text: str) -> Iterator[tuple[int, int]]:
    """Yield the Korean numbers that stand without a counter: "하나만 할게요", "마우스 둘이랑"."""
    for match in _ALONE.finditer(text):
        yield _NATIVE[match["n"]], match.start("n")


_ALONE: Final = Pattern(
    r"(?<![가-힣])(?<!별\s)(?<!뭐\s)(?P<n>하나|둘|셋|넷|다섯)(?=만|로|으로|이?요(?![가-힣])|씩|이?랑|이?면|[\s.,!~]|$)"
    r"(?!만?\s(?:더\s)?(?:물어|여쭤|여쭙|궁금|질문|확인)|\s?다(?:\s|$))"
)
_PAIR: Final = Pattern(r"\ba (?:pair|couple) of\b", re.IGNORECASE)
_BEFORE_PAYING: Final = Pattern(r"(?<=[가-힣])\s(?P<n>\d{1,2})\s(?=카드|계좌|간편|주문|결제)")
"""A count that stands between goods and how they are paid: "마우스 5 카드"."""
_BEFORE_CODE: Final = Pattern(
    rf"\b(?P<n>\d{{1,3}}|{'|'.join(one for one in _ENGLISH if one not in {'a', 'an'})})\s(?=(?:[A-Za-z-]+\s){{1,4}}[A-Za-z]\d{{2,4}}\b)",
    re.IGNORECASE,
)
"""A count that stands right before a maker's name and a code: "three Kodium Office M50 mice"."""


def _before_names(text: str) -> Iterator[tuple[int, int]]:
    """Yield the English counts that stand between a verb and the name of goods: "buy two Velonik keyboards"."""
    for match in (*_BEFORE_NAME.finditer(text), *_BEFORE_CODE.finditer(text)):
        number = match["n"].lower()
        yield int(number) if number.lstrip("-").isdigit() else _ENGLISH.get(number, 1), match.start("n")


def counted(sheet: Sheet, named: Sequence[tuple[str, int]]) -> str:
    """Return the count of each of several products: the one that stands beside its code, one where none does.

    Where the first count stands before the first code, each stands before its own: "two K20 keyboards". "2개씩" counts
    all of them.
    """
    counts = quantities(sheet)
    if len(counts) == 1 and sheet.says(r"씩|\beach\b|\bapiece\b"):
        return "|".join(f"{code}={counts[0][0]}" for code, _ in named)
    leads = bool(counts) and counts[0][1] < named[0][1]
    edges = [0, *(place for _, place in named)] if leads else [*(place for _, place in named), len(sheet.text)]
    lines = []
    for at, (code, _) in enumerate(named):
        inside = [number for number, start in counts if edges[at] <= start < edges[at + 1]]
        lines.append(f"{code}={(inside or [1])[-1 if leads else 0]}")
    return "|".join(lines)


def bare_count(sheet: Sheet) -> int | None:
    """Return the count that a short answer is: "두 개", "3", "three"; None where it is none."""
    if counts := quantities(sheet):
        return counts[0][0]
    match = _PLAIN_COUNT.match(sheet.text.strip())
    if match is not None:
        return int(match["n"])
    said = re.findall(r"[a-z]+|[가-힣]+", sheet.text.lower())
    return next((_ENGLISH.get(one) or _NATIVE.get(one) for one in said if one in _ENGLISH or one in _NATIVE), None)


def codes(sheet: Sheet) -> tuple[tuple[str, int], ...]:
    """Return the model codes that a message names, each with its place."""
    return tuple((match["code"].upper(), match.start()) for match in CODE.finditer(sheet.text))


def bill_parts(sheet: Sheet, stands: str = "") -> dict[str, str]:
    """Return what a message says of how an order is paid and where it goes; nothing of what it does not say.

    Args:
        sheet: The message.
        stands: How it is paid as it stands.
    """
    said = {
        "method": method(sheet, stands),
        "coupon": coupon(sheet),
        "points": points(sheet),
        "address": places.address(sheet),
    }
    return {name: value for name, value in said.items() if value}


def method(sheet: Sheet, stands: str = "") -> str:
    """Return how a message wants to pay; empty where it does not say.

    Of several ways that one is meant which does not stand yet: "카드가 안 되니 계좌로" speaks of both.

    Args:
        sheet: The message.
        stands: How it is paid as it stands.
    """
    named = [name for name, pattern in words.METHODS if sheet.says(pattern)]
    return next((one for one in named if one != stands), "") if len(named) > 1 else next(iter(named), "")


def coupon(sheet: Sheet) -> str:
    """Return "none", "best", or the words that name a coupon; empty where none is spoken of."""
    if gives_up(sheet, words.COUPON_WORD, words.POINTS_WORD):
        return "none"
    if sheet.says(words.NO_COUPON):
        return coupon_said(sheet) if _names_another(sheet) else "none"
    if not sheet.says(words.COUPON_WORD):
        return ""
    return "best" if sheet.says(words.BEST) else coupon_said(sheet)


def coupon_said(sheet: Sheet) -> str:
    """Return the words that name a coupon, without those that put another one aside."""
    return f"said:{_left_standing(sheet)}"


def _left_standing(sheet: Sheet) -> str:
    """Return what a message says of the coupon that is meant: behind another one that it puts aside, or without it."""
    ends = [end for _, end in wishes_of_before(sheet.text) if _ANOTHER.search(sheet.text, end)]
    behind = sheet.text[ends[-1] :] if ends else _PUT_ASIDE.split(sheet.text)[-1]
    return behind if behind.strip() and behind != sheet.text else without_asides(sheet).text


def _names_another(sheet: Sheet) -> bool:
    """Tell whether a message that puts a coupon aside names one in its place."""
    rest = _left_standing(sheet)
    return rest != sheet.text and _ANOTHER.search(rest) is not None


_PUT_ASIDE: Final = Pattern(rf"(?:{words.COUPON_WORD})\S{{0,2}}\s?(?:말고|대신|빼고)\s", re.IGNORECASE)
_ANOTHER: Final = Pattern(
    rf"\d\s?(?:%|퍼|프로|percent)|\d\s?(?:천|만)?\s?(?:원|won)|{words.COUPON_WORD}", re.IGNORECASE
)
"""What a coupon takes off, or a coupon by its noun."""


def points(sheet: Sheet) -> str:
    """Return how many points are to be used: a number, "all", "none" or "ask"; empty where none are to be used."""
    taken_off = sheet.says(words.OFF_BY_POINTS) and sheet.numbers
    if gives_up(sheet, words.POINTS_WORD, words.COUPON_WORD) or (sheet.says(words.NO_POINTS) and not taken_off):
        return "none"
    if not sheet.says(words.POINTS_WORD):
        # "3천점 써줘": so many points of anything are points that pay.
        alone = [one for one in sheet.numbers if one.unit == "points" and one.value >= POINTS_MIN and not one.bound]
        return str(int(alone[0].value)) if len(alone) == 1 else ""
    if (number := _beside_points(sheet)) is not None:
        return str(number)
    if sheet.says(words.ALL_POINTS):
        return "all"
    return "" if sheet.says(words.ASKS_WHICH) or words.asks_something(sheet) else "ask"


_BEHIND_MAX: Final = 5
"""How far a number may stand behind the word for points."""
_AHEAD_MAX: Final = 4
"""How far it may stand before it: "1만 점의 적립금"."""
_OF_MINE: Final = Pattern(r"\s(?:(?:of|worth|from|in|my|the|our|those|these)\s)+", re.IGNORECASE)
"""What stands between a number and the word for points, and names nothing else: "3,000 of my points"."""


def _beside_points(sheet: Sheet) -> int | None:
    """Return the number of points that a message names: one of points, or the one beside the word for them."""
    match = sheet.find(words.POINTS_WORD)
    sums = [one for one in sheet.numbers if one.unit in {"points", "krw", ""} and one.value >= 1]
    if match is None or not sums:
        return None
    behind = [one for one in sums if 0 <= one.start - match.end() <= _BEHIND_MAX]
    ahead = [
        one
        for one in sums
        if 0 <= match.start() - one.end <= _AHEAD_MAX or _OF_MINE.fullmatch(sheet.text[one.end : match.start()])
    ]
    beside = [*behind, *ahead]
    many = [one for one in beside if one.value >= POINTS_MIN]
    meant = next(iter((*many, *beside, *(one for one in sums if one.unit == "points"), *_only_sum(sums))), None)
    return int(meant.as_won if meant.unit == "krw" else meant.value) if meant is not None else None


def _only_sum(sums: Sequence[Number]) -> Sequence[Number]:
    """Return the one sum of a message that names no other: "take 8,000 off with my points"."""
    return sums if len(sums) == 1 and sums[0].value >= POINTS_MIN and not sums[0].bound else ()


def merged(before: Mapping[str, str], now: Mapping[str, str]) -> dict[str, str]:
    """Return the parts of an order with what a message says instead."""
    return {**before, **{name: value for name, value in now.items() if value}}
