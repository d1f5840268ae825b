"""Which goods a message means: those that it names, some of those that were told of, a line of a shown cart. Pure."""

import re
from collections.abc import Sequence
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm, Told
from services.domains.commerce.asks.acts import choosing, parts, words
from services.domains.commerce.asks.acts.counting import more_said, wide_count
from services.domains.commerce.asks.acts.underway import PREFIX
from services.domains.commerce.asks.goods.saying import category_said
from services.domains.commerce.asks.goods.subjects import category_of, last_goods
from services.plugin.asks.asides import without_asides
from services.plugin.asks.edits import ordinal, pointed, short
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.standing import told_last


def named_goods(sheet: Sheet, before: Sequence[AskedBefore]) -> dict[str, str]:
    """Return the goods that a message names, or means of those that were told of; several with the count of each."""
    named = parts.codes(sheet)
    found = {"codes": "|".join(dict.fromkeys(code for code, _ in named)), "goods": goods_said(sheet)}
    if len({code for code, _ in named}) > 1:
        first = choosing.marks(sheet, "")[choosing.ORDERED] if sheet.says(_AMONG) else ""
        found |= {choosing.ORDERED: first} if first else {"lines": parts.counted(sheet, named)}
    if (told := of_told(sheet, before)) is not None:
        return {**found, **told}
    if named or not sheet.of_kind("category"):
        return found
    kind = sheet.of_kind("category")[0].value
    marked = choosing.marks(sheet, kind, bounded=any(one.unit == "krw" and one.bound for one in sheet.numbers))
    return {**found, **marked}


def of_told(sheet: Sheet, before: Sequence[AskedBefore]) -> dict[str, str] | None:
    """Return the notes by which a message means one or some of the goods that were told of; None where it means others."""
    plain = without_asides(sheet)
    named, told = parts.codes(sheet), told_last(before, "product")
    if named:
        own = [one for one in told_last(before[:1], "product") if f" {named[0][0]} " in f" {one.label} "]
        return {"ids": own[0].value, "codes": ""} if len(own) == len(named) == 1 else None
    to = pointed(plain, before, "product")
    if to is not None and to.told and (to.how in {"ordinal", "other"} or len(told) == 1):
        return {"ids": "|".join(one.value for one in to.told), "goods": ""}
    kinds, last = sheet.of_kind("category"), last_goods(before)
    kind = category_of(last) if last is not None else ""
    at_once = told_last(before[:1], "product")
    if not told or any(one.value != kind for one in kinds) or not (at_once or to is not None):
        return None
    marked = choosing.marks(plain, kind)
    # Those of a list that are named by their places are all meant: "1번이랑 3번 담아줘".
    means_all = sheet.says(_ALL_OF_THEM) or ordinal(plain) is not None
    if to is not None and to.how == "set" and not any(marked.values()) and means_all:
        return {"ids": "|".join(one.value for one in to.told), "goods": ""}
    points = any(marked.values()) or _names_of_told(plain, told) or sheet.says(_ONE_OF)
    if to is None and not points:
        return None
    ids = "|".join(one.value for one in told[:_TOLD_MAX])
    first = "1" if to is not None and to.how in {"one", "set"} and _has_first(before) else ""
    return {**marked, "ids": ids, "goods": "", "codes": "", choosing.PICKED: plain.text, choosing.FIRST: first}


_AMONG: Final = r"(?:둘\s?|셋\s?)?중(?:에서?|에)?\s|가운데|\bwhichever\b|\bof (?:the )?(?:two|three|these|those|them)\b|\bout of\b|\bthe (?:cheaper|cheapest|dearer|best|better)(?:[- ]\w+)?(?: one)? of\b"
"""Means one of several models that are named by what it is: "K40이랑 K60 중에 싼 거"."""
_TOLD_MAX: Final = 40
_ALL_OF_THEM: Final = r"둘\s?다|셋\s?다|다\s|모두|전부|그것들|\bboth\b|\ball\b|each of"


def _has_first(before: Sequence[AskedBefore]) -> bool:
    """Tell whether what was told of last has one that stands first: the one that was suggested, the first of a ranking."""
    asks = before[0].asks if before else ()
    return any(one.form is not AskForm.LIST for one in asks)


_ONE_OF: Final = (
    r"(?:걸로|거로|것으로|꺼로|쪽으로|[싼큰은운긴]\s?쪽|(?:된|인|한|는|은|짜리|번째)\s?(?:거|것|걸|게|꺼))|[가-힣A-Za-z0-9]\s(?:거|것|걸|꺼)(?:\s|$)"
    r"|\bthe (?:[\w'-]+ ){1,6}ones?\b"
)
"""Means one of several by what stands before: "네이비로 된 거", "the Gureumi one"."""


def is_pointed(sheet: Sheet) -> bool:
    """Tell whether a message means one of several, whatever was told of: "싼 걸로", "the blue one"."""
    return sheet.says(_ONE_OF)


def _names_of_told(sheet: Sheet, told: Sequence[Told]) -> bool:
    """Tell whether a message says a word of the names of goods that were told of, a maker's for example."""
    return any(word.casefold() in sheet.text.casefold() for one in told for word in one.label.split() if len(word) > 1)


def goods_said(sheet: Sheet) -> str:
    """Return the words that name goods which no code and no category says."""
    if parts.codes(sheet) or sheet.of_kind("category"):
        return ""
    named = [
        one.words
        for one in sheet.of_kind("product")
        if not (re.search(_NO_GOODS, one.words, re.IGNORECASE) or re.fullmatch(_VERBS, one.words, re.IGNORECASE))
    ]
    return named[0] if named else ""


_VERBS: Final = r"(?:put|add|throw|toss|pop|stick|place|buy|get|grab|take|order|want|need|send|pay|cancel|refund|return|drop|remove)"
"""Verbs of acts, which the reading of names takes for nouns where they stand alone."""
_NO_GOODS: Final = (
    r"카드|주소|배송지|쿠폰|포인트|장바구니|카트|계좌|이체|결제|주문|구매|취소|환불|교환|반품|상품|제품|물건|이거|그거|저거|이것|그것|저것|집|전부|모두|방금|아까|수량|관리자|승인|절차|처리|후기|리뷰|별점|이유|사이즈|색"
    r"|\b(?:card|address|coupon|points?|cart|basket|order|payment|items?|products?|it|this|that|one|everything|all|now|home|use|please|system|review|stars?)\b"
)


_CHANGE_WORDS_MAX: Final = 9
_BUYS: Final = rf"{words.PURCHASE}|{words.COUPON_WORD}|{words.POINTS_WORD}"
"""Does something with the cart that is no change of a line."""


def cart_change(sheet: Sheet, before: Sequence[AskedBefore]) -> tuple[str, str] | None:
    """Return which change of the cart a message asks for, and of which of its lines; None where it asks for none."""
    lines = _lines(before)
    if not lines or words.asks_something(sheet) or not short(sheet.text, _CHANGE_WORDS_MAX) or sheet.says(_BUYS):
        return None
    meant = _meant_lines(sheet, before, lines)
    if not meant or parts.method(sheet):
        return None
    if sheet.says(words.TAKES_OUT):
        return "remove", meant
    if more_said(sheet):
        return "add", meant
    return ("recount", meant) if wide_count(sheet, Ask()) else None


def _meant_lines(sheet: Sheet, before: Sequence[AskedBefore], lines: Sequence[Told]) -> str:
    """Return the products of the lines that a message points to, or names by their kind."""
    if (pointed := of_told(sheet, before)) is not None:
        return pointed.get("ids", "")
    if parts.codes(sheet):
        return ""
    kinds = [category_said(Ask(subjects=(one,))).ko for one in sheet.of_kind("category")]
    return "|".join(one.value for one in lines if any(kind in one.label for kind in kinds))


def _lines(before: Sequence[AskedBefore]) -> Sequence[Told]:
    """Return the lines of the cart where it was told last, whatever was changed in it since."""
    for message in before:
        if any(one.answerer.endswith("own_cart") for one in message.asks):
            return [one for answer in message.answers for one in answer.told if one.kind == "product"]
        if not all(one.answerer.removeprefix(PREFIX) in _OF_CART for one in message.asks):
            break
    return []


_OF_CART: Final = frozenset({"add", "remove", "recount"})
