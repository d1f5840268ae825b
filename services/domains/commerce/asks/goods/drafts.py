"""An ask about goods as one message says it, completed by the last one where it leans on it, with form and answerer."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import Ask, AskCondition, AskForm, AskQuantity
from services.domains.commerce.asks.goods.conditions import (
    figure_conditions,
    quantities_in,
    unknown_conditions,
)
from services.domains.commerce.asks.goods.counts import pieces_in, pieces_of_models, told_in
from services.domains.commerce.asks.goods.features import (
    ATTRIBUTE,
    CODE_FIELD,
    attributes_of,
    categories,
)
from services.domains.commerce.asks.goods.orders import orders_in
from services.domains.commerce.asks.goods.qualities import UNKNOWN, names_before, unread_clause, unread_names
from services.domains.commerce.asks.goods.subjects import GOODS, category_of, codes_of, ids_of
from services.domains.commerce.asks.goods.wanted import conditions_in
from services.domains.commerce.asks.goods.words import (
    ADDED,
    BUYS_ALL,
    CODE,
    DENIED,
    DENIED_EN,
    DIFFERENCE,
    FIRST,
    HAS_FEATURE,
    HOW_MUCH,
    MY_REWARDS,
    PICKS,
    PLACED,
    REVIEWS,
    SELLS,
    SHIPPING,
    SORTED,
    STOCK,
    TOP,
    TOTAL,
)
from services.plugin.asks.edits import carried
from services.plugin.asks.sheet import Sheet
from services.plugin.entities import Entity


def codes_in(sheet: Sheet) -> tuple[str, ...]:
    """Return the model codes that a question names and does not put aside, at most four."""
    named = (match["code"].upper() for match in CODE.finditer(sheet.text) if not is_denied(sheet.text, *match.span()))
    return tuple(dict.fromkeys(named))[:4]


def _codes_aside(sheet: Sheet) -> Iterator[AskCondition]:
    """Yield the models that a question puts aside, as conditions: "L40 말고 다른 거"."""
    for match in CODE.finditer(sheet.text):
        if is_denied(sheet.text, *match.span()):
            yield AskCondition(CODE_FIELD, "ne", match["code"].upper(), "", match["code"])


def is_denied(text: str, start: int, end: int) -> bool:
    """Tell whether the words around a place put aside what stands there: "without the mouse", "마우스 빼고"."""
    return bool(re.match(DENIED, text[end:]) or re.search(DENIED_EN, text[:start], re.IGNORECASE))


def drafted(sheet: Sheet, category: str, codes: Sequence[str]) -> Ask:
    """Return the ask about a category or models as a message alone says it; form and answerer are left open."""
    subjects = tuple(one for one in sheet.of_kind("category") if one.value == category)[:1]
    if category and not subjects:
        subjects = (Entity("category", category, category, ""),)
    subjects += tuple(Entity("product_code", code, code, code) for code in codes)
    pieces = pieces_in(sheet)
    orders = orders_in(sheet, category)
    order_by, descending = orders[-1] if orders else ("", False)
    properties = _properties(sheet, category, codes)
    several = pieces_of_models(sheet) if len(codes) > 1 else {}
    return Ask(
        words=sheet.text,
        end=len(sheet.text),
        intent="search_product",
        form=None,
        subjects=subjects,
        conditions=(
            *figure_conditions(sheet, pieces),
            *properties,
            *unread_clause(sheet, category, properties),
            *(() if codes else unread_names(sheet, category, properties)),
            *(one for one in unknown_conditions(sheet, category) if one.field != order_by),
            *(() if codes else _codes_aside(sheet)),
            *(AskCondition(field, "most" if most else "least", "") for field, most in orders[:-1]),
        ),
        order_by=order_by,
        descending=descending,
        count=told_in(sheet),
        quantities=(
            *quantities_in(sheet, pieces),
            *(AskQuantity(f"pieces.{code}", str(number), "count") for code, number in several.items()),
        ),
        notes={
            "said": sheet.text,
            "today": sheet.today.isoformat(),
            "pays": _pays(sheet),
            "coupon": _coupon(sheet),
            "names": " ".join(names_before(sheet, category, properties)),
            **_one_kind(sheet, category),
        },
    )


def _one_kind(sheet: Sheet, category: str) -> dict[str, str]:
    """Return what a message names as kinds of their own that are one here: the 헤드폰 of "이어폰이랑 헤드폰"."""
    said = [one for one in sheet.of_kind("category") if one.value == category and one.end]
    others = dict.fromkeys(one.words for one in said if one.words != one.label)
    return {"one_kind": ", ".join(others)} if others and len({one.words for one in said}) > 1 else {}


def _properties(sheet: Sheet, category: str, codes: Sequence[str]) -> tuple[AskCondition, ...]:
    """Return the properties that are wanted: of models whose kind is not said, those of any kind."""
    if category or not codes:
        return conditions_in(sheet, category) if category else ()
    of_any = (one for kind in categories() for one in conditions_in(sheet, kind) if not one.field.endswith(".line"))
    return tuple({(one.field, one.operator, one.value): one for one in of_any}.values())


def _pays(sheet: Sheet) -> str:
    """Return what of the person's own pays beside money: coupon, points, both or nothing."""
    own = sheet.says(MY_REWARDS)
    parts = (("coupon", r"쿠폰|할인권|coupon|voucher"), ("points", r"포인트|적립금|point"))
    return " ".join(name for name, words in parts if own and sheet.says(words))


def _coupon(sheet: Sheet) -> str:
    """Return whether somebody who has coupons speaks of one."""
    return "said" if sheet.user_type and sheet.says(_OF_COUPONS) else ""


_OF_COUPONS: Final = r"쿠폰|할인권|할인\s?(?:을\s?)?(?:쓰|써|적용|먹|받)|coupon|voucher|discount (?:code|applied)|(?:with|using|apply|after) (?:the |my )?\w+ discount"


def laid_over(now: Ask, last: Ask) -> Ask:
    """Return an ask completed by the last one: figures are carried, properties where the category has them."""
    category = category_of(now) or category_of(last)
    known = {f"{ATTRIBUTE}{one.name}" for one in attributes_of(category)}
    kept = tuple(
        one
        for one in last.conditions
        if not one.field.startswith((ATTRIBUTE, UNKNOWN))
        or (one.field in known and category == category_of(last))
        or one.field == f"{ATTRIBUTE}colour"
    )
    # Models and products that were pointed to are named anew, or stand as they did.
    whole = carried(now, replace(last, conditions=kept, form=None, answerer="", order_by="", quantities=()))
    said = "\n".join(filter(None, (now.notes.get("said", ""), last.notes.get("said", ""))))
    return replace(
        whole,
        order_by=now.order_by or last.order_by,
        descending=now.descending if now.order_by else last.descending,
        notes={**whole.notes, "said": said},
    )


def with_form(ask: Ask, sheet: Sheet, last: Ask | None) -> Ask:
    """Return an ask with its form and what answers it."""
    form, name = _form(ask, sheet, last)
    return replace(ask, form=form, answerer=f"{GOODS}{name}", intent=_INTENTS.get(name, "search_product"))


_INTENTS: Final = {"recommend": "get_recommendation", "compare": "compare_price"}


def _form(ask: Ask, sheet: Sheet, last: Ask | None) -> tuple[AskForm, str]:
    models = codes_of(ask) or ids_of(ask)
    counted = any(one.field == "review_count" for one in ask.conditions)
    two = len(models) > 1 and (sheet.wants(AskForm.COMPARE) or sheet.says(DIFFERENCE))
    if sheet.says(REVIEWS) and not ask.order_by and not counted and not two:
        return AskForm.LIST, "reviews"
    return _form_of_models(ask, sheet) if models else _form_of_class(ask, sheet, last)


def _form_of_models(ask: Ask, sheet: Sheet) -> tuple[AskForm, str]:
    count = len(codes_of(ask) or ids_of(ask))
    bought = {one.role for one in ask.quantities} & {"coupon_krw", "coupon_percent", "pieces", "money"}
    in_all = (
        sheet.says(TOTAL)
        or sheet.says(BUYS_ALL)
        or sheet.says(rf"씩\s|씩$|\beach\b|{ADDED}")
        or (sheet.says(SHIPPING) and sheet.says(HOW_MUCH))
    )
    if count > 1 and in_all and not sheet.says(DIFFERENCE):
        return AskForm.AMOUNT, "total"
    if count > 1:
        is_rank = ids_of(ask) and ask.order_by and count > 2
        return (AskForm.RANK, "rank") if is_rank else (AskForm.COMPARE, "compare")
    if bought or ask.notes.get("coupon") or sheet.says(SHIPPING) or sheet.says(MY_REWARDS):
        return AskForm.AMOUNT, "total"
    return _one_form(ask, sheet), "one"


def _form_of_class(ask: Ask, sheet: Sheet, last: Ask | None) -> tuple[AskForm, str]:
    suits = sheet.wants(AskForm.RECOMMEND) and not sheet.says(r"\bfind\b|찾아|목록|list")
    picks = not ask.order_by and sheet.says(PICKS)
    if suits or picks or any(one.role == "budget" for one in ask.quantities):
        return AskForm.RECOMMEND, "recommend"
    first = (
        sheet.superlative
        or ask.order_by.startswith(UNKNOWN)
        or sheet.says(rf"더\s|higher|better|cheapest|최저가|{TOP}|{PLACED}")
    )
    if ask.order_by and first and (not sheet.says(SORTED) or sheet.says(FIRST)):
        return AskForm.RANK, "rank"
    if last is not None and last.answerer.endswith(("recommend", "which")) and not sheet.wants(AskForm.LIST):
        return AskForm.RECOMMEND, "recommend"
    return AskForm.LIST, "list"


def _one_form(ask: Ask, sheet: Sheet) -> AskForm:
    if any(one.field.startswith(ATTRIBUTE) for one in ask.conditions) and (ids_of(ask) or _asks_feature(sheet)):
        return AskForm.VERDICT
    if sheet.says(r"몇\s?개|how many"):
        return AskForm.LEVEL
    return AskForm.VERDICT if sheet.says(STOCK) and not sheet.says(HOW_MUCH) else AskForm.LEVEL


def _asks_feature(sheet: Sheet) -> bool:
    """Tell whether a question asks of a named model if it has what it says, and does not name the model by it."""
    return sheet.says(HAS_FEATURE) and not (sheet.says(HOW_MUCH) or sheet.says(STOCK) or sheet.says(SELLS))
