"""A message that names no goods, read as an edit of the last ask or of what it told of."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskCondition, AskedBefore, AskForm, Told
from services.domains.commerce.asks.acts.words import asks_something
from services.domains.commerce.asks.goods.drafts import drafted, laid_over, with_form
from services.domains.commerce.asks.goods.features import (
    ATTRIBUTE,
    CODE_FIELD,
    asked_attributes,
    attributes_of,
    categories,
)
from services.domains.commerce.asks.goods.qualities import wished
from services.domains.commerce.asks.goods.subjects import GOODS, category_of, codes_of, last_goods, names_models
from services.domains.commerce.asks.goods.words import (
    BACK,
    BUYS_ALL,
    CHEAPER,
    CODE,
    DEARER,
    HOW_MUCH,
    IN_STOCK,
    RATED,
    REVIEWS,
    SHIPPING,
    STOCK,
    TOTAL,
)
from services.plugin.asks.edits import Pointed, compares, ordinal, pointed, short
from services.plugin.asks.forms import picks_one, place_in
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.standing import standing, told_last

_PAIR: Final = 2


@dataclass(frozen=True, slots=True)
class _Edit:
    """A message that names no goods, beside what it may lean on."""

    sheet: Sheet
    last: Ask
    before: Sequence[AskedBefore]
    now: Ask
    to: Pointed | None
    told: tuple[Told, ...]

    @property
    def asks_one(self) -> bool:
        """Tell whether it asks what is asked of one product: its stock, price, reviews, a property."""
        sheet, now = self.sheet, self.now
        features = any(one.field.startswith(ATTRIBUTE) for one in now.conditions)
        of_price = sheet.says(HOW_MUCH) and not now.conditions
        of_feature = sheet.wants(AskForm.VERDICT) and features
        own = sheet.says(STOCK) or sheet.says(REVIEWS) or sheet.says(RATED)
        return own or of_price or bool(now.quantities) or of_feature

    @property
    def is_of_set(self) -> bool:
        """Tell whether it points to all that was told of."""
        of_two = len(self.told) == _PAIR and self.sheet.says(r"\bthe (?:pair|two)\b|한\s?쌍")
        return of_two or (self.to is not None and self.to.how == "set")


def edited_ask(sheet: Sheet, last: Ask, before: Sequence[AskedBefore]) -> Ask | None:
    """Return a message that names no goods as an edit of the last ask, or of what it told of; None where it is none."""
    at_once = bool(before) and any(ask.domain == "commerce" for ask in before[0].asks)
    # "두 번째로 싼 건?" is a place among prices, and none in the list.
    to = pointed(sheet, before, "product") if place_in(sheet.text) == 1 else None
    if not short(sheet.text, 12) or not (at_once or to or sheet.says(BACK)):
        return None
    now = replace(drafted(sheet, category_of(last), ()), subjects=())
    if at_once and (again := _once_more(sheet, last) or _paid_so(now, last)) is not None:
        return again
    if not (now.conditions or now.order_by or now.quantities or names_models(last)):
        now = replace(now, conditions=wished(sheet, category_of(last)))
    if to is not None and to.how == "ordinal" and not to.told:
        to = _of_longer_set(sheet, before)
        if to is None and (shown := told_last(before, "product")):
            # No such place was shown: what stands in none is no first one.
            return replace(now, answerer=f"{GOODS}none_shown", form=AskForm.LIST, notes={"shown": str(len(shown))})
    free = _freed(sheet, last)
    # Of a list some are pointed to by their places: they are the set.
    placed = to.told if to is not None and to.how == "set" and ordinal(sheet) is not None else ()
    edit = _Edit(sheet, free, before, now, to, placed or told_last(before, "product"))
    if free.conditions != last.conditions or any(one.field == CODE_FIELD for one in now.conditions):
        # Others than a model that is named are the list without it.
        return with_form(laid_over(now, free), sheet, free)
    if to is not None and to.how == "ordinal":
        return _of_place(edit)
    return next((ask for rule in _EDITS if (ask := rule(edit)) is not None), None)


def _once_more(sheet: Sheet, last: Ask) -> Ask | None:
    """Return the last ask where a message asks why of it, or after another size of what is not sold; None for others."""
    again = replace(last, words=sheet.text, start=0, end=len(sheet.text))
    if last.answerer.endswith(f"{GOODS}missing") and not category_of(last):
        # What more is wished of it is another message, and changes nothing.
        return replace(again, notes={**last.notes, "wished": sheet.text})
    pieces = next((one for one in last.quantities if one.role == "pieces"), None)
    if pieces is not None and sheet.says(_JUST_ONE):
        kept = tuple(replace(one, value="1", words="1") if one is pieces else one for one in last.quantities)
        return replace(again, quantities=kept)
    # A recommendation says why it is one.
    return replace(again, count=1) if last.answerer.endswith(f"{GOODS}recommend") and sheet.says(_WHY) else None


def _paid_so(now: Ask, last: Ask) -> Ask | None:
    """Return the total of several goods with a coupon or points; None where it was of one, or nothing pays for it."""
    pays = tuple(one for one in now.quantities if one.role.startswith("coupon"))
    if not last.answerer.endswith(f"{GOODS}total") or len(codes_of(last)) <= 1 or not (pays or now.notes.get("pays")):
        return None
    kept = tuple(one for one in last.quantities if not one.role.startswith("coupon"))
    notes = {**last.notes, "pays": now.notes.get("pays", ""), "coupon": now.notes.get("coupon", "")}
    return replace(last, words=now.words, start=0, end=now.end, quantities=(*kept, *pays), notes=notes)


_JUST_ONE: Final = (
    r"^\W*(?:(?:no|actually|sorry|wait|ok|okay|and|make it|then|hmm)\W+)*(?:just|only) (?:the )?(?:one|1)(?: (?:of (?:it|them|those)|then|please|is (?:fine|enough)))*\W*$"
    r"|^\W*(?:(?:아니|아|그냥|역시|그럼)\W+)*(?:한\s?개|하나|1개)만(?:\s?(?:사면|살게|하면|요|으로)\S*)?\W*$"
)
"""Takes several pieces back to one."""
_WHY: Final = r"^\W*(?:근데\s|그런데\s)?왜\s?(?:그|이|저|요|죠|추천|골랐|\W*$)|이유(?:가|는|도|를)?\s?(?:뭐|알려|궁금|있|\W*$)|^\W*(?:but |and )?why\b"
"""Asks why something was recommended."""


def _freed(sheet: Sheet, last: Ask) -> Ask:
    """Return the last ask without the conditions that a message does away with: "색은 상관없고", "any brand"."""
    match = sheet.find(_FREES)
    if match is None:
        return last
    said = next(filter(None, match.groups()))
    fields = {one.field for one in asked_attributes(said, category_of(last))}
    fields |= {field for field, words in _FREED_BY.items() if re.search(words, said, re.IGNORECASE)}
    return replace(last, conditions=tuple(one for one in last.conditions if one.field not in fields))


_FREES: Final = (
    r"([가-힣]{1,8}?)(?:은|는|이|가|이?야)?\s?(?:상관\s?없|상관\s?안|관계\s?없|무관|아무\s?(?:거|것|래|렇))|아무\s?([가-힣]{1,5}?)(?:이?나|이라도)"
    r"|\bany (\w+)\b|(\w+) (?:does(?:n['’]t| not)|do(?:n['’]t| not)) matter|(?:do(?:n['’]t| not) (?:care|mind) about|never mind|forget) (?:the )?(\w+)"
)
"""Words that do away with a condition, with the noun of what it is on."""
_FREED_BY: Final = {
    "price_krw": r"가격|값|금액|예산|price|budget|cost",
    "brand": r"브랜드|메이커|제조사|회사|brand|maker",
    "rating": r"평점|별점|rating",
    f"{ATTRIBUTE}colour": r"색|컬러|colou?r",
}


def of_act(sheet: Sheet, before: Sequence[AskedBefore]) -> Ask | None:
    """Return what is asked of the product that is being bought: its rating, stock or price, before a yes."""
    told = told_last(before[:1], "product")
    if not told or last_goods(before[:1]) is not None or not short(sheet.text, _OF_ACT_WORDS_MAX):
        return None
    last = Ask(form=AskForm.LEVEL, answerer=f"{GOODS}one")
    bought = before[0].asks[-1]
    now = replace(drafted(sheet, category_of(bought), ()), subjects=())
    edit = _Edit(sheet, replace(last, subjects=bought.subjects), before, now, None, told)
    asks = edit.asks_one or (asks_something(sheet) and asked_attributes(sheet.text, category_of(bought)))
    return _about(edit.now, sheet, edit.last, [told[0].value]) if asks and not edit.now.order_by else None


_OF_ACT_WORDS_MAX: Final = 8


def _of_place(edit: _Edit) -> Ask | None:
    """Return what is asked of the one that is pointed to."""
    to = edit.to
    if to is None or not to.told or to.how not in {"ordinal", "one", "other"} or edit.now.order_by:
        return None
    if to.how == "one" and edit.now.conditions and not edit.asks_one:
        return None
    return _about(edit.now, edit.sheet, edit.last, [one.value for one in to.told[:1]])


def _another(edit: _Edit) -> Ask | None:
    """Return the last recommendation without what was told since, where another one is wanted and none is left of it."""
    behind = _list_behind(edit)
    if edit.to is None or edit.to.how != "other" or edit.to.told or not behind.answerer.endswith(f"{GOODS}recommend"):
        return None
    codes = [match["code"] for one in standing(edit.before, "product").singles if (match := CODE.search(one.label))]
    aside = (AskCondition(CODE_FIELD, "ne", code, "", code) for code in codes)
    return with_form(
        laid_over(replace(edit.now, conditions=(*edit.now.conditions, *aside)), behind), edit.sheet, behind
    )


def _beside(edit: _Edit) -> Ask | None:
    """Return the ask for cheaper or dearer goods than were told of."""
    sheet = edit.sheet
    wanted = sheet.says(CHEAPER) or sheet.says(DEARER)
    return _cheaper(edit) if wanted and not compares(sheet) and not edit.is_of_set else None


def _of_first(edit: _Edit) -> Ask | None:
    """Return what is asked of the product that was told of first, where no other is pointed to."""
    sheet, told = edit.sheet, edit.told
    if edit.is_of_set and (sheet.says(TOTAL) or sheet.says(BUYS_ALL)):
        return None
    of_many = sheet.says(IN_STOCK) or sheet.says(r"which (?:of|are|ones)|어느|뭐가|어떤")
    if not edit.asks_one or edit.now.order_by or not told or of_many or (len(told) > 1 and edit.now.conditions):
        return None
    return _about(edit.now, sheet, edit.last, [told[0].value])


def _within(edit: _Edit) -> Ask | None:
    """Return the first of what was told of, or its comparison."""
    now, sheet = edit.now, edit.sheet
    in_all = sheet.says(TOTAL) or sheet.says(BUYS_ALL) or (ordinal(sheet) is not None and sheet.wants(AskForm.COMPARE))
    if edit.is_of_set and edit.told and _asks_feature(edit):
        asked = replace(now, notes={**now.notes, "ids": "|".join(one.value for one in edit.told[:_OF_SET_MAX])})
        return replace(with_form(asked, sheet, None), form=AskForm.VERDICT, answerer=f"{GOODS}one")
    if not edit.is_of_set or not edit.told or now.conditions or not (now.order_by or compares(sheet) or in_all):
        return None
    ids = "|".join(one.value for one in edit.told[:40])
    pointing = replace(now, notes={**now.notes, "ids": ids})
    return with_form(laid_over(pointing, replace(edit.last, conditions=())), sheet, edit.last)


_OF_SET_MAX: Final = 10


def _asks_feature(edit: _Edit) -> bool:
    """Tell whether a message asks of each of what was told whether it has a property: "are both waterproof?"."""
    features = edit.now.conditions and all(one.field.startswith(ATTRIBUTE) for one in edit.now.conditions)
    asks = edit.sheet.wants(AskForm.VERDICT) or edit.sheet.text.rstrip().endswith("?")
    return bool(features) and asks and edit.sheet.says(_EACH)


_EACH: Final = r"둘\s?다|셋\s?다|모두|전부|다\s|\bboth\b|\ball of\b|\beach\b"


def _narrowed(edit: _Edit) -> Ask | None:
    """Return the last ask with what the message adds or replaces."""
    now, sheet = edit.now, edit.sheet
    if sheet.says(r"재고|in stock|available") and not any(one.field == "stock" for one in now.conditions):
        now = replace(now, conditions=(*now.conditions, AskCondition("stock", "gt", "0", "count", "")))
    if now.conditions or now.order_by or picks_one(sheet.text) or sheet.says(r"말고|빼고|다른|만$|만\s?(?:보여|골라)"):
        return with_form(laid_over(now, edit.last), sheet, edit.last)
    return None


def _of_longer_set(sheet: Sheet, before: Sequence[AskedBefore]) -> Pointed | None:
    """Return what a message points to by its place in an earlier set, where the last answer told of one thing only."""
    sets = (before[at:] for at in range(1, len(before)))
    found = (pointed(sheet, one, "product") for one in sets)
    return next((one for one in found if one is not None and one.told), None)


def _about(now: Ask, sheet: Sheet, last: Ask, ids: Sequence[str]) -> Ask:
    """Return what is asked of one product that was told of."""
    kept = {one.role: one for one in (*last.quantities, *now.quantities)}
    quantities = tuple(kept.values()) if now.quantities else ()
    bare = not (now.conditions or now.quantities) and short(sheet.text, 2)
    if bare and last.answerer.endswith(f"{GOODS}one"):
        # "And the fourth?" asks of another product what was asked of the last one.
        features = tuple(one for one in last.conditions if one.field.startswith(ATTRIBUTE))
        now = replace(now, conditions=features)
    category = next((one for one in last.subjects if one.kind == "category"), None)
    wants = "stock" if sheet.says(STOCK) and sheet.says(r"몇\s?개|how many") else ""
    pointed_ask = replace(
        now,
        quantities=quantities,
        subjects=(category,) if category else (),
        notes={**now.notes, "ids": "|".join(ids), "wants": wants, **_unsaid(now, sheet, category_of(last))},
    )
    asked = with_form(pointed_ask, sheet, None)
    is_feature = bare and any(one.field.startswith(ATTRIBUTE) for one in now.conditions)
    return replace(asked, form=AskForm.VERDICT) if is_feature else asked


_OWN_WORDS: Final = rf"{STOCK}|{REVIEWS}|{RATED}|{HOW_MUCH}|{SHIPPING}"
_UNSAID: Final = (
    r"(?:거|것|꺼|건|게|걸|제품|상품|모델|번째|놈)\S?\s+(?P<ko>(?:[가-힣A-Za-z0-9]+\s)?[가-힣A-Za-z0-9]{2,}?)(?:도|이|가|은|는|을|를)?"
    r"\s?(?:되|돼|될|됨|가능|있|하나|할|지원|잘)\S*\W*$"
    r"|\b(?:one|it|that|this)\s+(?:be |have |come with |got )?(?:an? |the )?(?P<en>[a-z][a-z -]{2,30}?)\W*$"
)
"""What is asked of one product that no property of its kind is called by: "does the second one fold?"."""


def _unsaid(now: Ask, sheet: Sheet, category: str) -> dict[str, str]:
    """Return what a yes or no is asked about that no row says, as a note; none where rows say it, or nothing is asked."""
    if (noun := _noun_of_others(category, sheet)) and not (now.conditions or now.quantities or sheet.superlative):
        return {"unsaid": noun}
    asks_what = (
        now.conditions
        or now.quantities
        or sheet.says(_OWN_WORDS)
        or sheet.says(r"어떻|몇|뭐|무슨|어떤|얼마|\bwhat\b|\bhow\b")
    )
    if asks_what or not sheet.wants(AskForm.VERDICT):
        return {}
    match = sheet.find(_UNSAID)
    words = (match["ko"] or match["en"] or "") if match is not None else ""
    return {"unsaid": words} if words else {}


def _noun_of_others(category: str, sheet: Sheet) -> str:
    """Return the noun of a property that other goods have and these have not: the storage of a laptop; empty for none."""
    own = attributes_of(category)
    if not own or any(one.is_named(sheet.text) for one in own):
        return ""
    nouns = (one.noun for name in categories() for one in attributes_of(name) if one.noun)
    match = next((match for noun in dict.fromkeys(nouns) if (match := sheet.find(noun)) is not None), None)
    return match.group() if match is not None else ""


def _cheaper(edit: _Edit) -> Ask:
    prices = [Decimal(one.figures["price_krw"]) for one in edit.told[:3] if one.figures.get("price_krw")]
    dearer = not edit.sheet.says(CHEAPER)
    bound = max(prices) if dearer and prices else min(prices, default=Decimal(0))
    words = "dearer" if dearer else "cheaper"
    condition = AskCondition("price_krw", "gt" if dearer else "lt", f"{bound:f}", "krw", words)
    others = tuple(one for one in edit.now.conditions if one.field != "price_krw")
    now = replace(edit.now, conditions=(*others, condition), order_by="price_krw", descending=False)
    last = _list_behind(edit)
    return replace(with_form(laid_over(now, last), edit.sheet, last), form=AskForm.LIST, answerer=f"{GOODS}list")


def _list_behind(edit: _Edit) -> Ask:
    """Return the last ask; where it was about products that were pointed to, the list that they were pointed to in."""
    if not edit.last.notes.get("ids"):
        return edit.last
    category = category_of(edit.last)
    asks = (ask for message in edit.before for ask in message.asks if ask.domain == edit.last.domain)
    lists = (ask for ask in asks if not ask.notes.get("ids") and category_of(ask) == category)
    return next(lists, replace(edit.last, notes={**edit.last.notes, "ids": ""}))


_EDITS: Final = (_of_place, _another, _beside, _of_first, _within, _narrowed)
