"""Whole questions with a model that lies about verdicts and sums: none is answered wrongly that was answered right."""

import json
from pathlib import Path
from typing import Any

import pytest

from services.cli.evaluation.answers.scoring import AnswerScore, score_answers
from services.runtime.settings import Settings
from tests.evals.test_answer_rows import ROWS
from tests.support.lies import LYING, SIGNS
from tests.support.model_server import ModelServer

EVERY = 60
"""One row of so many is tried by default; all of them in the slow tier."""


async def scores(rows: list[dict[str, Any]], data: Path) -> tuple[AnswerScore, AnswerScore]:
    """Returns what rows come to without a model and with one that lies."""
    plain = await score_answers(rows, Settings(data_dir=data.parent, log_level="error"), model=False)
    async with ModelServer(LYING) as server:
        given = {"openai_base_url": server.base_url, "openai_api_key": "test"}
        lied = await score_answers(rows, Settings(data_dir=data.parent, log_level="error", **given), model=True)
        assert len(server.calls) > len(rows)
    return plain, lied


def wronged(plain: AnswerScore, lied: AnswerScore) -> dict[str, list[str]]:
    """Returns what a lie did to rows: what was said of it, or a right answer that became a wrong one."""
    before = {one["id"]: one for one in plain.told}
    found: dict[str, list[str]] = {}
    for one in lied.told:
        was = before[one["id"]]
        text, own = "\n".join(one["answers"]), "\n".join(was["answers"])
        said = [sign for sign in SIGNS if sign in text and sign not in own]
        worse = one["too_much"] if was["right"] else []
        lost = one["missing"] if was["right"] else []
        if said or worse or lost:
            found[one["id"]] = [*said, *worse, *lost]
    return found


@pytest.mark.long
@pytest.mark.asyncio
async def test_a_lying_model_makes_no_row_wrong(data: Path) -> None:
    """On a sample of the project's rows each answer is as right as without a model, and no lie stands in one."""
    plain, lied = await scores(ROWS[::EVERY], data)
    assert wronged(plain, lied) == {}, json.dumps(lied.told, ensure_ascii=False)[:4_000]
    assert plain.right["right"] >= len(ROWS[::EVERY]) // 2


@pytest.mark.slow
@pytest.mark.asyncio
async def test_a_lying_model_makes_no_row_of_all_wrong(data: Path) -> None:
    """The same over every row."""
    plain, lied = await scores(ROWS, data)
    assert wronged(plain, lied) == {}
