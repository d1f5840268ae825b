"""Which thing of a shop a message asks, by its likeness to what people say of each (meant.yaml).

Goods are one word to it, whatever they are, and numbers count for nothing: "the chairs" and "ORD-1" differ in no kind.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

from services.plugin.asks.sheet import Sheet
from services.plugin.documents import read_yaml
from services.plugin.entries import Entry
from services.text.likeness import Likeness
from services.text.patterns import Pattern

FILE: Final = "meant.npz"
"""The vectors of the examples; `python -m services.domains.commerce.asks.encoding` writes them."""
ELSEWHERE: Final = "elsewhere"
"""What is no matter of a shop."""
_OF_SELLERS: Final = 0.1
"""How much nearer what only sellers ask is to one who sells."""
_CODE: Final = Pattern(r"(?<![A-Za-z0-9])(?:[A-Za-z]\d{2,3}|[A-Z]{2,}-\d+)(?![A-Za-z0-9])")
_GOODS: Final = {"ko": "상품", "en": "item"}


class Kind(Entry):
    """One thing that is asked of a shop."""

    seller: bool = False
    """Whether only those who sell ask it."""
    buyer: bool = False
    """Whether only those who do not sell ask it."""
    needs: str = ""
    """A regular expression that a message of it matches; empty where it needs none."""
    says: tuple[str, ...]
    """What people say of it, in both languages."""


@dataclass(frozen=True, slots=True)
class Meant:
    """What a message is nearest to."""

    kind: str
    """The kind; empty where it is near none."""
    nearness: float
    """How near it is, 0 to about 1."""
    ahead: float
    """How much nearer it is than to the next kind."""
    scores: Mapping[str, float]
    """How near it is to each kind."""


@cache
def kinds() -> Mapping[str, Kind]:
    """Return what a shop is asked, by name."""
    document = read_yaml(__package__ or "", "meant.yaml")
    if not isinstance(document, dict):
        raise TypeError("meant.yaml is a mapping")
    return {name: Kind.model_validate(one) for name, one in document.items()}


@cache
def likeness() -> Likeness:
    """Return what people say of each kind."""
    file = resources.files(__package__ or "").joinpath(FILE)
    return Likeness({name: one.says for name, one in kinds().items()}, file)


def meant(sheet: Sheet) -> Meant:
    """Return what a message is nearest to, of what the person who sends it may ask."""
    open_ = {name for name, one in kinds().items() if _may_be(one, sheet)}
    found = likeness().scores(plain(sheet), open_)
    scores = {name: score + (_OF_SELLERS if kinds()[name].seller else 0.0) for name, score in found.items()}
    ranked = sorted(scores.items(), key=lambda one: -one[1])
    if not ranked:
        return Meant("", 0.0, 0.0, {})
    following = ranked[1][1] if len(ranked) > 1 else 0.0
    return Meant(ranked[0][0], ranked[0][1], ranked[0][1] - following, scores)


def _may_be(one: Kind, sheet: Sheet) -> bool:
    """Tell whether somebody who sends a message may mean a kind by it."""
    sells = sheet.user_type == "seller"
    return (sells or not one.seller) and not (sells and one.buyer) and (not one.needs or sheet.says(one.needs))


def plain(sheet: Sheet) -> str:
    """Return a message with its goods as one word each time."""
    word = _GOODS["ko" if sheet.language == "ko" else "en"]
    spans = [(one.start, one.end) for one in sheet.of_kind("category") if one.end]
    spans += [match.span() for match in _CODE.finditer(sheet.text)]
    parts, at = [], 0
    for start, end in sorted(spans):
        if start >= at:
            parts += [sheet.text[at:start], word]
            at = end
    text = "".join([*parts, sheet.text[at:]])
    return re.sub(rf"{word}(?:[\s,]+{word})+", word, text)
