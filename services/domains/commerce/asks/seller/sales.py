"""A seller's own sales: figures of a period, the first products."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskForm, Ground, Said, Told
from services.domains.commerce.asks.goods.saying import kind_said, short_name
from services.domains.commerce.asks.rows_own import OWN_TOOL
from services.domains.commerce.asks.seller.figures import MEASURES, NAMES, RATES, figure_said, named_in, unit_of
from services.domains.commerce.asks.seller.periods import asked_days, says_days, with_sales
from services.domains.commerce.asks.seller.scope import CODE, code_said, filters_of, none_sold, of_kinds, scoped
from services.domains.commerce.asks.seller.words import GRADED, LOWER, NAMED_SHOP, PRODUCTS
from services.plugin.asks.answering import Call, Found, Outcome, answered, declined
from services.plugin.asks.charts import bars
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import QueryRow, day_said, filled, listed, proof, query, rows_of, sentences

SALES_AGENTS: Final = ("commerce.seller_analytics", "commerce.product_search")
"""Who answers what is asked of sales."""
NO_SALES: Final = Said(
    "이 기간에는 본인 상점의 판매 자료가 없습니다. 판매자의 상점이 있어야 볼 수 있습니다.",
    "There are no sales of a shop of your own in this period; only a seller has them.",
)
"""What somebody without sales is told."""
_NOT_YOURS: Final = Said(
    "다른 판매자의 매출은 볼 수 없습니다. 본인 상점의 매출만 볼 수 있습니다.",
    "I cannot show another seller's sales; only those of your own shop.",
)


def sales_ask(sheet: Sheet, last: Ask | None = None) -> Ask:
    """Return the ask about the figures of a period, or about the products by one of them."""
    asked = asked_days(sheet)
    start, end = with_sales(sheet, asked)
    if not says_days(sheet) and last is not None:
        start, end = date.fromisoformat(last.start_date), date.fromisoformat(last.end_date)
    measures = named_in(sheet) or (last.measures if last is not None else ("revenue",))
    by_product = sheet.says(PRODUCTS) and (
        sheet.superlative is not None or sheet.says(GRADED) or sheet.says(r"1등|1위|top\b|순위|best[- ]?sell|많이\s?팔")
    )
    shop = sheet.find(NAMED_SHOP)
    return Ask(
        words=sheet.text,
        end=len(sheet.text),
        form=AskForm.RANK if by_product else AskForm.LEVEL,
        intent="seller_analytics",
        subjects=sheet.of_kind("category") or (last.subjects if last is not None else ()),
        answerer="sales_rank" if by_product else "sales_level",
        measures=measures,
        start_date=start.isoformat(),
        end_date=end.isoformat(),
        order_by=measures[0],
        descending=sheet.superlative.is_most if sheet.superlative else not sheet.says(LOWER),
        notes={
            "shop": (shop["ko"] or shop["en"]) if shop else "",
            CODE: code_said(sheet) or (last.notes.get(CODE, "") if last is not None else ""),
            BEGUN: asked[0].isoformat() if start < asked[0] else "",
        },
    )


BEGUN: Final = "begun"
"""The note of the day on which the asked period begins, where nothing is known of it yet."""


def instead_said(ask: Ask) -> Said | None:
    """Return that the period before is told, where the asked one begins today."""
    if not ask.notes.get(BEGUN):
        return None
    return filled(
        "{day}부터는 아직 판매 자료가 없어 바로 앞 기간으로 답했습니다.",
        "There are no sales from {day} on yet, so this is the period before.",
        day=day_said(ask.notes[BEGUN]),
    )


def shop_calls(ask: Ask) -> Sequence[Call]:
    """Return the query for the name of the person's own shop, where a shop is named."""
    names = ("name_ko", "name_en")
    return [query("own_shop", names, mode="rows", tool=OWN_TOOL, limit=1)] if ask.notes.get("shop") else []


def not_yours(ask: Ask, found: Found) -> Outcome | None:
    """Return that another's sales are not shown, where the shop that is named is not the person's own."""
    named = ask.notes.get("shop", "")
    own = {row.text(name) for row in rows_of(found.readings, "own_shop") for name in ("name_ko", "name_en")}
    return Outcome(declined(ask, _NOT_YOURS)) if named and named not in own else None


def days_of(ask: Ask) -> dict[str, date]:
    """Return the first and the last day of an ask, as a query takes them."""
    return {"start": date.fromisoformat(ask.start_date), "end": date.fromisoformat(ask.end_date)}


def sales_calls(ask: Ask) -> Sequence[Call]:
    """Return the queries for the figures of a period."""
    return [query("own_sales", MEASURES, tool=OWN_TOOL, filters=filters_of(ask), **days_of(ask)), *shop_calls(ask)]


def tell_sales(ask: Ask, found: Found) -> Outcome:
    """Return the figures of a period."""
    if (refused := not_yours(ask, found)) is not None:
        return refused
    row = next((one for one in rows_of(found.readings, "own_sales") if one.number("revenue") is not None), None)
    if row is None:
        return Outcome(answered(ask, none_sold(ask, NO_SALES)))
    first, last = day_said(row.text("first_day")), day_said(row.text("last_day"))
    parts = [
        filled(
            "{name} {value}",
            "{name} was {value}",
            name=NAMES[one][1],
            value=figure_said(row.number(one) or Decimal(0), one),
        )
        for one in ask.measures
    ]
    sentence = filled(
        "{values}입니다({first}부터 {last}까지).",
        "Your shop's {values} ({first} to {last}).",
        values=listed(parts),
        first=first,
        last=last,
    )
    piece = proof(found.readings[0], Said("내 상점의 매출", "Your shop's sales"), found.asking.locale, "sales")
    others = [one for one in ("units", "orders", "profit") if one not in ask.measures]
    more = listed(
        [
            filled(
                "{name} {value}",
                "{name} {value}",
                name=NAMES[one][1],
                value=figure_said(row.number(one) or Decimal(0), one),
            )
            for one in others
        ]
    )
    return Outcome(
        answered(
            ask,
            sentences(scoped(ask, sentence), instead_said(ask)),
            evidence_ids=(piece.evidence_id,),
            grounds=(Ground(more, (piece.evidence_id,)),),
        ),
        evidence=(piece,),
    )


def products_calls(ask: Ask) -> Sequence[Call]:
    """Return the queries for the products by a figure."""
    return [
        query(
            "own_sales",
            [*dict.fromkeys((*ask.measures, "revenue", "units", "first_day", "last_day"))],
            by=("category",) if of_kinds(ask) else ("product_id", "name_ko", "name_en", "category"),
            tool=OWN_TOOL,
            filters=filters_of(ask),
            **days_of(ask),
            order_by=ask.order_by,
            descending=ask.descending,
            limit=10,
        ),
        *shop_calls(ask),
    ]


def _name(row: QueryRow, *, short: bool = False) -> Said:
    """Return what a row of sales is of: a product, or a kind of goods."""
    if not row.text("name_ko"):
        return kind_said(row.text("category"))
    return short_name(row) if short else Said(row.text("name_ko"), row.text("name_en"))


def _in_order(rows: Sequence[QueryRow], measure: str, evidence_id: str) -> tuple[Ground, ...]:
    """Return a line for each row, with its place in the order."""
    return tuple(
        Ground(
            filled(
                "{at}위 {n}: {v}",
                "{at}. {n}: {v}",
                at=str(at),
                n=_name(row),
                v=figure_said(row.number(measure) or Decimal(0), measure),
            ),
            (evidence_id,),
        )
        for at, row in enumerate(rows, start=1)
    )


def rank_products(ask: Ask, found: Found) -> Outcome:
    """Return the seller's products by a figure."""
    if (refused := not_yours(ask, found)) is not None:
        return refused
    rows, measure = rows_of(found.readings, "own_sales"), ask.order_by
    if not rows:
        return Outcome(answered(ask, none_sold(ask, NO_SALES)))
    first = rows[0]
    name, of_kind = _name(first), of_kinds(ask)
    label = NAMES[measure][1]
    most, least = ("높은", "낮은") if measure in RATES else ("많은", "적은")
    way = Said(f"가장 {most if ask.descending else least}", "highest" if ask.descending else "lowest")
    head = filled(
        "{label:이/가} {way} {what:은/는} {name}입니다: {value}({first}부터 {last}까지).",
        "The {way} {label} is that of {name}: {value} ({first} to {last}).",
        label=label,
        way=way,
        what=Said("종류" if of_kind else "상품", ""),
        name=name,
        value=figure_said(first.number(measure) or Decimal(0), measure),
        first=day_said(first.text("first_day")),
        last=day_said(first.text("last_day")),
    )
    rest = listed(
        [
            filled(
                "{n} {v}",
                "{n} {v}",
                n=_name(row, short=True),
                v=figure_said(row.number(measure) or Decimal(0), measure),
            )
            for row in rows[1:3]
        ]
    )
    tail = filled("다음은 {rest}입니다.", "Next: {rest}.", rest=rest) if len(rows) > 1 else None
    piece = proof(found.readings[0], Said("내 상점의 매출", "Your shop's sales"), found.asking.locale, "sales")
    told = (
        ()
        if of_kind
        else tuple(
            Told("product", row.text("product_id"), row.text("name_ko"), {measure: row.text(measure)}) for row in rows
        )
    )
    ids, locale = (piece.evidence_id,), found.asking.locale
    points = [(_name(row).of(locale), row.number(measure)) for row in rows]
    charts = bars(label.of(locale), unit_of(measure), points, ids)
    answer = answered(
        ask,
        sentences(head if of_kind else scoped(ask, head), tail, instead_said(ask)),
        evidence_ids=ids,
        grounds=_in_order(rows, measure, piece.evidence_id),
        told=told,
        charts=charts,
    )
    return Outcome(answer, evidence=(piece,))
