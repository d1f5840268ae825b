"""What messages are read as and what rows answer them, for the tests of this folder."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from services.catalog.reading import read_question
from services.contract.asks import Ask, AskAnswer, AskedBefore
from services.contract.flow import Provenance
from services.domains.commerce.asks import ANSWERERS, READ
from services.plugin.asks.answering import Found
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import QueryRow
from services.plugin.findings import Asking, Reading

NOW = datetime(2026, 5, 20, 3, 0, tzinfo=UTC)

BY_ID = {one.id: one for one in ANSWERERS}

ORIGIN = Provenance(
    source="s",
    dataset="d",
    table="t",
    filters_json=b"{}",
    row_count=1,
    template_id="x",
    fingerprint="f",
    sample=True,
    as_of_time=NOW,
)


def sheet_of(text: str, user_type: str = "consumer") -> Sheet:
    """Return a message as the readers have it."""
    reading = read_question(text, now=NOW)
    return Sheet(reading.text, reading.language, reading.today, reading.entities, user_type)


def ask_of(text: str, *before: AskedBefore, user_type: str = "consumer") -> Ask:
    """Return the one ask of a message."""
    (claim,) = READ(sheet_of(text, user_type), before)
    return replace(claim.ask, ask_id="q1", domain="commerce")


def conditions_of(ask: Ask) -> set[tuple[str, str, str]]:
    """Return the conditions of an ask."""
    return {(one.field, one.operator, one.value) for one in ask.conditions}


def row_of(**fields: Any) -> QueryRow:
    """Return a row of a query."""
    return QueryRow(fields=fields, row_count=1, total=1, as_of=NOW)


def keyboard(number: int, price: int, stock: int = 9, rating: float = 4.0, **attributes: object) -> QueryRow:
    """Return a keyboard of an invented maker."""
    return row_of(
        product_id=f"KEYBOARD-{number:04d}",
        name_ko=f"가온 라인 K{number}0 키보드",
        name_en=f"Gaon Line K{number}0 Keyboard",
        brand_ko="가온",
        brand_en="Gaon",
        category="keyboard",
        attributes=json.dumps(attributes),
        price_krw=price,
        list_price_krw=price,
        discount_percent=0,
        rating=rating,
        review_count=100,
        stock=stock,
    )


def answer_of(ask: Ask, rows: Mapping[str, Sequence[QueryRow]], locale: str = "ko") -> AskAnswer:
    """Return what an ask is answered over rows of data sets."""
    answerer = BY_ID[ask.answerer.rpartition(".")[2]]
    readings = tuple(
        Reading(call.tool, "query", call.arguments, tuple(found), "x", ORIGIN, truncated=False, partial=False)
        for call in answerer.calls(ask)
        if (found := rows.get(call.arguments["dataset"]))
    )
    asking = Asking("", locale, NOW, "Asia/Seoul", "", (), (), ())
    return answerer.answer(ask, Found(readings, asking)).answer


def said_in(answer: AskAnswer) -> str:
    """Return the sentence of an answer, in Korean."""
    assert answer.sentence is not None
    return answer.sentence.ko


SHELF = (
    keyboard(1, 20_000, connection="wireless", switch="low_noise", colour="black"),
    keyboard(2, 45_000, connection="wireless", switch="mechanical", colour="white"),
    keyboard(3, 30_000, stock=0, connection="wireless", switch="low_noise", colour="navy"),
    keyboard(4, 15_000, rating=4.9, connection="wired", switch="low_noise", colour="black"),
)


def monitor(number: int, price: int, inches: int, stock: int = 9, maker: str = "가온") -> QueryRow:
    """Return a monitor of an invented maker."""
    return row_of(
        product_id=f"MONITOR-{number:04d}",
        name_ko=f"{maker} 창 M{number}0 {inches}인치 모니터",
        name_en=f"Gaon Pane M{number}0 {inches}-inch Monitor",
        brand_ko=maker,
        brand_en="Gaon",
        category="monitor",
        attributes=json.dumps({"screen_inch": inches}),
        price_krw=price,
        list_price_krw=price,
        discount_percent=0,
        rating=4.0,
        review_count=100,
        stock=stock,
    )


SCREENS = (
    monitor(1, 90_000, 24),
    monitor(2, 140_000, 32),
    monitor(3, 120_000, 27),
    monitor(4, 100_000, 32, stock=0),
    monitor(5, 200_000, 32),
)
