"""Checkpoints: a finished stage is not done again, and what cannot be read is refused rather than guessed."""

import asyncio
import gc
from pathlib import Path

import pytest

from services.contract.flow import Spent, Usage
from services.contract.planner import SlotAnswer
from services.durable.checkpoints import Checkpoint, Checkpoints
from services.durable.store import FlowStore
from services.runtime.errors import FailedPrecondition
from tests.support.stores import STORES, Time, opened
from tests.support.stores import store_url as empty_store

SPENT = Spent((), Usage(3, 10, 20))


async def three() -> Spent:
    """Does a stage's work."""
    return SPENT


async def never() -> Spent:
    """Fails where a finished stage is done again."""
    raise AssertionError("the stage is done again")


@pytest.mark.asyncio
async def test_a_finished_stage_is_not_done_again() -> None:
    """The next driver reads what the former one came to, and keeps nothing twice."""
    kept: list[Checkpoint] = []

    async def record(made: tuple[Checkpoint, ...]) -> None:
        kept.extend(made)

    first = Checkpoints(record)
    assert await first.once("route", Spent, three) == SPENT
    assert await first.once("route", Spent, never) == SPENT
    second = Checkpoints(record, {checkpoint.name: checkpoint for checkpoint in kept})
    assert await second.once("route", Spent, never) == SPENT
    assert (second.get("route", Spent), second.get("plan", Spent)) == (SPENT, None)
    assert [(checkpoint.name, checkpoint.kind) for checkpoint in kept] == [("route", "hapju.flow.v1.Spent")]


@pytest.mark.asyncio
async def test_a_stage_whose_checkpoint_fails_has_not_been_finished() -> None:
    """A checkpoint that cannot be written fails its stage, which is then done again."""

    async def record(_: tuple[Checkpoint, ...]) -> None:
        raise OSError("disk full")

    checkpoints = Checkpoints(record)
    with pytest.raises(OSError, match="disk full"):
        await checkpoints.once("route", Spent, three)
    assert checkpoints.get("route", Spent) is None


@pytest.mark.parametrize(
    "kept",
    [Checkpoint("route", "hapju.planner.v1.SlotAnswer", b""), Checkpoint("route", "hapju.flow.v1.Spent", b"\xff")],
)
def test_what_cannot_be_read_is_refused(kept: Checkpoint) -> None:
    """A checkpoint of another kind, or of bytes that are no such message, is refused under the name of its stage."""
    with pytest.raises(FailedPrecondition, match="route") as refused:
        Checkpoints(kept={"route": kept}).get("route", Spent)
    assert refused.value.reason == "CHECKPOINT_UNREADABLE"


@pytest.mark.asyncio
async def test_only_messages_of_the_contract_are_kept() -> None:
    """Nothing else has a form that another version can read."""
    with pytest.raises(TypeError, match="dict"):
        await Checkpoints().keep({"route": {}})
    await Checkpoints().keep({"answer": SlotAnswer("region", "서울")})


@pytest.mark.asyncio
@pytest.mark.parametrize("database", STORES)
async def test_several_replicas_open_a_new_store_at_once(tmp_path: Path, database: str) -> None:
    """Whoever comes first makes the schema, and the others find it."""
    url = empty_store(tmp_path, database)
    stores = await asyncio.gather(*(FlowStore.open(url, Time()) for _ in range(4)))
    for store in stores:
        assert await store.check() == ""
        await store.close()


@pytest.mark.asyncio
async def test_no_write_is_lost_to_the_garbage_collector(tmp_path: Path) -> None:
    """Writes that are awaited while garbage is collected all come back, each to its own caller."""
    async with opened(tmp_path, "sqlite", Time()) as (store,):

        async def one(number: int) -> int:
            if number % 5 == 0:
                gc.collect(0)
            return await store.writer.transact(lambda _: number)

        assert await asyncio.gather(*(one(number) for number in range(200))) == list(range(200))
        with pytest.raises(ZeroDivisionError):
            await store.writer.transact(lambda _: 1 // 0)
