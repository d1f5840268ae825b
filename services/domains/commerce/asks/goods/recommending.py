"""What suits: at most three that can be bought, each with why it fits."""

from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, Ground, Said
from services.domains.commerce.asks.goods.features import features_said, rating_said
from services.domains.commerce.asks.goods.lists import nothing_fits
from services.domains.commerce.asks.goods.outcomes import evidence_ids_of, proofs_of, told_in_rows
from services.domains.commerce.asks.goods.rows import Choice, chosen
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
from services.plugin.asks.answering import Found, Outcome, answered, asking_back
from services.plugin.asks.roles import of_role
from services.plugin.asks.telling import QueryRow, exact_won, filled, listed, sentences

_PRIOR_REVIEWS: Final = Decimal(20)


_PRIOR_RATING: Final = Decimal(4)


_PRICE_MAY_MOVE: Final = Said(
    "값과 재고는 조회한 때의 것이라 주문할 때 다를 수 있습니다.",
    "Prices and stock are those of the moment of reading and may differ when you order.",
)


def _score(row: QueryRow) -> Decimal:
    """Return a rating that few reviews do not carry far, a little higher where the price is reduced."""
    count, rating = row.number("review_count") or Decimal(0), row.number("rating") or Decimal(0)
    steady = (rating * count + _PRIOR_RATING * _PRIOR_REVIEWS) / (count + _PRIOR_REVIEWS)
    return steady + (row.number("discount_percent") or Decimal(0)) / 200


def recommend(ask: Ask, found: Found) -> Outcome:
    """Return at most three that fit and can be bought, each with why."""
    choice = chosen(ask, found)
    pieces = of_role(ask.quantities, "pieces")
    number = int(pieces.value) if pieces is not None else 1
    budget = of_role(ask.quantities, "budget")
    fitting = [row for row in choice.in_stock if stock_of(row) >= (number if budget else 1)]
    if not fitting:
        if choice.rows:
            sentence = filled(
                "조건({limits})에 맞는 {what:은/는} {total}개 있지만 지금 모두 품절입니다.",
                "{total} {what} meet the conditions ({limits}), but all are sold out now.",
                limits=limits_said(choice, ask),
                what=category_said(ask),
                total=str(len(choice.rows)),
            )
            return Outcome(answered(ask, sentence, conditions=choice.conditions))
        return nothing_fits(ask, choice, found)
    by_figure = bool(ask.order_by)
    rows = fitting if by_figure else sorted(fitting, key=_score, reverse=True)
    shown = rows[:3]
    first = shown[0]
    why = _why(first, choice, ask)
    total = Said("", "")
    if budget is not None:
        whole = exact_won(price_of(first) * number)
        total = Said(f", {number}개 합계 {whole.ko}", f", {number} pieces {whole.en} in total")
    head = filled(
        "{name:을/를} 추천합니다: {price}{total}, {why}.",
        "I suggest the {name}: {price}{total}; {why}.",
        name=full_name(first),
        price=exact_won(price_of(first)),
        total=total,
        why=why,
    )
    rest = listed([named_with(row, "price_krw") for row in shown[1:]])
    then = filled("다음으로 {rest}도 맞습니다.", "{rest} would fit as well.", rest=rest) if len(shown) > 1 else None
    grounds = tuple(
        Ground(_reasoned(row, choice, ask, number if budget else 1), evidence_ids_of(proofs_of(found))[:1])
        for row in shown
    )
    return told_in_rows(
        ask,
        choice,
        found,
        sentences(head, then, unapplied_said(choice, ask)),
        shown,
        grounds=grounds,
        cautions=(_PRICE_MAY_MOVE,),
    )


def _why(row: QueryRow, choice: Choice, ask: Ask) -> Said:
    features = list(features_said(row, choice.conditions))
    discount = int(row.number("discount_percent") or 0)
    count = f"{int(row.number('review_count') or 0):,}"
    parts = [
        Said(f"평점 {rating_said(row)}(리뷰 {count}개)", f"rated {rating_said(row)} ({count} reviews)"),
        stock_said(row),
    ]
    parts += [Said(f"{discount}% 할인", f"{discount}% off")] if discount else []
    if features:
        fit = listed(features)
        parts.insert(0, Said(f"{fit.ko} 조건에 맞고", f"it is {fit.en}"))
    del ask
    text = listed(parts)
    return Said(text.ko.replace("맞고, ", "맞고 "), text.en)


def _reasoned(row: QueryRow, choice: Choice, ask: Ask, number: int) -> Said:
    name, price, why = full_name(row), exact_won(price_of(row)), _why(row, choice, ask)
    whole = exact_won(price_of(row) * number)
    total = Said(f"({number}개 {whole.ko})", f" ({number}: {whole.en})") if number > 1 else Said("", "")
    return Said(f"{name.ko}: {price.ko}{total.ko}, {why.ko}", f"{name.en}: {price.en}{total.en}; {why.en}")


def ask_which(ask: Ask, found: Found) -> Outcome:
    del found
    sentence = Said(
        "어떤 종류의 상품을, 누가 어디에 쓸 것이며, 예산은 얼마인가요? 알려 주시면 맞는 것을 골라 드립니다.",
        "What kind of product do you have in mind, for whom or for what use, and at what budget? Then I can suggest what fits.",
    )
    missing = (Said("상품 종류", "the kind of product"), Said("쓰임", "its use"), Said("예산", "the budget"))
    return Outcome(asking_back(ask, sentence, *missing))
