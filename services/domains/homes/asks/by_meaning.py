"""Asks about homes by what a question means: where no reader's words say it, or where they say another than it plainly is.

level, change, cause, advice, outlook    of a place that is named
compare                                  of two places or kinds
rank, change_rank                        of the places of a province, or of all
offers                                   of a place, with a kind, a deal or a condition
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm
from services.domains.homes.asks import listings, market
from services.domains.homes.asks.homes_named import HOME_WORDS, property_types
from services.domains.homes.asks.meant import OTHER, wanted
from services.domains.homes.asks.orders import PROVINCE
from services.plugin.asks.answering import Claim
from services.plugin.asks.sheet import Sheet
from services.text.likeness import words_of

_ALONE: Final = 0.3
"""How far a kind has to be before all others to be believed where no words say it."""
_OVER: Final = 0.6
"""How far before all others to be believed against the words."""
_WORDS_MIN: Final = 5
"""A message of fewer words says what it says; meanings of it differ by little."""
_OWN_WORDS_MIN: Final = 3
"""The same of the words that carry meaning and name nothing: "강남구 아파트 전세 시세 알려줘" has two, a plain question."""
_FORMS: Final = {
    "level": AskForm.LEVEL,
    "change": AskForm.CHANGE,
    "compare": AskForm.COMPARE,
    "rank": AskForm.RANK,
    "change_rank": AskForm.RANK,
    "advice": AskForm.ADVICE,
    "outlook": AskForm.EFFECT,
    "cause": AskForm.CAUSE,
}
_OFFERS: Final = "offers"
_READ_AS: Final = {
    "market_level": "level",
    "market_past": "level",
    "market_compare": "compare",
    "market_rank": "rank",
    "market_change_rank": "change_rank",
    "market_advice": "advice",
    "market_outlook": "outlook",
    "listings": _OFFERS,
}
"""The kind of what a reader reads."""
_TOWARDS: Final = frozenset(
    {
        ("level", "change"),
        ("level", "compare"),
        ("change_rank", "rank"),
        ("level", "rank"),
        ("offers", "rank"),
        ("level", "offers"),
    }
)
"""What a reader reads where it misses a word, and what is meant then."""
_SCORE: Final = 0.93


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the ask that a question means; nothing where that is of something else, or what it needs is not named."""
    del before
    if len(sheet.text.split()) < _WORDS_MIN or not sheet.says(HOME_WORDS):
        return ()
    kind, ahead = wanted(sheet)
    ask = _drafted(kind, sheet) if kind != OTHER and ahead >= _ALONE else None
    return (Claim(ask, _SCORE),) if ask is not None else ()


def rather(claims: Sequence[Claim], sheet: Sheet) -> Sequence[Claim]:
    """Return what a question plainly means in place of what its words were read as."""
    if len(claims) != 1 or len(sheet.text.split()) < _WORDS_MIN or len(_own_words(sheet)) < _OWN_WORDS_MIN:
        return claims
    kind = _READ_AS.get(claims[0].ask.answerer, "")
    if not any(first == kind for first, _ in _TOWARDS):
        return claims
    meant, ahead = wanted(sheet)
    ask = _drafted(meant, sheet) if (kind, meant) in _TOWARDS and ahead >= _OVER else None
    return claims if ask is None else (replace(claims[0], ask=ask),)


def _own_words(sheet: Sheet) -> frozenset[str]:
    """Return the words of a message that carry meaning and name nothing."""
    text = sheet.text
    for one in sheet.entities:
        text = text[: one.start] + " " * (one.end - one.start) + text[one.end :]
    return words_of(text)


def _drafted(kind: str, sheet: Sheet) -> Ask | None:
    """Return the ask of a kind; None where what it needs is not named."""
    places = sheet.of_kind("region")
    if kind == _OFFERS:
        ask = listings.drafted(sheet)
        return ask if places and (ask.conditions or {"property_type", "deal_type"} & ask.notes.keys()) else None
    if kind in {"rank", "change_rank"}:
        is_class = len(places) < len(("one", "other")) and all(len(one.value) == PROVINCE for one in places)
        return market.drafted(sheet, AskForm.RANK, by_change=kind == "change_rank") if is_class else None
    if kind == "compare":
        return market.drafted(sheet, AskForm.COMPARE) if len(places) > 1 or len(property_types(sheet)) > 1 else None
    return market.drafted(sheet, _FORMS[kind]) if len(places) == 1 else None
