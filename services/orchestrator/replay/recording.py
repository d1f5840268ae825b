"""A flow's recording, put together from what is kept of it; only tools' responses and memory are kept for it alone.

question, caller, conversation      the flow's row, and the rows before it
models                              the decisions themselves: their output is what the model is taken to have said
tools                               the exchanges in what its calls had spent (HAPJU_FLOW_RECORDING)
persons, actions, lost agents       its questions and checkpoints
"""

from collections.abc import Iterable, Mapping
from importlib.metadata import version
from typing import Final

from hapju.flow.v1 import recording_pb2
from services.contract.events import AgentSettled, Cancelled, DecisionMade, Failed, Finished, FlowEvent, ToolSettled
from services.contract.flow import AgentResult, Decision, Spent
from services.contract.mapping import to_proto
from services.contract.recording import (
    FlowRecording,
    LostRun,
    Recollection,
    RecordedAction,
    RecordedCaller,
    RecordedQuestion,
)
from services.durable.checkpoints import VERSION, Checkpoint, Checkpoints
from services.durable.experiments import EVALUATOR_ROLE
from services.durable.questions import KeptQuestion
from services.durable.records import Record
from services.durable.store import FlowStore
from services.orchestrator.replay.places import placed, spent_of
from services.orchestrator.steps.attempt import LOST
from services.runtime.calls import MESSAGE_BYTES_MAX
from services.runtime.errors import FailedPrecondition, PayloadTooLarge, UnknownFlow
from services.runtime.identity import Caller

FORMAT_VERSION: Final = 1
"""How a recording is written and read by this code."""
RECORDING_BYTES_MAX: Final = MESSAGE_BYTES_MAX - 65_536
"""How large a recording may be: it travels as one message, with some room for what is around it."""
MEMORY_PLACE: Final = "memory"
"""The checkpoint of what was remembered when the flow was planned."""
_FROM_OUTSIDE: Final = frozenset({"DEADLINE_EXCEEDED", "UNAVAILABLE"})
_REPLAYED_ENDS: Final = frozenset({"USER_DECLINED", "QUESTION_EXPIRED"})
_ATTEMPT_PARTS: Final = 3


async def recording_of(store: FlowStore, caller: Caller, flow_run_id: str) -> FlowRecording:
    """Return the recording of a flow that has ended.

    Raises:
        UnknownFlow: Neither the caller's, nor one of an evaluator's own tenant.
        FailedPrecondition: It cannot be replayed: it runs, it was cut off from outside, it was begun by another
            version, or its tools' responses were not kept. The reason says which.
        PayloadTooLarge: It does not fit into a message.
    """
    record = await store.records.read(flow_run_id)
    if record is None or not _may_have(caller, record.caller):
        raise UnknownFlow(f"flow_run_id: no flow {flow_run_id} of this user")
    events = await store.reads.events(flow_run_id)
    _check(record, events)
    question = record.question
    if question is None:
        raise _not_replayable("CHECKPOINT_VERSION", "it was begun by another version of hapju")
    history = question.history or await store.reads.history(record.caller, record.session_id, flow_run_id)
    checkpoints = tuple(record.checkpoints.values())
    made = [one.event.decision for one in events if isinstance(one.event, DecisionMade)]
    recording = FlowRecording(
        format_version=FORMAT_VERSION,
        checkpoint_version=record.checkpoint_version,
        hapju_version=version("hapju"),
        flow_run_id=flow_run_id,
        caller=_recorded(record.caller),
        question=question,
        history=history,
        memory=Checkpoints(kept=record.checkpoints).get(MEMORY_PLACE, Recollection) or Recollection(),
        earlier=await store.earlier.read(record.caller, record.session_id, flow_run_id),
        assignments=record.assignments,
        decisions=placed(_once(made), checkpoints),
        tool_exchanges=tuple(one for kept in checkpoints for one in spent_of(kept).tool_exchanges),
        actions=tuple(_actions(events, record.checkpoints)),
        questions=tuple(_question(one) for one in record.questions.values()),
        lost_runs=tuple(_lost(record.checkpoints)),
        end=events[-1],
    )
    size = to_proto(recording, recording_pb2.FlowRecording).ByteSize()
    if size > RECORDING_BYTES_MAX:
        raise PayloadTooLarge(
            f"the flow's recording has {size} bytes, more than a message may have",
            reason="RECORDING_TOO_LARGE",
            metadata={"limit": "RECORDING_BYTES_MAX", "value": str(RECORDING_BYTES_MAX)},
        )
    return recording


def check_versions(recording: FlowRecording) -> None:
    """Refuse a recording that this code cannot replay.

    Raises:
        FailedPrecondition: It was written, or its flow was run, by another version.
    """
    if recording.format_version != FORMAT_VERSION or recording.checkpoint_version != VERSION:
        raise _not_replayable(
            "RECORDING_VERSION",
            f"it has format {recording.format_version} and checkpoints {recording.checkpoint_version}, and this"
            f" version reads {FORMAT_VERSION} and {VERSION}",
        )


def _check(record: Record, events: tuple[FlowEvent, ...]) -> None:
    if record.checkpoint_version != VERSION:
        raise _not_replayable("CHECKPOINT_VERSION", "it was begun by another version of hapju")
    end = events[-1].event if events else None
    if not isinstance(end, Finished | Failed | Cancelled):
        raise _not_replayable("FLOW_RUNS", "it has not ended")
    if isinstance(end, Cancelled) and end.reason not in _REPLAYED_ENDS:
        raise _not_replayable("CUT_FROM_OUTSIDE", f"it was cancelled from outside ({end.reason})")
    if isinstance(end, Failed) and end.code in _FROM_OUTSIDE:
        raise _not_replayable("CUT_FROM_OUTSIDE", f"it was cut off from outside ({end.reason})")
    called = any(isinstance(one.event, ToolSettled) for one in events)
    if called and not any(spent_of(kept).tool_exchanges for kept in record.checkpoints.values()):
        raise _not_replayable("FLOW_NOT_RECORDED", "its tools' responses were not kept; set HAPJU_FLOW_RECORDING=on")


def _not_replayable(reason: str, why: str) -> FailedPrecondition:
    return FailedPrecondition(f"the flow cannot be replayed: {why}", reason=reason)


def _may_have(caller: Caller, owner: Caller) -> bool:
    if caller.tenant != owner.tenant:
        return False
    return caller.user_id == owner.user_id or EVALUATOR_ROLE in caller.roles


def _recorded(caller: Caller) -> RecordedCaller:
    return RecordedCaller(caller.user_id, caller.tenant, caller.user_type, tuple(sorted(caller.roles)))


def _once(decisions: Iterable[Decision]) -> list[Decision]:
    return list(dict.fromkeys(decisions))


def _actions(events: tuple[FlowEvent, ...], kept: Mapping[str, Checkpoint]) -> Iterable[RecordedAction]:
    """Yield the actions that the last result of each step asked for."""
    results: dict[str, AgentResult] = {}
    for one in events:
        if isinstance(one.event, AgentSettled) and one.event.result is not None:
            results[one.event.step_id] = one.event.result
    for step_id, result in results.items():
        for ordinal, wanted in enumerate(result.action_requests):
            place = f"action/{step_id}/{ordinal}"
            preview, approval, receipt = (
                kept[name].message if (name := f"{place}/{part}") in kept else b""
                for part in ("preview", "approval", "receipt")
            )
            yield RecordedAction(
                step_id, ordinal, wanted.action_type, wanted.arguments_json, preview, approval, receipt
            )


def _question(kept: KeptQuestion) -> RecordedQuestion:
    settled = kept.settled
    return RecordedQuestion(
        name=kept.name,
        asked=kept.asked,
        default_answer=kept.default,
        ask_time=kept.ask_time,
        outcome=settled.outcome if settled is not None else None,
        answer=settled.answer if settled is not None else "",
        settle_time=settled.settle_time if settled is not None else None,
    )


def _lost(kept: Mapping[str, Checkpoint]) -> Iterable[LostRun]:
    reader = Checkpoints(kept=kept)
    for name in kept:
        parts = name.split("/")
        if parts[0] != "step" or len(parts) != _ATTEMPT_PARTS or not parts[2].isdecimal():
            continue
        settled = reader.get(name, AgentSettled)
        if settled is not None and settled.result is None and settled.outcome in LOST:
            spent = reader.get(f"{name}/spent", Spent) or Spent()
            yield LostRun(parts[1], int(parts[2]), settled.outcome, settled.reason, spent)
