"""What a checkpoint costs: a fenced row of 4 KB, awaited, beside the bare insert of such a row by a writing thread.

Both go to SQLite files of their own with the same pragmas, in interleaved rounds. Side by side means 16 flows at once:
the store's writer then puts what has piled up into one transaction, the bare one commits row by row.
"""

import asyncio
import os
import random
import sqlite3
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

from services.contract.flow import Question
from services.durable.checkpoints import Checkpoint
from services.durable.store import FlowStore, NewFlow
from services.durable.writer import Lease
from services.runtime.identity import Caller
from services.runtime.ids import new_flow_run_id
from tests.bench.report import Note, Report, Result, median_result

WRITES: Final = 400
"""Writes of one flow in one round."""
SIDE_BY_SIDE: Final = 16
"""Flows at once in the second half of a round."""
_ROW: Final = os.urandom(4_096)
_MICRO: Final = 1_000_000

Write = Callable[[int, str], Awaitable[None]]
"""Writes a row of the flow with a number, under a name."""


@dataclass(frozen=True, slots=True)
class _Round:
    """Microseconds a write, and writes a second."""

    median_us: float
    tail_us: float
    per_second: float


def measure(rounds: int, note: Note) -> Report:
    """Returns the figures: median and 99th percentile of one write, alone and side by side, and writes a second."""
    with TemporaryDirectory(prefix="hapju-bench-") as folder:
        figures = asyncio.run(_rounds(rounds, note, Path(folder)))
    results: list[Result] = []
    for place, flows in (("c1", 1), (f"c{SIDE_BY_SIDE}", SIDE_BY_SIDE)):
        ours, bare = figures["store", flows], figures["bare", flows]
        results += [
            median_result(f"checkpoint_{place}_p50", "us", [r.median_us for r in ours], [r.median_us for r in bare]),
            median_result(f"checkpoint_{place}_p99", "us", [r.tail_us for r in ours], [r.tail_us for r in bare]),
            median_result(
                f"checkpoint_{place}_rate", "1/s", [r.per_second for r in ours], [r.per_second for r in bare]
            ),
        ]
    return Report(tuple(results), floor="bare insert")


async def _rounds(rounds: int, note: Note, folder: Path) -> dict[tuple[str, int], list[_Round]]:
    figures: dict[tuple[str, int], list[_Round]] = {
        (side, flows): [] for side in ("store", "bare") for flows in (1, SIDE_BY_SIDE)
    }
    for number in range(rounds + 1):
        note(f"round {number}" if number else "warming up")
        for side, flows in random.sample(list(figures), len(figures)):
            url = folder / f"{side}-{flows}-{number}.db"
            figure = await (_of_store(url, flows) if side == "store" else _of_bare(url, flows))
            if number:
                figures[side, flows].append(figure)
    return figures


async def _of_store(path: Path, flows: int) -> _Round:
    store = await FlowStore.open(f"sqlite:///{path}")
    leases = [await _started(store) for _ in range(flows)]

    async def write(flow: int, name: str) -> None:
        await store.record(leases[flow], (Checkpoint(name, "bench", _ROW),))

    try:
        return await _timed(write, flows)
    finally:
        await store.close()


async def _started(store: FlowStore) -> Lease:
    now = datetime.now(UTC)
    question = Question("?", "en", session_id="bench", now=now)
    flow_run_id, caller = new_flow_run_id(), Caller("bench")
    lease = await store.add(NewFlow(flow_run_id, caller, question, "", "", now, now + timedelta(minutes=1)))
    if lease is None:
        raise RuntimeError("a new flow was taken for an old one")
    return lease


async def _of_bare(path: Path, flows: int) -> _Round:
    queue: SimpleQueue[tuple[int, str, asyncio.Future[None]] | None] = SimpleQueue()
    loop = asyncio.get_running_loop()
    thread = threading.Thread(target=_insert_all, args=(path, queue, loop), daemon=True)
    thread.start()

    async def write(flow: int, name: str) -> None:
        done: asyncio.Future[None] = loop.create_future()
        queue.put((flow, name, done))
        await done

    try:
        return await _timed(write, flows)
    finally:
        queue.put(None)
        await asyncio.to_thread(thread.join)


def _insert_all(
    path: Path, queue: "SimpleQueue[tuple[int, str, asyncio.Future[None]] | None]", loop: asyncio.AbstractEventLoop
) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")
    connection.execute("CREATE TABLE rows (flow TEXT, name TEXT, message BLOB, PRIMARY KEY (flow, name))")
    while (job := queue.get()) is not None:
        flow, name, done = job
        connection.execute("INSERT INTO rows VALUES (?, ?, ?)", (str(flow), name, _ROW))
        loop.call_soon_threadsafe(done.set_result, None)
    connection.close()


async def _timed(write: Write, flows: int) -> _Round:
    seconds: list[float] = []

    async def one(flow: int) -> None:
        for number in range(WRITES if flows == 1 else WRITES // 4):
            began = perf_counter()
            await write(flow, f"step/{number}")
            seconds.append(perf_counter() - began)

    await write(0, "first")
    began = perf_counter()
    async with asyncio.TaskGroup() as group:
        for flow in range(flows):
            group.create_task(one(flow))
    took = perf_counter() - began
    seconds.sort()
    return _Round(
        median_us=seconds[len(seconds) // 2] * _MICRO,
        tail_us=seconds[int(len(seconds) * 0.99)] * _MICRO,
        per_second=len(seconds) / took,
    )
