"""The project's own questions, and evaluation sets beside it where they lie: accuracy has a floor.

Run through what `hapju eval` runs: real services over sockets, without a model.
"""

from pathlib import Path

import pytest

from services.cli.evaluation.asking import started
from services.cli.evaluation.followups import score_followups
from services.cli.evaluation.plans import score_plans
from services.cli.evaluation.readings import score_readings
from services.cli.evaluation.routing import score_routing
from services.cli.evaluation.rows import rows_of
from services.cli.evaluation.score import Score
from services.runtime.settings import Settings

CASES = Path(__file__).parents[3] / "shared" / "cases" / "dev"
OWN = Path(__file__).parent / "rows"
SCORERS = {"routing": score_routing, "plans": score_plans, "followups": score_followups}
needs_cases = pytest.mark.skipif(not CASES.is_dir(), reason="the evaluation sets are not beside the project")


async def scored(kind: str, path: Path, folder: Path) -> Score:
    """Return the score of a file."""
    settings = Settings(data_dir=folder)
    async with started(settings) as services:
        return await SCORERS[kind](rows_of(path, ("id",)), services, settings)


def figures(score: Score, *names: str) -> dict[str, float]:
    """Return the accuracies that a test looks at, so that a failure shows them with the rows."""
    return {name: round(score.accuracy(name), 4) for name in names}


@needs_cases
@pytest.mark.asyncio
async def test_routing(tmp_path: Path) -> None:
    """Policy is right always; intent, next action and entities 95 times in 100; nothing hard fails."""
    score = await scored("routing", CASES / "routing.jsonl", tmp_path)
    assert figures(score, "policy", "policy_tags") == {"policy": 1.0, "policy_tags": 1.0}
    assert min(figures(score, "intent", "next_action", "entities").values()) >= 0.95
    assert score.hard_fails == []


@pytest.mark.asyncio
@pytest.mark.parametrize("name", ["routing.jsonl", "fresh.jsonl", "second.jsonl", "third.jsonl"])
async def test_own_rows(tmp_path: Path, name: str) -> None:
    """The project's own questions are right 97 times in 100, and the policy's verdict always."""
    score = await scored("routing", OWN / name, tmp_path)
    assert figures(score, "policy") == {"policy": 1.0}
    assert min(figures(score, "intent", "next_action", "entities").values()) >= 0.97
    assert [miss.name for miss in score.hard_fails if miss.name.startswith("forbid")] == []


@needs_cases
@pytest.mark.asyncio
async def test_plans(tmp_path: Path) -> None:
    """Nine plans of ten are right."""
    score = await scored("plans", CASES / "plans.jsonl", tmp_path)
    assert min(figures(score, "plan", "strategy").values()) >= 0.9


@needs_cases
@pytest.mark.asyncio
async def test_followups(tmp_path: Path) -> None:
    """Nothing is reused that must not be, and 85 verdicts in 100 are right."""
    score = await scored("followups", CASES / "followups.jsonl", tmp_path)
    assert figures(score, "incorrect_skips") == {"incorrect_skips": 1.0}
    assert min(figures(score, "reuse", "search_only").values()) >= 0.85
    assert score.hard_fails == []


@needs_cases
def test_amounts_and_dates() -> None:
    """Every sum, area and date is exact or asked."""
    score = score_readings(rows_of(CASES / "amounts_dates.jsonl", ("id",)))
    assert figures(score, "value") == {"value": 1.0}
