"""A flow's recording: what it was given and what it came to. Field meanings stand in recording.proto."""

from dataclasses import dataclass
from datetime import datetime

from hapju.flow.v1 import recording_pb2
from services.contract.asks import AskedBefore
from services.contract.attachments import Attachment
from services.contract.events import ActionSettled, AgentOutcome, FlowEvent, QuestionAsked, QuestionOutcome
from services.contract.flow import AgentResult, DataNeed, Decision, Question, Remembered, Spent, ToolExchange, Turn
from services.contract.mapping import message


@message(recording_pb2.RecordedCaller)
@dataclass(frozen=True, slots=True)
class RecordedCaller:
    """Who asked."""

    user_id: str = ""
    tenant: str = ""
    user_type: str = ""
    roles: tuple[str, ...] = ()


@message(recording_pb2.Recollection)
@dataclass(frozen=True, slots=True)
class Recollection:
    """What a flow knows of its user's earlier conversations."""

    remembered: tuple[Remembered, ...] = ()


@message(recording_pb2.EarlierResult)
@dataclass(frozen=True, slots=True)
class EarlierResult:
    """What one step of an earlier flow found."""

    result: AgentResult
    found_at: datetime


@message(recording_pb2.EarlierFlow)
@dataclass(frozen=True, slots=True)
class EarlierFlow:
    """An earlier flow of the conversation."""

    flow_run_id: str
    need: DataNeed | None = None
    found: tuple[EarlierResult, ...] = ()
    asked: AskedBefore | None = None
    actions: tuple[ActionSettled, ...] = ()
    attachments: tuple[Attachment, ...] = ()


@message(recording_pb2.Assignment)
@dataclass(frozen=True, slots=True)
class Assignment:
    """The variant of one experiment that a flow runs under."""

    experiment: str
    variant: str


@message(recording_pb2.RecordedDecision)
@dataclass(frozen=True, slots=True)
class RecordedDecision:
    """One decision and where in the flow it was made."""

    place: str
    decision: Decision


@message(recording_pb2.RecordedAction)
@dataclass(frozen=True, slots=True)
class RecordedAction:
    """What became of one action that an agent asked for."""

    step_id: str
    ordinal: int
    action_type: str
    arguments_json: bytes
    preview: bytes = b""
    approval: bytes = b""
    receipt: bytes = b""


@message(recording_pb2.RecordedQuestion)
@dataclass(frozen=True, slots=True)
class RecordedQuestion:
    """A question to a person, and how it was settled."""

    name: str
    asked: QuestionAsked
    default_answer: str
    ask_time: datetime
    outcome: QuestionOutcome | None = None
    answer: str = ""
    settle_time: datetime | None = None


@message(recording_pb2.LostRun)
@dataclass(frozen=True, slots=True)
class LostRun:
    """A run of an agent that ended without a result."""

    step_id: str
    attempt: int
    outcome: AgentOutcome
    reason: str
    spent: Spent = Spent()


@message(recording_pb2.FlowRecording)
@dataclass(frozen=True, slots=True)
class FlowRecording:
    """All that it takes to take a flow's path again without any model, tool or effect."""

    format_version: int
    checkpoint_version: int
    hapju_version: str
    flow_run_id: str
    caller: RecordedCaller
    question: Question
    history: tuple[Turn, ...]
    memory: Recollection
    earlier: tuple[EarlierFlow, ...]
    assignments: tuple[Assignment, ...]
    decisions: tuple[RecordedDecision, ...]
    tool_exchanges: tuple[ToolExchange, ...]
    actions: tuple[RecordedAction, ...]
    questions: tuple[RecordedQuestion, ...]
    lost_runs: tuple[LostRun, ...]
    end: FlowEvent
