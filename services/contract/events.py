"""What a flow tells its watchers, and what is kept of it. Field meanings stand in protos/hapju/flow/v1."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from hapju.flow.v1 import action_pb2, answer_pb2, flow_event_pb2, record_pb2
from services.contract.asks import AskAnswer
from services.contract.charts import Chart
from services.contract.documents import FinalDocument
from services.contract.drops import Dropped
from services.contract.flow import (
    ActionRequest,
    AgentResult,
    Citation,
    DataFreshness,
    Decision,
    DecisionSource,
    ExecutionPlan,
    FailureTag,
    RouteDecision,
    Usage,
    Warning,  # noqa: A004 - the contract's word
)
from services.contract.mapping import message


class Phase(StrEnum):
    """Where a flow stands."""

    ADMITTED = "ADMITTED"
    GUARDED = "GUARDED"
    ROUTED = "ROUTED"
    PLANNED = "PLANNED"
    EXECUTING = "EXECUTING"
    AWAITING_CONFIRMATION = "AWAITING_CONFIRMATION"
    REVIEWED = "REVIEWED"
    SYNTHESIZING = "SYNTHESIZING"
    FINISHED = "FINISHED"
    FAILED = "FAILED"
    CANCELLED = "CANCELLED"
    CANCELING = "CANCELING"


@message(action_pb2.ShownField)
@dataclass(frozen=True, slots=True)
class ShownField:
    """One thing that the user is shown before approving."""

    name: str
    label: str
    kind: str
    number: int
    text: str


@message(action_pb2.ShownAction)
@dataclass(frozen=True, slots=True)
class ShownAction:
    """An action as the user is shown it."""

    action_type: str
    action_digest: str
    fields: tuple[ShownField, ...]
    words: tuple[str, ...] = ()


class ActionOutcome(StrEnum):
    """What became of an action that an agent asked for."""

    DONE = "DONE"
    REFUSED = "REFUSED"
    REJECTED = "REJECTED"
    AWAITING_APPROVAL = "AWAITING_APPROVAL"
    IN_DOUBT = "IN_DOUBT"


@message(action_pb2.PendingAction)
@dataclass(frozen=True, slots=True)
class PendingAction:
    """An action that was shown for the user's word."""

    flow_run_id: str
    approval_id: str
    action: ShownAction
    arguments_json: bytes
    arguments_schema_id: str
    expire_time: datetime | None = None


@message(action_pb2.ActionSettled)
@dataclass(frozen=True, slots=True)
class ActionSettled:
    """What became of an action that an agent asked for."""

    step_id: str
    ordinal: int
    action_type: str
    outcome: ActionOutcome
    reason: str = ""
    effect_key: str = ""
    result_json: bytes = b""
    result_schema_id: str = ""
    answer: AskAnswer | None = None
    pending: PendingAction | None = None


@message(answer_pb2.SelectedAgent)
@dataclass(frozen=True, slots=True)
class SelectedAgent:
    """An agent that was called."""

    agent_name: str
    order: int
    output: AgentResult


@message(answer_pb2.ContextMeta)
@dataclass(frozen=True, slots=True)
class ContextMeta:
    """How an answer came about."""

    domain: str = ""
    intent: str = ""
    status: str = ""
    dispatch_mode: str = "none"
    fallback_used: bool = False
    invoked_agent_count: int = 0
    data_reused: bool = False
    reused_data_source: str = "none"
    user_confirmed: bool = False
    sample_data: bool = False
    evidence_confidence: float | None = None
    normalised_question: str = ""


class GoalAchieved(StrEnum):
    """Whether what was found answers the question."""

    YES = "YES"
    PARTIAL = "PARTIAL"
    NO = "NO"


@message(answer_pb2.Review)
@dataclass(frozen=True, slots=True)
class Review:
    """What the review after the steps came to."""

    goal_achieved: GoalAchieved
    score: float
    missing: tuple[str, ...] = ()


@message(answer_pb2.FinalAnswer)
@dataclass(frozen=True, slots=True)
class FinalAnswer:
    """The final message of a flow."""

    flow_run_id: str
    source: DecisionSource
    final_response: str
    selected_agents: tuple[SelectedAgent, ...] = ()
    action_requests: tuple[ActionRequest, ...] = ()
    confidence_score: float = 0.0
    requires_confirmation: bool = False
    next_suggested_actions: tuple[str, ...] = ()
    citations: tuple[Citation, ...] = ()
    data_freshness: tuple[DataFreshness, ...] = ()
    failure_tags: tuple[FailureTag, ...] = ()
    usage: Usage = Usage()
    context_meta: ContextMeta = ContextMeta()
    decisions: tuple[Decision, ...] = ()
    warnings: tuple[Warning, ...] = ()
    actions: tuple[ActionSettled, ...] = ()
    review: Review | None = None
    dropped: tuple[Dropped, ...] = ()
    charts: tuple[Chart, ...] = ()
    documents: tuple[FinalDocument, ...] = ()


@message(flow_event_pb2.Accepted)
@dataclass(frozen=True, slots=True)
class Accepted:
    """The question was taken in."""

    flow_run_id: str
    replayed: bool = False
    session_id: str = ""


@message(flow_event_pb2.PhaseChanged)
@dataclass(frozen=True, slots=True)
class PhaseChanged:
    """The flow is in another phase."""

    phase: Phase


@message(flow_event_pb2.DecisionMade)
@dataclass(frozen=True, slots=True)
class DecisionMade:
    """A decision was made."""

    decision: Decision


@message(flow_event_pb2.Routed)
@dataclass(frozen=True, slots=True)
class Routed:
    """The question is understood."""

    route: RouteDecision


@message(flow_event_pb2.Planned)
@dataclass(frozen=True, slots=True)
class Planned:
    """The question is planned."""

    plan: ExecutionPlan


@message(flow_event_pb2.DataReuseDecision)
@dataclass(frozen=True, slots=True)
class DataReuseDecision:
    """What becomes of data that the conversation holds."""

    message: str
    source: str
    reasoning: str
    confidence: float
    use: str
    flow_run_ids: tuple[str, ...] = ()
    user_confirmed: bool = False


@message(flow_event_pb2.Reviewed)
@dataclass(frozen=True, slots=True)
class Reviewed:
    """What was found was reviewed."""

    review: Review


@message(flow_event_pb2.StepStarted)
@dataclass(frozen=True, slots=True)
class StepStarted:
    """A step began."""

    step_id: str
    agent: str
    task: str


@message(flow_event_pb2.Progress)
@dataclass(frozen=True, slots=True)
class Progress:
    """A service says what it is doing."""

    service: str
    step_id: str
    message: str


class ToolOutcomeKind(StrEnum):
    """How a tool call ended."""

    RETURNED = "RETURNED"
    FAILED = "FAILED"
    SKIPPED = "SKIPPED"


@message(flow_event_pb2.ToolSettled)
@dataclass(frozen=True, slots=True)
class ToolSettled:
    """A tool call ended."""

    step_id: str
    tool: str
    outcome: ToolOutcomeKind
    row_count: int
    replayed: bool
    reason: str
    latency: timedelta


class AgentOutcome(StrEnum):
    """How a step ended for the flow."""

    ANSWERED = "ANSWERED"
    INSUFFICIENT_DATA = "INSUFFICIENT_DATA"
    FAILED = "FAILED"
    TIMED_OUT = "TIMED_OUT"
    UNREACHABLE = "UNREACHABLE"
    SKIPPED = "SKIPPED"
    REUSED = "REUSED"


@message(flow_event_pb2.AgentSettled)
@dataclass(frozen=True, slots=True)
class AgentSettled:
    """A step ended."""

    step_id: str
    agent: str
    outcome: AgentOutcome
    reason: str
    latency: timedelta
    result: AgentResult | None


@message(flow_event_pb2.WarningRaised)
@dataclass(frozen=True, slots=True)
class WarningRaised:
    """Something went less than well."""

    warning: Warning


@message(flow_event_pb2.Heartbeat)
@dataclass(frozen=True, slots=True)
class Heartbeat:
    """Nothing happened, and the flow is alive."""


@message(flow_event_pb2.Delta)
@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of the answer; offsets count code points."""

    answer_attempt: int
    text_offset: int
    text: str


class QuestionKind(StrEnum):
    """What a flow asks a person for."""

    SLOT = "SLOT"
    CONFIRM = "CONFIRM"
    REUSE = "REUSE"
    APPROVAL = "APPROVAL"


class QuestionOutcome(StrEnum):
    """How a question to a person was settled."""

    ANSWERED = "ANSWERED"
    DECLINED = "DECLINED"
    EXPIRED = "EXPIRED"


@message(flow_event_pb2.QuestionOption)
@dataclass(frozen=True, slots=True)
class QuestionOption:
    """One of the answers that a question offers."""

    value: str
    label: str
    description: str


@message(flow_event_pb2.HeldData)
@dataclass(frozen=True, slots=True)
class HeldData:
    """The earlier data that a question is about."""

    summary: str
    age: timedelta
    issues: tuple[str, ...]


@message(flow_event_pb2.QuestionAsked)
@dataclass(frozen=True, slots=True)
class QuestionAsked:
    """The flow waits for a person."""

    question_id: str
    kind: QuestionKind
    slot: str
    text: str
    options: tuple[str, ...]
    expire_time: datetime
    default_answer: str = ""
    answer_schema_json: bytes = b""
    allowed_roles: tuple[str, ...] = ()
    action: ShownAction | None = None
    choices: tuple[QuestionOption, ...] = ()
    held_data: HeldData | None = None


@message(flow_event_pb2.QuestionSettled)
@dataclass(frozen=True, slots=True)
class QuestionSettled:
    """A person has answered, or the wait is over."""

    question_id: str
    outcome: QuestionOutcome


@message(flow_event_pb2.Finished)
@dataclass(frozen=True, slots=True)
class Finished:
    """The end, with an answer."""

    answer: FinalAnswer


@message(flow_event_pb2.Failed)
@dataclass(frozen=True, slots=True)
class Failed:
    """The end, without an answer."""

    code: str
    reason: str
    message: str
    error_id: str = ""
    usage: Usage = Usage()
    decisions: tuple[Decision, ...] = ()


@message(flow_event_pb2.Cancelled)
@dataclass(frozen=True, slots=True)
class Cancelled:
    """The end, because somebody said so."""

    reason: str
    usage: Usage = Usage()
    decisions: tuple[Decision, ...] = ()


Terminal = Finished | Failed | Cancelled
"""The events that end a flow; exactly one of them is emitted."""

Event = (
    Accepted
    | PhaseChanged
    | DecisionMade
    | Routed
    | Planned
    | StepStarted
    | Progress
    | ToolSettled
    | AgentSettled
    | WarningRaised
    | Heartbeat
    | Delta
    | QuestionAsked
    | QuestionSettled
    | DataReuseDecision
    | ActionSettled
    | Reviewed
    | Finished
    | Failed
    | Cancelled
)
"""Every event of a flow."""


@message(flow_event_pb2.FlowEvent)
@dataclass(frozen=True, slots=True)
class FlowEvent:
    """One event with its place in the flow."""

    sequence: int | None
    emit_time: datetime
    event: Event


@message(record_pb2.FlowSummary)
@dataclass(frozen=True, slots=True)
class FlowSummary:
    """A flow in a list."""

    flow_run_id: str
    session_id: str
    question: str
    phase: Phase
    start_time: datetime
    end_time: datetime | None
    latency: timedelta
    usage: Usage
    user_id: str = ""
    content_withheld: bool = False


@message(record_pb2.ChainLink)
@dataclass(frozen=True, slots=True)
class ChainLink:
    """One link of a flow's call chain."""

    order: int
    service: str
    name: str
    kind: str
    model: str
    latency: timedelta
    input_tokens: int
    output_tokens: int
    outcome: str
    settle_time: datetime


@message(record_pb2.FlowRecord)
@dataclass(frozen=True, slots=True)
class FlowRecord:
    """All that is kept of a flow."""

    summary: FlowSummary
    chain: tuple[ChainLink, ...]
    events: tuple[FlowEvent, ...]
    after: tuple[ChainLink, ...] = ()
    dropped: tuple[Dropped, ...] = ()
