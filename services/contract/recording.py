"""The messages of recording.

Generated from protos/hapju/flow/v1 by protos/generate.py: change these and run `make protos`.
"""

from dataclasses import dataclass
from datetime import datetime

from hapju.flow.v1 import recording_pb2
from services.contract.asks import AskedBefore
from services.contract.events import ActionSettled, AgentOutcome, FlowEvent, QuestionAsked, QuestionOutcome
from services.contract.flow import (
    AgentResult,
    Attachment,
    DataNeed,
    Decision,
    Question,
    Remembered,
    Spent,
    ToolExchange,
    Turn,
)
from services.contract.mapping import message


@message(recording_pb2.RecordedCaller)
@dataclass(frozen=True, slots=True)
class RecordedCaller:
    """Who asked."""

    user_id: str = ""
    """The user; empty where nobody was named."""
    tenant: str = ""
    """The tenant."""
    user_type: str = ""
    """What kind of user."""
    roles: tuple[str, ...] = ()
    """The user's roles, sorted."""


@message(recording_pb2.Recollection)
@dataclass(frozen=True, slots=True)
class Recollection:
    """What a flow knows of its user's earlier conversations."""

    remembered: tuple[Remembered, ...] = ()
    """The conversations, the latest first."""


@message(recording_pb2.EarlierResult)
@dataclass(frozen=True, slots=True)
class EarlierResult:
    """What one step of an earlier flow found."""

    result: AgentResult
    """The result."""
    found_at: datetime
    """When the step had it."""


@message(recording_pb2.EarlierFlow)
@dataclass(frozen=True, slots=True)
class EarlierFlow:
    """An earlier flow of the conversation."""

    flow_run_id: str
    """Its id."""
    need: DataNeed | None = None
    """What its question was about; absent where it had no plan."""
    found: tuple[EarlierResult, ...] = ()
    """What it looked up itself; nothing of what lies before the last flow that changed something."""
    asked: AskedBefore | None = None
    """What its message asked for and what came of that; absent where it was not routed."""
    actions: tuple[ActionSettled, ...] = ()
    """What became of the actions that it asked for."""
    attachments: tuple[Attachment, ...] = ()
    """The files that came with its message, without their content."""


@message(recording_pb2.Assignment)
@dataclass(frozen=True, slots=True)
class Assignment:
    """The variant of one experiment that a flow runs under."""

    experiment: str
    """The experiment, for example "data_reuse"."""
    variant: str
    """The variant, for example "hybrid"."""


@message(recording_pb2.RecordedDecision)
@dataclass(frozen=True, slots=True)
class RecordedDecision:
    """One decision and where in the flow it was made."""

    place: str
    """The stage or step, for example "route" or "step/s1/1/assessment"; empty where it is not known."""
    decision: Decision
    """The decision."""


@message(recording_pb2.RecordedAction)
@dataclass(frozen=True, slots=True)
class RecordedAction:
    """What became of one action that an agent asked for."""

    step_id: str
    """The step that asked for it."""
    ordinal: int
    """Its place among the step's actions, from 0."""
    action_type: str
    """Its type."""
    arguments_json: bytes
    """Its arguments as UTF-8 JSON."""
    preview: bytes = b""
    """The hapju.tool.v1.PreviewActionResponse in binary form; empty where it was not previewed."""
    approval: bytes = b""
    """The hapju.tool.v1.ApproveActionResponse in binary form; empty where no word was handed over."""
    receipt: bytes = b""
    """The hapju.tool.v1.ExecuteActionResponse in binary form; empty where it was not done."""


@message(recording_pb2.RecordedQuestion)
@dataclass(frozen=True, slots=True)
class RecordedQuestion:
    """A question to a person, and how it was settled."""

    name: str
    """Its place in the flow."""
    asked: QuestionAsked
    """The question as it was told."""
    default_answer: str
    """The answer that holds where nobody gives one; empty where the flow is then cancelled."""
    ask_time: datetime
    """When it was asked."""
    outcome: QuestionOutcome | None = None
    """How it was settled; unspecified where it was not."""
    answer: str = ""
    """What was said."""
    settle_time: datetime | None = None
    """When it was settled; absent where it was not."""


@message(recording_pb2.LostRun)
@dataclass(frozen=True, slots=True)
class LostRun:
    """A run of an agent that ended without a result."""

    step_id: str
    """The step."""
    attempt: int
    """Which attempt at it, from 1."""
    outcome: AgentOutcome
    """How it ended."""
    reason: str
    """Why, UPPER_SNAKE."""
    spent: Spent = Spent()
    """What the agent had decided and spent."""


@message(recording_pb2.FlowRecording)
@dataclass(frozen=True, slots=True)
class FlowRecording:
    """What a flow was given and what it came to: all that it takes to take its path again without any model, tool or
    effect.
    """

    format_version: int
    """How this message is to be read; another version is refused."""
    checkpoint_version: int
    """How the flow's checkpoints were named and read when it ran; another version is refused."""
    hapju_version: str
    """The version of hapju that wrote this down, for the reader."""
    flow_run_id: str
    """The flow."""
    caller: RecordedCaller
    """Who asked."""
    question: Question
    """What was asked; with `now`, its conversation and its deadline filled in."""
    history: tuple[Turn, ...]
    """The conversation before it, the oldest first."""
    memory: Recollection
    """What was remembered of earlier conversations, the latest first."""
    earlier: tuple[EarlierFlow, ...]
    """What the conversation's earlier flows had found, the newest first."""
    assignments: tuple[Assignment, ...]
    """The variants of experiments that the flow ran under."""
    decisions: tuple[RecordedDecision, ...]
    """Every decision, in the order in which they were told."""
    tool_exchanges: tuple[ToolExchange, ...]
    """Every call of a tool."""
    actions: tuple[RecordedAction, ...]
    """Every action."""
    questions: tuple[RecordedQuestion, ...]
    """Every question to a person."""
    lost_runs: tuple[LostRun, ...]
    """Every run of an agent that ended without a result."""
    end: FlowEvent
    """The terminal event."""
