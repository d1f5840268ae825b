"""The asks of a question that are about goods."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm
from services.domains.commerce.asks import sets
from services.domains.commerce.asks.acts.words import BOUGHT_BEFORE, FAULT
from services.domains.commerce.asks.corrections import without_corrected
from services.domains.commerce.asks.goods.drafts import codes_in, drafted, laid_over, with_form
from services.domains.commerce.asks.goods.edits import edited_ask, of_act
from services.domains.commerce.asks.goods.features import categories as categories_known
from services.domains.commerce.asks.goods.joining import with_told
from services.domains.commerce.asks.goods.missing import instead_of, maker_missing, other_goods, other_thing
from services.domains.commerce.asks.goods.subjects import GOODS, category_of, codes_fit, last_goods
from services.domains.commerce.asks.goods.wanted import conditions_in, own_conditions
from services.domains.commerce.asks.goods.words import (
    ACCESSORY,
    ACT,
    BACK,
    BESIDE_GOODS,
    ENOUGH,
    GIFT,
    HOW_MUCH,
    PICKS,
    RATED,
    REVIEWS,
    SHIPPING,
    STOCK,
)
from services.plugin.asks.answering import Claim
from services.plugin.asks.edits import is_correction, is_fresh, ordinal, short
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.standing import told_last
from services.plugin.entities import QUANTITY
from services.text.patterns import Pattern


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the asks of a question that are about goods, and of nothing that is to be done or belongs elsewhere."""
    sheet = without_corrected(sheet)
    is_act = sheet.says(ACT) and not (codes_in(sheet) and sheet.says(rf"{SHIPPING}|{ENOUGH}"))
    if is_act or sheet.says(BESIDE_GOODS):
        return ()
    if before and (joined := with_told(sheet, before)) is not None:
        return [Claim(with_form(drafted(joined, "", codes_in(joined)), joined, None), 0.96)]
    claims = read_any(sheet, before)
    return [one for one in claims if not _only_tells(one.ask, sheet)]


def _only_tells(ask: Ask, sheet: Sheet) -> bool:
    """Tell whether a message tells of goods that somebody has, and looks for none: "I'm not happy with the speaker"."""
    is_bare = ask.answerer == f"{GOODS}list" and not (ask.conditions or ask.order_by or ask.quantities)
    looks = sheet.wants(AskForm.LIST, AskForm.RECOMMEND, AskForm.LEVEL, AskForm.VERDICT) or "?" in sheet.text
    return is_bare and not looks and (sheet.says(FAULT) or sheet.says(BOUGHT_BEFORE))


def read_any(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the asks of a question about goods, whatever other words it has."""
    unsold = _unsold(sheet)
    # Any noun may be a product's name: "256GB" stands in one and is a number all the same.
    sheet = replace(sheet, entities=tuple(one for one in sheet.entities if one.kind != "product"))
    last = None if is_fresh(sheet) else last_goods(before)
    codes = codes_in(sheet)
    sheet = _fitting(sheet, last)
    named = list(dict.fromkeys(sheet.values("category")))
    categories = named or _meant_categories(sheet, codes)
    if missing := _missing(sheet, categories):
        found = [Claim(missing, 0.95)]
    elif last is None and _points_at_none(sheet, before):
        found = [Claim(replace(drafted(sheet, "", ()), answerer=f"{GOODS}none_shown", form=AskForm.LIST), 0.95)]
    elif (
        last is not None
        and _asks_of_shown(sheet, last, categories, before)
        and (one := edited_ask(sheet, last, before))
    ):
        found = [Claim(one, 0.95)]
    elif categories:
        # Models of several kinds are one ask: each code is told apart by the words beside it.
        kinds = [""] if codes and len(categories) > 1 else categories[: 1 if codes else 2]
        asks = sets.asks_of(sheet, kinds) if len(kinds) > 1 else [_of_category(sheet, kinds[0], codes, last)]
        sure = 0.95 if named or last is not None else _UNSOLD
        found = [Claim(one, sure) for one in asks if not _says_nothing(one, sheet)]
    elif codes and not sheet.says(r"지수|index"):
        one = with_form(drafted(sheet, "", codes), sheet, None)
        # A coupon or a property beside a code is of goods and of nothing else.
        found = [Claim(one, 0.95 if one.notes.get("coupon") or one.conditions else 0.9)]
    elif (of_bought := of_act(sheet, before)) is not None:
        found = [Claim(of_bought, 0.95)]
    elif last is not None and (edited := _leaning(sheet, last, before)) is not None:
        found = [Claim(edited, 0.9)]
    elif _is_of_no_kind(sheet):
        found = [Claim(_asking(sheet), 0.9)]
    elif unsold and last is None and (sheet.says(_SELLS) or not _is_elsewhere(before)):
        found = [Claim(_none_of(sheet, unsold), _UNSOLD)]
    else:
        found = []
    return found


def _leaning(sheet: Sheet, last: Ask, before: Sequence[AskedBefore]) -> Ask | None:
    """Return a message that leans on the last ask; one that names other goods which are not sold leans on nothing."""
    other = other_thing(sheet, last)
    return _none_of(sheet, other) if other else edited_ask(sheet, last, before)


def _says_nothing(ask: Ask, sheet: Sheet) -> bool:
    """Tell whether a message is of a kind of goods that the one before lends it, and says nothing of them: a bare yes."""
    is_lent = not any(one.end for one in sheet.of_kind("category"))
    wants = ask.conditions or ask.order_by or ask.quantities or codes_in(sheet)
    return is_lent and not wants and ask.form is AskForm.LIST and not sheet.wants(AskForm.LIST)


def _is_of_no_kind(sheet: Sheet) -> bool:
    """Tell whether a message wants goods of a kind that it does not say: a recommendation, or a present for so much."""
    wanted = sheet.wants(AskForm.RECOMMEND) or sheet.says(rf"{_WHAT_TO_GET}|{PICKS}")
    costs = any(one.value >= _PRICE_FROM and one.unit in {"", "krw"} for one in sheet.numbers)
    wanted = wanted or sheet.says(_GIVES)
    given = sheet.says(_PRESENT) and costs and not sheet.says(_NO_GIFT)
    return ((wanted and sheet.says(rf"{GIFT}|{_GIVES}")) or given) and not sheet.of_kind("security")


def _fitting(sheet: Sheet, last: Ask | None) -> Sheet:
    """Return a message on goods that were shown without another kind that is only to fit them: "노트북 들어가는 거"."""
    shown = category_of(last) if last is not None else ""
    others = [one for one in sheet.of_kind("category") if one.value != shown] if shown else []
    if not any(_FITS.match(sheet.text, one.end) for one in others):
        return sheet
    return replace(sheet, entities=tuple(one for one in sheet.entities if one not in others))


_FITS: Final = Pattern(r"\s?(?:이|가|도|을|를)?\s?(?:들어가|들어갈|들어간|넣|담|수납|보관|끼|올려|연결)", re.IGNORECASE)
_SHOWN: Final = (
    r"(?:추천|보여|알려|말씀?|골라)\s?(?:한|했던|해\s?준|준|주신|드린)|\b(?:recommended|showed|suggested|told me)\b"
)
_OF_ONE: Final = rf"{STOCK}|{HOW_MUCH}|{REVIEWS}|{RATED}"


def _asks_of_shown(sheet: Sheet, last: Ask, categories: Sequence[str], before: Sequence[AskedBefore]) -> bool:
    """Tell whether a message asks of goods that were shown by their kind: "아까 추천한 이어폰 재고 있어?"."""
    of_last = list(categories) == [category_of(last)] and bool(told_last(before, "product"))
    return of_last and sheet.says(_SHOWN) and sheet.says(_OF_ONE) and sheet.superlative is None


def _points_at_none(sheet: Sheet, before: Sequence[AskedBefore]) -> bool:
    """Tell whether a message points to a place in a list of goods, and no goods were shown: "두 번째 상품 리뷰"."""
    seen = bool(sheet.of_kind("category")) and sheet.says(_SEEN)
    of_goods = seen or sheet.says(r"상품|제품|물건|\bproducts?\b|\bgoods\b")
    return of_goods and ordinal(sheet) is not None and (seen or bool(before)) and not told_last(before, "product")


_SEEN: Final = r"아까|앞서|방금|전에\s?(?:본|보여)|\bearlier\b|\bbefore\b|\byou (?:just )?(?:showed|listed|found)\b"


def _is_elsewhere(before: Sequence[AskedBefore]) -> bool:
    """Tell whether the message just before was on another subject: a noun beside "cheaper" is of that one."""
    return bool(before) and bool(before[0].asks) and all(one.domain != "commerce" for one in before[0].asks)


def _meant_categories(sheet: Sheet, codes: Sequence[str]) -> list[str]:
    """Return the kind of goods of a message that names none: put aside for a property, or the only one that has it.

    "서서 쓰는 책상 말고 고정식으로" is of desks, and "40리터짜리 뭐 있어?" of what has litres.
    """
    if common := next((kind for words, kind in _COMMON if sheet.says(words)), ""):
        return [common]
    aside = [one.value for one in sheet.aside if one.kind == "category" and conditions_in(sheet, one.value)]
    rated = sheet.says(RATED) and any(one.bound for one in sheet.numbers)
    looks = sheet.wants(AskForm.LIST, AskForm.RECOMMEND) or sheet.superlative or rated or any(_priced(sheet))
    if aside or codes or not looks:
        return aside[:1]
    only = [one for one in categories_known() if own_conditions(sheet, one)]
    return only if len(only) == 1 else []


def _priced(sheet: Sheet) -> Iterator[bool]:
    """Yield of each sum of a message whether it bounds a price."""
    return (
        one.bound in {"lt", "le"} and one.value >= _PRICE_FROM
        for one in sheet.numbers
        if not one.unit or one.unit == "krw"
    )


_PRICE_FROM: Final = 1000
_WHAT_TO_GET: Final = r"what (?:should|can|could) i (?:get|buy|give) (?:my|for|her|him|them|a)\b|살\s?만한\s?(?:거|것|게|걸)|뭐\s?(?:사|선물)(?:줄까|주면|드리면|드릴까|하면\s?좋)"
"""Asks what to buy for somebody, and names nothing."""
_GIVES: Final = r"(?:뭐|뭘|무엇을?|어떤\s?(?:거|걸|것))\s?(?:을\s|를\s)?(?:사\s?(?:주|줄|드리|드릴|갈까|가면)|선물)"
"""Asks what to buy for somebody else."""
_PRESENT: Final = r"선물|\bgifts?\b|\b(?:birthday|christmas|wedding|anniversary) present\b|\bpresents? for\b"
"""Something to give to somebody."""
_NO_GIFT: Final = r"선물\s?(?:옵션|거래|지수|환|시장|세)|증여|상속|세금|지수|tax"
"""What is given besides goods, and futures, which bear the same name."""
_BAG: Final = r"(?<![가-힣])가방(?![가-힣]*\s?(?:걸이|정리))"
"""A bag by itself is one of the back here; 여행가방 and 손가방 are other goods."""
_WATCH: Final = r"\b(?:an?|the|this|that|new|sports?|gps|running|his|her)\s(?:[a-z-]+\s)?watch\b(?!\s?(?:list|face|strap|out|tv|movies?|films?|videos?))"
"""A watch as a thing; the verb has no article."""
_COMMON: Final = ((_BAG, "backpack"), (_WATCH, "smartwatch"))
"""Nouns that name goods sold here only as things by themselves, with their kind."""
_UNSOLD: Final = 0.86
"""How sure it is that a noun is of goods not sold, or a property of goods not named: it decides where nothing is surer."""
_ANY_GOODS: Final = frozenset({"제품", "상품", "모델", "물건", "product", "model"})
_PRICED: Final = r"싼|싸|저렴|비싼|비싸|cheap|expensive|lowest price|highest price"
_THING: Final = r"(?:거|것|게|건|제품|상품|모델)(?:는|은|이|가|야|요|로|를|을|만|\s|[?.!]|$)|\b(?:one|which|what)\b"


_SELLS: Final = r"파(?:나요|나|는|시나|세요|니|냐)(?:\s|\?|$)|팔(?:아|죠|고\s?있)|판매|취급|\b(?:do|can) (?:you|i) (?:sell|have(?! to\b)|carry|stock|buy|get)"
_HOW_MUCH: Final = r"얼마|가격|값|how much|price"
_CHEAPER: Final = r"더\s?(?:싸|싼|저렴|비싸|비싼)|cheaper|more expensive"
_NO_NOUN: Final = Pattern(
    r"got|사면|사려면|사려고|사서|얼마|뭐|가성비|품질|인기|세일|할인|최신|신상|신제품|선물|취급|판매|deals?|gifts?|presents?|things?|bargains?"
)
_NOT_OF_NAME: Final = Pattern(r"^(?:do|you|sell|have|carry|stock|buy|get|got|any|some)\s", re.IGNORECASE)


def _unsold(sheet: Sheet) -> str:
    """Return the goods that a question of a shop names and that are of no category here; empty where it is of anything else.

    A shop is asked for the cheapest of something, for so many of it or one for so much, whether it sells it, or which of
    two costs less.
    """
    nouns = [one for one in sheet.entities if one.words not in _ANY_GOODS and not _NO_NOUN.fullmatch(one.words)]
    counted = any(one.kind == QUANTITY for one in nouns)
    nouns = [one for one in nouns if one.kind != QUANTITY and (one.kind != "product" or _name_of(one.words))]
    if not nouns or any(one.kind != "product" for one in nouns):
        return ""
    one_thing = (
        (sheet.superlative is not None and sheet.says(_THING) and sheet.says(_PRICED) and not counted)
        or (counted and sheet.says(_HOW_MUCH))
        or sheet.says(_SELLS)
        or (sheet.wants(AskForm.RECOMMEND) and any(_priced(sheet)))
    )
    two_things = len(nouns) == _TWO and sheet.says(_CHEAPER)
    if not (two_things or (len(nouns) == 1 and one_thing)):
        return ""
    return ", ".join(filter(None, (_name_of(one.words) for one in nouns)))


_TWO: Final = 2


def _name_of(words: str) -> str:
    """Return the name of goods without the words of asking and the numbers around it."""
    plain = _NOT_OF_NAME.sub("", words)
    return " ".join(word for word in plain.split() if not any(letter.isdigit() for letter in word))


def _none_of(sheet: Sheet, what: str) -> Ask:
    draft = drafted(sheet, "", ())
    return replace(draft, answerer=f"{GOODS}missing", form=AskForm.LIST, notes={"ko": what, "en": what})


_OPEN: Final = r"(?<![가-힣])(?:뭐|뭘|무엇|아무거나)|어떤\s?(?:거|것|게)|\bideas?\b|\bsomething\b|\banything\b|\bwhat (?:should|would|can|to)\b"
"""Leaves open what kind of thing it is to be."""
_SEARCHES: Final = frozenset({"search_product", "get_recommendation"})


def of_route(sheet: Sheet, intent: str) -> Ask | None:
    """Return that the one thing looked for is not sold, or which kind it is to be where that is open; None for others."""
    if intent in _SEARCHES and sheet.says(_OPEN) and not sheet.of_kind("category"):
        return _asking(sheet)
    named = (one for one in sheet.entities if one.kind == "product" and one.words not in _ANY_GOODS)
    things = [one for one in named if not _NO_NOUN.fullmatch(one.words)]
    if intent not in _SEARCHES or len(things) != 1 or sheet.of_kind("category"):
        return None
    name = _name_of(_whole_word(sheet.text, things[0].start, things[0].end))
    return _none_of(sheet, name) if name else None


def _whole_word(text: str, start: int, end: int) -> str:
    """Return what a place names: where it begins or ends within a word, that whole word without its marks."""
    rest = re.split(r"[\s?.!,]", text[end:], maxsplit=1)[0]
    if (start == 0 or text[start - 1].isspace()) and _PARTICLE.fullmatch(rest):
        return text[start:end]
    return text[text.rfind(" ", 0, start) + 1 : end] + rest


_PARTICLE: Final = Pattern(r"(?:을|를|은|는|이|가|도|만|로|으로|이?랑|하고|좀|이?요|까지|부터)?")


def _missing(sheet: Sheet, categories: Sequence[str]) -> Ask | None:
    """Return the ask for goods that are not sold here: of another maker, or named by a noun of goods that are."""
    maker = maker_missing(sheet)
    asked = sheet.wants(AskForm.LIST, AskForm.RECOMMEND, AskForm.LEVEL, AskForm.VERDICT, AskForm.COMPARE) or sheet.says(
        STOCK
    )
    accessory = sheet.find(ACCESSORY)
    sells = sheet.says(
        r"파나|팔아|파는|팔죠|파시|취급|입고|들어와|구할\s?수|살\s?수|재고|추천|찾아|있(?:나|어|냐|니|을까|음)|sell|carry|have|find|looking|any\b|in stock"
    )
    if accessory and (categories or maker) and sells:
        words = sheet.text[: accessory.end()].strip().split()[-2:]
        return _none_of(sheet, " ".join(words).rstrip("?.!"))
    if not maker and (other := other_goods(sheet)):
        return _none_of(sheet, other)
    if (
        maker
        and (asked or categories)
        and (categories or (sells and not sheet.of_kind("security") and not sheet.says(r"매수|상장|실적")))
    ):
        kind, known_for = instead_of(sheet)
        category = categories[0] if categories else kind
        draft = drafted(sheet, category, ())
        said = {one.field for one in draft.conditions}
        more = tuple(one for one in known_for if category == kind and one.field not in said)
        return replace(
            draft,
            conditions=(*draft.conditions, *more),
            answerer=f"{GOODS}missing",
            form=AskForm.LIST,
            notes={"maker_ko": maker.ko, "maker_en": maker.en},
        )
    return None


def _asking(sheet: Sheet) -> Ask:
    return replace(drafted(sheet, "", ()), answerer=f"{GOODS}which", form=AskForm.RECOMMEND)


_NARROWING_WORDS_MAX: Final = 4
_NARROWS: Final = r"만(?=\s|[.!?요]|$)|빼고|말고|제외|\bonly\b|\bjust\b|\bbut (?:not|no)\b|\bwithout\b"
"""Keeps a part of what was shown, or leaves a part of it out."""


_OF_KIND: Final = (
    r"(?<!전체 )(?<!모든 )[가-힣]+\s?(?:중에서|중에|중|가운데)\s|\b(?:of|among) the(?!m)\b(?! (?:whole|entire))"
)
"""Words that pick out of what was shown by its noun: "의자 중 제일 싼 거"."""


def _of_category(sheet: Sheet, category: str, codes: tuple[str, ...], last: Ask | None) -> Ask:
    """Return the ask about a category: anew, or as an edit of the last one where the message says so."""
    now = drafted(sheet, category, codes)
    if last is None or codes or not codes_fit(last):
        return with_form(now, sheet, None)
    # What was asked back for is told now: the budget that was said before stands.
    # "러닝화로만" narrows what was shown of the same goods.
    narrows = category == category_of(last) and short(sheet.text, _NARROWING_WORDS_MAX) and sheet.says(_NARROWS)
    first_of = category == category_of(last) and sheet.superlative is not None and sheet.says(_OF_KIND)
    narrows = narrows or (first_of and not now.conditions)
    again = narrows or sheet.says(BACK) or is_correction(sheet) or last.answerer.endswith(f"{GOODS}which")
    asks_only = short(sheet.text, 2) and not now.conditions
    return with_form(laid_over(now, last), sheet, last) if again or asks_only else with_form(now, sheet, None)
