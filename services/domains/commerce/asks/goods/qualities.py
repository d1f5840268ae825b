"""What people want of goods and no row says: by its words, or as an edit says it ("팔걸이 있는 것만", "with a lid")."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from services.contract.asks import AskCondition, Said
from services.domains.commerce.asks.goods.features import asked_attributes, attributes_of
from services.plugin.asks.sheet import Sheet
from services.plugin.documents import read_yaml
from services.text.ko.morphemes import morphemes
from services.text.patterns import Pattern

UNKNOWN: Final = "unknown."
"""What the field of a condition on what no row says begins with."""
_MOST_KO: Final = r"(?:제일|가장|젤|최고로|제일로)\s?(?:덜\s?)?(?:[가-힣]+[이가은는도]\s)?"
_MOST_EN: Final = r"\b(?:most|least|best)\s(?:\w+\s)?"
_MOST_FORM: Final = Pattern(
    r"(?:quiet|loud|light|heavi|bright|fast|sturdi|pretti|new|comfi)est|longest\sbattery", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Quality:
    """One thing that people want of goods."""

    name: str
    """Its name in conditions."""
    label: Said
    """What it is called."""
    words: Pattern
    """What people say of it."""
    most: Pattern
    """Its superlatives."""

    @property
    def field(self) -> str:
        """The field of a condition on it."""
        return f"{UNKNOWN}{self.name}"


@cache
def qualities() -> Mapping[str, Quality]:
    """Return what people want of goods and no row says, by name."""
    document = read_yaml(__package__ or "", "qualities.yaml")
    if not isinstance(document, dict):
        raise TypeError("qualities.yaml is a mapping")
    return {
        name: Quality(
            name,
            Said(one["ko"], one["en"]),
            Pattern(one["words"], re.IGNORECASE),
            Pattern(rf"(?:{_MOST_KO}|{_MOST_EN})(?:{one['words']})", re.IGNORECASE),
        )
        for name, one in document.items()
    }


def qualities_in(sheet: Sheet, category: str) -> Iterator[Quality]:
    """Yield what a question wants of goods and no row says."""
    for one in qualities().values():
        match = one.words.search(sheet.text)
        if match is not None and not _is_property(match, sheet, category):
            yield one


def ranked_by(sheet: Sheet, category: str) -> Quality | None:
    """Return what a question ranks goods by and no row says: "the quietest"."""
    for one in qualities_in(sheet, category):
        form = _MOST_FORM.search(sheet.text)
        if one.most.search(sheet.text) or (form is not None and one.words.search(form.group())):
            return one
    return None


def _is_property(match: re.Match[str], sheet: Sheet, category: str) -> bool:
    """Tell whether words are of a property that a kind of goods has."""
    return any(
        other.start() < match.end() and match.start() < other.end()
        for attribute in attributes_of(category)
        for words in (attribute.noun, *(one.words for one in attribute.values))
        if words
        for other in re.finditer(words, sheet.text, re.IGNORECASE)
    )


SAID: Final = "said"
"""The name of a wish that is known by its words alone."""
_THING: Final = r"거|것|걸|건|게|놈|제품|상품|모델"
_END: Final = r"(?:\s?(?:보여|골라|추려|찾아|알려|줘|주세요|줄래|있어|있나|있을까|요|좀|로)\S*)*\W*$"
_HAVING: Final = (
    r"(?:있는|되는|달린|들어가는|들어갈|맞는|넣을|담을|끼울|들어간|들어있는|포함된|가능한|지원하는|지원되는|나오는)"
)
_WISH: Final = (
    rf"(?:^|[\s,])(?P<ko>(?!이|그|저|제일|가장|더|다른|재고|할인)(?:[가-힣A-Za-z0-9]+\s)?[가-힣A-Za-z0-9]{{2,}}?"
    rf"\s?{_HAVING})\s?(?:{_THING})?(?:들|으로|로|은|는|만|도|요)*{_END}"
    rf"|^\W*(?:그럼\s|그러면\s|그중에?서?\s)?(?P<only>(?!이|그|저|제일|가장|더|다른)[가-힣A-Za-z0-9]{{2,}}?)(?:으로|로|인\s?(?:{_THING}))만{_END}"
    r"|\b(?:ones?|those|anything|any)\s(?:with|having|that (?:have|has|are|is|can|come with)|which (?:have|has|are))\s(?:an?\s|the\s|be\s)?(?P<en>[a-z][a-z -]{2,30}?)\W*$"
    r"|^\W*(?:(?:only|and|just|but|ok)\s)*with\s(?:an?\s|the\s)?(?P<with>[a-z][a-z -]{2,30}?)\W*$"
)


_RELATIVE: Final = (
    r"\s(?:that|which)(?:'s)?\s(?!(?:i|you|we|they|would|will|could|costs?)\b)(?P<said>[a-z][a-z' -]{3,40}?)"
    r"(?=[,.?!;]|\s(?:for|under|below|up to|at most|less than|with|in)\s|$)"
)
_CLAUSE_KO: Final = (
    rf"(?:^|[\s,.?!])(?P<said>[가-힣A-Za-z0-9]{{2,}}?\s?{_HAVING})\s?(?P<thing>(?:{_THING})(?![가-힣]*\s?같))?"
)
_KNOWN_ELSEWHERE: Final = (
    r"\bstock|avail|\bsale\b|discount|rat(?:ed|ing)|review|cheap|price|expensive|\bbest\b|\bmost\b|popular|sell"
    r"|재고|할인|세일|리뷰|후기|평점|별점|배송|쿠폰|포인트|인기|(?:수|고)\s?있는|^수|가격|값"
)


def unread_clause(sheet: Sheet, category: str, read: Sequence[AskCondition]) -> Iterator[AskCondition]:
    """Yield what a clause of goods wants of them and no condition says: "a desk that folds away", "물걸레 되는 청소기".

    Dropped in silence it would be held for met.
    """
    named = [one for one in sheet.of_kind("category") if one.value == category and one.end]
    ends, starts = {one.end for one in named}, {one.start for one in named}
    of_goods = [one for one in re.finditer(_RELATIVE, sheet.text, re.IGNORECASE) if one.start() in ends]
    of_goods += [
        one
        for one in re.finditer(_CLAUSE_KO, sheet.text)
        if one["thing"] or any(_CLOSE.fullmatch(sheet.text, one.end(), at) for at in starts)
    ]
    for match in of_goods:
        said, clause = match["said"], match.group().casefold()
        is_read = any(one.words and one.words.casefold() in clause for one in read) or asked_attributes(said, category)
        of_number = any(match.start() < one.start < match.end() for one in sheet.numbers)
        # "리뷰 많이 달린": so much of what is named before it.
        of_before = sheet.text[max(0, match.start() - _BEFORE) : match.start()] if re.match(_SO_MUCH, said) else ""
        known = re.search(_KNOWN_ELSEWHERE, f"{of_before} {said}", re.IGNORECASE) is not None
        elsewhere = known or any(qualities_in(sheet, category))
        if not (is_read or of_number or elsewhere):
            yield AskCondition(f"{UNKNOWN}{SAID}", "eq", "", "", said.strip())


def names_before(sheet: Sheet, category: str, read: Sequence[AskCondition]) -> Iterator[str]:
    """Yield the words right before the noun of goods, or before properties of theirs, that no condition holds."""
    said = [one.words.casefold() for one in read if one.words]
    values = [value.words for one in attributes_of(category) for value in one.values]
    for noun in sheet.of_kind("category"):
        end = noun.start if noun.value == category and noun.end else 0
        while (match := _LAST_WORD.search(sheet.text[:end])) is not None:
            word = match["word"]
            if not (
                re.search(r"\d", word)
                or any(word.casefold() in one for one in said)
                or any(re.search(one, word, re.IGNORECASE) for one in values)
            ):
                yield word
                break
            end = match.start()


_LAST_WORD: Final = Pattern(r"(?<![^\s,])(?P<word>[가-힣A-Za-z0-9.]+(?:-[a-z]+)?)[\s-]?$")


def unread_names(sheet: Sheet, category: str, read: Sequence[AskCondition]) -> Iterator[AskCondition]:
    """Yield a proper name before the noun of goods, of which the rows tell whether it is of theirs: "Brexler earphones"."""
    for word in names_before(sheet, category, read):
        first = re.search(rf"(?:^|[.?!]\s)\W*{re.escape(word)}", sheet.text) is not None
        tags = [] if word.isascii() else [tag for piece in morphemes(word) for tag in piece.tags]
        is_name = _NAME_EN.fullmatch(word) and not first if word.isascii() else "NNP" in tags and tags[-1] != "JC"
        if is_name and not _BOUNDING.match(word):
            yield AskCondition(NAMED, "eq", "", "", word)


NAMED: Final = f"{UNKNOWN}name"
"""The field of a condition on a name: of a maker or a model line, which the rows themselves hold, or of nobody here."""
_NAME_EN: Final = Pattern(r"[A-Z][a-z]{2,}")
_BOUNDING: Final = Pattern(r"이상|이하|미만|초과")
_SO_MUCH: Final = r"(?:많이|적게|높게|낮게|더)\s"
_BEFORE: Final = 12
"""How far before it the word may stand of which there is so much."""
_CLOSE: Final = Pattern(r"[\w\s]{0,14}")
"""What may stand between a clause and the goods that it is of: other properties."""


def wished(sheet: Sheet, category: str) -> tuple[AskCondition, ...]:
    """Return what a message wants of goods and nothing here is called by, as a condition that no row can tell."""
    match = sheet.find(_WISH)
    words = next(filter(None, match.groups()), "").strip() if match is not None else ""
    if not words or asked_attributes(words, category):
        return ()
    return (AskCondition(f"{UNKNOWN}{SAID}", "eq", "", "", words),)
