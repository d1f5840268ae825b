"""What reuse saves over whole flows of the follow-up sets, with a model double behind every decision."""

from pathlib import Path

import pytest

from services.cli.evaluation.rows import rows_of
from services.durable.experiments import HYBRID, NO_REUSE
from tests.evals.test_evaluation_sets import CASES, OWN, needs_cases
from tests.support.reuse_runs import saved, variants_running


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.asyncio
@pytest.mark.parametrize("path", [OWN, pytest.param(CASES, marks=needs_cases)], ids=["own", "dev"])
async def test_reuse_avoids_searches_and_calls_and_is_never_wrong(tmp_path: Path, data: Path, path: Path) -> None:
    """At least 60 % of searches are avoided where that is right, with 40 % fewer model calls, and none where it is not.

    A short version over conversations of its own is in the default run (test_experiments.py).
    """
    async with variants_running(tmp_path, data, (HYBRID, NO_REUSE)) as runs:
        for row in rows_of(path / "followups.jsonl", ("id", "turns")):
            await runs.had(row)
        report = await runs.report()
    one, without = report[HYBRID], report[NO_REUSE]
    share, fewer = one.correct_skips / runs.right["use"], saved(one, without)
    calls = [each.usage_where_use_was_right.model_calls for each in (one, without)]
    print(f"{path.name}: {one.correct_skips} of {runs.right['use']} searches avoided, calls {calls}, {fewer:.0%} fewer")  # noqa: T201 - the figure, with -s
    assert (one.incorrect_skips, without.searches_avoided) == (0, 0)
    assert one.labelled == without.labelled == runs.right.total()
    assert share >= 0.6, f"{share:.0%} of searches avoided"
    assert fewer >= 0.4, f"{fewer:.0%} fewer model calls"
