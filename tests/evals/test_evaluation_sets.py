"""The project's own questions, and evaluation sets beside it where they lie: accuracy has a floor.

Run through what `hapju eval` runs: real services over sockets, without a model.
"""

import json
from pathlib import Path

import pytest

from services.catalog.loader import catalog
from services.catalog.spoken import utterances
from services.cli.evaluation.asking import started
from services.cli.evaluation.followups import score_followups
from services.cli.evaluation.plans import score_plans
from services.cli.evaluation.routing import score_routing
from services.cli.evaluation.rows import rows_of
from services.cli.evaluation.running import score_readings
from services.cli.evaluation.score import Score
from services.runtime.settings import Settings
from services.text.normalise import normalise

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
@pytest.mark.long
@pytest.mark.asyncio
async def test_routing(tmp_path: Path) -> None:
    """Policy is right always; intent, next action and entities 95 times in 100; nothing hard fails."""
    score = await scored("routing", CASES / "routing.jsonl", tmp_path)
    assert figures(score, "policy", "policy_tags") == {"policy": 1.0, "policy_tags": 1.0}
    assert min(figures(score, "intent", "next_action", "entities").values()) >= 0.95
    assert score.hard_fails == []


@pytest.mark.long
@pytest.mark.asyncio
@pytest.mark.parametrize(
    "name", ["routing_a", "routing_b", "routing_c", "routing_d", "routing_e", "routing_f", "policy", "conversations"]
)
async def test_own_questions(tmp_path: Path, name: str) -> None:
    """The project's own questions are right 95 times in 100, the policy's verdict always; none goes where it must not.

    Each set was written before the tables were looked at; none of their texts is one that the scope voter is fitted on.
    """
    score = await scored("routing", OWN / f"{name}.jsonl", tmp_path)
    assert figures(score, "policy") == {"policy": 1.0}
    assert min(figures(score, "intent", "next_action", "entities").values()) >= 0.95
    assert [miss.name for miss in score.hard_fails if miss.name.startswith("forbid")] == []


@pytest.mark.long
@pytest.mark.asyncio
async def test_own_verdicts(tmp_path: Path) -> None:
    """Of 263 requests that the policy refuses 97 in 100 are refused, and no request that sounds like one is."""
    score = await scored("routing", OWN / "verdicts.jsonl", tmp_path)
    assert figures(score, "policy")["policy"] >= 0.97
    assert [miss.row_id for miss in score.misses if miss.name == "policy" and miss.want == "ALLOW"] == []


@pytest.mark.asyncio
async def test_own_plans(tmp_path: Path) -> None:
    """Nine of ten of the project's own plans are right."""
    score = await scored("plans", OWN / "plans.jsonl", tmp_path)
    assert min(figures(score, "plan", "strategy").values()) >= 0.9


@pytest.mark.long
@pytest.mark.asyncio
async def test_own_followups(tmp_path: Path) -> None:
    """Nothing is reused that must not be, and 85 verdicts in 100 are right."""
    score = await scored("followups", OWN / "followups.jsonl", tmp_path)
    assert figures(score, "incorrect_skips") == {"incorrect_skips": 1.0}
    assert min(figures(score, "reuse", "search_only").values()) >= 0.85
    assert score.hard_fails == []


def test_own_amounts_and_dates() -> None:
    """Every sum, area and date is exact or asked."""
    score = score_readings(rows_of(OWN / "amounts.jsonl", ("id",)))
    assert figures(score, "value") == {"value": 1.0}


def test_no_row_is_fitted_on() -> None:
    """The sets measure: none of their texts is an utterance or example of the catalog, but for a word of thanks."""
    paths = [*OWN.glob("*.jsonl"), *(CASES.glob("*.jsonl") if CASES.is_dir() else ())]
    rows = [json.loads(line) for path in paths for line in path.read_text("utf-8").splitlines()]
    texts = {normalise(row["query"]) for row in rows if "query" in row}
    turns = [turn for row in rows for turn in row.get("turns", ())]
    texts |= {normalise(turn if isinstance(turn, str) else turn["user"]) for turn in turns}
    fitted_on = texts & {normalise(text) for _, text in utterances(catalog())}
    assert {text for text in fitted_on if len(text.split()) > 1} == set()


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
