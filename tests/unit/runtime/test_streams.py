"""The Emitter: two lanes, one end."""

import asyncio
from contextlib import aclosing
from itertools import pairwise

import pytest

from services.contract.events import (
    Accepted,
    Cancelled,
    Delta,
    FinalAnswer,
    Finished,
    FlowEvent,
    Heartbeat,
    Phase,
    PhaseChanged,
)
from services.contract.flow import DecisionSource
from services.runtime import streams
from services.runtime.clock import utc_now
from services.runtime.errors import ResumePositionInvalid
from services.runtime.streams import UNKEPT, Emitter, Superseded

FINISHED = Finished(FinalAnswer("f", DecisionSource.RULE, "안녕하세요"))


async def collected(emitter: Emitter, after_sequence: int = 0) -> list[FlowEvent]:
    """Returns all that a watcher is told until the end."""
    return [event async for told in emitter.watch(after_sequence) for event in told]


def text_of(events: list[FlowEvent]) -> str:
    """Puts a stream's text together as a client does: a higher attempt voids, an offset places."""
    attempt, text = 0, ""
    for event in events:
        if isinstance(event.event, Delta):
            if event.event.answer_attempt > attempt:
                attempt, text = event.event.answer_attempt, ""
            text = text[: event.event.text_offset] + event.event.text
    return text


async def written(kept: list[FlowEvent]) -> Emitter:
    """Returns an emitter that keeps its events in a list."""

    async def keep(*events: FlowEvent) -> None:
        await asyncio.sleep(0)
        kept.extend(events)

    return Emitter(utc_now, keep)


@pytest.mark.asyncio
async def test_sequences_are_gapless_and_kept_before_they_are_told() -> None:
    """Durable events count from 1, +1 each, and whoever is told one finds it kept."""
    kept: list[FlowEvent] = []
    emitter = await written(kept)
    watching = asyncio.create_task(collected(emitter))
    for phase in (Phase.ADMITTED, Phase.GUARDED, Phase.ROUTED):
        await emitter.emit(PhaseChanged(phase))
    await emitter.emit(Cancelled("CLIENT_CANCELLED"))
    told = await watching
    assert [event.sequence for event in told] == [1, 2, 3, 4]
    assert kept == told


@pytest.mark.asyncio
async def test_what_piles_up_is_kept_in_one_go_and_the_end_by_itself() -> None:
    """Whoever emits does not wait for the store; the order stays, and the end comes when all else is kept."""
    went: list[list[int]] = []
    going_on = asyncio.Event()

    async def keep(*events: FlowEvent) -> None:
        await going_on.wait()
        went.append([event.sequence or 0 for event in events])

    emitter = Emitter(utc_now, keep)
    for phase in (Phase.ADMITTED, Phase.GUARDED, Phase.ROUTED):
        await emitter.emit(PhaseChanged(phase))
    ending = asyncio.create_task(emitter.emit(FINISHED))
    await asyncio.sleep(0.01)
    assert (went, ending.done(), emitter.last_sequence) == ([], False, 0)
    with pytest.raises(RuntimeError, match="after the flow's end"):
        await emitter.emit(PhaseChanged(Phase.EXECUTING))
    going_on.set()
    await ending
    assert went == [[1, 2, 3], [4]]


@pytest.mark.asyncio
async def test_events_that_wait_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever emits more than may wait is held up until there is room."""
    monkeypatch.setattr(streams, "KEPT_AT_ONCE_MAX", 2)
    going_on = asyncio.Event()
    sizes: list[int] = []

    async def keep(*events: FlowEvent) -> None:
        await going_on.wait()
        sizes.append(len(events))

    emitter = Emitter(utc_now, keep)
    await emitter.emit(PhaseChanged(Phase.ADMITTED))
    held = asyncio.create_task(emitter.emit(PhaseChanged(Phase.GUARDED)))
    await asyncio.sleep(0.01)
    assert not held.done()
    going_on.set()
    await held
    assert max(sizes) <= 2
    assert emitter.last_sequence == 2


@pytest.mark.asyncio
async def test_events_a_moment_apart_are_kept_and_told_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """An event that nobody waits for waits for the next one: both take one transaction and one message."""
    monkeypatch.setattr(streams, "TOGETHER_SECONDS", 0.2)
    went: list[int] = []

    async def keep(*events: FlowEvent) -> None:
        went.append(len(events))

    emitter = Emitter(utc_now, keep)
    await emitter.emit(PhaseChanged(Phase.ADMITTED))
    await asyncio.sleep(0.01)
    await emitter.emit(PhaseChanged(Phase.GUARDED))
    async with aclosing(emitter.watch(0)) as told:
        assert [event.event for event in await anext(told)] == [
            PhaseChanged(Phase.ADMITTED),
            PhaseChanged(Phase.GUARDED),
        ]
    assert went == [2]


@pytest.mark.asyncio
@pytest.mark.parametrize("hurry", ["settled", "end", "text", "hand over"])
async def test_what_is_waited_for_lets_no_moment_pass(hurry: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits for an event, text behind it, the end, and a hand-over are not held up by what may yet come."""
    monkeypatch.setattr(streams, "TOGETHER_SECONDS", 60.0)
    emitter = await written([])
    emitter.begin_attempt()
    watching = asyncio.create_task(anext(emitter.watch(0), None))
    await emitter.emit(PhaseChanged(Phase.ADMITTED))
    async with asyncio.timeout(5.0):
        match hurry:
            case "settled":
                await emitter.settled()
            case "end":
                await emitter.emit(FINISHED)
            case "text":
                emitter.write("안녕")
            case _:
                emitter.abandon()
        told = await watching
    assert [event.event for event in told or ()][:1] == ([] if hurry == "hand over" else [PhaseChanged(Phase.ADMITTED)])
    # The next event waits again.
    if hurry in {"settled", "text"}:
        await emitter.emit(PhaseChanged(Phase.GUARDED))
        await asyncio.sleep(0.02)
        assert emitter.last_sequence == 1
    emitter.abandon()


@pytest.mark.asyncio
async def test_text_behind_an_event_waits_with_it() -> None:
    """What was written after an event is not told before it, however long the store takes."""
    going_on = asyncio.Event()

    async def keep(*_: FlowEvent) -> None:
        await going_on.wait()

    emitter = Emitter(utc_now, keep)
    emitter.begin_attempt()
    emitter.write("before")
    await emitter.emit(PhaseChanged(Phase.REVIEWED))
    emitter.write(" and after")
    async with aclosing(emitter.watch(0)) as told:
        assert [event.event for event in await anext(told)] == [Delta(1, 0, "before")]
        going_on.set()
        assert [event.event for event in await anext(told)] == [
            PhaseChanged(Phase.REVIEWED),
            Delta(1, 6, " and after"),
        ]


@pytest.mark.asyncio
async def test_nothing_follows_the_end() -> None:
    """After the terminal event an emit is a bug and raises."""
    emitter = await written([])
    await emitter.emit(FINISHED)
    with pytest.raises(RuntimeError, match="after the flow's end"):
        await emitter.emit(PhaseChanged(Phase.ROUTED))
    with pytest.raises(RuntimeError, match="outside an attempt"):
        emitter.write("x")


@pytest.mark.asyncio
async def test_text_comes_before_the_end_and_counts_code_points() -> None:
    """The text written before an event is told before it; offsets count code points, not bytes."""
    emitter = await written([])
    watching = asyncio.create_task(collected(emitter))
    await emitter.emit(PhaseChanged(Phase.SYNTHESIZING))
    emitter.begin_attempt()
    for piece in ("안녕", "하세", "요"):
        emitter.write(piece)
        await asyncio.sleep(0)
    await emitter.emit(FINISHED)
    told = await watching
    assert text_of(told) == "안녕하세요"
    assert isinstance(told[-1].event, Finished)
    offsets = [(event.event.text_offset, len(event.event.text)) for event in told if isinstance(event.event, Delta)]
    assert all(first[0] + first[1] == second[0] for first, second in pairwise(offsets))


@pytest.mark.asyncio
async def test_a_slow_watcher_gets_what_has_piled_up_as_one_delta() -> None:
    """Text that piled up behind a slow reader is one message."""
    emitter = await written([])
    emitter.begin_attempt()
    for piece in "abcdefgh":
        emitter.write(piece)
    await emitter.emit(FINISHED)
    deltas = [event.event for event in await collected(emitter) if isinstance(event.event, Delta)]
    assert [Delta(1, 0, "abcdefgh")] == deltas


@pytest.mark.asyncio
async def test_a_new_attempt_voids_the_text() -> None:
    """A client that follows attempts and offsets ends with the last attempt's text only."""
    emitter = await written([])
    watching = asyncio.create_task(collected(emitter))
    emitter.begin_attempt()
    emitter.write("a wrong beginning")
    await asyncio.sleep(0.01)
    emitter.begin_attempt()
    emitter.write("right")
    await emitter.emit(FINISHED)
    told = await watching
    assert text_of(told) == "right"
    assert [event.event.answer_attempt for event in told if isinstance(event.event, Delta)] == [1, 2]


@pytest.mark.asyncio
async def test_watchers_resume_where_they_were() -> None:
    """A watcher that comes back with the last sequence it saw misses nothing and sees nothing twice."""
    emitter = await written([])
    for phase in (Phase.ADMITTED, Phase.GUARDED, Phase.ROUTED):
        await emitter.emit(PhaseChanged(phase))
    await emitter.emit(FINISHED)
    assert [event.sequence for event in await collected(emitter, 2)] == [3, 4]
    with pytest.raises(ResumePositionInvalid):
        await collected(emitter, 5)


@pytest.mark.asyncio
async def test_silence_is_broken_by_heartbeats(monkeypatch: pytest.MonkeyPatch) -> None:
    """A running flow with nothing to tell says that it is alive."""
    monkeypatch.setattr(streams, "HEARTBEAT_SECONDS", 0.01)
    emitter = await written([])
    async with aclosing(emitter.watch(0, greeting=Accepted("f"))) as told:
        assert [type(event.event) for event in await anext(told)] == [Accepted]
        assert [type(event.event) for event in await anext(told)] == [Heartbeat]
        assert emitter.watchers == 1
    assert emitter.watchers == 0


@pytest.mark.asyncio
async def test_a_cancelled_emit_uses_no_sequence_twice() -> None:
    """Whoever is cancelled while an event is being kept leaves it kept, told and counted."""
    kept: list[FlowEvent] = []
    begun = asyncio.Event()
    going_on = asyncio.Event()

    async def keep(*events: FlowEvent) -> None:
        begun.set()
        await going_on.wait()
        kept.extend(events)

    emitter = Emitter(utc_now, keep)
    await emitter.emit(PhaseChanged(Phase.ADMITTED))
    emitting = asyncio.create_task(emitter.settled())
    await begun.wait()
    emitting.cancel()
    going_on.set()
    with pytest.raises(asyncio.CancelledError):
        await emitting
    await emitter.emit(Cancelled("CLIENT_CANCELLED"))
    assert [event.sequence for event in kept] == [1, 2]


@pytest.mark.asyncio
async def test_an_end_that_cannot_be_kept_is_told_all_the_same() -> None:
    """A store that fails at the end leaves no watcher waiting; earlier it is the flow's failure, and leaves no gap."""

    async def keep(*_: FlowEvent) -> None:
        raise OSError("disk full")

    emitter = Emitter(utc_now, keep)
    await emitter.emit(PhaseChanged(Phase.ADMITTED))
    with pytest.raises(OSError, match="disk full"):
        await emitter.settled()
    with pytest.raises(OSError, match="disk full"):
        await emitter.emit(PhaseChanged(Phase.GUARDED))
    await emitter.emit(FINISHED)
    assert emitter.ended
    heard = await collected(emitter)
    assert [(event.sequence, event.event) for event in heard] == [(1, UNKEPT)]
    assert emitter.owed == heard[-1]


@pytest.mark.asyncio
async def test_an_end_that_cannot_be_written_as_it_is_has_one_end() -> None:
    """Where the store refuses an answer, what is kept and what every watcher hears is one failure and no answer."""
    kept: list[FlowEvent] = []

    async def keep(*events: FlowEvent) -> None:
        if any(event.event == FINISHED for event in events):
            raise ValueError("A string literal cannot contain NUL (0x00) characters.")
        kept.extend(events)

    emitter = Emitter(utc_now, keep)
    await emitter.emit(PhaseChanged(Phase.ADMITTED))
    await emitter.emit(FINISHED)
    heard = [event.event for event in await collected(emitter)]
    assert heard == [PhaseChanged(Phase.ADMITTED), UNKEPT]
    assert [event.event for event in kept] == heard
    assert emitter.owed is None


@pytest.mark.asyncio
async def test_a_flow_that_is_gone_on_with_tells_nothing_twice() -> None:
    """What a former driver told is passed over, in whatever order it comes again; the rest follows its sequence."""
    kept: list[FlowEvent] = []
    first = await written(kept)
    for phase in (Phase.ADMITTED, Phase.GUARDED, Phase.ROUTED):
        await first.emit(PhaseChanged(phase))
    await first.settled()
    more: list[FlowEvent] = []

    async def keep(*events: FlowEvent) -> None:
        more.extend(events)

    second = Emitter(utc_now, keep, tuple(kept), attempts=100)
    for phase in (Phase.ADMITTED, Phase.ROUTED, Phase.GUARDED, Phase.ROUTED):
        await second.emit(PhaseChanged(phase))
    await second.emit(FINISHED)
    assert [event.sequence for event in more] == [4, 5]
    assert [event.sequence for event in await collected(second, 2)] == [3, 4, 5]
    assert second.attempt == 100


@pytest.mark.asyncio
async def test_a_superseded_driver_ends_its_watches_without_an_end() -> None:
    """Where another process drives the flow, nothing more is told here, not even an end."""

    async def keep(*events: FlowEvent) -> None:
        if isinstance(events[-1].event, Cancelled):
            raise Superseded("another driver")

    emitter = Emitter(utc_now, keep)
    await emitter.emit(PhaseChanged(Phase.ADMITTED))
    watching = asyncio.create_task(collected(emitter))
    with pytest.raises(Superseded):
        await emitter.emit(Cancelled("CLIENT_CANCELLED"))
    with pytest.raises(Superseded):
        await emitter.emit(PhaseChanged(Phase.GUARDED))
    assert [event.sequence for event in await watching] == [1]
    assert (emitter.ended, emitter.abandoned) == (False, True)
