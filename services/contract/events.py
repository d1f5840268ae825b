"""The messages of action, answer, flow_event, record.

Generated from protos/hapju/flow/v1 by protos/generate.py: change these and run `make protos`.
"""

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
    Warning,
)
from services.contract.mapping import message


class ActionOutcome(StrEnum):
    """What became of an action that an agent asked for."""

    DONE = "DONE"
    """It is done, once."""
    REFUSED = "REFUSED"
    """It cannot be done, and nothing was."""
    REJECTED = "REJECTED"
    """The user said no, and nothing was done."""
    AWAITING_APPROVAL = "AWAITING_APPROVAL"
    """It waits for an approval that this flow cannot ask for; nothing was done."""
    IN_DOUBT = "IN_DOUBT"
    """Whether it is done is not known; it is not tried again, and the ledger of effects will tell."""


class GoalAchieved(StrEnum):
    """Whether the results of a flow's steps answer its question."""

    YES = "YES"
    """Every part of it."""
    PARTIAL = "PARTIAL"
    """Some of it."""
    NO = "NO"
    """Nothing that was found bears on it."""


class Phase(StrEnum):
    """Where a flow stands."""

    ADMITTED = "ADMITTED"
    """The question was accepted."""
    GUARDED = "GUARDED"
    """The policy check let it through."""
    ROUTED = "ROUTED"
    """It is understood."""
    PLANNED = "PLANNED"
    """It is planned."""
    EXECUTING = "EXECUTING"
    """Agents are running."""
    AWAITING_CONFIRMATION = "AWAITING_CONFIRMATION"
    """A person was asked."""
    REVIEWED = "REVIEWED"
    """The results were reviewed."""
    SYNTHESIZING = "SYNTHESIZING"
    """The answer is being written."""
    FINISHED = "FINISHED"
    """Ended with an answer."""
    FAILED = "FAILED"
    """Ended without one."""
    CANCELLED = "CANCELLED"
    """Ended because somebody said so."""
    CANCELING = "CANCELING"
    """Somebody said so, and not every call of it has acknowledged that yet."""


class ToolOutcomeKind(StrEnum):
    """How a tool call ended."""

    RETURNED = "RETURNED"
    """It returned rows, perhaps none."""
    FAILED = "FAILED"
    """It failed."""
    SKIPPED = "SKIPPED"
    """It was left out."""


class AgentOutcome(StrEnum):
    """How a step ended for the flow."""

    ANSWERED = "ANSWERED"
    """With an answer, perhaps a limited one."""
    INSUFFICIENT_DATA = "INSUFFICIENT_DATA"
    """Without rows."""
    FAILED = "FAILED"
    """Its tools or its own work failed."""
    TIMED_OUT = "TIMED_OUT"
    """It ran out of time."""
    UNREACHABLE = "UNREACHABLE"
    """It could not be reached."""
    SKIPPED = "SKIPPED"
    """It was left out."""
    REUSED = "REUSED"
    """An earlier flow's result took its place."""


class QuestionKind(StrEnum):
    """What a flow asks a person for."""

    SLOT = "SLOT"
    """A value for a slot."""
    CONFIRM = "CONFIRM"
    """A yes or no to how the question was understood."""
    APPROVAL = "APPROVAL"
    """A yes or no to an action as it is shown."""
    REUSE = "REUSE"
    """Whether earlier data will do, so that the person need not say it again."""


class QuestionOutcome(StrEnum):
    """How a question to a person was settled."""

    ANSWERED = "ANSWERED"
    """With an answer."""
    DECLINED = "DECLINED"
    """The person said stop."""
    EXPIRED = "EXPIRED"
    """Nobody answered in time."""


@message(action_pb2.ShownField)
@dataclass(frozen=True, slots=True)
class ShownField:
    """One thing that the user is shown before approving. It comes from typed values of the action, never from a model's
    text.
    """

    name: str
    """The field's name, for example "amount_krw"."""
    label: str
    """Its label in the flow's language."""
    kind: str
    """What it is: MONEY_KRW, QUANTITY, TARGET or TEXT."""
    number: int
    """Its value where it is a number, 0 otherwise."""
    text: str
    """Its value as text, at most 500 characters; for a number its digits."""


@message(action_pb2.ShownAction)
@dataclass(frozen=True, slots=True)
class ShownAction:
    """An action as the user is shown it."""

    action_type: str
    """Its type, for example "REFUND_ORDER"."""
    action_digest: str
    """What is bound to the approval: exact tool, arguments, shown fields, user and session; 64 hexadecimal digits."""
    fields: tuple[ShownField, ...]
    """What it would do, in order."""
    words: tuple[str, ...] = ()
    """What people call doing it, in both languages: "결제", "pay"; a yes may name it."""


@message(action_pb2.PendingAction)
@dataclass(frozen=True, slots=True)
class PendingAction:
    """An action that was shown for the user's word, in whichever message of the conversation that comes."""

    flow_run_id: str
    """The flow that proposed it; with step and ordinal the key under which it is done once."""
    approval_id: str
    """Its approval."""
    action: ShownAction
    """As the user was shown it."""
    arguments_json: bytes
    """Its arguments as a UTF-8 JSON object."""
    arguments_schema_id: str
    """The schema of the arguments."""
    expire_time: datetime | None = None
    """Until when it can be approved."""


@message(action_pb2.ActionSettled)
@dataclass(frozen=True, slots=True)
class ActionSettled:
    """What became of an action that an agent asked for."""

    step_id: str
    """The step whose agent asked for it."""
    ordinal: int
    """Its place among the actions of its step, from 0; with flow and step the key under which it is done once."""
    action_type: str
    """Its type, for example "REFUND_ORDER"."""
    outcome: ActionOutcome
    """What became of it."""
    reason: str = ""
    """Why it was not done, an UPPER_SNAKE reason; empty where it was."""
    effect_key: str = ""
    """Under which key the ledger of effects holds it; empty where nothing was tried."""
    result_json: bytes = b""
    """What was done, as a UTF-8 JSON object; empty unless it is done."""
    result_schema_id: str = ""
    """The schema of the result."""
    answer: AskAnswer | None = None
    """What the user is told of it, as the answer to the ask that it was for; absent where it was for none."""
    pending: PendingAction | None = None
    """The action as it was shown, which a later message of the conversation may approve while it waits, and whose
    outcome can be asked for where it is not known; absent where nothing was shown.
    """


@message(answer_pb2.SelectedAgent)
@dataclass(frozen=True, slots=True)
class SelectedAgent:
    """An agent that was called, in order."""

    agent_name: str
    """The agent."""
    order: int
    """From 1, +1 each."""
    output: AgentResult
    """What it returned."""


@message(answer_pb2.ContextMeta)
@dataclass(frozen=True, slots=True)
class ContextMeta:
    """How the answer came about."""

    domain: str = ""
    """The domain that answered."""
    intent: str = ""
    """The intent."""
    status: str = ""
    """ok, partial, no_data, asked, blocked or out_of_scope; partial also where the review finds the question not
    answered by what there is.
    """
    dispatch_mode: str = ""
    """How the steps ran: none, sequential, parallel, conditional_parallel or adaptive."""
    fallback_used: bool = False
    """True where any decision fell back to its rule, or a companion branch was run."""
    invoked_agent_count: int = 0
    """How many agents were called."""
    data_reused: bool = False
    """True where earlier results stood in for a search."""
    reused_data_source: str = ""
    """chat_history, long_term_memory or none."""
    user_confirmed: bool = False
    """True where a person confirmed the reuse."""
    sample_data: bool = False
    """True where any row is sample data."""
    evidence_confidence: float | None = None
    """0 to 1: citations, freshness and supported sentences; absent where nothing was cited."""
    normalised_question: str = ""
    """The question after normalisation; empty where none ran."""


@message(answer_pb2.Review)
@dataclass(frozen=True, slots=True)
class Review:
    """What the review after the steps came to."""

    goal_achieved: GoalAchieved
    """Whether the question is answered."""
    score: float
    """0 to 1: how much of it is."""
    missing: tuple[str, ...] = ()
    """What is missing, a short phrase each, in the language of the question."""


@message(answer_pb2.FinalAnswer)
@dataclass(frozen=True, slots=True)
class FinalAnswer:
    """The final message of a flow."""

    flow_run_id: str
    """The flow's id."""
    source: DecisionSource
    """Who composed the text."""
    final_response: str
    """The whole text; equals the concatenated deltas of the last attempt."""
    selected_agents: tuple[SelectedAgent, ...] = ()
    """The agents that were called, in order."""
    action_requests: tuple[ActionRequest, ...] = ()
    """Actions that wait for an approval."""
    confidence_score: float = 0.0
    """The mean of the agents' confidences, or the route's where none ran; 0 to 1."""
    requires_confirmation: bool = False
    """True where the user has to confirm something before anything is done."""
    next_suggested_actions: tuple[str, ...] = ()
    """What the user may do next, in the flow's language."""
    citations: tuple[Citation, ...] = ()
    """What the text rests on."""
    data_freshness: tuple[DataFreshness, ...] = ()
    """How fresh that is."""
    failure_tags: tuple[FailureTag, ...] = ()
    """What went less than well."""
    usage: Usage = Usage()
    """What the flow cost."""
    context_meta: ContextMeta = ContextMeta()
    """How the answer came about."""
    decisions: tuple[Decision, ...] = ()
    """Every decision of the flow, in order."""
    warnings: tuple[Warning, ...] = ()
    """Every warning of the flow, in order."""
    actions: tuple[ActionSettled, ...] = ()
    """What became of the actions that the agents asked for, in order; those that wait are in action_requests as well.
    """
    review: Review | None = None
    """The last review of what was found; absent where no step ran."""
    dropped: tuple[Dropped, ...] = ()
    """What was left out of the text and its citations because nothing holds it; that of an agent stands in its output.
    """
    charts: tuple[Chart, ...] = ()
    """Pictures of what was asked, three at most; none where none would help."""
    documents: tuple[FinalDocument, ...] = ()
    """Documents that were approved; GatewayService.GetDocument makes a file of each."""


@message(flow_event_pb2.Accepted)
@dataclass(frozen=True, slots=True)
class Accepted:
    """The question was taken in."""

    flow_run_id: str
    """The flow's id."""
    replayed: bool = False
    """True where the same request had been started before and this stream tells that flow."""
    session_id: str = ""
    """The conversation that the flow belongs to; name it in the next question to go on with it."""


@message(flow_event_pb2.PhaseChanged)
@dataclass(frozen=True, slots=True)
class PhaseChanged:
    """The flow is in another phase."""

    phase: Phase
    """The phase."""


@message(flow_event_pb2.DecisionMade)
@dataclass(frozen=True, slots=True)
class DecisionMade:
    """A decision was made."""

    decision: Decision
    """The decision."""


@message(flow_event_pb2.Routed)
@dataclass(frozen=True, slots=True)
class Routed:
    """The question is understood."""

    route: RouteDecision
    """How."""


@message(flow_event_pb2.Planned)
@dataclass(frozen=True, slots=True)
class Planned:
    """The question is planned."""

    plan: ExecutionPlan
    """The plan."""


@message(flow_event_pb2.DataReuseDecision)
@dataclass(frozen=True, slots=True)
class DataReuseDecision:
    """What becomes of data that the conversation holds, told before anything is looked up."""

    message: str
    """A sentence in the flow's language."""
    source: str
    """chat_history, long_term_memory or none."""
    reasoning: str
    """Why, a line for each deduction."""
    confidence: float
    """0 to 1: how well what is held will do."""
    use: str
    """use, verify or search."""
    flow_run_ids: tuple[str, ...] = ()
    """The earlier flows whose results are used; empty under search."""
    user_confirmed: bool = False
    """True where a person said so."""


@message(flow_event_pb2.Reviewed)
@dataclass(frozen=True, slots=True)
class Reviewed:
    """What was found was reviewed, before the answer is told; a flow that tries once more is reviewed twice."""

    review: Review
    """What it came to."""


@message(flow_event_pb2.StepStarted)
@dataclass(frozen=True, slots=True)
class StepStarted:
    """A step began."""

    step_id: str
    """The step."""
    agent: str
    """Its agent."""
    task: str
    """What it is to do."""


@message(flow_event_pb2.Progress)
@dataclass(frozen=True, slots=True)
class Progress:
    """A service says what it is doing."""

    service: str
    """The service."""
    step_id: str
    """The step; empty outside one."""
    message: str
    """A sentence in the flow's language."""


@message(flow_event_pb2.ToolSettled)
@dataclass(frozen=True, slots=True)
class ToolSettled:
    """A tool call ended."""

    step_id: str
    """The step."""
    tool: str
    """The tool."""
    outcome: ToolOutcomeKind
    """How it ended."""
    row_count: int
    """How many rows it returned."""
    replayed: bool
    """True where an earlier result with equal arguments was returned."""
    reason: str
    """Why it failed or was left out, an UPPER_SNAKE reason."""
    latency: timedelta
    """Wall time of the call."""


@message(flow_event_pb2.AgentSettled)
@dataclass(frozen=True, slots=True)
class AgentSettled:
    """A step ended."""

    step_id: str
    """The step."""
    agent: str
    """Its agent."""
    outcome: AgentOutcome
    """How it ended."""
    reason: str
    """Why, an UPPER_SNAKE reason; empty when it answered."""
    latency: timedelta
    """Wall time of the step."""
    result: AgentResult | None = None
    """What it found; absent where nothing came back."""


@message(flow_event_pb2.WarningRaised)
@dataclass(frozen=True, slots=True)
class WarningRaised:
    """Something went less than well."""

    warning: Warning
    """The warning."""


@message(flow_event_pb2.Heartbeat)
@dataclass(frozen=True, slots=True)
class Heartbeat:
    """Nothing happened, and the flow is alive."""


@message(flow_event_pb2.Delta)
@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of the answer. A higher attempt voids all text of lower ones; within an attempt a piece that was sent
    before is harmless, because its offset says where it belongs.
    """

    answer_attempt: int
    """From 1; higher each time the answer starts anew, +1 at the same replica. A replica that goes on with a flow
    begins at a higher hundred: after 1 may come 101.
    """
    text_offset: int
    """Where the piece begins in the attempt's text, in Unicode code points from 0."""
    text: str
    """The piece; never empty, never ends inside a code point."""


@message(flow_event_pb2.QuestionOption)
@dataclass(frozen=True, slots=True)
class QuestionOption:
    """One of the answers that a question offers."""

    value: str
    """What is answered."""
    label: str
    """What a button says, in the flow's language."""
    description: str
    """What it leads to, in the flow's language."""


@message(flow_event_pb2.HeldData)
@dataclass(frozen=True, slots=True)
class HeldData:
    """The earlier data that a question is about."""

    summary: str
    """What it is, in the flow's language."""
    age: timedelta
    """How old its oldest part is."""
    issues: tuple[str, ...]
    """Why it is unsure, a line each."""


@message(flow_event_pb2.QuestionAsked)
@dataclass(frozen=True, slots=True)
class QuestionAsked:
    """The flow waits for a person."""

    question_id: str
    """The id under which it is answered; random."""
    kind: QuestionKind
    """What it asks for."""
    slot: str
    """The slot that the answer fills; empty under CONFIRM."""
    text: str
    """The question in the flow's language."""
    options: tuple[str, ...]
    """Values to choose from; empty where any will do."""
    expire_time: datetime
    """When the flow waits no longer: default_answer then holds, and without one the flow is cancelled with nothing
    done.
    """
    default_answer: str = ""
    """The answer that holds where nobody gives one; empty where there is none."""
    answer_schema_json: bytes = b""
    """The JSON Schema of the answer, UTF-8 JSON."""
    allowed_roles: tuple[str, ...] = ()
    """Who may answer: the user who asked, with one of these roles; empty where no role is needed."""
    action: ShownAction | None = None
    """Under APPROVAL, the action as it would be done, with its digest; absent otherwise."""
    choices: tuple[QuestionOption, ...] = ()
    """The options with what they say and lead to; empty where the values speak for themselves."""
    held_data: HeldData | None = None
    """Under REUSE, what is held already; absent otherwise."""


@message(flow_event_pb2.QuestionSettled)
@dataclass(frozen=True, slots=True)
class QuestionSettled:
    """A person has answered, or the wait is over."""

    question_id: str
    """The question."""
    outcome: QuestionOutcome
    """How."""


@message(flow_event_pb2.Finished)
@dataclass(frozen=True, slots=True)
class Finished:
    """The end, with an answer."""

    answer: FinalAnswer
    """The answer."""


@message(flow_event_pb2.Failed)
@dataclass(frozen=True, slots=True)
class Failed:
    """The end, without an answer."""

    code: str
    """The google.rpc.Code name, for example "DEADLINE_EXCEEDED"."""
    reason: str
    """Why, an UPPER_SNAKE reason."""
    message: str
    """A sentence in the flow's language that holds no inner detail."""
    error_id: str = ""
    """The id under which the log tells more; empty where nothing more is to be told."""
    usage: Usage = Usage()
    """What the flow cost until then."""
    decisions: tuple[Decision, ...] = ()
    """Every decision until then."""


@message(flow_event_pb2.Cancelled)
@dataclass(frozen=True, slots=True)
class Cancelled:
    """The end, because somebody said so."""

    reason: str
    """CLIENT_CANCELLED, CLIENT_DISCONNECTED, USER_DECLINED, QUESTION_EXPIRED or INTERRUPTED."""
    usage: Usage = Usage()
    """What the flow cost until then."""
    decisions: tuple[Decision, ...] = ()
    """Every decision until then."""


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
"""What happened."""


@message(flow_event_pb2.FlowEvent)
@dataclass(frozen=True, slots=True)
class FlowEvent:
    """One event of a flow. Two lanes share the stream: durable events bear a sequence and are told again to whoever
    resumes; `accepted`, `heartbeat` and `delta` bear none and are not kept.
    """

    sequence: int | None
    """From 1, +1 for each durable event of the flow; absent on the other lane."""
    emit_time: datetime
    """When it happened."""
    event: Event
    """What happened."""


@message(record_pb2.FlowSummary)
@dataclass(frozen=True, slots=True)
class FlowSummary:
    """A flow in a list."""

    flow_run_id: str
    """The flow's id."""
    session_id: str
    """The conversation."""
    question: str
    """The question as the user wrote it."""
    phase: Phase
    """Where it stands."""
    start_time: datetime
    """When it began."""
    end_time: datetime | None
    """When it ended; absent while it runs."""
    latency: timedelta
    """Wall time until its end, or until now."""
    usage: Usage
    """What it cost, with what was decided for it after its end."""
    user_id: str = ""
    """Whose it is, where an operator sees those of the tenant; empty for one's own."""
    content_withheld: bool = False
    """True where what was said is left out."""


@message(record_pb2.ChainLink)
@dataclass(frozen=True, slots=True)
class ChainLink:
    """One link of a flow's call chain, in the order in which things were decided or settled."""

    order: int
    """From 1, +1 each."""
    service: str
    """The service."""
    name: str
    """The decision kind, or the tool that was called."""
    kind: str
    """LLM, RULE or FALLBACK for a decision; TOOL for a tool call; ACTION for an action; AGENT for a settled step."""
    model: str
    """The model that was asked; empty where none was."""
    latency: timedelta
    """Wall time."""
    input_tokens: int
    """Tokens sent."""
    output_tokens: int
    """Tokens received."""
    outcome: str
    """What came of it, in a few words."""
    settle_time: datetime
    """When it was settled."""


@message(record_pb2.FlowRecord)
@dataclass(frozen=True, slots=True)
class FlowRecord:
    """All that is kept of a flow."""

    summary: FlowSummary
    """The summary."""
    chain: tuple[ChainLink, ...]
    """The call chain."""
    events: tuple[FlowEvent, ...]
    """The durable events, in sequence."""
    after: tuple[ChainLink, ...] = ()
    """What was decided once it had ended and its user had the answer: the line that is remembered of it. Their order
    goes on from the chain's, and their cost is part of the summary's.
    """
    dropped: tuple[Dropped, ...] = ()
    """What agents and synthesizer left out because nothing holds it, in order."""
