"""What a client hears while the flow's owner is silent: signs of life, and an end in its language."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

import gateway.asking
import gateway.hearing
from gateway.admission import Admitted
from gateway.asking import FlowStarter
from hapju.flow.v1 import flow_event_pb2
from hapju.orchestrator.v1 import orchestrator_service_pb2 as pb
from services.contract.flow import Question
from services.runtime import deadlines
from services.runtime.clock import utc_now
from services.runtime.errors import DeadlineExceeded, HapjuError, Overloaded, Unauthenticated, Unavailable, UnknownFlow

FASTER = 20
"""How much faster time passes here than in a deployment."""
KOREAN = Question("애플 주가 알려줘", locale="ko", session_id="s-1")


class Stream:
    """A call of the orchestrator."""

    def __init__(self, told: AsyncIterator[Any]) -> None:
        self._told = told
        self.cancelled = False

    def __aiter__(self) -> AsyncIterator[Any]:
        return self._told

    def cancel(self) -> None:
        """Notes that nobody listens any more."""
        self.cancelled = True


class Owner:
    """An orchestrator that does with each call what a test says."""

    def __init__(self, run: Callable[[], AsyncIterator[Any]], watch: Callable[[], AsyncIterator[Any]]) -> None:
        self._run, self._watch = run, watch
        self.calls: list[Stream] = []

    def RunFlow(self, _: object) -> Stream:
        """Begins a flow."""
        return self._noted(self._run())

    def WatchFlow(self, _: object) -> Stream:
        """Tells it on."""
        return self._noted(self._watch())

    def _noted(self, told: AsyncIterator[Any]) -> Stream:
        self.calls.append(Stream(told))
        return self.calls[-1]


def message(**event: Any) -> pb.RunFlowResponse:
    """Returns a message that tells one event."""
    return pb.RunFlowResponse(event=flow_event_pb2.FlowEvent(**event))


async def frozen() -> AsyncIterator[Any]:
    """Says nothing, ever."""
    await asyncio.Event().wait()
    yield


async def frozen_in_the_middle() -> AsyncIterator[Any]:
    """Begins well, and says nothing more."""
    yield message(accepted=flow_event_pb2.Accepted(flow_run_id="f"))
    yield message(sequence=1, phase_changed=flow_event_pb2.PhaseChanged())
    await asyncio.Event().wait()


async def goes_on() -> AsyncIterator[Any]:
    """Tells the rest of the flow."""
    yield message(sequence=2, finished=flow_event_pb2.Finished())


def failing(error: HapjuError) -> Callable[[], AsyncIterator[Any]]:
    """Returns what fails at once."""

    async def told() -> AsyncIterator[Any]:
        raise error
        yield

    return told


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (
        "BEAT_SECONDS",
        "SILENT_SECONDS_MAX",
        "GIVE_UP_AFTER_SECONDS",
        "SETTLE_SECONDS",
        "REATTACH_SECONDS_MAX",
        "STORE_SECONDS_MAX",
    ):
        monkeypatch.setattr(gateway.hearing, name, getattr(gateway.hearing, name) / FASTER)


async def heard(owner: Owner, seconds: float, question: Question = KOREAN) -> list[flow_event_pb2.FlowEvent]:
    """Returns every event that a client hears of its question."""
    asking: Any = FlowStarter(owner, utc_now)  # type: ignore[arg-type]
    with deadlines.within(seconds):
        told = [event async for events in asking.ask(Admitted(question, begins_session=True)) for event in events]
    assert all(call.cancelled for call in owner.calls)
    return told


def kinds(told: list[flow_event_pb2.FlowEvent]) -> list[str]:
    """Returns the kinds of events."""
    return [str(event.WhichOneof("event")) for event in told]


@pytest.mark.timed
@pytest.mark.asyncio
@pytest.mark.parametrize("begun", [frozen, frozen_in_the_middle])
@pytest.mark.parametrize(("locale", "word"), [("ko", "다시"), ("en", "again")])
async def test_a_frozen_owner_ends_in_the_persons_language(
    begun: Callable[[], AsyncIterator[Any]], locale: str, word: str
) -> None:
    """Signs of life come all the while, and then one end that says what a person can do."""
    question = Question("q", locale=locale, session_id="s-1")
    told = await heard(Owner(begun, frozen), 60.0, question)
    assert kinds(told).count("heartbeat") >= 3
    assert (kinds(told)[0], kinds(told)[-1], kinds(told).count("failed")) == ("accepted", "failed", 1)
    assert (told[-1].failed.code, word in told[-1].failed.message) == ("UNAVAILABLE", True)


@pytest.mark.asyncio
async def test_a_frozen_owners_flow_is_told_on_by_another() -> None:
    """The next replica tells the rest: the client hears each event once."""
    told = await heard(Owner(frozen_in_the_middle, goes_on), 60.0)
    assert [event.sequence for event in told if event.HasField("sequence")] == [1, 2]
    assert kinds(told)[-1] == "finished"


@pytest.mark.asyncio
async def test_an_end_comes_before_the_clients_own_deadline() -> None:
    """A flow that has long been lost ends with a word for the person, not with the client's timer."""
    told = await heard(Owner(frozen_in_the_middle, frozen), 1.6)
    assert kinds(told)[-1] == "failed"


@pytest.mark.asyncio
async def test_a_deadline_of_a_call_inside_is_not_the_clients() -> None:
    """Where the client has time left, it is told at once that a part of the service is not there."""
    async with asyncio.timeout(5):
        told = await heard(Owner(failing(DeadlineExceeded("a peer answered DEADLINE_EXCEEDED")), frozen), 60.0)
    assert (kinds(told)[-1], "시간" in told[-1].failed.message) == ("failed", True)


@pytest.mark.asyncio
async def test_the_clients_own_deadline_is_its_own() -> None:
    """A flow that runs out of the client's time is ended by the client's timer."""
    with pytest.raises(DeadlineExceeded):
        await heard(Owner(failing(DeadlineExceeded("time is up")), frozen), 0.3)


@pytest.mark.asyncio
@pytest.mark.parametrize("error", [Overloaded("the service runs 9 calls"), Unavailable("policy cannot be reached")])
async def test_no_word_of_ours_reaches_a_person_untranslated(error: HapjuError) -> None:
    """A refusal behind `accepted`, or as a status before it, is in the language of the question."""
    told = await heard(Owner(failing(error), failing(error)), 60.0)
    assert "주세요" in told[-1].failed.message
    asking: Any = FlowStarter(Owner(failing(error), failing(error)), utc_now)  # type: ignore[arg-type]
    with deadlines.within(60.0), pytest.raises(type(error), match="주세요"):
        async for _ in asking.ask(Admitted(KOREAN, begins_session=False)):
            pass


@pytest.mark.asyncio
async def test_a_gateway_that_is_not_believed_is_not_the_persons_fault() -> None:
    """Where clocks differ, what the gateway says of a caller does not hold behind it: nobody is asked for a token."""
    refused = Unauthenticated("the caller assertion does not hold", reason="CALLER_INVALID")
    told = await heard(Owner(failing(refused), failing(refused)), 60.0)
    assert (told[-1].failed.code, "주세요" in told[-1].failed.message) == ("UNAVAILABLE", True)
    asking: Any = FlowStarter(Owner(failing(refused), failing(refused)), utc_now)  # type: ignore[arg-type]
    with deadlines.within(60.0), pytest.raises(Unavailable, match="주세요"):
        _ = [one async for one in asking.ask(Admitted(KOREAN, begins_session=False))]


@pytest.mark.asyncio
async def test_a_store_that_is_away_for_a_moment_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing was written, and nothing can be looked up: once it can be, the flow is begun, and ends well."""
    monkeypatch.setattr(gateway.hearing, "STORE_SECONDS_MAX", 60.0)
    away = Unavailable("the flow store cannot be used now", reason="STORE_UNAVAILABLE")
    begun = iter([failing(away)(), goes_on()])
    seen = iter([failing(away)(), failing(away)(), failing(UnknownFlow("no flow"))()])
    told = await heard(Owner(begun.__next__, seen.__next__), 60.0)
    assert (kinds(told)[0], kinds(told)[-1]) == ("accepted", "finished")


@pytest.mark.asyncio
async def test_a_store_that_stays_away_is_told() -> None:
    """One end, in the person's language, and not for ever later."""
    away = failing(Unavailable("the flow store cannot be used now", reason="STORE_UNAVAILABLE"))
    async with asyncio.timeout(5):
        told = await heard(Owner(away, away), 60.0)
    assert (kinds(told)[-1], "주세요" in told[-1].failed.message) == ("failed", True)


def test_a_silence_goes_on_from_one_call_to_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call that is given up has said nothing: its silence counts, and the client is due a sign of life at once."""
    now = [100.0]
    monkeypatch.setattr(gateway.hearing, "monotonic", lambda: now[0])
    monkeypatch.setattr(gateway.hearing, "SILENT_SECONDS_MAX", 10.0)
    monkeypatch.setattr(gateway.hearing, "BEAT_SECONDS", 4.5)
    one = gateway.hearing.ClientHearing("f")
    for seconds in (4.5, 9.0):
        now[0] = 100.0 + seconds
        one.silence(seconds)
        assert (one.silent, one.beat_seconds) == (False, 4.5)
    now[0] = 113.5
    with pytest.raises(Unavailable):
        one.silence(13.5)
    assert one.silent
    now[0] += 1.0
    assert one.beat_seconds == 3.5, "the next call's silence begins where the last word was told"


def test_what_the_client_knows_breaks_no_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    """An owner that says late that it has accepted says nothing new: a sign of life is due all the same."""
    now = [100.0]
    monkeypatch.setattr(gateway.hearing, "monotonic", lambda: now[0])
    monkeypatch.setattr(gateway.hearing, "BEAT_SECONDS", 4.5)
    accepted = flow_event_pb2.FlowEvent(accepted=flow_event_pb2.Accepted(flow_run_id="f"))
    hearings = [gateway.hearing.ClientHearing("f", is_accepted=knows) for knows in (True, False)]
    now[0] = 103.0
    for one in hearings:
        one.take(accepted)
    assert [one.beat_seconds for one in hearings] == [1.5, 4.5]
