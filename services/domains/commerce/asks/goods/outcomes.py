"""What an answer on goods is made of beside its sentence: rows, evidence, what later words may point to."""

from collections.abc import Sequence
from typing import Final

from services.contract.asks import Ask, AskForm, Ground, Said
from services.contract.flow import Evidence
from services.domains.commerce.asks.goods.rows import DATA, Choice
from services.domains.commerce.asks.goods.saying import line_said, told_of
from services.plugin.asks.answering import Found, Outcome, answered
from services.plugin.asks.telling import QueryRow, proof

_SHOWN: Final = 40


def proofs_of(found: Found) -> tuple[Evidence, ...]:
    return tuple(proof(one, DATA, found.asking.locale, "product") for one in found.readings if one.rows)


def evidence_ids_of(pieces: Sequence[Evidence]) -> tuple[str, ...]:
    return tuple(piece.evidence_id for piece in pieces)


def told_in_rows(
    ask: Ask, choice: Choice, found: Found, sentence: Said, rows: Sequence[QueryRow], **more: object
) -> Outcome:
    pieces = proofs_of(found)
    lines = (
        tuple(Ground(line_said(row), evidence_ids_of(pieces)[:1]) for row in rows[:_SHOWN])
        if len(rows) > 1 or ask.form is AskForm.LIST
        else ()
    )
    answer = answered(
        ask,
        sentence,
        evidence_ids=evidence_ids_of(pieces),
        grounds=more.pop("grounds", lines),
        conditions=choice.conditions,
        told=tuple(told_of(row) for row in rows[:_SHOWN]),
        **more,
    )
    return Outcome(answer, evidence=pieces)
