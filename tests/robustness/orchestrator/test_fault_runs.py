"""One fault a flow: each row of the recovery table at every step of thirty flows.

    pytest -m slow tests/robustness/orchestrator             all of it, by rule and by model; the tables are printed
    pytest -m slow -n 2 tests/robustness/orchestrator        the two side by side; the tables stand beside the runs

Table and runs are kept in fault_runs.txt and fault_runs.json in each test's own folder.
"""

from collections.abc import Sequence
from pathlib import Path

import pytest

from services.tool_gateway.data.copying import copy_folder
from tests.support.faults.kinds import Case
from tests.support.faults.questions import QUESTIONS
from tests.support.faults.report import Ran, as_json, table
from tests.support.faults.runs import numbered, runs

RUNS_MIN = 180
"""Runs by rule, and by model: more than 300 in all."""
SHARE_MIN = 0.95
"""Of the runs that may answer, how many end right or honestly in part."""
UNMET_SHARE_MAX = 0.02
"""Of the runs, in how many the fault may meet no call: whether some prompts are asked is a matter of time."""
SAMPLED = {"prices", "cause", "reuse", "action"}
"""Flows of the short version."""
SAMPLE_STEP = 2
"""The short version takes every so many-th of their cases."""


async def _ran(
    folder: Path, data: Path, capsys: pytest.CaptureFixture[str], *, by_model: bool, whole: bool
) -> list[Ran]:
    shop = folder / "shop"
    copy_folder(data.parent, shop)

    def told(ran: Ran) -> None:
        if not ran.passes:
            with capsys.disabled():
                print(f"\n{ran.judged.verdict}: {ran.case.name}: {'; '.join(ran.judged.faults)}")  # noqa: T201

    async with runs(folder / "run", shop / "data.db", by_model=by_model) as all_runs:
        questions = [(number, one) for number, one in numbered() if whole or one.name in SAMPLED]
        cases = await all_runs.cases(questions)
        return await all_runs.run_all(cases if whole else _sampled(cases), told)


def _sampled(cases: Sequence[Case]) -> Sequence[Case]:
    return [case for case in cases if not case.waits][::SAMPLE_STEP]


def _check(ran: Sequence[Ran]) -> None:
    """No run may hang, repeat an effect, invent a figure or hide a gap; nearly all have to answer."""
    unmet = [one.case.name for one in ran if not one.happened]
    assert len(unmet) <= UNMET_SHARE_MAX * len(ran), f"faults that met no call: {unmet}"
    wrong = [(one.case.name, one.judged.faults) for one in ran if one.judged.verdict in {"wrong", "hang"}]
    assert not wrong
    answering = [one for one in ran if not one.case.guarded]
    assert sum(one.passes for one in answering) >= SHARE_MIN * len(answering)
    assert all(one.passes for one in ran if one.case.guarded), "what is not guarded must not run"


@pytest.mark.long
@pytest.mark.asyncio
async def test_a_fault_in_some_flows(tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The short version: some of the runs below, by rule."""
    ran = await _ran(tmp_path, data, capsys, by_model=False, whole=False)
    assert len(ran) >= 20
    _check(ran)


@pytest.mark.slow
@pytest.mark.asyncio
@pytest.mark.timeout(900)
@pytest.mark.parametrize("by_model", [False, True], ids=["rule", "model"])
async def test_every_fault_at_every_step(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str], by_model: bool
) -> None:
    """Every row of the table at every step of fifteen flows; what comes of it is printed and kept as JSON."""
    ran = await _ran(tmp_path, data, capsys, by_model=by_model, whole=True)
    as_json(ran, tmp_path / "fault_runs.json")
    (tmp_path / "fault_runs.txt").write_text(table(ran))
    with capsys.disabled():
        print(f"\n{table(ran)}\n{tmp_path / 'fault_runs.json'}")  # noqa: T201
    assert len(ran) >= RUNS_MIN
    assert len({one.case.flow for one in ran}) == len(QUESTIONS)
    _check(ran)
