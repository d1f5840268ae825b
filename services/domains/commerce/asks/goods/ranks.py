"""The first of a class by a figure or a property, and the next."""

from collections.abc import Mapping, Sequence
from typing import Final

from services.contract.asks import Ask, Said
from services.domains.commerce.asks.goods.features import ATTRIBUTE, attributes_of, number_of, rating_said
from services.domains.commerce.asks.goods.lists import nothing_fits
from services.domains.commerce.asks.goods.outcomes import told_in_rows
from services.domains.commerce.asks.goods.qualities import qualities
from services.domains.commerce.asks.goods.rows import Choice, chosen, stock_left
from services.domains.commerce.asks.goods.saying import (
    category_said,
    figure_said,
    full_name,
    limits_said,
    named_with,
    price_of,
    stock_said,
    unapplied_said,
)
from services.domains.commerce.asks.goods.subjects import category_of
from services.plugin.asks.answering import Found, Outcome, declined
from services.plugin.asks.telling import QueryRow, exact_won, filled, first_at, listed, placed, sentences

_WAYS: Final[Mapping[tuple[str, bool], Said]] = {
    ("price_krw", False): Said("가장 싼", "cheapest"),
    ("price_krw", True): Said("가장 비싼", "dearest"),
    ("rating", True): Said("평점이 가장 높은", "best rated"),
    ("rating", False): Said("평점이 가장 낮은", "worst rated"),
    ("review_count", True): Said("리뷰가 가장 많은", "most reviewed"),
    ("review_count", False): Said("리뷰가 가장 적은", "least reviewed"),
    ("discount_percent", True): Said("할인율이 가장 높은", "most discounted"),
    ("stock", True): Said("재고가 가장 많은", "best stocked"),
    ("stock", False): Said("재고가 가장 적은", "least stocked"),
}
_TOLD_MAX: Final = 5
_TIED_MIN: Final = 2
"""Of more than so many that are equally first those alone are listed."""


def rank_goods(ask: Ask, found: Found) -> Outcome:
    """Return the first of those that meet the conditions by a figure, and the next; what no row says ranks nothing."""
    choice = chosen(ask, found)
    by = ask.order_by or "price_krw"
    if by.startswith("unknown."):
        return _not_ranked(by, ask)
    if not choice.rows:
        return nothing_fits(ask, choice, found)
    # Of stock itself what is sold out stands in the ranking; of all else only what can be had is offered.
    rows = choice.rows if by == "stock" else choice.in_stock or choice.rows[:1]
    best = [row for row in rows if number_of(row, by) == number_of(rows[0], by)]
    rest = [row for row in rows if row not in best]
    place, at_place = placed(ask, [named_with(row, by) for row in rows])
    told = sentences(
        at_place,
        _first_said(best[0], by, ask, choice),
        _equal_said(best[1:3]),
        _gone_said(best[0], by, choice),
        None if ask.count == 1 else _next_said(rest[: min(max(ask.count, 3), _TOLD_MAX) - 1], by),
        unapplied_said(choice, ask),
    )
    shown = best if len(best) > _TIED_MIN and not place else rows
    return told_in_rows(ask, choice, found, told, first_at(place, shown)[: ask.count or None])


def _gone_said(best: QueryRow, by: str, choice: Choice) -> Said | None:
    """Return what stands before the first that can be had and is sold out, or that all of them are."""
    first = choice.rows[0]
    if by == "stock" or stock_left(first):
        return None
    if not choice.in_stock:
        n = str(len(choice.rows))
        return filled(
            "조건에 맞는 {n}개가 모두 품절이라 지금 살 수 있는 것은 없습니다."
            if len(choice.rows) > 1
            else "지금은 살 수 없습니다.",
            "All {n} that fit are sold out, so none can be had now."
            if len(choice.rows) > 1
            else "It cannot be had now.",
            n=n,
        )
    if by == "price_krw" or by.startswith(ATTRIBUTE) or number_of(first, by) == number_of(best, by):
        return None
    return filled(
        "품절된 것까지 치면 {name:이/가} 앞섭니다.",
        "Sold out, the {name} would come before it.",
        name=named_with(first, by),
    )


def _not_ranked(by: str, ask: Ask) -> Outcome:
    """Return that the data does not hold what goods are to be ranked by, and by what they can be."""
    own = [one.label for one in attributes_of(category_of(ask)) if one.most]
    figures = [
        Said("값", "price"),
        Said("평점", "rating"),
        Said("리뷰 수", "reviews"),
        Said("할인율", "discount"),
        *own,
    ]
    sentence = filled(
        "상품 자료에 {what:이/가} 없어 순서를 가릴 수 없습니다. {figures:으로/로}는 가릴 수 있습니다.",
        "The data says nothing of {what}, so the {goods} cannot be ranked by it. They can be by {figures}.",
        what=qualities()[by.partition(".")[2]].label,
        goods=category_said(ask),
        figures=listed(figures),
    )
    return Outcome(declined(ask, sentence))


def _first_said(first: QueryRow, by: str, ask: Ask, choice: Choice) -> Said:
    limits = limits_said(choice, ask)
    rating = rating_said(first)
    extra = exact_won(price_of(first)) if by != "price_krw" else Said(f"평점 {rating}", f"rated {rating}")
    return filled(
        "{scope}{what} 가운데 {way} 것은 {name}입니다: {figure}, {extra}, {stock}.",
        "Of the {what}{scope}, the {way} is the {name}: {figure}, {extra}, {stock}.",
        scope=Said(f"{limits.ko} 조건의 " if limits.ko else "", f" ({limits.en})" if limits.en else ""),
        what=category_said(ask, choice.all),
        way=_way(by, first, most=ask.descending),
        name=full_name(first),
        figure=figure_said(first, by),
        extra=extra,
        stock=stock_said(first),
    )


def _way(by: str, row: QueryRow, *, most: bool) -> Said:
    if not by.startswith(ATTRIBUTE):
        return _WAYS.get((by, most), _WAYS["price_krw", False])
    label = next(one.label for one in attributes_of(row.text("category")) if one.field == by)
    return filled(
        "{label:이/가} 가장 큰" if most else "{label:이/가} 가장 작은",
        "largest by {label}" if most else "smallest by {label}",
        label=label,
    )


def _equal_said(equal: Sequence[QueryRow]) -> Said | None:
    if not equal:
        return None
    names = listed([named_with(row, "price_krw") for row in equal])
    return filled("{names}도 같습니다.", "So is {names}." if len(equal) == 1 else "So are {names}.", names=names)


def _next_said(rest: Sequence[QueryRow], by: str) -> Said | None:
    if not rest:
        return None
    return filled("다음은 {rest}입니다.", "Next: {rest}.", rest=listed([named_with(row, by) for row in rest]))
