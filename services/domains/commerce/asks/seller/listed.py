"""The goods that a seller offers: which, at what price and cost, how many are left."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskCondition, AskForm, Ground, Said
from services.domains.commerce.asks.goods.drafts import drafted
from services.domains.commerce.asks.goods.rows import FIELDS, chosen
from services.domains.commerce.asks.goods.saying import (
    category_said,
    full_name,
    limits_said,
    price_of,
    stock_of,
    stock_said,
    told_of,
)
from services.domains.commerce.asks.goods.subjects import category_of
from services.domains.commerce.asks.rows_own import OWN_TOOL, evidence_ids_of, proofs_of
from services.domains.commerce.rules import RULES
from services.plugin.asks.answering import Call, Found, Outcome, answered
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import QueryRow, exact_won, filled, listed, query, where

_ROWS_MAX = 200
_TOLD_MAX = 3
SOON_GONE: Final = (
    r"곧\s?(?:다\s?)?(?:떨어|없어|품절|동\s?나|소진)|떨어져\s?(?:가|간)|얼마\s?(?:안|없)|거의\s?(?:다\s|없|바닥)|바닥\s?(?:나|난|났|보)|부족|모자라"
    r"|\brunning (?:low|out)\b|\b(?:run|sell)s? out\b|\b(?:almost|nearly|about|close to being) (?:gone|out|sold)|\blow (?:on|in|stock)"
)
"""Goods of which little is left."""


SOLD_OUT: Final = r"품절|재고\s?(?:가|이)?\s?(?:0(?!\.)|영(?=\s|인)|없)|sold out|out of stock|\b(?:0|zero|no|nothing) (?:left )?in stock|\b(?:stock|at) (?:of |is |at )?(?:0|zero)\b"


def listed_ask(sheet: Sheet) -> Ask:
    """Return the ask about the person's own goods, with the conditions that are said of goods."""
    category = next(iter(sheet.values("category")), "")
    soon = sheet.says(SOON_GONE)
    sold_out = not soon and sheet.says(SOLD_OUT)
    ask = drafted(sheet, category, ())
    conditions = tuple(one for one in ask.conditions if not ((sold_out or soon) and one.field == "stock"))
    if soon:
        conditions += (AskCondition("stock", "le", str(RULES.listings.low_stock), "count"),)
    notes = {
        **ask.notes,
        "sold_out": "yes" if sold_out else "",
        "paused": "yes" if sheet.says(r"판매\s?중지|paused") else "",
    }
    return replace(
        ask, form=AskForm.LIST, answerer="own_listings", intent="seller_analytics", conditions=conditions, notes=notes
    )


def listed_calls(ask: Ask) -> Sequence[Call]:
    """Return the query for the goods that the person sells."""
    filters = [where("category", category_of(ask))] if category_of(ask) else []
    filters += [where("stock", 0)] if ask.notes.get("sold_out") else []
    filters += [where("status", "paused")] if ask.notes.get("paused") else []
    fields = (*FIELDS, "status", "unit_cost_krw")
    return [
        query(
            "own_listings",
            fields,
            mode="rows",
            filters=filters,
            tool=OWN_TOOL,
            order_by="stock",
            descending=False,
            limit=_ROWS_MAX,
        )
    ]


def tell_listed(ask: Ask, found: Found) -> Outcome:
    """Return the goods of the person's own shop that meet every condition, those first of which least is left."""
    choice = chosen(replace(ask, order_by=ask.order_by or "stock"), found, "own_listings")
    pieces = proofs_of(found, Said("내 판매 상품", "The goods you sell"), "seller_listing")
    limits = limits_said(choice, ask)
    scope = Said(
        f"조건({limits.ko})에 맞는 " if limits.ko else "",
        f" that meet the conditions ({limits.en})" if limits.en else "",
    )
    if not choice.rows:
        sentence = filled(
            "{scope}본인의 판매 상품이 없습니다.",
            "None of the goods you sell{scope}.",
            scope=scope if limits.ko else Said("", " is there"),
        )
        return Outcome(
            answered(ask, sentence, evidence_ids=evidence_ids_of(pieces), conditions=choice.conditions), evidence=pieces
        )
    first = listed([_brief(row) for row in choice.rows[:_TOLD_MAX]])
    sentence = filled(
        "{scope}{state}내 판매 상품은 {n}개입니다: {first}.",
        "You sell {n} {what}{state}{scope}: {first}.",
        scope=scope,
        state=_state_said(ask),
        n=str(len(choice.rows)),
        what=category_said(ask),
        first=first,
    )
    answer = answered(
        ask,
        sentence,
        evidence_ids=evidence_ids_of(pieces),
        conditions=choice.conditions,
        grounds=tuple(Ground(_line(row), evidence_ids_of(pieces)[:1]) for row in choice.rows[:40]),
        told=tuple(told_of(row) for row in choice.rows[:40]),
    )
    return Outcome(answer, evidence=pieces)


def _state_said(ask: Ask) -> Said:
    """Return the state that the goods are asked for in."""
    if ask.notes.get("sold_out"):
        return Said("품절된 ", " that are sold out")
    return Said("판매 중지된 ", " that are paused") if ask.notes.get("paused") else Said("", "")


def _brief(row: QueryRow) -> Said:
    return filled("{n}({s})", "{n} ({s})", n=full_name(row), s=stock_said(row))


def _line(row: QueryRow) -> Said:
    cost = row.number("unit_cost_krw") or Decimal(0)
    known = exact_won(cost) if cost else Said("모름", "unknown")
    status = Said("판매 중지", "paused") if row.text("status") == "paused" else Said("판매 중", "on sale")
    return filled(
        "{n}: {price}, 원가 {cost}, 재고 {left}개, {status}",
        "{n}: {price}, cost {cost}, {left} left, {status}",
        n=full_name(row),
        price=exact_won(price_of(row)),
        cost=known,
        left=str(stock_of(row)),
        status=status,
    )
