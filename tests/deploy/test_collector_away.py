"""Answers come as fast while the collector is away, and what it has missed is counted.

Minutes with the collector and minutes without it take turns under the same load, so that a busy machine is busy for
both. How far minutes of one kind lie apart says what the figure is good for; it is printed with it.
"""

import asyncio
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

import pytest

from tests.deploy.test_watched import told
from tests.support.cluster import Cluster, embedded
from tests.support.load.asking import Asked, Client
from tests.support.watchers import Watchers, watching

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

MINUTE = float(os.environ.get("HAPJU_TEST_MINUTE", "60"))
"""How long the collector is away, in seconds."""
TURNS = 3
"""Minutes of each kind."""
SLOWER_MAX = 1.05
"""How much slower one in a hundred answers may be."""
PEOPLE = 4
LOST = "sum(hapju_telemetry_spans_dropped_total)"


@dataclass(frozen=True)
class Minute:
    """What a minute under load took."""

    answers: tuple[Asked, ...]
    """What became of its questions."""
    processor_seconds: float
    """What all of hapju in this process took of the processor, in seconds a question."""

    @property
    def p99(self) -> float:
        """Seconds within which 99 in a hundred were answered."""
        return quantiles((one.seconds for one in self.answers), n=100)[-1]

    @property
    def p50(self) -> float:
        """Seconds within which half were answered."""
        return median(one.seconds for one in self.answers)


async def minute(cluster: Cluster, seconds: float = MINUTE) -> Minute:
    """Ask for a minute, as several people do."""
    begun = time.process_time()
    answers = await Client(cluster.channel).at_once(PEOPLE, seconds)
    return Minute(tuple(answers), (time.process_time() - begun) / len(answers))


@pytest.mark.timed
@pytest.mark.asyncio
async def test_a_minute_without_a_collector_is_as_fast(tmp_path: Path, data: Path) -> None:
    """Every question is answered, p99 is not more than 5 % above that with a collector, each lost span is counted."""
    there: list[Minute] = []
    away: list[Minute] = []
    async with watching(tmp_path) as watchers, embedded(tmp_path, data, **told(watchers)) as cluster:
        await minute(cluster, MINUTE / 4)
        for _ in range(TURNS):
            there.append(await minute(cluster))
            async with watchers.collector_away():
                away.append(await minute(cluster))
        there.append(await minute(cluster))
        lost = await counted(watchers)
    print("\n" + "\n".join(figures(there, away, lost)))  # noqa: T201 - figures of the deploy tier
    assert {one.status for turn in (*there, *away) for one in turn.answers} == {"OK"}
    assert lost > 0
    slower = median(one.p99 for one in away) / median(one.p99 for one in there)
    assert slower <= SLOWER_MAX * spread(there)


async def counted(watchers: Watchers) -> float:
    """Return how many spans are counted as lost, once the collector has heard of it and the figure stands."""
    before, lost = -1.0, await watchers.value(LOST) or 0.0
    async with asyncio.timeout(90):
        while not lost or lost != before:
            await asyncio.sleep(5)
            before, lost = lost, await watchers.value(LOST) or 0.0
    return lost


def spread(turns: list[Minute]) -> float:
    """Return how far apart the p99 of minutes lie between which nothing differs: half of their whole range."""
    p99 = [one.p99 for one in turns]
    return float((max(p99) / min(p99)) ** 0.5)


def figures(there: list[Minute], away: list[Minute], lost: float) -> Iterator[str]:
    """Yield the figures, a line for each minute."""
    for kind, turns in (("collector there", there), ("collector away", away)):
        for one in turns:
            yield (
                f"{kind}: {len(one.answers)} questions, p50 {one.p50 * 1e3:.0f} ms, p99 {one.p99 * 1e3:.0f} ms,"
                f" {one.processor_seconds * 1e3:.1f} ms of the processor each"
            )
    ratio = median(one.p99 for one in away) / median(one.p99 for one in there)
    yield f"p99 x{ratio:.3f} (spread x{spread(there):.3f}), lost spans {lost:.0f}, load {os.getloadavg()[0]:.1f}"
