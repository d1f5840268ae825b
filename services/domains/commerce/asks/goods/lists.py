"""Goods that meet conditions, and that nothing does."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, Said
from services.domains.commerce.asks.goods.features import meets
from services.domains.commerce.asks.goods.outcomes import evidence_ids_of, proofs_of, told_in_rows
from services.domains.commerce.asks.goods.qualities import UNKNOWN
from services.domains.commerce.asks.goods.rows import EXTREMES, Choice, chosen
from services.domains.commerce.asks.goods.saying import (
    category_said,
    figure_said,
    in_stock_said,
    limits_said,
    price_of,
    priced_name,
    stock_of,
    unapplied_said,
)
from services.plugin.asks.answering import Found, Outcome, answered
from services.plugin.asks.telling import QueryRow, exact_won, filled, listed, sentences


def list_goods(ask: Ask, found: Found) -> Outcome:
    """Return the goods that meet every condition and can be bought, and how many more are sold out."""
    choice = chosen(ask, found)
    if not choice.rows:
        return nothing_fits(ask, choice, found)
    rows = choice.in_stock
    if not rows:
        return none_in_stock(ask, choice, found)
    out = in_stock_said(len(rows), len(choice.rows))
    head = _found_said(_THERE, ask, choice, [_named(row, ask) for row in rows[: ask.count or 3]], out)
    unknown = unapplied_said(choice, ask)
    # What a person wants and no row says comes first where it is all that was wanted.
    if unknown is not None and not limits_said(choice, ask).ko:
        return told_in_rows(ask, choice, found, sentences(unknown, head), rows, grounds=())
    return told_in_rows(ask, choice, found, sentences(head, unknown), rows[: ask.count or None])


_THERE: Final = (
    Said(
        "조건({limits})에 맞는 {what:은/는} {total}개{out}: {first}.",
        "{total} {what} meet the conditions ({limits}){out}: {first}.",
    ),
    Said("{what:은/는} 모두 {total}개{out}: {first}.", "There are {total} {what}{out}: {first}."),
)
"""How goods are told that can be bought: under conditions, and under none."""
_SOLD_OUT: Final = (
    Said(
        "지금 살 수 있는 것이 없습니다. 조건({limits})에 맞는 {what} {total}개가 모두 품절입니다: {first}.",
        "None can be bought now: all {total} {what} that meet the conditions ({limits}) are sold out: {first}.",
    ),
    Said(
        "지금 살 수 있는 것이 없습니다. {what} {total}개가 모두 품절입니다: {first}.",
        "None can be bought now: all {total} {what} are sold out: {first}.",
    ),
)
"""The same of goods that are sold out."""
_NO_MORE: Final = Said("", "")


def _found_said(
    forms: tuple[Said, Said], ask: Ask, choice: Choice, first: Sequence[Said], out: Said = _NO_MORE
) -> Said:
    """Return what was found under the conditions that were said: how many, and the first of them."""
    limits = limits_said(choice, ask)
    form = forms[0] if limits.ko else forms[1]
    return filled(
        form.ko,
        form.en,
        limits=limits,
        what=category_said(ask, choice.all),
        total=str(len(choice.rows)),
        out=out,
        first=listed(list(first)),
    )


def _named(row: QueryRow, ask: Ask) -> Said:
    """Return a product with its price, and with the figure that the goods are sorted by where it is another one."""
    named = priced_name(row)
    if ask.order_by in {"", "price_krw"} or ask.order_by.startswith(UNKNOWN):
        return named
    figure = figure_said(row, ask.order_by)
    return Said(f"{named.ko}({figure.ko})", f"{named.en} ({figure.en})")


def none_in_stock(ask: Ask, choice: Choice, found: Found) -> Outcome:
    """Return that what meets the conditions is sold out, each with its name, and what the price would have to be."""
    head = _found_said(_SOLD_OUT, ask, choice, [priced_name(row) for row in choice.rows[:3]])
    told = sentences(head, _without_price(choice), unapplied_said(choice, ask))
    return told_in_rows(ask, choice, found, told, choice.rows[:3], grounds=())


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
    more = _without_price(choice)
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


def _without_price(choice: Choice) -> Said | None:
    """Return from which price on there are goods in stock that meet the other conditions; None where no price is limited."""
    others = [
        one for one in choice.conditions if one.applied and one.field != "price_krw" and one.operator not in EXTREMES
    ]
    priced = [row for row in choice.all if stock_of(row) and all(meets(row, one) for one in others)]
    if not priced or not any(one.applied and one.field == "price_krw" for one in choice.conditions):
        return None
    return filled(
        "값 조건을 빼면 {least}부터 있습니다.",
        "Without the limit on the price they begin at {least}.",
        least=exact_won(min(map(price_of, priced))),
    )
