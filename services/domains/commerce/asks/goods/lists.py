"""Goods that meet conditions, and that nothing does."""

from decimal import Decimal

from services.contract.asks import Ask, Said
from services.domains.commerce.asks.goods.features import meets
from services.domains.commerce.asks.goods.outcomes import evidence_ids_of, proofs_of, told_in_rows
from services.domains.commerce.asks.goods.rows import EXTREMES, Choice, chosen
from services.domains.commerce.asks.goods.saying import (
    category_said,
    limits_said,
    price_of,
    priced_name,
    sold_out_said,
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
    # So many as were asked for are those that can be bought.
    rows = (choice.in_stock or rows)[: ask.count] if ask.count else rows
    first = listed([priced_name(row) for row in rows[: ask.count or 3]])
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
    others = [
        one for one in choice.conditions if one.applied and one.field != "price_krw" and one.operator not in EXTREMES
    ]
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
