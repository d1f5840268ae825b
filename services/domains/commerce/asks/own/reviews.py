"""Reviews of the person who asks: those written, and what was bought and may still be reviewed."""

from collections.abc import Sequence

from services.contract.asks import Ask, Ground, Said, Told
from services.domains.commerce.asks.goods.saying import full_name, short_name
from services.domains.commerce.asks.own.orders import orders_calls, orders_of
from services.domains.commerce.asks.rows_own import OWN_TOOL, day_of, evidence_ids_of, proofs_of
from services.plugin.asks.answering import Call, Found, Outcome, answered
from services.plugin.asks.telling import QueryRow, day_said, filled, listed, query, rows_of

_ROWS_MAX = 100
_TITLE = Said("내 후기", "Your reviews")


def reviews_calls(_: Ask) -> Sequence[Call]:
    """Return the query for the person's own reviews."""
    fields = ("order_id", "product_id", "name_ko", "name_en", "stars", "body", "written_at")
    return [query("own_reviews", fields, mode="rows", tool=OWN_TOOL, order_by="written_at", limit=_ROWS_MAX)]


def tell_own_reviews(ask: Ask, found: Found) -> Outcome:
    """Return what the person wrote, the newest first."""
    rows = rows_of(found.readings, "own_reviews")
    pieces = proofs_of(found, _TITLE, "review")
    if not rows:
        return Outcome(answered(ask, Said("쓰신 후기가 없습니다.", "You have written no review.")))
    sentence = filled(
        "쓰신 후기는 {n}건입니다: {first}.",
        "You have written {n}: {first}.",
        n=Said(str(len(rows)), f"{len(rows)} review{'s' if len(rows) > 1 else ''}"),
        first=listed([_review(row) for row in rows[:2]]),
    )
    ids = evidence_ids_of(pieces)
    grounds = tuple(Ground(_review(row, found), ids[:1]) for row in rows[2:9])
    return Outcome(answered(ask, sentence, evidence_ids=ids, grounds=grounds), evidence=pieces)


def _review(row: QueryRow, found: Found | None = None) -> Said:
    day = day_of(row, "written_at", found) if found is not None else None
    stars = row.text("stars").removesuffix(".0")
    when = day_said(day) if day else Said("", "")
    return Said(
        f"{full_name(row).ko} {stars}점 “{row.text('body')}”{f' ({when.ko})' if when.ko else ''}",
        f"{full_name(row).en}, {stars} stars “{row.text('body')}”{f' ({when.en})' if when.en else ''}",
    )


def reviewable_calls(ask: Ask) -> Sequence[Call]:
    """Return the queries for the person's orders and reviews."""
    return [*orders_calls(ask), *reviews_calls(ask)]


def tell_reviewable(ask: Ask, found: Found) -> Outcome:
    """Return what was delivered and bears no review of the person yet: only goods that were bought can be reviewed."""
    written = {(row.text("order_id"), row.text("product_id")) for row in rows_of(found.readings, "own_reviews")}
    open_ones = [
        row
        for order in orders_of(found)
        for row in order
        if row.text("status") == "delivered" and (row.text("order_id"), row.text("product_id")) not in written
    ]
    pieces = proofs_of(found, _TITLE, "order")
    if not open_ones:
        nothing = Said(
            "후기를 쓸 수 있는 주문이 없습니다. 받은 상품에만, 주문마다 한 번 쓸 수 있습니다.",
            "There is nothing for you to review: only goods that were delivered, once for each order.",
        )
        return Outcome(answered(ask, nothing, evidence_ids=evidence_ids_of(pieces)), evidence=pieces)
    sentence = filled(
        "후기를 쓸 수 있는 상품은 {n}개입니다: {names}.",
        "You can still review {n}: {names}.",
        n=Said(str(len(open_ones)), f"{len(open_ones)} product{'s' if len(open_ones) > 1 else ''}"),
        names=listed([_of_order(row) for row in open_ones[:6]]),
    )
    told = tuple(
        Told("product", row.text("product_id"), row.text("name_ko"), {"order_id": row.text("order_id")})
        for row in open_ones
    )
    return Outcome(answered(ask, sentence, evidence_ids=evidence_ids_of(pieces), told=told), evidence=pieces)


def _of_order(row: QueryRow) -> Said:
    return filled("{n}({id})", "{n} ({id})", n=short_name(row), id=row.text("order_id"))
