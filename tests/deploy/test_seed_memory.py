"""What `hapju seed` takes of memory: a deployment gives it a limit, and a process above it is killed."""

import asyncio
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil  # it publishes no types
import pytest

from services.runtime.environment import process_environment
from tests.deploy.manifests import Object

BYTES_MAX = 256_000_000
"""What all processes of a seed may hold at any one time, shared pages counted in each."""
_LOOKS_SECONDS = 0.02


@pytest.mark.slow
@pytest.mark.asyncio
async def test_a_seed_holds_no_more_than_its_limit(tmp_path: Path) -> None:
    """From the command to the last row, all processes together stay below the limit; the data is whole."""
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "services.cli", "seed", "--json"),
        env=process_environment(HAPJU_DATA_DIR=str(tmp_path)),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    told = asyncio.create_task(child.communicate())
    highest, by = 0, ""
    while not told.done():
        held = dict(_held(child.pid))
        if sum(held.values()) > highest:
            highest, by = sum(held.values()), str(held)
        await asyncio.sleep(_LOOKS_SECONDS)
    assert child.returncode == 0
    assert b'"loaded": true' in told.result()[0]
    print(f"a seed holds {highest / 1e6:.0f} MB at most")  # noqa: T201 - the figure of the deploy tier
    assert highest <= BYTES_MAX, by


def _held(pid: int) -> Iterator[tuple[str, int]]:
    """Yield what each process of a tree holds in memory now, by its number and command."""
    with suppress(psutil.Error):
        tree = psutil.Process(pid)
        for process in (tree, *tree.children(recursive=True)):
            with suppress(psutil.Error):
                yield f"{process.pid} {' '.join(process.cmdline()[2:4])}", process.memory_info().rss


def test_no_seed_is_given_less_than_it_takes(compose: Object, values: Object) -> None:
    """Compose and the chart limit the seed by what it is held to."""
    assert _bytes(compose["services"]["migrate"].get("mem_limit", compose["x-process"]["mem_limit"])) >= BYTES_MAX
    assert _bytes(values["migrationResources"]["limits"]["memory"]) >= BYTES_MAX


def _bytes(written: str) -> int:
    units = {"m": 1 << 20, "mi": 1 << 20, "g": 1 << 30, "gi": 1 << 30}
    digits = written.rstrip("MGimg")
    return int(digits) * units[written[len(digits) :].lower()]
