"""A seller's own sales: figures of a period, the first products."""

from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskForm, Ground, Said, Told
from services.domains.commerce.asks.goods.saying import short_name
from services.domains.commerce.asks.seller.words import PRODUCTS
from services.plugin.asks.answering import Call, Found, Outcome, answered
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import (
    day_said,
    decimal,
    exact_won,
    filled,
    listed,
    percent,
    proof,
    query,
    rows_of,
    sentences,
)

OWN_TOOL: Final = "query_own_data"


_MEASURES: Final = (
    "revenue",
    "profit",
    "units",
    "orders",
    "visitors",
    "cancel_rate",
    "return_rate",
    "conversion",
    "margin",
    "first_day",
    "last_day",
)


_NAMES: Final = {
    "revenue": (r"매출|수입|revenue|sales|turnover|earn", Said("매출", "revenue")),
    "profit": (r"이익|수익|profit", Said("이익", "profit")),
    "units": (r"판매량|몇\s?개|팔린|많이\s?팔|units|sold", Said("판매량", "units sold")),
    "orders": (r"주문\s?(?:수|건)|how many orders|number of orders", Said("주문 수", "orders")),
    "visitors": (r"방문자|유입|visitors|traffic", Said("방문자", "visitors")),
    "cancel_rate": (r"취소율|cancellation rate", Said("취소율", "cancellation rate")),
    "return_rate": (r"반품률|환불률|return rate|refund rate", Said("반품률", "return rate")),
    "conversion": (r"전환율|conversion", Said("전환율", "conversion rate")),
    "margin": (r"마진|margin", Said("마진율", "margin")),
}


_RATES: Final = frozenset({"cancel_rate", "return_rate", "conversion", "margin"})


def sales_ask(sheet: Sheet, last: Ask | None = None) -> Ask:
    start, end = _period(sheet)
    if not sheet.periods and last is not None:
        start, end = date.fromisoformat(last.start_date), date.fromisoformat(last.end_date)
    named = [name for name, (words, _) in _NAMES.items() if sheet.says(words)]
    measures = tuple(named) or (last.measures if last is not None else ("revenue",))
    by_product = sheet.says(PRODUCTS) and (
        sheet.superlative is not None or sheet.says(r"1등|1위|top\b|순위|best[- ]?sell|많이\s?팔")
    )
    return Ask(
        words=sheet.text,
        end=len(sheet.text),
        form=AskForm.RANK if by_product else AskForm.LEVEL,
        intent="seller_analytics",
        answerer="sales_rank" if by_product else "sales_level",
        measures=measures,
        start_date=start.isoformat(),
        end_date=end.isoformat(),
        order_by=measures[0],
        descending=sheet.superlative.is_most if sheet.superlative else True,
        notes={"period": _period_words(sheet)},
    )


def _period(sheet: Sheet) -> tuple[date, date]:
    """Return the days that are meant; the last thirty where nobody says."""
    today = sheet.today
    if match := sheet.find(r"(?:최근|지난|last|past)\s?(\d{1,3})\s?(?:일|days?)"):
        return today - timedelta(days=int(match[1])), today - timedelta(days=1)
    if sheet.says(r"이번\s?달|이달|this month"):
        return today.replace(day=1), today
    if sheet.periods:
        start, end, _ = sheet.periods[0]
        return start, end
    return today - timedelta(days=30), today - timedelta(days=1)


def _period_words(sheet: Sheet) -> str:
    return "month" if sheet.says(r"이번\s?달|이달|this month") else ""


def sales_calls(ask: Ask) -> Sequence[Call]:
    return [
        query(
            "own_sales",
            _MEASURES,
            tool=OWN_TOOL,
            start=date.fromisoformat(ask.start_date),
            end=date.fromisoformat(ask.end_date),
        )
    ]


def _value(value: Decimal, measure: str) -> Said:
    if measure in {"revenue", "profit"}:
        return exact_won(value)
    if measure in _RATES:
        return percent(value)
    return Said(
        f"{decimal(value, 0)}{'명' if measure == 'visitors' else '건' if measure == 'orders' else '개'}",
        decimal(value, 0),
    )


def tell_sales(ask: Ask, found: Found) -> Outcome:
    """Return the figures of a period."""
    row = next((one for one in rows_of(found.readings) if one.number("revenue") is not None), None)
    if row is None:
        sentence = Said(
            "이 기간에는 본인 상점의 판매 자료가 없습니다.", "There are no sales of your own shop in this period."
        )
        return Outcome(answered(ask, sentence))
    first, last = day_said(row.text("first_day")), day_said(row.text("last_day"))
    month = Said("이번 달 ", "this month ") if ask.notes.get("period") == "month" else Said("", "")
    parts = [
        filled(
            "{name} {value}", "{name} {value}", name=_NAMES[one][1], value=_value(row.number(one) or Decimal(0), one)
        )
        for one in ask.measures
    ]
    sentence = filled(
        "{month}{values}입니다({first}부터 {last}까지).",
        "Your shop's {values} {month}({first} to {last}).",
        month=month,
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
                name=_NAMES[one][1],
                value=_value(row.number(one) or Decimal(0), one),
            )
            for one in others
        ]
    )
    return Outcome(
        answered(ask, sentence, evidence_ids=(piece.evidence_id,), grounds=(Ground(more, (piece.evidence_id,)),)),
        evidence=(piece,),
    )


def products_calls(ask: Ask) -> Sequence[Call]:
    return [
        query(
            "own_sales",
            [*dict.fromkeys((*ask.measures, "revenue", "units", "first_day", "last_day"))],
            by=("product_id", "name_ko", "name_en", "category"),
            tool=OWN_TOOL,
            start=date.fromisoformat(ask.start_date),
            end=date.fromisoformat(ask.end_date),
            order_by=ask.order_by,
            descending=ask.descending,
            limit=10,
        )
    ]


def rank_products(ask: Ask, found: Found) -> Outcome:
    """Return the seller's products by a figure."""
    rows, measure = rows_of(found.readings), ask.order_by
    if not rows:
        sentence = Said(
            "이 기간에는 본인 상점의 판매 자료가 없습니다.", "There are no sales of your own shop in this period."
        )
        return Outcome(answered(ask, sentence))
    first = rows[0]
    name = Said(first.text("name_ko"), first.text("name_en"))
    label = _NAMES[measure][1]
    way = Said("가장 많은" if ask.descending else "가장 적은", "most" if ask.descending else "least")
    head = filled(
        "{label:이/가} {way} 상품은 {name}입니다: {value}({first}부터 {last}까지).",
        "By {label} the {way} comes from {name}: {value} ({first} to {last}).",
        label=label,
        way=way,
        name=name,
        value=_value(first.number(measure) or Decimal(0), measure),
        first=day_said(first.text("first_day")),
        last=day_said(first.text("last_day")),
    )
    rest = listed(
        [
            filled("{n} {v}", "{n} {v}", n=short_name(row), v=_value(row.number(measure) or Decimal(0), measure))
            for row in rows[1:3]
        ]
    )
    tail = filled("다음은 {rest}입니다.", "Next: {rest}.", rest=rest) if len(rows) > 1 else None
    piece = proof(found.readings[0], Said("내 상점의 매출", "Your shop's sales"), found.asking.locale, "sales")
    grounds = tuple(
        Ground(
            filled(
                "{at}위 {n}: {v}",
                "{at}. {n}: {v}",
                at=str(at),
                n=Said(row.text("name_ko"), row.text("name_en")),
                v=_value(row.number(measure) or Decimal(0), measure),
            ),
            (piece.evidence_id,),
        )
        for at, row in enumerate(rows, start=1)
    )
    told = tuple(
        Told("product", row.text("product_id"), row.text("name_ko"), {measure: row.text(measure)}) for row in rows
    )
    return Outcome(
        answered(ask, sentences(head, tail), evidence_ids=(piece.evidence_id,), grounds=grounds, told=told),
        evidence=(piece,),
    )
