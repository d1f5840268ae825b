"""Two models or more beside each other."""

from collections.abc import Sequence

from services.contract.asks import Ask, Said
from services.domains.commerce.asks.goods.features import rating_said
from services.domains.commerce.asks.goods.outcomes import told_in_rows
from services.domains.commerce.asks.goods.rows import chosen, named_models
from services.domains.commerce.asks.goods.saying import named_with, price_of, short_name
from services.domains.commerce.asks.goods.subjects import codes_of
from services.plugin.asks.answering import Found, Outcome, declined
from services.plugin.asks.telling import QueryRow, exact_won, filled, listed, sentences


def compare(ask: Ask, found: Found) -> Outcome:
    """Return which of two models costs less, or is rated higher, and by how much."""
    choice = chosen(ask, found)
    rows = named_models(ask, choice)[:4]
    missing = [code for code in codes_of(ask) if not any(f" {code} " in f" {row.text('name_ko')} " for row in rows)]
    if len(rows) < 2 or missing:
        name = Said(", ".join(missing), ", ".join(missing))
        lacking = filled(
            "{name:은/는} 여기서 파는 상품에 없어 비교할 수 없습니다.",
            "{name} is not among the goods sold here, so there is nothing to compare.",
            name=name,
        )
        head = listed([named_with(row, "price_krw") for row in rows])
        return Outcome(declined(ask, sentences(lacking, head if rows else None)))
    by_rating = ask.order_by == "rating"
    by_price, rated = sorted(rows, key=price_of), sorted(rows, key=lambda row: row.number("rating") or 0, reverse=True)
    price, rating = _price_compared(by_price), _rating_compared(rated)
    parts = (rating, price) if by_rating else (price, rating)
    ordered = rated if by_rating else by_price
    return told_in_rows(ask, choice, found, sentences(*parts), ordered)


def _price_compared(rows: Sequence[QueryRow]) -> Said:
    low, high = rows[0], rows[-1]
    apart = price_of(high) - price_of(low)
    if not apart:
        return filled(
            "{a:와/과} {b}의 값은 {price}으로 같습니다.",
            "{a} and {b} cost the same, {price}.",
            a=short_name(low),
            b=short_name(high),
            price=exact_won(price_of(low)),
        )
    return filled(
        "{low:이/가} {apart} 더 쌉니다: {low} {lp}, {high} {hp}.",
        "The {low} costs less, by {apart}: {low} {lp}, {high} {hp}.",
        low=short_name(low),
        high=short_name(high),
        apart=exact_won(apart),
        lp=exact_won(price_of(low)),
        hp=exact_won(price_of(high)),
    )


def _rating_compared(rows: Sequence[QueryRow]) -> Said:
    best, worst = rows[0], rows[-1]
    if best.number("rating") == worst.number("rating"):
        return filled("평점은 {r}로 같습니다.", "Both are rated {r}.", r=rating_said(best))
    return filled(
        "평점은 {best:이/가} 높습니다({b} 대 {w}).",
        "The {best} is rated higher ({b} against {w}).",
        best=short_name(best),
        b=rating_said(best),
        w=rating_said(worst),
    )
