"""The project's own questions, and evaluation sets beside it where they lie: accuracy is printed and has a floor."""

from pathlib import Path

import pytest

from tests.evals.scoring import Ensemble, rows_of, score_plans, score_routing

CASES = Path(__file__).parents[3] / "shared" / "cases" / "dev"
needs_cases = pytest.mark.skipif(not CASES.is_dir(), reason="the evaluation sets are not beside the project")


@needs_cases
@pytest.mark.asyncio
async def test_routing() -> None:
    """Policy is right always; intent and next action 95 times in 100, entities too; nothing hard fails."""
    score = await score_routing(rows_of(CASES / "routing.jsonl"), Ensemble())
    print("\n".join(score.lines()))  # noqa: T201 - the figures are what this test is run for
    assert score.accuracy("policy") == 1.0
    assert score.accuracy("policy_tags") == 1.0
    assert score.accuracy("intent") >= 0.95
    assert score.accuracy("next_action") >= 0.95
    assert score.accuracy("entities") >= 0.95


@pytest.mark.asyncio
async def test_own_rows() -> None:
    """The project's own questions, an intent each and more, are right 97 times in 100."""
    score = await score_routing(rows_of(Path(__file__).parent / "rows" / "routing.jsonl"), Ensemble())
    print("\n".join(score.lines()))  # noqa: T201 - the figures are what this test is run for
    assert score.accuracy("policy") == 1.0
    assert score.accuracy("intent") >= 0.97
    assert score.accuracy("next_action") >= 0.97


@needs_cases
@pytest.mark.asyncio
async def test_plans() -> None:
    """Nine plans of ten are right."""
    score = await score_plans(rows_of(CASES / "plans.jsonl"), Ensemble())
    print("\n".join(score.lines()))  # noqa: T201 - the figures are what this test is run for
    assert score.accuracy("plan") >= 0.9
