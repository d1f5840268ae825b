"""Goods that are not sold here: of makers without goods here (makers.yaml), or others of a noun (other_goods.yaml)."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Final

from services.contract.asks import Ask, AskCondition, Said
from services.domains.commerce.asks.goods.features import ATTRIBUTE, attributes_of
from services.domains.commerce.asks.goods.qualities import NAMED, qualities
from services.domains.commerce.asks.goods.rows import chosen, goods_calls
from services.domains.commerce.asks.goods.saying import category_said, limits_said, priced_name, told_of
from services.domains.commerce.asks.goods.subjects import category_of
from services.domains.commerce.asks.goods.wanted import things, things_in
from services.domains.commerce.asks.goods.words import DENIED, DENIED_EN, GIFT
from services.plugin.asks.answering import Call, Found, Outcome, declined
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import QueryRow, filled, listed, rows_of, sentences
from services.plugin.documents import read_yaml
from services.plugin.entities import name_rows
from services.text.patterns import Pattern


def tell_missing(ask: Ask, found: Found) -> Outcome:
    """Return that goods are not sold here, and what there is in their place."""
    rows = rows_of(found.readings, "products")
    what, notes = category_said(ask), ask.notes
    if "maker_ko" not in notes:
        sentence = filled(
            "‘{what}’ 상품은 여기에 없습니다.",
            "We do not sell “{what}”; it is not in the catalogue.",
            what=Said(notes["ko"], notes["en"]),
        )
        return Outcome(declined(ask, sentence))
    maker = Said(notes["maker_ko"], notes["maker_en"])
    head = filled("{maker} 상품은 여기에 없습니다.", "There are no {maker} products here.", maker=maker)
    # The name that is missing is no condition on what there is in its place.
    ask = replace(ask, conditions=tuple(one for one in ask.conditions if one.field != NAMED))
    choice = chosen(ask, found)
    if not choice.in_stock:
        return Outcome(declined(ask, head))
    if not ask.conditions and not re.search(_LIKE, notes.get("said", ""), re.IGNORECASE):
        return Outcome(declined(ask, sentences(head, _by_whom(rows, what))))
    limits = limits_said(choice, ask)
    scope = Said(f"조건({limits.ko})에 맞는 ", f" that meet the conditions ({limits.en})")
    more = filled(
        "{scope}{what:은/는} {names} 등 {n}개가 있습니다.",
        "There are {n} {what}{scope}: {names}.",
        scope=scope if limits.ko else Said("", ""),
        what=what,
        names=listed([priced_name(row) for row in choice.in_stock[:_TOLD_MAX]]),
        n=str(len(choice.in_stock)),
    )
    told = tuple(told_of(row) for row in choice.in_stock[:_TOLD_MAX])
    return Outcome(replace(declined(ask, sentences(head, more)), told=told))


def of_names(tell: Callable[[Ask, Found], Outcome]) -> Callable[[Ask, Found], Outcome]:
    """Return what tells of goods, where a name stands at them that no row bears: that it is not sold here."""

    def told(ask: Ask, found: Found) -> Outcome:
        unknown = [one for one in chosen(ask, found).conditions if one.field == NAMED]
        if not unknown:
            return tell(ask, found)
        notes = {**ask.notes, "maker_ko": unknown[0].words, "maker_en": unknown[0].words}
        return tell_missing(replace(ask, notes=notes), found)

    return told


def other_thing(sheet: Sheet, last: Ask) -> str:
    """Return other goods than those that were just said not to be sold, where a message names some; empty for none."""
    if not last.answerer.endswith("goods_missing") or "maker_ko" in last.notes:
        return ""
    named = [one for one in things_in(sheet) if one not in last.notes.get("ko", "").casefold()]
    return max(named, key=len, default="")


def tell_none_shown(ask: Ask, found: Found) -> Outcome:
    """Return that no goods were shown which a message could point to."""
    del found
    if shown := ask.notes.get("shown"):
        few = Said(
            f"보여 드린 상품은 {shown}개뿐이라 말씀하신 순서의 상품은 없습니다. 몇 번째 것을 말씀하시나요?",
            f"I showed you {shown} only, so there is none in that place. Which one do you mean?",
        )
        return Outcome(declined(ask, few))
    return Outcome(
        declined(
            ask,
            Said(
                "이 대화에서 보여 드린 상품이 없습니다. 어떤 상품을 찾으시나요?",
                "I have shown you no products in this conversation. Which kind are you after?",
            ),
        )
    )


def _by_whom(rows: Sequence[QueryRow], what: Said) -> Said:
    """Return which makers' goods of a kind there are."""
    makers = list(dict.fromkeys((row.text("brand_ko"), row.text("brand_en")) for row in rows))
    names = listed([Said(*one) for one in makers])
    return filled("{what:은/는} {names} 것이 있습니다.", "The {what} sold here are by {names}.", what=what, names=names)


_LIKE: Final = r"같은|비슷|대신|대체|느낌|\blike\b|similar|alternative|instead|equivalent"
"""Asks for something like what is named."""
_TOLD_MAX: Final = 3


def missing_calls(ask: Ask) -> Sequence[Call]:
    """Return the look-up of what is sold in place of goods that are not; none without a category."""
    return goods_calls(ask) if category_of(ask) else ()


@cache
def _makers() -> tuple[dict[str, Any], ...]:
    document = read_yaml(__package__ or "", "makers.yaml")
    if not isinstance(document, dict):
        raise TypeError("makers.yaml is a mapping")
    return tuple(document["makers"])


def maker_missing(sheet: Sheet) -> Said | None:
    """Return a maker that a question wants and that sells nothing here; None where it names none, or puts it aside."""
    return next((Said(one["ko"], one["en"]) for one in _makers() if _is_wanted(sheet, one["words"])), None)


def instead_of(sheet: Sheet) -> tuple[str, tuple[AskCondition, ...]]:
    """Return the kind of goods that a name of such a maker stands for, with what it is known for; empty where none."""
    named = (one for maker in _makers() for one in maker.get("goods", ()) if sheet.says(one["words"]))
    meant = next(named, None)
    if meant is None:
        return "", ()
    has = (AskCondition(f"{ATTRIBUTE}{name}", "eq", value) for name, value in meant.get("has", {}).items())
    return meant["category"], tuple(has)


def _is_wanted(sheet: Sheet, words: str) -> bool:
    match = sheet.find(words)
    if match is None:
        return False
    before = re.search(DENIED_EN, sheet.text[: match.start()], re.IGNORECASE)
    return re.match(DENIED, sheet.text[match.end() :]) is None and before is None


def other_goods(sheet: Sheet) -> str:
    """Return goods that a message names by a noun of goods sold here and that are none of them; empty for none."""
    return next((match.group().strip() for match in _named(sheet)), "")


def without_others(sheet: Sheet) -> Sheet:
    """Return a message without the kinds of goods whose nouns stand in the names of other goods."""
    spans = [match.span() for match in _named(sheet)]
    kept = (
        one
        for one in sheet.entities
        if one.kind != "category" or not any(start <= one.start < one.end <= end for start, end in spans)
    )
    return replace(sheet, entities=tuple(kept)) if spans else sheet


def _named(sheet: Sheet) -> Iterator[re.Match[str]]:
    for pattern in (_made_for(), _belonging()):
        for match in pattern.finditer(sheet.text):
            aside = re.match(rf"{DENIED}|{_USE}", sheet.text[match.end() :]) or re.search(
                DENIED_EN, sheet.text[: match.start()], re.IGNORECASE
            )
            if not aside and not _is_wished(match):
                yield match


_USE: Final = r"(?:으로|로|용으로)도?\s?(?:쓸|쓰|써|사용|이용)"
"""Says behind a name what other goods are to be used as: "식탁 의자로 쓸 의자"."""


def _is_wished(match: re.Match[str]) -> bool:
    """Tell whether what stands behind a noun of goods is a property of theirs, or what people want of them."""
    behind = match.groupdict().get("thing") or ""
    nouns = (one.noun for one in attributes_of(_kind_of(match.groupdict().get("noun") or "")) if one.noun)
    return bool(behind) and (
        any(re.search(noun, behind, re.IGNORECASE) for noun in nouns)
        or any(one.words.search(behind) for one in qualities().values())
    )


@cache
def _document() -> dict[str, Any]:
    document = read_yaml(__package__ or "", "other_goods.yaml")
    if not isinstance(document, dict):
        raise TypeError("other_goods.yaml is a mapping")
    return document


@cache
def _nouns() -> dict[str, tuple[str, ...]]:
    """Return the nouns of each kind of goods sold here."""
    rows = name_rows("services.domains.commerce", "data/categories.yaml")
    return {row.id: (*row.words, *_document()["nouns"].get(row.id, ())) for row in rows}


def _kind_of(noun: str) -> str:
    return next((kind for kind, words in _nouns().items() if noun.casefold() in map(str.casefold, words)), "")


def _any_of(words: Iterable[str]) -> str:
    """Return a regular expression of words, the longer before those that begin them; a space in one may be left out."""
    return "|".join(re.escape(one).replace(r"\ ", r"\s?") for one in sorted(words, key=len, reverse=True))


@cache
def _made_for() -> Pattern:
    """Return the pattern of nouns of goods behind what makes them other goods."""
    parts = []
    for kind, before in _document()["made_for"].items():
        nouns = _nouns()[kind]
        korean = _any_of([one for one in nouns if not one.isascii()])
        english = _any_of([one for one in nouns if one.isascii()])
        parts.append(rf"(?<![가-힣])(?:{_any_of(before['ko'])})용?\s?(?:{korean})(?![가-힣]{{2}})")
        parts.append(rf"\b(?:{_any_of(before['en'])})[\s-]?(?:{english})\b")
    return Pattern("|".join(parts), re.IGNORECASE)


@cache
def _belonging() -> Pattern:
    """Return the pattern of what belongs to goods, behind their noun, where it is what a message is after."""
    nouns = [one for words in _nouns().values() for one in words]
    known = {one for one in things() if not re.search(GIFT, one)} | set(_document()["belongs"])
    thing = _any_of(known - {word.casefold() for word in nouns})
    return Pattern(
        rf"(?<![가-힣A-Za-z])(?P<noun>{_any_of(nouns)})\s?(?P<thing>(?:{thing})(?:e?s\b)?)"
        rf"(?=(?:은|는|이|가|을|를|도|만|으로|로|요)?(?:\W*$|[,.?!]|\s?(?:{_ASKED})|\s(?:{_ASKED_EN})\b))",
        re.IGNORECASE,
    )


_ASKED: Final = r"추천|있(?!는|고)|없(?!는|고)|파[나는시니]|팔|얼마|보여|찾|알려|사[려고줘면]|살|구매|구입|재고|가격|골라|뭐|어떤|제일|가장|젤|중|좀|리뷰|후기|평점|싼|싸|저렴|인기|\d"
_ASKED_EN: Final = (
    r"under|below|for|with|please|in|that|which|do|are|is|you|there|and|or|up|less|at|over|around|i|to|available|left"
)
"""What follows the noun of the very thing that is asked for; an adjective of it says what the goods before it are like."""
