"""Each service in turn is stopped as a rollout stops it and started anew, one replica each; questions keep coming.

pytest -m slow tests/robustness/apart -k rolling        prints the rate, which follows the machine, and what came of all
"""

import asyncio
import os
from collections import Counter
from pathlib import Path
from time import monotonic

import pytest

from services.tool_gateway.data.copying import copy_database
from tests.support.apart.client import FIGURE, QUESTION, Told, ask
from tests.support.apart.faults import restart
from tests.support.apart.processes import SERVICES, Apart, apart

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1_800), pytest.mark.asyncio]
RATE_MOST = 20.0
"""Questions a second, where the machine answers enough more than that to work off what a restart leaves."""
RATE_SHARE = 0.25
"""The share of the machine's pace that is asked, where that is less: a service that starts takes a core of it."""
KINDS = {"a share's price": (QUESTION, FIGURE), "a greeting": ("안녕하세요", "안녕")}
"""What is asked, and what its answer holds: a greeting costs little, so that a small machine takes many of them."""
FLOW_SECONDS = 60.0
"""How long a question may take; half of what one gets where nobody says. A call waits for a share of it."""
SETTLED_SECONDS = 4.0
"""Between one restart and the next."""


async def _pace(door: str, kind: str, seconds: float = 10.0) -> float:
    """Returns how many questions of a kind are answered in a second, four at once."""
    text, figure = KINDS[kind]
    until, told = monotonic() + seconds, list[Told]()

    async def side() -> None:
        while monotonic() < until:
            told.append(await ask(door, text=text, figure=figure))

    await asyncio.gather(*(side() for _ in range(4)))
    return sum(one.outcome == "answered" for one in told) / seconds


async def _keep_asking(door: str, kind: str, rate: float, done: asyncio.Event) -> list[tuple[float, Told]]:
    """Asks so many questions a second until it is enough, and returns what came of each and when it was asked."""
    text, figure = KINDS[kind]
    begin, asking = monotonic(), list[tuple[float, asyncio.Task[Told]]]()
    while not done.is_set():
        asking.append((monotonic(), asyncio.create_task(ask(door, FLOW_SECONDS, text=text, figure=figure))))
        await asyncio.sleep(max(0.0, begin + len(asking) / rate - monotonic()))
    return [(at, await one) for at, one in asking]


async def _restarted(one: Apart) -> tuple[str, float, float]:
    """Restarts a service, and returns its name with when that began and how long it was away."""
    begin = monotonic()
    await restart(one)
    return one.name, begin, monotonic() - begin


@pytest.mark.parametrize("kind", KINDS)
async def test_a_rolling_restart_loses_no_flow(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    """Every question that was asked meanwhile is answered whole, once and in time."""
    copy_database(data, tmp_path / "data.db")
    async with apart(tmp_path, tmp_path / "data.db") as processes:
        while (await ask(processes.door)).outcome != "answered":
            await asyncio.sleep(0.3)
        pace = await _pace(processes.door, kind)
        rate, done, restarts = min(RATE_MOST, RATE_SHARE * pace), asyncio.Event(), list[tuple[str, float, float]]()
        asking = asyncio.create_task(_keep_asking(processes.door, kind, rate, done))
        for name in SERVICES:
            restarts.append(await _restarted(processes.services[name]))
            await asyncio.sleep(SETTLED_SECONDS)
        done.set()
        told = await asking
    lost = [(at, one) for at, one in told if one.outcome != "answered" or one.faults()]
    with capsys.disabled():
        away = ", ".join(f"{name} {seconds:.1f} s" for name, _, seconds in restarts)
        longest = max(one.seconds for _, one in told)
        print(  # noqa: T201
            f"\n{kind}, load average {os.getloadavg()[0]:.1f}: {rate:.1f} questions a second of {pace:.1f} that are "
            f"answered; away: {away}\n{len(told)} asked, {len(lost)} lost "
            f"{dict(Counter(one.outcome for _, one in lost))}, the longest took {longest:.1f} s"
        )
        for at, one in lost:
            during = next((name for name, begin, _ in reversed(restarts) if begin <= at + one.seconds), "")
            last = one.events[-1] if one.events else None
            print(f"lost during {during}: {one.outcome} {one.status} {one.faults()} {str(last)[:300]}")  # noqa: T201
    assert not lost
