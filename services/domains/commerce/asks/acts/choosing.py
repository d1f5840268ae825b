"""Which of several goods a message means: by a price, by properties, by a word of the name, by a superlative. Pure.

read      marks(sheet, category) keeps what a message says of the one that it means, as notes of its ask
applied   chosen(notes, rows) keeps the rows that bear all of it; none where nothing does, several where it does not tell
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.contract.asks import AskCondition
from services.domains.commerce.asks.goods.conditions import figure_conditions
from services.domains.commerce.asks.goods.features import categories, meets, number_of
from services.domains.commerce.asks.goods.orders import orders_in
from services.domains.commerce.asks.goods.wanted import conditions_in
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import QueryRow

MARKS: Final = "marks"
"""The note that holds the properties of the one that is meant."""
ORDERED: Final = "ordered"
"""The note that holds by what it is the first."""
PICKED: Final = "picked"
"""The note that holds the words which name it."""
FIRST: Final = "first"
"""The note which says that the first is meant where nothing tells them apart: "it"."""
_CAN_BE_BOUGHT: Final = "stock"


def marks(sheet: Sheet, category: str, *, bounded: bool = False) -> dict[str, str]:
    """Return what a message says of the goods that it means, as notes.

    Args:
        sheet: The message.
        category: The kind of the goods; of any kind where empty.
        bounded: Whether its sums bound the price of goods, and are none that is paid with: "5만원 이하 스피커".
    """
    kinds = (category,) if category else categories()
    found = [one for kind in kinds for one in conditions_in(sheet, kind) if one.operator != "in"]
    found += [one for one in figure_conditions(sheet, 1) if bounded and one.operator != "eq"]
    said = {(one.field, one.operator, one.value): one for one in found}
    ordered = orders_in(replace(sheet, text=_as_superlative(sheet.text)), category)
    return {
        MARKS: json.dumps([list(key) for key in said]) if said else "",
        ORDERED: f"{'-' if ordered[-1][1] else '+'}{ordered[-1][0]}" if ordered else "",
    }


def _as_superlative(text: str) -> str:
    """Return a text whose comparatives are superlatives: among those that stand "the cheaper one" is the cheapest."""
    korean = re.sub(_COMPARATIVE_KO, r"제일 \g<word>", text)
    english = re.sub(
        r"\b(?P<more>more|less) (?=\w+)", lambda one: "most " if one["more"] == "more" else "least ", korean
    )
    return re.sub(_COMPARATIVE_EN, _est, english, flags=re.IGNORECASE)


_COMPARATIVE_KO: Final = r"(?<!제일\s)(?<!가장\s)(?:더\s?|좀\s?|조금\s?)?(?P<word>[가-힣]{0,2}(?:싼|저렴한|비싼|높은|큰|작은|가벼운|넓은|긴|많은)\s?(?:쪽|거|걸|게|것|놈|녀석|애))"
_COMPARATIVE_EN: Final = r"\b(?P<stem>cheap|dear|big|larg|small|pric(?=ier)|long|short|wid|high|low|light|heav(?=ier)|better)(?P<end>g?e?r|ier)?\b"


def _est(one: re.Match[str]) -> str:
    if one["stem"].lower() == "better":
        return "best"
    end = {"ier": "iest"}.get(one["end"] or "", f"{(one['end'] or '')[:-1]}st" if one["end"] else "")
    return f"{one['stem']}{end}"


def chosen(notes: Mapping[str, str], rows: Sequence[QueryRow], said: str) -> tuple[QueryRow, ...]:
    """Return the rows that bear what a message says of the one that it means.

    Args:
        notes: What `marks` read.
        rows: The goods that may be meant.
        said: The words of the message.
    """
    left = _priced(rows, said)
    for field, operator, value in json.loads(notes.get(MARKS) or "[]"):
        one = AskCondition(field, operator, value)
        # A kind of goods whose rows do not say is not told apart by it.
        left = [row for row in left if meets(row, one) is not False]
    left = _named(left, said)
    if (order := notes.get(ORDERED, "")) and len(left) > 1:
        left = _first(left, order[1:], most=order[0] == "-")
    return tuple(left[:1] if notes.get(FIRST) and len(left) == len(rows) else left)


def _priced(rows: Sequence[QueryRow], said: str) -> list[QueryRow]:
    """Return the rows whose price a message says to the won, where it says one."""
    plain = said.replace(",", "")
    own = [
        row for row in rows if len(rows) > 1 and re.search(rf"(?<!\d){row.number('price_krw') or 0:.0f}(?!\d)", plain)
    ]
    return own or list(rows)


def _named(rows: Sequence[QueryRow], said: str) -> list[QueryRow]:
    """Return the rows whose names have most of the words which tell them apart."""
    plain = said.casefold()
    kept = [row for row in rows if not any(_denies(plain, word) for word in _words(row))]
    rows = kept or list(rows)
    words = [_words(row) for row in rows]
    common = set.intersection(*words) if words else set()
    scores = [sum(_says(plain, word) for word in own - common) for own in words]
    most = max(scores, default=0)
    return [row for row, score in zip(rows, scores, strict=True) if score == most]


def _denies(plain: str, word: str) -> bool:
    """Tell whether a text puts aside what bears a word: "not the Dalbiton", "달빛온 말고"."""
    one = re.escape(word)
    return (
        re.search(rf"\b(?:not|except|no)\s(?:the\s|a\s)?{one}\b|{one}[가-힣]{{0,3}}\s?(?:말고|빼고|아니|제외)", plain)
        is not None
    )


def _words(row: QueryRow) -> set[str]:
    return {word.casefold() for name in ("name_ko", "name_en") for word in row.text(name).split() if len(word) > 1}


def _says(plain: str, word: str) -> bool:
    """Tell whether a text says a word: a Korean one with whatever ending, an English one or a code by itself."""
    return re.search(rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])", plain) is not None


def _first(rows: Sequence[QueryRow], field: str, *, most: bool) -> list[QueryRow]:
    """Return the first by a figure among what can be bought; both of two equal ones."""
    known = [(number_of(row, field), row) for row in rows if row.number(_CAN_BE_BOUGHT) or field == _CAN_BE_BOUGHT]
    figures = [(figure, row) for figure, row in known if isinstance(figure, Decimal)]
    if not figures:
        return list(rows)
    best = (max if most else min)(figure for figure, _ in figures)
    return [row for figure, row in figures if figure == best]
