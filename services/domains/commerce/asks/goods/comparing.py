"""Two models or more beside each other: by what the words ask for first, then by price and rating."""

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, Said
from services.domains.commerce.asks.goods.features import (
    LINE,
    Attribute,
    attributes_of,
    is_property,
    is_use,
    label_of,
    meets,
    number_of,
    rating_said,
    value_said,
)
from services.domains.commerce.asks.goods.models import no_such_model
from services.domains.commerce.asks.goods.outcomes import told_in_rows
from services.domains.commerce.asks.goods.rows import chosen, named_models
from services.domains.commerce.asks.goods.saying import price_of, short_name
from services.domains.commerce.asks.goods.subjects import codes_of
from services.domains.commerce.asks.goods.words import CHEAP, DEAR, RATED, REVIEW_COUNT
from services.plugin.asks.answering import Found, Outcome
from services.plugin.asks.telling import QueryRow, exact_won, filled, listed, sentences

_ROWS_MAX = 6


def compare(ask: Ask, found: Found) -> Outcome:
    """Return which of the models is first by what is asked for, by how much, and how they differ else."""
    choice = chosen(ask, found)
    rows = named_models(ask, choice)[:_ROWS_MAX]
    missing = [code for code in codes_of(ask) if not any(f" {code} " in f" {row.text('name_ko')} " for row in rows)]
    if len(rows) < 2 or missing:
        return no_such_model(ask, found, missing)
    said = ask.notes.get("said", ask.words).split("\n", maxsplit=1)[0]
    by_price = sorted(rows, key=price_of)
    rated = sorted(rows, key=lambda row: row.number("rating") or 0, reverse=True)
    price, rating = _price_compared(by_price, dearest=_is_of_dearest(said)), _rating_compared(rated)
    of_rating = ask.order_by == "rating" or (
        re.search(RATED, said, re.IGNORECASE) and not re.search("가격|값|price", said)
    )
    asked = [one for one in _asked(said, rows) if one is not None]
    asked += _featured(ask, rows)
    parts = (*asked, *((rating, price) if of_rating else (price, rating)))
    return told_in_rows(ask, choice, found, sentences(*parts), rated if of_rating else by_price)


def _asked(said: str, rows: Sequence[QueryRow]) -> list[Said | None]:
    """Return the comparisons by what the words name beside price and rating: reviews, and properties of one kind."""
    categories = {row.text("category") for row in rows}
    own = attributes_of(rows[0].text("category")) if len(categories) == 1 else ()
    named = [one for one in own if one.is_named(said) or one.is_of(said, said, most=True)]
    reviews = [_reviews_compared(rows)] if REVIEW_COUNT.search(said) else []
    return [*reviews, *(_property_compared(rows, one) for one in named[:2])]


def _featured(ask: Ask, rows: Sequence[QueryRow]) -> list[Said]:
    """Return of each property that was asked of them whether they have it: all, some or none."""
    told = []
    for one in ask.conditions:
        is_name = one.field == LINE and not is_use(one)
        if is_name or not is_property(one, rows[0].text("category")):
            continue
        label = label_of(one, rows[0].text("category"))
        has = [short_name(row) for row in rows if meets(row, one)]
        none, every = filled(_NONE_HAS.ko, _NONE_HAS.en, label=label), filled(_ALL_HAVE.ko, _ALL_HAVE.en, label=label)
        some = filled("{names}만 {label:이/가} 됩니다.", "Only the {names}: {label}.", names=listed(has), label=label)
        told.append(every if len(has) == len(rows) else some if has else none)
    return told


_ALL_HAVE: Final = Said("모두 {label:이/가} 됩니다.", "All of them: {label}.")
_NONE_HAS: Final = Said("{label:은/는} 어느 것도 되지 않습니다.", "None of them: {label}.")


def _reviews_compared(rows: Sequence[QueryRow]) -> Said:
    ordered = sorted(rows, key=lambda row: row.number("review_count") or 0, reverse=True)
    counts = [f"{int(row.number('review_count') or 0):,}" for row in ordered]
    each = listed(
        [
            Said(f"{short_name(row).ko} {n}개", f"{short_name(row).en} {n}")
            for row, n in zip(ordered, counts, strict=True)
        ]
    )
    return filled(
        "리뷰는 {best:이/가} 더 많습니다: {each}.",
        "The {best} has more reviews: {each}.",
        best=short_name(ordered[0]),
        each=each,
    )


def _property_compared(rows: Sequence[QueryRow], one: Attribute) -> Said | None:
    """Return which has more of a property, or what each has of one without an order."""
    figures = [number_of(row, one.field) for row in rows]
    each = listed([filled("{n} {v}", "{n} {v}", n=short_name(row), v=value_said(row, one)) for row in rows])
    if not one.most or any(figure is None for figure in figures):
        return filled("{label}: {each}.", "{label}: {each}.", label=one.label, each=each)
    known = [figure or Decimal(0) for figure in figures]
    if max(known) == min(known):
        return filled(
            "{label:은/는} 같습니다: {each}.", "They are equal by {label}: {each}.", label=one.label, each=each
        )
    first = rows[known.index(max(known))]
    return filled(
        "{label:은/는} {first:이/가} 더 큽니다: {each}.",
        "By {label} the {first} is larger: {each}.",
        label=one.label,
        first=short_name(first),
        each=each,
    )


def _is_of_dearest(said: str) -> bool:
    """Tell whether words ask which costs more, and not which costs less."""
    rest = re.sub(DEAR, " ", said, flags=re.IGNORECASE)
    return rest != said and re.search(CHEAP, rest, re.IGNORECASE) is None


def _price_compared(rows: Sequence[QueryRow], *, dearest: bool) -> Said:
    """Return which costs less, or more, by how much, and what each costs; the cheapest comes first."""
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
    cheaper = Said("{one:이/가} {apart} 더 쌉니다: {each}.", "The {one} costs less, by {apart}: {each}.")
    dearer = Said("{one:이/가} {apart} 더 비쌉니다: {each}.", "The {one} costs more, by {apart}: {each}.")
    form = dearer if dearest else cheaper
    return filled(
        form.ko,
        form.en,
        one=short_name(high if dearest else low),
        apart=exact_won(apart),
        each=listed([filled("{n} {p}", "{n} {p}", n=short_name(row), p=exact_won(price_of(row))) for row in rows]),
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
