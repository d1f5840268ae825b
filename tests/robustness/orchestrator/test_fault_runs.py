"""One fault a flow, each kind of the recovery table at every step of thirty flows (spec 2.4)."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.support.faults.kinds import Case
from tests.support.faults.report import Ran, as_json, table
from tests.support.faults.runs import numbered, runs

RUNS_MIN = 300
"""Runs of the whole (spec 2.4)."""
SHARE_MIN = 0.95
"""Of the runs that may answer, how many end right or honestly in part."""
SHORT_STEP = 17
"""The short version takes every so many-th case."""


async def _ran(
    tmp_path: Path, data: Path, *, by_model: bool, step: int, capsys: pytest.CaptureFixture[str]
) -> list[Ran]:
    folder = tmp_path / ("model" if by_model else "rule")
    shutil.copytree(data.parent, tmp_path / "shop", dirs_exist_ok=True)

    def told(ran: Ran) -> None:
        if not ran.passes:
            with capsys.disabled():
                print(f"\n{ran.judged.verdict}: {ran.case.name}: {'; '.join(ran.judged.faults)}")  # noqa: T201

    async with runs(folder, tmp_path / "shop" / "data.db", by_model=by_model) as all_runs:
        questions = numbered() if step == 1 else _sampled()
        cases = await all_runs.cases(questions)
        return await all_runs.run_all(_chosen(cases, step), told)


def _sampled() -> list:
    return [(number, one) for number, one in numbered() if one.name in {"prices", "cause", "reuse", "action"}]


def _chosen(cases: Sequence[Case], step: int) -> Sequence[Case]:
    return cases if step == 1 else [case for case in cases if not case.waits][::step]


def _check(ran: Sequence[Ran]) -> None:
    """No run may hang, repeat an effect, invent a figure or hide a gap; and nearly all have to answer."""
    unmet = [one.case.name for one in ran if not one.happened]
    assert not unmet, f"faults that met no call: {unmet}"
    wrong = [(one.case.name, one.judged.faults) for one in ran if one.judged.verdict in {"wrong", "hang"}]
    assert not wrong
    answering = [one for one in ran if not one.case.guarded]
    assert sum(one.passes for one in answering) >= SHARE_MIN * len(answering)
    assert all(one.passes for one in ran if one.case.guarded), "what is not guarded must not run"


@pytest.mark.asyncio
@pytest.mark.timeout(120)
async def test_a_fault_in_some_flows(tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The short version: some of the runs below, by rule."""
    ran = await _ran(tmp_path, data, by_model=False, step=4, capsys=capsys)
    assert len(ran) >= 20
    _check(ran)


@pytest.mark.slow
@pytest.mark.asyncio
@pytest.mark.timeout(900)
async def test_every_fault_at_every_step(tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every kind once at every step of every flow, by rule and by model; the table is printed and kept as JSON."""
    ran = await _ran(tmp_path, data, by_model=False, step=1, capsys=capsys)
    ran += await _ran(tmp_path, data, by_model=True, step=1, capsys=capsys)
    as_json(ran, tmp_path / "fault_runs.json")
    with capsys.disabled():
        print(f"\n{table(ran)}\n{tmp_path / 'fault_runs.json'}")  # noqa: T201
    assert len(ran) >= RUNS_MIN
    assert len({one.case.flow for one in ran}) == 30
    _check(ran)
