"""The chart's default and production values, played as processes: all become ready, and a question is answered."""

import json
import os
import shlex
from pathlib import Path

import helm_python
import pytest
import sqlalchemy as sa
import yaml

from tests.deploy.manifests import ROOT, Object, Render
from tests.support.apart.client import ask
from tests.support.commands import hapju
from tests.support.databases import fresh_database, postgres  # noqa: F401 - a fixture is found by its name here
from tests.support.played import NOWHERE, Played, played

pytestmark = [pytest.mark.deploy, pytest.mark.timeout(900)]

READY_SECONDS_MAX = 60.0
"""When the last process has to be ready on a machine that does nothing else."""
FLOW_SECONDS = 60.0
CORES = 2
"""Of the smallest machine that all of it is meant to run on."""


async def identity(folder: Path) -> tuple[dict[str, str], str]:
    """Make what two Secrets hold, and the token of somebody who may ask."""
    assert (await hapju("keys", "new", "--at", str(folder))).code == 0
    minted = await hapju("token", "mint", "--key", str(folder / "private.json"), "--user", "mina")
    keys = (folder / "jwks.json").read_text(encoding="utf-8")
    return {"HAPJU_JWT_KEYS": keys, "HAPJU_CALLER_KEY": "k" * 40}, minted.output.split()[-1]


def asked_in(notes: str) -> list[str]:
    """Return the arguments of the command that the chart's notes ask with."""
    (command,) = (line for line in notes.splitlines() if "hapju ask" in line)
    return shlex.split(command)[2:]


def tell(release: Played, values: str, worked: float) -> bool:
    """Print when each became ready, what it took and what it held, and return whether the machine was calm.

    What processes take of the cores is the same under any load: it tells when all would be ready on two that do nothing
    else, and it is what is held to the limit everywhere; the clock itself only where the machine is calm.
    """
    last = max(release.seconds, key=lambda name: release.seconds[name])
    held = release.held()
    most = max(held, key=lambda name: held[name])
    print(  # noqa: T201 - figures of the deploy tier
        f"\n{values}: {len(held)} processes, ready in {release.seconds[last]:.0f} s ({last}; hook"
        f" {release.seconds['hook']:.0f} s) for {worked:.0f} s of the processor, load {os.getloadavg()[0]:.1f},"
        f" most {held[most] / 1e6:.0f} MB ({most}), all {sum(held.values()) / 1e6:.0f} MB"
    )
    is_calm = os.getloadavg()[0] < 4 * (os.cpu_count() or 1)
    assert worked / CORES <= READY_SECONDS_MAX
    assert not is_calm or release.seconds[last] <= READY_SECONDS_MAX
    return is_calm


@pytest.mark.asyncio
async def test_the_default_values_become_ready_and_answer(
    chart: helm_python.Chart, render: Render, tmp_path: Path
) -> None:
    """An init container seeds the volume within its limit, each probe lets its process through, it answers.

    So it does to the command that the notes show, once the gateway's port is this machine's.
    """
    notes = chart.render({}, name="release", namespace="space")["hapju/templates/NOTES.txt"]
    secrets, token = await identity(tmp_path)
    async with played(render(), tmp_path, secrets) as release:
        worked = release.processor_seconds()
        told = await ask(release.gateway, FLOW_SECONDS, token=token)
        is_calm = tell(release, "default values", worked)
        noted = await hapju(*asked_in(notes), HAPJU_GATEWAY=release.gateway, HAPJU_TOKEN=token)
    assert noted.code == 0, noted.errors
    assert told.faults() == []
    assert told.outcome == "answered" or not is_calm, told.events[-1]


@pytest.mark.asyncio
async def test_the_production_values_become_ready_and_answer(
    render: Render,
    tmp_path: Path,
    postgres: sa.URL,  # noqa: F811 - as pytest has it
) -> None:
    """A Job brings both stores of one PostgreSQL up first; without a row of data a question ends with an honest no."""
    path = ROOT / "helm" / "ci" / "production-values.yaml"
    values: Object = yaml.safe_load(path.read_text(encoding="utf-8"))
    secrets, token = await identity(tmp_path)
    with fresh_database(postgres) as url:
        outside = dict.fromkeys(("HAPJU_STORE_URL", "HAPJU_SQL_URL", "HAPJU_SQL_READ_URL"), url)
        given = {**secrets, **outside, "HAPJU_GRAPH_URL": f"bolt://{NOWHERE}", "OPENAI_API_KEY": "test"}
        async with played(render(values), tmp_path, given) as release:
            worked = release.processor_seconds()
            told = await ask(release.gateway, FLOW_SECONDS, token=token)
            is_calm = tell(release, "production values", worked)
    assert len(told.ends) == 1
    assert told.ends == ["finished"] or not is_calm, told.events[-1]
    assert json.dumps(secrets) not in "".join(path.read_text(errors="replace") for path in tmp_path.glob("*.log"))
