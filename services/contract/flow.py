"""The vocabulary of a flow: what every service says to every other. Field meanings stand in protos/hapju/flow/v1."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from hapju.flow.v1 import (
    decision_pb2,
    evidence_pb2,
    failure_pb2,
    memory_pb2,
    plan_pb2,
    question_pb2,
    result_pb2,
    route_pb2,
    run_context_pb2,
)
from services.contract.asks import Ask, AskAnswer
from services.contract.attachments import Attachment
from services.contract.drops import Dropped
from services.contract.entities import Alternative as Alternative  # noqa: PLC0414 - handed on by name
from services.contract.entities import Entity as Entity  # noqa: PLC0414 - as above
from services.contract.forms import ID_CHARACTERS_MAX, LOCALES, UUID, zone_problem
from services.contract.mapping import ContractViolation, message


@message(run_context_pb2.Budget)
@dataclass(frozen=True, slots=True)
class Budget:
    """What a flow may still spend."""

    model_calls: int
    tokens: int
    model_failures: int
    cost_micro_usd: int


def check_run(run: "RunContext") -> None:
    """Check the run context that every call bears: what each service builds on.

    Raises:
        ContractViolation: A field does not have its form; names it.
    """
    for name, given in (("flow_run_id", run.flow_run_id), ("session_id", run.session_id)):
        if len(given) > ID_CHARACTERS_MAX:
            raise ContractViolation(name, f"is longer than {ID_CHARACTERS_MAX} characters")
    if not UUID.fullmatch(run.flow_run_id):
        raise ContractViolation("flow_run_id", "must be a UUID" if run.flow_run_id else "is required")
    if run.locale not in {"", *LOCALES}:  # empty where a call says nothing to a person
        raise ContractViolation("locale", "must be ko or en")
    if run.time_zone and (problem := zone_problem(run.time_zone)):
        raise ContractViolation("time_zone", problem)


@message(run_context_pb2.RunContext, check_run)
@dataclass(frozen=True, slots=True)
class RunContext:
    """What every call of one flow knows about it."""

    flow_run_id: str
    session_id: str
    locale: str
    now: datetime
    time_zone: str
    budget: Budget
    domains: tuple[str, ...]
    settled_kinds: tuple[str, ...] = ()
    models_away: tuple[str, ...] = ()


class DecisionSource(StrEnum):
    """Who made a decision."""

    LLM = "LLM"
    RULE = "RULE"
    FALLBACK = "FALLBACK"


@message(decision_pb2.Usage)
@dataclass(frozen=True, slots=True)
class Usage:
    """What was spent; adds up with `+`."""

    model_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_micro_usd: int = 0
    tool_calls: int = 0

    @property
    def tokens(self) -> int:
        """What models read and wrote."""
        return self.input_tokens + self.output_tokens

    def __add__(self, other: "Usage") -> "Usage":
        """Return the sum, field by field."""
        return Usage(
            self.model_calls + other.model_calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cost_micro_usd + other.cost_micro_usd,
            self.tool_calls + other.tool_calls,
        )

    def __neg__(self) -> "Usage":
        """Return what takes this away from a sum."""
        return Usage(
            -self.model_calls,
            -self.input_tokens,
            -self.output_tokens,
            -self.cost_micro_usd,
            -self.tool_calls,
        )


@message(decision_pb2.Decision)
@dataclass(frozen=True, slots=True)
class Decision:
    """One decision as it was made."""

    service: str
    kind: str
    source: DecisionSource
    prompt_version: str
    model: str
    input_digest: str
    output_json: bytes
    confidence: float | None
    reasoning: str
    fallback_reason: str
    latency: timedelta
    usage: Usage
    decide_time: datetime


@message(decision_pb2.ToolExchange)
@dataclass(frozen=True, slots=True)
class ToolExchange:
    """One call of a tool with what it came to, kept where flows are recorded."""

    step_id: str
    tool: str
    arguments_json: bytes
    response: bytes = b""
    code: str = ""
    reason: str = ""
    left_out: bool = False


@message(decision_pb2.Spent)
@dataclass(frozen=True, slots=True)
class Spent:
    """The decisions and the usage of one call."""

    decisions: tuple[Decision, ...] = ()
    usage: Usage = Usage()
    tool_exchanges: tuple[ToolExchange, ...] = ()


class FailureTag(StrEnum):
    """What went less than well in a flow that still answered."""

    INTENT_LOW_CONFIDENCE = "INTENT_LOW_CONFIDENCE"
    MULTIPLE_INTENTS_CONFLICT = "MULTIPLE_INTENTS_CONFLICT"
    AGENT_CALL_FAILED = "AGENT_CALL_FAILED"
    RESPONSE_SYNTHESIS_FAILED = "RESPONSE_SYNTHESIS_FAILED"
    MISSING_REQUIRED_SLOTS = "MISSING_REQUIRED_SLOTS"
    POLICY_BLOCKED = "POLICY_BLOCKED"
    TOOL_GATEWAY_REJECTED = "TOOL_GATEWAY_REJECTED"
    CONTEXT_OVERFLOW = "CONTEXT_OVERFLOW"
    INVALID_SLOT_VALUE = "INVALID_SLOT_VALUE"
    USER_DECLINED = "USER_DECLINED"
    TOO_MANY_QUESTIONS = "TOO_MANY_QUESTIONS"


@message(failure_pb2.Warning)
@dataclass(frozen=True, slots=True)
class Warning:  # noqa: A001 - the contract's word
    """Something that a client should show or log, though the flow goes on."""

    reason: str
    message: str
    service: str
    decision_kind: str = ""


@message(evidence_pb2.Provenance)
@dataclass(frozen=True, slots=True)
class Provenance:
    """Where rows come from."""

    source: str
    dataset: str
    table: str
    filters_json: bytes
    as_of_time: datetime | None
    row_count: int
    template_id: str
    fingerprint: str
    sample: bool


@message(evidence_pb2.Column)
@dataclass(frozen=True, slots=True)
class Column:
    """How a person reads one column of rows."""

    name: str
    title: str
    unit: str = ""
    words: Mapping[str, str] = field(default_factory=dict, hash=False)


@message(evidence_pb2.Evidence)
@dataclass(frozen=True, slots=True)
class Evidence:
    """One thing that an answer may rest on."""

    evidence_id: str
    data_type: str
    title: str
    excerpt: str
    rows_json: bytes
    rows_schema_id: str
    provenance: Provenance
    columns: tuple[Column, ...] = ()


@message(evidence_pb2.Citation)
@dataclass(frozen=True, slots=True)
class Citation:
    """A reference from the answer to a piece of evidence."""

    evidence_id: str
    title: str
    source: str
    as_of_time: datetime | None
    sample: bool


class Freshness(StrEnum):
    """Whether data may still be relied on."""

    FRESH = "FRESH"
    AGEING = "AGEING"
    STALE = "STALE"


@message(evidence_pb2.DataFreshness)
@dataclass(frozen=True, slots=True)
class DataFreshness:
    """How fresh one kind of data is."""

    data_type: str
    as_of_time: datetime | None
    age_hours: int
    freshness: Freshness


class NextAction(StrEnum):
    """What happens after routing."""

    PROCEED = "PROCEED"
    CONFIRM = "CONFIRM"
    CLARIFY = "CLARIFY"
    RESPOND = "RESPOND"


class ToolMode(StrEnum):
    """How the branches of a plan may run."""

    SINGLE = "SINGLE"
    PARALLEL = "PARALLEL"


@message(route_pb2.IntentAlternative)
@dataclass(frozen=True, slots=True)
class IntentAlternative:
    """A reading of the question that was not chosen."""

    intent: str
    confidence: float


@message(route_pb2.VoterScore)
@dataclass(frozen=True, slots=True)
class VoterScore:
    """What one voter said."""

    voter: str
    intent: str
    score: float
    weight: float
    reason: str


@message(route_pb2.RouteDecision)
@dataclass(frozen=True, slots=True)
class RouteDecision:
    """How a question is understood."""

    domain: str
    intent: str
    confidence: float
    alternatives: tuple[IntentAlternative, ...]
    selected_type: str
    sql_need: bool
    graph_need: bool
    tool_mode: ToolMode
    target_agents: tuple[str, ...]
    entities: tuple[Entity, ...]
    country_scope: tuple[str, ...]
    next_action: NextAction
    route_source: str
    voter_scores: tuple[VoterScore, ...]
    message: str
    examples: tuple[str, ...]
    reason: str
    requires_confirmation: bool
    asks: tuple[Ask, ...] = ()


class Strategy(StrEnum):
    """How the steps of a plan run."""

    SEQUENTIAL = "SEQUENTIAL"
    PARALLEL = "PARALLEL"
    ADAPTIVE = "ADAPTIVE"
    CONDITIONAL_PARALLEL = "CONDITIONAL_PARALLEL"


class Branch(StrEnum):
    """Which way a step reaches its data."""

    SQL = "SQL"
    GRAPH = "GRAPH"
    LLM_DIRECT = "LLM_DIRECT"


@message(plan_pb2.ToolCall)
@dataclass(frozen=True, slots=True)
class ToolCall:
    """One tool call that a step is to make."""

    tool: str
    arguments_json: bytes
    arguments_schema_id: str


COMPANION_OF = "companion_of:"
"""How a condition begins that holds where the named step's agent asked for the opposite branch."""


@message(plan_pb2.PlanStep)
@dataclass(frozen=True, slots=True)
class PlanStep:
    """One step of a plan."""

    step_id: str
    agent: str
    task: str
    sub_question: str
    depends_on: tuple[str, ...]
    branch: Branch
    suggested_calls: tuple[ToolCall, ...]
    keywords: tuple[str, ...]
    condition: str
    required: bool
    asks: tuple[Ask, ...] = ()


@message(plan_pb2.SlotValue)
@dataclass(frozen=True, slots=True)
class SlotValue:
    """A value for one slot of the intent."""

    slot: str
    value_json: bytes
    source: str


@message(plan_pb2.Sufficiency)
@dataclass(frozen=True, slots=True)
class Sufficiency:
    """Whether held data answers the question."""

    is_sufficient: bool
    confidence: float
    data_source: str
    missing_types: tuple[str, ...]
    reasoning: str


@message(plan_pb2.Facet)
@dataclass(frozen=True, slots=True)
class Facet:
    """What a question names of one kind."""

    kind: str
    names: tuple[str, ...]


@message(plan_pb2.DataNeed)
@dataclass(frozen=True, slots=True)
class DataNeed:
    """What data a question needs, and about what."""

    required_types: tuple[str, ...]
    given_types: tuple[str, ...]
    facets: tuple[Facet, ...]
    words: tuple[str, ...]
    points_back: bool
    asks_anew: bool = False


@message(plan_pb2.HeldLookUp)
@dataclass(frozen=True, slots=True)
class HeldLookUp:
    """What one look-up of an earlier flow has found of one type of data."""

    data_type: str
    agent: str
    row_count: int
    facets: tuple[Facet, ...]
    words: tuple[str, ...]
    found_time: datetime


CHOICE = "_choice"
"""Ends the name of the slot that asks which of several things of one name is meant; its answer fills the slot."""


@message(plan_pb2.SlotQuestion)
@dataclass(frozen=True, slots=True)
class SlotQuestion:
    """A question to the user that the plan waits for."""

    slot: str
    question: str
    options: tuple[str, ...]


@message(plan_pb2.ExecutionPlan)
@dataclass(frozen=True, slots=True)
class ExecutionPlan:
    """What is to be done to answer a question."""

    normalised_question: str
    slots: tuple[SlotValue, ...]
    sufficiency: Sufficiency | None
    steps: tuple[PlanStep, ...]
    strategy: Strategy
    estimated_duration: timedelta
    slot_question: SlotQuestion | None
    unavailable_agents: tuple[str, ...]
    need: DataNeed | None = None


class AgentStatus(StrEnum):
    """How an agent's run ended."""

    ANSWERED = "ANSWERED"
    LIMITED = "LIMITED"
    INSUFFICIENT_DATA = "INSUFFICIENT_DATA"
    FAILED = "FAILED"


class Trend(StrEnum):
    """Where a thing is heading."""

    BULL = "BULL"
    BEAR = "BEAR"
    NEUTRAL = "NEUTRAL"


@message(result_pb2.Metric)
@dataclass(frozen=True, slots=True)
class Metric:
    """One computed or read figure, or a word in its place."""

    name: str
    label: str
    value: str
    word: str
    unit: str
    as_of_time: datetime | None
    evidence_ids: tuple[str, ...]
    subject: str


@message(result_pb2.ActionRequest)
@dataclass(frozen=True, slots=True)
class ActionRequest:
    """An action that an agent wants done."""

    action_type: str
    arguments_json: bytes
    arguments_schema_id: str
    ask_id: str = ""


@message(result_pb2.ToolProbe)
@dataclass(frozen=True, slots=True)
class ToolProbe:
    """What one call of an agent came to."""

    tool: str
    branch: Branch
    row_count: int
    template_id: str
    reason: str


@message(result_pb2.CausalChain)
@dataclass(frozen=True, slots=True)
class CausalChain:
    """A relation of cause that evidence supports."""

    names: tuple[str, ...]


@message(result_pb2.AgentResult)
@dataclass(frozen=True, slots=True)
class AgentResult:
    """What one agent found."""

    agent: str
    step_id: str
    status: AgentStatus
    summary: str = ""
    key_drivers: tuple[str, ...] = ()
    primary_trend: Trend | None = None
    metrics: tuple[Metric, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    confidence: float = 0.0
    needs_companion_branch: bool = False
    suggested_actions: tuple[str, ...] = ()
    action_requests: tuple[ActionRequest, ...] = ()
    cautions: tuple[str, ...] = ()
    reason: str = ""
    dropped: tuple[Dropped, ...] = ()
    reused_flow_run_id: str = ""
    tool_probes: tuple[ToolProbe, ...] = ()
    answers: tuple[AskAnswer, ...] = ()
    causes: tuple[CausalChain, ...] = ()


class OnDisconnect(StrEnum):
    """What a flow does when nobody watches it any more."""

    CANCEL = "CANCEL"
    CONTINUE = "CONTINUE"


class OnBusy(StrEnum):
    """What happens to a question while another one of its conversation is being answered."""

    REJECT = "REJECT"
    QUEUE = "QUEUE"
    INTERRUPT = "INTERRUPT"


class Speaker(StrEnum):
    """Who spoke."""

    USER = "USER"
    ASSISTANT = "ASSISTANT"


@message(question_pb2.Turn)
@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of the conversation."""

    speaker: Speaker
    text: str
    say_time: datetime | None


class MemoryTier(StrEnum):
    """How far back an earlier conversation lies."""

    SHORT = "SHORT"
    MID = "MID"
    LONG = "LONG"


@message(memory_pb2.Remembered)
@dataclass(frozen=True, slots=True)
class Remembered:
    """What is remembered of an earlier conversation of the same user."""

    session_id: str
    tier: MemoryTier
    last_time: datetime
    turns: tuple[Turn, ...] = ()
    summary: str = ""


@message(memory_pb2.SessionSummary)
@dataclass(frozen=True, slots=True)
class SessionSummary:
    """A conversation in a list."""

    session_id: str
    create_time: datetime
    last_time: datetime
    summary: str


@message(question_pb2.RouterOutput)
@dataclass(frozen=True, slots=True)
class RouterOutput:
    """A reading of the question that replaces routing."""

    primary_intent: str
    confidence: float
    alternative_intents: tuple[IntentAlternative, ...]


@message(question_pb2.Question)
@dataclass(frozen=True, slots=True)
class Question:
    """A question with all that a client may say about it."""

    text: str
    locale: str = ""
    domains: tuple[str, ...] = ()
    session_id: str = ""
    time_zone: str = ""
    intent_hint: str = ""
    router_output: RouterOutput | None = None
    now: datetime | None = None
    history: tuple[Turn, ...] = ()
    flow_timeout: timedelta | None = None
    on_disconnect: OnDisconnect | None = None
    request_id: str = ""
    interactive: bool = False
    on_busy: OnBusy | None = None
    attachments: tuple[Attachment, ...] = ()
