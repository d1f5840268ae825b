"""A review of what was bought: of which goods, how many stars, in which words."""

from collections.abc import Sequence
from typing import Final

from services.contract.asks import Ask, Said
from services.domains.commerce.actions import wording
from services.domains.commerce.asks.acts import goods
from services.domains.commerce.asks.acts.proposing import lacking, prepared
from services.domains.commerce.asks.acts.returning import Order, calls, orders_of
from services.domains.commerce.asks.goods.saying import full_name
from services.plugin.asks.answering import Answerer, Found, Outcome, declined
from services.plugin.asks.telling import QueryRow, filled
from services.plugin.findings import action_request

AGENTS: Final = ("commerce.review_assistant",)
"""Who helps with reviews."""
_OFFERED_MAX: Final = 3


def _review(ask: Ask, found: Found) -> Outcome:
    orders = [order for order in orders_of(found) if order[0].text("status") == "delivered"]
    if not orders:
        nothing = Said(
            "받은 상품이 있어야 후기를 쓸 수 있습니다.", "Only what you bought and received can be reviewed."
        )
        return Outcome(declined(ask, nothing))
    row = _bought(ask, orders)
    if isinstance(row, Outcome):
        return row
    name = full_name(row)
    if not ask.notes.get("rating"):
        stars = filled(
            "{name}에 별점을 몇 점(1~5) 주시겠어요?", "How many stars, 1 to 5, do you give {name}?", name=name
        )
        return lacking(ask, "rating", stars, [row])
    if not ask.notes.get("body"):
        text = filled(
            "{name:은/는} 어떠셨나요? 후기에 쓸 내용을 알려주세요.", "What shall the review of {name} say?", name=name
        )
        return lacking(ask, "body", text, [row])
    wish = action_request(
        "WRITE_REVIEW",
        "review_write",
        product_id=row.text("product_id"),
        rating=int(ask.notes["rating"]),
        body=ask.notes["body"],
    )
    return prepared(ask, [wish], [row])


def _bought(ask: Ask, orders: Sequence[Order]) -> QueryRow | Outcome:
    """Return the product that is meant of those that were received; a question or a no where there is none such."""
    rows = [row for order in orders for row in order]
    fitting = goods.named_in(ask, rows)
    if not fitting and (goods.categories(ask) or goods.listed_in(ask, "codes") or goods.listed_in(ask, "ids")):
        sentence = Said(
            "받은 주문에 그 상품이 없어 후기를 쓸 수 없습니다. 사서 받은 상품에만 쓸 수 있습니다.",
            "None of your delivered orders has that product, so it cannot be reviewed: only what you received can.",
        )
        return Outcome(declined(ask, sentence))
    meant = goods.best(ask, fitting or rows)
    return meant.one or lacking(ask, "product", _which(meant.rows), meant.rows[:_OFFERED_MAX])


def _which(rows: Sequence[QueryRow]) -> Said:
    items = wording.goods([full_name(row) for row in rows[:_OFFERED_MAX]])
    return filled(
        "어떤 상품의 후기인가요? 받은 상품으로 {items}이 있습니다.",
        "Which product do you want to review? You received {items}.",
        items=items,
    )


ANSWERERS: Final = (Answerer("act_review", AGENTS, _review, calls),)
