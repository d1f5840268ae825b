"""What buyers wrote of goods."""

from collections.abc import Sequence

from services.contract.asks import Ask, Ground, Said
from services.domains.commerce.asks.goods.features import rating_said
from services.domains.commerce.asks.goods.lists import nothing_fits
from services.domains.commerce.asks.goods.models import no_such_model
from services.domains.commerce.asks.goods.outcomes import evidence_ids_of, proofs_of, told_in_rows
from services.domains.commerce.asks.goods.rows import Choice, chosen, goods_calls, named_models
from services.domains.commerce.asks.goods.saying import category_said, short_name, told_of
from services.domains.commerce.asks.goods.subjects import category_of, codes_of
from services.plugin.asks.answering import Call, Found, Outcome, answered
from services.plugin.asks.telling import QueryRow, day_said, filled, listed, query, rows_of, sentences, where


def reviews_calls(ask: Ask) -> Sequence[Call]:
    """Return the look-up of the reviews that an ask is about."""
    own = [where("category", category_of(ask))] if category_of(ask) else []
    ids, codes = ask.notes.get("ids", ""), codes_of(ask)
    if ids:
        own = [where("product_id", tuple(ids.split("|")), "in")]
    elif codes:
        own = [*own, where("name_ko", f" {codes[0]} ", "contains")]
    fields = ("product_id", "name_ko", "name_en", "stars", "body", "written_at")
    return [
        *goods_calls(ask),
        query("product_reviews", fields, mode="rows", filters=own, order_by="written_at", limit=200),
    ]


def tell_reviews(ask: Ask, found: Found) -> Outcome:
    """Return what buyers wrote of a product, with its rating; good and bad alike."""
    choice = chosen(ask, found)
    rows = named_models(ask, choice) if codes_of(ask) else list(choice.rows)
    if not rows:
        return no_such_model(ask, found) if codes_of(ask) else nothing_fits(ask, choice, found)
    written = rows_of(found.readings, "product_reviews")
    pieces = proofs_of(found)
    if len(rows) > 1:
        return _reviews_of_many(ask, choice, found, rows, written)
    row = rows[0]
    own = [one for one in written if one.text("product_id") == row.text("product_id")]
    count = f"{int(row.number('review_count') or 0):,}"
    quoted = listed(
        [
            Said(
                f"{one.text('stars').removesuffix('.0')}점 “{one.text('body')}”",
                f"{one.text('stars').removesuffix('.0')} stars “{one.text('body')}”",
            )
            for one in own[:2]
        ]
    )
    head = filled(
        "{name}의 평점은 {rating}점입니다(리뷰 {count}개).",
        "The {name} is rated {rating} over {count} reviews.",
        name=short_name(row),
        rating=rating_said(row),
        count=count,
    )
    tail = (
        filled("글로 남은 후기 {n}건: {quoted}", "Of the {n} written ones: {quoted}", n=str(len(own)), quoted=quoted)
        if own
        else Said("글로 남은 후기는 자료에 없습니다.", "No written review is in the data.")
    )
    grounds = tuple(
        filled(
            "{stars}점 ({day}): {body}",
            "{stars} stars ({day}): {body}",
            stars=one.text("stars").removesuffix(".0"),
            day=day_said(one.text("written_at")),
            body=one.text("body"),
        )
        for one in own[:5]
    )
    answer = answered(
        ask,
        sentences(head, tail),
        evidence_ids=evidence_ids_of(pieces),
        told=(told_of(row),),
        grounds=tuple(Ground(one, evidence_ids_of(pieces)[-1:]) for one in grounds[2:]),
    )
    return Outcome(answer, evidence=pieces)


def _reviews_of_many(
    ask: Ask, choice: Choice, found: Found, rows: Sequence[QueryRow], written: Sequence[QueryRow]
) -> Outcome:
    most = sorted(rows, key=lambda row: row.number("review_count") or 0, reverse=True)
    names = listed(
        [
            Said(
                f"{short_name(r).ko} 평점 {rating_said(r)}(리뷰 {int(r.number('review_count') or 0):,}개)",
                f"{short_name(r).en} {rating_said(r)} ({int(r.number('review_count') or 0):,})",
            )
            for r in most[:3]
        ]
    )
    head = filled(
        "{what} 가운데 리뷰가 많은 것은 {names}입니다.",
        "The most reviewed {what} are {names}.",
        what=category_said(ask, choice.all),
        names=names,
    )
    by_id = {row.text("product_id"): row for row in rows}
    own = [one for one in written if one.text("product_id") in by_id][:6]
    pieces = proofs_of(found)
    grounds = tuple(
        Ground(
            filled(
                "{name} {stars}점: {body}",
                "{name}, {stars} stars: {body}",
                name=short_name(one),
                stars=one.text("stars").removesuffix(".0"),
                body=one.text("body"),
            ),
            evidence_ids_of(pieces)[-1:],
        )
        for one in own
    )
    step = Said("한 상품의 후기를 보려면 모델 이름을 말해 주세요.", "Name a model to see its own reviews.")
    return told_in_rows(ask, choice, found, head, most[:10], grounds=grounds, next_steps=(step,))
