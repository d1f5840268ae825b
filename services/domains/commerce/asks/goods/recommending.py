"""What suits: at most three that can be bought, each with why it fits."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import Ask, Ground, Said
from services.domains.commerce.asks.goods.features import features_said, is_use, label_of, rating_said
from services.domains.commerce.asks.goods.lists import nothing_fits
from services.domains.commerce.asks.goods.outcomes import evidence_ids_of, proofs_of, told_in_rows
from services.domains.commerce.asks.goods.rows import Choice, chosen, goods_calls
from services.domains.commerce.asks.goods.saying import (
    category_said,
    full_name,
    limits_said,
    named_with,
    price_of,
    stock_of,
    stock_said,
    unapplied_said,
)
from services.domains.commerce.asks.goods.scores import Wishes, best_of, scored
from services.domains.commerce.asks.goods.subjects import category_of
from services.domains.commerce.asks.rows_own import OWN_TOOL
from services.domains.commerce.rules import RULES
from services.plugin.asks.answering import Call, Found, Outcome, answered, asking_back
from services.plugin.asks.roles import of_role
from services.plugin.asks.telling import QueryRow, exact_won, filled, listed, query, rows_of, sentences

_PRICE_MAY_MOVE: Final = Said(
    "값과 재고는 조회한 때의 것이라 주문할 때 다를 수 있습니다.",
    "Prices and stock are those of the moment of reading and may differ when you order.",
)
_FITS_LITTLE: Final = Said(
    "맞는 정도가 낮은 상품뿐이라 조건을 바꾸면 더 나은 것이 있을 수 있습니다.",
    "None fits very well; with other conditions there may be better ones.",
)


def recommend_calls(ask: Ask) -> Sequence[Call]:
    """Return the queries for the goods, and for what the person bought before."""
    bought = query("own_orders", ("order_id", "name_ko"), mode="rows", tool=OWN_TOOL, order_by="ordered_at", limit=100)
    return [*goods_calls(ask), bought]


def recommend(ask: Ask, found: Found) -> Outcome:
    """Return at most three that fit and can be bought, or as many as are asked for, each with why."""
    choice, unmet = _chosen_for_use(ask, found)
    pieces, budget = of_role(ask.quantities, "pieces"), of_role(ask.quantities, "budget")
    number = int(pieces.value) if pieces is not None else 1
    fitting = [row for row in choice.in_stock if stock_of(row) >= number]
    if not fitting:
        return _sold_out(ask, choice) if choice.rows else nothing_fits(ask, choice, found)
    shown, fits = _best(fitting, ask, choice, found)
    head = sentences(unmet, _head(shown[0], choice, number if budget is not None or number > 1 else 0))
    rest = listed([named_with(row, "price_krw") for row in shown[1:3]])
    then = filled("다음으로 {rest}도 맞습니다.", "{rest} would fit as well.", rest=rest) if len(shown) > 1 else None
    ids = evidence_ids_of(proofs_of(found))[:1]
    return told_in_rows(
        ask,
        choice,
        found,
        sentences(head, then, unapplied_said(choice, ask)),
        shown,
        grounds=tuple(Ground(_reasoned(row, choice, number), ids) for row in shown),
        cautions=(_PRICE_MAY_MOVE,) if fits else (_FITS_LITTLE, _PRICE_MAY_MOVE),
    )


def _chosen_for_use(ask: Ask, found: Found) -> tuple[Choice, Said | None]:
    """Return the goods that meet an ask; where none is made for the use that it says, the others, and that it is so."""
    choice = chosen(ask, found)
    uses = [one for one in ask.conditions if is_use(one)]
    if choice.in_stock or not uses:
        return choice, None
    wider = chosen(replace(ask, conditions=tuple(one for one in ask.conditions if one not in uses)), found)
    if not wider.in_stock:
        return choice, None
    label = listed([label_of(one, category_of(ask)) for one in uses])
    return wider, filled(
        "{use} 계열에는 나머지 조건에 맞는 것이 없어 다른 계열에서 골랐습니다.",
        "None of the {use} line meets the rest, so these are of other lines.",
        use=label,
    )


def _best(fitting: Sequence[QueryRow], ask: Ask, choice: Choice, found: Found) -> tuple[list[QueryRow], bool]:
    """Return those to recommend, and whether they reach the floor; an order that is asked for stands above scores."""
    count = min(ask.count or RULES.recommend.count, RULES.recommend.count_max)
    if ask.order_by:
        return list(fitting)[:count], True
    named = choice.brands is not None and not choice.brands.ko.endswith("아닌 것")
    bought = [row.text("name_ko") for row in rows_of(found.readings, "own_orders")] or None
    found_best = scored(fitting, Wishes([one for one in choice.conditions if one.applied], named, bought))
    good = [one for one in found_best if one[0] >= RULES.recommend.floor]
    return best_of(good or found_best, count, of_one_brand=named), bool(good)


def _sold_out(ask: Ask, choice: Choice) -> Outcome:
    sentence = filled(
        "조건({limits})에 맞는 {what:은/는} {total}개 있지만 지금 살 수 있는 만큼 재고가 있는 것은 없습니다.",
        "{total} {what} meet the conditions ({limits}), but none has enough in stock now.",
        limits=limits_said(choice, ask),
        what=category_said(ask),
        total=str(len(choice.rows)),
    )
    return Outcome(answered(ask, sentence, conditions=choice.conditions))


def _head(first: QueryRow, choice: Choice, number: int) -> Said:
    whole = exact_won(price_of(first) * number)
    total = Said(f", {number}개 합계 {whole.ko}", f", {number} pieces {whole.en} in total")
    return filled(
        "{name:을/를} 추천합니다: {price}{total}, {why}.",
        "I suggest the {name}: {price}{total}; {why}.",
        name=full_name(first),
        price=exact_won(price_of(first)),
        total=total if number else Said("", ""),
        why=_why(first, choice),
    )


def _why(row: QueryRow, choice: Choice) -> Said:
    features = list(features_said(row, choice.conditions))
    discount = int(row.number("discount_percent") or 0)
    count = f"{int(row.number('review_count') or 0):,}"
    parts = [
        Said(f"평점 {rating_said(row)}(리뷰 {count}건)", f"rated {rating_said(row)} ({count} reviews)"),
        stock_said(row),
    ]
    parts += [Said(f"{discount}% 할인", f"{discount}% off")] if discount else []
    if features:
        fit = listed(features)
        parts.insert(0, Said(f"{fit.ko} 조건에 맞고", f"it is {fit.en}"))
    text = listed(parts)
    return Said(text.ko.replace("맞고, ", "맞고 "), text.en)


def _reasoned(row: QueryRow, choice: Choice, number: int) -> Said:
    name, price, why = full_name(row), exact_won(price_of(row)), _why(row, choice)
    whole = exact_won(price_of(row) * number)
    total = Said(f"({number}개 {whole.ko})", f" ({number}: {whole.en})") if number > 1 else Said("", "")
    return Said(f"{name.ko}: {price.ko}{total.ko}, {why.ko}", f"{name.en}: {price.en}{total.en}; {why.en}")


def ask_which(ask: Ask, found: Found) -> Outcome:
    """Return what has to be known before anything can be recommended."""
    del found
    kind, use, budget = (Said("상품 종류", "the kind of product"), Said("쓰임", "its use"), Said("예산", "the budget"))
    if any(one.field == "price_krw" for one in ask.conditions):
        sentence = Said(
            "어떤 종류의 상품을 찾으시나요? 이어폰, 스마트워치, 스피커, 커피머신, 백팩처럼 말해 주시면 그 예산에 맞는 것을 골라 드립니다.",
            "What kind of product do you have in mind: earphones, a smartwatch, a speaker, a coffee machine, a backpack? Then I can suggest what fits that budget.",
        )
        return Outcome(asking_back(ask, sentence, kind))
    sentence = Said(
        "어떤 종류의 상품을, 누가 어디에 쓸 것이며, 예산은 얼마인가요? 알려 주시면 맞는 것을 골라 드립니다.",
        "What kind of product do you have in mind, for whom or for what use, and at what budget? Then I can suggest what fits.",
    )
    return Outcome(asking_back(ask, sentence, kind, use, budget))
