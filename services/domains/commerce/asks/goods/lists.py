"""Goods that meet conditions, and the first of a class."""

from decimal import Decimal

from services.contract.asks import Ask, Said
from services.domains.commerce.asks.goods.features import meets, rating_said
from services.domains.commerce.asks.goods.outcomes import evidence_ids_of, proofs_of, told_in_rows
from services.domains.commerce.asks.goods.rows import Choice, chosen
from services.domains.commerce.asks.goods.saying import (
    category_said,
    figure_said,
    full_name,
    limits_said,
    named_with,
    price_of,
    priced_name,
    sold_out_said,
    stock_said,
    unapplied_said,
)
from services.plugin.asks.answering import Found, Outcome, answered
from services.plugin.asks.telling import exact_won, filled, listed, sentences


def list_goods(ask: Ask, found: Found) -> Outcome:
    """Return the goods that meet every condition, and how many there are."""
    choice = chosen(ask, found)
    if not choice.rows:
        return nothing_fits(ask, choice, found)
    what, limits = category_said(ask, choice.all), limits_said(choice, ask)
    rows, total, sold_out = choice.rows, len(choice.rows), len(choice.rows) - len(choice.in_stock)
    first = listed([priced_name(row) for row in rows[:3]])
    if limits.ko:
        head = filled(
            "조건({limits})에 맞는 {what:은/는} {total}개입니다{out}: {first}.",
            "{total} {what} meet the conditions ({limits}){out}: {first}.",
            limits=limits,
            what=what,
            total=str(total),
            out=sold_out_said(sold_out),
            first=first,
        )
    else:
        head = filled(
            "{what:은/는} 모두 {total}개 있습니다{out}: {first}.",
            "There are {total} {what}{out}: {first}.",
            what=what,
            total=str(total),
            out=sold_out_said(sold_out),
            first=first,
        )
    return told_in_rows(ask, choice, found, sentences(head, unapplied_said(choice, ask)), rows)


def nothing_fits(ask: Ask, choice: Choice, found: Found) -> Outcome:
    """Return that nothing meets the conditions, with what the price would have to be."""
    limits, what = limits_said(choice, ask), category_said(ask, choice.all)
    cheaper = next((one for one in ask.conditions if one.words == "cheaper"), None)
    if cheaper is not None:
        sentence = filled(
            "{price}보다 더 싼 것은 조건에 맞는 {what} 가운데 없습니다.",
            "No {what} that meet the conditions cost less than {price}.",
            price=exact_won(Decimal(cheaper.value)),
            what=what,
        )
        return Outcome(answered(ask, sentence, conditions=choice.conditions))
    head = filled(
        "조건({limits})에 맞는 {what:은/는} 없습니다.",
        "There are no {what} that meet the conditions ({limits}).",
        limits=limits,
        what=what,
    )
    others = [one for one in choice.conditions if one.applied and one.field != "price_krw"]
    priced = [row for row in choice.all if all(meets(row, one) for one in others)]
    more = None
    if priced and len(others) < sum(one.applied for one in choice.conditions):
        least = min(map(price_of, priced))
        more = filled(
            "값 조건을 빼면 {least}부터 있습니다.",
            "Without the limit on the price they begin at {least}.",
            least=exact_won(least),
        )
    pieces = proofs_of(found)
    step = Said("값이나 조건 하나를 넓혀서 다시 물어보세요.", "Ask again with a wider price or one condition less.")
    return Outcome(
        answered(
            ask,
            sentences(head, more, unapplied_said(choice, ask)),
            conditions=choice.conditions,
            evidence_ids=evidence_ids_of(pieces),
            next_steps=(step,),
        ),
        evidence=pieces,
    )


def rank_goods(ask: Ask, found: Found) -> Outcome:
    """Return the first of those that meet the conditions by a figure, and the next."""
    choice = chosen(ask, found)
    by = ask.order_by or "price_krw"
    rows = choice.in_stock or choice.rows if by == "price_krw" else choice.rows
    if not rows:
        return nothing_fits(ask, choice, found)
    best = [row for row in rows if row.number(by) == rows[0].number(by)]
    first, limits = best[0], limits_said(choice, ask)
    what = category_said(ask, choice.all)
    rest = [row for row in rows if row not in best][:2]
    ways = {
        ("price_krw", False): Said("가장 싼", "cheapest"),
        ("price_krw", True): Said("가장 비싼", "dearest"),
        ("rating", True): Said("평점이 가장 높은", "best rated"),
        ("rating", False): Said("평점이 가장 낮은", "worst rated"),
        ("review_count", True): Said("리뷰가 가장 많은", "most reviewed"),
        ("discount_percent", True): Said("할인율이 가장 높은", "most discounted"),
        ("stock", True): Said("재고가 가장 많은", "best stocked"),
        ("stock", False): Said("재고가 가장 적은", "least stocked"),
    }
    scope = Said(f"{limits.ko} 조건의 " if limits.ko else "", f" ({limits.en})" if limits.en else "")
    figure = figure_said(first, by)
    extra = (
        exact_won(price_of(first))
        if by != "price_krw"
        else Said(f"평점 {rating_said(first)}", f"rated {rating_said(first)}")
    )
    head = filled(
        "{scope}{what} 가운데 {way} 것은 {name}입니다: {figure}, {extra}, {stock}.",
        "The {way} of the {what}{scope} is the {name}: {figure}, {extra}, {stock}.",
        scope=scope,
        what=what,
        way=ways.get((by, ask.descending), ways["price_krw", False]),
        name=full_name(first),
        figure=figure,
        extra=extra,
        stock=stock_said(first),
    )
    equal = None
    if len(best) > 1:
        equal = filled(
            "{names}도 같습니다.", "So is {names}.", names=listed([named_with(row, "price_krw") for row in best[1:3]])
        )
    then = (
        filled("다음은 {rest}입니다.", "Next: {rest}.", rest=listed([named_with(row, by) for row in rest]))
        if rest
        else None
    )
    return told_in_rows(ask, choice, found, sentences(head, equal, then, unapplied_said(choice, ask)), rows)
