"""What a client reads of an answer without reading its text: asks, verdicts, figures and rows, each of its type."""

import json
from decimal import Decimal
from pathlib import Path

import pytest

from hapju.flow.v1 import answer_pb2, ask_pb2
from tests.support.cluster import embedded

LEVEL = "테슬라 주가 얼마야?"
WHICH = "Which is cheaper by P/E, Nvidia or Apple?"


def answers_in(answer: answer_pb2.FinalAnswer) -> list[ask_pb2.AskAnswer]:
    """Return what came of each ask, as a client finds it."""
    return [one for agent in answer.selected_agents for one in agent.output.answers]


@pytest.mark.asyncio
async def test_an_answer_is_read_without_its_text(tmp_path: Path, data: Path) -> None:
    """Form, state and figures are fields; a figure is a plain decimal, and rows are of the schema that they name."""
    async with embedded(tmp_path, data, typed_asks=True) as cluster:
        level, which = [(await cluster.ask(text)).answer for text in (LEVEL, WHICH)]
    forms = {
        name: [(one.form, one.state) for one in answers_in(answer)]
        for name, answer in (("level", level), ("which", which))
    }
    assert forms["level"] == [(ask_pb2.ASK_FORM_LEVEL, ask_pb2.ANSWER_STATE_ANSWERED)]
    assert [state for _, state in forms["which"]] == [ask_pb2.ANSWER_STATE_ANSWERED]
    told = [one for answer in (level, which) for found in answers_in(answer) for one in found.told]
    figures = [figure for one in told for figure in one.figures.values()]
    assert figures
    assert all(Decimal(figure).is_finite() for figure in figures)
    assert {one.kind for one in told} == {"security"}
    kept = [evidence for agent in level.selected_agents for evidence in agent.output.evidence]
    rows = [row for evidence in kept for row in json.loads(evidence.rows_json)]
    assert rows
    assert all(evidence.rows_schema_id for evidence in kept)
    known = {evidence.evidence_id for evidence in kept}
    assert {one for found in answers_in(level) for one in found.evidence_ids} <= known
