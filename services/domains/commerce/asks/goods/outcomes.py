"""What an answer on goods is made of beside its sentence: rows, evidence, what later words may point to."""

from collections.abc import Sequence
from typing import Final

from services.contract.asks import Ask, AskForm, Ground, Said
from services.contract.charts import Chart
from services.contract.flow import Evidence
from services.domains.commerce.asks.goods.rows import DATA, Choice
from services.domains.commerce.asks.goods.saying import category_said, line_said, told_of
from services.plugin.asks.answering import Found, Outcome, answered
from services.plugin.asks.charts import bars
from services.plugin.asks.telling import QueryRow, filled, proof

_SHOWN: Final = 40
_PRICE: Final = Said("판매가", "Price")
_CUT: Final = Said(
    "상품이 많아 앞의 200개까지만 살펴보았습니다. 가격이나 평점으로 좁히면 빠짐없이 찾습니다.",
    "There are more goods than could be looked at: these are from the first 200. A limit on price or rating finds them all.",
)


def proofs_of(found: Found) -> tuple[Evidence, ...]:
    """Return the readings that hold rows, as evidence."""
    return tuple(proof(one, DATA, found.asking.locale, "product") for one in found.readings if one.rows)


def evidence_ids_of(pieces: Sequence[Evidence]) -> tuple[str, ...]:
    """Return the ids of pieces of evidence."""
    return tuple(piece.evidence_id for piece in pieces)


def told_in_rows(
    ask: Ask, choice: Choice, found: Found, sentence: Said, rows: Sequence[QueryRow], **more: object
) -> Outcome:
    """Return a sentence with the rows that it speaks of listed below it."""
    pieces = proofs_of(found)
    lines = (
        tuple(Ground(line_said(row), evidence_ids_of(pieces)[:1]) for row in rows[:_SHOWN])
        if len(rows) > 1 or ask.form is AskForm.LIST
        else ()
    )
    cautions = (*((_CUT,) if choice.is_cut else ()), *_one_kind(ask, choice))
    if cautions:
        more["cautions"] = cautions
    answer = answered(
        ask,
        sentence,
        evidence_ids=evidence_ids_of(pieces),
        grounds=more.pop("grounds", lines),
        conditions=choice.conditions,
        told=tuple(told_of(row) for row in rows[:_SHOWN]),
        charts=_drawn(ask, rows, found.asking.locale, evidence_ids_of(pieces)),
        **more,
    )
    return Outcome(answer, evidence=pieces)


def _one_kind(ask: Ask, choice: Choice) -> tuple[Said, ...]:
    """Return that what was named beside a kind of goods is no kind of its own here; nothing where all was one."""
    if not (also := ask.notes.get("one_kind", "")):
        return ()
    said = filled(
        "{also:은/는} 따로 나누어 두지 않아 {what:과/와} 함께 찾았습니다.",
        "There is no kind of goods of its own for {also}: they were looked for among the {what}.",
        also=Said(also, also), what=category_said(ask, choice.all),
    )  # fmt: skip
    return (said,)


def _drawn(ask: Ask, rows: Sequence[QueryRow], locale: str, evidence_ids: Sequence[str]) -> tuple[Chart, ...]:
    """Return the prices as bars, where goods are compared or ranked by them."""
    points = [(row.text("name_ko" if locale == "ko" else "name_en"), row.number("price_krw")) for row in rows]
    prices = [value for _, value in points if value is not None]
    if ask.form not in {AskForm.RANK, AskForm.COMPARE} or prices not in (sorted(prices), sorted(prices, reverse=True)):
        return ()
    return bars(_PRICE.of("ko" if locale == "ko" else "en"), "krw", points, evidence_ids)
