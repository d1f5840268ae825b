"""One flow while this process drives it: its work, what ends it, and the one terminal event.

supervise     waits for the work, ends it at its deadline or when told to, and emits the one terminal event
└ work      the conductor's path, under the caller's identity, the flow's deadline and its trace

driven ─► finished, failed, cancelled     its terminal event is kept and told
       ├► handed over                     the process stops: the lease is free, and another replica goes on
       └► lost                            another replica has the lease already: nothing more is written here
"""

import asyncio
from asyncio import FIRST_COMPLETED
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from time import perf_counter
from typing import Final

import structlog

from observability import attributes as names
from observability.spans import AttributeValue, bind_flow, set_attributes, set_messages, span
from observability.telemetry import current as current_telemetry
from services.contract.events import Cancelled, DataReuseDecision, Failed, FinalAnswer, Finished, FlowEvent, Phase
from services.durable.store import FlowStore
from services.durable.writer import Lease
from services.orchestrator import texts
from services.orchestrator.calls import LetGo
from services.orchestrator.flow.conductor import Conductor
from services.orchestrator.flow.plan_limits import PLAN_LIMITS
from services.orchestrator.flow.state import FlowState
from services.orchestrator.flow.waiting import FlowLeft
from services.runtime import deadlines, ledger, run
from services.runtime.deadlines import Deadline
from services.runtime.errors import DeadlineExceeded, HapjuError, Internal, Unavailable
from services.runtime.identity import acting_for
from services.runtime.ids import new_error_id
from services.runtime.streams import Superseded

WAITING_LOOK_SECONDS: Final = 1.0
"""How often a flow that waits for a person is looked at: its deadline stands still until then."""
SHUTDOWN: Final = "SHUTDOWN"
"""Why the work of a flow is stopped that is handed over."""
SUPERSEDED: Final = "SUPERSEDED"
"""Why the work of a flow is stopped that another replica drives."""
SETTLE_SECONDS_MAX: Final = 3.0
"""How long a cancelled flow's work may take to let go of its calls, and then its hops to acknowledge that."""

OWN_DEADLINE_SECONDS: Final = 0.2
"""A call's DEADLINE_EXCEEDED that comes with no more than this left of its flow's time is the flow's own."""

_log = structlog.get_logger(__name__)
_PHASES: Final[dict[type, Phase]] = {
    Finished: Phase.FINISHED,
    Failed: Phase.FAILED,
    Cancelled: Phase.CANCELLED,
}
_NAMES: Final[dict[type, str]] = {Finished: "finished", Failed: "failed", Cancelled: "cancelled"}
"""How ends are called in traces, metrics and logs: by the name of the flow's terminal event."""


@dataclass(slots=True, eq=False)
class RunningFlow:
    """A flow that this process drives."""

    state: FlowState
    """What it has come to."""
    lease: Lease
    """The right to drive it."""
    work: asyncio.Task[FinalAnswer]
    """The conductor's path."""
    let_go: Callable[[], Awaitable[LetGo]]
    """Waits until no hop works for it any more."""
    timed_out: bool = False
    """True where its deadline ended it."""
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when its end is kept and told, or when this process drives it no more."""
    cancel_reason: str = ""
    """Why it was cancelled; empty while nobody said so."""
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when somebody said so."""

    def cancel(self, reason: str) -> None:
        """Ask the supervisor to cancel the work, and with it every call that it waits for; the first reason stays."""
        self.cancel_reason = self.cancel_reason or reason
        self.stopping.set()

    @property
    def is_left(self) -> bool:
        """True where the work has stopped, or is to be stopped, without being the flow's end."""
        if self.state.emitter.abandoned or _is_superseded(self.work):
            return True
        is_cut = not self.work.done() or self.work.cancelled()
        return is_cut and self.cancel_reason in {SHUTDOWN, SUPERSEDED}

    @property
    def answer(self) -> FinalAnswer | None:
        """The answer with which the flow ended here; None where it has not, or without one."""
        if self.is_left or not self.work.done() or self.work.cancelled() or self.work.exception() is not None:
            return None
        return self.work.result()

    async def supervise(self) -> None:
        """Wait for the work, ends it when its time is up or when told to, and tell the end where it is one."""
        active = current_telemetry().instruments.flows_active
        active.add(1)
        try:
            with bind_flow(self.state.flow_run_id):
                await self._supervised()
        finally:
            active.add(-1)

    async def _supervised(self) -> None:
        begin = perf_counter()
        try:
            await self._until_over()
            if not self.work.done():
                self.timed_out = not self.stopping.is_set()
                await self._stop_work()
            if self.is_left:
                self.state.emitter.abandon()
                _log.info("flow left", reason=self.cancel_reason or SUPERSEDED)
                return
            end = _end_of(self)
            await self.state.emitter.emit(end)
            name = _NAMES[type(end)]
            seconds = perf_counter() - begin
            current_telemetry().instruments.flow_ended(name, seconds)
            _log.info("flow ended", end=name, seconds=round(seconds, 3))
        except Superseded:
            _log.info("flow left", reason=SUPERSEDED)
        finally:
            # Work that may not write any more has failed by that alone, which is nobody's error.
            _is_superseded(self.work)
            self.ended.set()

    async def _stop_work(self) -> None:
        """Cancel the work; a flow that somebody cancelled is CANCELING until every hop has acknowledged that."""
        is_cancelled = self.stopping.is_set() and self.cancel_reason not in {SHUTDOWN, SUPERSEDED}
        if is_cancelled:
            await self.state.enter(Phase.CANCELING)
        self.work.cancel()
        # Work that does not let go is left behind rather than keeping its watchers waiting.
        await asyncio.wait({self.work}, timeout=SETTLE_SECONDS_MAX)
        if is_cancelled:
            with deadlines.governed_by(Deadline.after(SETTLE_SECONDS_MAX)), acting_for(self.state.caller):
                told = await self.let_go()
            self.state.budget.usage += told.usage
            if told.working:
                _log.warning("hops still work for a cancelled flow", hops=told.working, flow=self.state.flow_run_id)

    async def _until_over(self) -> None:
        """Wait for the work's end, somebody's word or the deadline, which a person's answer moves away."""
        asked = asyncio.create_task(self.stopping.wait())
        try:
            while not (self.work.done() or asked.done()):
                left = self.state.deadline.remaining_seconds
                if left <= 0 and not self.state.desk.waits:
                    return
                bound = WAITING_LOOK_SECONDS if self.state.desk.waits else max(left, 0.0)
                await asyncio.wait({self.work, asked}, timeout=bound, return_when=FIRST_COMPLETED)
        finally:
            asked.cancel()


async def work(
    conductor: Conductor,
    state: FlowState,
    links: tuple[str, ...] = (),
    turn: Callable[[], Awaitable[None]] | None = None,
) -> FinalAnswer:
    """Take a flow's question along its path, under its own deadline, caller, trace and ledger.

    Args:
        conductor: Knows the path.
        state: The flow.
        links: The traceparent under which it was begun, where it is gone on with.
        turn: Waits for its turn in the conversation; None where it has it.
    """
    with (
        deadlines.governed_by(state.deadline),
        acting_for(state.caller),
        run.use(state.run()),
        ledger.opened(),
        span(names.SPAN_FLOW, attributes=asked(state), links=links),
    ):
        set_messages(names.GEN_AI_INPUT_MESSAGES, lambda: [("user", state.question.text)])
        end: type[Finished | Failed | Cancelled] = Failed
        try:
            if turn is not None:
                await turn()
            answer = await conductor.answer(state)
            await state.emitter.settled()
            set_messages(names.GEN_AI_OUTPUT_MESSAGES, lambda: [("assistant", answer.final_response)])
            end = Finished
        except (asyncio.CancelledError, FlowLeft):
            end = Cancelled
            raise
        finally:
            set_attributes({**described(state), names.FLOW_END: _NAMES[end], names.FLOW_RESUMED: bool(links)})
        return answer


class Keeper:
    """Writes one flow's events down; the terminal one together with the flow's end."""

    def __init__(self, store: FlowStore, lease: Lease, told: tuple[FlowEvent, ...] = ()) -> None:
        self._store = store
        self._lease = lease
        reuse = [one.event for one in told if isinstance(one.event, DataReuseDecision)]
        self._reuse = reuse[-1] if reuse else None

    async def __call__(self, *kept: FlowEvent) -> None:
        """Write events down, all or none; the terminal one comes by itself."""
        last = kept[-1]
        event = last.event
        if isinstance(event, Finished):
            answer = event.answer
            text, usage = answer.final_response, answer.usage
            await self._store.end(self._lease, last, Phase.FINISHED, text, usage, self._reuse)
        elif isinstance(event, Failed | Cancelled):
            await self._store.end(self._lease, last, _PHASES[type(event)], "", event.usage, self._reuse)
        else:
            for one in kept:
                self._reuse = one.event if isinstance(one.event, DataReuseDecision) else self._reuse
            await self._store.keep(self._lease, *kept)


def _is_superseded(work: asyncio.Task[FinalAnswer]) -> bool:
    """Return whether the work found that it may not write any more."""
    if not work.done() or work.cancelled():
        return False
    error = work.exception()
    if isinstance(error, BaseExceptionGroup):
        return error.subgroup(Superseded) is not None
    return isinstance(error, Superseded)


def _end_of(running: RunningFlow) -> Finished | Failed | Cancelled:
    """Return the one terminal event of a flow whose work has ended or was left behind."""
    state, work = running.state, running.work
    usage, decisions = state.budget.usage, tuple(state.budget.decisions)
    if not work.done() or work.cancelled():
        if running.cancel_reason:
            return Cancelled(running.cancel_reason, usage, decisions)
        if running.timed_out:
            return _failed(state, DeadlineExceeded(texts.say(state.locale, "deadline")))
        return _failed(state, _logged(RuntimeError("the flow's work was cancelled from within")))
    error = _one_of(work.exception())
    if error is None:
        return Finished(work.result())
    if isinstance(error, FlowLeft):
        return Cancelled(error.reason, usage, decisions)
    return _failed(state, _own(state, error) if isinstance(error, HapjuError) else _logged(error))


def _one_of(error: BaseException | None) -> BaseException | None:
    """Return what work side by side failed by, where that is ours or one thing alone; else all of it together."""
    if not isinstance(error, BaseExceptionGroup):
        return error
    known, others = error.split(HapjuError)
    found = known if known is not None and others is None else error
    return _one_of(found.exceptions[0]) if found is known or len(found.exceptions) == 1 else error


def _own(state: FlowState, error: HapjuError) -> HapjuError:
    """Return what a call's error is to the flow.

    A call that got no answer in its own time, while the flow still has some, has not run out of the flow's time: a part
    of the service is lost.
    """
    if isinstance(error, DeadlineExceeded) and state.deadline.remaining_seconds > OWN_DEADLINE_SECONDS:
        return Unavailable(error.message, reason="NO_ANSWER", metadata=error.metadata)
    return error


def unkept(locale: str, error: Exception) -> Failed:
    """Return the end of a flow whose own end cannot be written down: the store is away, or will not have it."""
    away = isinstance(error, Unavailable)
    text = texts.say(locale, "unavailable" if away else "internal")
    return Failed("UNAVAILABLE" if away else "INTERNAL", "END_NOT_KEPT", text)


def _failed(state: FlowState, error: HapjuError) -> Failed:
    text = texts.say(state.locale, _text_of(error))
    return Failed(
        error.code.name, error.reason, text, error.error_id, state.budget.usage, tuple(state.budget.decisions)
    )


def _text_of(error: HapjuError) -> str:
    """Return the name of the text that tells a user of an error."""
    if error.reason in PLAN_LIMITS:
        return "plan_refused"
    if isinstance(error, Internal):
        return "internal"
    return "deadline" if isinstance(error, DeadlineExceeded) else "unavailable"


def _logged(error: BaseException) -> Internal:
    error_id = new_error_id()
    _log.error("the flow's work failed", error_id=error_id, exc_info=error)
    return Internal.with_id(error_id)


def asked(state: FlowState) -> dict[str, AttributeValue]:
    """Return the attributes that a flow's span begins with."""
    return {names.LOCALE: state.locale, names.GEN_AI_CONVERSATION_ID: state.question.session_id}


def described(state: FlowState) -> dict[str, AttributeValue]:
    """Return the attributes of a flow's span, as far as the flow has come; none of them holds what was said."""
    found: dict[str, AttributeValue] = {}
    if (route := state.route) is not None:
        found |= {
            names.DOMAIN: route.domain,
            names.INTENT: route.intent,
            names.SELECTED_TYPE: route.selected_type,
            names.NEXT_ACTION: route.next_action.value,
        }
    if state.plan is not None:
        found[names.PLAN_STRATEGY] = state.plan.strategy.value
    if state.findings.review is not None:
        found[names.GOAL_ACHIEVED] = state.findings.review.goal_achieved.value
    if asks := tuple(_asks(state)):
        found[names.ASKS] = asks
    if state.tags:
        found[names.FAILURE_TAGS] = tuple(tag.value for tag in state.tags)
    return found


def _asks(state: FlowState) -> Iterator[str]:
    """Yield each ask with its form and what came of it; one that no step was given is OPEN."""
    came_of = {
        answer.ask_id: answer.state.value for result in state.findings.results.values() for answer in result.answers
    }
    for ask in state.route.asks if state.route is not None else ():
        yield f"{ask.ask_id} {ask.form.value if ask.form else ''} {came_of.get(ask.ask_id, 'OPEN')}"
