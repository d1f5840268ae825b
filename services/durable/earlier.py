"""What a conversation's earlier flows found, read back from the events that told it."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine

from hapju.flow.v1 import flow_event_pb2, question_pb2
from services.contract.asks import AskAnswer, AskedBefore
from services.contract.events import (
    ActionOutcome,
    ActionSettled,
    AgentOutcome,
    AgentSettled,
    FlowEvent,
    Phase,
    Planned,
    Routed,
)
from services.contract.flow import Attachment
from services.contract.mapping import from_proto
from services.contract.recording import EarlierFlow, EarlierResult
from services.durable.schema import FLOW_EVENTS, FLOWS
from services.runtime.identity import Caller

FLOWS_MAX: Final = 10
"""How many flows are looked back on, the newest first."""
_TELLING: Final = frozenset({"routed", "planned", "agent_settled", "action_settled"})
_CHANGING: Final = frozenset({ActionOutcome.DONE, ActionOutcome.IN_DOUBT})


class EarlierFlows:
    """Reads earlier flows."""

    def __init__(self, reader: AsyncEngine) -> None:
        self._reader = reader

    async def read(self, caller: Caller, session_id: str, before: str) -> tuple[EarlierFlow, ...]:
        """Return the caller's finished flows of a conversation that began before a flow, the newest first.

        They have ended when the flow's turn comes, so they are the same whenever they are read, and its next driver
        judges as the first one did; what was said last holds, however quickly one message followed another. What lies
        before the last flow that did something tells only what was asked: what that flow changed is read anew.
        """
        wanted = select(FLOWS.c.flow_run_id, FLOWS.c.request).where(
            FLOWS.c.tenant == caller.tenant,
            FLOWS.c.user_id == caller.user_id,
            FLOWS.c.session_id == session_id,
            FLOWS.c.phase == Phase.FINISHED.value,
            FLOWS.c.flow_run_id < before,
        )
        async with self._reader.connect() as connection:
            flows = (await connection.execute(wanted.order_by(FLOWS.c.flow_run_id.desc()).limit(FLOWS_MAX))).all()
            ids = [flow_run_id for flow_run_id, _ in flows]
            told = select(FLOW_EVENTS.c.flow_run_id, FLOW_EVENTS.c.event).where(FLOW_EVENTS.c.flow_run_id.in_(ids))
            rows = (await connection.execute(told.order_by(FLOW_EVENTS.c.sequence))).all() if ids else []
        events: dict[str, list[FlowEvent]] = {flow_run_id: [] for flow_run_id in ids}
        for flow_run_id, kept in rows:
            message = flow_event_pb2.FlowEvent.FromString(kept)
            if message.WhichOneof("event") in _TELLING:
                events[flow_run_id].append(from_proto(message, FlowEvent))
        return tuple(_with_attachments(_flows(events), dict(flows)))


def _flows(events: dict[str, list[FlowEvent]]) -> Iterator[EarlierFlow]:
    """Yield the flows; of what was found nothing that lies before a change: it is read anew."""
    changed = False
    for flow_run_id, told in events.items():
        changed = changed or _has_acted(told)
        flow = _flow(flow_run_id, told)
        yield replace(flow, need=None, found=()) if changed else flow


def _with_attachments(found: Iterator[EarlierFlow], requests: Mapping[str, bytes]) -> Iterator[EarlierFlow]:
    """Yield the flows; the latest whose question came with files has them."""
    is_found = False
    for flow in found:
        files = () if is_found else question_pb2.Question.FromString(requests[flow.flow_run_id]).attachments
        is_found = is_found or bool(files)
        yield replace(flow, attachments=tuple(from_proto(one, Attachment) for one in files))


def _has_acted(events: list[FlowEvent]) -> bool:
    return any(isinstance(one.event, ActionSettled) and one.event.outcome in _CHANGING for one in events)


def _flow(flow_run_id: str, events: list[FlowEvent]) -> EarlierFlow:
    plans = [one.event.plan for one in events if isinstance(one.event, Planned)]
    settled = ((one.emit_time, one.event) for one in events if isinstance(one.event, AgentSettled))
    found = tuple(
        EarlierResult(event.result, at)
        for at, event in settled
        if event.result is not None and event.outcome in {AgentOutcome.ANSWERED, AgentOutcome.REUSED}
    )
    acted = tuple(one.event for one in events if isinstance(one.event, ActionSettled))
    return EarlierFlow(flow_run_id, plans[-1].need if plans else None, found, _asked(events), acted)


def _asked(events: list[FlowEvent]) -> AskedBefore | None:
    routes = [one.event.route for one in events if isinstance(one.event, Routed)]
    if not routes:
        return None
    plans = [one.event.plan for one in events if isinstance(one.event, Planned)]
    planned = {ask.ask_id: ask for plan in plans[-1:] for step in plan.steps for ask in step.asks}
    answers = {answer.ask_id: answer for answer in _answers(events)}
    # What was told unread is nothing that a later message goes on from.
    asks = tuple(planned.get(ask.ask_id, ask) for ask in routes[-1].asks if ask.answerer)
    return AskedBefore(asks, tuple(answers.values()))


def _answers(events: list[FlowEvent]) -> Iterator[AskAnswer]:
    """Yield what came of the asks: what agents answered, then what became of the actions in its place."""
    for one in events:
        if isinstance(one.event, AgentSettled) and one.event.result is not None:
            yield from one.event.result.answers
    for one in events:
        if isinstance(one.event, ActionSettled) and one.event.answer is not None:
            yield one.event.answer
